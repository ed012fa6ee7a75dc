package pairing

import "slices"

// leastThrees is the cost of the places at tables of three when those who sat there least always come first.
func (s *sheet) leastThrees() int64 {
	places := 0
	for _, size := range s.size {
		if size == 3 {
			places += 3
		}
	}
	count := slices.Clone(s.threes[:s.n])
	var least int64
	for range s.rounds {
		slices.Sort(count)
		for i := range places {
			count[i]++
		}
		for _, k := range count {
			least += atThrees(k)
		}
	}
	return least
}

// leastMeetings is the fewest meetings in a row, and the least cost of meetings again, that counting allows before a plan is loaded:
// all meetings of the rounds shared among the pairs who have met least, and of every two rounds those that must be in both.
func (s *sheet) leastMeetings() (inRow, repeats int64) {
	meets := 0
	for _, size := range s.size {
		meets += int(size*(size-1)) / 2
	}
	var shared int64
	for _, size := range s.size {
		shared += int64(pairsAmong(int(size), len(s.size)))
	}
	before, counted := s.shareMeetings(s.rounds * meets)
	return shared * int64(s.rounds-1), max(counted, before+shared*int64(s.rounds*(s.rounds-1)))
}

// shareMeetings is the cost of the repeats so far, and the least with so many more meetings.
func (s *sheet) shareMeetings(more int) (before, least int64) {
	var pairs []int // by how often they have met
	for a := range s.n {
		for _, m := range s.met[a*s.n : a*s.n+a] {
			for int(m) >= len(pairs) {
				pairs = append(pairs, 0)
			}
			pairs[m]++
			before += int64(m) * int64(m-1)
		}
	}
	least = before
	for m := 0; more > 0 && m < len(pairs); m++ {
		met := min(more, pairs[m])
		if more -= met; m+1 == len(pairs) && met > 0 {
			pairs = append(pairs, 0)
		}
		if met > 0 {
			pairs[m+1] += met
			least += int64(2 * m * met)
		}
	}
	return before, least
}

// pairsAmong is the fewest pairs that meet again when the players of a table sit at so many tables: they spread over all of them.
func pairsAmong(players, tables int) (pairs int) {
	for i := range players {
		pairs += i / tables
	}
	return pairs
}

// rangeOfThrees is by how many places at tables of three players differ in the end.
func (s *sheet) rangeOfThrees() int32 {
	last := s.threes[(s.rounds-1)*s.n:]
	return slices.Max(last) - slices.Min(last)
}

// bound is the fewest meetings beyond the first that counting allows in these rounds: all meetings shared among all pairs, and of every
// two rounds those that must be in both. A pair that meets in all rounds is in most of them for one meeting.
func bound(s *sheet, rounds []Round) int {
	meetings, both := 0, 0
	for a := range s.n {
		for _, m := range s.met[a*s.n : a*s.n+a] {
			meetings += int(m)
		}
	}
	for r, round := range rounds {
		for _, other := range rounds[:r] {
			both += mustMeet(round, other)
		}
	}
	if len(rounds) > 0 {
		both = (2*both + len(rounds) - 1) / len(rounds)
	}
	return max(0, meetings-s.n*(s.n-1)/2, both)
}

// ofAll are the rounds in which just the players of the request sat.
func (d *seating) ofAll(rounds []Round) []Round {
	return slices.DeleteFunc(slices.Clone(rounds), func(round Round) bool {
		seated := slices.Concat(round...)
		return len(seated) != len(d.index) || slices.ContainsFunc(seated, func(id int64) bool { _, ok := d.index[id]; return !ok })
	})
}

// mustMeet is how many pairs meet in both of two rounds at the least, if all players are in both.
func mustMeet(one, other Round) (pairs int) {
	for _, table := range one {
		pairs += pairsAmong(len(table), len(other))
	}
	return pairs
}

// turns is how often anybody plays directly after anybody.
func (s *sheet) turns() (n int) {
	for _, k := range s.after {
		n += int(k)
	}
	return n
}

// fewestAfter is the least that Neighbours can be: everybody plays directly after everybody as often as any other.
func (s *sheet) fewestAfter() int64 {
	pairs, turns := s.n*(s.n-1), s.turns()
	if pairs == 0 {
		return 0
	}
	each, more := turns/pairs, turns%pairs
	return int64(pairs*each*(each-1) + more*2*each)
}
