package webtest

import (
	"fmt"
	"strings"
	"testing"

	"meldhall/tournament/export"
	"meldhall/tournament/signing"
)

// TestBrowserTabletsSign checks on a page without https that tablets sign what their players do, that a tablet which
// lost its data gets another key, and that a tablet does not sign after a statement that it does not know.
func TestBrowserTabletsSign(t *testing.T) {
	b := startChromium(t)
	e := newEvent(t, 4, map[string]any{"turn_seconds": 600})
	e.games.Deal = nil
	game := e.round.Tables[0].Games[0].ID
	var tablets []*tab
	for seat := range 4 {
		p := b.tab(t, 800, 1280)
		p.seat(e.http.URL, e.at(0, seat).token)
		p.open(e.http.URL + "/play")
		tablets = append(tablets, p)
	}
	e.start()
	signed := func() (all []signing.Run) {
		t.Helper()
		g, err := export.OfGame(t.Context(), e.store, game)
		if err != nil {
			t.Fatal(err)
		}
		return g.Signed
	}
	act := func(p *tab, id string) {
		t.Helper()
		seq := eval[string](p, `document.getElementById("game").dataset.seq`)
		p.wait(fmt.Sprintf(`(() => { // a key is dead for a moment after a change
			if (document.getElementById("game").dataset.seq !== %q) return true;
			document.getElementById(%q)?.click();
		})()`, seq, id))
	}
	const told = `performance.getEntriesByType("resource").some((r) => r.name.endsWith("/play/key") && r.responseEnd > 0)`
	for _, p := range tablets {
		p.wait(`document.querySelectorAll("#rack .tile").length === 14 && !!localStorage.keys`)
		p.wait(told)
		act(p, "ready")
	}
	if runs := signed(); len(runs) != 4 {
		t.Fatalf("%d tablets signed that they are ready: %+v", len(runs), runs)
	}
	turn := func() *tab { return tablets[e.public().view(game).Turn.Seat] }
	first, at := turn(), e.public().view(game).Turn.Seat
	act(first, "draw")
	eval[any](first, `localStorage.removeItem("keys")`)
	first.open(e.http.URL + "/play")
	first.wait(told)
	for range 4 {
		act(turn(), "draw")
	}
	runs := signed()
	if len(runs) != 5 || runs[4].Seat != at {
		t.Errorf("the tablet that lost its data does not sign: %+v", runs)
	}
	for _, p := range tablets { // the server shows a command that the tablet never sent
		eval[any](p, `(() => {
			const game = document.getElementById("game"), told = JSON.parse(game.dataset.sign);
			told.statement = "0".repeat(64);
			game.dataset.sign = JSON.stringify(told);
			document.getElementById("call").click();
		})()`)
		p.wait(`!!document.getElementById("withdraw-call")`)
	}
	if after := signed(); after[len(after)-1].To != runs[len(runs)-1].To {
		t.Errorf("a tablet signed after a statement that it does not know: %+v", after)
	}
	for seat := range 3 {
		e.referee.post(game, "forfeit", map[string]any{"seat": seat, "reason": "x"})
	}
	g, err := export.OfGame(t.Context(), e.store, game)
	if err == nil {
		_, err = export.Verify(g)
	}
	if err != nil {
		t.Error(err)
	}
	for _, p := range tablets {
		for _, complaint := range p.complaints() {
			if !strings.Contains(complaint, "409") { // a key was pressed again before the page showed the change
				t.Error(complaint)
			}
		}
	}
}
