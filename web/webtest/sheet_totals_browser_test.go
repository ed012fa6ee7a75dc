package webtest

import (
	"fmt"
	"testing"

	"meldhall/engine/score"
)

// TestBrowserPointsOnly fills in a score sheet with points alone. The page names and marks fields without a number,
// accepts the digits of any script, and hands in the count.
func TestBrowserPointsOnly(t *testing.T) {
	b := startChromium(t)
	e := newRealEvent(t, 4, map[string]any{"turn_seconds": 0})
	e.start()
	game := e.round.Tables[0].Games[0].ID
	name := func(seat int) string { return e.round.Tables[0].Seats[seat].Player.Name }
	p := b.tab(t, 1280, 800)
	p.still()
	p.cookie(e.http.URL, "meldhall-staff", e.referee.token)
	p.open(fmt.Sprintf("%s/referee/%d/games/%d/sheet", e.http.URL, e.id, game))
	p.wait(`document.getElementById("sheet")?.dataset.begun`)
	says := func(text string) {
		t.Helper()
		p.wait(fmt.Sprintf(`document.getElementById("verdict").innerText.includes(%q)`, text))
	}
	points := func(seat int, text string) {
		t.Helper()
		eval[any](p, fmt.Sprintf(`{ const el = document.querySelectorAll(".t-points")[%d]; el.focus(); el.select(); }`,
			seat))
		p.write(text)
	}
	p.tap("input[name=why][value=emptied]", "input[name=mode][value=totals]")
	says("Points of \u2068" + name(0) + "\u2069: enter a number")
	for seat := range 4 {
		p.tap(fmt.Sprintf("#totals tr[data-seat='%d'] .t-opened", seat))
	}
	p.tap("#totals tr[data-seat='0'] .t-won")
	points(0, "60")
	points(1, "10")
	points(2, "٢٠")
	for _, wrong := range []string{"4O", "abc", "\u201330"} {
		points(3, wrong)
		says(name(3) + "\u2069: “" + wrong + "” is not a number")
		marked := eval[int](p,
			`[...document.querySelectorAll(".t-points")].findIndex((el) => el.getAttribute("aria-invalid"))`)
		if marked != 3 || !eval[bool](p, `document.getElementById("hand-in").disabled`) {
			t.Errorf("%q: field %d is marked", wrong, marked)
		}
	}
	p.picture("unread")
	points(3, "5000")
	says(name(3) + "\u2069: No rack can cost 5000 points")
	p.wait(`document.querySelector("#totals tr[data-seat='3'] .t-points").getAttribute("aria-invalid") === "true"`)
	points(3, "31")
	says(name(0) + "\u2069: The points do not add up")
	points(3, "\u221230")
	says("It adds up.")
	p.picture("ready")
	p.size(390, 844)
	p.picture("ready-phone")
	p.tap("#hand-in")
	p.wait(fmt.Sprintf(`location.pathname === "/referee/%d/games/%d/count"`, e.id, game))
	if r := e.result(game); r.Lines[0].Points != score.Whole(60) || r.Lines[2].Points != -score.Whole(20) ||
		r.Lines[3].Points != -score.Whole(30) {
		t.Errorf("%+v", r)
	}
	for _, complaint := range p.complaints() {
		t.Errorf("the page complained: %s", complaint)
	}
}
