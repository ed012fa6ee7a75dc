package spelling

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"
)

var number = regexp.MustCompile(`^-?[0-9]{1,18}(\.[0-9]{1,18})?$`)

// Number parses a number as people type it: with digits of any script, any printed minus sign, and a decimal point or
// comma. It returns the number in ASCII; ok is false for any other text.
func Number(text string) (plain string, ok bool) {
	plain = strings.Map(func(r rune) rune {
		switch {
		case unicode.Is(unicode.Nd, r):
			return '0' + digit(r)
		case unicode.IsSpace(r), unicode.Is(unicode.Cf, r):
			return -1
		case r == '\u2212', r == '\ufe63', r == '\uff0d':
			return '-'
		case r == ',', r == '\u066b', r == '\uff0c', r == '\uff0e':
			return '.'
		}
		return r
	}, text)
	return plain, number.MatchString(plain)
}

// Whole parses an integer like Number. A single zero after the decimal point, which spreadsheets add, is accepted; more
// digits could be thousands.
func Whole(text string) (n int, ok bool) {
	plain, ok := Number(text)
	n, err := strconv.Atoi(strings.TrimSuffix(plain, ".0"))
	return n, ok && err == nil
}

// digit returns the value of a decimal digit. Unicode encodes the digits of each script in rows of ten, from 0 on.
func digit(r rune) rune {
	first := r
	for unicode.Is(unicode.Nd, first-1) {
		first--
	}
	return (r - first) % 10
}
