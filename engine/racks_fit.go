package engine

import "meldhall/engine/tile"

// A count of a table with real tiles cannot be held against a log of its tiles, but against the tiles that exist (rules.md,
// sections 1 to 3): no rack, and no table, can hold what the set does not have.

const (
	facesOfNumber = 8 // tiles of each number: two in each of four colours
	numbers       = 13
	jokers        = 2
	allNumbers    = facesOfNumber * numbers * (numbers + 1) / 2 // what all tiles but the jokers come to
	unbounded     = 1 << 30
)

// strict reports whether a count is held against the tiles that exist. The log of a game that an earlier program began may hold
// a count that was not; a recount of a game that is over always is.
func (s State) strict() bool { return s.Edition >= countsFit || s.Phase == PhaseOver }

// winnersFit refuses winners that cannot have won: seats that have forfeited, and a winner by an empty rack who still holds tiles.
func (s State) winnersFit(why string, lowest int, won []int) error {
	if !s.strict() {
		return nil
	}
	for _, seat := range won {
		if s.Out[seat] {
			return &Refusal{Code: RefusedCountOut, Set: seat, Detail: "a player who has forfeited cannot win"}
		}
	}
	if lowest != 0 && scored(why) != Exhausted {
		return &Refusal{Code: RefusedCountLowest, Set: -1, Points: lowest, Detail: "the winner's rack is charged nothing unless the pool was exhausted or time was called"}
	}
	return nil
}

// tilesFit refuses racks that leave too few tiles for the table, and a rack emptied by a player who has forfeited.
func (s State) tilesFit(why string, racks []CountedRack, total int) error {
	if !s.strict() {
		return nil
	}
	opened := make([]bool, len(racks))
	for seat, rack := range racks {
		opened[seat] = rack.Opened
		if why == EndedEmptied && len(rack.Tiles) == 0 && s.Out[seat] {
			return &Refusal{Code: RefusedCountOut, Set: seat, Detail: "a player who has forfeited cannot win"}
		}
	}
	if most := tile.Count - s.laidAtLeast(why, opened); total > most {
		return &Refusal{Code: RefusedCountMany, Set: -1, Points: total, Need: most, Detail: "the other tiles lie on the table"}
	}
	return nil
}

// laidAtLeast returns how many tiles lie on the table at least: each player who has opened laid one set, and the player who
// emptied the rack laid all tiles that were dealt. A set position can have changed the racks of a game on tablets.
func (s State) laidAtLeast(why string, opened []bool) (tiles int) {
	for _, is := range opened {
		if is {
			tiles += leastLaid
		}
	}
	if s.Physical && why == EndedEmptied {
		tiles += HandTiles - leastLaid
	}
	return tiles
}

// span is a rack whose tiles come to least..most points, and that holds at least some tiles.
type span struct{ least, most, tiles int }

// chargesFit refuses charges that no tiles come to: of one rack, or of all racks at once.
func (s State) chargesFit(why string, totals []CountedTotal, charges []Charge) error {
	if !s.strict() {
		return nil
	}
	opened := make([]bool, len(totals))
	racks := make([][]span, len(totals))
	for seat, total := range totals {
		opened[seat] = total.Opened
		racks[seat] = s.spans(why, seat, total, charges[seat].Points)
		if !s.Rules.fit([][]span{racks[seat]}, jokers, 0) {
			return &Refusal{Code: RefusedCountRack, Set: seat, Points: charges[seat].Points, Detail: "no tiles come to that"}
		}
	}
	if !s.Rules.fit(racks, jokers, s.laidAtLeast(why, opened)) {
		return &Refusal{Code: RefusedCountTiles, Set: -1, Detail: "the racks hold more tiles than there are"}
	}
	return nil
}

// spans returns the racks that a charge of a seat can stand for.
func (s State) spans(why string, seat int, total CountedTotal, charge int) []span {
	r := s.Rules
	exactly := func(sum, tiles int) span { return span{sum, sum, tiles} }
	switch {
	case total.Won && scored(why) == Emptied:
		return []span{exactly(0, 0)}
	case total.Won && scored(why) == Forfeited, s.Out[seat] && scored(why) == Exhausted:
		return []span{{0, unbounded, 0}} // nobody counts the rack of a player who is left alone; a forfeited one can hold less than was lost
	case s.Out[seat] && charge == 0:
		return []span{{0, unbounded, 0}}
	case total.Opened:
		return []span{exactly(charge, 1)}
	case r.NoMeldUnable == 0 && r.NoMeldAble == 0:
		return []span{exactly(charge, HandTiles)}
	}
	var all []span
	for _, amount := range []int{r.NoMeldUnable, r.NoMeldAble} {
		switch {
		case r.NoMeldCounts == Added:
			all = append(all, exactly(charge-amount, HandTiles))
		case charge == amount && r.NoMeldCounts == Higher:
			all = append(all, span{0, amount, HandTiles})
		case charge == amount:
			all = append(all, span{0, unbounded, HandTiles})
		case r.NoMeldCounts == Higher && charge > amount:
			all = append(all, exactly(charge, HandTiles))
		}
	}
	return all
}

// fit reports whether the tiles that exist can make one of each rack's spans at once, with some tiles more on the table. It
// tries every way to share the jokers; the other tiles of a rack can come to any sum between the least and the most of them.
func (r Ruleset) fit(racks [][]span, jokersLeft, table int) bool {
	return r.fitRest(racks, jokersLeft, table, 0)
}

// fitRest is fit for the racks that are left: known is what the number tiles of the others come to, and tiles is how many
// number tiles there are at least whose sum is open.
func (r Ruleset) fitRest(racks [][]span, jokersLeft, tiles, known int) bool {
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
			if least > bare && r.fitRest(racks[1:], jokersLeft-n, tiles, known+least) ||
				least <= bare && r.fitRest(racks[1:], jokersLeft-n, tiles+max(rack.tiles-n, 0), known) {
				return true
			}
		}
	}
	return false
}

// leastSum returns the least that so many number tiles come to; more than all of them where there are not so many.
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

// MostCharge returns the most that a rack can be charged: that of all tiles, with what the rules add for a player who has not
// opened.
func (r Ruleset) MostCharge() int {
	most, unopened := allNumbers+jokers*r.JokerPoints, max(r.NoMeldUnable, r.NoMeldAble)
	if r.NoMeldCounts == Added {
		return most + unopened
	}
	return max(most, unopened)
}
