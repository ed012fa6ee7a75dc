package webtest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"meldhall/engine"
	"meldhall/engine/ruleset"
	"meldhall/engine/score"
	"meldhall/engine/tile"
	"meldhall/templates/locale"
	"meldhall/templates/screens"
)

// tenInches are screens in the middle of a table.
var tenInches = [3][2]int64{{1280, 800}, {768, 1024}, {800, 1280}}

// namesInScripts are names of thirty letters in five scripts.
var namesInScripts = [][]string{
	longNames,
	{"Константин Александрович Рыжков", "Maximiliane Schwarzenberger-Uhl", "남궁 아름다운이름 김이박최정 강조윤장임 한오서신권황안송류", "Παναγιώτης Παπαδημητρόπουλος-Β"},
}

// clashes lists parts of a display that lie over each other or stick out of their places.
const clashes = `(() => {
	const found = [];
	const name = (el) => (el.id ? "#" + el.id : el.className) + " “" + el.textContent.trim().replace(/\s+/g, " ").slice(0, 40) + "”";
	const parts = [...document.querySelectorAll(".d-seat, .d-clock .clock, .d-pool, .d-table, .board .set, .d-now > .fit > span, .d-ruling, .d-turns a, .d-place span, .d-scores li, .d-result > .fit > span, .d-lead .fit > span, .d-rest > p, #link")]
		.filter((el) => el.checkVisibility({ visibilityProperty: true })).map((el) => ({ el, box: el.getBoundingClientRect() }))
		.filter(({ el, box }) => box.width > 1 && box.height > 1 && !(el.matches(".d-turns a") && box.top >= el.closest(".d-turns").getBoundingClientRect().bottom - 1));
	for (const { el, box } of parts) {
		if (box.left < -1 || box.top < -1 || box.right > innerWidth + 1 || box.bottom > innerHeight + 1) found.push(name(el) + " sticks out of the screen");
		for (const other of parts) {
			if (other.el === el || el.contains(other.el) || other.el.contains(el)) continue;
			const wide = Math.min(box.right, other.box.right) - Math.max(box.left, other.box.left), high = Math.min(box.bottom, other.box.bottom) - Math.max(box.top, other.box.top);
			if (wide > 1 && high > 1) found.push(name(el) + " lies over " + name(other.el) + " by " + Math.round(wide) + " x " + Math.round(high) + " px");
		}
	}
	return found;
})()`

// countedDisplay returns a display after a game, before the referee has confirmed the count.
func countedDisplay(t *testing.T, names []string) screens.DisplayView {
	view := sampleDisplay(t, names, 80)
	view.Game.View.Phase = engine.PhaseOver
	view.Game.View.Result = &engine.ResultView{Why: ruleset.EndedEmptied,
		Points: []score.Twelfth{-109 * 12, 161 * 12, -40 * 12, -12 * 12}, Wins: []score.Twelfth{0, 12, 0, 0},
		Charges: make([]score.Charge, 4)}
	return view
}

// loseLink makes a page without a stream look as if its connection had been lost.
const loseLink = `(() => {
	document.getElementById("link")?.remove();
	const link = document.createElement("p");
	link.id = "link";
	link.className = "link lost";
	link.innerHTML = '<svg class="sign" viewBox="0 0 12 12"></svg><span></span>';
	link.lastChild.textContent = %q.replace("{time}", "12:03:10 GMT+2");
	const stage = document.querySelector(".stage");
	stage.append(link);
	stage.classList.add("lost");
	return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))));
})()`

// eachDisplay opens a view on all screens of ten inches, with and without a connection.
func eachDisplay(p *tab, language, address string, look func(name string)) {
	p.t.Helper()
	p.open(address)
	for _, lost := range []bool{false, true} {
		for _, s := range tenInches {
			p.size(s[0], s[1])
			p.wait(fmt.Sprintf(`innerWidth === %d && document.fonts.status === "loaded"`, s[0]))
			p.frame()
			if lost {
				eval[bool](p, fmt.Sprintf(loseLink, locale.T(locale.WithLanguage(p.t.Context(), language), "link.lost")))
			}
			look(fmt.Sprintf("%d x %d, lost %v", s[0], s[1], lost))
		}
	}
}

