package templates

import (
	"context"
	"fmt"

	"github.com/nicksnyder/go-i18n/v2/i18n"
	"golang.org/x/text/language"
	"golang.org/x/text/language/display"
)

// Language is one language that pages can be read in.
type Language struct {
	Tag  string // "en"
	Name string // in itself, "English"
	Dir  string // ltr | rtl

	// Whole: it has every text that English has. The others have those of players and of the public; officials are offered whole
	// languages alone, so that no page of theirs is read half in one and half in another.
	Whole bool

	localizer func() *i18n.Localizer // of its own texts alone, which are read when they are first asked for
	texts     *Texts
	regions   display.Namer // nil: the language has no names of countries
	decimal   string        // before tenths
}

type languageKey struct{}

// With gives the context the language that T answers in. Wishes are tried in order: a cookie's tag, an
// Accept-Language header; what is only near to a wish, as traditional Chinese is to simplified, comes after all that fits one.
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
					return context.WithValue(ctx, languageKey{}, t.languages[i])
				}
			}
		}
	}
	return context.WithValue(ctx, languageKey{}, t.languages[0])
}

// WithLanguage is With of the languages that the program carries.
func WithLanguage(ctx context.Context, wishes ...string) context.Context {
	return carried.With(ctx, wishes...)
}

// In gives the context another of the languages that its own was chosen from; one that is none of them leaves it.
func In(ctx context.Context, tag string) context.Context {
	for _, l := range LanguagesOf(ctx) {
		if l.Tag == tag {
			return context.WithValue(ctx, languageKey{}, l)
		}
	}
	return ctx
}

// LanguageOf gives the context's language; English when it has none.
func LanguageOf(ctx context.Context) Language {
	if l, ok := ctx.Value(languageKey{}).(Language); ok {
		return l
	}
	return carried.languages[0]
}

// LanguagesOf gives the languages that the context's was chosen from, English first.
func LanguagesOf(ctx context.Context) []Language { return LanguageOf(ctx).texts.languages }

// EveryLanguageOf is LanguagesOf with those that officials are not offered, for what they write to everybody.
func EveryLanguageOf(ctx context.Context) []Language { return LanguageOf(ctx).texts.all.languages }

// country is the name of a country in the reader's language, of its code; what is no code is shown as it is.
func country(ctx context.Context, code string) string {
	if region, err := language.ParseRegion(code); err == nil && len(code) == 2 && region.IsCountry() {
		if in := LanguageOf(ctx).regions; in != nil {
			return in.Name(region)
		}
	}
	return code
}

// CountryName is country for what draws no page.
func CountryName(ctx context.Context, code string) string { return country(ctx, code) }

// T is the text of a key in the context's language. Arguments are name, value, name, value; the
// argument "n" chooses the plural form. A key without a text gives the key itself.
func T(ctx context.Context, key string, nameValues ...any) string {
	return LanguageOf(ctx).text(key, nameValues...)
}

// Tmap is T for arguments that come as a map, as a tournament.Error has them.
func Tmap(ctx context.Context, key string, args map[string]any) string {
	return LanguageOf(ctx).localize(key, args)
}

// HasText tells whether English has the key, and so every language in its own words or in English.
func HasText(key string) bool {
	_, err := carried.languages[0].localizer().Localize(&i18n.LocalizeConfig{MessageID: key, PluralCount: 2})
	return err == nil
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
	config := i18n.LocalizeConfig{MessageID: key}
	if args != nil {
		config.TemplateData = args
		config.PluralCount = args["n"]
	}
	for _, in := range [...]Language{l, l.texts.all.languages[0]} {
		if text, err := in.localizer().Localize(&config); err == nil || text != "" {
			return text
		}
	}
	return key
}
