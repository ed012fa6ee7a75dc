package webtest

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/a-h/templ"

	"meldhall/templates"
	"meldhall/templates/screens"
	"meldhall/tournament/screen"
	"meldhall/web/page"
)

// barriers returns axe's findings on a page, by WCAG 2.2 AA and its best practices or by single rules. A target that axe
// calls too small because a fixed bar covers it is scrolled into view and checked again.
func barriers(p *tab, axe string, rules ...string) []string {
	p.t.Helper()
	only := `{ type: "tag", values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] }`
	if len(rules) > 0 {
		only = fmt.Sprintf(`{ type: "rule", values: %q }`, rules)
		only = strings.ReplaceAll(only, `" "`, `", "`)
	}
	if !eval[bool](p, `"axe" in window`) {
		eval[bool](p, axe+";true")
	}
	return eval[[]string](p, `(async () => {
		const { violations } = await axe.run(document, { runOnly: `+only+`, resultTypes: ["violations"] });
		for (const v of violations.filter((v) => v.id === "target-size")) {
			const small = [];
			for (const n of v.nodes) {
				document.querySelector(n.target[0]).scrollIntoView({ block: "center" });
				const again = await axe.run(n.target[0], { runOnly: { type: "rule", values: [v.id] }, resultTypes: ["violations"] });
				small.push(...again.violations.flatMap((w) => w.nodes));
			}
			v.nodes = small;
		}
		return violations.filter((v) => v.nodes.length > 0).map((v) => v.id + ": " + v.help + " " + v.nodes.slice(0, 3).map((n) => n.html.slice(0, 160) + " " + n.failureSummary).join(" | "));
	})()`)
}

func axeScript(t *testing.T) string {
	t.Helper()
	axe, err := os.ReadFile(filepath.Join("testdata", "axe.min.js"))
	if err != nil {
		t.Fatal(err)
	}
	return string(axe)
}

// layouts lists one screen of each kind of layout.
var layouts = []string{"home", "seats", "seat", "check", "settings", "leaderboard", "watch", "display", "game",
	"game-start", "game-over", "hall", "ruling", "count", "replay", "desk", "roster", "round-draft", "penalties"}

// TestScreensHaveNoBarriers runs axe over every page in the light theme, and over half of them in the dark one. One
// page per layout is in English or in a right-to-left language; all others are in English. With -figures it checks
// every page in both themes, and those of each layout in both languages.
func TestScreensHaveNoBarriers(t *testing.T) {
	b := startChromium(t)
	axe := axeScript(t)
	s := newScreens(t)
	p := b.tab(t, 1280, 800)
	p.still()
	p.cookie(s.http.URL, page.ThemeCookie, "light")
	for i, v := range append(s.all(), s.settings()) {
		languages := []string{"en", "he"}
		if !slices.Contains(layouts, v.name) {
			languages = languages[:1]
		}
		for k, language := range languages {
			if !inTurn(i, k, len(languages)) {
				continue
			}
			t.Run(language+"/"+v.name, func(t *testing.T) {
				within(t, &p.t, &s.t)
				s.show(p, v, language)
				for _, violation := range barriers(p, axe) {
					t.Error(violation)
				}
				p.picture("light")
				if !inTurn(i/2, 0, 2) {
					return
				}
				eval[bool](p, `document.documentElement.dataset.theme = "dark", true`) // the theme only changes colours
				for _, low := range barriers(p, axe, "color-contrast") {
					t.Errorf("dark: %s", low)
				}
				p.picture("dark")
			})
		}
	}
	within(t, &p.t)
	for _, complaint := range p.complaints() {
		// error pages are among them
		if !strings.Contains(complaint, "Failed to load resource: the server responded with a status of 4") {
			t.Errorf("a page complained: %s", complaint)
		}
	}
}

// TestFramesAndBoardsHaveNoBarriers runs axe over the frames for other sites, the boards, the overlays and the
// commentators' page, and over the description of the API, which is a document of its own.
func TestFramesAndBoardsHaveNoBarriers(t *testing.T) {
	b, s := startChromium(t), newScreens(t)
	axe := axeScript(t)
	table := s.round.Tables[0].ID
	paths := []string{string(templates.APIPath), string(templates.CommentaryPath(s.id))}
	for _, framed := range []templ.SafeURL{templates.LeaderboardPath(s.id), templates.TablesPath(s.id),
		templates.WatchPath(s.id, table)} {
		paths = append(paths, string(templates.EmbedPath(framed)))
	}
	for _, board := range screen.Boards {
		paths = append(paths, fmt.Sprintf("/events/%d/boards/%s", s.id, board))
	}
	for _, overlay := range screens.Overlays {
		paths = append(paths, string(templates.OverlayPath(s.id, overlay)))
	}
	p := b.tab(t, 1280, 720)
	p.still()
	for _, path := range paths {
		t.Run(path, func(t *testing.T) {
			within(t, &p.t, &s.t)
			p.open(s.http.URL + path)
			p.wait(`document.readyState === "complete" && document.fonts.status === "loaded"`)
			for _, violation := range barriers(p, axe) {
				t.Error(violation)
			}
			if over := eval[int](p, `document.documentElement.scrollWidth - innerWidth`); over > 0 {
				t.Errorf("the page is %d pixels too wide", over)
			}
			p.picture("barriers")
		})
	}
}
