package webtest

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"meldhall/tournament/spelling"
)

// TestBrowserReadsNumbersAsTheServerDoes compares how the page and the server parse typed numbers.
func TestBrowserReadsNumbersAsTheServerDoes(t *testing.T) {
	texts := []string{"40", " 40\u00a0", "٤٠", "۴۰", "४०", "４０", "๔๐", "\U0001d7d2\U0001d7d8", "-20", "\u221220",
		"\uff0d２０",
		"\u200f\u2212٢٠", "76.5", "76,5", "٧٦٫٥", "007", "", " ", "4O", "abc", "\u201320", "\u201420", "1e3", "0x10",
		"+5",
		"Infinity", "NaN", "--5", "5-", "1.2.3", "1_000", "²", "十", "5 points"}
	source, err := os.ReadFile("../assets/js/number.js")
	if err != nil {
		t.Fatal(err)
	}
	given, err := json.Marshal(texts)
	if err != nil {
		t.Fatal(err)
	}
	p := startChromium(t).tab(t, 320, 480)
	read := eval[[]*float64](p, "(() => {"+strings.ReplaceAll(string(source), "export ", "")+
		"\nreturn "+string(given)+".map((text) => readNumber(text) ?? null); })()")
	if len(read) != len(texts) {
		t.Fatalf("got %d numbers, want %d", len(read), len(texts))
	}
	for i, page := range read {
		plain, ok := spelling.Number(texts[i])
		if (page != nil) != ok {
			t.Errorf("%+q: the page reads %v, the server %q, %v", texts[i], page, plain, ok)
			continue
		}
		if page == nil {
			continue
		}
		if server, err := json.Number(plain).Float64(); err != nil || *page != server {
			t.Errorf("%+q: the page reads %v, the server %s", texts[i], *page, plain)
		}
	}
}
