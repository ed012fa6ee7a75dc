package pairing

import (
	"cmp"
	"slices"
)

// seating is a request in progress, with its players numbered in the given order.
type seating struct {
	q       Request
	index   map[int64]int32
	history [][][]int32
	bonds   bonds
	wish    []int32
	rounds  []Round
	steps   int
	ended   bool
}

func newSeating(q Request) *seating {
	d := &seating{q: q}
	if q.Method == Chart { // depends on start numbers only, not on the players
		q.Players = slices.Clone(q.Players)
		d.q = q
		slices.SortFunc(q.Players, func(a, b Player) int {
			return cmp.Or(cmp.Compare(a.Number, b.Number),
				cmp.Compare(a.ID, b.ID))
		})
	}
	d.index = indexOf(q.Players)
	for _, round := range q.History {
		d.history = append(d.history, d.indexed(round))
	}
	d.bonds = newBonds(d.q)
	d.wish = d.wishes()
	return d
}

// indexOf numbers the players.
func indexOf(players []Player) map[int64]int32 {
	index := make(map[int64]int32, len(players))
	for i, p := range players {
		index[p.ID] = int32(i)
	}
	return index
}

// indexed converts IDs to numbers, with -1 for players who are not seated any more.
func (d *seating) indexed(round Round) [][]int32 {
	var tables [][]int32
	for _, table := range round {
		seated := make([]int32, len(table))
		for i, id := range table {
			at, ok := d.index[id]
			if seated[i] = at; !ok {
				seated[i] = -1
			}
		}
		tables = append(tables, seated)
	}
	return tables
}

// The weights of the wishes.
const (
	apartWish   = 8
	familyWish  = 4
	clubWish    = 2
	countryWish = 1
)

// bonds are the reasons for keeping players apart: by player, the number of the family, club and country shared with
// others, 0 for none, and the pairs named by hand. A family, club or country with more than two players per table is
// ignored, because the wish cannot be met; an example is the host country of a national championship.
type bonds struct {
	family, club, country []int32
	apart                 map[Pair]bool
}

func newBonds(q Request) bonds {
	c := bonds{apart: map[Pair]bool{}, family: q.shared(func(p Player) string { return p.Family }),
		club:    q.shared(func(p Player) string { return p.Club }),
		country: q.shared(func(p Player) string { return p.Country })}
	for _, pair := range q.Apart {
		c.apart[PairOf(pair[0], pair[1])] = true
	}
	return c
}

// shared numbers the values of a property that several players share. It returns each player's number, 0 for none.
func (q Request) shared(name func(Player) string) []int32 {
	count, numbers := map[string]int{}, map[string]int32{"": 0}
	for _, p := range q.Players {
		count[name(p)]++
	}
	of := make([]int32, len(q.Players))
	for i, p := range q.Players {
		shared := name(p)
		if _, numbered := numbers[shared]; !numbered && count[shared] > 1 && count[shared] <= 2*len(q.Sizes) {
			numbers[shared] = int32(len(numbers))
		}
		of[i] = numbers[shared]
	}
	return of
}

// weigh returns how much two players should be kept apart, and the strongest reason: apart, family, club or country.
func (d *seating) weigh(a, b int32) (w int32, why string) {
	if of := d.bonds.country; of[a] == of[b] && of[a] > 0 {
		w, why = w+countryWish, "country"
	}
	if of := d.bonds.club; of[a] == of[b] && of[a] > 0 {
		w, why = w+clubWish, "club"
	}
	if of := d.bonds.family; of[a] == of[b] && of[a] > 0 {
		w, why = w+familyWish, "family"
	}
	if len(d.bonds.apart) > 0 && d.bonds.apart[PairOf(d.q.Players[a].ID, d.q.Players[b].ID)] {
		w, why = w+apartWish, "apart"
	}
	return w, why
}

// wishes returns, by two players, how much they should be kept apart, or nil if there are no wishes.
func (d *seating) wishes() []int32 {
	n := len(d.q.Players)
	wish, some := make([]int32, n*n), false
	for i := range n {
		for j := range i {
			w, _ := d.weigh(int32(i), int32(j))
			wish[i*n+j], wish[j*n+i] = w, w
			some = some || w > 0
		}
	}
	if !some {
		return nil
	}
	return wish
}

// search creates a search for the given number of rounds, following those already drawn.
func (d *seating) search(rounds, steps int) *search {
	s := newSheet(len(d.q.Players), d.q.Sizes, rounds)
	s.wish = d.wish
	s.remember(d.history)
	if d.q.Method == Chart {
		s.wish = nil
	}
	if d.q.Steps > 0 {
		steps = d.q.Steps
	}
	f := newSearch(s, uint64(d.q.Seed)+uint64(len(d.history))<<48, steps)
	f.stop, f.tell, f.ended = d.q.Stop, d.q.Tell, d.ended
	return f
}

