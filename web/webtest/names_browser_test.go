package webtest

import (
	"fmt"
	"net/http"
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
	screen := func(name string) string {
		return displayOf(t, h, screens.DisplaySettings{},
			sampleDisplay(t, []string{fourNames[0], name, fourNames[2], fourNames[3]}, 20))
	}
	for script, name := range nameScripts {
		t.Run(script, func(t *testing.T) {
			within(t, &p.t)
			p.open(screen(name))
			p.wait(`document.readyState === "complete" && document.fonts.status === "loaded"`)
			if own, others := p.ownFonts(".d-now > span"); own < 4 || len(others) > 0 {
				t.Errorf("%s: %d letters are the page's own, others come from %q", name, own, others)
			}
			p.picture(script)
		})
	}
	p.open(screen(fourNames[1]))
	p.wait(`document.readyState === "complete" && document.fonts.status === "loaded"`)
	if got := eval[[]string](p, `performance.getEntriesByType("resource").map((r) => r.name)
		.filter((name) => /woff2|letters/.test(name) && !name.endsWith("source-sans-3-latin.woff2"))`); len(got) > 0 {
		t.Errorf("a page of Latin names loads %q", got)
	}
}

// TestBrowserNewNamesHaveLetters checks that a page has letters for a name that its stream brings.
func TestBrowserNewNamesHaveLetters(t *testing.T) {
	b := startChromium(t)
	e := newPublished(t, "Open of the lake", "name,country\n山本 さくら,IT\nAnna,IT\nBen,IT\nCleo,IT\n", nil)
	p := b.tab(t, 1366, 900)
	p.open(fmt.Sprintf("%s/events/%d", e.http.URL, e.id))
	p.wait(isLive)
	e.organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/roster", e.id), "name,country\n김쀼뷁 햏욱,IT\n", nil)
	p.wait(`document.querySelector(".face-players").textContent.includes("햏") &&
		document.fonts.status === "loaded" && document.fonts.check("16px Names", "햏")`)
	eval[bool](p, `([...document.querySelectorAll(".face-players bdi")]
		.find((name) => name.textContent.includes("햏")).id = "new") !== ""`)
	if own, others := p.ownFonts("#new"); own < 5 || len(others) > 0 {
		t.Errorf("%d letters are the page's own, others come from %q", own, others)
	}
}

// TestBrowserLanguagesNameThemselves checks that on a machine without East Asian fonts the language switch uses a small
// font of its own, and that no page loads the letters of names for it.
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
	if got := eval[[]string](p, `performance.getEntriesByType("resource").map((r) => r.name)
		.filter((name) => name.includes("/letters/"))`); len(got) > 0 {
		t.Errorf("the switch loads %q", got)
	}
}
