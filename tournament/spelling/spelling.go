// Package spelling normalizes text typed by people.
package spelling

import (
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Clean converts text to a single line in NFC. It removes control characters and bidirectional controls, which could
// disguise one name as another. Text without visible characters becomes empty.
func Clean(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r), r == '\u2028', r == '\u2029':
			return ' '
		case unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r), r == '\ufeff', r == '\u200b',
			r == unicode.ReplacementChar:
			return -1
		}
		return r
	}, text)
	if !strings.ContainsFunc(text, visible) {
		return ""
	}
	return norm.NFC.String(strings.Join(strings.Fields(text), " "))
}

// visible reports whether a character is visible on its own. Joiners, fillers and characters ignored by default are
// not.
func visible(r rune) bool {
	const brailleBlank = '\u2800'
	return unicode.IsGraphic(r) && !unicode.IsSpace(r) && r != brailleBlank &&
		!unicode.In(r, unicode.Cf, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)
}

// Fold returns a key that is equal for spellings that differ only in width, case or composition.
func Fold(text string) string {
	return cases.Fold().String(norm.NFKC.String(Clean(text)))
}

// Like escapes the wildcards of SQL's LIKE.
func Like(text string) string {
	return strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(text)
}
