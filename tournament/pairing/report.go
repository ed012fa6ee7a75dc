package pairing

import (
	"cmp"
	"fmt"
	"slices"
)

// Report describes a draw. Counts cover the history and the rounds drawn; Cost covers only these rounds, given the
// history.
type Report struct {
	Version  int          `json:"version"`
	Method   string       `json:"method"`
	Seed     int64        `json:"seed"`
	Players  int          `json:"players"`
	Tables   int          `json:"tables"`
	Rounds   int          `json:"rounds"`    // rounds drawn
	Before   int          `json:"before"`    // rounds played before
	PairsMet map[int]int  `json:"pairs_met"` // number of pairs who have met 0, 1, 2, … times
	Extra    int          `json:"extra"`     // meetings beyond the first
	Bound    int          `json:"bound"`     // lower bound by counting
	After    int          `json:"after"`     // how often a player plays again directly after the same player
	AfterMin int          `json:"after_min"` // lower bound by counting
	Threes   map[int]int  `json:"threes"`    // number of players with 0, 1, … places at a table of three
	Uneven   int          `json:"uneven"`    // players who had one seat at least two times more often than another
	Cost     Cost         `json:"cost"`
	Why      [][]TableWhy `json:"why"`            // by round and table
	Plan     *Planned     `json:"plan,omitempty"` // set if later rounds are planned with this one
	Steps    int          `json:"steps"`
	Ended    bool         `json:"ended"` // stopped before the search was complete
}

// Planned holds the figures of a whole plan with the rounds before it. If Extra equals Bound, the number of repeated
// meetings is proven to be the lowest possible, and a longer search could not improve it.
type Planned struct {
	Rounds int `json:"rounds"`
	Extra  int `json:"extra"`
	Bound  int `json:"bound"`
}

// TableWhy explains the composition of a table.
type TableWhy struct {
	Repeats  []Meeting `json:"repeats,omitempty"`  // pairs who have met before
	Together []Close   `json:"together,omitempty"` // pairs who should be kept apart
	Three    bool      `json:"three,omitempty"`
	FirstAt3 int       `json:"first_at_three,omitempty"` // players at a table of three for the first time
	From     int       `json:"from,omitempty"`           // best place at the table
	To       int       `json:"to,omitempty"`             // worst place at the table
}

// Meeting is a pair who has met Times times before. InRow is set if the last time was the previous round.
type Meeting struct {
	Players Pair `json:"players"`
	Times   int  `json:"times"`
	InRow   bool `json:"in_row,omitempty"`
}

// Close is a pair seated at one table despite a wish. Why is the reason for the wish: apart, family, club or country.
type Close struct {
	Players Pair   `json:"players"`
	Why     string `json:"why"`
}

// Assess evaluates rounds, however they were drawn. It returns an error if they do not seat every player of the request
// exactly once.
func Assess(q Request, rounds []Round) (Report, error) {
	q.Rounds = len(rounds)
	if err := q.check(); err != nil {
		return Report{}, err
	}
	d := newSeating(q)
	s := newSheet(len(q.Players), q.Sizes, len(rounds))
	s.wish, s.rank = d.wish, places(q.Players)
	s.remember(d.history)
	rep := Report{Version: Version, Method: q.Method, Seed: q.Seed, Players: s.n, Tables: len(q.Sizes),
		Rounds: len(rounds),
		Before: len(q.History), PairsMet: map[int]int{}, Threes: map[int]int{}}
	who, err := d.seatedAll(rounds)
	if err != nil {
		return Report{}, err
	}
	s.load(who)
	rep.Cost = s.measure()
	rep.count(s)
	rep.Bound, rep.AfterMin = bound(s, d.ofAll(slices.Concat(q.History, rounds))), max(0, s.turns()-s.n*(s.n-1))
	var at [][]int32
	for _, round := range d.history {
		at = append(at, d.tables(round))
	}
	for _, round := range rounds {
		var why []TableWhy
		for _, table := range round {
			why = append(why, d.why(at, table))
		}
		rep.Why = append(rep.Why, why)
		seated := d.indexed(round)
		d.history, at = append(d.history, seated), append(at, d.tables(seated))
	}
	return rep, nil
}

