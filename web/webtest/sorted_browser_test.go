package webtest

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"meldhall/engine"
	"meldhall/tournament/export"
)

// inColours is true when the rack stands in the order of colours, without gaps.
const inColours = `(() => {
	const faces = [...document.querySelectorAll("#rack .slot")].map((el) => el.querySelector(".tile")?.dataset.face || "");
	const tiles = faces.filter(Boolean), rank = (f) => "KRBOJ".indexOf(f[0]) * 100 + Number(f.slice(1) || 0);
	return tiles.every((f, i) => f === faces[i] && (i === 0 || rank(tiles[i - 1]) <= rank(f)));
})()`

// marked returns an expression for the number of tiles of the rack that are marked as new.
const marked = `document.querySelectorAll("#rack .tile.new").length`

// onRack returns an expression that is true when the rack holds n tiles.
func onRack(n int) string {
	return fmt.Sprintf(`document.querySelectorAll("#rack .tile").length === %d`, n)
}

// TestBrowserRackKeepsItsOrder sorts a rack once. The order holds after a redeal, a draw, a time-out, a reload and in
// the next game, and new tiles are marked until the player's next turn ends.
func TestBrowserRackKeepsItsOrder(t *testing.T) {
	b := startChromium(t)
	e := newEvent(t, 4, map[string]any{"turn_seconds": 600, "start_seconds": 120})
	deals := 0
	e.games.Deal = func() engine.Deal {
		deals++
		return preparedDeal(t, []string{"O10 B3 K2 O10 B3 K2 R1 R13 K9 B7 O4 O1 K13 R5",
			"K7 O3 R11 B2 J K1 O9 R4 B13 K12 O7 R8 B5 K3"}[min(deals-1, 1)], "", "", "")
	}
	e.start()
	game := e.round.Tables[0].Games[0].ID
	p := b.tab(t, 1280, 800)
	p.still()
	p.seat(e.http.URL, e.at(0, 0).token)
	p.open(e.http.URL + "/play/game")
	p.wait(isLive + " && " + onRack(14))
	p.tap("#by-colour")
	p.wait(inColours + ` && document.querySelector("#by-colour[aria-pressed=true]")`)
	p.tap("#redeal")
	p.wait(`document.getElementById("sure").open`)
	p.tap("#sure-yes")
	p.wait(`document.querySelector('#game[data-deal="2"]') && ` + rackIs("K1 K3 K7 K12 R4 R8 R11 B2 B5 B13 O3 O7 O9 J"))
	p.picture("redealt")
	e.readyBut(0, game)
	p.wait(`document.getElementById("game").dataset.mine === "true"`)
	p.tap("#draw")
	p.wait(onRack(15) + " && " + marked + " === 1 && " + inColours)
	round := func() {
		t.Helper()
		for seat := 1; seat < 4; seat++ {
			e.draw(seat, game)
		}
		p.wait(`document.getElementById("game").dataset.mine === "true"`)
	}
	round()
	e.leave(game, 1)
	p.wait(onRack(18) + " && " + marked + " === 3 && " + inColours)
	told := `document.getElementById("fined")?.innerText === "+3 penalty tiles"`
	p.wait(told)
	p.reload()
	p.wait(isLive + " && " + onRack(18) + " && " + marked + " === 3 && " + inColours + " && " + told)
	for _, size := range [][2]int64{{390, 844}, {844, 390}, {768, 1024}, {1024, 768}, {1280, 800}} {
		p.size(size[0], size[1])
		p.wait(fmt.Sprintf(`innerWidth === %d`, size[0]))
		p.wait(inColours)
		for _, misfit := range eval[[]string](p, misfits) {
			t.Errorf("%d x %d: %s", size[0], size[1], misfit)
		}
		p.picture(fmt.Sprintf("fined-%d", size[0]))
	}
	round()
	p.tap("#draw")
	p.wait(onRack(19) + " && " + marked + ` === 1 && !document.getElementById("fined")`)
	e.referee.must(http.MethodPost, fmt.Sprintf("/games/%d/call-time", game),
		map[string]any{"reason": "test", "key": e.key()}, nil)
	for v := e.public().view(game); v.Phase == engine.PhasePlaying; v = e.public().view(game) {
		e.draw(v.Turn.Seat, game)
	}
	e.confirmed(game)
	p.wait(`document.getElementById("place")?.textContent.includes("Game 2 of") && ` +
		rackIs("K1 K3 K7 K12 R4 R8 R11 B2 B5 B13 O3 O7 O9 J"))
	if got := p.complaints(); len(got) > 0 {
		t.Errorf("the page complained: %q", got)
	}
}

