package pagetest

import (
	"testing"

	"meldhall/engine"
	"meldhall/engine/ruleset"
	"meldhall/templates/locale"
	"meldhall/templates/play"
	"meldhall/templates/tablet"
)

// TestEmptyPoolOffersPass checks that with an empty pool the page and the hint offer a pass instead of a draw, in all
// languages.
func TestEmptyPoolOffersPass(t *testing.T) {
	english := locale.WithLanguage(t.Context(), "en")
	for _, opened := range []bool{false, true} {
		line := map[int]string{0: "Your turn: open with 30 points or pass.",
			5: "Your turn: open with 30 points or draw."}
		hint := map[int]string{0: "You cannot open. Pass.", 5: "You cannot open yet. Draw a tile."}
		if opened {
			line = map[int]string{0: "Your turn: lay tiles or pass.", 5: "Your turn: lay tiles or draw."}
			hint = map[int]string{0: "Nothing can be laid. Pass.", 5: "Nothing can be laid. Draw a tile."}
		}
		for _, pool := range []int{0, 5} {
			s := lostTurn(pool, ruleset.Automatic)
			s.Opened[1] = opened
			g := play.Game{View: engine.ViewFor(&s, 1)}
			found := tablet.Hint{Proven: true, Opens: !opened, Pool: pool}
			if got := g.TurnWords(english); got != line[pool] {
				t.Errorf("opened %v, pool %d: %q", opened, pool, got)
			}
			if got := found.Words(english); got != hint[pool] {
				t.Errorf("opened %v, pool %d: hint %q", opened, pool, got)
			}
			for _, l := range locale.LanguagesOf(english) {
				other := locale.WithLanguage(t.Context(), l.Tag)
				if l.Tag != "en" && (g.TurnWords(other) == line[pool] || found.Words(other) == hint[pool]) {
					t.Errorf("%s, opened %v, pool %d: English", l.Tag, opened, pool)
				}
			}
		}
	}
	s := lostTurn(0, ruleset.Automatic)
	s.Physical = true
	g := play.Game{View: engine.ViewFor(&s, 1)}
	if g.PoolEmpty() {
		t.Error("with real tiles the pool is empty before somebody says so")
	}
	if g.View.PoolEmpty = true; !g.PoolEmpty() {
		t.Error("with real tiles the pool never becomes empty")
	}
}
