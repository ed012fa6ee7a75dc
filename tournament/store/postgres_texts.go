package store

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// escaped is the prefix of the escape for a byte that PostgreSQL cannot store in a text: zero and invalid UTF-8.
const escaped = "\x1f"

// escape makes a text storable in PostgreSQL. Nearly all texts stay unchanged.
func escape(text string) string {
	if utf8.ValidString(text) && !strings.ContainsAny(text, "\x00"+escaped) {
		return text
	}
	var out strings.Builder
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if b := text[i]; b == 0 || b == escaped[0] || r == utf8.RuneError && size == 1 {
			fmt.Fprintf(&out, escaped+"%02x", b)
		} else {
			out.WriteString(text[i : i+size])
		}
		i += size
	}
	return out.String()
}

// unescape restores the original of an escaped text.
func unescape(text string) string {
	if !strings.Contains(text, escaped) {
		return text
	}
	var out strings.Builder
	for {
		before, after, found := strings.Cut(text, escaped)
		out.WriteString(before)
		if !found {
			return out.String()
		}
		var b byte
		if len(after) < 2 {
			out.WriteString(escaped)
			text = after
			continue
		}
		if _, err := fmt.Sscanf(after[:2], "%02x", &b); err != nil {
			out.WriteString(escaped)
			text = after
			continue
		}
		out.WriteByte(b)
		text = after[2:]
	}
}