// TestBrowserCountCoversNobody checks that the screen after a game shows all players with their points, with names of
// thirty letters, in both themes, from left and right, and without a connection.
func TestBrowserCountCoversNobody(t *testing.T) {
	b := startChromium(t)
	h := newHall(t)
	p := b.tab(t, 1280, 800)
	for i, names := range append(namesInScripts, fourNames) {
		for k, set := range []screens.DisplaySettings{{Lang: "en"}, {Theme: "light", Lang: "he"},
			{Sides: 2, Lang: "de"}} {
			if !inTurn(i, k, 3) {
				continue
			}
			address := displayOf(t, h, set, countedDisplay(t, names))
			eachDisplay(p, set.Lang, address, func(name string) {
				name = fmt.Sprintf("names %d, %s, %s", i, set.Lang, name)
				for _, what := range eval[[]string](p, clashes) {
					t.Errorf("%s: %s", name, what)
				}
				if cut := eval[[]string](p, cutTexts); len(cut) > 0 {
					t.Errorf("%s: cut: %q", name, cut)
				}
				shown := eval[[]string](p, `[...document.querySelectorAll(".d-scores li")].filter((li) => {
					const b = li.querySelector("b").getBoundingClientRect(), row = li.getBoundingClientRect();
					return b.width > 1 && b.top >= row.top - 1 && b.bottom <= row.bottom + 1 && document.elementFromPoint(b.left + b.width / 2, b.top + b.height / 2)?.closest("li") === li;
				}).map((li) => li.querySelector(".name").textContent)`)
				want := slices.Sorted(slices.Values(names))
				if got := slices.Sorted(slices.Values(shown)); !slices.Equal(got, want) {
					t.Errorf("%s: the rows that are seen are of %q", name, got)
				}
				p.picture(strings.ReplaceAll(name, ", ", "-"))
			})
		}
	}
}

// TestBrowserNotLiveHidesNoRow checks that the sign of a lost connection hides no row of a running game, and that every
// name is at least a first word with an initial.
func TestBrowserNotLiveHidesNoRow(t *testing.T) {
	b := startChromium(t)
	h := newHall(t)
	p := b.tab(t, 1280, 800)
	for i, names := range namesInScripts {
		for k, set := range []screens.DisplaySettings{{Lang: "en"}, {Theme: "light", Lang: "he"},
			{Sides: 2, Lang: "fr"}} {
			if !inTurn(i, k, 3) {
				continue
			}
			view := sampleDisplay(t, names, 80)
			for n := range view.Turns {
				view.Turns[n].Did.Kind = engine.TurnExpired{}.Kind() // the longest word
			}
			eachDisplay(p, set.Lang, displayOf(t, h, set, view), func(name string) {
				name = fmt.Sprintf("names %d, %s, %s", i, set.Lang, name)
				for _, what := range eval[[]string](p, clashes) {
					t.Errorf("%s: %s", name, what)
				}
				if cut := eval[[]string](p, cutTexts); len(cut) > 0 {
					t.Errorf("%s: cut: %q", name, cut)
				}
				lines := eval[[]string](p, `(() => {
					const list = document.querySelector(".d-turns").getBoundingClientRect();
					return [...document.querySelectorAll(".d-turns li")].filter((li) => li.getBoundingClientRect().top < list.bottom - 1).map((li) => {
						const name = li.querySelector(".name");
						return (name.scrollWidth > name.clientWidth + 1 ? "cut " : "") + name.textContent;
					});
				})()`)
				if len(lines) == 0 {
					t.Errorf("%s: no turn is shown", name)
				}
				for _, line := range lines {
					if strings.HasPrefix(line, "cut ") && strings.Contains(line[4:], " ") {
						t.Errorf("%s: the name is %s", name, line)
					}
				}
				p.picture(strings.ReplaceAll(name, ", ", "-"))
			})
		}
	}
}

