package engine

import (
	"meldhall/engine/ruleset"
	"meldhall/engine/score"
	"meldhall/engine/tile"
)

// ends returns the end of a game with its racks counted (RULES.md section 6). The end of a physical game has no score
// yet, because an official must count its racks first.
func (s *State) ends(why string) *End {
	if s.Physical {
		return &End{Why: why}
	}
	hands := make([]score.Hand, s.Seats)
	for seat := range hands {
		hands[seat] = score.Hand{Rack: tile.FacesOf(s.Racks[seat]), Opened: s.Opened[seat], Able: s.Able[seat],
			Out: s.Out[seat]}
	}
	outcome, err := score.Score(s.chargeRules(), score.Scored(why), hands)
	if err != nil {
		panic("engine: counting an ended game: " + err.Error())
	}
	racks := make(tileLists, s.Seats)
	copy(racks, s.Racks[:s.Seats])
	return &End{Why: why, Outcome: outcome, Racks: racks}
}

// chargeRules returns the rules that decide charges. Editions before reliefCharges ignored the relief for charges.
func (s *State) chargeRules() ruleset.Ruleset {
	r := s.Rules
	r.LastToOpenRelief = r.LastToOpenRelief && s.Edition >= reliefCharges
	return r
}

// playing returns the number of seats that still play.
func (s *State) playing() int {
	n := 0
	for seat := range s.Seats {
		if !s.Out[seat] {
			n++
		}
	}
	return n
}

// alone reports whether only one seat still plays. That seat has won.
func (s *State) alone() bool { return s.playing() == 1 }

// seatAfter returns the next seat that still plays, in seat order. There must be at least one.
func (s *State) seatAfter(seat int) int {
	for {
		if seat = (seat + 1) % s.Seats; !s.Out[seat] {
			return seat
		}
	}
}

// starts returns the seat that has the first turn: the starter, or the next seat that still plays.
func (s *State) starts() int { return s.seatAfter(s.Starter + s.Seats - 1) }
