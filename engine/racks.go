package engine

import (
	"errors"
	"slices"

	"meldhall/engine/ruleset"
	"meldhall/engine/score"
	"meldhall/engine/tile"
)

var errTilesUnknown = errors.New("a physical game has uncounted tiles, or a tile twice")

// CountRacks ends a physical game with the count made at the real table: the racks by their faces, or the score of each
// player. Why is how the game ended; if it is empty, the reason why the turns ended applies.
type CountRacks struct {
	Why    string         `json:"why,omitempty" doc:"emptied, last_lap, stuck or time_called; empty: the reason the turns ended"`
	Racks  []CountedRack  `json:"racks,omitempty" doc:"by seat: the remaining tiles"`
	Totals []CountedTotal `json:"totals,omitempty" doc:"by seat, instead of racks: each player's score"`
	Lowest int            `json:"lowest,omitempty" doc:"with totals, if no player emptied their rack: the points charged for the winner's rack"`
}

// CountedRack holds the tiles left on a seat's rack.
type CountedRack struct {
	Tiles  tile.FaceList `json:"tiles" doc:"empty: this seat is out"`
	Opened bool          `json:"opened"`
	Able   bool          `json:"able,omitempty" doc:"with able_when any_turn: a referee ruled that the seat could have opened in its own turn"`
}

// CountedTotal is the score of a seat on a score sheet.
type CountedTotal struct {
	Points score.Twelfth `json:"points"`
	Opened bool          `json:"opened"`
	Won    bool          `json:"won,omitempty"`
}

// RacksCounted is the count of a physical game; GameEnded follows. For each counted face, Racks names either copy,
// because real copies cannot be told apart.
type RacksCounted struct {
	Stamp
	Why    string         `json:"why"`
	Racks  tileLists      `json:"racks,omitempty"`
	Opened []bool         `json:"opened"`
	Able   []bool         `json:"able,omitempty"`
	Totals []CountedTotal `json:"totals,omitempty"`
	Lowest int            `json:"lowest,omitempty"`
}

// Kind returns the event's name in the log.
func (RacksCounted) Kind() string { return "racks_counted" }

// Command returns the command that made the count.
func (e RacksCounted) Command() CountRacks {
	c := CountRacks{Why: e.Why, Totals: e.Totals, Lowest: e.Lowest}
	for seat, rack := range e.Racks {
		c.Racks = append(c.Racks, CountedRack{Tiles: tile.FacesOf(rack), Opened: e.Opened[seat], Able: e.Able != nil &&
			e.Able[seat]})
	}
	return c
}

// Counting is the result of a count.
type Counting struct {
	Why     string
	Outcome score.Outcome
	Racks   []tile.List // nil for a count of totals
	Opened  []bool      // by seat
}

// opened returns, by seat, whether the seat has opened.
func (c CountRacks) opened() (opened []bool) {
	for _, total := range c.Totals {
		opened = append(opened, total.Opened)
	}
	for _, rack := range c.Racks {
		opened = append(opened, rack.Opened)
	}
	return opened
}

func (c CountRacks) decide(s *State, at Millis) ([]Event, error) {
	if !s.Countable() {
		return nil, refuse(RefusedNotBegun, "the first turn has not begun")
	}
	counted, err := s.Count(c)
	if err != nil {
		return nil, err
	}
	e := RacksCounted{Stamp: Stamp{at}, Why: counted.Why, Racks: counted.Racks, Totals: c.Totals, Lowest: c.Lowest,
		Opened: counted.Opened}
	for seat, rack := range c.Racks {
		if rack.Able {
			e.Able = append(e.Able, make([]bool, s.Seats-len(e.Able))...)
			e.Able[seat] = true
		}
	}
	end := End{Why: counted.Why, Outcome: counted.Outcome, Racks: counted.Racks}
	if end.Racks == nil {
		end.Racks = make(tileLists, s.Seats)
	}
	return []Event{e, GameEnded{Stamp{at}, end}}, nil
}

// Countable reports whether the racks of a game with real tiles can be counted. They can from the start of the game,
// because a table may play without a device that follows its turns.
func (s State) Countable() bool {
	return s.Physical && s.Phase != PhaseNew && s.Phase != PhaseOver
}

// SummedRack is a rack that a table has added up by hand: the sum of its tiles, including what the rules add for a rack
// that has not opened.
type SummedRack struct {
	Sum    int  `json:"sum" minimum:"0" doc:"the value of its tiles, with any surcharge for a player who has not opened"`
	Opened bool `json:"opened"`
}

