package pairing

import "slices"

// leastThrees returns the cost of the places at tables of three if the players with the fewest such places always come
// first.
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

// leastMeetings returns lower bounds for the meetings in consecutive rounds and for the cost of repeated meetings,
// before a plan is loaded. It counts as if all meetings were shared among the pairs who have met least, and for every
// two rounds the pairs that must meet in both.
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

// shareMeetings returns the cost of the repeats so far, and the lowest possible cost after the additional meetings.
// more is their number.
func (s *sheet) shareMeetings(more int) (before, least int64) {
	var pairs []int // by number of meetings
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

// pairsAmong returns the smallest possible number of pairs that meet again if the players of a table are spread over
// the given number of tables.
func pairsAmong(players, tables int) (pairs int) {
	for i := range players {
		pairs += i / tables
	}
	return pairs
}

// rangeOfThrees returns the difference between the players with the most and the fewest places at tables of three at
// the end.
func (s *sheet) rangeOfThrees() int32 {
	last := s.threes[(s.rounds-1)*s.n:]
	return slices.Max(last) - slices.Min(last)
}

// bound returns a lower bound, found by counting, of the repeated meetings in these rounds. It shares all meetings
// among all pairs and, for every two rounds, counts the pairs that must meet in both. A pair that meets in all rounds
// has the most of these counts for each repeated meeting: half as many as there are rounds.
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

// ofAll returns the rounds in which exactly the players of the request sat.
func (d *seating) ofAll(rounds []Round) []Round {
	return slices.DeleteFunc(slices.Clone(rounds), func(round Round) bool {
		seated := slices.Concat(round...)
		return len(seated) != len(d.index) || slices.ContainsFunc(seated,
			func(id int64) bool { _, ok := d.index[id]; return !ok })
	})
}

// mustMeet returns the smallest possible number of pairs that meet in both rounds if all players are in both.
func mustMeet(one, other Round) (pairs int) {
	for _, table := range one {
		pairs += pairsAmong(len(table), len(other))
	}
	return pairs
}

// turns returns how often players play directly after one another in total.
func (s *sheet) turns() (n int) {
	for _, k := range s.after {
		n += int(k)
	}
	return n
}

// fewestAfter returns the lowest possible Neighbours: every player plays directly after every other equally often.
func (s *sheet) fewestAfter() int64 {
	pairs, turns := s.n*(s.n-1), s.turns()
	if pairs == 0 {
		return 0
	}
	each, more := turns/pairs, turns%pairs
	return int64(pairs*each*(each-1) + more*2*each)
}
