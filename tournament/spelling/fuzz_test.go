package spelling

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// FuzzClean checks that Clean always returns clean text.
func FuzzClean(f *testing.F) {
	for _, seed := range []string{"Ann", "\u202eevil", "a\x00b", "\xff", "e\u0301", "\u200b", " a  b ", "\u2066x",
		"\ufffd"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		clean := Clean(text)
		if Clean(clean) != clean || !utf8.ValidString(clean) || strings.TrimSpace(clean) != clean {
			t.Errorf("%q is %q, then %q", text, clean, Clean(clean))
		}
		for _, r := range clean {
			if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
				t.Errorf("%q keeps %q", text, r)
			}
		}
	})
}
