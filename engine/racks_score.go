package engine

import (
	"slices"

	"meldhall/engine/ruleset"
	"meldhall/engine/score"
	"meldhall/engine/tile"
)

// handCount checks and scores a count of racks made by hand, in a game that ended by why.
type handCount struct {
	state *State
	why   string
}

// ofFaces scores racks by their faces. It refuses tiles that the set does not have and racks that the ending rules out.
func (h handCount) ofFaces(racks []CountedRack) (Counting, error) {
	var seen tile.Counts
	hands := make([]score.Hand, len(racks))
	lists := make([]tile.List, len(racks))
	empty, opened := 0, false
	for seat, rack := range racks {
		faces := slices.Sorted(slices.Values(rack.Tiles))
		for _, f := range faces {
			if seen[f] == 2 {
				return Counting{}, &Refusal{Code: RefusedCountFace, Set: -1, Detail: f.String()}
			}
			lists[seat] = append(lists[seat], tile.Of(f, int(seen[f])))
			seen[f]++
		}
		if len(faces) == 0 {
			empty++
		}
		opened = opened || rack.Opened
		if !rack.Opened && len(faces) < ruleset.HandTiles {
			return Counting{}, &Refusal{Code: RefusedCountFew, Set: seat, Points: len(faces), Need: ruleset.HandTiles,
				Detail: "a player who has not opened must have at least the tiles that were dealt"}
		}
		if rack.Able && h.state.Rules.AbleWhen != ruleset.AnyTurn {
			return Counting{}, &Refusal{Code: RefusedCountAble, Set: seat,
				Detail: "under these rules only the rack at the end counts"}
		}
		hands[seat] = score.Hand{Rack: faces, Opened: rack.Opened, Able: rack.Able, Out: h.state.Out[seat]}
	}
	switch {
	case h.why == ruleset.EndedEmptied && empty != 1, h.why != ruleset.EndedEmptied && empty > 0:
		return Counting{}, &Refusal{Code: RefusedCountEmpty, Set: -1, Points: empty,
			Detail: "exactly one rack is empty when a game was ended by emptying it, and none otherwise"}
	case opened && seen.Total() > tile.Count-leastLaid:
		return Counting{}, &Refusal{Code: RefusedCountMany, Set: -1, Points: seen.Total(), Need: tile.Count - leastLaid,
			Detail: "somebody has opened, so tiles lie on the table"}
	}
	if err := h.tilesFit(racks, seen.Total()); err != nil {
		return Counting{}, err
	}
	outcome, err := score.Score(h.state.chargeRules(), score.Scored(h.why), hands)
	return Counting{h.why, outcome, lists, CountRacks{Racks: racks}.opened()}, err
}

// leastLaid is the least number of tiles on the table once a player has opened.
const leastLaid = 3

// ofTotals checks a score sheet against the rules and the tiles: players who have not opened are charged by the
// rules, the winner's points follow from the others' charges, and the 106 tiles can add up to the charges.
func (h handCount) ofTotals(c CountRacks) (score.Outcome, error) {
	charges, won, err := h.chargesOf(c)
	if err != nil {
		return score.Outcome{}, err
	}
	for seat, total := range c.Totals {
		if err := chargeUnopened(h.state.Rules, seat, total, &charges[seat], h.why); err != nil {
			return score.Outcome{}, err
		}
	}
	if err := h.chargesFit(c.Totals, charges); err != nil {
		return score.Outcome{}, err
	}
	o := score.Settle(h.state.Rules, score.Scored(h.why), won, charges)
	for seat, total := range c.Totals {
		if total.Points != o.Points[seat] {
			return score.Outcome{}, &Refusal{Code: RefusedCountSum, Set: seat, Points: int(total.Points / 12),
				Need: int(o.Points[seat] / 12), Detail: "the winner's points do not follow from the others'"}
		}
	}
	return o, nil
}

// chargesOf returns the charge of each seat by the points on a score sheet, and the seats that have won.
func (h handCount) chargesOf(c CountRacks) (charges []score.Charge, won []int, err error) {
	charges = make([]score.Charge, len(c.Totals))
	lowest := 0
	exhausted := score.Scored(h.why) == score.Exhausted
	if exhausted {
		lowest = c.Lowest
	}
	for seat, total := range c.Totals {
		if total.Won {
			won = append(won, seat)
			charges[seat].Points = lowest
			continue
		}
		over := -total.Points
		if h.state.Rules.Points == ruleset.Penalty {
			over = total.Points
		}
		// Only a seat that has forfeited may hold as little as the winners without winning.
		mayTie := !exhausted || h.strict() && h.state.Out[seat]
		if over%12 != 0 || over < 0 || over == 0 && !mayTie || over > score.Whole(maxCharge) {
			return nil, nil, &Refusal{Code: RefusedCountLoser, Set: seat, Points: int(total.Points / 12),
				Detail: "a player who has not won must lose a whole number of points"}
		}
		charges[seat].Points = lowest + int(over/12)
	}
	if len(won) == 0 || !exhausted && len(won) > 1 || lowest < 0 || lowest > maxCharge {
		return nil, nil, &Refusal{Code: RefusedCountWinner, Set: -1, Points: len(won),
			Detail: "one seat wins a game that it ended by emptying the rack; otherwise those with the lowest charge"}
	}
	return charges, won, h.winnersFit(c.Lowest, won)
}

// maxCharge is more than any rack can cost.
const maxCharge = 10_000

// chargeUnopened checks the charge of a seat that has not opened, and records the reason for it.
func chargeUnopened(r ruleset.Ruleset, seat int, total CountedTotal, charge *score.Charge, why string) error {
	if total.Opened || r.NoMeldUnable == 0 && r.NoMeldAble == 0 {
		return nil
	}
	if total.Won && why == ruleset.EndedEmptied {
		return &Refusal{Code: RefusedCountFew, Set: seat, Need: ruleset.HandTiles,
			Detail: "a player who went out must have opened"}
	}
	n := charge.Points
	switch {
	case n == r.NoMeldAble && r.NoMeldCounts == ruleset.Instead:
		charge.Reason = score.ReasonNoMeldAble
	case n == r.NoMeldUnable && r.NoMeldCounts == ruleset.Instead:
		charge.Reason = score.ReasonNoMeldUnable
	case r.NoMeldCounts == ruleset.Instead, n < min(r.NoMeldAble, r.NoMeldUnable):
		return &Refusal{Code: RefusedCountUnopened, Set: seat, Points: r.NoMeldUnable, Need: r.NoMeldAble,
			Detail: "a player who has not opened cannot be charged that"}
	}
	return nil
}
