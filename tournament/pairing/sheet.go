package pairing

import "slices"

// seats is the maximum number of players at a table.
const seats = 4

// sheet holds the rounds being searched: who sits where, and the counts from which the cost of an exchange follows
// without examining everything else. Players are numbered from 0. A place is a seat of a round, numbered table by table
// and seat by seat, the same in every round.
type sheet struct {
	n, rounds int
	tableAt   []int32 // by place
	seatAt    []int32 // by place
	first     []int32 // by table: index of its first place
	size      []int32 // by table

	who   []int32 // by round and place
	place []int32 // by round and player

	met    []int16 // by two players: meetings with history; small type to fit the cache
	wish   []int32 // by two players: weight of keeping them apart; nil: no wishes
	before []int32 // by player: table in the last round of the history; below 0: none
	threes []int32 // by round and player: places at tables of three after that round
	sat    []int32 // by player and seat
	after  []int16 // by two players: how often b plays directly after a
	rank   []int32 // by player: place in the standings; nil: gaps do not count
	uneven bool    // there are tables of different sizes
	short  int64   // weight of the places at tables of three
	steep  bool    // a third place at a table of three costs more, see shortOf

	loaded bool
}

// newSheet returns a sheet without a plan or history. Plans and histories use player numbers below n.
func newSheet(n int, sizes []int, rounds int) *sheet {
	s := &sheet{n: n, rounds: rounds, who: make([]int32, rounds*n), place: make([]int32, rounds*n),
		met:    make([]int16, n*n),
		before: make([]int32, n), threes: make([]int32, rounds*n), sat: make([]int32, n*seats),
		after: make([]int16, n*n), short: weighThree}
	for t, size := range sizes {
		s.first, s.size = append(s.first, int32(len(s.tableAt))), append(s.size, int32(size))
		for seat := range size {
			s.tableAt, s.seatAt = append(s.tableAt, int32(t)), append(s.seatAt, int32(seat))
		}
		s.uneven = s.uneven || size != sizes[0]
	}
	for p := range n {
		s.before[p] = int32(-1 - p)
	}
	return s
}

// remember adds the meetings of the history, whose rounds are in order. Numbers below 0 are players who are not seated
// any more.
func (s *sheet) remember(history [][][]int32) {
	for r, round := range history {
		for t, table := range round {
			size := len(table)
			for seat, a := range table {
				if a < 0 {
					continue
				}
				if r == len(history)-1 {
					s.before[a] = int32(t)
				}
				s.sat[int(a)*seats+seat]++
				for round := range s.rounds {
					if size == 3 {
						s.threes[round*s.n+int(a)]++
					}
				}
				if b := table[(seat+1)%size]; b >= 0 && b != a {
					s.after[int(a)*s.n+int(b)]++
				}
				for _, b := range table[seat+1:] {
					if b >= 0 {
						s.met[int(a)*s.n+int(b)]++
						s.met[int(b)*s.n+int(a)]++
					}
				}
			}
		}
	}
}

// load replaces the plan, given by round and place.
func (s *sheet) load(who []int32) {
	if s.loaded {
		s.countAll(-1)
	}
	s.loaded = true
	copy(s.who, who)
	for r := range s.rounds {
		for i := range s.n {
			s.place[r*s.n+int(s.who[r*s.n+i])] = int32(i)
		}
	}
	s.countAll(1)
}

func (s *sheet) countAll(by int32) {
	for r := range s.rounds {
		for t := range s.first {
			s.count(r, int32(t), by)
		}
	}
}

// measure computes the whole cost from the counts. company and seating return the weighted change of an exchange.
func (s *sheet) measure() Cost {
	var c Cost
	for _, k := range s.threes {
		if s.uneven {
			c.Threes += atThrees(k)
		}
	}
	for i, k := range s.sat {
		if i%seats == 0 {
			c.Starts += int64(k) * int64(k)
		}
		c.Seats += int64(k) * int64(k)
	}
	for a := range s.n {
		for b := range s.n {
			m, k := int64(s.met[a*s.n+b]), int64(s.after[a*s.n+b])
			c.Neighbours += k*k - k
			if b > a {
				c.Repeats += m*m - m
				c.Thrice += m * (m - 1) * (m - 2) / 6
			}
		}
	}
	if !s.loaded {
		return c
	}
	for r := range s.rounds {
		for t, from := range s.first {
			table := s.who[r*s.n+int(from) : r*s.n+int(from+s.size[t])]
			c.RankGap += s.gap(table)
			for i, a := range table {
				for _, b := range table[i+1:] {
					c.Wishes += s.apart(a, b)
					if s.together(r-1, a, b) {
						c.Consecutive++
					}
				}
			}
		}
	}
	return c
}