// TestBrowserTotalBesideAFault checks that a player who opens sees the points of the finished sets while another set is
// unfinished.
func TestBrowserTotalBesideAFault(t *testing.T) {
	b := startChromium(t)
	_, _, p := playing(t, b, preparedRacks...)
	p.still()
	says := func(want string) {
		t.Helper()
		p.wait(fmt.Sprintf(`document.getElementById("verdict").textContent === %q`, want))
	}
	movers[0].lay(p, 0, "K4", "K5", "K6")
	says("15 of 30 points to open")
	movers[0].lay(p, 13, "O10", "O11")
	says("15 of 30 · A set on the table is not valid.")
	for _, size := range [][2]int64{{390, 844}, {844, 390}, {1024, 768}, {1280, 800}} {
		p.size(size[0], size[1])
		p.wait(fmt.Sprintf(`innerWidth === %d`, size[0]))
		for _, misfit := range eval[[]string](p, misfits) {
			t.Errorf("%d x %d: %s", size[0], size[1], misfit)
		}
		p.picture(fmt.Sprint(size[0]))
	}
	p.tap("#play")
	p.wait(`document.getElementById("verdict").className.includes("bad")`)
	says("15 of 30 · A set on the table is not valid.")
}

// TestBrowserLongRackShowsThatItScrolls checks racks of 30 and 34 tiles on a phone held sideways: a sign and a button
// tell that the rack goes on and with how many tiles, and the keyboard reaches all of them.
func TestBrowserLongRackShowsThatItScrolls(t *testing.T) {
	b := startChromium(t)
	e, game, p := playing(t, b, preparedRacks...)
	p.still()
	more := func(n int) {
		t.Helper()
		e.referee.must(http.MethodPost, fmt.Sprintf("/games/%d/penalty", game),
			map[string]any{"seat": 0, "tiles": n, "reason": "test", "key": e.key()}, nil)
	}
	told := func(label, text string) {
		t.Helper()
		p.wait(fmt.Sprintf(`(() => {
			const key = document.getElementById("more"), sign = document.getElementById("beyond");
			return key.checkVisibility() && sign.checkVisibility() && key.getAttribute("aria-label") === %q &&
				key.innerText.trim() === %q && sign.innerText.trim() === %[2]q;
		})()`, label, text))
	}
	more(16)
	p.wait(onRack(30))
	p.wait(`!document.getElementById("beyond").checkVisibility() && !document.getElementById("more").checkVisibility()`)
	p.size(844, 390)
	told("Scroll the rack down. Tiles there: 0", "")
	p.picture("thirty")
	more(4)
	p.wait(onRack(34))
	told("Scroll the rack down. Tiles there: 4", "4")
	for _, misfit := range eval[[]string](p, misfits) {
		t.Error(misfit)
	}
	if least := eval[float64](p,
		`(({ width, height }) => Math.min(width, height))(document.getElementById("more").getBoundingClientRect())`); least < 44 {
		t.Errorf("the button is %v px wide or high", least)
	}
	p.picture("top")
	p.tap("#more")
	told("Scroll the rack up. Tiles there: 10", "10")
	p.picture("end")
	p.tap("#more")
	told("Scroll the rack down. Tiles there: 4", "4")
	eval[bool](p, `document.getElementById("r0").focus(), true`)
	p.press("Ctrl+End")
	told("Scroll the rack up. Tiles there: 10", "10")
}

// TestBrowserCallIsWithdrawn takes a call back. The referee's list changes at once, and the log keeps both. A double tap
// calls only. Once an official is on the way, the button is off.
func TestBrowserCallIsWithdrawn(t *testing.T) {
	b := startChromium(t)
	e, game, p := playing(t, b, preparedRacks...)
	p.still()
	ref := b.tab(t, 1024, 768)
	ref.cookie(e.http.URL, "meldhall-staff", e.referee.token)
	ref.open(fmt.Sprintf("%s/referee/%d", e.http.URL, e.id))
	called := `document.querySelectorAll(".take-call").length === `
	ref.wait(called + "0")
	p.front()
	p.again(p.middle("#call"), time.Now(), 400*time.Millisecond, `document.getElementById("withdraw-call")`)
	p.wait(allArmed + ` && document.getElementById("withdraw-call") && document.getElementById("told").textContent.includes("has been called")`)
	ref.wait(called + "1")
	for _, size := range [][2]int64{{390, 844}, {844, 390}, {768, 1024}, {1024, 768}, {1280, 800}} {
		p.size(size[0], size[1])
		p.wait(fmt.Sprintf(`innerWidth === %d`, size[0]))
		for _, misfit := range eval[[]string](p, misfits) {
			t.Errorf("%d x %d: %s", size[0], size[1], misfit)
		}
		p.picture(fmt.Sprintf("called-%d", size[0]))
	}
	p.tap("#withdraw-call")
	p.wait(`document.getElementById("call") && document.getElementById("verdict").textContent === "You have cancelled the call."`)
	ref.wait(called + "0")
	p.tap("#call")
	ref.wait(called + "1")
	e.referee.must(http.MethodPost, fmt.Sprintf("/games/%d/acknowledge", game),
		map[string]any{"seat": 0, "key": e.key()}, nil)
	p.wait(`document.getElementById("call").disabled && !document.getElementById("withdraw-call")`)
	exported, err := export.OfGame(t.Context(), e.store, game)
	var log []string
	for _, event := range exported.Events {
		log = append(log, event.Kind)
	}
	if got, want := strings.Join(log, " "), "referee_called call_withdrawn referee_called call_acknowledged"; err != nil ||
		!strings.HasSuffix(got, want) {
		t.Errorf("the log holds %s, %v", got, err)
	}
	if got := append(p.complaints(), ref.complaints()...); len(got) > 0 {
		t.Errorf("the pages complained: %q", got)
	}
}
