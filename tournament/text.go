package tournament

import (
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// cleanText makes text of people one line in NFC, without control marks and without the marks that
// turn the direction of writing, which could dress a name up as another.
func cleanText(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r), r == '\u2028', r == '\u2029':
			return ' '
		case unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r), r == '\ufeff', r == '\u200b', r == unicode.ReplacementChar:
			return -1
		}
		return r
	}, text)
	return norm.NFC.String(strings.Join(strings.Fields(text), " "))
}

// FoldName is what all spellings of a name by which one account is found have in common.
func FoldName(name string) string { return foldText(name) }

// foldText is what two spellings of one name have in common: width, case and composition do not count.
func foldText(text string) string {
	return cases.Fold().String(norm.NFKC.String(cleanText(text)))
}

// likeText takes the meaning from the letters that LIKE gives one.
func likeText(text string) string {
	return strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(text)
}
