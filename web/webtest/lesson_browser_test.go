package webtest

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"meldhall/engine"
	"meldhall/engine/testmode"
	"meldhall/tournament/practice"
	"meldhall/web"
)

// newcomer is a person who taps where the hand of the lesson points.
type newcomer struct {
	*practising
	game int64
	last string // what the hand pointed to at the last tap
	seen []string
}

// startLesson opens a lesson on a phone, in a language.
func startLesson(t *testing.T, b *chromium, language string, size [2]int64) *newcomer {
	t.Helper()
	k := &newcomer{practising: &practising{axe: axeScript(t)}}
	k.h = newHall(t, func(c *web.Config) { c.Think = 300 * time.Millisecond })
	k.p = b.tab(t, size[0], size[1])
	k.p.still()
	k.p.cookie(k.h.http.URL, "lang", language)
	k.p.atStart(`window.heard = []; document.addEventListener("DOMContentLoaded", () => {
		const log = document.getElementById("say");
		if (log) new MutationObserver((list) => list.forEach((m) => m.addedNodes.forEach((p) => heard.push(p.textContent)))).observe(log, { childList: true });
	})`)
	k.p.open(k.h.http.URL + "/practice")
	k.p.wait(`document.querySelector("button[name=lesson]")`)
	k.p.picture("lesson-0-offer")
	k.barriers(t)
	k.p.taps = 0
	k.p.tap("button[name=lesson]")
	k.p.wait(`location.pathname === "/practice/game" && document.getElementById("lesson") && ` + isLive)
	games, err := practice.Games(t.Context(), k.h.store)
	if err != nil || len(games) != 1 {
		t.Fatalf("got %v %v", games, err)
	}
	k.game = games[0]
	return k
}

func (k *newcomer) state(t *testing.T) engine.State {
	t.Helper()
	snap, err := k.h.games.Look(t.Context(), k.game)
	if err != nil {
		t.Fatal(err)
	}
	return snap.State
}

// step returns the present step, or "over" at the end.
func (k *newcomer) step() string {
	return eval[string](k.p,
		`document.getElementById("result-title") ? "over" : document.getElementById("lesson")?.dataset.step || ""`)
}

// follow taps where the hand points until a condition holds.
func (k *newcomer) follow(t *testing.T, until string) {
	t.Helper()
	const hand = `document.querySelector(".lesson-hand")`
	for range 40 {
		k.p.wait(fmt.Sprintf(`(%s) || !%s.hidden && %[2]s.dataset.to !== %q`, until, hand, k.last))
		if eval[bool](k.p, `!!(`+until+`)`) {
			return
		}
		if step := k.step(); !slices.Contains(k.seen, step) {
			k.seen = append(k.seen, step)
			k.p.picture("lesson-" + step)
			k.barriers(t)
		}
		k.last = eval[string](k.p, hand+`.dataset.to`)
		if k.last == "play" {
			k.p.wait(armed("#play"))
		}
		k.p.tapAt(eval[point](k.p, `(([X, Y]) => ({ X, Y }))(`+hand+`.dataset.tip.split(" ").map(Number))`))
	}
	t.Fatalf("the hand led nowhere: %s, %s", k.step(), k.last)
}

// isStep returns an expression for the present step.
func isStep(name string) string {
	return fmt.Sprintf(`document.getElementById("lesson")?.dataset.step === %q`, name)
}

// TestBrowserLesson lets a newcomer finish the lesson by tapping where the hand points, on a phone. The state of the
// server must then hold an opening and a freed joker.
func TestBrowserLesson(t *testing.T) {
	testmode.SkipUnlessLong(t)
	b := startChromium(t)
	for _, language := range []string{"en", "it"} {
		t.Run(language, func(t *testing.T) {
			k := startLesson(t, b, language, [2]int64{390, 844})
			k.follow(t, isStep("split"))
			if s := k.state(t); !s.Opened[0] || s.Turn.Due != 0 {
				t.Errorf("the opening is not laid: %+v", s.Turn)
			}
			if language == "it" {
				k.errs(t)
				k.resumes(t)
			}
			k.follow(t, `document.getElementById("result-title")`)
			k.p.wait(`document.getElementById("moment").hidden`)
			k.p.picture("lesson-over")
			k.barriers(t)
			if s := k.state(t); s.Phase != engine.PhaseOver || !s.Opened[0] || len(s.Racks[0]) != 0 || !freed(s) {
				t.Errorf("got %s, the table %v and the rack %v", s.Phase, s.Table, s.Racks[0])
			}
			if want := []string{"run", "group", "points", "split", "joker"}; !slices.Equal(k.seen, want) {
				t.Errorf("got the steps %v, want %v", k.seen, want)
			}
			t.Logf("%s: %d taps, %d steps", language, k.p.taps, len(k.seen))
			if language == "en" {
				k.heardOnce(t)
			}
			if got := k.p.complaints(); len(got) > 0 {
				t.Errorf("the page complained: %q", got)
			}
		})
	}
}

// TestBrowserLessonByList finishes the lesson in the table as a list, which large text brings on a phone.
func TestBrowserLessonByList(t *testing.T) {
	testmode.SkipUnlessLong(t)
	k := startLesson(t, startChromium(t), "en", [2]int64{390, 844})
	k.axe = "" // TestBrowserListFits looks for barriers in the list
	largeText(k.p, 200)
	k.p.wait(`document.documentElement.dataset.view === "list"`)
	k.follow(t, `document.getElementById("result-title")`)
	if s := k.state(t); !s.Opened[0] || len(s.Racks[0]) != 0 || !freed(s) {
		t.Errorf("got the table %v and the rack %v", s.Table, s.Racks[0])
	}
}

