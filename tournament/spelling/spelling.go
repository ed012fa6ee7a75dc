// Package spelling brings what people type to one form.
package spelling

import (
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Clean makes text of people one line in NFC, without control marks and without the marks that
// turn the direction of writing, which could dress a name up as another. Of a text in which nobody can see anything nothing is left.
func Clean(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r), r == '\u2028', r == '\u2029':
			return ' '
		case unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r), r == '\ufeff', r == '\u200b', r == unicode.ReplacementChar:
			return -1
		}
		return r
	}, text)
	if !strings.ContainsFunc(text, visible) {
		return ""
	}
	return norm.NFC.String(strings.Join(strings.Fields(text), " "))
}

// visible tells whether a letter leaves a mark on the paper: what only joins others, fills a place or is left out by default does not.
func visible(r rune) bool {
	const brailleBlank = '\u2800'
	return unicode.IsGraphic(r) && !unicode.IsSpace(r) && r != brailleBlank && !unicode.In(r, unicode.Cf, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)
}

// Fold is what two spellings of one name have in common: width, case and composition do not count.
func Fold(text string) string {
	return cases.Fold().String(norm.NFKC.String(Clean(text)))
}

// Like takes the meaning from the letters that LIKE gives one.
func Like(text string) string {
	return strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(text)
}