// CountOf returns the count for the sums of the racks, by seat: the winner, and the score of each seat. why is how the
// game ended; if it is empty, the reason why the turns ended applies. If a player ended the game by emptying a rack,
// exactly one seat that still plays must have the sum 0. If the pool was exhausted or time was called, no such seat may
// have it. The lowest sum among these seats wins. Other sums give a *Refusal.
func (s State) CountOf(why string, racks []SummedRack) (CountRacks, error) {
	if why == "" {
		why = s.Ending
	}
	if len(racks) != s.Seats {
		return CountRacks{}, refuse(RefusedCountSeats,
			"a count must have the rack or the points of each of the %d seats", s.Seats)
	}
	c := CountRacks{Why: why, Totals: make([]CountedTotal, len(racks))}
	charges := make([]score.Charge, len(racks))
	var won []int
	least := maxCharge
	for seat, rack := range racks {
		if rack.Sum < 0 || rack.Sum > maxCharge {
			return CountRacks{}, &Refusal{Code: RefusedCountLoser, Set: seat, Points: -rack.Sum,
				Detail: "a player who has not won must lose a whole number of points"}
		}
		charges[seat].Points, c.Totals[seat].Opened = rack.Sum, rack.Opened
		switch {
		case s.Out[seat], rack.Sum > least:
			continue
		case rack.Sum < least:
			least, won = rack.Sum, nil
		}
		won = append(won, seat)
	}
	if why == ruleset.EndedEmptied && (least > 0 || len(won) != 1) {
		return CountRacks{}, &Refusal{Code: RefusedCountEmpty, Set: -1, Points: len(won),
			Detail: "exactly one rack is empty when a game was ended by emptying it, and none otherwise"}
	}
	if score.Scored(why) == score.Exhausted {
		if least == 0 {
			return CountRacks{}, &Refusal{Code: RefusedCountEmpty, Set: -1, Points: len(won),
				Detail: "a rack is empty only when the game was ended by emptying it"}
		}
		c.Lowest = least
	}
	for seat, points := range score.Settle(s.Rules, score.Scored(why), won, charges).Points {
		c.Totals[seat].Points, c.Totals[seat].Won = points, slices.Contains(won, seat)
	}
	return c, nil
}

// WaysToEnd returns the ways in which a game can have ended under its rule for an empty pool, the usual one first. They
// include a forfeit if only one player is left (alone).
func WaysToEnd(exhausted string, alone bool) []string {
	ways := []string{ruleset.EndedEmptied}
	switch exhausted {
	case ruleset.LastLap:
		ways = append(ways, ruleset.EndedLastLap)
	case ruleset.UntilStuck:
		ways = append(ways, ruleset.EndedStuck)
	}
	ways = append(ways, ruleset.EndedTimeCalled)
	if alone {
		ways = append(ways, ruleset.EndedForfeit)
	}
	return ways
}

// Count returns the result of a count of this physical game, or a *Refusal if the count is impossible. It serves score
// sheets that are still being filled in as well as submitted ones.
func (s State) Count(c CountRacks) (Counting, error) {
	if (len(c.Racks) == 0) == (len(c.Totals) == 0) || len(c.Racks)+len(c.Totals) != s.Seats {
		return Counting{}, refuse(RefusedCountSeats, "a count must have the rack or the points of each of the %d seats",
			s.Seats)
	}
	why := c.Why
	if why == "" {
		why = s.Ending
	}
	if !slices.Contains(WaysToEnd(s.Rules.Exhausted, s.alone()), why) {
		return Counting{}, refuse(RefusedCountEnding, "this game cannot end by %q", why)
	}
	if len(c.Totals) > 0 {
		outcome, err := handCount{&s, why}.ofTotals(c)
		return Counting{Why: why, Outcome: outcome, Opened: c.opened()}, err
	}
	return handCount{&s, why}.ofFaces(c.Racks)
}

// Recount returns the result of a finished game when its racks are counted again, with real tiles or on tablets, or a
// *Refusal if the count is impossible. sums replaces racks for a table that added its racks up by hand. why is how the
// game ended; if it is empty, the recorded ending applies. Under able_when any_turn, a seat that a game on tablets
// records as able stays able unless it has opened; with real tiles, the count says who was able.
func (s State) Recount(why string, racks []CountedRack, sums []SummedRack) (Counting, error) {
	if s.Phase != PhaseOver {
		return Counting{}, refuse(RefusedNotBegun, "the game is not over")
	}
	if why == "" {
		why = s.End.Why
	}
	if len(sums) > 0 {
		c, err := s.CountOf(why, sums)
		if err != nil {
			return Counting{}, err
		}
		c.Racks = racks // Count refuses racks and totals together
		counted, err := s.Count(c)
		counted.Racks = make([]tile.List, s.Seats)
		return counted, err
	}
	racks = slices.Clone(racks)
	for seat := range min(len(racks), s.Seats) {
		rack := &racks[seat]
		rack.Able = rack.Able || !s.Physical && s.Rules.AbleWhen == ruleset.AnyTurn && s.Able[seat] && !rack.Opened
	}
	return s.Count(CountRacks{Why: why, Racks: racks})
}

// Charges returns the cost of each rack of a score sheet, by seat, even if the sheet is incomplete.
func (s State) Charges(racks []CountedRack) []score.Charge {
	hands, charges := make([]score.Hand, len(racks)), make([]score.Charge, len(racks))
	for seat, rack := range racks {
		hands[seat] = score.Hand{Rack: rack.Tiles, Opened: rack.Opened, Able: rack.Able, Out: s.Out[seat]}
	}
	for seat := range hands {
		charges[seat] = score.ChargeOf(s.chargeRules(), hands[seat], score.LastToOpen(hands, seat))
	}
	return charges
}
