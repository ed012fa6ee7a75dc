package locale

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// typography holds what differs between the languages. Quotes are the opening and the closing mark. Percent is what
// stands before %.
type typography struct {
	quotes, percent string
}

var typographies = map[string]typography{
	"en": {"“”", ""}, "nl": {"“”", ""}, "ko": {"“”", ""}, "it": {"«»", ""}, "es": {"«»", "\u00a0"},
	"fr": {"«»", "\u00a0"},
	"de": {"„“", "\u00a0"}, "pl": {"„”", ""}, "he": {"״״", ""}, "ja": {"「」", ""}, "zh-Hant": {"「」", ""},
}

// faults are expressions that no text of any of the languages may match, each with what to write instead.
var faults = []struct {
	languages string // separated by spaces; empty: all
	not       *regexp.Regexp
	want      string
}{
	{"", regexp.MustCompile(`\.\.\.`), "the character …"},
	{"", regexp.MustCompile(`'`), "a typographic apostrophe: ’, Hebrew ׳"},
	{"", regexp.MustCompile(`  |^\s|\s$`), "single spaces within the text only"},
	{"en it es fr nl pl he ja ko zh-Hant", regexp.MustCompile(`[ \x{a0}\x{202f}]…`), "no space before …"},
	{"de", regexp.MustCompile(`[^ ]…`), "a space before …"},
	{"en it es de nl pl he ja ko zh-Hant", regexp.MustCompile(`[ \x{a0}\x{202f}][;:?!]`), "no space before ; : ? !"},
	{"fr", regexp.MustCompile(`[^\x{a0}\x{202f}?!;:\d][;:?!](\s|$)| [;:?!%»]|« `),
		"a no-break space before ; : ? ! % »"},
	{"fr", regexp.MustCompile(`«[^\x{a0}\x{202f}]|[^\x{a0}\x{202f}]»`), "a no-break space inside « »"},
	{"he", regexp.MustCompile(`[א-ת]-`), "a maqaf: ־"},
	{"de es fr it nl pl", regexp.MustCompile(`\d\.(\d{1,2}|\d{4,})($|\D)`), decimalComma},
	{"ja zh-Hant", regexp.MustCompile(`[\p{Han}\p{Hiragana}\p{Katakana}）」][,.:;?!]`), "full-width punctuation"},
}

const (
	decimalComma = "a decimal comma"
	regulations  = "regulations"
)

const anyQuotes = "“”„«»‹›「」『』״\"‟"

// TestTypography checks the texts and the regulations for the marks that each language uses.
func TestTypography(t *testing.T) {
	for tag, texts := range carriedTexts(t) {
		for key, forms := range texts {
			if key == "command.words" { // read by a script
				continue
			}
			for form, text := range forms {
				checkTypography(t, tag, key+" "+form, placeholder.ReplaceAllString(text, "1"))
			}
		}
		for _, text := range articles(t, tag) {
			checkTypography(t, tag, regulations, text)
		}
	}
}

func checkTypography(t *testing.T, tag, where, text string) {
	t.Helper()
	marks, ok := typographies[tag]
	if !ok {
		t.Fatalf("%s: its marks are unknown", tag)
	}
	for _, f := range faults {
		if f.languages != "" && !slices.Contains(strings.Fields(f.languages), tag) {
			continue
		}
		if f.want == decimalComma && where == regulations { // they cite articles: 4.4
			continue
		}
		if found := f.not.FindString(text); found != "" {
			t.Errorf("%s: %s: want %s, got %q in %q", tag, where, f.want, found, text)
		}
	}
	for rest := text; strings.Contains(rest, "%"); _, rest, _ = strings.Cut(rest, "%") {
		before, _, _ := strings.Cut(rest, "%")
		if spaced := strings.HasSuffix(before, "\u00a0"); spaced != (marks.percent != "") {
			t.Errorf("%s: %s: want %q before %%: %q", tag, where, marks.percent, text)
		}
	}
	open, closing := string([]rune(marks.quotes)[:1]), string([]rune(marks.quotes)[1:])
	next := open
	for _, c := range text {
		switch mark := string(c); {
		case !strings.ContainsRune(anyQuotes, c):
		case mark != next:
			t.Errorf("%s: %s: got %s, want %s: %q", tag, where, mark, next, text)
			return
		case next == open:
			next = closing
		default:
			next = open
		}
	}
	if next != open {
		t.Errorf("%s: %s: a quotation is not closed: %q", tag, where, text)
	}
}

// quotesElse lists texts, or prefixes of keys, that quote something else than a name on a page: words to type, folders,
// commands, columns and values, what other programs say, and what people say.
var quotesElse = []string{"command.", "finder.label", "confirm.final", "copies.restore_means", "copies.where_hint",
	"privacy.erase_copies", "deal.how", "err_copy_no_restore", "events.import_hint", "err_roster_", "err_board_lang",
	"err_account_name", "setup.wifi", "setup.lock", "setup.pin", "check.awake.warn", "trust.", "training."}

// TestQuotedNamesExist checks that a button or a page that a text names is named so in the same language.
func TestQuotedNamesExist(t *testing.T) {
	found := 0
	for tag, texts := range carriedTexts(t) {
		names := map[string]bool{}
		for forms := range maps.Values(texts) {
			for _, text := range forms {
				names[nameOf(text)] = true
			}
		}
		marks := []rune(typographies[tag].quotes)
		quote := regexp.MustCompile(string(marks[:1]) + `([^` + typographies[tag].quotes + `]*)` + string(marks[1:]))
		for key, forms := range texts {
			if slices.ContainsFunc(quotesElse, func(p string) bool { return strings.HasPrefix(key, p) }) {
				continue
			}
			for _, text := range forms {
				for _, q := range quote.FindAllStringSubmatch(text, -1) {
					if placeholder.MatchString(q[1]) {
						continue
					}
					found++
					if !names[nameOf(q[1])] {
						t.Errorf("%s: %q names %q, which no text is", tag, key, q[1])
					}
				}
			}
		}
	}
	if found < 60 {
		t.Errorf("found %d names, want at least 60: the search is broken", found)
	}
}

// nameOf returns a text without placeholders and the marks around it.
func nameOf(text string) string {
	return strings.Trim(placeholder.ReplaceAllString(text, ""), " .…()。\u00a0\u202f\u2068\u2069")
}
