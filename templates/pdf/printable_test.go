package pdf

import "testing"

// TestRareScriptsAndEmoji checks that every grapheme cluster is printed, by its letters or by one readable sign, and
// that no text becomes empty.
func TestRareScriptsAndEmoji(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"Georgian", "გიორგი ბერიძე", "გიორგი ბერიძე"},
		{"Armenian", "Արամ Խաչատրյան", "Արամ Խաչատրյան"},
		{"Thai", "สมชาย ใจดี", "□□□□□ □□□"},
		{"Devanagari, with vowels and a conjunct", "राम शर्मा", "□□ □□□"},
		{"Ethiopic", "አበበ", "□□□"},
		{"Khmer, with a stacked consonant", "ខ្មែរ", "□□□"},
		{"Cuneiform, outside the first plane", "𒀀𒁀", "□□"},
		{"a rare Han character", "𠮷野", "□野"},
		{"an emoji", "Anna 😀", "Anna □"},
		{"an emoji with a skin tone", "👍🏽", "□"},
		{"a family joined by ZWJ", "Rossi 👨‍👩‍👧‍👦", "Rossi □"},
		{"a flag", "Anna 🇮🇹", "Anna IT"},
		{"two flags", "🇮🇹🇮🇱", "ITIL"},
		{"half a flag", "🇮", "□"},
		{"the flag of Scotland", "🏴󠁧󠁢󠁳󠁣󠁴󠁿", "□"},
		{"a keycap", "1️⃣", "1"},
		{"a heart with an emoji style", "❤️", "□"},
		{"mathematical letters", "𝓐𝓷𝓷𝓪", "Anna"},
		{"a private character", "\uE000", "□"},
		{"a mark that no face has", "a\u1DFEb", "ab"},
		{"a lone mark", "\u1DFE", "□"},
		{"invalid UTF-8", "A\xff", "A□"},
		{"Hebrew points", "דָּנָה", "דנה"},
		{"isolates around an emoji", "\u2068😀\u2069", "\u2068□\u2069"},
	} {
		if got := printable(c.text); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		} else if again := printable(got); again != got {
			t.Errorf("%s: %q, printed again %q", c.name, got, again)
		}
	}
}