// atThrees returns the cost of k places at tables of three for a player. The first one adds nothing, so that no player
// has a second one while another has none.
func atThrees(k int32) int64 { return max(1, int64(k)*int64(k)) }

// shortOf returns the cost of k places at tables of three for an exchange. If the sheet is steep, it exceeds atThrees
// from the third place on, so that two players get two places each rather than three and one.
func (s *sheet) shortOf(k int32) int64 {
	if s.steep {
		return max(1, int64(k)*int64(k)*int64(k)/2)
	}
	return atThrees(k)
}

func (s *sheet) apart(a, b int32) int64 {
	if s.wish == nil {
		return 0
	}
	return int64(s.wish[int(a)*s.n+int(b)])
}

// gap returns the worst place at a table minus the best.
func (s *sheet) gap(table []int32) int64 {
	if s.rank == nil {
		return 0
	}
	best, worst := s.rank[table[0]], s.rank[table[0]]
	for _, p := range table {
		best, worst = min(best, s.rank[p]), max(worst, s.rank[p])
	}
	return int64(worst - best)
}

// together reports whether two players share a table in a round; round -1 is the last one of the history.
func (s *sheet) together(r int, a, b int32) bool {
	switch {
	case r < 0:
		return s.before[a] == s.before[b]
	case r >= s.rounds:
		return false
	}
	return s.tableAt[s.place[r*s.n+int(a)]] == s.tableAt[s.place[r*s.n+int(b)]]
}

// weighPair returns the cost of two players meeting in round r who also meet m times in other rounds.
func (s *sheet) weighPair(r int, a, b, m int32) int64 {
	w := int64(m)*2*weighRepeat + int64(m)*int64(m-1)/2*weighThrice + s.apart(a, b)*weighWish
	if m > 0 {
		if s.together(r-1, a, b) {
			w += weighConsecutive
		}
		if s.together(r+1, a, b) {
			w += weighConsecutive
		}
	}
	return w
}

// company returns the weighted change of the costs between players if the players at places i and j, at different
// tables of round r, are exchanged.
func (s *sheet) company(r int, i, j int32) int64 {
	round := s.who[r*s.n : (r+1)*s.n]
	a, b := round[i], round[j]
	ta, tb := s.tableAt[i], s.tableAt[j]
	metA, metB := s.met[int(a)*s.n:(int(a)+1)*s.n], s.met[int(b)*s.n:(int(b)+1)*s.n]
	var w int64
	for k := s.first[ta]; k < s.first[ta]+s.size[ta]; k++ {
		if x := round[k]; k != i {
			w += s.weighPair(r, b, x, int32(metB[x])) - s.weighPair(r, a, x, int32(metA[x])-1)
		}
	}
	for k := s.first[tb]; k < s.first[tb]+s.size[tb]; k++ {
		if x := round[k]; k != j {
			w += s.weighPair(r, a, x, int32(metA[x])) - s.weighPair(r, b, x, int32(metB[x])-1)
		}
	}
	if s.uneven && (s.size[ta] == 3) != (s.size[tb] == 3) {
		off, on := a, b // a leaves a table of three and b joins it, or the other way round
		if s.size[tb] == 3 {
			off, on = b, a
		}
		for later := r; later < s.rounds; later++ {
			kOn, kOff := s.threes[later*s.n+int(on)], s.threes[later*s.n+int(off)]
			w += (s.shortOf(kOn+1) - s.shortOf(kOn) + s.shortOf(kOff-1) - s.shortOf(kOff)) * s.short
		}
	}
	return w
}

