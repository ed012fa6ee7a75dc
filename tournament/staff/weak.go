package staff

import (
	"context"
	_ "embed"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"meldhall/tournament/spelling"
	"meldhall/tournament/storage"
)

// What makes a password easy to guess: what is commonly taken, words of its context, and having leaked (ASVS 5.0, 6.2.4, 6.2.11 and 6.2.12).

//go:embed common.txt
var commonText string

// common are the words and passwords of common.txt.
var common = sync.OnceValue(func() (words []string) {
	for line := range strings.Lines(commonText) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			words = append(words, letters(line))
		}
	}
	return words
})

// leakedText has only what easy does not refuse, so that a word taken out of common.txt means choosing its lines anew.
//
//go:embed leaked-passwords.txt
var leakedText string

// leakedLines are the lines of leaked-passwords.txt, sorted; the note in the first is no password.
var leakedLines = sync.OnceValue(func() []string { return strings.Split(strings.TrimSpace(leakedText), "\n") })

const (
	leftLeast  = 8 // characters of a password that are neither common nor of its context, nor runs of keys
	kindsLeast = 5 // of them different
	wordLeast  = 3 // characters of a word of the context
	runLeast   = 4 // keys that lie side by side
	namesMost  = 200
)

// program is what everybody at an event would try.
var program = []string{"meldhall", "rummikub", "organizer", "organiser", "referee", "tournament", "torneo", "arbitro"}

// easy tells whether a password is easy to guess for who knows the names: the account's and the events'.
func easy(password string, names []string) bool {
	var words []string
	for _, name := range append(names, program...) {
		words = append(words, strings.FieldsFunc(spelling.Fold(name), isNoLetter)...)
	}
	words = slices.DeleteFunc(words, func(w string) bool { return utf8.RuneCountInString(w) < wordLeast })
	words = append(words, common()...)
	slices.SortFunc(words, func(a, b string) int { return len(b) - len(a) }) // passwords in password
	left := once(letters(password))
	for _, word := range words {
		left = strings.ReplaceAll(left, word, "")
	}
	left = withoutRuns(left)
	kinds := map[rune]bool{}
	for _, r := range left {
		kinds[r] = true
	}
	return utf8.RuneCountInString(left) < leftLeast || len(kinds) < kindsLeast
}

// leaked tells whether a password is known from a leak, whatever its case and punctuation, and with digits added at its end, which
// is what people change first.
func leaked(password string) bool {
	whole := letters(spelling.Fold(password))
	return isLeaked(whole) || isLeaked(strings.TrimRightFunc(whole, unicode.IsDigit))
}

func isLeaked(line string) bool {
	_, found := slices.BinarySearch(leakedLines(), line)
	return found
}

func isNoLetter(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }

// letters are the letters and digits of a text, small.
func letters(text string) string {
	return strings.Map(func(r rune) rune {
		if isNoLetter(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, text)
}

// once is what a text repeats from its beginning to its end, or the text.
func once(text string) string {
	for n := 1; n <= len(text)/2; n++ {
		if len(text)%n == 0 && strings.Repeat(text[:n], len(text)/n) == text {
			return text[:n]
		}
	}
	return text
}

// keys lie side by side in this order, and the other way round.
var keys = []string{"01234567890", "abcdefghijklmnopqrstuvwxyz", "qwertyuiop", "qwertzuiop", "azertyuiop", "asdfghjkl", "zxcvbnm"}

// withoutRuns leaves out what runs along keys.
func withoutRuns(text string) string {
	var left strings.Builder
	for text != "" {
		n := 0
		for _, row := range keys {
			n = max(n, runAt(text, row), runAt(text, reversed(row)))
		}
		if n >= runLeast {
			text = text[n:]
			continue
		}
		_, size := utf8.DecodeRuneInString(text)
		left.WriteString(text[:size])
		text = text[size:]
	}
	return left.String()
}

// runAt is how many bytes at the beginning of a text run along a row.
func runAt(text, row string) int {
	at := strings.IndexByte(row, text[0])
	if at < 0 {
		return 0
	}
	n := 0
	for n < len(text) && at+n < len(row) && text[n] == row[at+n] {
		n++
	}
	return n
}

func reversed(row string) string {
	b := []byte(row)
	slices.Reverse(b)
	return string(b)
}

// namesAround are the names that somebody would try for an account: its own, and those of the newest events.
func namesAround(ctx context.Context, s *storage.DB, name string) ([]string, error) {
	var names []string
	err := s.Read.WithContext(ctx).Raw(`SELECT name FROM tournaments WHERE practice = '' AND rehearses = 0 AND removed_at = 0 ORDER BY id DESC LIMIT ?`, namesMost).Scan(&names).Error
	return append(names, name), err
}
