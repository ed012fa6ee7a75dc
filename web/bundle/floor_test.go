package main

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/evanw/esbuild/pkg/api"
)

// feature is a feature of newer browsers, with the first versions of Chrome, Safari and Firefox that have it; 0 means
// that no version has it.
type feature struct {
	name                    string
	uses                    *regexp.Regexp
	chrome, safari, firefox float64
	// without describes a page without the feature. If it is empty, the feature may only be used under @supports.
	without string
}

func re(pattern string) *regexp.Regexp { return regexp.MustCompile(pattern) }

// sheetFeatures lists the features of style sheets that came after 2020.
var sheetFeatures = []feature{
	{"dvh, svh, lvh", re(`\d(?:[dsl]v(?:h|w|min|max|b|i))\b`), 108, 15.4, 101, ""},
	{":has()", re(`:has\(`), 105, 15.4, 121,
		"rows stand less tight and frames of light do not grow; the tablet's layout does without"},
	{"container queries", re(`@container|\dcq[wh]`), 105, 16, 110,
		"cards of the public's and the officials' pages stay rows"},
	{"popover", re(`:popover-open|\[popover\]`), 114, 17, 125, "the rarer rulings stand in the page"},
	{"text-wrap", re(`text-wrap:`), 114, 17.5, 121, "lines break as they come"},
	{"scrollbar-gutter", re(`scrollbar-gutter:`), 94, 18.2, 97, "a scrollbar takes room when it comes"},
	{"scrollbar-width", re(`scrollbar-width:`), 121, 18.2, 64, "scrollbars are as wide as usual"},
	{"animation-timeline", re(`animation-timeline:|scroll-timeline`), 115, 26, 0,
		"nothing fades at the edge of what scrolls"},
	{"@property", re(`@property`), 85, 16.4, 128, "nothing fades at the edge of what scrolls"},
	{"scale, rotate, translate", re(`[;{ ](?:scale|rotate|translate):`), 104, 14.1, 72,
		"a clock that runs out is not larger"},
	{"float: inline-start", re(`float:\s*inline-(?:start|end)`), 118, 15, 55, "a legend stands above"},
	{"color-mix()", re(`color-mix\(`), 111, 16.2, 113, ""},
	{"light-dark()", re(`light-dark\(`), 123, 17.5, 120, ""},
	{"relative colours", re(`(?:rgb|hsl|oklch)\(from `), 119, 16.4, 128, ""},
	{"subgrid", re(`\bsubgrid\b`), 117, 16, 71, ""},
	{"@layer", re(`@layer`), 99, 15.4, 97, ""},
	{"@scope", re(`@scope`), 118, 17.4, 128, ""},
	{"@starting-style", re(`@starting-style`), 117, 17.5, 129, ""},
	{"nesting", re(`[{;]\s*&`), 112, 16.5, 117, ""},
	{":dir()", re(`:dir\(`), 120, 16.4, 49, ""},
	{":user-valid", re(`:user-(?:in)?valid`), 119, 16.5, 88, ""},
	{"round(), mod(), sin()", re(`[:( ,](?:round|mod|rem|sin|cos|tan|sqrt|hypot|pow)\(`), 125, 15.4, 118, ""},
	{"lh", re(`\d(?:lh|rlh|cap|ic)\b`), 109, 16.4, 120, ""},
	{"field-sizing", re(`field-sizing:`), 123, 26.2, 0, ""},
	{"ranges in media queries", re(`@media[^{]*\([^)]*[<>]`), 104, 16.4, 63, ""},
	{"anchor positioning", re(`anchor-name:|anchor\(`), 125, 26, 0, ""},
}

// scriptFeatures lists features of scripts that esbuild does not rewrite. The scripts avoid them or guard each use.
var scriptFeatures = []feature{
	{"findLast()", re(`\.findLast(?:Index)?\(`), 97, 15.4, 104, ""},
	{"toSorted() and the like", re(`\.(?:toSorted|toReversed|toSpliced|with)\(`), 110, 16, 115, ""},
	{"groupBy()", re(`(?:Object|Map)\.groupBy\(`), 117, 17.4, 119, ""},
	{"withResolvers()", re(`\.withResolvers\(`), 119, 17.4, 121, ""},
	{"fromAsync()", re(`\.fromAsync\(`), 121, 16.4, 115, ""},
	{"AbortSignal.timeout()", re(`AbortSignal\.(?:timeout|any)\(`), 103, 16, 100, ""},
	{"URL.canParse()", re(`URL\.(?:canParse|parse)\(`), 120, 17, 115, ""},
	{"checkVisibility()", re(`\.checkVisibility\(`), 105, 17.4, 106, ""},
	{"showPopover()", re(`\.(?:show|hide|toggle)Popover\(`), 114, 17, 125, ""},
	{":has() in a selector", re("[\"'`][^\"'`\\n]*:has\\([^\"'`\\n]*[\"'`]"), 105, 15.4, 121, ""},
	{"sets of sets", re(`\.(?:isSubsetOf|isSupersetOf|symmetricDifference)\(`), 122, 17, 127, ""},
	{"scheduler", re(`\bscheduler\.`), 94, 0, 142, ""},
}

