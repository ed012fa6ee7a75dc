package webtest

import (
	"fmt"
	"os"
	"testing"

	"meldhall/templates/screens"
)

// nameScripts holds a sample name for each script that occurs in rosters.
var nameScripts = map[string]string{
	"Latin": "Jörg Müller-Šimić", "Vietnamese": "Nguyễn Thị Hồng Ánh", "Greek": "Ελένη Παπαδοπούλου",
	"Greek with all its accents": "Ἀλέξανδρος Ὀδυσσεύς",
	"Cyrillic":                   "Екатерина Щербакова", "Cyrillic of Kazakhstan": "Әйгерім Қасымова",
	"Hebrew":             "אברהם־יצחק בן־ציון",
	"Hebrew with vowels": "שָׂרָה", "Arabic": "عبد الرحمن الخطيب",
	"Japanese": "髙橋 さくら・ヴァレンティーナ", "Korean": "김쀼뷁 이햏욱", "Chinese": "欧阳慕容司马诸葛", "Chinese of Taiwan": "歐陽慕蓉諸葛龍鳳",
}

// TestBrowserNamesHaveLetters checks that the page's own fonts cover every name, on a machine that has none of them.
func TestBrowserNamesHaveLetters(t *testing.T) {
	b, h := startChromium(t), newHall(t)
	p := b.tab(t, 1920, 1080)
	p.open(displayOf(t, h, screens.DisplaySettings{}, sampleDisplay(t, fourNames, 20)))
	for script, name := range nameScripts {
		t.Run(script, func(t *testing.T) {
			within(t, &p.t)
			eval[bool](p, fmt.Sprintf(`(async () => {
				const el = document.querySelector(".d-now > span");
				el.textContent = %q;
				el.getBoundingClientRect();
				await document.fonts.ready;
				await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => drawn(true))));
				return true;
			})()`, name))
			p.wait(`document.fonts.status === "loaded"`)
			if own, others := p.ownFonts(".d-now > span"); own < 4 || len(others) > 0 {
				t.Errorf("%s: %d letters are the page's own, others come from %q", name, own, others)
			}
			p.picture(script)
		})
	}
	if got := eval[int](p,
		`performance.getEntriesByType("resource").filter((r) => r.name.includes("/names-")).length`); got > 30 {
		t.Errorf("%d pieces of the East Asian font were loaded", got)
	}
	p.open(displayOf(t, h, screens.DisplaySettings{}, sampleDisplay(t, fourNames, 20)))
	p.wait(`document.fonts.status === "loaded"`)
	if got := eval[[]string](p,
		`performance.getEntriesByType("resource").map((r) => r.name).filter((name) => name.includes("woff2") && !name.includes("source-sans-3-latin-wght"))`); len(got) > 0 {
		t.Errorf("a page of Latin names loads %q", got)
	}
}

// TestBrowserLanguagesNameThemselves checks that on a machine without East Asian fonts the language switch uses a small
// font of its own, and that no page loads the font parts for names.
func TestBrowserLanguagesNameThemselves(t *testing.T) {
	b, h := startChromium(t), newHall(t)
	if file, err := os.Stat("../assets/fonts/languages.woff2"); err != nil || file.Size() > 10<<10 {
		t.Fatalf("the font of the switch: %v, %v", file, err)
	}
	p := b.tab(t, 1366, 900)
	p.open(h.http.URL + "/")
	p.wait(`document.fonts.status === "loaded"`)
	for tag, letters := range map[string]int{"ja": 3, "ko": 3, "zh-Hant": 4, "he": 5} {
		if own, others := p.ownFonts(`button[name="lang"][value="` + tag + `"]`); own != letters || len(others) > 0 {
			t.Errorf("%s: %d letters are the page's own, others come from %q", tag, own, others)
		}
	}
	eval[bool](p, `(document.querySelector("button[name=lang]").scrollIntoView(), true)`)
	p.picture("switch")
	if got := eval[[]string](p,
		`performance.getEntriesByType("resource").map((r) => r.name).filter((name) => name.includes("/names-"))`); len(got) > 0 {
		t.Errorf("the switch loads %q", got)
	}
}
