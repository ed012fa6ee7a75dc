package webtest

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"meldhall/engine"
	"meldhall/tournament/export"
)

// A page must report a lost connection within 3 s and be up to date 1 s after it returns (see held).
const (
	saidWithin = 3 * time.Second
	backWithin = time.Second
)

// linked returns a tab of seat 0 in its first turn, behind a relay. It records every text of the verdict line in
// window.said.
func linked(t *testing.T, b *chromium) (*event, int64, *relay, *tab) {
	t.Helper()
	e, game := newPreparedTable(t, preparedRacks...)
	e.start()
	e.readyBut(0, game)
	r := newRelay(t, e.hall)
	p := b.tab(t, 1280, 800)
	p.still()
	p.atStart(`window.said = []; document.addEventListener("DOMContentLoaded", () => new MutationObserver(() => {
		const text = document.getElementById("verdict")?.textContent.trim();
		if (text && window.said[window.said.length - 1] !== text) window.said.push(text);
	}).observe(document.body, { subtree: true, childList: true, characterData: true }))`)
	p.seat(r.url, e.at(0, 0).token)
	p.open(r.url + "/play/game")
	p.wait(myTurn)
	return e, game, r, p
}

const (
	isLive = `document.getElementById("link").classList.contains("live")`
	isLost = `document.getElementById("link").classList.contains("lost")`
	myTurn = `document.getElementById("game").dataset.mine === "true" && ` + isLive
)

// opening is true when three sets of 33 points from seat 0's rack are laid out.
const opening = `document.querySelectorAll("#table .tile.laid").length === 3 &&
	document.querySelectorAll("#rack .tile").length === 11`

// long reports whether to try all variants, which takes minutes.
func long() bool { return os.Getenv("MELDHALL_RELOADS") != "" }

// within waits for a condition, checks the time against a limit and returns it.
func (p *tab) within(what string, limit time.Duration, expression string) time.Duration {
	p.t.Helper()
	began := time.Now()
	p.wait(expression)
	took := time.Since(began)
	held(p.t, what, took, limit)
	return took
}

// breaks lists the ways in which a network fails and returns.
var breaks = []struct {
	name       string
	lose, back func(r *relay, p *tab)
}{
	{"the network swallows everything", func(r *relay, _ *tab) { r.hush(true, true) },
		func(r *relay, _ *tab) { r.hush(false, false) }},
	{"nothing comes from the server any more", func(r *relay, _ *tab) { r.hush(false, true) },
		func(r *relay, _ *tab) { r.hush(false, false) }},
	{"connections break and are refused", func(r *relay, _ *tab) { r.vanish(true) },
		func(r *relay, _ *tab) { r.vanish(false) }},
	{"connections hang and then break", func(r *relay, _ *tab) { r.hush(true, true) },
		func(r *relay, _ *tab) { r.cut(); r.hush(false, false) }},
	{"the device has no network", func(_ *relay, p *tab) { p.offline(true) },
		func(_ *relay, p *tab) { p.offline(false) }},
}

func TestBrowserSaysALostConnection(t *testing.T) {
	b := startChromiumTimed(t)
	e, game, r, p := linked(t, b)
	for i, way := range breaks {
		t.Run(way.name, func(t *testing.T) {
			within(t, &p.t, &e.t)
			p.wait(myTurn)
			way.lose(r, p)
			said := p.within("the lost connection", saidWithin, isLost)
			if text := eval[string](p, `document.getElementById("link").innerText`); !strings.Contains(text,
				"Connection lost since ") || !strings.Contains(text, "Stay on this page") {
				t.Errorf("it says %q", text)
			}
			p.picture("lost")
			movers[0].lay(p, 0, "O10", "O11", "O12") // a player continues during their own turn
			p.wait(opening)
			time.Sleep(time.Duration(i%3) * 700 * time.Millisecond) // varies the phase of the retries
			e.referee.must(http.MethodPost, fmt.Sprintf("/games/%d/time", game),
				map[string]any{"seconds": 5, "reason": "test", "key": e.key()}, nil)
			seq := e.public().view(game).Seq
			way.back(r, p)
			back := p.within("the way back", backWithin,
				fmt.Sprintf(`%s && document.getElementById("game").dataset.seq === "%d"`, isLive, seq))
			t.Logf("%s: said after %d ms, everything there %d ms after the return", way.name, said.Milliseconds(),
				back.Milliseconds())
			p.wait(opening)
			p.wait(`document.querySelectorAll("#table .tag.good").length === 1`)
			p.wait(`document.getElementById("verdict").textContent.includes("33")`)
			p.tap("#reset")
			p.wait(`document.querySelectorAll("#table .tile").length === 0`)
		})
	}
	t.Run("in another one's turn", func(t *testing.T) {
		within(t, &p.t, &e.t)
		e.draw(0, game)
		p.wait(`document.getElementById("game").dataset.mine === "false"`)
		r.hush(true, true)
		p.within("the lost connection", saidWithin, isLost)
		e.draw(1, game)
		e.draw(2, game)
		r.hush(false, false)
		back := p.within("the way back", backWithin,
			fmt.Sprintf(`%s && document.getElementById("game").dataset.seq === "%d"`, isLive,
				e.public().view(game).Seq))
		t.Logf("everything there %d ms after the return", back.Milliseconds())
		p.wait(`document.getElementById("seat3").classList.contains("turn") &&
			document.querySelectorAll("#rack .tile").length === 15`)
	})
}

