package webtest

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"meldhall/engine"
	"meldhall/engine/bot"
	"meldhall/engine/testmode"
	"meldhall/tournament/practice"
	"meldhall/web"
)

// The racks of the deal: seat 0 can open at once with twelve tiles and keeps R11 and B10; the bots can lay nothing.
var practiceRacks = []string{
	"O10 O11 O12 K4 K5 K6 B1 R1 O1 R11 B10 K13 R13 O13",
	"K1 K3 K9 R2 R4 R6 R8 B3 B5 B8 B12 O4 O6 O9",
	"K2 K8 K10 R3 R5 R7 R9 B2 B4 B7 B9 O3 O5 O8",
	"K1 K3 K9 R2 R4 R6 R8 B3 B5 B8 B12 O4 O6 O9",
}

// practising is a browser at a practice table with a fixed deal.
type practising struct {
	h   *hall
	p   *tab
	axe string
}

func newPractising(t *testing.T) *practising {
	t.Helper()
	b := startChromium(t)
	axe, err := os.ReadFile(filepath.Join("testdata", "axe.min.js"))
	if err != nil {
		t.Fatal(err)
	}
	k := &practising{h: newHall(t, func(c *web.Config) { c.Think = 100 * time.Millisecond }), axe: string(axe)}
	k.h.games.Deal = func() engine.Deal { return preparedDeal(t, practiceRacks...) }
	k.p = b.tab(t, 1280, 800)
	return k
}

// barriers checks the page with axe in Chromium.
func (k *practising) barriers(t *testing.T) {
	t.Helper()
	if k.axe == "" {
		return
	}
	eval[bool](k.p, k.axe+";true")
	for _, violation := range eval[[]string](k.p, `axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] })
		.then((r) => r.violations.map((v) => v.id + ": " + v.nodes.slice(0, 3).map((n) => n.html.slice(0, 160) + " " + n.failureSummary).join(" | ")))`) {
		t.Error(violation)
	}
}

// mine waits for the player's own turn with this many rack tiles; tiles is a comparison such as "=== 2".
func (k *practising) mine(t *testing.T, tiles string) {
	t.Helper()
	k.p.wait(`document.getElementById("game")?.dataset.mine === "true" &&
		document.querySelectorAll("#rack .tile").length ` + tiles)
}

func TestBrowserPractises(t *testing.T) {
	testmode.SkipUnlessLong(t)
	k := newPractising(t)
	k.begin(t)
	k.ask(t)
	k.lookAtHint(t)
	k.lay(t)
	k.end(t)
}

// begin starts the game up to the player's first turn.
func (k *practising) begin(t *testing.T) {
	k.p.open(k.h.http.URL + "/")
	k.p.tap(`a[href="/practice"]`)
	k.p.wait(`location.pathname === "/practice" && document.querySelectorAll("input[name=strength]").length === ` +
		strconv.Itoa(len(bot.Styles)))
	k.p.picture("1-choose")
	k.barriers(t)
	k.p.tap(`input[name=strength][value=novice]`, `form.form button`)
	k.p.wait(`location.pathname === "/practice/game" && document.querySelectorAll("#rack .tile").length === 14`)
	k.p.wait(`document.getElementById("link").classList.contains("live")`)
	k.p.picture("2-dealt")
	k.p.tap("#ready")
	k.mine(t, "=== 14")
	k.p.picture("3-my-turn")
}

// ask requests a hint: first how many tiles, then how.
func (k *practising) ask(t *testing.T) {
	k.p.tap("#hint")
	k.p.wait(`document.getElementById("verdict").textContent.includes("12 tiles")`)
	k.p.picture("4-how-many")
	k.p.tap("#hint")
	k.p.wait(`document.querySelectorAll("#hints li").length > 0 &&
		document.querySelectorAll("#rack .tile.hinted").length === 12`)
	k.p.picture("5-how")
	k.barriers(t)
}

