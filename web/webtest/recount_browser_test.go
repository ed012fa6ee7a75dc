package webtest

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"meldhall/engine/score"
	"meldhall/engine/tile"
	"meldhall/tournament/game"
	"meldhall/tournament/result"
	"meldhall/tournament/rights"
)

// tapFace enters a face into the selected row by tapping; on a narrow screen it taps the colour first.
func (p *tab) tapFace(face string) {
	p.t.Helper()
	key := fmt.Sprintf(`.tap-face[data-face="%s"]`, face)
	if colour := face[:1]; colour != "J" && eval[bool](p, fmt.Sprintf(`!document.querySelector('%s').offsetParent`,
		key)) {
		p.tap(p.reach(fmt.Sprintf(`.tap-colours [data-colour="%s"]`, colour)))
	}
	p.tap(p.reach(key))
}

// TestBrowserACorrectionIsTapped checks that a confirmed result with real tiles is corrected by tapping the remaining
// tiles, and that the points are updated accordingly. The correction exceeds what one official may change, so a second
// one must confirm it.
func TestBrowserACorrectionIsTapped(t *testing.T) {
	b := startChromium(t)
	e, game, _ := finalists(t)
	axe := axeScript(t)
	e.organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/second-over", e.id), map[string]any{"points": 1},
		nil)
	head := e.staff(rights.RoleHeadReferee)
	page := func(who *caller, width, height int64, path string) *tab {
		p := b.tab(t, width, height)
		p.still()
		p.cookie(e.http.URL, "meldhall-staff", who.token)
		p.open(e.http.URL + path)
		return p
	}
	look := func(p *tab, name string) {
		t.Helper()
		// axe reports keys half covered by the bar as too small
		eval[bool](p, `scrollTo({ top: 0, behavior: "instant" }), true`)
		for _, violation := range barriers(p, axe) {
			t.Errorf("%s: %s", name, violation)
		}
		if wide := eval[int](p, `document.documentElement.scrollWidth - innerWidth`); wide > 0 {
			t.Errorf("%s: %d px wider than the screen", name, wide)
		}
		p.picture(name)
	}
	result := fmt.Sprintf("/desk/%d/results/%d", e.id, game)
	p := page(head, 360, 640, result)
	look(p, "recount-result-phone")
	p.tap(p.reach(`a[href$="/racks"]`))
	p.wait(`document.querySelectorAll(".tap-row").length === 4`)
	look(p, "recount-phone")
	p.tap(p.reach(`.tap-pick[data-row="1"]`)) // correct R7 R13: the 7 is a 9
	p.tap(p.reach(`.tap-tile[data-row="1"][data-tile="0"]`))
	p.tapFace("R9")
	p.wait(`document.getElementById("rack-1").value === "R9 R13"`)
	for _, size := range [][2]int64{{1024, 768}, {1366, 768}, {360, 640}} {
		p.size(size[0], size[1])
		look(p, fmt.Sprintf("recount-%d", size[0]))
		if small := eval[string](p,
			`[...document.querySelectorAll(".tap button")].filter((k) => k.offsetParent && (k.offsetWidth < 44 ||
				k.offsetHeight < 44)).map((k) => k.textContent + k.offsetWidth + "x" + k.offsetHeight).join()`); small != "" {
			t.Errorf("%d px: keys under 44 px: %s", size[0], small)
		}
	}
	p.tap(p.reach("#why"))
	p.write("a nine was read as a seven")
	p.tap(p.reach(".recount-form .primary"))
	p.wait(`location.pathname.endsWith("/correct")`)
	if text := eval[string](p, `document.querySelector("main").innerText`); !strings.Contains(text, "−22") ||
		!strings.Contains(text, "92") || strings.Contains(text, "−31") {
		t.Errorf("the points do not follow: %s", text)
	}
	look(p, "recount-look")
	p.tap(p.reach(`form[method=post] .primary`))
	p.wait(`document.getElementById("waits")?.innerText.includes("second official")`)
	look(p, "recount-waits")
	if r := e.result(game); r.Rev != 2 {
		t.Fatalf("it was entered by one official: %+v", r)
	}
	second := page(e.organizer, 1024, 768, fmt.Sprintf("/referee/%d", e.id))
	second.wait(`document.querySelector("main").innerText.includes("A corrected result is waiting for you")`)
	second.tap(second.reach(`a[href*="second="]`))
	second.wait(`document.querySelector("main").innerText.includes("−22")`)
	look(second, "recount-second")
	second.tap(second.reach(`form[method=post] .primary`))
	second.wait(`document.querySelector(".flash")?.innerText.includes("Confirmed")`)
	if r := e.result(game); r.Rev != 3 || r.Lines[1].Points != -score.Whole(22) ||
		r.Lines[0].Points != score.Whole(92) || r.Lines[1].Tiles != "R9 R13" {
		t.Errorf("entered: %+v", r)
	}
	look(second, "recount-entered")
}

// result returns a game's current result.
func (e *event) result(id int64) game.Result {
	e.t.Helper()
	r, err := result.LatestResult(e.t.Context(), e.store, id)
	if err != nil {
		e.t.Fatal(err)
	}
	return r
}

// TestBrowserThePositionIsTapped checks that an official can set the position on a phone by tapping tiles, with a
// preview of the effect.
func TestBrowserThePositionIsTapped(t *testing.T) {
	b := startChromium(t)
	e := newEvent(t, 4, map[string]any{"turn_seconds": 600})
	e.start()
	id := e.begin(0)
	snap, err := e.games.Look(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	var group []string
	pool := tile.CountFaces(tile.FacesOf(snap.State.Pool))
	for n := 1; n <= 13 && len(group) < 3; n++ {
		group = nil
		for _, colour := range "KRBO" {
			face := fmt.Sprint(string(colour), n)
			if f, err := tile.ParseFaces(face); err == nil && pool[f[0]] > 0 && len(group) < 3 {
				group = append(group, face)
			}
		}
	}
	p := b.tab(t, 360, 640)
	p.still()
	p.cookie(e.http.URL, "meldhall-staff", e.referee.token)
	p.open(e.http.URL + fmt.Sprintf("/referee/%d/tables/%d", e.id, snap.Ref.TableID))
	p.wait(isLive)
	p.unfold(".act-position")
	p.tap(p.reach(".act-position"))
	p.wait(`document.querySelector("#rule .tap-faces")?.offsetParent`)
	for _, face := range group {
		p.tapFace(face)
	}
	p.wait(fmt.Sprintf(`document.querySelector("#rule-form [name=table]")?.value === %q &&
		document.getElementById("rule-go")?.disabled === false`, strings.Join(group, " ")))
	p.picture("position-phone")
	for _, violation := range barriers(p, axeScript(t)) {
		t.Error(violation)
	}
	p.tap(p.reach("#rule-go"))
	p.wait(`!document.getElementById("rule").open && document.querySelectorAll("#table .sets li").length === 1`)
	if now, err := e.games.Look(t.Context(), id); err != nil || len(now.State.Table) != 1 {
		t.Errorf("the table is %v, %v", now.State.Table, err)
	}
}