// event draws all rounds at once.
func (d *seating) event() {
	n := len(d.q.Players)
	each := min(8000*n*d.q.Rounds, mostSteps)
	f := d.search(d.q.Rounds, max(each, min(searchesOfPlan*each, mostOfPlan)))
	f.each = min(each, f.of)
	var starts []start
	for _, rounds := range d.q.Begin {
		who, err := d.seatedAll(rounds)
		if err != nil {
			continue
		}
		if len(who) < n*d.q.Rounds {
			who = append(who, f.lots()[len(who):]...)
		}
		starts = append(starts, start{who: who, given: true})
	}
	who := f.planEvent(starts, len(d.history) == 0)
	d.steps, d.ended = f.steps, f.ended
	for r := range d.q.Rounds {
		d.add(who[r*n : (r+1)*n])
	}
}

// mostSteps limits the work for large fields, where nearly every draw is good.
const mostSteps = 6_000_000

// Limits for a plan that does not reach its bound: the number of searches, and their steps in total.
const (
	searchesOfPlan = 32
	mostOfPlan     = 8_000_000
)

// next draws one round.
func (d *seating) next() {
	n := len(d.q.Players)
	steps := min(20_000*n, 640_000, 80_000_000/n)
	if d.q.Method == Standings {
		steps = max(min(rankedSteps*n, rankedEach), min(rankedRuns*rankedSteps*n, rankedMost))
	}
	f := d.search(1, steps)
	var who []int32
	switch d.q.Method {
	case Standings:
		who = d.byStandings(f)
	case Snake:
		who = f.planSeats(snake(d.q.Sizes))
	case Interval:
		who = f.planSeats(interval(d.q.Sizes))
	case Winners:
		f.pot = placePots(d.q.Players)
		who = f.planRound(f.winners())
	default:
		who = f.planRound(f.lots())
	}
	d.steps += f.steps
	d.ended = f.ended
	d.add(who)
}

// byStandings seats a round by the standings, or by the order of entry before there are any. A single table sits in the
// order of the standings.
func (d *seating) byStandings(f *search) []int32 {
	order, place := identity(f.n), places(d.q.Players)
	ranked := slices.Min(place) < slices.Max(place)
	switch {
	case ranked && len(f.size) == 1:
		f.load(order)
		return f.who
	case ranked:
		f.each = min(rankedSteps*f.n, rankedEach, f.of)
		return f.planRanked(d.q.Players)
	}
	return f.planRound(order)
}

// add appends a round. By standings, the tables are numbered from the leaders' table down.
func (d *seating) add(who []int32) {
	var round Round
	for _, size := range d.q.Sizes {
		table := make([]int64, size)
		for i := range table {
			table[i] = d.q.Players[who[i]].ID
		}
		round, who = append(round, table), who[size:]
	}
	if d.q.Method == Standings {
		slices.SortStableFunc(round, func(a, b []int64) int {
			return cmp.Or(cmp.Compare(d.follows(a), d.follows(b)), cmp.Compare(d.strength(a), d.strength(b)))
		})
	}
	d.history, d.rounds = append(d.history, d.indexed(round)), append(d.rounds, round)
}

// follows returns 0 for the leader's table and 1 for the others, so that the leader's becomes table 1.
func (d *seating) follows(table []int64) int {
	if slices.Contains(table, d.q.Players[0].ID) {
		return 0
	}
	return 1
}

// strength returns a table's mean standing in twelfths, so that tables of 3 and 4 compare.
func (d *seating) strength(table []int64) int {
	sum := 0
	for _, id := range table {
		sum += int(d.index[id])
	}
	return sum * 12 / len(table)
}

func identity(n int) []int32 {
	order := make([]int32, n)
	for i := range order {
		order[i] = int32(i)
	}
	return order
}

// places returns the players' places in the standings. A player without a place gets the position in the list.
func places(players []Player) []int32 {
	list := make([]int32, len(players))
	for i, p := range players {
		list[i] = int32(cmp.Or(p.Place, i+1))
	}
	return list
}

// snake distributes the players over the tables back and forth.
func snake(sizes []int) []int32 {
	tables := make([][]int32, len(sizes))
	n := 0
	for _, size := range sizes {
		n += size
	}
	at, step := 0, 1
	for p := range n {
		for len(tables[at]) == sizes[at] {
			at, step = turn(at, step, len(sizes))
		}
		tables[at] = append(tables[at], int32(p))
		at, step = turn(at, step, len(sizes))
	}
	return slices.Concat(tables...)
}

// interval distributes the players over the tables in order.
func interval(sizes []int) []int32 {
	tables := make([][]int32, len(sizes))
	next := int32(0)
	for seat := range seats {
		for t, size := range sizes {
			if seat < size {
				tables[t] = append(tables[t], next)
				next++
			}
		}
	}
	return slices.Concat(tables...)
}

// turn moves to the next table, or reverses at the end; the last table is visited twice.
func turn(at, step, n int) (int, int) {
	if next := at + step; next >= 0 && next < n {
		return next, step
	}
	return at, -step
}

// placePots groups players by their place at the last table.
func placePots(players []Player) []int32 {
	pots := make([]int32, len(players))
	for i, p := range players {
		pots[i] = int32(p.LastPlace)
	}
	return pots
}

// winners orders the players by their place at the last table, and randomly within a place. Players without one come
// last.
func (f *search) winners() []int32 {
	order := f.lots()[:f.n]
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(uint32(f.pot[a]-1), uint32(f.pot[b]-1)) })
	return order
}
