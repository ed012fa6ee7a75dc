package webtest

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"meldhall/tournament/colourtest"
)

func tokensIn(css string) map[string]string {
	values := map[string]string{}
	for _, m := range regexp.MustCompile(`--([a-z-]+): ([^;]+);`).FindAllStringSubmatch(css, -1) {
		values[m[1]] = m[2]
	}
	return values
}

// TestColours checks that every colour is a token of one file with values for dark and light halls, and that text has
// enough contrast.
func TestColours(t *testing.T) {
	sources, err := filepath.Glob("../assets/css/*.css")
	if err != nil || len(sources) < 5 {
		t.Fatalf("got the sources %v, %v", sources, err)
	}
	var tokens string
	colour := regexp.MustCompile(`#[0-9a-fA-F]{3,8}\b|\b(?:rgb|hsl|oklch)a?\(`)
	for _, name := range sources {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if filepath.Base(name) == "tokens.css" {
			tokens = string(data)
			continue
		}
		for _, line := range strings.Split(string(data), "\n") {
			if found := colour.FindString(line); found != "" {
				t.Errorf("%s names the colour %s: it belongs into tokens.css", name, found)
			}
		}
	}
	light, rest, _ := strings.Cut(tokens, "@media (prefers-color-scheme: dark)")
	byWish, bySwitch, ok := strings.Cut(rest, `:root[data-theme="dark"]`)
	bySwitch, _, printed := strings.Cut(bySwitch, "@media print")
	if !ok || !printed {
		t.Fatal("tokens.css has not its four blocks")
	}
	wish, chosen, day := tokensIn(byWish), tokensIn(bySwitch), tokensIn(light)
	if !maps.Equal(wish, chosen) || len(chosen) < 30 {
		t.Errorf("the dark hall by the device's wish (%d tokens) is not the one by the switch (%d)", len(wish),
			len(chosen))
	}
	for name := range chosen {
		if _, ok := day[name]; !ok {
			t.Errorf("%s has no value in the light hall", name)
		}
	}
	night := maps.Clone(day)
	maps.Copy(night, chosen)
	for hall, values := range map[string]map[string]string{"light": day, "dark": night} {
		for _, pair := range contrasts {
			if got := colourtest.Contrast(t, values[pair.front], values[pair.back]); got < pair.least {
				t.Errorf("%s hall: %s on %s has contrast %.2f, want %.1f", hall, pair.front, pair.back, got, pair.least)
			}
		}
	}
}

// contrasts lists the minimum contrast of token pairs: 4.5 for text, 3 for parts and large numerals (WCAG 1.4.3,
// 1.4.11).
var contrasts = []struct {
	front, back string
	least       float64
}{
	{"far-quiet", "surface", 7}, {"far-quiet", "bar", 7}, {"far-now", "surface", 7}, {"far-now", "bar", 7},
	{"good", "surface", 7}, {"good", "bar", 7},
	{"bad", "surface", 7}, {"bad", "bar", 7}, {"on-now", "now-fill", 7},
	{"text", "surface", 7}, {"text", "bar", 7}, {"text", "raised", 7}, {"text", "felt", 7}, {"text", "seat", 7},
	{"text", "lane", 7}, {"mute", "lane", 3}, {"on-rack", "well", 3}, {"good", "raised", 4.5},
	{"text", "seat-now", 4.5}, {"text", "now-wash", 4.5}, {"text", "bad-wash", 4.5},
	{"mute", "surface", 4.5}, {"mute", "bar", 4.5}, {"mute", "felt-bar", 4.5}, {"mute", "seat", 4.5},
	{"mute", "now-wash", 4.5},
	{"link", "surface", 4.5}, {"now", "surface", 4.5}, {"now", "seat", 4.5}, {"now", "now-wash", 4.5},
	{"good", "surface", 4.5}, {"good", "felt-bar", 4.5}, {"bad", "surface", 4.5}, {"bad", "felt-bar", 4.5},
	{"bad", "bad-wash", 4.5},
	{"on-now", "now-fill", 4.5}, {"on-rack", "rack", 4.5}, {"on-rack", "rack-top", 4.5}, {"on-key", "key", 4.5},
	{"on-draw", "key-draw", 4.5},
	{"edge", "surface", 3}, {"edge", "raised", 3}, {"now", "lane", 3}, {"now", "felt-bar", 3}, {"focus", "surface", 3},
	{"focus", "felt", 3}, {"just-laid", "ivory", 3},
	{"face-circle", "ivory", 4.5}, {"face-square", "ivory", 4.5}, {"face-diamond", "ivory", 4.5},
	{"face-triangle", "ivory", 3}, {"face-joker", "ivory", 4.5},
}