// Check returns the error of Assess, without evaluating the rounds.
func Check(q Request, rounds []Round) error {
	q.Rounds = len(rounds)
	if err := q.check(); err != nil {
		return err
	}
	_, err := (&seating{q: q, index: indexOf(q.Players)}).seatedAll(rounds)
	return err
}

// tables returns the table of each player in a round, or -1.
func (d *seating) tables(round [][]int32) []int32 {
	at := make([]int32, len(d.q.Players))
	for i := range at {
		at[i] = -1
	}
	for t, table := range round {
		for _, p := range table {
			if p >= 0 {
				at[p] = int32(t)
			}
		}
	}
	return at
}

// seatedAll returns the rounds concatenated, in the form that a sheet uses.
func (d *seating) seatedAll(rounds []Round) ([]int32, error) {
	var who []int32
	for r, round := range rounds {
		seated, err := d.seatedOnce(r, round)
		if err != nil {
			return nil, err
		}
		who = append(who, seated...)
	}
	return who, nil
}

// seatedOnce brings the tables into the order of the sizes, and checks that every player has exactly one seat.
func (d *seating) seatedOnce(r int, round Round) ([]int32, error) {
	tables := slices.Clone(d.indexed(round))
	slices.SortStableFunc(tables, func(a, b []int32) int { return len(b) - len(a) })
	sizes := slices.Clone(d.q.Sizes)
	slices.SortFunc(sizes, func(a, b int) int { return b - a })
	if len(tables) != len(sizes) {
		return nil, fmt.Errorf("round %d has %d tables, want %d", r+1, len(tables), len(sizes))
	}
	var who []int32
	seen := map[int32]bool{}
	for t, table := range tables {
		if len(table) != sizes[t] {
			return nil, fmt.Errorf("round %d has a table of %d players, want %d", r+1, len(table),
				sizes[t])
		}
		for _, p := range table {
			if p < 0 || seen[p] {
				return nil, fmt.Errorf("round %d seats a player twice, or an unknown player", r+1)
			}
			seen[p] = true
		}
	}
	// the sheet has its tables in the order of the request
	for _, size := range d.q.Sizes {
		at := slices.IndexFunc(tables, func(t []int32) bool { return len(t) == size })
		who = append(who, tables[at]...)
		tables[at] = nil
	}
	return who, nil
}

func (rep *Report) count(s *sheet) {
	var pairs []int // by number of meetings
	for a := range s.n {
		for _, m := range s.met[a*s.n : a*s.n+a] {
			for int(m) >= len(pairs) {
				pairs = append(pairs, 0)
			}
			pairs[m]++
			rep.Extra += int(max(m-1, 0))
		}
		for _, k := range s.after[a*s.n : (a+1)*s.n] {
			rep.After += int(max(k-1, 0))
		}
		if s.unevenly(a) {
			rep.Uneven++
		}
		rep.Threes[int(s.threes[(s.rounds-1)*s.n+a])]++
	}
	for m, n := range pairs {
		if n > 0 {
			rep.PairsMet[m] = n
		}
	}
}

// why explains one table of a round; before holds the table of each player in the earlier rounds.
func (d *seating) why(before [][]int32, table []int64) TableWhy {
	w := TableWhy{Three: len(table) == 3}
	for i, a := range table {
		at := int(d.index[a])
		place := cmp.Or(d.q.Players[at].Place, at+1)
		if w.From == 0 || place < w.From {
			w.From = place
		}
		w.To = max(w.To, place)
		if w.Three && d.timesAtThree(d.index[a]) == 0 {
			w.FirstAt3++
		}
		for _, b := range table[i+1:] {
			if m := d.meeting(before, a, b); m.Times > 0 {
				w.Repeats = append(w.Repeats, m)
			}
			if _, why := d.weigh(d.index[a], d.index[b]); why != "" {
				w.Together = append(w.Together, Close{PairOf(a, b), why})
			}
		}
	}
	return w
}

func (d *seating) timesAtThree(p int32) (n int) {
	for _, round := range d.history {
		for _, table := range round {
			if len(table) == 3 && slices.Contains(table, p) {
				n++
			}
		}
	}
	return n
}

func (d *seating) meeting(before [][]int32, a, b int64) Meeting {
	m := Meeting{Players: PairOf(a, b)}
	for _, at := range before {
		table := at[d.index[a]]
		if m.InRow = table >= 0 && table == at[d.index[b]]; m.InRow {
			m.Times++
		}
	}
	return m
}
