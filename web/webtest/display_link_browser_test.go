package webtest

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"meldhall/engine"
)

// TestBrowserDisplayComesBack interrupts the network of a table's screen in every way and restarts the server during a
// game. The screen must show the right board again within 5 s by itself. MELDHALL_RELOADS=1 repeats this fifty times.
func TestBrowserDisplayComesBack(t *testing.T) {
	b := startChromiumTimed(t)
	e := newEvent(t, 4, map[string]any{"turn_seconds": 600})
	e.games.Deal = func() engine.Deal { return preparedDeal(t, preparedRacks...) }
	e.start()
	game := e.begin(0)
	r := newRelay(t, e.hall)
	p := b.tab(t, 1920, 1080)
	p.open(fmt.Sprintf("%s/events/%d/display/1", r.url, e.id))
	board := func() string {
		return fmt.Sprintf(`%s && !document.querySelector(".stage.lost") &&
			document.getElementById("display").dataset.seq === "%d"`, isLive, e.public().view(game).Seq)
	}
	pulls := 2
	if long() {
		pulls = 50
	}
	var all []time.Duration
	for i := range pulls {
		way := breaks[(2*i)%len(breaks)]
		p.wait(board())
		way.lose(r, p)
		if i%3 < 2 {
			p.wait(`document.querySelector(".stage.lost")`)
		}
		e.referee.must("POST", fmt.Sprintf("/games/%d/time", game),
			map[string]any{"seconds": 5, "reason": "test", "key": e.key()}, nil)
		time.Sleep(time.Duration(i%7) * 300 * time.Millisecond) // varies the phase of the retries
		want := board()
		way.back(r, p)
		all = append(all, p.within(fmt.Sprintf("pull %d, %s: the way back", i, way.name), 2*backWithin, want))
	}
	slices.Sort(all)
	t.Logf("%d pulls: back after %v in the middle, %v at most", pulls, all[len(all)/2].Round(time.Millisecond),
		all[len(all)-1].Round(time.Millisecond))
	t.Run("the server is started again under it", func(t *testing.T) {
		within(t, &p.t, &e.t)
		r.vanish(true)
		p.wait(`document.querySelector(".stage.lost")`)
		e.restart(t)
		r.vanish(false)
		took := p.within("the way back", 2*backWithin, isLive+` && !document.querySelector(".stage.lost")`)
		t.Logf("back %v after the server", took.Round(time.Millisecond))
		e.resume(e.referee, game) // a server start stops running clocks
		p.wait(board())
	})
}
