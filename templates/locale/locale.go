package locale

import (
	"context"
	"fmt"
	"strconv"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"
	"golang.org/x/text/language/display"

	"meldhall/engine/score"
)

// Language is a language in which pages can be read.
type Language struct {
	Tag  string // "en"
	Name string // in the language itself, such as "English"
	Dir  string // ltr | rtl

	// Whole reports whether every English text is translated. Other languages cover only the texts for players and the
	// public. Officials are offered whole languages only, so that none of their pages mixes two languages.
	Whole bool

	// Read is how many of the Count texts a native player has read as they are; -1 if there is no record.
	Read, Count int

	tag     language.Tag
	own     func() map[string]Forms // its own texts only, loaded on first use: few halls need more than two languages
	Texts   *Texts
	regions display.Namer // nil: there are no country names in the language
	decimal string        // decimal separator
}

type languageKey struct{}

// With returns a context with the language that T uses. It tries wishes in order: a cookie's tag, an Accept-Language
// header. A merely close match, such as Traditional for Simplified Chinese, is used only if no wish matches well.
// English is the last resort.
func (t *Texts) With(ctx context.Context, wishes ...string) context.Context {
	for _, least := range []language.Confidence{language.High, language.Low} {
		for _, wish := range wishes {
			tags, _, err := language.ParseAcceptLanguage(wish)
			if err != nil {
				continue
			}
			for _, tag := range tags {
				if _, i, confidence := t.matcher.Match(tag); confidence >= least {
					return context.WithValue(ctx, languageKey{}, t.Languages[i])
				}
			}
		}
	}
	return context.WithValue(ctx, languageKey{}, t.Languages[0])
}

// WithLanguage is With for the program's built-in languages.
func WithLanguage(ctx context.Context, wishes ...string) context.Context {
	return Carried.With(ctx, wishes...)
}

// In returns a context with the language tag, from the set that the context's own language was chosen from. If tag is
// not in that set, In returns ctx.
func In(ctx context.Context, tag string) context.Context {
	for _, l := range LanguagesOf(ctx) {
		if l.Tag == tag {
			return context.WithValue(ctx, languageKey{}, l)
		}
	}
	return ctx
}

// LanguageOf returns the context's language, or English if it has none.
func LanguageOf(ctx context.Context) Language {
	if l, ok := ctx.Value(languageKey{}).(Language); ok {
		return l
	}
	return Carried.Languages[0]
}

// LanguagesOf returns the languages that the context's language was chosen from, English first.
func LanguagesOf(ctx context.Context) []Language { return LanguageOf(ctx).Texts.Languages }

// EveryLanguageOf is LanguagesOf plus the languages that are not offered to officials, for texts that they write for
// the public.
func EveryLanguageOf(ctx context.Context) []Language { return LanguageOf(ctx).Texts.all.Languages }

// Country returns the name of a country in the reader's language. Anything but a country code is returned unchanged.
func Country(ctx context.Context, code string) string {
	if region, err := language.ParseRegion(code); err == nil && len(code) == 2 && region.IsCountry() {
		if in := LanguageOf(ctx).regions; in != nil {
			return in.Name(region)
		}
	}
	return code
}

// CountryName is Country for callers that do not render pages.
func CountryName(ctx context.Context, code string) string { return Country(ctx, code) }

// T returns the text of a key in the context's language. The arguments alternate between names and values; the argument
// "n" selects the plural form. If the key has no text, T returns the key.
func T(ctx context.Context, key string, nameValues ...any) string {
	return LanguageOf(ctx).text(key, nameValues...)
}

// Tmap is T with arguments in a map, as in a refuse.Error.
func Tmap(ctx context.Context, key string, args map[string]any) string {
	return LanguageOf(ctx).localize(key, args)
}

// HasText reports whether English has the key. Every language then has a text for it, its own or the English one.
func HasText(key string) bool {
	_, ok := Carried.Languages[0].own()[key]
	return ok
}

func (l Language) text(key string, nameValues ...any) string {
	var args map[string]any
	if len(nameValues) > 0 {
		args = make(map[string]any, len(nameValues)/2)
		for i := 0; i+1 < len(nameValues); i += 2 {
			args[fmt.Sprint(nameValues[i])] = nameValues[i+1]
		}
	}
	return l.localize(key, args)
}

func (l Language) localize(key string, args map[string]any) string {
	for _, in := range [...]Language{l, l.Texts.all.Languages[0]} {
		if forms, ok := in.own()[key]; ok {
			return forms.text(in.tag, args)
		}
	}
	return key
}

// Isolate keeps a name's text direction from affecting the sentence around it, as the bdi element does in HTML.
func Isolate(name string) string { return "\u2068" + name + "\u2069" }

// NameOrder returns a case-insensitive comparison of names in the collation order of the context's language. The
// returned function is not safe for concurrent use.
func NameOrder(ctx context.Context) func(a, b string) int {
	return collate.New(language.Make(LanguageOf(ctx).Tag), collate.IgnoreCase).CompareString
}

// Num formats a whole number for attributes and texts.
func Num(n int) string { return strconv.Itoa(n) }

// Num64 is Num for an int64.
func Num64(n int64) string { return strconv.FormatInt(n, 10) }

// Decimal formats twelfths for a number field, which always uses a decimal point.
func Decimal(t score.Twelfth) string {
	return strconv.FormatFloat(float64(t)/12, 'f', -1, 64)
}