// mixedSets returns n sets of three to five tiles, half of them of three, in an order that the seed chooses.
func mixedSets(n int, seed uint64) []tile.LaidView {
	random := rand.New(rand.NewPCG(seed, 0))
	return setsOf(n, func(int) int { return [...]int{3, 3, 3, 4, 4, 5}[random.IntN(6)] })
}

// setsOf returns n sets of the lengths that a function chooses. It does not check whether they are valid.
func setsOf(n int, length func(int) int) []tile.LaidView {
	table := make([]tile.LaidView, n)
	for k := range table {
		table[k].At = k * tile.LaneCells
		for i := range length(k) {
			table[k].Tiles = append(table[k].Tiles, tile.Face(k%4*13+(k/4*3+i)%13))
		}
	}
	return table
}

// signs returns the heights of the signs below the numerals in px.
const signs = `[...document.querySelectorAll(".board .tile:not(.J)")].map((el) => parseFloat(getComputedStyle(el, "::after").height))`

// squeezed lists tiles whose numeral or sign sticks out.
const squeezed = `[...document.querySelectorAll(".board .tile:not(.J)")].filter((el) => {
	const tile = el.getBoundingClientRect(), number = el.querySelector("b").getBoundingClientRect(), sign = getComputedStyle(el, "::after");
	return number.left < tile.left || number.right > tile.right || number.top < tile.top || number.height + parseFloat(sign.height) + 2 * parseFloat(sign.marginTop) > tile.height - 4;
}).map((el) => el.dataset.face)`

// TestDisplayNumerals checks that the numerals of twenty sets are 8 mm high on ten inches (149.5 px per inch), and their
// signs 2 mm. It prints the figures.
func TestDisplayNumerals(t *testing.T) {
	const pxPerMM = 149.5 / 25.4
	b := startChromium(t)
	h := newHall(t)
	p := b.tab(t, 1280, 800)
	type row struct {
		name  string
		table []tile.LaidView
		least [3]float64 // mm, on tenInches
	}
	all := [3]float64{8, 5.5, 8}
	rows := []row{
		{"20 sets of 3", setsOf(20, func(int) int { return 3 }), all},
		{"20 sets of 4", setsOf(20, func(int) int { return 4 }), all},
		{"20 sets of 3 to 7", sampleDisplay(t, fourNames, 106).Game.View.Table, all},
		{"30 sets of 3", setsOf(30, func(int) int { return 3 }), [3]float64{6, 5, 7}},
	}
	for seed := range uint64(12) {
		rows = append(rows, row{fmt.Sprintf("20 sets of 3 to 5, order %d", seed), mixedSets(20, seed), all})
	}
	for _, row := range rows {
		view := sampleDisplay(t, fourNames, 0)
		view.Game.View.Table = row.table
		p.open(displayOf(t, h, screens.DisplaySettings{}, view))
		for i, s := range tenInches {
			p.size(s[0], s[1])
			p.wait(fmt.Sprintf(`innerWidth === %d && document.fonts.status === "loaded" &&
				document.querySelectorAll(".board.laid .set").length === %d`, s[0], len(row.table)))
			p.frame()
			high := eval[[]float64](p, fmt.Sprintf("(%s)(%q, %q, %v)", heights, ".board .tile:not(.J) b", "7",
				pxPerMM))
			box := eval[string](p, `(({ width, height }) => Math.round(width) + " x " + Math.round(height))(document.querySelector(".board .tile").getBoundingClientRect())`)
			sign := slices.Min(eval[[]float64](p, signs)) / pxPerMM
			t.Logf("%s, %d x %d: %d tiles of %s px, numerals %.1f mm, signs %.1f mm", row.name, s[0], s[1], len(high),
				box, slices.Min(high), sign)
			if slices.Min(high) < row.least[i] || sign < 2 {
				t.Errorf("%s, %d x %d: numerals of %.2f mm, want %v; signs of %.2f mm", row.name, s[0], s[1],
					slices.Min(high), row.least[i], sign)
			}
			if out := eval[[]string](p, squeezed); len(out) > 0 {
				t.Errorf("%s, %d x %d: no room in the tiles %q", row.name, s[0], s[1], out)
			}
			p.picture(fmt.Sprint(row.name, s[0]))
		}
	}
}
