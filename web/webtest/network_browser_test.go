package webtest

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"meldhall/engine"
	"meldhall/web/api"
)

// TestBrowserOnASlowNetwork plays turns over slow, unsteady and narrow networks. A play is never shown as accepted
// before the response, happens once, and the clock stays right.
func TestBrowserOnASlowNetwork(t *testing.T) {
	b := startChromium(t)
	for _, w := range []struct {
		name string
		is   weather
	}{
		{"150 ms, 50 more or less", weather{delay: 150 * time.Millisecond, jitter: 50 * time.Millisecond}},
		{"500 ms, 400 more or less", weather{delay: 500 * time.Millisecond, jitter: 400 * time.Millisecond}},
		{"100 ms and 8 KiB a second", weather{delay: 100 * time.Millisecond, bytes: 8 << 10}},
	} {
		t.Run(w.name, func(t *testing.T) {
			e, game, r, p := linked(t, b)
			r.is(w.is)
			p.reload()
			p.wait(myTurn)
			sample := eval[[]float64](p, sampleClock)
			slices.Sort(sample)
			movers[0].lay(p, 0, "O10", "O11", "O12")
			p.wait(`document.querySelectorAll("#table .tag.good").length === 1`)
			p.tap("#play")
			sent := time.Now()
			for outcomes(t, e, game) == "" {
				if got := accepted(p); len(got) > 0 && outcomes(t, e, game) == "" {
					t.Fatalf("it says %q before the log has it", got)
				}
				time.Sleep(10 * time.Millisecond)
			}
			p.wait(`window.said.some((text) => text.includes("Accepted: 3 tiles laid."))`)
			took := time.Since(sent)
			e.draw(1, game)
			seen := p.within("another's turn", backWithin,
				fmt.Sprintf(`document.getElementById("game").dataset.seq === "%d"`, e.public().view(game).Seq))
			lost := eval[int](p, `window.said.filter((text) => text.includes("Connection lost")).length`)
			late := 1e9
			if len(sample) > 0 {
				late = sample[len(sample)*95/100]
			}
			t.Logf("accepted is shown after %v, another's turn after %v; the clock is wrong by %.0f ms at p95; %d times said to be lost",
				took.Round(time.Millisecond), seen.Round(time.Millisecond), late, lost)
			// the delay of each direction cannot be measured
			if most := float64((250*time.Millisecond + w.is.delay + w.is.jitter).Milliseconds()); late > most {
				t.Errorf("the clock is wrong by %.0f ms, more than %.0f", late, most)
			}
			if got := outcomes(t, e, game); got != "tiles_played tile_drawn" {
				t.Errorf("the log has %s", got)
			}
		})
	}
}

// TestBrowserStreamsThatDieInSilence checks that no stream stays dead if connections die without notice while the
// tablet sleeps or lies open, as with Safari and access points.
func TestBrowserStreamsThatDieInSilence(t *testing.T) {
	b := startChromiumTimed(t)
	e, game, r, p := linked(t, b)
	cycles, rng := 6, rand.New(rand.NewPCG(22, 1))
	if long() {
		cycles = 20
	}
	var all []time.Duration
	for i := range cycles {
		hidden := i%2 == 0
		if hidden {
			p.freeze(true)
			time.Sleep(time.Duration(rng.IntN(1500)) * time.Millisecond)
		}
		r.forget()
		e.referee.must(http.MethodPost, fmt.Sprintf("/games/%d/time", game),
			map[string]any{"seconds": 1, "reason": "test", "key": e.key()}, nil)
		if hidden {
			p.freeze(false)
		}
		all = append(all, p.within(fmt.Sprintf("cycle %d: the right board", i), saidWithin+backWithin,
			fmt.Sprintf(`document.getElementById("game").dataset.seq === "%d" && %s`, e.public().view(game).Seq,
				isLive)))
	}
	slices.Sort(all)
	t.Logf("%d cycles, dead streams 0; the right board after %v in the middle, %v at most", cycles,
		all[len(all)/2].Round(time.Millisecond), all[len(all)-1].Round(time.Millisecond))
}

