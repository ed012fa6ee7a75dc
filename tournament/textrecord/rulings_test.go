package textrecord

import (
	"meldhall/engine"
	"meldhall/engine/tile"
)

// ruling returns a random ruling of any kind. The engine may refuse it.
func (g *table) ruling() engine.Command {
	s := &g.state
	kinds := engine.RulingKinds()
	k := kinds[g.IntN(len(kinds))]
	if k.Apart || k.Name == "forfeit" && !g.chance(30) || k.Name == "call-time" && !g.chance(20) {
		k, _ = engine.RulingKindNamed("warning")
	}
	f := engine.RulingFields{Numbers: map[string]int{}, Grounds: engine.Grounds{
		Reason: []string{"talked", "a tile fell <off> the \"table\"", "", " \t\u2028é"}[g.IntN(4)],
		Rule:   []string{"7.1", ""}[g.IntN(2)], By: []string{"Ann", "Bo \"B\" Lee", ""}[g.IntN(3)]}}
	for _, field := range k.Fields {
		f.Numbers[field.Name] = g.number(field)
		switch {
		case field.Type == engine.TableField && k.Name == "leftovers":
			f.Tiles, f.Table = g.leftovers()
		case field.Type == engine.TableField:
			if f.Table = s.Table.Laid(); len(f.Table) > 0 && g.chance(50) {
				f.Table = f.Table[1:]
			}
		case field.Type == engine.RacksField:
			f.Racks = make([][]tile.Face, s.Seats)
			if seat := g.IntN(s.Seats); g.chance(60) && len(s.Racks[seat]) > 2 {
				f.Racks[seat] = tile.FacesOf(s.Racks[seat][1:])
			}
		}
	}
	c := k.Command(f)
	switch one := c.(type) {
	case engine.Rewind:
		one.To = engine.TurnStart(g.log, one.Turn)
		return one
	case engine.RuleIllegal:
		if one.Back != nil {
			start := engine.TurnStart(g.log, one.Turn)
			one.Back = &start
		}
		return one
	case engine.ForfeitSeat:
		one.Disqualified = g.chance(20)
		return one
	}
	return c
}

// number returns a value for a field of a ruling.
func (g *table) number(f engine.RulingField) int {
	s := &g.state
	switch f.Name {
	case "seat":
		return g.IntN(s.Seats)
	case "turn":
		return s.Turn.Number - g.IntN(2)*g.IntN(6)
	case "seconds":
		return g.IntN(240) - 120
	case "tiles":
		return g.IntN(4)
	case "late":
		return g.IntN(2)
	case "proposal":
		if waiting := s.Rulings.Undecided(); len(waiting) > 0 {
			return waiting[0].Seq
		}
	case "of":
		if n := len(s.Rulings.All); n > 0 {
			return s.Rulings.All[g.IntN(n)].Seq
		}
		return 1
	}
	return 0
}

// leftovers takes a set or the end of a set off the table.
func (g *table) leftovers() (tiles []tile.Face, stays []tile.LaidFaces) {
	stays = g.state.Table.Laid()
	if len(stays) == 0 {
		return nil, nil
	}
	i := g.IntN(len(stays))
	set := stays[i].Faces
	if n := len(set); n > 3 && g.chance(50) {
		stays[i].Faces = set[:n-1]
		return set[n-1:], stays
	}
	return set, append(stays[:i:i], stays[i+1:]...)
}
