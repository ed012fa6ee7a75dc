package webtest

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"meldhall/engine"
	"meldhall/tournament/screen"
	"meldhall/web"
)

// Halls have iPads, whose engine is WebKit, and some Firefox. These tests use the pages in both; all others use
// Chromium.

// TestWebKit uses the pages in WebKit: a practice game, a game of a tournament, a ruling, a board, the tablet check and
// every page at three sizes.
func TestWebKit(t *testing.T) { usePages(t, startWebKit(t), movers[0]) }

// TestFirefox is TestWebKit in Firefox, with tiles dragged on a touch screen.
func TestFirefox(t *testing.T) { usePages(t, startFirefox(t), movers[1]) }

func usePages(t *testing.T, p *tab, m mover) {
	for _, part := range []struct {
		name string
		use  func(t *testing.T, p *tab)
	}{
		{"practice", practiseIn}, {"game", m.winIn}, {"ruling", ruleIn}, {"board", followBoardIn}, {"check", checkIn},
		{"pages", lookAtPagesIn},
	} {
		t.Run(part.name, func(t *testing.T) {
			within(t, &p.t)
			part.use(t, p)
			p.open("about:blank")
			for _, problem := range p.complaints() {
				// Firefox reports a stream that was about to connect when the page was left.
				if !strings.Contains(problem, "NetworkError when attempting to fetch") {
					t.Errorf("the page complained: %s", problem)
				}
			}
			p.forgive()
		})
	}
}

// practiseIn plays a practice game with a hint.
func practiseIn(t *testing.T, p *tab) {
	p.size(1180, 820)
	k := &practising{h: newHall(t, func(c *web.Config) { c.Think = 100 * time.Millisecond }), p: p}
	k.h.games.Deal = func() engine.Deal { return preparedDeal(t, practiceRacks...) }
	k.begin(t)
	k.ask(t)
	k.lay(t)
	k.end(t)
}

// winIn wins a tournament's game.
func (m mover) winIn(t *testing.T, p *tab) {
	p.size(1280, 800)
	e, game := newPreparedTable(t, preparedRacks...)
	e.join(p)
	e.start()
	p.wait(`location.pathname === "/play/game" && document.querySelectorAll("#rack .tile").length === 14 && ` + isLive)
	m.winGame(p, e, game)
	p.wait(`document.querySelectorAll(".counted > li").length === 4`)
	checkLog(t, e, game)
}

// ruleIn gives penalty tiles on a referee's tablet and opens the rarer rulings, whose sheet is as high as its content.
func ruleIn(t *testing.T, p *tab) {
	p.size(820, 1180)
	d := newDeskIn(t, roster(8), nil)
	p.cookie(d.http.URL, "meldhall-staff", d.referee.token)
	before := d.public().view(d.game).Seats[2].Tiles
	taps, effects, said := d.rule(p, act("penalty", "seat=2", "tiles=2"))
	if got := d.public().view(d.game).Seats[2].Tiles; got != before+2 || !strings.Contains(said, "draws 2 tiles") {
		t.Errorf("%d taps, preview %q, then %q; the player has %d tiles, %d before", taps, effects, said, got, before)
	}
	p.wait(`document.querySelector("#more-game:popover-open") || document.getElementById("more-game").showPopover()`)
	p.wait(`(([more, last]) => more.getBoundingClientRect().bottom - last.getBoundingClientRect().bottom < 40)(
		[document.getElementById("more-game"), document.querySelector("#more-game > :last-child")])`)
	p.picture("more")
}

// followBoardIn pairs a screen, which then shows what the desk chooses.
func followBoardIn(t *testing.T, p *tab) {
	p.size(1280, 720)
	e := newPublished(t, "Test", roster(40), nil)
	p.cookie(e.http.URL, "meldhall-staff", "")
	e.pair(p, e.http.URL, "names")
	p.wait(`document.fonts.status === "loaded" && document.querySelectorAll(".b.on .name").length > 8`)
	p.picture("names")
	e.shows(1, "clock")
	p.wait(`/^\d\d:\d\d:\d\d$/.test(document.querySelector(".of-clock.on .b-now")?.textContent)`)
	e.organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/announcements", e.id),
		screen.Announce{Level: "urgent", Texts: map[string]string{"en": "Lunch is served"}, Minutes: 1}, nil)
	p.wait(`document.querySelector(".news-item")?.getBoundingClientRect().height > 60`)
	p.picture("announced")
	e.shows(1, "tables")
	p.wait(`document.querySelector(".of-tables.on")`)
}

// checkIn checks a tablet: each result is good, or about a feature that the engine never has. The time of answers, the
// wake lock, the touch screen and sound depend on the machine that runs the test.
func checkIn(t *testing.T, p *tab) {
	p.size(1180, 820)
	h := newHall(t)
	p.open(h.http.URL + "/check")
	p.tap("#check-frame", "#check-tone")
	p.wait(`document.querySelector("#check-sum p[data-sum=running]").hidden`)
	p.wait(`document.querySelectorAll("#check tr:not(#check-answer, #check-awake, #check-touch, #check-sound) " +
		".mark:is(.now, .bad):not([hidden])").length === 0`)
	p.wait(`((top) => Math.abs(top(".prefs legend") - top(".prefs .btn")) < 12)(
		(selector) => document.querySelector(selector).getBoundingClientRect().top)`)
	p.picture("check")
}

// lookAtPagesIn looks for texts that do not fit on a phone, an upright tablet and a laptop. It opens the pages of the
// public, players and referees and the main ones of organizers, each at one of the sizes without -figures;
// TestScreensHoldLongTexts opens all in Chromium.
func lookAtPagesIn(t *testing.T, p *tab) {
	s := newScreens(t)
	pages := slices.Concat(s.ofEverybody(), s.ofReferees(), slices.DeleteFunc(slices.Concat(s.ofOrganizers(),
		s.ofResults(), s.ofTheHall()), func(v pageState) bool {
		return !slices.Contains([]string{"desk", "roster", "round", "ready"}, v.name)
	}))
	if len(pages) < 40 {
		t.Fatalf("only %d pages", len(pages))
	}
	slices.SortStableFunc(pages, func(a, b pageState) int { return strings.Compare(a.who, b.who) })
	for i, v := range pages {
		t.Run(v.name, func(t *testing.T) {
			within(t, &p.t, &s.t)
			if i > 0 && v.who != pages[i-1].who {
				p.open("about:blank") // the page of another role must not connect again
			}
			s.show(p, v, "en")
			for k, size := range [][2]int64{{390, 844}, {820, 1180}, {1280, 800}} {
				if !inTurn(i, k, 3) {
					continue
				}
				p.size(size[0], size[1])
				p.wait(fmt.Sprintf(`innerWidth === %d && document.fonts.status === "loaded"`, size[0]))
				p.frame()
				p.frame()
				// the rack follows the turned tablet
				p.wait(`[...document.querySelectorAll("#rack .tile")].map((tile) => tile.getBoundingClientRect())
					.every((box) => box.height > .9 * box.width)`)
				for _, misfit := range eval[[]string](p, misfits) {
					// names on a display end in an ellipsis
					if v.name != "display" || strings.HasPrefix(misfit, "the page scrolls") {
						t.Errorf("%d px wide: %s", size[0], misfit)
					}
				}
				p.picture(fmt.Sprint(size[0]))
			}
		})
	}
}
