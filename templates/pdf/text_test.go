package pdf

import "testing"

// TestVisualOrder checks that lines are put into drawing order, from left to right, for every reading direction.
func TestVisualOrder(t *testing.T) {
	for _, c := range []struct {
		name, text string
		rtl        bool
		want       string
	}{
		{"Latin", "Anna (IT) 12", false, "Anna (IT) 12"},
		{"Hebrew", "דנה כהן", true, "ןהכ הנד"},
		{"Hebrew in a line from left to right", "1. דנה כהן 4", false, "1. 4 ןהכ הנד"},
		{"a number in Hebrew", "שולחן 12 מקום 3", true, "3 םוקמ 12 ןחלוש"},
		{"a number in Hebrew, the line from left to right", "x שולחן 12, 3 y", false, "x 3 ,12 ןחלוש y"},
		{"brackets look the other way", "דנה (תל אביב)", true, "(ביבא לת) הנד"},
		{"a Latin name in Hebrew", "שולחן של Anna Rossi כאן", true, "ןאכ Anna Rossi לש ןחלוש"},
		{"a name with brackets, isolated", "\u2068Anna (IT)\u2069 - דנה", true, "הנד - Anna (IT)"},
		{"an isolate", "Tisch \u20683 דנה\u2069 - 4", false, "Tisch הנד 3 - 4"},
		{"two isolates from right to left", "\u2068Anna\u2069, \u2068Bob (x)\u2069", true, "Bob (x) ,Anna"},
		{"an isolate in an isolate", "a \u2067ב \u2066c d\u2069 ג\u2069 e", false, "a ג c d ב e"},
		{"an isolate without an end", "a \u2068b", false, "a b"},
		{"an end without an isolate", "a\u2069 b", false, "a b"},
		{"two isolates without a letter between", "\u2068דנה\u2069 \u2068יוסי\u2069", false, "הנד יסוי"},
	} {
		if got := string(visual([]rune(printable(c.text)), c.rtl)); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestArabicIsJoined checks that Arabic letters take joined forms, with lam and alef as one letter.
func TestArabicIsJoined(t *testing.T) {
	for text, want := range map[string]string{
		"محمد":   "\uFEE3\uFEA4\uFEE4\uFEAA",
		"دار":    "\uFEA9\uFE8D\uFEAD",
		"سلام":   "\uFEB3\uFEFC\uFEE1",
		"ب ب":    "\uFE8F \uFE8F",
		"پریسا":  "\uFB58\uFEAE\uFBFE\uFEB4\uFE8E",
		"Anna 3": "Anna 3",
	} {
		if got := string(joined([]rune(text))); got != want {
			t.Errorf("%s: %+q, want %+q", text, got, want)
		}
	}
}
