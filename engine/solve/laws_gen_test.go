package solve_test

import (
	"pgregory.net/rapid"

	"meldhall/engine/solve"
	"meldhall/engine/tile"
)

func questions() *rapid.Generator[solve.Question] {
	return rapid.Custom(func(t *rapid.T) solve.Question {
		return solve.Question{
			Aim:  rapid.SampledFrom([]solve.Aim{solve.MostTiles, solve.MostValue}).Draw(t, "aim"),
			Keep: rapid.Bool().Draw(t, "keep"),
		}
	})
}

// middlePositions generates a table of up to 60 tiles from valid sets, some of them with jokers, and a rack of up to 14
// of the other tiles.
func middlePositions() *rapid.Generator[solve.Position] {
	return rapid.Custom(func(t *rapid.T) (p solve.Position) {
		p.Rules = solve.Rules{
			WithRackTile: rapid.Bool().Draw(t, "with rack tile"),
			Replace:      solve.Replace(rapid.IntRange(0, 2).Draw(t, "replace")),
			JokerPoints:  rapid.SampledFrom([]int{30, 50, 100, 0}).Draw(t, "joker points"),
		}
		d := dealer{}
		for range rapid.IntRange(0, 16).Draw(t, "sets") {
			set := middleSet(t)
			if jokers := d.out[tile.Joker]; jokers < 2 && rapid.IntRange(0, 5).Draw(t, "joker") == 0 {
				set[rapid.IntRange(0, len(set)-1).Draw(t, "place")] = tile.Joker
			}
			if d.laid+len(set) <= 60 && d.take(set...) {
				d.laid += len(set)
				p.Table = append(p.Table, set)
			}
		}
		for range rapid.IntRange(0, 14).Draw(t, "rack") {
			f := tile.Face(rapid.IntRange(0, int(tile.Joker)).Draw(t, "face"))
			if d.take(f) {
				p.Rack[f]++
			}
		}
		return p
	})
}

func middleSet(t *rapid.T) (set []tile.Face) {
	if rapid.Bool().Draw(t, "run") {
		c := tile.Colour(rapid.IntRange(0, 3).Draw(t, "colour"))
		from := rapid.IntRange(1, 11).Draw(t, "from")
		for n := from; n <= min(tile.Highest, from+rapid.SampledFrom([]int{2, 2, 3, 4, 6, 12}).Draw(t, "length")); n++ {
			set = append(set, tile.NewFace(c, n))
		}
		return set
	}
	n := rapid.IntRange(1, tile.Highest).Draw(t, "number")
	without := rapid.IntRange(0, 4).Draw(t, "without")
	for c := range 4 {
		if c != without {
			set = append(set, tile.NewFace(tile.Colour(c), n))
		}
	}
	return set
}

// turn returns the position with every numbered face changed by to.
func turn(p solve.Position, to func(tile.Face) tile.Face) solve.Position {
	turned := solve.Position{Rules: p.Rules}
	for _, set := range p.Table {
		var changed []tile.Face
		for _, f := range set {
			if f != tile.Joker {
				f = to(f)
			}
			changed = append(changed, f)
		}
		turned.Table = append(turned.Table, changed)
	}
	for f, n := range p.Rack {
		if f := tile.Face(f); f != tile.Joker {
			turned.Rack[to(f)] = n
		} else {
			turned.Rack[f] = n
		}
	}
	return turned
}
