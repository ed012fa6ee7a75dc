// Package score computes charges, points and wins at the end of a game, exactly in twelfths.
package score

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"meldhall/engine/judge"
	"meldhall/engine/ruleset"
	"meldhall/engine/tile"
)

// Twelfth is an exact amount of points or wins in twelfths: 12 is one. Two, three or four tied players share without a
// remainder.
type Twelfth int64

// Whole returns the amount of n whole points or wins.
func Whole(n int) Twelfth { return Twelfth(n) * 12 }

// MarshalJSON writes a plain number: 118, 76.5, 0.3333333333333333.
func (t Twelfth) MarshalJSON() ([]byte, error) {
	if t%12 == 0 {
		return strconv.AppendInt(nil, int64(t/12), 10), nil
	}
	return strconv.AppendFloat(nil, float64(t)/12, 'f', -1, 64), nil
}

// UnmarshalJSON reads a number of points. A third may be written as 0.3333. A number that is not a twelfth is an error.
func (t *Twelfth) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		return nil
	}
	f, err := strconv.ParseFloat(string(text), 64)
	twelfths := math.Round(f * 12)
	if err != nil || math.Abs(f) > 1e15 || math.Abs(f*12-twelfths) > 0.1 {
		return fmt.Errorf("%s is not a number of points", text)
	}
	*t = Twelfth(twelfths)
	return nil
}

// String writes the amount for people, with a real minus sign and at most two decimals: 118, −16, 76.5.
func (t Twelfth) String() string {
	sign := ""
	if t < 0 {
		sign, t = "−", -t
	}
	hundredths := (int64(t)*100 + 6) / 12
	return sign + strconv.FormatFloat(float64(hundredths)/100, 'f', -1, 64)
}

// Signed formats the amount as String does, with a plus sign before positive amounts.
func (t Twelfth) Signed() string {
	if t > 0 {
		return "+" + t.String()
	}
	return t.String()
}

// The endings that matter for the score.
const (
	Emptied   = "emptied"
	Exhausted = "exhausted" // the pool was exhausted, or time was called
	Forfeited = "forfeited" // all but one have forfeited
)

// The reasons for a charge other than the sum of the rack.
const (
	ReasonNoMeldAble   = "no_meld_able"
	ReasonNoMeldUnable = "no_meld_unable"
)

// Hand is a player's rack when the game ends.
type Hand struct {
	Rack   []tile.Face
	Opened bool
	Able   bool // could have opened at the start of one of its turns; for able_when any_turn only
	Out    bool // has forfeited, and cannot win; last_to_open_relief does not wait for it
}

// Charge is what a rack costs, in whole points.
type Charge struct {
	Points int    `json:"points"`
	Reason string `json:"reason,omitempty"`
}

// Outcome is the score of a game, by seat.
type Outcome struct {
	Points  []Twelfth `json:"points"`
	Wins    []Twelfth `json:"wins"`
	Charges []Charge  `json:"charges"`
}

// Score returns the points, wins and charges of a game (RULES.md section 6). An emptied game must have exactly one
// empty rack. A forfeited game must have exactly one seat that still plays, which wins. It returns an error for other
// racks, an unknown ending, and fewer than 2 or more than MaxSeats hands.
func Score(r ruleset.Ruleset, ending string, hands []Hand) (Outcome, error) {
	if len(hands) < 2 || len(hands) > ruleset.MaxSeats {
		return Outcome{}, fmt.Errorf("a game of %d players cannot be scored: 2 to %d", len(hands), ruleset.MaxSeats)
	}
	charges := make([]Charge, len(hands))
	for i, h := range hands {
		charges[i] = ChargeOf(r, h, LastToOpen(hands, i))
	}
	winners, err := winners(ending, hands, charges)
	if err != nil {
		return Outcome{}, err
	}
	return Settle(r, ending, winners, charges), nil
}

// Settle returns the points and wins of a game with known winners and charges.
func Settle(r ruleset.Ruleset, ending string, winners []int, charges []Charge) Outcome {
	o := Outcome{make([]Twelfth, len(charges)), make([]Twelfth, len(charges)), charges}
	lowest := 0
	if ending == Exhausted {
		lowest = o.Charges[winners[0]].Points
	}
	collected := 0
	for i, c := range o.Charges {
		if slices.Contains(winners, i) {
			continue
		}
		over := max(c.Points-lowest, 0) // a seat that has forfeited may hold less
		collected += over
		o.Points[i] = Whole(-over)
	}
	if keeps(r, ending) {
		collected = 0
	}
	for _, w := range winners {
		o.Wins[w] = Whole(1) / Twelfth(len(winners))
		o.Points[w] = Whole(collected+r.WinBonus) / Twelfth(len(winners))
	}
	if r.Points == ruleset.Penalty {
		asPenalties(o.Points, r.WinBonus, winners)
	}
	return o
}

