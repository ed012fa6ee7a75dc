package engine

import (
	"meldhall/engine/ruleset"
	"meldhall/engine/score"
	"meldhall/engine/tile"
)

// The count of a table with real tiles cannot be checked against a log of its tiles. It is checked against the tiles of
// the set instead (engine/RULES.md sections 1 to 3).

const (
	facesOfNumber = 8 // tiles of each number: two in each of four colours
	numbers       = 13
	jokers        = 2
	allNumbers    = facesOfNumber * numbers * (numbers + 1) / 2 // sum of all number tiles
	unbounded     = 1 << 30
)

// strict reports whether a count is checked against the tiles of the set. Games begun by an older version of the
// program may have an unchecked count in their log, so they are exempt until they are over. A recount is always
// checked.
func (h handCount) strict() bool { return h.state.Edition >= countsFit || h.state.Phase == PhaseOver }

// winnersFit refuses winners that cannot have won: seats that have forfeited. It also refuses a charge for the winner's
// rack (lowest), unless the pool was exhausted or time was called.
func (h handCount) winnersFit(lowest int, won []int) error {
	if !h.strict() {
		return nil
	}
	for _, seat := range won {
		if h.state.Out[seat] {
			return &Refusal{Code: RefusedCountOut, Set: seat, Detail: "a player who has forfeited cannot win"}
		}
	}
	if lowest != 0 && score.Scored(h.why) != score.Exhausted {
		return &Refusal{Code: RefusedCountLowest, Set: -1, Points: lowest,
			Detail: "the winner's rack is charged nothing unless the pool was exhausted or time was called"}
	}
	return nil
}

// tilesFit refuses racks that leave too few tiles for the table, and a rack emptied by a player who has forfeited.
func (h handCount) tilesFit(racks []CountedRack, total int) error {
	if !h.strict() {
		return nil
	}
	opened := make([]bool, len(racks))
	for seat, rack := range racks {
		opened[seat] = rack.Opened
		if h.why == ruleset.EndedEmptied && len(rack.Tiles) == 0 && h.state.Out[seat] {
			return &Refusal{Code: RefusedCountOut, Set: seat, Detail: "a player who has forfeited cannot win"}
		}
	}
	if most := tile.Count - h.laidAtLeast(opened); total > most {
		return &Refusal{Code: RefusedCountMany, Set: -1, Points: total, Need: most,
			Detail: "the other tiles lie on the table"}
	}
	return nil
}

// laidAtLeast returns the least number of tiles on the table: each player who has opened laid one set, and the player
// who emptied the rack laid a whole hand. In a tablet game, a ruling may have changed the racks, so only the sets
// count.
func (h handCount) laidAtLeast(opened []bool) (tiles int) {
	for _, is := range opened {
		if is {
			tiles += leastLaid
		}
	}
	if h.state.Physical && h.why == ruleset.EndedEmptied {
		tiles += ruleset.HandTiles - leastLaid
	}
	return tiles
}

// span describes a rack that holds at least the given number of tiles, worth least to most points in total.
type span struct{ least, most, tiles int }

// chargesFit refuses charges that no tiles add up to: those of one rack, or of all racks at once.
func (h handCount) chargesFit(totals []CountedTotal, charges []score.Charge) error {
	if !h.strict() {
		return nil
	}
	opened := make([]bool, len(totals))
	racks := make([][]span, len(totals))
	for seat, total := range totals {
		opened[seat] = total.Opened
		racks[seat] = h.spans(seat, total, charges[seat].Points)
		if !fit(h.state.Rules, [][]span{racks[seat]}, jokers, 0) {
			return &Refusal{Code: RefusedCountRack, Set: seat, Points: charges[seat].Points,
				Detail: "no tiles come to that"}
		}
	}
	if !fit(h.state.Rules, racks, jokers, h.laidAtLeast(opened)) {
		return &Refusal{Code: RefusedCountTiles, Set: -1, Detail: "the racks hold more tiles than there are"}
	}
	return nil
}

// spans returns the racks that can give a seat's charge.
func (h handCount) spans(seat int, total CountedTotal, charge int) []span {
	r, scored := h.state.Rules, score.Scored(h.why)
	exactly := func(sum, tiles int) span { return span{sum, sum, tiles} }
	switch {
	case total.Won && scored == score.Emptied:
		return []span{exactly(0, 0)}
	case total.Won && scored == score.Forfeited, h.state.Out[seat] && scored == score.Exhausted:
		// The rack of the last player left is not counted, and a forfeited rack can be worth less than its charge.
		return []span{{0, unbounded, 0}}
	case h.state.Out[seat] && charge == 0:
		return []span{{0, unbounded, 0}}
	case total.Opened:
		return []span{exactly(charge, 1)}
	case r.NoMeldUnable == 0 && r.NoMeldAble == 0:
		return []span{exactly(charge, ruleset.HandTiles)}
	}
	var all []span
	for _, amount := range []int{r.NoMeldUnable, r.NoMeldAble} {
		switch {
		case r.NoMeldCounts == ruleset.Added:
			all = append(all, exactly(charge-amount, ruleset.HandTiles))
		case charge == amount && r.NoMeldCounts == ruleset.Higher:
			all = append(all, span{0, amount, ruleset.HandTiles})
		case charge == amount:
			all = append(all, span{0, unbounded, ruleset.HandTiles})
		case r.NoMeldCounts == ruleset.Higher && charge > amount:
			all = append(all, exactly(charge, ruleset.HandTiles))
		}
	}
	return all
}

// fit reports whether the tiles of the set can make one span of each rack at once and leave at least the given number
// of tiles for the table. It tries every way to share the jokers. The number tiles of a rack can make any sum between
// the lowest and the highest possible one.
func fit(r ruleset.Ruleset, racks [][]span, jokersLeft, table int) bool {
	return fitRest(r, racks, jokersLeft, table, 0)
}

// fitRest is fit for the remaining racks. known is the total of those earlier racks whose number tiles have a given
// sum. tiles is the least number of tiles on the other earlier racks and on the table.
func fitRest(r ruleset.Ruleset, racks [][]span, jokersLeft, tiles, known int) bool {
	if len(racks) == 0 {
		return known+leastSum(tiles-jokersLeft) <= allNumbers
	}
	for _, rack := range racks[0] {
		for n := range jokersLeft + 1 {
			least, most := rack.least-n*r.JokerPoints, rack.most-n*r.JokerPoints
			bare := leastSum(rack.tiles - n)
			if most < bare || least > allNumbers {
				continue
			}
			if least > bare && fitRest(r, racks[1:], jokersLeft-n, tiles, known+least) ||
				least <= bare && fitRest(r, racks[1:], jokersLeft-n, tiles+max(rack.tiles-n, 0), known) {
				return true
			}
		}
	}
	return false
}

// leastSum returns the least sum that the given number of numbered tiles can have, or unbounded if the set has fewer.
func leastSum(tiles int) (sum int) {
	if tiles > tile.Count-jokers {
		return unbounded
	}
	for n := 1; n <= numbers && tiles > 0; n++ {
		sum += n * min(tiles, facesOfNumber)
		tiles -= facesOfNumber
	}
	return sum
}

// MostCharge returns the highest possible charge of a rack: that of all tiles, with the surcharge for a player who has
// not opened.
func MostCharge(r ruleset.Ruleset) int {
	most, unopened := allNumbers+jokers*r.JokerPoints, max(r.NoMeldUnable, r.NoMeldAble)
	if r.NoMeldCounts == ruleset.Added {
		return most + unopened
	}
	return max(most, unopened)
}
