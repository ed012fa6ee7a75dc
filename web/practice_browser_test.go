package web

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
)

// The racks of the deal: with seat 0's twelve tiles open at once and R11 and B10 stay; the bots can lay nothing.
var practiceRacks = []string{
	"O10 O11 O12 K4 K5 K6 B1 R1 O1 R11 B10 K13 R13 O13",
	"K1 K3 K9 R2 R4 R6 R8 B3 B5 B8 B12 O4 O6 O9",
	"K2 K8 K10 R3 R5 R7 R9 B2 B4 B7 B9 O3 O5 O8",
	"K1 K3 K9 R2 R4 R6 R8 B3 B5 B8 B12 O4 O6 O9",
}

func TestBrowserPractises(t *testing.T) {
	b := startChromium(t)
	axe, err := os.ReadFile(filepath.Join("testdata", "axe.min.js"))
	if err != nil {
		t.Fatal(err)
	}
	h := newHall(t, func(c *Config) { c.Think = 100 * time.Millisecond })
	h.games.Deal = func() engine.Deal { return preparedDeal(t, practiceRacks...) }
	p := b.tab(t, 1280, 800)
	barriers := func() {
		t.Helper()
		eval[bool](p, string(axe)+";true")
		for _, violation := range eval[[]string](p, `axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] })
			.then((r) => r.violations.map((v) => v.id + ": " + v.nodes.slice(0, 3).map((n) => n.html.slice(0, 160) + " " + n.failureSummary).join(" | ")))`) {
			t.Error(violation)
		}
	}
	mine := func(tiles string) {
		t.Helper()
		p.wait(`document.getElementById("game")?.dataset.mine === "true" && document.querySelectorAll("#rack .tile").length ` + tiles)
	}

	p.open(h.http.URL + "/")
	p.tap(`a[href="/practice"]`)
	p.wait(`location.pathname === "/practice" && document.querySelectorAll("input[name=strength]").length === ` + strconv.Itoa(len(bot.Styles)))
	p.picture("1-choose")
	barriers()
	p.tap(`input[name=strength][value=novice]`, `form.form button`)
	p.wait(`location.pathname === "/practice/game" && document.querySelectorAll("#rack .tile").length === 14`)
	p.wait(`document.getElementById("link").classList.contains("live")`)
	p.picture("2-dealt")
	p.tap("#ready")
	mine("=== 14")
	p.picture("3-my-turn")

	p.tap("#hint")
	p.wait(`document.getElementById("verdict").textContent.includes("12 tiles")`)
	p.picture("4-how-many")
	p.tap("#hint")
	p.wait(`document.querySelectorAll("#hints li").length > 0 && document.querySelectorAll("#rack .tile.hinted").length === 12`)
	p.picture("5-how")
	barriers()
	for _, screen := range [][2]int64{{360, 740}, {800, 1280}, {1024, 768}, {1280, 800}} {
		p.size(screen[0], screen[1])
		p.wait(fmt.Sprintf("innerWidth === %d", screen[0]))
		if hidden := eval[[]string](p, `[...document.querySelectorAll("#table .cell, #rack .slot" + (innerWidth > innerHeight ? "" : ":has(.tile)"))].filter((el) => {
			const box = el.getBoundingClientRect(), panel = document.getElementById("hints").getBoundingClientRect();
			return panel.left < box.right - 2 && box.left < panel.right - 2 && panel.top < box.bottom - 2 && box.top < panel.bottom - 2;
		}).map((el) => el.id)`); len(hidden) > 0 {
			t.Errorf("%v: the hint lies over %q", screen, hidden)
		}
		for _, misfit := range eval[[]string](p, misfits) {
			t.Errorf("%v: %s", screen, misfit)
		}
		if seen := eval[float64](p, `document.querySelector(".hint-steps").clientHeight / parseFloat(getComputedStyle(document.querySelector(".hints li")).lineHeight)`); seen < 2 {
			t.Errorf("%v: only %.1f lines of the steps are in sight", screen, seen)
		}
		p.picture("5-how-" + strconv.FormatInt(screen[0], 10))
	}
	p.tap("#hint-lay")
	p.wait(`document.querySelectorAll("#table .tile.laid").length === 12 && !document.getElementById("hints") && !document.querySelector(".hinted")`)
	p.wait(`document.getElementById("verdict").classList.contains("good") && !document.getElementById("play").disabled`)
	p.picture("6-laid")
	p.tap("#undo")
	p.wait(`document.querySelectorAll("#rack .tile").length === 14`)
	p.wait(`(window.since ??= performance.now()) + 800 < performance.now()`)                                // a click right after a tap is taken for the tap's own
	eval[bool](p, `document.getElementById("hint").focus(), document.getElementById("hint").click(), true`) // by key: it lays at once now
	p.wait(`document.querySelectorAll("#table .tile.laid").length === 12`)
	p.tap("#play")
	p.wait(`document.querySelectorAll("#rack .tile").length === 2`)

	mine("=== 2")
	p.wait(`document.getElementById("hint").innerText.includes("Hint") && !document.getElementById("hint").disabled`)
	games, err := h.store.PracticeGames(t.Context())
	if err != nil || len(games) != 1 {
		t.Fatalf("got %v %v", games, err)
	}
	if err := h.games.CallPractice(t.Context(), games[0], "test"); err != nil {
		t.Fatal(err)
	}
	p.wait(`document.getElementById("game").dataset.mine === "true"`)
	p.tap("#draw")
	p.wait(`document.getElementById("result-title") && document.querySelectorAll(".scores tbody tr").length === 4`)
	p.wait(`document.querySelector("button[name=again]")`)
	p.picture("7-over")
	if own := eval[string](p, `document.querySelector(".scores tbody th").textContent.replace(/\s+/g, " ").trim().toLowerCase()`); strings.Count(own, "you") != 1 {
		t.Errorf("the own row is called %q, want you said once", own)
	}
	barriers()
	p.tap(`a[href*="/games/"]`) // the replay is one tap away
	p.wait(`document.querySelectorAll("table.turns tbody tr").length > 0`)
	p.open(h.http.URL + "/practice/game")
	p.wait(`document.querySelector("button[name=again]")`)
	p.tap("button[name=again]")
	p.wait(`location.pathname === "/practice/game" && document.querySelectorAll("#rack .tile").length === 14`)
	p.wait(`document.getElementById("place").innerText.includes("Novice")`)
	if got := p.complaints(); len(got) > 0 {
		t.Errorf("the page complained: %q", got)
	}
}
