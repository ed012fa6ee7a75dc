package webtest

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"meldhall/engine"
	"meldhall/templates/locale"
	"meldhall/templates/screens"
)

// haltedWord returns the word and the seconds of a stopped clock, if they are legible in their boxes.
const haltedWord = `(() => {
	const face = [...document.querySelectorAll("#clock .halted")].find((el) => el.checkVisibility());
	if (!face) return "no stopped clock";
	const clock = document.getElementById("clock").getBoundingClientRect();
	for (const el of face.querySelectorAll("b span, small")) {
		const range = document.createRange();
		range.selectNodeContents(el);
		const box = range.getBoundingClientRect();
		if (!el.checkVisibility() || box.width < 1) return "hidden: " + el.textContent;
		if (box.left < clock.left - 1 || box.right > clock.right + 1 || box.left < 0 || box.right > innerWidth) return "sticks out: " + el.textContent;
		if (parseFloat(getComputedStyle(el).fontSize) < 11) return "too small: " + el.textContent;
	}
	return face.querySelector("b").textContent.trim();
})()`

// TestBrowserPausedIsSaid checks that the clock of a paused game says so in words on every tablet and phone, in the
// languages with the longest and the rightmost words, and that the reason is on the screen.
func TestBrowserPausedIsSaid(t *testing.T) {
	e, game, p := playing(t, startChromium(t), preparedRacks...)
	e.referee.must(http.MethodPost, fmt.Sprintf("/games/%d/pause", game),
		map[string]any{"reason": "a spilled drink", "key": e.key()}, nil)
	p.wait(`document.getElementById("game").classList.contains("paused")`)
	for _, language := range []string{"en", "de", "nl", "he", "ko"} {
		p.cookie(e.http.URL, "lang", language)
		p.reload()
		p.wait(isLive + ` && document.fonts.status === "loaded"`)
		for _, size := range messageScreens {
			p.size(size[0], size[1])
			p.wait(fmt.Sprintf(`innerWidth === %d`, size[0]))
			p.frame()
			name := fmt.Sprintf("%s, %d x %d", language, size[0], size[1])
			want := locale.T(locale.WithLanguage(t.Context(), language), "clock.paused")
			if word := eval[string](p, haltedWord); word != want {
				t.Errorf("%s: the clock says %q, want %q", name, word, want)
			}
			if told := eval[string](p, `document.getElementById("told").innerText`); !strings.Contains(told,
				"spilled drink") {
				t.Errorf("%s: the reason is missing from %q", name, told)
			}
			for _, misfit := range eval[[]string](p, misfits) {
				t.Errorf("%s: %s", name, misfit)
			}
			p.picture(strings.ReplaceAll(name, ", ", "-"))
			largeText(p, 200)
			if word := eval[string](p, haltedWord); word != want {
				t.Errorf("%s, text of double size: the clock says %q, want %q", name, word, want)
			}
			p.picture(strings.ReplaceAll(name, ", ", "-") + "-200")
			largeText(p, 100)
		}
	}
	t.Run("the reason stays when another ruling follows", func(t *testing.T) {
		within(t, &p.t, &e.t)
		p.cookie(e.http.URL, "lang", "en")
		p.size(1280, 800)
		p.reload()
		e.referee.must(http.MethodPost, fmt.Sprintf("/games/%d/time", game),
			map[string]any{"seconds": 5, "reason": "test", "key": e.key()}, nil)
		p.wait(`document.getElementById("told").innerText.includes("5 s more") &&
			document.getElementById("told").innerText.includes("spilled drink")`)
	})
	t.Run("and goes when the clock runs", func(t *testing.T) {
		within(t, &p.t, &e.t)
		e.resume(e.referee, game)
		p.wait(`document.querySelector("#clock .digits") && !document.querySelector(".halted") &&
			document.getElementById("game").dataset.mine === "true"`)
	})
}

// pausedDisplays are reasons for a pause, with the sentence that the display must show.
var pausedDisplays = []struct {
	name  string
	pause engine.Pause
	text  string
}{
	{"referee", engine.Pause{Why: engine.PausedByReferee, Left: 42_000}, "The referee has stopped the clock."},
	{"reason", engine.Pause{Why: engine.PausedByReferee, Left: 42_000, Reason: "The committee decides an appeal"},
		"The committee decides an appeal"},
	{"outage", engine.Pause{Why: engine.PausedByOutage, Left: 42_000, ResumeAt: 1_010_000}, "The server was down."},
	{"untimed", engine.Pause{Why: engine.PausedByReferee}, "The referee has stopped the clock."},
}

// TestBrowserPausedDisplay checks that a table's screen says that the game is paused, and why, and no longer whose turn
// it is.
func TestBrowserPausedDisplay(t *testing.T) {
	b := startChromium(t)
	h := newHall(t)
	p := b.tab(t, 1280, 800)
	for _, row := range pausedDisplays {
		for _, theme := range []string{"dark", "light"} {
			view := sampleDisplay(t, fourNames, 46)
			view.Game.View.Paused = &row.pause
			if row.pause.Left == 0 {
				view.Game.View.Turn.Due = 0
			}
			p.open(displayOf(t, h, screens.DisplaySettings{Theme: theme, Lang: "en"}, view))
			for _, s := range tenInches {
				p.size(s[0], s[1])
				p.wait(fmt.Sprintf(`innerWidth === %d && document.fonts.status === "loaded" &&
					document.querySelector(".board.laid")`, s[0]))
				p.frame()
				name := fmt.Sprintf("%s %s %d x %d", row.name, theme, s[0], s[1])
				if word := eval[string](p, haltedWord); word != "paused" {
					t.Errorf("%s: the clock says %q", name, word)
				}
				text := eval[string](p, `document.getElementById("display").innerText`)
				if !strings.Contains(text, row.text) {
					t.Errorf("%s: %q is missing from %q", name, row.text, text)
				}
				if turn := eval[int](p, `document.querySelectorAll(".d-seat.turn, .sign-go").length`); turn > 0 ||
					strings.Contains(text, "to play") {
					t.Errorf("%s: it says whose turn it is: %q", name, text)
				}
				for _, what := range eval[[]string](p, clashes) {
					t.Errorf("%s: %s", name, what)
				}
				p.picture(name)
			}
		}
	}
	for _, language := range locale.LanguagesOf(t.Context()) {
		view := sampleDisplay(t, fourNames, 46)
		view.Game.View.Paused = &pausedDisplays[1].pause
		p.open(displayOf(t, h, screens.DisplaySettings{Sides: 2, Lang: language.Tag}, view))
		for _, s := range [][2]int64{tenInches[0], tenInches[1], tenInches[2], {1920, 1080}} {
			p.size(s[0], s[1])
			p.wait(fmt.Sprintf(`innerWidth === %d && document.fonts.status === "loaded" &&
				document.querySelector(".board.laid")`, s[0]))
			p.frame()
			want := locale.T(locale.WithLanguage(t.Context(), language.Tag), "clock.paused")
			if word := eval[string](p, haltedWord); word != want {
				t.Errorf("%s %d x %d: the clock says %q, want %q", language.Tag, s[0], s[1], word, want)
			}
			if cut := eval[[]string](p, cutTexts); len(cut) > 0 {
				t.Errorf("%s %d x %d: cut: %q", language.Tag, s[0], s[1], cut)
			}
			for _, what := range eval[[]string](p, clashes) {
				t.Errorf("%s %d x %d: %s", language.Tag, s[0], s[1], what)
			}
			p.picture(fmt.Sprintf("%s-%d", language.Tag, s[0]))
		}
	}
}
