package tournament

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"meldhall/engine"
	"meldhall/tournament/pairing"
)

// RoundReport is the stored report on a round's seats. Pages show only the embedded report; Drawn is the input for
// repeating the draw.
type RoundReport struct {
	pairing.Report
	Drawn *Drawing `json:"drawn,omitempty"`
}

// Drawing is the input of a round's draw, besides its method, its seed and the earlier rounds. Archives must not reveal
// families, so Drawing only counts the players who share a family with another player of the round.
type Drawing struct {
	// Way is the origin of the seats: WayDrawn or another Way constant.
	Way    string `json:"way"`
	Sizes  []int  `json:"sizes"`
	Rounds int    `json:"rounds"`
	Steps  int    `json:"steps,omitempty"`
	// Asked counts the calls of pairing.Request.Stop until it stopped the search; 0: the search was not stopped.
	Asked    int               `json:"asked,omitempty"`
	Players  []DrawnPlayer     `json:"players"`
	Families int               `json:"families,omitempty"`
	Apart    []pairing.Pair    `json:"apart,omitempty"`
	Begin    [][]pairing.Round `json:"begin,omitempty"`
	Fixed    [][2]int64        `json:"fixed,omitempty"` // players with a fixed table, and its number
	Numbers  []int             `json:"numbers"`         // numbers of the tables in the hall
	Seats    pairing.Round     `json:"seats"`           // as drawn, before manual changes
}

// The origins of a round's seats.
const (
	WayDrawn = "drawn" // by the method and the seed
	WayPlan  = "plan"  // as planned with the round before
	WayKept  = "kept"  // as in the round before
	WayTie   = "tie"   // a play-off among tied players
	WayFile  = "file"
	WayHand  = "hand"
)

// DrawnPlayer is a player of a draw: ID, number for the chart, place, place at the last table, country and club.
// Countries and clubs are numbered from 1; 0 is none.
type DrawnPlayer [6]int64

// Drawing returns the input of the round's draw. It returns false if an older version drew the round without storing
// its input.
func (r Round) Drawing() (Drawing, bool) {
	var rep RoundReport
	if json.Unmarshal([]byte(r.Report), &rep) != nil || rep.Drawn == nil {
		return Drawing{}, false
	}
	return *rep.Drawn, true
}

// drawing returns the input that a draft's seats were drawn from.
func (d roundPairing) drawing(seats pairing.Round, numbers []int) *Drawing {
	q := d.q
	made := &Drawing{Way: d.way(), Sizes: q.Sizes, Rounds: q.Rounds, Steps: d.steps, Asked: d.asked, Apart: q.Apart,
		Begin: q.Begin, Numbers: numbers, Seats: seats, Families: sharing(q.Players)}
	countries, clubs := map[string]int64{"": 0}, map[string]int64{"": 0}
	number := func(known map[string]int64, name string) int64 {
		if _, ok := known[name]; !ok {
			known[name] = int64(len(known))
		}
		return known[name]
	}
	for _, p := range q.Players {
		made.Players = append(made.Players, DrawnPlayer{p.ID, int64(p.Number), int64(p.Place), int64(p.LastPlace),
			number(countries, p.Country), number(clubs, p.Club)})
		if n := d.fixed[p.ID]; n > 0 {
			made.Fixed = append(made.Fixed, [2]int64{p.ID, int64(n)})
		}
	}
	return made
}

// way returns the origin of a draft's seats.
func (d roundPairing) way() string {
	switch {
	case d.q.Method == pairing.Script:
		return WayFile
	case d.round.PlayOff > 0:
		return WayTie
	case d.tables == nil:
		return WayDrawn
	case d.staying:
		return WayKept
	case d.q.Method == pairing.Manual:
		return WayHand
	}
	return WayPlan
}

// sharing counts the players who share a family with another player.
func sharing(players []pairing.Player) (n int) {
	count := map[string]int{}
	for _, p := range players {
		count[p.Family]++
	}
	for name, k := range count {
		if name != "" && k > 1 {
			n += k
		}
	}
	return n
}

// Limits of a drawing, because a forged archive could ask for any amount of work.
const (
	drawnPlayersMost = 3_000
	drawnRoundsMost  = 100
	drawnBeginMost   = 4
	drawnStepsMost   = 10_000_000
)

func tooMuch(d Drawing) bool {
	return len(d.Players) > drawnPlayersMost || d.Rounds > drawnRoundsMost || d.Rounds < 1 ||
		len(d.Begin) > drawnBeginMost || d.Steps > drawnStepsMost || d.Steps < 0 || d.Asked < 0 ||
		slices.ContainsFunc(d.Begin, func(plan []pairing.Round) bool { return len(plan) > d.Rounds }) ||
		slices.ContainsFunc(d.Players, func(p DrawnPlayer) bool {
			return p[2] < 0 || p[3] < 0 || p[3] > engine.MaxSeats
		})
}

// DrawAgain repeats a draw with a method and a seed after the rounds in history. families maps player IDs to their
// current families. DrawAgain returns ErrOtherFamilies if they cannot be the families of the draw.
func DrawAgain(ctx context.Context, d Drawing, method string, seed int64, history []pairing.Round,
	families map[int64]string) ([]pairing.Round, error) {
	if tooMuch(d) {
		return nil, errors.New("the recorded draw exceeds the limits")
	}
	q := pairing.Request{Method: method, Sizes: d.Sizes, Rounds: d.Rounds, Seed: seed, History: history,
		Apart: d.Apart, Begin: d.Begin, Steps: d.Steps}
	name := func(n int64) string {
		if n == 0 {
			return ""
		}
		return fmt.Sprint(n)
	}
	for _, p := range d.Players {
		q.Players = append(q.Players, pairing.Player{ID: p[0], Number: int(p[1]), Place: int(p[2]),
			LastPlace: int(p[3]), Country: name(p[4]), Club: name(p[5]), Family: families[p[0]]})
	}
	if sharing(q.Players) != d.Families {
		return nil, ErrOtherFamilies
	}
	asked := 0
	q.Stop = func() bool {
		asked++
		return ctx.Err() != nil || d.Asked > 0 && asked >= d.Asked
	}
	rounds, err := pairing.Draw(q)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil || len(d.Fixed) == 0 || len(rounds[0]) != len(d.Numbers) {
		return rounds, err
	}
	fixed := map[int64]int{}
	for _, f := range d.Fixed {
		fixed[f[0]] = int(f[1])
	}
	met := meetings{}
	for _, round := range history {
		met.add(round)
	}
	if len(history) > 0 {
		met.add(history[len(history)-1]) // meetings in the previous round count twice
	}
	pairing.Settle(rounds[0], slices.Clone(d.Numbers), fixed, met.cost)
	return rounds, nil
}

// ErrOtherFamilies reports that a round cannot be drawn again because its players' families are unknown.
var ErrOtherFamilies = errors.New("its players' families are not in the archive, or have changed")
