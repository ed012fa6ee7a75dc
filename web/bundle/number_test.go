package main

import (
	"encoding/json"
	"testing"

	"meldhall/tournament/spelling"
)

// TestAPageReadsNumbersAsTheServerDoes compares the page's reading of what people type with the server's.
func TestAPageReadsNumbersAsTheServerDoes(t *testing.T) {
	texts := []string{"40", " 40\u00a0", "٤٠", "۴۰", "४०", "４０", "๔๐", "\U0001d7d2\U0001d7d8", "-20", "\u221220", "\uff0d２０", "\u200f\u2212٢٠", "76.5", "76,5", "٧٦٫٥", "007",
		"", " ", "4O", "abc", "\u201320", "\u201420", "1e3", "0x10", "+5", "Infinity", "NaN", "--5", "5-", "1.2.3", "1_000", "²", "十", "5 points"}
	for i, n := range call[[]*json.Number](loadScripts(t), "numbers", texts) {
		plain, ok := spelling.Number(texts[i])
		if (n != nil) != ok {
			t.Errorf("%+q: the page reads %v, the server %q, %v", texts[i], n, plain, ok)
			continue
		}
		if n == nil {
			continue
		}
		page, _ := n.Float64()
		if server, err := json.Number(plain).Float64(); err != nil || page != server {
			t.Errorf("%+q: the page reads %v, the server %s", texts[i], page, plain)
		}
	}
}
