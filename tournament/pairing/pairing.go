// Package pairing seats players at tables. It is pure: the same request with the same seed gives the same draw on every
// machine. A single cost (Cost) evaluates all seating methods and every manual exchange.
package pairing

import (
	"fmt"
	"slices"
)

// Version is the version of the algorithm. It is raised when the same request would give a different draw.
const Version = 4

// The seating methods.
const (
	Plan      = "plan"      // the whole stage at once, with as few repeated meetings as possible
	Standings = "standings" // by round: equal standings together, the leaders at table 1
	Random    = "random"    // at random, round by round
	Chart     = "chart"     // a plan by start numbers, the same for every tournament of that size
	Snake     = "snake"     // spreads the leaders: 1-8-9-16, 2-7-10-15, …; ignores past meetings
	Interval  = "interval"  // spreads the leaders: 1-3-5-7, 2-4-6-8; ignores past meetings
	Winners   = "winners"   // players with the same place at their last tables together
	Script    = "script"    // from a file
	Manual    = "manual"    // by the organizer
)

// Methods lists all seating methods.
var Methods = []string{Plan, Standings, Random, Chart, Snake, Interval, Winners, Script, Manual}

// Automatic lists the methods that Draw supports; rounds seated by the others are only assessed.
var Automatic = []string{Plan, Standings, Random, Chart, Snake, Interval, Winners}

// Player is a player to be seated. Place is the place in the standings: 1 is best, and tied players share a place. If
// it is 0 for all players, their order counts. Number is the start number for Chart. LastPlace is the place at the last
// table, 0 if there was none.
type Player struct {
	ID                    int64
	Number                int
	Place                 int
	LastPlace             int
	Country, Club, Family string
}

// Pair is a pair of players, the lower ID first.
type Pair [2]int64

// PairOf returns the pair of two players.
func PairOf(a, b int64) Pair { return Pair{min(a, b), max(a, b)} }

// Round holds the tables of a round, each with its players in seat order.
type Round [][]int64

// Request is the input of a draw. Players are in the order of the standings. Sizes are the table sizes of every round,
// and add up to the number of players. Rounds is the number of rounds to draw; 0 means 1. History holds the earlier
// rounds with everyone who played then. Apart lists the pairs who wish not to meet.
type Request struct {
	Method  string
	Players []Player
	Sizes   []int
	Rounds  int
	History []Round
	Apart   []Pair
	Seed    int64
	// Begin holds plans of all Rounds to start the search from, in addition to its own starts. The draw is never worse
	// than the best of them. Missing rounds of a plan are filled at random.
	Begin [][]Round
	// Steps limits the work; 0 means as many as a field of this size needs. Stop is called every few thousand steps and
	// ends the search with the best result so far. Tell receives the progress.
	Steps int
	Stop  func() bool
	Tell  func(done, of int)
}

// Result holds the rounds drawn, and a report on them.
type Result struct {
	Rounds []Round
	Report Report
}

// Seat seats the players. It always finds a seating, and only returns an error for an impossible request.
func Seat(q Request) (Result, error) {
	d, err := drawn(q)
	if err != nil {
		return Result{}, err
	}
	report, err := Assess(q, d.rounds)
	report.Steps, report.Ended = d.steps, d.ended
	return Result{Rounds: d.rounds, Report: report}, err
}

// Draw is like Seat, but without the report, which takes as long as the draw for a large field.
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

// Cost counts the defects of a draw, the worst first. Each field outweighs everything that a search could gain in the
// fields after it. A draw by standings uses another order, see ranked.
type Cost struct {
	Consecutive int64 `json:"consecutive"` // pairs who meet in consecutive rounds
	// n² − n for a pair that meets n times: 2 for a second meeting, 6 for a third
	Repeats    int64 `json:"repeats"`
	Thrice     int64 `json:"thrice"`     // triples of meetings of a pair: n(n − 1)(n − 2) / 6
	Wishes     int64 `json:"wishes"`     // unmet wishes to be kept apart, weighted
	Threes     int64 `json:"threes"`     // unevenness of places at tables of three, after every round
	Starts     int64 `json:"starts"`     // unevenness of the first seat, which starts
	Seats      int64 `json:"seats"`      // unevenness of the four seats
	Neighbours int64 `json:"neighbours"` // n² − n for a player who plays n times directly after the same player
	RankGap    int64 `json:"rank_gap"`   // worst place at a table minus the best, summed over all tables
}

// The weights of the cost fields in a search. One unit of a field outweighs what a single exchange of two players can
// change in the later fields.
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

// Minus returns c minus d, field by field.
func (c Cost) Minus(d Cost) Cost {
	return Cost{c.Consecutive - d.Consecutive, c.Repeats - d.Repeats, c.Thrice - d.Thrice, c.Wishes - d.Wishes,
		c.Threes - d.Threes,
		c.Starts - d.Starts, c.Seats - d.Seats, c.Neighbours - d.Neighbours, c.RankGap - d.RankGap}
}

// Less reports whether c is the cost of the better draw; the first field that differs decides.
func (c Cost) Less(d Cost) bool {
	for _, f := range [...][2]int64{{c.Consecutive, d.Consecutive}, {c.Repeats, d.Repeats}, {c.Thrice, d.Thrice},
		{c.Wishes, d.Wishes}, {c.Threes, d.Threes},
		{c.Starts, d.Starts}, {c.Seats, d.Seats}, {c.Neighbours, d.Neighbours}} {
		if f[0] != f[1] {
			return f[0] < f[1]
		}
	}
	return c.RankGap < d.RankGap
}
