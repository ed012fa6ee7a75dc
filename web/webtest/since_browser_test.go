package webtest

import (
	"fmt"
	"strings"
	"testing"
)

// TestBrowserSinceMyTurn checks that the other players' moves since the player's last turn are marked and described
// until the player's next turn ends, and so are the costs of a time-out.
func TestBrowserSinceMyTurn(t *testing.T) {
	b := startChromium(t)
	e, game, p := playing(t, b, "O10 O11 O12 O13 K4 K5 K6 B1 R1 O1 R11 B10 K13 R13",
		"R9 R10 R11 R12 B3 B5 B7 K1 K8 O2 O4 O6 B11 K2",
		"B8 B9 B10 B11 O9 O3 O5 O7 K3 K7 K9 R2 R4 R6", "")
	p.still()
	name := func(seat int) string { return e.round.Tables[0].Seats[seat].Player.Name }
	lines := func(want ...string) {
		t.Helper()
		p.wait(fmt.Sprintf(`[...document.querySelectorAll("#last:not(.vh), .since li")].map((el) => el.textContent.replace(/[\u2068\u2069]/g, "").trim().replace(/\s+/g, " ")).join("|") === %q`, strings.Join(want, "|")))
	}
	drawn := `[...document.querySelectorAll("#rack .tile.new")].length`
	e.leave(game, 1)
	p.wait(`document.getElementById("game").dataset.mine === "false"`)
	lines("Time’s up: 3 drawn.")
	e.play(1, game, 0, "R9 R10 R11 R12")
	e.play(2, game, 13, "B8 B9 B10 B11")
	e.draw(3, game)
	p.wait(`document.getElementById("game").dataset.mine === "true"`)
	lines("Time’s up: 3 drawn.", name(2)+" laid 4", name(3)+" drew")
	if got := eval[int](p, drawn); got != 3 {
		t.Errorf("%d tiles of the rack are marked, 3 were drawn", got)
	}
	p.wait(`[...document.querySelectorAll("#table .tile.new")].map((el) => el.dataset.face).sort().join(" ") === "B10 B11 B8 B9 R10 R11 R12 R9"`)
	for _, size := range [][2]int64{{1280, 800}, {1024, 768}, {768, 1024}, {390, 844}, {360, 640}} {
		p.size(size[0], size[1])
		p.wait(fmt.Sprintf(`innerWidth === %d`, size[0]))
		for _, misfit := range eval[[]string](p, misfits) {
			t.Errorf("%d x %d: %s", size[0], size[1], misfit)
		}
		p.picture(fmt.Sprint(size[0]))
	}
	p.size(1280, 800)
	p.wait(`innerWidth === 1280`)
	eval[bool](p, `new Promise((laid) => requestAnimationFrame(() => requestAnimationFrame(() => laid(true))))`)
	movers[0].lay(p, 26, "O10", "O11", "O12", "O13")
	lines("Time’s up: 3 drawn.", name(2)+" laid 4", name(3)+" drew")
	p.tap("#play")
	p.wait(`document.getElementById("game").dataset.mine === "false"`)
	lines("You laid 4 tiles.")
	if got := eval[int](p, drawn); got != 0 {
		t.Errorf("%d tiles of the rack are marked after a play", got)
	}
	e.draw(1, game)
	e.draw(2, game)
	e.draw(3, game)
	p.wait(`document.getElementById("game").dataset.mine === "true"`)
	lines(name(1)+" drew", name(2)+" drew", name(3)+" drew")
	p.picture("three")
	if got := p.complaints(); len(got) > 0 {
		t.Errorf("the page complained: %q", got)
	}
}
