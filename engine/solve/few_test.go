package solve_test

import (
	"testing"

	"pgregory.net/rapid"

	"meldhall/engine/solve"
)

// TestListedSetsAgreeWithTheSearchByNumbers checks that two searches that have little in common give the same results
// for few tiles.
func TestListedSetsAgreeWithTheSearchByNumbers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, q := middlePositions().Draw(t, "position"), questions().Draw(t, "question")
		tiles, sets := p.Rack.Total(), 0
		for sets < len(p.Table) && tiles+len(p.Table[sets]) <= 26 {
			tiles += len(p.Table[sets])
			sets++
		}
		p.Table = p.Table[:sets]
		listed, other := best(t, p, q), solve.BestUnlisted(p, q)
		if worse(listed, other, q.Aim) || worse(other, listed, q.Aim) || q.Keep && listed.Kept != other.Kept {
			t.Fatalf("%s: %d tiles, %d, %d kept; by numbers %d, %d, %d", positionText(p, q), listed.Tiles, listed.Value,
				listed.Kept,
				other.Tiles, other.Value, other.Kept)
		}
		if can, proven := solve.CanPlay(p, 0); can != (other.Tiles > 0) || !proven {
			t.Fatalf("%s: can play %v, proven %v", positionText(p, q), can, proven)
		}
	})
}
