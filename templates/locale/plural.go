package locale

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"
)

// text returns the text in the plural form for args["n"], with its placeholders filled in. Without that form it uses
// "other".
func (f Forms) text(tag language.Tag, args map[string]any) string {
	text, ok := f[plain]
	if !ok {
		text, ok = f[pluralForm(tag, args["n"])]
	}
	if !ok {
		text = f["other"]
	}
	if len(args) == 0 {
		return text
	}
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, "{{.")
		name, after, ended := strings.Cut(rest, "}}")
		value, given := args[name]
		b.WriteString(before)
		if !found || !ended {
			return b.String()
		}
		if !given {
			value = "{{." + name + "}}"
		}
		fmt.Fprint(&b, value)
		text = after
	}
}

// pluralForm returns the plural form of a language for a count: a number, or a decimal number as text, such as "1.5".
// Anything else has the form "other".
func pluralForm(tag language.Tag, count any) string {
	whole, fraction, _ := strings.Cut(strings.TrimPrefix(fmt.Sprint(count), "-"), ".")
	i, err := strconv.Atoi(whole)
	if err != nil {
		return "other"
	}
	f, _ := strconv.Atoi(fraction)
	// x/text has the rules of CLDR 32. Since then Hebrew has lost "many", and some languages say "1,000,000 of" them.
	base, _ := tag.Base()
	switch base.String() {
	case "ca", "es", "fr", "it", "pt":
		if i != 0 && i%1_000_000 == 0 && fraction == "" {
			return "many"
		}
	}
	form := plural.Cardinal.MatchPlural(tag, i%10_000_000, len(fraction), len(strings.TrimRight(fraction, "0")), f, f)
	if form == plural.Many && base.String() == "he" {
		return "other"
	}
	return formNames[form]
}

var formNames = map[plural.Form]string{plural.Other: "other", plural.Zero: "zero", plural.One: "one",
	plural.Two: "two", plural.Few: "few", plural.Many: "many"}

// plurals holds the plural forms of a language: those for integers up to 1000, and all possible ones.
type plurals struct{ needed, known []string }

// pluralsOf determines a language's plural forms with the function that selects them.
func pluralsOf(tag language.Tag) (p plurals) {
	found := map[string]bool{"other": true}
	list := func() []string {
		return slices.DeleteFunc([]string{"zero", "one", "two", "few", "many", "other"},
			func(form string) bool { return !found[form] })
	}
	for n := range 1001 {
		found[pluralForm(tag, n)] = true
	}
	p.needed = list()
	found[pluralForm(tag, 1_000_000)] = true // "many" in French and others
	p.known = list()
	return p
}

// check compares a text with English: it needs all plural forms of its language, and the same placeholders.
func (p plurals) check(english, text Forms) error {
	need := Holes(english["other"] + english[plain])
	_, single := text[plain]
	_, uncounted := english[plain]
	switch {
	case !single && uncounted && !slices.Contains(need, countHole):
		return errors.New("want one text, without plural forms")
	case single && !uncounted && len(p.needed) > 1:
		return fmt.Errorf("want the plural forms %s", strings.Join(p.needed, ", "))
	}
	for _, form := range p.needed {
		if _, ok := text[form]; !ok && !single {
			return fmt.Errorf("the plural form %q is missing; the language has %s", form, strings.Join(p.needed, ", "))
		}
	}
	for _, form := range slices.Sorted(maps.Keys(text)) {
		if form != plain && !slices.Contains(p.known, form) {
			return fmt.Errorf("there is no plural form %q; the language has %s", form, strings.Join(p.known, ", "))
		}
		if err := checkHoles(form, text[form], need); err != nil {
			return err
		}
	}
	return nil
}

// countHole is the placeholder for the number that selects the plural form.
const countHole = "{{.n}}"

// checkHoles checks that a text has the needed placeholders. A form for a single number may omit the number.
func checkHoles(form, text string, need []string) error {
	got := Holes(text)
	if (form == "zero" || form == "one" || form == "two") && !slices.Contains(got, countHole) {
		need = slices.DeleteFunc(slices.Clone(need), func(h string) bool { return h == countHole })
	}
	switch {
	case strings.TrimSpace(text) == "":
		return errors.New("the text is empty")
	case strings.ContainsAny(placeholder.ReplaceAllString(text, ""), "{}"):
		return fmt.Errorf("%q: braces are only allowed in placeholders", text)
	case !slices.Equal(got, need):
		return fmt.Errorf("%q: got the placeholders %q, want %q", text, got, need)
	}
	return nil
}

// placeholder matches a placeholder: {{.n}} for the server, {n} for scripts.
var placeholder = regexp.MustCompile(`\{\{\.\w+\}\}|\{\w+\}`)

// Holes returns the placeholders of a text, each once, in order.
func Holes(text string) []string {
	found := placeholder.FindAllString(text, -1)
	slices.Sort(found)
	return slices.Compact(found)
}