// TestBrowserTenSecondsWithoutANetworkAtTheSubmit sends a play while the network is down for ten seconds. It is never
// shown as accepted meanwhile and is sent by itself afterwards, once with time left and once after the turn has ended,
// which the referee is told.
func TestBrowserTenSecondsWithoutANetworkAtTheSubmit(t *testing.T) {
	b := startChromium(t)
	for _, expires := range []bool{false, true} {
		t.Run(fmt.Sprintf("the turn is over meanwhile: %v", expires), func(t *testing.T) {
			e, game, r, p := linked(t, b)
			movers[0].lay(p, 0, "O10", "O11", "O12")
			p.wait(`document.querySelectorAll("#table .tag.good").length === 1`)
			if expires {
				e.leave(game, 6)
				p.wait(fmt.Sprintf(`document.getElementById("game").dataset.seq === "%d"`, e.public().view(game).Seq))
			}
			r.hush(true, true)
			gone := time.Now()
			p.tap("#play")
			p.wait(`document.getElementById("verdict").textContent.includes("Not sent yet.")`)
			for time.Since(gone) < 10*time.Second || expires && outcomes(t, e, game) == "" {
				if got := accepted(p); len(got) > 0 {
					t.Fatalf("%v after the network was lost it says %q", time.Since(gone), got)
				}
				time.Sleep(100 * time.Millisecond)
			}
			turn := e.public().view(game).Turn.Number
			r.hush(false, false)
			says, want := "Accepted: 3 tiles laid.", engine.TilesPlayed{}.Kind()
			if expires {
				says, want = "It was not sent in time", engine.TurnExpired{}.Kind()
			}
			took := p.within("the answer", 2*backWithin, fmt.Sprintf(`window.said.some((text) => text.includes(%q))`,
				says))
			if got := outcomes(t, e, game); got != want {
				t.Errorf("the log has %s, want %s", got, want)
			}
			if expires {
				var known api.TurnEvidence
				e.referee.must(http.MethodGet, fmt.Sprintf("/games/%d/turns/%d/evidence", game, turn-1), nil, &known)
				late := func(m api.TurnMoment) bool {
					return m.Kind == "refused" && m.Tried != nil &&
						m.At > known.Ended
				}
				if !slices.ContainsFunc(known.Moments, late) {
					t.Errorf("the referee is told nothing of it: %+v", known.Moments)
				}
			}
			t.Logf("wrongly accepted 0; %q %v after the network was back", says, took.Round(time.Millisecond))
		})
	}
}

// TestBrowserAMinuteWithoutANetwork checks a tablet without a network for a whole turn of one minute. The referee sees
// it after 8 s, the turn expires by the rules, the referee gives it back, and the tablet continues when the network
// returns.
func TestBrowserAMinuteWithoutANetwork(t *testing.T) {
	b := startChromiumTimed(t)
	e, game, r, p := linked(t, b)
	floor := b.tab(t, 1280, 800)
	floor.cookie(e.http.URL, "meldhall-staff", e.referee.token)
	floor.open(fmt.Sprintf("%s/referee/%d", e.http.URL, e.id))
	floor.wait(isLive)
	e.leave(game, 40)
	turn := e.public().view(game).Turn.Number
	p.wait(fmt.Sprintf(`document.getElementById("game").dataset.seq === "%d"`, e.public().view(game).Seq))
	name := e.round.Tables[0].Seats[0].Player.Name
	r.hush(true, true)
	gone := time.Now()
	floor.wait(fmt.Sprintf(`[...document.querySelectorAll("li.off")].some((li) => li.textContent.includes(%q))`, name))
	alert := time.Since(gone)
	if alert > 20*time.Second {
		t.Errorf("the referee sees it after %v", alert)
	}
	for outcomes(t, e, game) == "" && time.Since(gone) < 2*time.Minute {
		time.Sleep(100 * time.Millisecond)
	}
	ran := time.Since(gone)
	if got := outcomes(t, e, game); got != (engine.TurnExpired{}).Kind() {
		t.Fatalf("the log has %q", got)
	}
	e.referee.must(http.MethodPost, fmt.Sprintf("/games/%d/rewind", game),
		map[string]any{"turn": turn, "reason": "no network", "key": e.key()}, nil)
	view := e.public().view(game)
	if view.Paused != nil {
		e.resume(e.referee, game)
	}
	time.Sleep(time.Until(gone.Add(time.Minute)))
	r.hush(false, false)
	back := p.within("the way back", 2*backWithin,
		myTurn+fmt.Sprintf(` && Number(document.getElementById("game").dataset.seq) >= %d &&
			document.querySelectorAll("#rack .tile").length === 14`, view.Seq))
	t.Logf("seen by the referee after %v, the turn ran out after %v, given back; everything there %v after the return",
		alert.Round(time.Millisecond), ran.Round(time.Millisecond), back.Round(time.Millisecond))
}