// keeps reports whether the winner gets nothing of the others' losses.
func keeps(r ruleset.Ruleset, ending string) bool {
	if ending == Exhausted {
		return r.ExhaustedWinner == ruleset.WinnerZero
	}
	return r.WinnerScores == ruleset.WinnerZero
}

// Balance returns the sum of the points of all seats of a game (RULES.md section 6): the winner gets the others'
// losses, and a bonus. fixed is false if the sum is not fixed: the winner keeps none of the losses, penalty points are
// counted, or the ending is unknown. ending is an ending of Score or an End.Why.
func Balance(r ruleset.Ruleset, ending string) (sum Twelfth, fixed bool) {
	if slices.Contains(ruleset.Endings(), ending) {
		ending = Scored(ending)
	}
	if r.Points == ruleset.Penalty || keeps(r, ending) || !slices.Contains([]string{Emptied, Exhausted, Forfeited},
		ending) {
		return 0, false
	}
	return Whole(r.WinBonus), true
}

// asPenalties turns points won and lost into penalty points, where the lowest total wins. The others keep what they
// lost as penalties. The winner gets none, minus a bonus if the rules have one.
func asPenalties(points []Twelfth, bonus int, winners []int) {
	for i := range points {
		points[i] = -points[i]
	}
	for _, w := range winners {
		points[w] = Whole(-bonus) / Twelfth(len(winners))
	}
}

func winners(ending string, hands []Hand, charges []Charge) ([]int, error) {
	var won []int
	switch ending {
	case Emptied:
		for i, h := range hands {
			if len(h.Rack) == 0 {
				won = append(won, i)
			}
		}
		if len(won) != 1 {
			return nil, fmt.Errorf("%d racks are empty: an emptied game has exactly one", len(won))
		}
	case Exhausted:
		for i, c := range charges {
			if hands[i].Out {
				continue
			}
			if len(won) > 0 && c.Points < charges[won[0]].Points {
				won = won[:0]
			}
			if len(won) == 0 || c.Points == charges[won[0]].Points {
				won = append(won, i)
			}
		}
		if len(won) == 0 {
			return nil, errors.New("no seat is still playing")
		}
	case Forfeited:
		for i, h := range hands {
			if !h.Out {
				won = append(won, i)
			}
		}
		if len(won) != 1 {
			return nil, fmt.Errorf("%d seats still play: a forfeited game has exactly one", len(won))
		}
	default:
		return nil, fmt.Errorf("ending %q must be %s, %s or %s", ending, Emptied, Exhausted, Forfeited)
	}
	return won, nil
}

// LastToOpen reports whether all the other hands that still play have opened.
func LastToOpen(hands []Hand, seat int) bool {
	for other, h := range hands {
		if other != seat && !h.Opened && !h.Out {
			return false
		}
	}
	return true
}

// ChargeOf returns the charge of a rack: its faces and joker points, or that of the rules for a player who never
// opened. relief is judge.Move.Relief.
func ChargeOf(r ruleset.Ruleset, h Hand, relief bool) Charge {
	sum := RackCharge(r, h.Rack)
	if h.Opened || len(h.Rack) == 0 || r.NoMeldUnable == 0 && r.NoMeldAble == 0 {
		return Charge{Points: sum}
	}
	c := Charge{r.NoMeldUnable, ReasonNoMeldUnable}
	if r.AbleWhen == ruleset.AnyTurn && h.Able || judge.CanOpen(r, tile.CountFaces(h.Rack), relief) {
		c = Charge{r.NoMeldAble, ReasonNoMeldAble}
	}
	switch {
	case r.NoMeldCounts == ruleset.Added:
		c.Points += sum
	case r.NoMeldCounts == ruleset.Higher && sum > c.Points:
		return Charge{Points: sum}
	}
	return c
}

// RackCharge returns the sum of the faces. A joker counts joker_points.
func RackCharge(r ruleset.Ruleset, rack []tile.Face) int {
	sum := 0
	for _, f := range rack {
		if f == tile.Joker {
			sum += r.JokerPoints
		} else {
			sum += f.Number()
		}
	}
	return sum
}

// Scored returns the ending of Score for an End.Why. Every End.Why other than emptied and forfeit counts as Exhausted.
func Scored(why string) string {
	switch why {
	case ruleset.EndedEmptied:
		return Emptied
	case ruleset.EndedForfeit:
		return Forfeited
	}
	return Exhausted
}
