package web

import (
	"fmt"
	"testing"

	"meldhall/templates"
)

// nameScripts are names as people write them, one for each script that rosters bring.
var nameScripts = map[string]string{
	"Latin": "Jörg Müller-Šimić", "Vietnamese": "Nguyễn Thị Hồng Ánh", "Greek": "Ελένη Παπαδοπούλου", "Greek with all its accents": "Ἀλέξανδρος Ὀδυσσεύς",
	"Cyrillic": "Екатерина Щербакова", "Cyrillic of Kazakhstan": "Әйгерім Қасымова", "Hebrew": "אברהם־יצחק בן־ציון", "Hebrew with vowels": "שָׂרָה", "Arabic": "عبد الرحمن الخطيب",
	"Japanese": "髙橋 さくら・ヴァレンティーナ", "Korean": "김쀼뷁 이햏욱", "Chinese": "欧阳慕容司马诸葛", "Chinese of Taiwan": "歐陽慕蓉諸葛龍鳳",
}

// TestBrowserNamesHaveLetters: the letters of every name come with the page, on a machine that has fonts for none of them.
func TestBrowserNamesHaveLetters(t *testing.T) {
	b, h := startChromium(t), newHall(t)
	p := b.tab(t, 1920, 1080)
	p.open(displayOf(t, h, templates.DisplaySettings{}, sampleDisplay(t, fourNames, 20)))
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
	if got := eval[int](p, `performance.getEntriesByType("resource").filter((r) => r.name.includes("/names-")).length`); got > 30 {
		t.Errorf("%d pieces of the East Asian font were loaded", got)
	}
	p.open(displayOf(t, h, templates.DisplaySettings{}, sampleDisplay(t, fourNames, 20)))
	p.wait(`document.fonts.status === "loaded"`)
	if got := eval[[]string](p, `performance.getEntriesByType("resource").map((r) => r.name).filter((name) => name.includes("woff2") && !name.includes("source-sans-3-latin-wght"))`); len(got) > 0 {
		t.Errorf("a page of Latin names loads %q", got)
	}
}
