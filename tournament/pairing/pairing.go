// Package pairing seats players at tables. It is pure: the same request, with its seed, gives the same draw on
// every machine. One cost (Cost) judges all ways of seating, and every exchange by hand.
package pairing

import (
	"fmt"
	"slices"
)

// Version is of the way of drawing: it is raised when the same request would give another draw.
const Version = 4

// The ways of seating.
const (
	Plan      = "plan"      // the whole stage at once, so that as few as possible meet again
	Standings = "standings" // round by round: equals in the standings together, the leaders at table 1
	Random    = "random"    // by lot, round by round
	Chart     = "chart"     // a plan by start numbers, the same for every event of that size
	Snake     = "snake"     // the leaders spread: 1-8-9-16, 2-7-10-15, …, whoever has met
	Interval  = "interval"  // the leaders spread in order: 1-3-5-7, 2-4-6-8, whoever has met
	Winners   = "winners"   // those of the same place at their last tables together
	Script    = "script"    // as a file says
	Manual    = "manual"    // as the organizer says
)

// Methods are all ways of seating.
var Methods = []string{Plan, Standings, Random, Chart, Snake, Interval, Winners, Script, Manual}

// Automatic are the ways that Draw knows; the others are only assessed.
var Automatic = []string{Plan, Standings, Random, Chart, Snake, Interval, Winners}

// Player is who is to be seated. Place is the standing, 1 the best, shared by those who tie; 0 for all: the order
// in which they are given. Number is that of the number chart. LastPlace is the place at the last table, 0 when there was none.
type Player struct {
	ID                    int64
	Number                int
	Place                 int
	LastPlace             int
	Country, Club, Family string
}

// Pair is two players, the lower number first.
type Pair [2]int64

// PairOf orders two players.
func PairOf(a, b int64) Pair { return Pair{min(a, b), max(a, b)} }

// Round is the tables of a round, each with its players in seat order.
type Round [][]int64

// Request is the input of a draw. Players are in the order of the standings. Sizes are the table sizes of every round
// and add up to the number of players. Rounds is the number of rounds to draw, at least 1. History is the rounds
// before, with all players of that time. Apart lists the pairs who wish not to meet.
type Request struct {
	Method  string
	Players []Player
	Sizes   []int
	Rounds  int
	History []Round
	Apart   []Pair
	Seed    int64
	// Begin is plans of all Rounds that a search for a whole event begins with, besides its own: the draw is no worse than
	// the best of them. Where one has fewer, the rest of it is a lot.
	Begin [][]Round
	// Steps bounds the work; 0: as many as a field of this size needs. Stop, asked every few thousand steps, ends a search
	// with the best found so far; Tell is told how far it has got.
	Steps int
	Stop  func() bool
	Tell  func(done, of int)
}

// Result is the rounds drawn and what is to be said of them.
type Result struct {
	Rounds []Round
	Report Report
}

// Seat seats the players. It always finds seats: the only errors are requests that no seats exist for.
func Seat(q Request) (Result, error) {
	d, err := drawn(q)
	if err != nil {
		return Result{}, err
	}
	report, err := Assess(q, d.rounds)
	report.Steps, report.Ended = d.steps, d.ended
	return Result{Rounds: d.rounds, Report: report}, err
}

// Draw is Seat for who judges the rounds by itself: judging those of a large field takes as long as drawing them.
func Draw(q Request) ([]Round, error) {
	d, err := drawn(q)
	if err != nil {
		return nil, err
	}
	return d.rounds, nil
}

func drawn(q Request) (*seating, error) {
	if err := q.check(); err != nil {
		return nil, err
	}
	if !slices.Contains(Automatic, q.Method) {
		return nil, fmt.Errorf("seating method %q must be one of %q", q.Method, Automatic)
	}
	d := newSeating(q)
	switch q.Method {
	case Plan, Chart:
		d.event()
	default:
		for range q.Rounds {
			d.next()
		}
	}
	return d, nil
}

func (q *Request) check() error {
	if q.Rounds == 0 {
		q.Rounds = 1
	}
	total := 0
	for _, size := range q.Sizes {
		if size < 2 || size > seats {
			return fmt.Errorf("a table of %d: tables have 2 to %d players", size, seats)
		}
		total += size
	}
	if total != len(q.Players) || total == 0 {
		return fmt.Errorf("tables for %d players, but there are %d", total, len(q.Players))
	}
	known := make(map[int64]bool, total)
	for _, p := range q.Players {
		if known[p.ID] {
			return fmt.Errorf("player %d is listed twice", p.ID)
		}
		known[p.ID] = true
	}
	return nil
}

// Cost is what is wrong with a draw, the worst first. Each field weighs more than all that a search could
// win in the fields after it. A draw by standings uses another order, see ranked.
type Cost struct {
	Consecutive int64 `json:"consecutive"` // pairs who meet in two rounds that follow each other
	Repeats     int64 `json:"repeats"`     // n² − n for a pair that meets n times: 2 for a second meeting, 6 for a third
	Thrice      int64 `json:"thrice"`      // the meetings of pairs who meet for a third time, three by three: n(n − 1)(n − 2) / 6
	Wishes      int64 `json:"wishes"`      // wishes to be kept apart that are not met, by their weight
	Threes      int64 `json:"threes"`      // how unevenly places at tables of three are spread, after every round
	Starts      int64 `json:"starts"`      // how unevenly the first seat, who starts, is spread
	Seats       int64 `json:"seats"`       // how unevenly the four seats are spread
	Neighbours  int64 `json:"neighbours"`  // n² − n for a player who plays n times directly after the same one
	RankGap     int64 `json:"rank_gap"`    // the worst place at a table minus the best, over all tables
}

// The weights of a search. A unit of a field outweighs what one exchange of two players can change in the later ones.
const (
	weighNeighbour   = 1 << 13
	weighSeat        = 1 << 15
	weighStart       = 1 << 16
	weighThree       = 1 << 21
	weighWish        = 1 << 24
	weighThrice      = 1 << 28
	weighRepeat      = 1 << 30
	weighConsecutive = 1 << 34
)

// Minus is what c has more than d, field by field.
func (c Cost) Minus(d Cost) Cost {
	return Cost{c.Consecutive - d.Consecutive, c.Repeats - d.Repeats, c.Thrice - d.Thrice, c.Wishes - d.Wishes, c.Threes - d.Threes,
		c.Starts - d.Starts, c.Seats - d.Seats, c.Neighbours - d.Neighbours, c.RankGap - d.RankGap}
}

// Less tells whether c is the better draw: the first field that differs decides.
func (c Cost) Less(d Cost) bool {
	for _, f := range [...][2]int64{{c.Consecutive, d.Consecutive}, {c.Repeats, d.Repeats}, {c.Thrice, d.Thrice}, {c.Wishes, d.Wishes}, {c.Threes, d.Threes},
		{c.Starts, d.Starts}, {c.Seats, d.Seats}, {c.Neighbours, d.Neighbours}} {
		if f[0] != f[1] {
			return f[0] < f[1]
		}
	}
	return c.RankGap < d.RankGap
}