// olderAsks lists the features that older.js asks for.
var olderAsks = []feature{
	{"dvh", re(`CSS\.supports\("height", "1dvh"\)`), 108, 15.4, 101, ""},
	{"inert", re(`"inert" in document\.documentElement`), 102, 15.5, 112, ""},
}

// TestOlderKnowsTheFloor checks that the oldest supported version of each engine is the first that has a feature which
// older.js asks for, and that older.js is built for browsers that know no syntax of after 2009.
func TestOlderKnowsTheFloor(t *testing.T) {
	script := string(read(t, "older.js"))
	first := make([]float64, len(oldest))
	for i := range first {
		first[i] = min([]float64{olderAsks[0].chrome, olderAsks[0].safari, olderAsks[0].firefox}[i],
			[]float64{olderAsks[1].chrome, olderAsks[1].safari, olderAsks[1].firefox}[i])
		if got := strconv.FormatFloat(first[i], 'f', -1, 64); got != oldest[i].Version {
			t.Errorf("older.js warns below version %s of engine %v, but the oldest is %s", got, oldest[i].Name,
				oldest[i].Version)
		}
	}
	for _, f := range olderAsks {
		if !f.uses.MatchString(script) {
			t.Errorf("older.js does not ask for %s", f.name)
		}
	}
	newer := re(`=>|\b(?:let|const|class)\b|[?][.?]|` + "`")
	if found := newer.FindString(string(read(t, "built/older.js"))); found != "" {
		t.Errorf("built/older.js has %s", found)
	}
}

// TestReadmesNameTheOldest checks that the documents name the oldest supported browsers.
func TestReadmesNameTheOldest(t *testing.T) {
	want := fmt.Sprintf("Chrome %s, Safari %s and Firefox %s", oldest[0].Version, oldest[1].Version, oldest[2].Version)
	for _, name := range []string{"README.md", "../../README.md"} {
		if text := strings.Join(strings.Fields(string(read(t, name))), " "); !strings.Contains(text, want) {
			t.Errorf("%s does not say %q", name, want)
		}
	}
}

// newer reports whether one of the oldest supported browsers lacks the feature.
func (f feature) newer(t *testing.T) bool {
	t.Helper()
	for i, first := range []float64{f.chrome, f.safari, f.firefox} {
		floor, err := strconv.ParseFloat(oldest[i].Version, 64)
		if err != nil {
			t.Fatal(err)
		}
		if first == 0 || first > floor {
			return true
		}
	}
	return false
}

// asked matches the @supports blocks of a style sheet.
var asked = re(`(?s)@supports[^{]*\{(?:[^{}]|\{[^{}]*\})*\}`)

// TestStylesNeedNoNewerBrowser checks that the style sheets use features of newer browsers only under @supports or
// where the page works without them.
func TestStylesNeedNoNewerBrowser(t *testing.T) {
	built, err := build(assets)
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range built {
		if filepath.Ext(name) != ".css" {
			continue
		}
		for _, found := range newerIn(t, asked.ReplaceAllString(string(data), ""), sheetFeatures) {
			t.Errorf("%s uses %s", name, found)
		}
	}
	if len(newerIn(t, asked.ReplaceAllString("a{height:100dvh}@supports (height:1dvh){a{height:100dvh}}", ""),
		sheetFeatures)) != 1 {
		t.Error("100dvh is not found, or found under @supports")
	}
}

// TestScriptsNeedNoNewerBrowser checks the scripts for features of newer browsers. esbuild rewrites newer syntax but
// adds no missing functions.
func TestScriptsNeedNoNewerBrowser(t *testing.T) {
	modules, err := filepath.Glob(assets + "/js/*.js")
	if err != nil || len(modules) == 0 {
		t.Fatal(err)
	}
	for _, name := range modules {
		// whitespace minification removes the comments
		code := api.Transform(string(read(t, "js/"+filepath.Base(name))),
			api.TransformOptions{MinifyWhitespace: true}).Code
		for _, found := range newerIn(t, string(code), scriptFeatures) {
			t.Errorf("%s uses %s", filepath.Base(name), found)
		}
	}
	if len(newerIn(t, `document.querySelector("li:has(b)")`, scriptFeatures)) != 1 {
		t.Error("a selector with :has() is not found")
	}
}

func newerIn(t *testing.T, text string, features []feature) (found []string) {
	t.Helper()
	for _, f := range features {
		at := f.uses.FindStringIndex(text)
		if at == nil || f.without != "" || !f.newer(t) {
			continue
		}
		found = append(found, fmt.Sprintf("%s, which Chrome %s, Safari %s and Firefox %s do not all know: …%s…", f.name,
			oldest[0].Version, oldest[1].Version, oldest[2].Version,
			strings.TrimSpace(text[max(0, at[0]-60):min(len(text), at[1]+60)])))
	}
	return found
}
