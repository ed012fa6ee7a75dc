package webtest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"

	"meldhall/tournament/action"
	"meldhall/tournament/people"
	"meldhall/tournament/rights"
	"meldhall/tournament/secret"
	"meldhall/web/view"
)

// reloadPoints returns how many moments a normal run tries; MELDHALL_RELOADS sets another number.
func reloadPoints(t *testing.T) int {
	t.Helper()
	if text := os.Getenv("MELDHALL_RELOADS"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	return 12
}

// A page's draft as the player sees it.
const laidNow = `JSON.stringify([...document.querySelectorAll("#table .cell .tile.laid")].map((tile) => tile.parentElement.id + tile.dataset.face).sort())`

// reloader is a tab of seat 0 that is reloaded at various moments. Each moment brings the page into a state, and the
// draft must be the same after the reload.
type reloader struct {
	e        *event
	game     int64
	r        *relay
	p        *tab
	rng      *rand.Rand
	touching bool   // whether the finger is down
	laid     string // the expected draft; "": the draft before the reload
}

var moments = []struct {
	name string
	at   func(l *reloader)
}{
	{"a tile in the hand", func(l *reloader) { l.some(); l.p.wait(inReach(inRack("K13"))); l.p.tap(inRack("K13")) }},
	{"in the middle of a drag", func(l *reloader) {
		l.some()
		l.laid = eval[string](l.p, laidNow)
		l.touching = true
		l.p.wait(inReach(inRack("R13")))
		from, to := l.p.middle(inRack("R13")), l.p.middle(cell(freeCell(l.p, 3)))
		l.p.touch(input.DispatchTouchEventTypeTouchStart, &from)
		for i := 1.0; i < 5; i++ {
			l.p.touch(input.DispatchTouchEventTypeTouchMove,
				&point{from.X + (to.X-from.X)*i/5, from.Y + (to.Y-from.Y)*i/5})
		}
	}},
	{"after a drop, before the answer", func(l *reloader) { l.some() }},
	{"after the answer",
		func(l *reloader) { l.some(); l.p.wait(`document.querySelectorAll("#table .tag").length > 0`) }},
	{"after an undo, before the answer", func(l *reloader) { l.some(); l.p.tap("#undo") }},
	{"after a reset, before the answer", func(l *reloader) { l.some(); l.p.tap("#reset") }},
	{"without a network while tiles are laid", func(l *reloader) {
		l.r.hush(true, true)
		l.some()
		l.laid = eval[string](l.p, laidNow)
		l.r.hush(false, false)
	}},
	{"while the game is paused", func(l *reloader) {
		l.some()
		l.laid = eval[string](l.p, laidNow)
		l.e.referee.must(http.MethodPost, fmt.Sprintf("/games/%d/pause", l.game),
			map[string]any{"reason": "test", "key": l.e.key()}, nil)
	}},
	{"in another player's turn",
		func(l *reloader) { l.draw(); l.p.wait(`document.getElementById("game").dataset.mine === "false"`) }},
	{"after a turn was sent, before the answer", func(l *reloader) { l.draw() }},
}

// inReach returns an expression that is true if the middle of an element can be touched, with nothing gliding over it.
func inReach(selector string) string {
	return `((el) => { const box = el?.getBoundingClientRect(); const top = box && document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
		return top && (el.contains(top) || top.contains(el)); })(document.querySelector(` + strconv.Quote(selector) + `))`
}

// some lays a few tiles at random.
func (l *reloader) some() {
	l.p.t.Helper()
	sets := [][]string{{"O10", "O11", "O12"}, {"K4", "K5", "K6"}, {"B1", "R1", "O1"}, {"B10"}, {"R11", "O13"}}
	for _, i := range l.rng.Perm(len(sets))[:1+l.rng.IntN(2)] {
		for _, face := range sets[i] {
			l.p.wait(inReach(inRack(face)))
		}
		movers[0].lay(l.p, freeCell(l.p, 5)+l.rng.IntN(2), sets[i]...)
	}
}

// draw ends the turn by drawing a tile.
func (l *reloader) draw() {
	l.p.t.Helper()
	l.laid = "[]"
	l.p.tap("#draw")
}

// again plays on to seat 0's next turn, or clears the draft of the current one.
func (l *reloader) again() {
	l.p.t.Helper()
	view := l.e.public().view(l.game)
	if view.Paused != nil {
		l.e.resume(l.e.referee, l.game)
	}
	for ; view.Turn.Seat != 0; view = l.e.public().view(l.game) {
		l.e.draw(view.Turn.Seat, l.game)
	}
	l.p.wait(myTurn)
	if eval[string](l.p, laidNow) != "[]" {
		l.p.tap("#reset")
		l.p.wait(laidNow + ` === "[]"`)
	}
}

func TestBrowserReloadsAtAnyMoment(t *testing.T) {
	b := startChromium(t)
	e, game, r, p := linked(t, b)
	l := &reloader{e: e, game: game, r: r, p: p, rng: rand.New(rand.NewPCG(7, 11))}
	points, met := reloadPoints(t), map[string]int{}
	for i := range points {
		m := moments[i%len(moments)]
		if i >= len(moments) {
			m = moments[l.rng.IntN(len(moments))]
		}
		done := t.Run(fmt.Sprintf("%d %s", i, m.name), func(t *testing.T) {
			within(t, &p.t, &e.t)
			l.laid = ""
			m.at(l)
			if l.laid == "" {
				l.laid = eval[string](p, laidNow)
			}
			p.reload()
			if l.touching {
				l.touching = false
				p.touch(input.DispatchTouchEventTypeTouchEnd, nil)
			}
			p.wait(isLive)
			p.wait(laidNow + ` === ` + strconv.Quote(l.laid))
			if paused := e.public().view(game).Paused != nil; paused {
				e.resume(e.referee, game)
				p.wait(myTurn)
				p.wait(laidNow + ` === ` + strconv.Quote(l.laid))
			}
			l.again()
			met[m.name]++
		})
		if !done {
			break // the next moment would start in a broken state
		}
	}
	kept := 0
	for _, n := range met {
		kept += n
	}
	t.Logf("loaded anew at %d moments, drafts lost: %d; %v", points, points-kept, met)
	if got := accepted(p); strings.Contains(outcomes(t, e, game), "tiles_played") {
		t.Errorf("tiles were played that nobody has sent: %q", got)
	}
}

// TestBrowserSleepsAndWakes checks that a tablet that wakes shows the right board and clock within a second. With
// MELDHALL_RELOADS=1 it sleeps for up to 90 s.
func TestBrowserSleepsAndWakes(t *testing.T) {
	b := startChromiumTimed(t)
	e, game, _, p := linked(t, b)
	movers[0].lay(p, 0, "O10", "O11", "O12")
	p.wait(opening)
	sleeps := []time.Duration{time.Second}
	if long() {
		sleeps = []time.Duration{5 * time.Second, 30 * time.Second, 90 * time.Second}
	}
	for _, asleep := range sleeps {
		p.freeze(true)
		time.Sleep(asleep)
		e.referee.must(http.MethodPost, fmt.Sprintf("/games/%d/time", game),
			map[string]any{"seconds": -100, "reason": "test", "key": e.key()}, nil)
		view := e.public().view(game)
		p.freeze(false)
		took := p.within("the right board", backWithin,
			fmt.Sprintf(`document.getElementById("game").dataset.seq === "%d" && `, view.Seq)+isLive)
		left := float64(view.Turn.Due)/1000 - float64(time.Now().UnixMilli())/1000
		if shown := eval[float64](p, `Number(document.querySelector("#clock .digits").textContent)`); shown < left-2 ||
			shown > left+2 {
			t.Errorf("the clock shows %v, want about %.1f", shown, left)
		}
		p.wait(opening)
		t.Logf("awake after %v: the right board and clock after %d ms", asleep, took.Milliseconds())
	}
}

func TestBrowserServerIsStartedAgainWithANewRelease(t *testing.T) {
	b := startChromiumTimed(t)
	e, game, r, p := linked(t, b)
	movers[0].lay(p, 0, "O10", "O11", "O12")
	p.wait(`document.querySelectorAll("#table .tag.good").length === 1`)
	eval[bool](p, `window.mark = true`)
	r.vanish(true)
	p.wait(isLost)
	e.restart(t)
	const newer = "/assets/0123456789abcdef"
	older := e.server.View.Build
	e.server.View.Build = newer // safe, as no request arrives yet
	r.instead(func(_ http.ResponseWriter, q *http.Request) bool {
		if name, ok := strings.CutPrefix(q.URL.Path, newer); ok {
			q.URL.Path = older + name
		}
		return false
	})
	r.vanish(false)
	took := p.within("the way back", backWithin, isLive+" && "+opening)
	t.Logf("back %d ms after the server", took.Milliseconds())
	e.resume(e.referee, game)
	p.wait(myTurn + " && " + opening)
	p.wait(`document.getElementById("verdict").textContent.includes("33")`)
	for state := (view.LiveState{}); state.Draft == nil ||
		len(state.Draft.Table) != 1; time.Sleep(20 * time.Millisecond) {
		// the other players see the draft again
		e.at(0, 1).must(http.MethodGet, fmt.Sprintf("/games/%d", game), nil, &state)
	}
	if !eval[bool](p, `window.mark === true`) {
		t.Error("the page was loaded anew in the player's own turn")
	}
	p.tap("#play")
	p.wait(`document.readyState === "complete" && !window.mark &&
		document.querySelector("link[rel=icon]").getAttribute("href").startsWith("` + newer + `")`)
	p.wait(isLive +
		` && document.querySelectorAll("#rack .tile").length === 11 &&
			document.querySelectorAll("#table .tile").length === 3`)
	eval[bool](p, `window.mark = true`)
	e.draw(1, game)
	p.wait(`document.getElementById("seat2").classList.contains("turn")`)
	if !eval[bool](p, `window.mark === true`) {
		t.Error("the page was loaded anew twice")
	}
}

func TestBrowserTwoPagesOfOneSeat(t *testing.T) {
	b := startChromium(t)
	e, game, r, p := linked(t, b)
	movers[0].lay(p, 0, "O10", "O11", "O12")
	p.wait(`document.querySelectorAll("#table .tag.good").length === 1`)
	const covered = `document.getElementById("elsewhere").open`
	q := b.beside(p, 1280, 800)
	q.open(r.url + "/play/game")
	q.wait(myTurn + " && " + opening)
	t.Run("the older page is told, and cannot send", func(t *testing.T) {
		within(t, &p.t)
		p.front()
		p.wait(covered)
		p.picture("elsewhere")
		for _, violation := range barriers(p, axeScript(t)) {
			t.Error(violation)
		}
		sent := eval[string](p, fmt.Sprintf(`fetch("/play/game/%d/draw", { method: "POST", headers: { "Content-Type": "application/json", Accept: "application/json", "X-Tab": document.getElementById("live").dataset.tab },
			body: JSON.stringify({ turn: Number(document.getElementById("game").dataset.turn), key: "an-older-page" }) }).then((r) => r.json()).then((a) => a.code)`, game))
		if sent != "err_elsewhere" || outcomes(t, e, game) != "" {
			t.Errorf("got %q, log %q", sent, outcomes(t, e, game))
		}
	})
	t.Run("one tap plays here again, with the draft, and the other page is told", func(t *testing.T) {
		within(t, &p.t, &q.t)
		p.tap("#play-here")
		p.wait(myTurn + " && " + opening + " && !" + covered)
		q.front()
		q.wait(covered)
		p.front()
		p.tap("#play")
		p.wait(`document.getElementById("game").dataset.mine === "false" &&
			document.querySelectorAll("#rack .tile").length === 11`)
		if got := outcomes(t, e, game); got != "tiles_played" {
			t.Errorf("got %q", got)
		}
	})
	t.Run("a page that is closed gives the seat back to the other", func(t *testing.T) {
		within(t, &p.t, &q.t)
		p.open("about:blank")
		q.front()
		q.wait("!" + covered)
		q.tap("#by-number")
		q.wait(isLive + " && !" + covered)
	})
}

func TestBrowserTwoDevicesOfOneSeat(t *testing.T) {
	b := startChromium(t)
	e, _, r, p := linked(t, b)
	p.atStart(`Object.defineProperty(navigator, "getBattery", { value: async () => ({ level: 0.15, charging: false, addEventListener() {} }) })`)
	p.reload()
	t.Run("a low battery is told to the referee", func(t *testing.T) {
		within(t, &p.t)
		floor := b.tab(t, 1280, 800)
		floor.cookie(e.http.URL, "meldhall-staff", e.referee.token)
		floor.open(e.http.URL + "/referee/1")
		floor.wait(`document.querySelector("main").innerText.includes("battery 15%")`)
	})
	p.wait(myTurn)
	movers[0].lay(p, 0, "O10", "O11", "O12")
	p.wait(`document.querySelectorAll("#table .tag.good").length === 1`)
	take := func(p *tab) {
		p.t.Helper()
		code, err := action.Do(context.Background(), e.desk, rights.Staff(rights.RoleReferee, "test"),
			people.ReissueCode{Table: e.round.Tables[0].ID, Seat: 0})
		if err != nil {
			p.t.Fatal(err)
		}
		p.open(r.url + "/join/" + secret.SpellCode(code))
		p.tap(".take-seat")
		p.wait(`location.pathname === "/play/game" && ` + myTurn)
	}
	other := b.tab(t, 1280, 800)
	take(other)
	other.wait(opening)
	p.wait(`location.pathname === "/join" && document.body.innerText.includes("another device has taken it")`)
	movers[0].lay(other, 13, "K4", "K5", "K6")
	other.wait(`document.querySelectorAll("#table .tag.good").length === 2`)
	take(p) // the first device still stores its own, older draft
	p.wait(`document.querySelectorAll("#table .tile.laid").length === 6`)
	other.wait(`location.pathname === "/join"`)
}