// seating returns the weighted change of the costs of seats and neighbours for an exchange, which may be within a
// table.
func (s *sheet) seating(r int, i, j int32) int64 {
	round := s.who[r*s.n : (r+1)*s.n]
	a, b := int(round[i]), int(round[j])
	si, sj := s.seatAt[i], s.seatAt[j]
	var w int64
	if si != sj {
		w = (int64(s.sat[b*seats+int(si)])-int64(s.sat[a*seats+int(si)])+1)*2*weightOfSeat(si) +
			(int64(s.sat[a*seats+int(sj)])-int64(s.sat[b*seats+int(sj)])+1)*2*weightOfSeat(sj)
	}
	if s.tableAt[i] != s.tableAt[j] { // all neighbours change
		for _, p := range [2][3]int32{{i, int32(a), int32(b)}, {j, int32(b), int32(a)}} {
			before, after := s.beside(round, p[0])
			off, on := int(p[1]), int(p[2])
			w += 2 * weighNeighbour * (int64(s.after[before*s.n+on]) - int64(s.after[before*s.n+off]) + 1 +
				int64(s.after[on*s.n+after]) - int64(s.after[off*s.n+after]) + 1)
		}
		return w
	}
	var old, now [2 * seats][2]int32
	k := s.follow(old[:0], round, i, j)
	round[i], round[j] = round[j], round[i]
	s.follow(now[:0], round, i, j)
	round[i], round[j] = round[j], round[i]
	for e := range k {
		if !slices.Contains(now[:k], old[e]) {
			w -= 2 * int64(s.after[int(old[e][0])*s.n+int(old[e][1])]-1) * weighNeighbour
		}
		if !slices.Contains(old[:k], now[e]) {
			w += 2 * int64(s.after[int(now[e][0])*s.n+int(now[e][1])]) * weighNeighbour
		}
	}
	return w
}

// beside returns who plays before and after a place. At a table of two that is the same player.
func (s *sheet) beside(round []int32, i int32) (before, after int) {
	from, size := s.first[s.tableAt[i]], s.size[s.tableAt[i]]
	seat := s.seatAt[i]
	return int(round[from+(seat+size-1)%size]), int(round[from+(seat+1)%size])
}

func weightOfSeat(seat int32) int64 {
	if seat == 0 {
		return weighSeat + weighStart
	}
	return weighSeat
}

// unevenly reports whether a player has had one seat at least two times more often than another.
func (s *sheet) unevenly(p int) bool {
	sat := s.sat[p*seats : (p+1)*seats]
	return slices.Max(sat)-slices.Min(sat) > 1
}

// follow lists who plays directly after whom at the tables of places i and j, and returns the number of entries.
func (s *sheet) follow(edges [][2]int32, round []int32, i, j int32) int {
	for k, t := range [2]int32{s.tableAt[i], s.tableAt[j]} {
		if k == 1 && t == s.tableAt[i] {
			break
		}
		from, size := s.first[t], s.size[t]
		for seat := range size {
			edges = append(edges, [2]int32{round[from+seat], round[from+(seat+1)%size]})
		}
	}
	return len(edges)
}

// exchange makes an exchange and updates the counts.
func (s *sheet) exchange(r int, i, j int32) {
	round := s.who[r*s.n : (r+1)*s.n]
	ta, tb := s.tableAt[i], s.tableAt[j]
	if ta == tb {
		s.count(r, ta, -1)
		round[i], round[j] = round[j], round[i]
		s.count(r, ta, 1)
	} else {
		a, b := round[i], round[j]
		s.sit(r, a, i, -1)
		s.sit(r, b, j, -1)
		round[i], round[j] = b, a
		s.sit(r, b, i, 1)
		s.sit(r, a, j, 1)
	}
	s.place[r*s.n+int(round[i])], s.place[r*s.n+int(round[j])] = i, j
}

// sit adds (by 1) or removes (by -1) the counts of player p at place i; the others at the table stay.
func (s *sheet) sit(r int, p, i, by int32) {
	round := s.who[r*s.n : (r+1)*s.n]
	t := s.tableAt[i]
	from, size := s.first[t], s.size[t]
	s.sat[int(p)*seats+int(s.seatAt[i])] += by
	if size == 3 {
		for later := r; later < s.rounds; later++ {
			s.threes[later*s.n+int(p)] += by
		}
	}
	before, after := s.beside(round, i)
	s.after[before*s.n+int(p)] += int16(by)
	s.after[int(p)*s.n+after] += int16(by)
	for k := from; k < from+size; k++ {
		if x := round[k]; k != i {
			s.met[int(p)*s.n+int(x)] += int16(by)
			s.met[int(x)*s.n+int(p)] += int16(by)
		}
	}
}

// count adds (by 1) or removes (by -1) the counts of one table.
func (s *sheet) count(r int, t, by int32) {
	from, size := s.first[t], s.size[t]
	table := s.who[r*s.n+int(from) : r*s.n+int(from+size)]
	for i, a := range table {
		s.sat[int(a)*seats+i] += by
		if size == 3 {
			for later := r; later < s.rounds; later++ {
				s.threes[later*s.n+int(a)] += by
			}
		}
		s.after[int(a)*s.n+int(table[(i+1)%int(size)])] += int16(by)
		for _, b := range table[i+1:] {
			s.met[int(a)*s.n+int(b)] += int16(by)
			s.met[int(b)*s.n+int(a)] += int16(by)
		}
	}
}