// TestBrowserAccessPointStartsAgain checks that if all tablets of a table lose the network at once, the floor page
// names them all and proposes to stop all clocks with one ruling, and that no turn is lost.
func TestBrowserAccessPointStartsAgain(t *testing.T) {
	b := startChromiumTimed(t)
	e, game, r, first := linked(t, b)
	tabs := []*tab{first}
	for seat := 1; seat < 4; seat++ {
		p := b.tab(t, 390, 780)
		p.still()
		p.seat(r.url, e.at(0, seat).token)
		p.open(r.url + "/play/game")
		p.wait(isLive)
		tabs = append(tabs, p)
	}
	floor := b.tab(t, 1280, 800)
	floor.cookie(e.http.URL, "meldhall-staff", e.organizer.token)
	floor.open(fmt.Sprintf("%s/referee/%d", e.http.URL, e.id))
	floor.wait(isLive)
	e.leave(game, 60)
	r.vanish(true)
	gone := time.Now()
	floor.wait(`document.querySelectorAll("li.off").length === 4`)
	seen := time.Since(gone)
	floor.taps = 0
	floor.wait(`document.querySelector(".dropped")?.textContent.includes("4 of 4 tablets were lost at once")`)
	floor.picture("dropped")
	proposed := time.Since(gone)
	floor.tap(floor.reach(".dropped a"))
	floor.wait(`document.querySelector("#rule[open] #rule-go")`)
	floor.tap("#rule-go")
	soon(t, func() bool { return e.public().view(game).Paused != nil })
	stood := time.Since(gone)
	time.Sleep(time.Until(gone.Add(65 * time.Second))) // the turn would have expired by now
	if got := outcomes(t, e, game); got != "" {
		t.Fatalf("the log has %q", got)
	}
	r.vanish(false)
	back := time.Now()
	for _, p := range tabs {
		p.wait(isLive)
	}
	took := time.Since(back)
	e.resume(e.organizer, game)
	first.wait(myTurn)
	held(t, "all four back", took, 4*backWithin)
	if got := outcomes(t, e, game); got != "" {
		t.Errorf("the log has %q", got)
	}
	t.Logf("the floor names all four after %v and proposes a pause after %v, the clocks stand after %v and %d taps; turns lost 0; all are live %v after the return",
		seen.Round(time.Millisecond), proposed.Round(time.Millisecond), stood.Round(time.Millisecond), floor.taps,
		took.Round(time.Millisecond))
}

// TestBrowserPageOfAnEarlierGame checks a page that sleeps through the end of its game and the start of the next. Its
// late requests are rejected, and it opens the current game by itself.
func TestBrowserPageOfAnEarlierGame(t *testing.T) {
	b := startChromium(t)
	e, game, r, p := linked(t, b)
	next := e.round.Tables[0].Games[1].ID
	r.hush(true, true)
	turn := e.public().view(game).Turn.Number
	e.playOut(t, game)
	e.confirmed(game)
	status, _, _ := e.at(0, 0).send(http.MethodPost, fmt.Sprintf("/games/%d/draw", game),
		map[string]any{"turn": turn, "key": e.key()})
	if status != http.StatusConflict {
		t.Errorf("a move in a game that is over is answered %d", status)
	}
	before := e.public().view(game).Seq
	r.hush(false, false)
	took := p.within("the game of now", 2*backWithin,
		fmt.Sprintf(`document.getElementById("game")?.dataset.game === "%d" || location.pathname !== "/play/game" ||
			document.getElementById("start-title")`, next))
	if after := e.public().view(game).Seq; after != before || strings.Contains(outcomes(t, e, next), "played") {
		t.Errorf("the log went on from %d to %d", before, after)
	}
	t.Logf("taken 0; at the game of now after %v", took.Round(time.Millisecond))
}
