package webtest

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"meldhall/engine"
	"meldhall/tournament/screen"
)

// isAsked is true while a question is open.
const isAsked = `!!document.querySelector("#sure[open]")`

// TestBrowserEndTurnIsNotOvertaken checks that End turn, pressed while the connection swallows everything, is the only
// action until the server replies. Otherwise "Draw anyway?" could be asked, and its yes would discard the play.
func TestBrowserEndTurnIsNotOvertaken(t *testing.T) {
	e, game, r, p := linked(t, startChromium(t))
	r.hush(true, true)
	movers[0].lay(p, 0, "O10", "O11", "O12") // the verdict does not arrive
	p.tap("#play")
	p.wait(armed("#draw"))
	p.tapAt(p.middle("#draw"))
	if eval[bool](p, isAsked) {
		t.Error("a question is asked while the turn is being ended")
		p.wait(armed("#sure-yes"))
		p.tapAt(p.middle("#sure-yes"))
	}
	busy := eval[[]string](p, `["draw", "play", "undo", "reset"].filter((id) => !document.getElementById(id).disabled)`)
	if len(busy) > 0 {
		t.Errorf("while the turn is being ended, %q still act", busy)
	}
	p.wait(isLost + ` && document.getElementById("verdict").textContent.includes("Not sent yet")`)
	p.tap(inRack("K4")) // the message about sending stays visible
	if text := eval[string](p, `document.getElementById("verdict").textContent`); text == "" || text[:3] != "Not" {
		t.Errorf("the line says %q", text)
	}
	p.picture("unsent")
	r.hush(false, false)
	p.wait(`document.getElementById("game").dataset.mine === "false" && ` + isLive)
	if got := outcomes(t, e, game); got != (engine.TilesPlayed{}).Kind() {
		t.Errorf("End turn was pressed, and the turn ends with %s", got)
	}
}

// TestBrowserQuestionLapses checks that a question closes when its situation changes, that nothing is sent, and that a
// finger which was about to reply touches nothing else.
func TestBrowserQuestionLapses(t *testing.T) {
	b := startChromium(t)
	pause := func(e *event, game int64) {
		e.referee.must(http.MethodPost, fmt.Sprintf("/games/%d/pause", game),
			map[string]any{"reason": "a break", "key": e.key()}, nil)
	}
	for _, way := range []struct {
		name   string
		before func(r *relay) // before the question
		change func(e *event, game int64, r *relay)
		says   string
	}{
		{"the connection is lost", func(*relay) {}, func(_ *event, _ int64, r *relay) { r.hush(true, true) },
			"Nothing was sent: the connection was lost."},
		{"the connection is back", func(r *relay) { r.hush(true, true) },
			func(_ *event, _ int64, r *relay) { r.hush(false, false) },
			"Nothing was sent: the game changed before you answered."},
		{"the game is paused", func(*relay) {}, func(e *event, game int64, _ *relay) { pause(e, game) },
			"Nothing was sent: the game changed before you answered."},
		{"the turn is over", func(*relay) {}, func(e *event, game int64, _ *relay) { e.draw(0, game) },
			"Nothing was sent: the game changed before you answered."},
	} {
		t.Run(way.name, func(t *testing.T) {
			e, game, r, p := linked(t, b)
			movers[0].lay(p, 0, "O10", "O11", "O12")
			p.wait(`document.querySelectorAll("#table .tag.good").length === 1`)
			way.before(r)
			if way.name == "the connection is back" {
				p.wait(isLost)
			}
			before := outcomes(t, e, game)
			p.tap("#draw")
			p.wait(isAsked)
			if told := eval[bool](p, `!document.getElementById("sure-offline").hidden`); told != eval[bool](p, isLost) {
				t.Errorf("the question says that there is no connection: %v", told)
			}
			p.picture("asked")
			p.wait(armed("#sure-yes"))
			at := p.middle("#sure-yes")
			eval[bool](p, `window.reached = 0, document.querySelector("main").addEventListener("pointerdown",
				() => window.reached++), new MutationObserver(() => `+isAsked+` || (window.closedAt ||= performance.now()))
				.observe(document.getElementById("sure"), { attributes: true }), true`)
			way.change(e, game, r)
			p.wait(`!` + isAsked)
			p.tapAt(at)
			if late := eval[float64](p, `performance.now() - window.closedAt`); late < 600 {
				if eval[int](p, `window.reached`) > 0 {
					t.Error("the tap for the question touches what lies below")
				}
			} else {
				t.Logf("the tap came %v ms late", late)
			}
			p.wait(fmt.Sprintf(`window.said.some((text) => text.includes(%q))`, way.says))
			p.picture("lapsed")
			r.hush(false, false)
			p.wait(isLive)
			if got := outcomes(t, e, game); got != before && way.name != "the turn is over" {
				t.Errorf("the log has %q, want %q", got, before)
			}
		})
	}
}

