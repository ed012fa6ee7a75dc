package webtest

import (
	"fmt"
	"testing"
	"time"

	"meldhall/web/live"
)

// TestBrowserBoardsInTheirOrder plays on while a tablet's stream is disturbed: updates are delayed on one connection
// and resume on the next, arrive after newer ones, are cut off or stop silently, and hints are duplicated or have no
// cause. The tablet never returns to a board older than the one it has shown, and it ends with the board of the log.
func TestBrowserBoardsInTheirOrder(t *testing.T) {
	b := startChromium(t)
	e, game, r, p := linked(t, b)
	p.atStart(`window.went = []; let shown = 0; document.addEventListener("DOMContentLoaded", () => new MutationObserver(() => {
		const now = Number(document.getElementById("game")?.dataset.seq || 0);
		if (now < shown) window.went.push(shown + " to " + now);
		shown = Math.max(shown, now);
	}).observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter: ["data-seq"] }))`)
	p.reload()
	p.wait(isLive)
	newest := func() string {
		return fmt.Sprintf(`document.getElementById("game").dataset.seq === "%d" && %s`, e.public().view(game).Seq,
			isLive)
	}
	for i := range 18 {
		e.draw(e.public().view(game).Turn.Seat, game)
		switch {
		case i == 5: // held messages arrive only over a new connection of the tablet
			p.wait(newest())
			r.hold(true)
			e.draw(e.public().view(game).Turn.Seat, game)
			began := time.Now()
			p.wait(newest())
			t.Logf("the newest board, while an old one is held, after %v", time.Since(began).Round(time.Millisecond))
			r.hold(false)
		case i == 11:
			r.forget()
		case i == 12:
			p.wait(newest())
		case i%6 == 1:
			r.hold(true)
			time.Sleep(200 * time.Millisecond)
			r.hold(false)
		case i%6 == 3:
			r.cut()
		default:
			for range 3 {
				e.server.Request.Hub.Wake(live.GameTopic(game), live.TableTopic(e.round.Tables[0].ID))
			}
		}
		time.Sleep(100 * time.Millisecond)
	}
	p.wait(newest())
	r.hold(false) // everything delayed arrives now
	time.Sleep(time.Second)
	if went := eval[[]string](p, `window.went`); len(went) > 0 {
		t.Errorf("the tablet went back: %v", went)
	}
	view := e.at(0, 0).view(game)
	if seq, tiles := eval[int](p, `Number(document.getElementById("game").dataset.seq)`),
		eval[int](p, `document.querySelectorAll("#rack .tile").length`); seq != view.Seq || tiles != len(view.Rack) {
		t.Errorf("it shows %d with %d tiles on the rack, the log has %d with %d", seq, tiles, view.Seq, len(view.Rack))
	}
}