// outcomes returns the event kinds of seat 0's turn in the log so far.
func outcomes(t *testing.T, e *event, game int64) string {
	t.Helper()
	exported, err := export.OfGame(context.Background(), e.store, game)
	if err != nil {
		t.Fatal(err)
	}
	var kinds []string
	for _, record := range exported.Events {
		switch record.Kind {
		case engine.TilesPlayed{}.Kind(), engine.TileDrawn{}.Kind(), engine.TurnExpired{}.Kind():
			kinds = append(kinds, record.Kind)
		}
	}
	return strings.Join(kinds, " ")
}

// accepted returns all messages that sound like acceptance.
func accepted(p *tab) []string {
	p.t.Helper()
	return eval[[]string](p, `window.said.filter((text) => /accept/i.test(text))`)
}

func TestBrowserSendsUntilAnswered(t *testing.T) {
	b := startChromium(t)
	isPlay := func(q *http.Request) bool { return strings.HasSuffix(q.URL.Path, "/play") }
	for _, way := range []struct {
		name       string
		lose, back func(r *relay, p *tab)
		says       string // shown until the server responds
		ends       bool   // the turn ends meanwhile
		often      bool   // part of every run
	}{
		{"the network swallows it", breaks[0].lose, breaks[0].back, "Not sent yet.", false, false},
		{"the answer is lost", breaks[1].lose, breaks[1].back, "Not sent yet.", false, true},
		{"connections break", breaks[2].lose, breaks[2].back, "Not sent yet.", false, false},
		{"the device has no network", breaks[4].lose, breaks[4].back, "Not sent yet.", false, false},
		{"the time runs out meanwhile", breaks[0].lose, breaks[0].back, "Not sent yet.", true, true},
		{"the server fails", func(r *relay, _ *tab) {
			r.instead(func(w http.ResponseWriter, q *http.Request) bool {
				if isPlay(q) {
					http.Error(w, `{"code":"err_internal","message":"accepted, nearly"}`,
						http.StatusInternalServerError)
				}
				return isPlay(q)
			})
		}, func(r *relay, _ *tab) { r.instead(nil) }, "No answer yet", false, true},
		{"somebody else answers", func(r *relay, _ *tab) {
			r.instead(func(w http.ResponseWriter, q *http.Request) bool {
				if isPlay(q) {
					_, _ = w.Write([]byte("<h1>Welcome to the hotel's network. Terms accepted?</h1>"))
				}
				return isPlay(q)
			})
		}, func(r *relay, _ *tab) { r.instead(nil) }, "No answer yet", false, false},
	} {
		if !way.often && !long() {
			continue
		}
		t.Run(way.name, func(t *testing.T) {
			e, game, r, p := linked(t, b)
			movers[0].lay(p, 0, "O10", "O11", "O12")
			p.wait(`document.querySelectorAll("#table .tag.good").length === 1`)
			way.lose(r, p)
			p.tap("#play")
			p.wait(`document.getElementById("verdict").textContent.includes(` + fmt.Sprintf("%q", way.says) + `)`)
			p.picture("unsent")
			if way.ends {
				e.referee.must(http.MethodPost, fmt.Sprintf("/games/%d/time", game),
					map[string]any{"seconds": -600, "reason": "test", "key": e.key()}, nil)
				for outcomes(t, e, game) == "" {
					time.Sleep(20 * time.Millisecond)
				}
			}
			if got := accepted(p); len(got) > 0 {
				t.Errorf("it says %q before the server has answered", got)
			}
			way.back(r, p)
			p.wait(`document.getElementById("game").dataset.mine === "false" && ` + isLive)
			p.wait(`document.getElementById("undo").disabled && document.getElementById("reset").disabled`)
			want := engine.TilesPlayed{}.Kind()
			if way.ends {
				want = engine.TurnExpired{}.Kind()
				p.wait(`window.said.some((text) => text.includes("It was not sent in time"))`)
				p.wait(`document.getElementById("last").textContent.includes("Time’s up: tiles returned, 3 drawn.") &&
					document.querySelectorAll("#rack .tile").length === 17`)
			} else {
				p.wait(`window.said.some((text) => text.includes("Accepted: 3 tiles laid."))`)
				p.wait(`window.said.includes("Sent…")`)
				p.wait(`document.querySelectorAll("#rack .tile").length === 11 &&
					document.querySelectorAll("#table .tile").length === 3`)
			}
			p.wait(`!document.getElementById("verdict").classList.contains("sent")`)
			if got := accepted(p); way.ends && len(got) > 0 {
				t.Errorf("it says %q", got)
			}
			if got := outcomes(t, e, game); got != want {
				t.Errorf("got %s, want one %s", got, want)
			}
			t.Logf("%s: it said %q", way.name, eval[[]string](p, "window.said"))
		})
	}
}
