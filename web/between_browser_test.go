package web

import (
	"fmt"
	"net/http"
	"testing"

	"meldhall/engine"
	"meldhall/tournament/rights"
)

// TestBrowserBetweenGames goes from the start of a game over a ruling and a call to its end, its count, and the start
// of the next one, on four tablets.
func TestBrowserBetweenGames(t *testing.T) {
	b := startChromium(t)
	e, game := newPreparedTable(t, "O13 O13 O12 O12 O11 O11", "R9 R10 J R12", "B8 B9 B10 B11 B12", "")
	e.start()
	next := e.round.Tables[0].Games[1].ID
	screens := [4][2]int64{{1280, 800}, {800, 1280}, {390, 780}, {1280, 800}}
	var tabs [4]*tab
	for seat := range tabs {
		tabs[seat] = b.tab(t, screens[seat][0], screens[seat][1])
		tabs[seat].seat(e.http.URL, e.at(0, seat).token)
		tabs[seat].open(e.http.URL + "/play/game")
		tabs[seat].wait(`document.getElementById("link").classList.contains("live") && document.getElementById("start-title")`)
	}
	pictures := func(name string) {
		for seat, p := range tabs[:3] {
			p.picture(fmt.Sprintf("%s-%d", name, seat))
		}
	}
	says := func(p *tab, selector, text string) {
		p.t.Helper()
		p.wait(fmt.Sprintf(`document.querySelector(%q)?.innerText.includes(%q)`, selector, text))
	}
	mine := func(p *tab) {
		p.t.Helper()
		p.wait(`document.getElementById("game").dataset.mine === "true"`)
	}
	first := tabs[0]
	t.Run("the start says why, who is ready, and asks once before a redeal", func(t *testing.T) {
		says(first, ".panel.start", "The highest number begins: 13.")
		says(first, ".readies", "0 of 4 ready")
		if got := eval[int](first, `document.querySelectorAll(".doubles .tile").length`); got != 6 {
			t.Errorf("%d tiles of doubles are shown, want 6", got)
		}
		if got := eval[int](tabs[1], `document.querySelectorAll(".doubles").length`); got != 0 {
			t.Error("another seat is told of the doubles")
		}
		pictures("1-start")
		first.tap("#redeal")
		says(first, "#verdict", "Press again")
		says(first, "#redeal", "Yes")
		if deal := e.public().view(game).Deal; deal != 1 {
			t.Errorf("deal %d after one press", deal)
		}
		first.tap("#redeal")
		says(first, ".panel.start", "Deal number 2.")
		tabs[1].tap("#ready")
		says(first, ".readies", "1 of 4 ready")
		for _, seat := range []int{0, 2, 3} {
			tabs[seat].tap("#ready")
		}
		mine(first)
	})
	t.Run("a ruling is told to all until the next turn is over", func(t *testing.T) {
		e.referee.must(http.MethodPost, fmt.Sprintf("/games/%d/penalty", game), map[string]any{"seat": 0, "tiles": 2, "reason": "touched the pool", "key": e.key()}, nil)
		says(first, "#told", "you draw 2 tiles. \u2068touched the pool\u2069")
		says(tabs[1], "#told", "draws 2 tiles.")
		pictures("2-ruling")
		e.draw(0, game)
		mine(tabs[1])
		says(first, "#told", "touched the pool")
		e.draw(1, game)
		mine(tabs[2])
		first.wait(`document.getElementById("told").innerText.trim() === ""`)
	})
	t.Run("a call is called, on the way, and come", func(t *testing.T) {
		first.tap("#call")
		says(first, "#told", "The referee has been called. The clock keeps running")
		says(first, "#call", "Called")
		e.referee.must(http.MethodPost, fmt.Sprintf("/games/%d/acknowledge", game), map[string]any{"seat": 0, "key": e.key()}, nil)
		says(first, "#told", "the referee, is on the way.")
		says(first, "#call", "On the way")
		pictures("3-call")
		e.referee.must(http.MethodPost, fmt.Sprintf("/games/%d/pause", game), map[string]any{"reason": "a look", "key": e.key()}, nil)
		says(first, "#told", "The clock is stopped.")
		e.referee.must(http.MethodPost, fmt.Sprintf("/games/%d/answer", game), map[string]any{"seat": 0, "key": e.key()}, nil)
		says(first, "#told", "has arrived.")
		first.wait(`!document.getElementById("call").disabled`)
		e.resume(e.referee, game)
	})
	t.Run("the end, the count, and what comes next, in sight without scrolling", func(t *testing.T) {
		e.referee.must(http.MethodPost, fmt.Sprintf("/games/%d/call-time", game), map[string]any{"reason": "the slot is over", "key": e.key()}, nil)
		says(first, "#told", "Time has been called: 2 turns to go.")
		e.draw(2, game)
		e.draw(3, game)
		for _, p := range tabs {
			p.wait(`document.getElementById("result-title")`)
		}
		says(first, ".own-rank", "of 4")
		says(first, ".next-line", "game 2 of 4")
		says(first, ".count-state", "0 of 4 agree")
		pictures("4-count")
		for seat, p := range tabs {
			hidden := eval[[]string](p, `[...document.querySelectorAll("#result-title, .scores, .count-state, .own-rank, .next-line, #agree, #call")].filter((el) => {
				const box = el.getBoundingClientRect();
				return box.bottom > innerHeight + 1 || box.right > innerWidth + 1 || box.height === 0;
			}).map((el) => el.id + el.className)`)
			if len(hidden) > 0 && screens[seat][0] > 600 {
				t.Errorf("seat %d: out of sight: %q", seat, hidden)
			}
		}
	})
	t.Run("four players agree, all see it, and it is kept", func(t *testing.T) {
		for seat, p := range tabs {
			p.tap("#agree")
			p.wait(`document.getElementById("agree").disabled`)
			want := fmt.Sprintf("%d of 4 agree", seat+1)
			if seat == 3 {
				want = "all agree"
			}
			says(first, ".count-state", want)
		}
		pictures("5-agreed")
		var count CountView
		e.referee.must(http.MethodGet, fmt.Sprintf("/games/%d/count", game), nil, &count)
		if count.Count.All() != 4 || count.Count.Rev != 1 {
			t.Errorf("the referee reads %+v", count.Count)
		}
	})
	t.Run("the referee confirms, and the next game asks for its ready key", func(t *testing.T) {
		e.referee.must(http.MethodPost, fmt.Sprintf("/games/%d/confirm", game), ConfirmBody{1}, nil)
		for _, p := range tabs {
			p.wait(`document.getElementById("start-title") && document.getElementById("place").innerText.includes("Game 2 of 4")`)
			p.tap("#ready")
		}
		mine(first)
		if view := e.public().view(next); view.Phase != engine.PhasePlaying {
			t.Errorf("the next game is %s", view.Phase)
		}
	})
	for seat, p := range tabs {
		if got := p.complaints(); len(got) > 0 {
			t.Errorf("seat %d complained: %q", seat, got)
		}
	}
	checkAudit(t, e)
}

func checkAudit(t *testing.T, e *event) {
	t.Helper()
	entries, err := e.store.Records(t.Context(), rights.Staff(rights.RoleReferee, "test"), e.id, 100)
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

// TestBrowserRedealInTheFirstTurn: where the rule set lets three doubles be shown until the own first turn ends, the key
// stands beside the turn's keys until then, and asks once.
func TestBrowserRedealInTheFirstTurn(t *testing.T) {
	b := startChromium(t)
	e := newEvent(t, 4, map[string]any{"turn_seconds": 600, "start_seconds": 120, "redeal": "own_first_turn"})
	e.games.Deal = func() engine.Deal { return preparedDeal(t, "K2 K2 B3 B3 O4 O4", "R5 R5 R6 R6 R7 R7") }
	e.start()
	game := e.begin(0)
	mine := `document.getElementById("game").dataset.mine === "true" && document.getElementById("link").classList.contains("live")`
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
	other.wait(`document.getElementById("redeal").textContent.includes("Yes")`)
	other.tap("#redeal")
	other.wait(`document.querySelector(".panel.start")?.innerText.includes("Deal number 2.")`)
}
