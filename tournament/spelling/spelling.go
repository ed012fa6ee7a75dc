// Package spelling normalizes text typed by people. No other package decides which texts are the same.
package spelling

import (
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Clean converts text to a single line in NFC, as it is stored and shown. It removes control characters, bidirectional
// controls and other invisible characters, which could disguise one name as another; joiners between letters stay. Text
// without visible characters becomes empty.
func Clean(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r), r == '\u2028', r == '\u2029':
			return ' '
		case unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r), r == '\ufeff', r == '\u200b', r == '\u00ad',
			r >= '\u2060' && r <= '\u2064', r == unicode.ReplacementChar:
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
	return unicode.IsGraphic(r) && !unicode.IsSpace(r) && r != brailleBlank && !ignorable(r)
}

func ignorable(r rune) bool {
	return unicode.In(r, unicode.Cf, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)
}

// Fold returns a key that is equal for spellings of one name: they differ only in width, case, composition, the kind of
// dash, apostrophe or quotation mark, the script of digits, or invisible characters.
func Fold(text string) string {
	return cases.Fold().String(norm.NFKC.String(strings.Map(plainMark, Clean(text))))
}

// plainMark replaces a dash, an apostrophe, a quotation mark or a digit with its ASCII equivalent, and removes
// invisible characters.
func plainMark(r rune) rune {
	switch {
	case strings.ContainsRune("\u2018\u2019\u201a\u201b\u2032\u00b4`\u02b9\u02bb\u02bc\u02bd\u05f3\ua78c\uff07", r):
		return '\''
	case strings.ContainsRune("\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb\u05f4\uff02", r):
		return '"'
	case unicode.Is(unicode.Pd, r), r == '\u2212':
		return '-'
	case unicode.Is(unicode.Nd, r):
		return '0' + digit(r)
	case ignorable(r):
		return -1
	}
	return r
}

// searchLetters are the letters that people type as others and that Unicode does not decompose.
var searchLetters = strings.NewReplacer("ł", "l", "ø", "o", "đ", "d", "ð", "d", "þ", "th", "æ", "ae", "œ", "oe",
	"ı", "i", "ħ", "h", "ŧ", "t", "ŋ", "n")

// Search returns a text in the form in which searches compare it, as fold.js does in the browser: like Fold, without
// accents and vowel points, and with plain letters.
func Search(text string) string {
	return searchLetters.Replace(strings.Map(func(r rune) rune {
		if unicode.Is(unicode.M, r) {
			return -1
		}
		return r
	}, norm.NFKD.String(Fold(text))))
}

// Code normalizes a typed code of Latin letters and digits: it removes spaces and dashes, converts to upper case, and
// takes letters of other scripts for the Latin ones that they look like.
func Code(typed string) string {
	return strings.ToUpper(strings.NewReplacer(" ", "", "-", "").Replace(Skeleton(typed)))
}

// alike lists letters of Cyrillic and Greek, each before the Latin letter that its small or capital form looks like.
var alike = strings.NewReplacer(strings.Fields(`а a в b с c ԁ d е e ё ë н h һ h і i ї ï ј j к k ӏ l м m о o р p ԛ q
	ѕ s т t у y ү y ѵ v ԝ w х x з 3 α a β b γ y ε e ζ z η n ι i κ k μ m ν n ο o ό ó ρ p σ o τ t υ u χ x ω w`)...)

// Skeleton returns a key that is equal for names that look alike, such as one with a Cyrillic о in place of a Latin o.
func Skeleton(text string) string { return alike.Replace(Fold(text)) }
