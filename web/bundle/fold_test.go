package main

import (
	"testing"

	"meldhall/tournament/spelling"
)

// TestSearchesFoldAsTheServer checks that pages search by the same form of a text as the server. The browser tests
// check the properties of characters, which this runtime lacks.
func TestSearchesFoldAsTheServer(t *testing.T) {
	s := loadScripts(t)
	for _, text := range []string{"Łukasz", "ØRSTED", "Straße", "O\u2019Brien", "O`Brien", "Þor  Æsir ", "ＡＤＡ",
		"Σισυφος", "山田 太郎", "Œuvre", "Đ"} {
		if got, want := call[string](s, "folded", text), spelling.Search(text); got != want {
			t.Errorf("%+q is %+q in a page and %+q on the server", text, got, want)
		}
	}
}
