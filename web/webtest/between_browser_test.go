package webtest

import (
	"fmt"
	"net/http"
	"testing"

	"meldhall/engine"
	"meldhall/engine/testmode"
	"meldhall/tournament/action"
	"meldhall/tournament/result"
	"meldhall/tournament/rights"
	"meldhall/web/api"
)

// fourTablets are four tablets at one table, in three sizes, before its first game has begun.
type fourTablets struct {
	e          *event
	game, next int64
	screens    [4][2]int64
	tabs       [4]*tab
	first      *tab // of seat 0
}

func newFourTablets(t *testing.T) *fourTablets {
	t.Helper()
	b := startChromium(t)
	d := &fourTablets{screens: [4][2]int64{{1280, 800}, {800, 1280}, {390, 780}, {1280, 800}}}
	d.e, d.game = newPreparedTable(t, "O13 O13 O12 O12 O11 O11", "R9 R10 J R12", "B8 B9 B10 B11 B12", "")
	d.e.start()
	d.next = d.e.round.Tables[0].Games[1].ID
	for seat := range d.tabs {
		d.tabs[seat] = b.tab(t, d.screens[seat][0], d.screens[seat][1])
		if seat > 0 { // one animated tab is enough
			d.tabs[seat].still()
		}
		d.tabs[seat].seat(d.e.http.URL, d.e.at(0, seat).token)
		d.tabs[seat].open(d.e.http.URL + "/play/game")
		d.tabs[seat].wait(`document.getElementById("link").classList.contains("live") &&
			document.getElementById("start-title")`)
	}
	d.first = d.tabs[0]
	return d
}

func (d *fourTablets) pictures(name string) {
	for seat, p := range d.tabs[:3] {
		p.picture(fmt.Sprintf("%s-%d", name, seat))
	}
}

func (d *fourTablets) says(p *tab, selector, text string) {
	p.t.Helper()
	p.wait(fmt.Sprintf(`document.querySelector(%q)?.innerText.includes(%q)`, selector, text))
}

func (d *fourTablets) mine(p *tab) {
	p.t.Helper()
	p.wait(`document.getElementById("game").dataset.mine === "true"`)
}

// TestBrowserBetweenGames plays on four tablets from the start of a game, through a ruling and a call, to its end, its
// count and the start of the next game.
func TestBrowserBetweenGames(t *testing.T) {
	testmode.SkipUnlessLong(t)
	d := newFourTablets(t)
	t.Run("the start says why, who is ready, and asks once before a redeal", d.testStart)
	t.Run("a ruling is told to all until the next turn is over", d.testRuling)
	t.Run("a call is called, on the way, and come", d.testCall)
	t.Run("the end, the count, and what comes next, in sight without scrolling", d.testEnd)
	t.Run("four players agree, all see it, and it is kept", d.testAgreement)
	t.Run("the referee confirms, and the next game asks for its ready key", d.testNextGame)
	for seat, p := range d.tabs {
		if got := p.complaints(); len(got) > 0 {
			t.Errorf("seat %d complained: %q", seat, got)
		}
	}
	checkAudit(t, d.e)
}

func (d *fourTablets) testStart(t *testing.T) {
	d.says(d.first, ".panel.start", "The highest number begins: 13.")
	d.says(d.first, ".readies", "0 of 4 ready")
	if got := eval[int](d.first, `document.querySelectorAll(".doubles .tile").length`); got != 6 {
		t.Errorf("%d tiles of doubles are shown, want 6", got)
	}
	if got := eval[int](d.tabs[1], `document.querySelectorAll(".doubles").length`); got != 0 {
		t.Error("another seat is told of the doubles")
	}
	d.pictures("1-start")
	d.first.tap("#redeal")
	d.says(d.first, "#sure[open] #sure-text", "New tiles")
	d.says(d.first, "#sure-yes", "Yes")
	if deal := d.e.public().view(d.game).Deal; deal != 1 {
		t.Errorf("deal %d after one press", deal)
	}
	d.first.tap("#sure-yes")
	d.says(d.first, ".panel.start", "Deal number 2.")
	d.tabs[1].tap("#ready")
	d.says(d.first, ".readies", "1 of 4 ready")
	for _, seat := range []int{0, 2, 3} {
		d.tabs[seat].tap("#ready")
	}
	d.mine(d.first)
}

func (d *fourTablets) testRuling(t *testing.T) {
	d.e.referee.must(http.MethodPost, fmt.Sprintf("/games/%d/penalty", d.game),
		map[string]any{"seat": 0, "tiles": 2, "reason": "touched the pool", "key": d.e.key()}, nil)
	d.says(d.first, "#told", "you draw 2 tiles. \u2068Touched the pool\u2069")
	d.says(d.tabs[1], "#told", "draws 2 tiles.")
	d.pictures("2-ruling")
	d.e.draw(0, d.game)
	d.mine(d.tabs[1])
	d.says(d.first, "#told", "Touched the pool")
	d.e.draw(1, d.game)
	d.mine(d.tabs[2])
	d.first.wait(`document.getElementById("told").innerText.trim() === ""`)
}