// lookAtHint checks on every screen that the hint does not cover the table or the rack.
func (k *practising) lookAtHint(t *testing.T) {
	for _, screen := range [][2]int64{{360, 740}, {800, 1280}, {1024, 768}, {1280, 800}} {
		k.p.size(screen[0], screen[1])
		k.p.wait(fmt.Sprintf("innerWidth === %d", screen[0]))
		// wait until the page has redrawn
		eval[bool](k.p, `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))`)
		if hidden := eval[[]string](k.p, `[...document.querySelectorAll("#table .cell, #rack .slot" + (innerWidth > innerHeight ? "" : ":has(.tile)"))].filter((el) => {
			const box = el.getBoundingClientRect(), panel = document.getElementById("hints").getBoundingClientRect();
			return panel.left < box.right - 2 && box.left < panel.right - 2 && panel.top < box.bottom - 2 && box.top < panel.bottom - 2;
		}).map((el) => el.id)`); len(hidden) > 0 {
			t.Errorf("%v: the hint lies over %q", screen, hidden)
		}
		for _, misfit := range eval[[]string](k.p, misfits) {
			t.Errorf("%v: %s", screen, misfit)
		}
		if seen := eval[float64](k.p,
			`document.querySelector(".hint-steps").clientHeight / parseFloat(getComputedStyle(document.querySelector(".hints li")).lineHeight)`); seen < 2 {
			t.Errorf("%v: only %.1f lines of the steps are in sight", screen, seen)
		}
		k.p.picture("5-how-" + strconv.FormatInt(screen[0], 10))
	}
}

// lay lays the hint by tap, undoes it, lays it by key and plays it.
func (k *practising) lay(t *testing.T) {
	k.p.tap("#hint-lay")
	k.p.wait(`document.querySelectorAll("#table .tile.laid").length === 12 && !document.getElementById("hints") &&
		!document.querySelector(".hinted")`)
	k.p.wait(`document.getElementById("verdict").classList.contains("good") &&
		!document.getElementById("play").disabled`)
	k.p.picture("6-laid")
	k.p.tap("#undo")
	k.p.wait(`document.querySelectorAll("#rack .tile").length === 14`)
	// a click soon after a tap counts as part of the tap
	k.p.wait(`(window.since ??= performance.now()) + 800 < performance.now()`)
	// by key: now it lays at once
	eval[bool](k.p, `document.getElementById("hint").focus(), document.getElementById("hint").click(), true`)
	k.p.wait(`document.querySelectorAll("#table .tile.laid").length === 12`)
	k.p.tap("#play")
	k.p.wait(`document.querySelectorAll("#rack .tile").length === 2`)
}

// end goes from the end of the game and its replay to another game.
func (k *practising) end(t *testing.T) {
	k.mine(t, "=== 2")
	k.p.wait(`document.getElementById("hint").innerText.includes("Hint") && !document.getElementById("hint").disabled`)
	k.p.tap("#draw") // draw before time is called; after that the bots play this seat too
	k.p.wait(`document.querySelectorAll("#rack .tile").length === 3`)
	games, err := practice.Games(t.Context(), k.h.store)
	if err != nil || len(games) != 1 {
		t.Fatalf("got %v %v", games, err)
	}
	if err := k.h.games.CallPractice(t.Context(), games[0], "test"); err != nil {
		t.Fatal(err)
	}
	k.p.wait(`document.getElementById("result-title") && document.querySelectorAll(".counted > li").length === 4`)
	k.p.wait(`document.querySelector("button[name=again]")`)
	k.p.picture("7-over")
	if own := eval[string](k.p,
		`document.querySelector(".counted h3").textContent.replace(/\s+/g, " ").trim().toLowerCase()`); strings.Count(own, "you") != 1 {
		t.Errorf("the own row is called %q, want you said once", own)
	}
	k.barriers(t)
	k.p.tap(`a[href*="/games/"]`) // the replay is one tap away
	k.p.wait(`document.querySelectorAll("table.turns tbody tr").length > 0`)
	k.p.open(k.h.http.URL + "/practice/game")
	k.p.wait(`document.querySelector("button[name=again]")`)
	k.p.tap("button[name=again]")
	k.p.wait(`location.pathname === "/practice/game" && document.querySelectorAll("#rack .tile").length === 14`)
	k.p.wait(`document.getElementById("place").innerText.includes("Novice")`)
	if got := k.p.complaints(); len(got) > 0 {
		t.Errorf("the page complained: %q", got)
	}
}
