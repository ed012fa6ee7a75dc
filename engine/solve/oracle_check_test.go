package solve_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"meldhall/engine/judge"
	"meldhall/engine/ruleset"
	"meldhall/engine/solve"
	"meldhall/engine/testmode"
	"meldhall/engine/tile"
)

// layout parses a table in notation, with sets divided by "/".
func layout(t testing.TB, text string) (sets [][]tile.Face) {
	t.Helper()
	for part := range strings.SplitSeq(text, "/") {
		set, err := tile.ParseFaces(part)
		if err != nil {
			t.Fatal(err)
		}
		if len(set) > 0 {
			sets = append(sets, set)
		}
	}
	return sets
}

// layoutText is the inverse of layout.
func layoutText(sets [][]tile.Face) string {
	texts := make([]string, len(sets))
	for i, set := range sets {
		texts[i] = facesText(set)
	}
	return strings.Join(texts, " / ")
}

func facesText(faces []tile.Face) string {
	texts := make([]string, len(faces))
	for i, f := range faces {
		texts[i] = f.String()
	}
	return strings.Join(texts, " ")
}

// plainest checks the oracle itself. It tries every choice of rack tiles and every complete arrangement of all the
// tiles as laid, with engine.Judge for each.
func plainest(t testing.TB, p solve.Position, aim solve.Aim) (best oraclePlay) {
	best.kept = len(p.Table)
	rules, rack := oracleRules(p.Rules), p.Rack.List()
	var sets []validSet
	for _, s := range everySet() {
		if takes := tile.CountFaces(s.set); takes.Within(tile.CountFaces(append(slices.Concat(p.Table...), rack...))) {
			sets = append(sets, s)
		}
	}
	for mask := range uint(1) << len(rack) {
		var play oraclePlay
		for i, f := range rack {
			if mask>>i&1 == 0 {
				continue
			}
			play.played[f]++
			play.tiles++
			if f == tile.Joker {
				play.value += p.Rules.JokerPoints
			} else {
				play.value += f.Number()
			}
		}
		all := tile.CountFaces(slices.Concat(p.Table...), play.played.List())
		var arrange func(left tile.Counts, sets [][]tile.Face)
		arrange = func(left tile.Counts, laid [][]tile.Face) {
			first := slices.IndexFunc(left[:tile.Joker], func(n uint8) bool { return n > 0 })
			if first < 0 {
				if left[tile.Joker] > 0 || !judged(t, rules, p, rack, laid) {
					return
				}
				play.kept, play.table = countKept(p.Table, laid), slices.Clone(laid)
				if better(play, best, aim) {
					best = play
				}
				return
			}
			for _, s := range sets {
				if s.numbered.Has(tile.Face(first)) && tile.CountFaces(s.set).Within(left) {
					arrange(left.Minus(tile.CountFaces(s.set)), append(laid[:len(laid):len(laid)], s.set))
				}
			}
		}
		arrange(all, nil)
	}
	return best
}

// judged asks engine.Judge and, for plays that may have released jokers, the book.
func judged(t testing.TB, rules ruleset.Ruleset, p solve.Position, rack []tile.Face, after [][]tile.Face) bool {
	v := judge.Judge(rules, judge.Move{Opened: true, Before: p.Table, Rack: rack, After: after})
	if v.Legal || v.Code == judge.CodeJokerNotReplaced || v.Code == judge.CodeJokerWithoutRackTile {
		if legalByTheBook(p.Rules, p.Table, after) != v.Legal {
			t.Fatalf("%s: after %s: judged %+v, not so by the book", positionText(p, solve.Question{}),
				layoutText(after), v)
		}
	}
	return v.Legal
}

func better(a, b oraclePlay, aim solve.Aim) bool {
	switch {
	case aim == solve.MostTiles && a.tiles != b.tiles:
		return a.tiles > b.tiles
	case a.value != b.value:
		return a.value > b.value
	case a.tiles != b.tiles:
		return a.tiles > b.tiles
	}
	return a.tiles > 0 && a.kept > b.kept
}

func TestOracleAgreesWithThePlainestEnumeration(t *testing.T) {
	positions := 200
	if !testmode.Long {
		positions = 60
	}
	random := rand.New(rand.NewPCG(1, 2))
	laid, wild := 0, 0
	for n := 0; n < positions; {
		p, q := decodePosition(randomCode(random))
		if all := len(slices.Concat(p.Table...)) + p.Rack.Total(); all > 11 {
			continue
		}
		n++
		o, ok := newOracle(p)
		if !ok {
			t.Fatal("too many faces")
		}
		want, got, quick := plainest(t, p, q.Aim), o.best(q.Aim, true), o.best(q.Aim, false)
		if got.tiles != want.tiles || got.value != want.value || got.kept != want.kept || quick.tiles != want.tiles ||
			quick.value != want.value {
			t.Fatalf("%s: %d tiles, %d, %d kept; by enumeration %d, %d, %d: %s", positionText(p, q), got.tiles,
				got.value, got.kept,
				want.tiles, want.value, want.kept, layoutText(want.table))
		}
		laid += min(1, got.tiles)
		wild += min(1, int(tile.CountFaces(p.Table...)[tile.Joker]))
	}
	if laid < positions/4 || laid > positions*9/10 || wild < positions/5 {
		t.Errorf("of %d positions %d let tiles be laid and %d have jokers on the table", positions, laid, wild)
	}
}
