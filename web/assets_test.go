package web

import (
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"maps"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// vendored lists the third-party files and the SHA-256 hashes of their releases.
var vendored = map[string]string{
	"vendor/htmx.min.js":                                 "a0abb04f2f45a1f89d1d4844023245537e5e6014c87b144553e0607b4cc32130",
	"vendor/hx-sse.min.js":                               "18ef2761356ec1fe0bb6d92612315b37517a7c1e9856b661c5ae81fef239d103",
	"fonts/noto-sans-arabic-arabic-wght-normal.woff2":    "ce85091f020920b65762b387b194ef59457ea5b25b760f2dcc35240a94bb8669",
	"fonts/noto-sans-hebrew-hebrew-wght-normal.woff2":    "395f2cb0a7e5ff8878e46ca0620e821a3da44ff058a7ac42cf060c5b5f7f5f2e",
	"fonts/source-sans-3-cyrillic-ext-wght-normal.woff2": "6aba01e1a800f890b4d91094c4cf5e1769aaf77085371a3ad96065d586186796",
	"fonts/source-sans-3-greek-ext-wght-normal.woff2":    "3576fb9237b1a58cb5b38369bd63074a6f884dbeb9f88069690b6bc67ee5d3ff",
	"fonts/source-sans-3-vietnamese-wght-normal.woff2":   "ff34bf5a131a3f9d194f47b4ff7de95aceef5dad72b74709a5d5bf2c069e1f86",
	"fonts/source-sans-3-cyrillic-wght-normal.woff2":     "b6b721e08d0324b9e743858e8260463085d4c5e1e684f036f9d4a8ca6c62996f",
	"fonts/source-sans-3-greek-wght-normal.woff2":        "5360981f035cd4307cd65e4cf46a27693a2409702d3234403c534d9e656d7844",
	"fonts/source-sans-3-latin-ext-wght-normal.woff2":    "a85a7459bdb3cdc1136751e151a506bae653fc29ada3ca86237477df6f1b59e6",
	"fonts/source-sans-3-latin-wght-normal.woff2":        "7a19a7027e125257d310c6dbd78ae3a30b5ea1e3794d60b12bb28227a003bfda",
}

func TestAssets(t *testing.T) {
	set, err := LoadAssets()
	if err != nil {
		t.Fatal(err)
	}
	load := func(method, url, encoding string) *http.Response {
		r := httptest.NewRequest(method, url, nil)
		r.Header.Set("Accept-Encoding", encoding)
		w := httptest.NewRecorder()
		set.ServeHTTP(w, r)
		return w.Result()
	}
	read := func(r io.Reader) string {
		data, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}

	t.Run("vendored files are as released", func(t *testing.T) {
		for name, want := range vendored {
			data, err := os.ReadFile("assets/" + name)
			if err != nil {
				t.Fatal(err)
			}
			sum := sha256.Sum256(data)
			if got := hex.EncodeToString(sum[:]); got != want {
				t.Errorf("%s: got %s, want %s", name, got, want)
			}
		}
	})
	t.Run("kept for ever and compressed", func(t *testing.T) {
		plain, zipped := load("GET", set.Asset("built/hall.css"), ""),
			load("GET", set.Asset("built/hall.css"), "gzip, br")
		if got := plain.Header.Get("Cache-Control"); !strings.Contains(got, "immutable") ||
			plain.Header.Get("Content-Type") != "text/css; charset=utf-8" {
			t.Errorf("got %q, %q", got, plain.Header.Get("Content-Type"))
		}
		unzipped, err := gzip.NewReader(zipped.Body)
		if err != nil || zipped.Header.Get("Content-Encoding") != "gzip" {
			t.Fatalf("not compressed: %v", err)
		}
		if got, want := read(unzipped), read(plain.Body); got != want || want == "" {
			t.Error("the compressed file is another one")
		}
	})
	t.Run("what is not there is not found", func(t *testing.T) {
		for _, url := range []string{"/assets/0123456789abcdef/built/hall.css", set.Asset("built/none.css"),
			set.Asset("../assets.go"), set.Base(), set.Base() + "/"} {
			if got := load("GET", url, "").StatusCode; got != http.StatusNotFound {
				t.Errorf("%s: got %d, want 404", url, got)
			}
		}
		if got := load("POST", set.Asset("built/hall.css"), "").StatusCode; got != http.StatusMethodNotAllowed {
			t.Errorf("POST: got %d, want 405", got)
		}
	})
	t.Run("style sheets name only files that are there", func(t *testing.T) {
		names, found := regexp.MustCompile(`url\(([^)]+)\)`), 0
		for name, a := range set.files {
			if path.Ext(name) != ".css" {
				continue
			}
			for _, m := range names.FindAllStringSubmatch(string(a.plain), -1) {
				found++
				if want := path.Join(path.Dir(name), strings.Trim(m[1], `"'`)); set.files[want].plain == nil {
					t.Errorf("%s names %q, which is not there", name, m[1])
				}
			}
		}
		if found < 6*60 {
			t.Errorf("got %d names, want the fonts in each style sheet", found)
		}
	})
	t.Run("only what pages load is served", func(t *testing.T) {
		for name := range set.files {
			if strings.HasPrefix(name, "js/") || strings.HasPrefix(name, "css/") || path.Ext(name) == ".md" ||
				path.Dir(name) == "." && name != "icon.svg" {
				t.Errorf("%s is served", name)
			}
		}
	})
}

// TestColours checks that every colour is a token of one file with values for dark and light halls, and that text has
// enough contrast.
func TestColours(t *testing.T) {
	sources, err := filepath.Glob("assets/css/*.css")
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
			if got := contrast(t, values[pair.front], values[pair.back]); got < pair.least {
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

func tokensIn(css string) map[string]string {
	values := map[string]string{}
	for _, m := range regexp.MustCompile(`--([a-z-]+): ([^;]+);`).FindAllStringSubmatch(css, -1) {
		values[m[1]] = m[2]
	}
	return values
}

// contrast returns WCAG's contrast ratio of two colours in the form #rrggbb.
func contrast(t *testing.T, a, b string) float64 {
	t.Helper()
	x, y := luminance(t, a), luminance(t, b)
	return (max(x, y) + .05) / (min(x, y) + .05)
}

func luminance(t *testing.T, colour string) float64 {
	t.Helper()
	var rgb [3]uint8
	if n, err := fmt.Sscanf(colour, "#%02x%02x%02x", &rgb[0], &rgb[1], &rgb[2]); n != 3 {
		t.Fatalf("%q is no colour #rrggbb: %v", colour, err)
	}
	sum := 0.0
	for i, weight := range [3]float64{.2126, .7152, .0722} {
		v := float64(rgb[i]) / 255
		if v <= .04045 {
			v /= 12.92
		} else {
			v = math.Pow((v+.055)/1.055, 2.4)
		}
		sum += weight * v
	}
	return sum
}