func (d *fourTablets) testCall(t *testing.T) {
	d.first.tap("#call")
	d.says(d.first, "#told", "The referee has been called. The clock keeps running")
	d.says(d.first, "#withdraw-call", "Cancel call")
	d.e.referee.must(http.MethodPost, fmt.Sprintf("/games/%d/acknowledge", d.game),
		map[string]any{"seat": 0, "key": d.e.key()}, nil)
	d.says(d.first, "#told", "the referee, is on the way.")
	d.says(d.first, "#call", "On the way")
	d.pictures("3-call")
	d.e.referee.must(http.MethodPost, fmt.Sprintf("/games/%d/pause", d.game),
		map[string]any{"reason": "a look", "key": d.e.key()}, nil)
	d.says(d.first, "#told", "The clock is stopped.")
	d.e.referee.must(http.MethodPost, fmt.Sprintf("/games/%d/answer", d.game),
		map[string]any{"seat": 0, "key": d.e.key()}, nil)
	d.says(d.first, "#told", "has arrived.")
	d.first.wait(`!document.getElementById("call").disabled`)
	d.e.resume(d.e.referee, d.game)
}

func (d *fourTablets) testEnd(t *testing.T) {
	d.e.referee.must(http.MethodPost, fmt.Sprintf("/games/%d/call-time", d.game),
		map[string]any{"reason": "the slot is over", "key": d.e.key()}, nil)
	d.says(d.first, "#told", "Time has been called: 2 turns to go.")
	d.e.draw(2, d.game)
	d.e.draw(3, d.game)
	for _, p := range d.tabs {
		p.wait(`document.getElementById("result-title")`)
	}
	d.says(d.first, ".own-rank", "of 4")
	d.says(d.first, ".next-line", "game 2 of 4")
	d.says(d.first, ".count-state", "0 of 4 agree")
	d.first.wait(`document.querySelectorAll(".counted .laid-open .tile").length === 15 + 15 + 15 + 17`)
	d.pictures("4-count")
	for seat, p := range d.tabs {
		hidden := eval[[]string](p, `[...document.querySelectorAll("#result-title, .counted, .count-state, .own-rank, .next-line, #agree, #call")].filter((el) => {
				const box = el.getBoundingClientRect();
				return box.bottom > (el.matches("#foot *") ? innerHeight : document.getElementById("foot").getBoundingClientRect().top) + 1 || box.right > innerWidth + 1 || box.height === 0;
			}).map((el) => el.id + el.className)`)
		if len(hidden) > 0 && d.screens[seat][0] > 600 {
			t.Errorf("seat %d: out of sight: %q", seat, hidden)
		}
	}
}

func (d *fourTablets) testAgreement(t *testing.T) {
	for seat, p := range d.tabs {
		p.tap("#agree")
		p.wait(`document.getElementById("agree").disabled`)
		want := fmt.Sprintf("%d of 4 agree", seat+1)
		if seat == 3 {
			want = "all agree"
		}
		d.says(d.first, ".count-state", want)
	}
	d.pictures("5-agreed")
	var count api.CountView
	d.e.referee.must(http.MethodGet, fmt.Sprintf("/games/%d/count", d.game), nil, &count)
	if count.Count.All() != 4 || count.Count.Rev != 1 {
		t.Errorf("the referee reads %+v", count.Count)
	}
}

func (d *fourTablets) testNextGame(t *testing.T) {
	d.e.referee.must(http.MethodPost, fmt.Sprintf("/games/%d/confirm", d.game), result.ConfirmResult{Rev: 1}, nil)
	for _, p := range d.tabs {
		p.wait(`document.getElementById("start-title") && document.getElementById("place").innerText.includes("Game 2 of 4")`)
		p.tap("#ready")
	}
	d.mine(d.first)
	if view := d.e.public().view(d.next); view.Phase != engine.PhasePlaying {
		t.Errorf("the next game is %s", view.Phase)
	}
}

func checkAudit(t *testing.T, e *event) {
	t.Helper()
	entries, err := action.Records(t.Context(), e.store, rights.Staff(rights.RoleReferee, "test"), e.id, 100)
	signed := 0
	for _, entry := range entries {
		if entry.Kind == "result.agree" {
			signed++
		}
	}
	if err != nil || signed != 4 {
		t.Errorf("the audit has %d signatures, %v", signed, err)
	}
}

// TestBrowserRedealInTheFirstTurn checks that if the rules let a player show three doubles until the end of the
// player's first turn, the redeal key stays beside the turn's keys until then and asks for confirmation once.
func TestBrowserRedealInTheFirstTurn(t *testing.T) {
	b := startChromium(t)
	e := newEvent(t, 4, map[string]any{"turn_seconds": 600, "start_seconds": 120, "redeal": "own_first_turn"})
	e.games.Deal = func() engine.Deal { return preparedDeal(t, "K2 K2 B3 B3 O4 O4", "R5 R5 R6 R6 R7 R7") }
	e.start()
	game := e.begin(0)
	mine := `document.getElementById("game").dataset.mine === "true" &&
		document.getElementById("link").classList.contains("live")`
	for _, size := range [][2]int64{{360, 740}, {1280, 800}} {
		p := b.tab(t, size[0], size[1])
		p.seat(e.http.URL, e.at(0, 0).token)
		p.open(e.http.URL + "/play/game")
		p.wait(mine + ` && document.getElementById("redeal").checkVisibility()`)
		for _, misfit := range eval[[]string](p, misfits) {
			t.Error(misfit)
		}
		p.picture(fmt.Sprint(size[0]))
		if size[0] != 1280 {
			continue
		}
		e.draw(0, game)
		p.wait(`!document.getElementById("redeal")`)
	}
	other := b.tab(t, 800, 1280)
	other.seat(e.http.URL, e.at(0, 1).token)
	other.open(e.http.URL + "/play/game")
	other.wait(mine)
	other.tap("#redeal")
	other.wait(`document.querySelector("#sure[open] #sure-yes").textContent.includes("Yes")`)
	other.tap("#sure-yes")
	other.wait(`document.querySelector(".panel.start")?.innerText.includes("Deal number 2.")`)
}
