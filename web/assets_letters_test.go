package web

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"meldhall/templates/letters"
)

// TestLettersAreServed checks the style sheet and the font that a page with East Asian letters links.
func TestLettersAreServed(t *testing.T) {
	set, err := LoadAssets()
	if err != nil {
		t.Fatal(err)
	}
	sheet := regexp.MustCompile(`href="([^"]+)"`).FindSubmatch(letters.After([]byte("山本さくら")))
	if sheet == nil {
		t.Fatal("nothing is linked")
	}
	font := strings.TrimSuffix(string(sheet[1]), letters.SheetName) + letters.FontName
	for address, kind := range map[string]string{string(sheet[1]): "text/css; charset=utf-8", font: "font/ttf",
		font + "x": "", letters.Path: "", letters.Path + "x/y/z": ""} {
		r, w := httptest.NewRequest(http.MethodGet, address, nil), httptest.NewRecorder()
		r.Header.Set("Accept-Encoding", "gzip")
		set.ServeHTTP(w, r)
		got := w.Header()
		if kind == "" {
			if w.Code != http.StatusNotFound {
				t.Errorf("%s: status %d", address, w.Code)
			}
		} else if w.Code != http.StatusOK || got.Get("Content-Type") != kind || got.Get("Content-Encoding") != "gzip" ||
			!strings.Contains(got.Get("Cache-Control"), "immutable") {
			t.Errorf("%s: status %d, %v", address, w.Code, got)
		}
	}
}
