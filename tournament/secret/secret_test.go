package secret

import (
	"strings"
	"testing"

	"meldhall/tournament/spelling"
)

func TestCodes(t *testing.T) {
	seen := map[string]bool{}
	letters := map[rune]int{}
	for range 5000 {
		code := NewCode()
		if len(code) != codeLength || seen[code] || spelling.Code(SpellCode(code)) != code {
			t.Fatalf("got %q", code)
		}
		seen[code] = true
		for _, r := range code {
			letters[r]++
		}
	}
	// There are 40,000 characters, 1,333 of each expected, standard deviation 36; five deviations are allowed.
	for _, r := range codeLetters {
		if n := letters[r]; n < 1150 || n > 1516 {
			t.Errorf("%c came %d times of 40000", r, n)
		}
	}
	if len(letters) != len(codeLetters) || strings.ContainsAny(codeLetters, "ILOU01") {
		t.Errorf("got %d letters", len(letters))
	}
}
