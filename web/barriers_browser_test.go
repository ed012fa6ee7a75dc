package web

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// barriers are what axe finds on a page, by the criteria of WCAG 2.2 AA and its best practices, or by single rules.
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
	return eval[[]string](p, `axe.run(document, { runOnly: `+only+`, resultTypes: ["violations"] })
		.then((r) => r.violations.map((v) => v.id + ": " + v.help + " " + v.nodes.slice(0, 3).map((n) => n.html.slice(0, 160) + " " + n.failureSummary).join(" | ")))`)
}

func axeScript(t *testing.T) string {
	t.Helper()
	axe, err := os.ReadFile(filepath.Join("testdata", "axe.min.js"))
	if err != nil {
		t.Fatal(err)
	}
	return string(axe)
}

// fromRight are the screens that axe sees in the other direction, too: one of each kind of layout.
var fromRight = []string{"home", "seats", "seat", "check", "settings", "leaderboard", "watch", "display", "game", "game-start", "game-over", "hall", "ruling", "count", "replay", "desk", "roster", "round-draft", "penalties"}

var every = flag.Bool("every", false, "let axe look at every screen in every language and in both halls")

// look is a language and a theme in which screens are looked at.
type look struct{ language, theme string }

// looks are those in which axe looks at the screens.
func looks() []look {
	if *every {
		return []look{{"en", "light"}, {"en", "dark"}, {"it", "light"}, {"it", "dark"}, {"he", "light"}, {"he", "dark"}}
	}
	return []look{{"en", "light"}, {"he", "dark"}}
}

// TestScreensHaveNoBarriers runs axe over every kind of page, in both halls, and over each kind of layout in both directions; with
// -every over every page in every language and in both halls.
func TestScreensHaveNoBarriers(t *testing.T) {
	b := startChromium(t)
	axe := axeScript(t)
	s := newScreens(t)
	p := b.tab(t, 1280, 800)
	p.still()
	for _, in := range looks() {
		for _, v := range append(s.all(), s.settings()) {
			if !*every && in.language == "he" && !slices.Contains(fromRight, v.name) {
				continue
			}
			t.Run(in.language+"/"+in.theme+"/"+v.name, func(t *testing.T) {
				within(t, &p.t, &s.t)
				p.cookie(s.http.URL, themeCookie, in.theme)
				s.show(p, v, in.language)
				for _, violation := range barriers(p, axe) {
					t.Error(violation)
				}
				if !*every && in.language == "en" { // what the hall changes is colours
					eval[bool](p, `document.documentElement.dataset.theme = "dark", true`)
					for _, low := range barriers(p, axe, "color-contrast") {
						t.Errorf("dark: %s", low)
					}
				}
				p.picture(in.theme)
			})
		}
	}
	within(t, &p.t)
	for _, complaint := range p.complaints() {
		if !strings.Contains(complaint, "Failed to load resource: the server responded with a status of 4") { // the pages of errors are among them
			t.Errorf("a page complained: %s", complaint)
		}
	}
}
