package account

import (
	"context"
	_ "embed"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"meldhall/tournament/spelling"
	"meldhall/tournament/store"
)

// What makes a password easy to guess: common choices, words from its context, and leaks (ASVS 5.0, 6.2.4, 6.2.11 and
// 6.2.12).

//go:embed common.txt
var commonText string

// common contains the words and passwords of common.txt.
var common = sync.OnceValue(func() (words []string) {
	for line := range strings.Lines(commonText) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			words = append(words, letters(line))
		}
	}
	return words
})

// leakedText contains only passwords for which the function easy returns false. If a word is removed from common.txt,
// the lines must be selected again.
//
//go:embed leaked-passwords.txt
var leakedText string

// leakedLines are the lines of leaked-passwords.txt, sorted. The note in the first line is not a password.
var leakedLines = sync.OnceValue(func() []string { return strings.Split(strings.TrimSpace(leakedText), "\n") })

const (
	leftLeast  = 8 // characters left without common words, context and keyboard runs
	kindsLeast = 5 // of these, how many must differ
	wordLeast  = 3 // shortest word of the context, in characters
	runLeast   = 4 // shortest run of adjacent keys
	namesMost  = 200
)

// program lists words that anyone at a tournament would try.
var program = []string{"meldhall", "rummikub", "organizer", "organiser", "referee", "tournament", "torneo", "arbitro"}

// easy reports whether a password is easy to guess for someone who knows names, those of the account and of
// tournaments.
func easy(password string, names []string) bool {
	var words []string
	for _, name := range append(names, program...) {
		words = append(words, strings.FieldsFunc(spelling.Fold(name), isNoLetter)...)
	}
	words = slices.DeleteFunc(words, func(w string) bool { return utf8.RuneCountInString(w) < wordLeast })
	words = append(words, common()...)
	slices.SortFunc(words, func(a, b string) int { return len(b) - len(a) }) // longest first: passwords before password
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

// leaked reports whether a password is in the list of leaked ones. It ignores case, punctuation and digits added at the
// end, which people change first.
func leaked(password string) bool {
	whole := letters(spelling.Fold(password))
	return isLeaked(whole) || isLeaked(strings.TrimRightFunc(whole, unicode.IsDigit))
}

func isLeaked(line string) bool {
	_, found := slices.BinarySearch(leakedLines(), line)
	return found
}

func isNoLetter(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }

// letters returns the letters and digits of a text in lower case.
func letters(text string) string {
	return strings.Map(func(r rune) rune {
		if isNoLetter(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, text)
}

// once returns the part that a text repeats from beginning to end, or the text itself.
func once(text string) string {
	for n := 1; n <= len(text)/2; n++ {
		if len(text)%n == 0 && strings.Repeat(text[:n], len(text)/n) == text {
			return text[:n]
		}
	}
	return text
}

// keys lists runs of adjacent keys; the reverse runs count too.
var keys = []string{"01234567890", "abcdefghijklmnopqrstuvwxyz", "qwertyuiop", "qwertzuiop", "azertyuiop", "asdfghjkl",
	"zxcvbnm"}

// withoutRuns removes keyboard runs.
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

// runAt returns how many bytes at the beginning of a text run along a row of keys.
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

// namesAround returns the names that someone would try for an account: its own and those of the newest tournaments.
func namesAround(ctx context.Context, s *store.DB, name string) ([]string, error) {
	var names []string
	err := s.Read.WithContext(ctx).Table("tournaments").Where("practice = '' AND rehearses = 0 AND removed_at = 0").
		Order("id DESC").Limit(namesMost).Pluck("name", &names).Error
	return append(names, name), err
}
