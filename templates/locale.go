package templates

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"strings"

	"github.com/nicksnyder/go-i18n/v2/i18n"
	"golang.org/x/text/language"

	"meldhall/data"
)

// Language is one language that pages can be read in.
type Language struct {
	Tag  string // "en"
	Name string // in itself, "English"
	Dir  string // ltr | rtl

	localizer *i18n.Localizer
}

// Languages are all the languages, English first; they are read once from data/locales.
var Languages, languageMatcher = mustLanguages(data.Locales)

func mustLanguages(all fs.FS) ([]Language, language.Matcher) {
	files, err := fs.Sub(all, "locales")
	if err != nil {
		panic(err)
	}
	langs, matcher, err := loadLanguages(files)
	if err != nil {
		panic(err) // the files are part of the program and tested
	}
	return langs, matcher
}

func loadLanguages(files fs.FS) ([]Language, language.Matcher, error) {
	bundle := i18n.NewBundle(language.English)
	bundle.RegisterUnmarshalFunc("json", json.Unmarshal)
	names, err := fs.Glob(files, "*.json")
	if err != nil {
		return nil, nil, err
	}
	tags := []language.Tag{language.English}
	for _, name := range names {
		if _, err := bundle.LoadMessageFileFS(files, name); err != nil {
			return nil, nil, fmt.Errorf("texts in %s: %w", name, err)
		}
		tag, err := language.Parse(strings.TrimSuffix(name, ".json"))
		if err != nil {
			return nil, nil, fmt.Errorf("language of %s: %w", name, err)
		}
		if tag != language.English {
			tags = append(tags, tag)
		}
	}
	langs := make([]Language, len(tags))
	for i, tag := range tags {
		l := Language{Tag: tag.String(), localizer: i18n.NewLocalizer(bundle, tag.String())}
		l.Name, l.Dir = l.text("language.name"), l.text("language.dir")
		langs[i] = l
	}
	return langs, language.NewMatcher(tags), nil
}

type languageKey struct{}

// WithLanguage gives the context the language that T answers in. Wishes are tried in order: a cookie's
// tag, an Accept-Language header; English is the last resort.
func WithLanguage(ctx context.Context, wishes ...string) context.Context {
	for _, wish := range wishes {
		tags, _, err := language.ParseAcceptLanguage(wish)
		if err != nil || len(tags) == 0 {
			continue
		}
		if _, i, confidence := languageMatcher.Match(tags...); confidence != language.No {
			return context.WithValue(ctx, languageKey{}, Languages[i])
		}
	}
	return context.WithValue(ctx, languageKey{}, Languages[0])
}

// LanguageOf gives the context's language; English when it has none.
func LanguageOf(ctx context.Context) Language {
	if l, ok := ctx.Value(languageKey{}).(Language); ok {
		return l
	}
	return Languages[0]
}

// T is the text of a key in the context's language. Arguments are name, value, name, value; the
// argument "n" chooses the plural form. A key without a text gives the key itself.
func T(ctx context.Context, key string, nameValues ...any) string {
	return LanguageOf(ctx).text(key, nameValues...)
}

// Tmap is T for arguments that come as a map, as a tournament.Error has them.
func Tmap(ctx context.Context, key string, args map[string]any) string {
	return LanguageOf(ctx).localize(key, args)
}

// HasText tells whether English, and so by the tests every language, has the key.
func HasText(key string) bool {
	_, err := Languages[0].localizer.Localize(&i18n.LocalizeConfig{MessageID: key, PluralCount: 2})
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
	text, err := l.localizer.Localize(&config)
	if err != nil && text == "" {
		return key
	}
	return text
}