// heardOnce checks that each step was announced once.
func (k *newcomer) heardOnce(t *testing.T) {
	heard := strings.Join(eval[[]string](k.p, `window.heard`), "\n")
	for _, title := range []string{"A run. A run has", "A group. A group has", "30 points to start. The first",
		"Split a run. Your", "Free the joker. The"} {
		if n := strings.Count(heard, title); n != 1 {
			t.Errorf("%q was announced %d times:\n%s", title, n, heard)
		}
	}
}

// errs lays a wrong tile at the step of the split: it is refused with a reason, and the hand leads back.
func (k *newcomer) errs(t *testing.T) {
	before := k.state(t)
	k.p.wait(`document.getElementById("game").dataset.mine === "true"`)
	k.p.tap(`#rack .slot:has([data-face="K1"])`)
	k.p.tap(cell(cellOf(k.p, "R7")))
	k.p.wait(`document.querySelector("#table .tag.bad") && !document.getElementById("play").disabled`)
	k.p.wait(armed("#play"))
	k.p.tap("#play")
	k.p.wait(`document.getElementById("verdict").classList.contains("bad")`)
	k.p.picture("lesson-wrong")
	if now := k.state(t); now.Seq != before.Seq || !slices.Equal(now.Racks[0], before.Racks[0]) {
		t.Errorf("a wrong play changed the game: %+v", now.Turn)
	}
	k.follow(t, `!document.querySelector("#table .tile.laid")`)
}

// resumes reloads the page: the lesson is where it was.
func (k *newcomer) resumes(t *testing.T) {
	t.Helper()
	k.p.open(k.h.http.URL + "/practice")
	k.p.tap(`.lesson-offer a`)
	k.p.wait(isStep("split") + ` && ` + isLive)
	k.last = ""
}

// TestBrowserLessonSkipped skips every step by keyboard. The engine judges what a skipped step lays.
func TestBrowserLessonSkipped(t *testing.T) {
	testmode.SkipUnlessLong(t)
	k := startLesson(t, startChromium(t), "en", [2]int64{1024, 768})
	for _, step := range []string{"run", "group", "points", "split", "joker"} {
		k.p.wait(isStep(step) + ` && document.getElementById("game").dataset.mine === "true"`)
		eval[bool](k.p, `document.getElementById("lesson-skip").focus(), true`)
		k.p.wait(armed("#lesson-skip"))
		k.p.press("Enter")
	}
	k.p.wait(`document.getElementById("result-title")`)
	if s := k.state(t); s.Phase != engine.PhaseOver || !s.Opened[0] || !freed(s) {
		t.Errorf("got %s, the table %v", s.Phase, s.Table)
	}
}

// TestBrowserLessonFits checks the panel and the hand on small and large screens, with large text, from right to left
// and in both themes.
func TestBrowserLessonFits(t *testing.T) {
	testmode.SkipUnlessLong(t)
	b := startChromium(t)
	for _, language := range []string{"it", "he"} {
		k := startLesson(t, b, language, [2]int64{390, 844})
		k.p.cookie(k.h.http.URL, "theme", map[string]string{"it": "dark", "he": "light"}[language])
		for _, step := range []string{"run", "joker"} {
			for !strings.Contains(step, k.step()) || k.step() == "" {
				if now := k.step(); now == "run" || now == "group" || now == "points" || now == "split" {
					k.p.wait(`document.getElementById("game").dataset.mine === "true"`)
					k.p.wait(armed("#lesson-skip"))
					eval[bool](k.p, `document.getElementById("lesson-skip").click(), true`)
					k.p.wait(`document.getElementById("lesson")?.dataset.step !== "` + now + `"`)
				}
				k.p.wait(`!/good|again/.test(document.getElementById("lesson").dataset.step)`)
			}
			for _, size := range [][2]int64{{360, 640}, {390, 844}, {844, 390}, {800, 1280}, {1024, 768}} {
				k.fits(t, fmt.Sprintf("%s %s %d x %d", language, step, size[0], size[1]), size)
			}
		}
	}
}

func (k *newcomer) fits(t *testing.T, name string, size [2]int64) {
	t.Helper()
	k.p.size(size[0], size[1])
	k.p.wait(fmt.Sprintf("innerWidth === %d", size[0]))
	k.p.reload()
	k.p.wait(`document.getElementById("lesson") && document.fonts.status === "loaded" && ` + isLive)
	for _, percent := range []int{100, 200} {
		if percent == 200 && size[0] != 390 && size[0] != 1024 {
			continue
		}
		largeText(k.p, percent)
		k.p.wait(`document.querySelector(".lesson-hand") && !document.querySelector(".lesson-hand").hidden`)
		for _, wrong := range eval[[]string](k.p, cutKeys) {
			t.Errorf("%s, %d %%: %s", name, percent, wrong)
		}
		for _, misfit := range eval[[]string](k.p, misfits) {
			t.Errorf("%s, %d %%: %s", name, percent, misfit)
		}
		if out := eval[bool](k.p, `(() => {
			const box = document.querySelector(".lesson-hand").getBoundingClientRect();
			return box.left < -30 || box.right > innerWidth + 40 || box.top < -10 || box.top > innerHeight;
		})()`); out {
			t.Errorf("%s, %d %%: the hand is off the screen", name, percent)
		}
		k.p.picture(strings.ReplaceAll(fmt.Sprintf("lesson-fits-%s-%d", name, percent), " ", "-"))
		if percent == 100 {
			k.barriers(t)
		}
	}
	largeText(k.p, 100)
}
