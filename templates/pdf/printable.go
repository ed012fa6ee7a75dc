package pdf

import (
	"strings"
	"unicode"

	"github.com/rivo/uniseg"
	"golang.org/x/text/unicode/norm"
)

// square is the sign for a letter that no face has.
const square = '\u25A1'

// printable converts a text to letters that the faces have. It removes what has no shape of its own, and replaces each
// grapheme cluster without letters in the faces: a flag by the letters of its region, a styled letter by the plain one,
// and anything else by one square.
func printable(text string) string {
	if isLatin(text) {
		return norm.NFC.String(text)
	}
	var out strings.Builder
	for rest, state := norm.NFC.String(text), -1; rest != ""; {
		var cluster string
		cluster, rest, _, state = uniseg.FirstGraphemeClusterInString(rest, state)
		out.WriteString(replaced(cluster))
	}
	return out.String()
}

// isLatin reports whether all characters are in the Latin face or isolates, as in most texts.
func isLatin(text string) bool {
	const softHyphen, noBreakSpace = '\u00AD', '\u00A0'
	return !strings.ContainsFunc(text, func(r rune) bool {
		return r < ' ' || r > '~' && r <= noBreakSpace || r == softHyphen || r >= 0x250 && !invisible(r)
	})
}

// replaced returns what is printed for a grapheme cluster.
func replaced(cluster string) string {
	shapes := strings.Map(shaped, cluster)
	switch {
	case lacking(shapes) == "":
		return shapes
	case region(shapes) != "":
		return region(shapes)
	}
	if plain := strings.Map(shaped, norm.NFKC.String(shapes)); lacking(plain) == "" {
		return plain
	}
	first := []rune(shapes)[0]
	if lacking(string(first)) == "" && !unicode.IsSpace(first) { // without the marks that are lacking
		return strings.Map(func(r rune) rune {
			if faceOf(faces().regular, r) == nil && !invisible(r) {
				return -1
			}
			return r
		}, shapes)
	}
	return string(square)
}

// shaped maps spaces to ' ' and removes characters without a shape: control characters, direction marks other than
// isolates, and Hebrew and Arabic vowel points, which would need positioning and which names are readable without.
func shaped(r rune) rune {
	switch {
	case r == '\n' || r == '\t' || r == '\u2028' || r == '\u2029' || r == '\u00A0' || r == '\u202F':
		return ' '
	case invisible(r):
		return r
	case r >= 0x591 && r <= 0x5C7 && unicode.Is(unicode.Mn, r), r >= 0x610 && r <= 0x6ED && unicode.Is(unicode.Mn, r):
		return -1
	case unicode.Is(unicode.Cc, r), unicode.Is(unicode.Cf, r), unicode.Is(unicode.Variation_Selector, r):
		return -1
	}
	return r
}

// Regional indicators; two of them are a flag.
const indicatorA, indicatorZ = '\U0001F1E6', '\U0001F1FF'

// region returns the two letters of a flag, or "" if the cluster is none.
func region(cluster string) string {
	pair := []rune(cluster)
	if len(pair) != 2 || min(pair[0], pair[1]) < indicatorA || max(pair[0], pair[1]) > indicatorZ {
		return ""
	}
	return string([]rune{'A' + pair[0] - indicatorA, 'A' + pair[1] - indicatorA})
}

// Lacks returns the characters of a text that no face has.
func Lacks(text string) []rune { return []rune(lacking(strings.Map(shaped, norm.NFC.String(text)))) }

func lacking(text string) string {
	return strings.Map(func(r rune) rune {
		if invisible(r) || faceOf(faces().regular, r) != nil {
			return -1
		}
		return r
	}, text)
}
