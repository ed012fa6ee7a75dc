package draw

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"meldhall/engine/ruleset"
	"meldhall/tournament"
	"meldhall/tournament/pairing"
)

// The origins of a round's seats.
const (
	WayDrawn = "drawn" // by the method and the seed
	WayPlan  = "plan"  // as planned with the round before
	WayKept  = "kept"  // as in the round before
	WayTie   = "tie"   // a play-off among tied players
	WayFile  = "file"
	WayHand  = "hand"
)

// drawing returns the input that a draft's seats were drawn from.
func (d roundPairing) drawing(seats pairing.Round, numbers []int) *tournament.Drawing {
	q := d.q
	made := &tournament.Drawing{Way: d.way(), Sizes: q.Sizes, Rounds: q.Rounds, Steps: d.steps, Asked: d.asked,
		Apart: q.Apart,
		Begin: q.Begin, Numbers: numbers, Seats: seats, Families: sharing(q.Players)}
	countries, clubs := map[string]int64{"": 0}, map[string]int64{"": 0}
	number := func(known map[string]int64, name string) int64 {
		if _, ok := known[name]; !ok {
			known[name] = int64(len(known))
		}
		return known[name]
	}
	for _, p := range q.Players {
		made.Players = append(made.Players, tournament.DrawnPlayer{p.ID, int64(p.Number), int64(p.Place),
			int64(p.LastPlace),
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
	case d.Round.PlayOff > 0:
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

func tooMuch(d tournament.Drawing) bool {
	return len(d.Players) > drawnPlayersMost || d.Rounds > drawnRoundsMost || d.Rounds < 1 ||
		len(d.Begin) > drawnBeginMost || d.Steps > drawnStepsMost || d.Steps < 0 || d.Asked < 0 ||
		slices.ContainsFunc(d.Begin, func(plan []pairing.Round) bool { return len(plan) > d.Rounds }) ||
		slices.ContainsFunc(d.Players, func(p tournament.DrawnPlayer) bool {
			return p[2] < 0 || p[3] < 0 || p[3] > ruleset.MaxSeats
		})
}

// DrawAgain repeats a draw with a method and a seed after the rounds in history. families maps player IDs to their
// current families. DrawAgain returns ErrOtherFamilies if they cannot be the families of the draw.
func DrawAgain(ctx context.Context, d tournament.Drawing, method string, seed int64, history []pairing.Round,
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
	pairing.Settle(rounds[0], slices.Clone(d.Numbers), fixed, met.Cost)
	return rounds, nil
}

// ErrOtherFamilies reports that a round cannot be drawn again because its players' families are unknown.
var ErrOtherFamilies = errors.New("its players' families are not in the archive, or have changed")
