package web

import (
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"
)

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
		if found < 10*12 {
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

// vendored lists the third-party files and the SHA-256 hashes of their releases.
var vendored = map[string]string{
	"vendor/htmx.min.js":                                 "a0abb04f2f45a1f89d1d4844023245537e5e6014c87b144553e0607b4cc32130",
	"vendor/hx-sse.min.js":                               "18ef2761356ec1fe0bb6d92612315b37517a7c1e9856b661c5ae81fef239d103",
	"vendor/noble-ed25519.js":                            "70cebecaaa6a126ced702198706c49d03f2d6f70317342b75e50e8d2d4951fe5",
	"vendor/noble-ed25519.d.ts":                          "4add911e06d37d2c5ca704d5e8ecc702305a6c0b6a1e3ee620b53efb2041f71b",
	"fonts/noto-sans-hebrew-hebrew-wght-normal.woff2":    "395f2cb0a7e5ff8878e46ca0620e821a3da44ff058a7ac42cf060c5b5f7f5f2e",
	"fonts/source-sans-3-cyrillic-ext-wght-normal.woff2": "6aba01e1a800f890b4d91094c4cf5e1769aaf77085371a3ad96065d586186796",
	"fonts/source-sans-3-greek-ext-wght-normal.woff2":    "3576fb9237b1a58cb5b38369bd63074a6f884dbeb9f88069690b6bc67ee5d3ff",
	"fonts/source-sans-3-vietnamese-wght-normal.woff2":   "ff34bf5a131a3f9d194f47b4ff7de95aceef5dad72b74709a5d5bf2c069e1f86",
	"fonts/source-sans-3-cyrillic-wght-normal.woff2":     "b6b721e08d0324b9e743858e8260463085d4c5e1e684f036f9d4a8ca6c62996f",
	"fonts/source-sans-3-greek-wght-normal.woff2":        "5360981f035cd4307cd65e4cf46a27693a2409702d3234403c534d9e656d7844",

	"fonts/source-sans-3-latin.woff2": "7a19a7027e125257d310c6dbd78ae3a30b5ea1e3794d60b12bb28227a003bfda",
}