// TestBrowserQuestionAsksOnce checks that a question is not replaced by another one.
func TestBrowserQuestionAsksOnce(t *testing.T) {
	_, _, p := playing(t, startChromium(t), preparedRacks...)
	movers[0].lay(p, 0, "O10", "O11", "O12")
	p.wait(`document.querySelectorAll("#table .tag.good").length === 1`)
	p.tap("#draw")
	p.wait(isAsked)
	text := `document.getElementById("sure-text").textContent + document.getElementById("sure-yes").textContent`
	was := eval[string](p, text)
	p.wait(armed("#draw"))
	eval[bool](p, `document.getElementById("draw").click(), true`)
	if now := eval[string](p, text); now != was || !eval[bool](p, isAsked) {
		t.Errorf("it asks %q, then %q", was, now)
	}
	p.press("Escape")
	p.wait(`!` + isAsked)
}

// messagesOver lists messages that lie over each other, over a key that acts or outside the screen.
const messagesOver = `(() => {
	const seen = (s) => [...document.querySelectorAll(s)].filter((el) => el.checkVisibility({ visibilityProperty: true }) && !/^inset\(50%/.test(getComputedStyle(el).clipPath)).map((el) => ({ el, box: el.getBoundingClientRect() })).filter(({ box }) => box.width > 2 && box.height > 2);
	const found = [], asked = !!document.querySelector("dialog[open]");
	const messages = seen("#sure, .news-item, #link.lost");
	for (const a of messages) {
		if (a.box.left < -1 || a.box.right > innerWidth + 1 || a.box.top < -1 || a.box.bottom > innerHeight + 1) found.push((a.el.id || a.el.className) + " sticks out of the screen");
		for (const b of [...messages, ...(asked ? [] : seen(".key:not(.again)"))]) {
			if (a === b || a.el.contains(b.el)) continue;
			const wide = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left), high = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top);
			if (wide > 0.5 && high > 0.5) found.push((a.el.id || a.el.className) + " lies over " + (b.el.id || b.el.className) + " by " + Math.round(wide) + " x " + Math.round(high) + " px");
		}
	}
	return found;
})()`

// messageScreens are the screens on which messages must not lie over each other.
var messageScreens = [][2]int64{{1280, 800}, {1024, 768}, {768, 1024}, {390, 844}, {844, 390}, {360, 640}}

// TestBrowserMessagesKeepApart checks that a question, an announcement and the line about the connection lie beside each
// other, and that an announcement that has just appeared ignores taps.
func TestBrowserMessagesKeepApart(t *testing.T) {
	b := startChromium(t)
	e, _, r, p := linked(t, b)
	announce := func(text string) {
		e.organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/announcements", e.id),
			screen.Announce{Level: "urgent", Texts: map[string]string{"en": text}, Minutes: 10}, nil)
	}
	movers[0].lay(p, 0, "O10", "O11", "O12")
	p.wait(`document.querySelectorAll("#table .tag.good").length === 1`)
	t.Run("an announcement that has just appeared ignores taps", func(t *testing.T) {
		within(t, &p.t, &e.t)
		eval[bool](p, `new MutationObserver(() => document.querySelector(".news-close")?.click())
			.observe(document.getElementById("news"), { childList: true }), true`)
		announce("Lunch is served until two.")
		announce("Round 3 begins at a quarter past three in the large hall on the first floor.")
		p.wait(`document.querySelectorAll("[data-news]").length === 2`)
		p.wait(armed(".news-close"))
		at, first := p.middle(".news-close"), time.Now()
		p.tapWhen(at, first)
		p.tapWhen(at, first.Add(250*time.Millisecond))
		p.wait(`document.querySelectorAll("[data-news]").length === 1`)
		p.wait(armed(".news-close"))
		if left := eval[int](p, `document.querySelectorAll("[data-news]").length`); left != 1 {
			t.Errorf("a double tap on Close leaves %d of 2 announcements, want 1", left)
		}
	})
	for _, lost := range []bool{false, true} {
		if lost {
			r.hush(true, true)
			p.wait(isLost)
		}
		for _, size := range messageScreens {
			p.size(size[0], size[1])
			p.wait(fmt.Sprintf(`innerWidth === %d && !document.getElementById("draw").disabled`, size[0]))
			p.frame()
			for _, open := range []bool{false, true} {
				if open {
					p.wait(armed("#draw"))
					eval[bool](p, `document.getElementById("draw").click(), true`)
					p.wait(isAsked)
				}
				name := fmt.Sprintf("%d x %d, lost %v, asked %v", size[0], size[1], lost, open)
				for _, what := range eval[[]string](p, messagesOver) {
					t.Errorf("%s: %s", name, what)
				}
				p.picture(fmt.Sprintf("%dx%d-%v-%v", size[0], size[1], lost, open))
			}
			p.press("Escape")
			p.wait(`!` + isAsked)
		}
	}
}
