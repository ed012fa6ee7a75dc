// Package locale has the texts of all pages by key (T), in the languages of data/locales and in those that an operator
// adds, and formats times, numbers and points in the reader's language.
package locale

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"sync"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"

	"meldhall/data"
	"meldhall/templates/packed"
)

// Texts holds the languages in which pages can be read, English first.
type Texts struct {
	Languages []Language
	matcher   language.Matcher
	all       *Texts // all languages that this selection is from
	whole     *Texts // the fully translated ones
}

// Whole returns the fully translated languages, for the officials' pages.
func (t *Texts) Whole() *Texts { return t.whole }

// Carried holds the built-in languages.
var Carried = mustTexts(loadTexts(nil))

func mustTexts(t *Texts, err error) *Texts {
	if err != nil {
		panic(err) // the files are part of the program and tested
	}
	return t
}

// LoadTexts returns the built-in languages together with those in the *.json files of own, each named after its
// language: fr.json, pt-BR.json. Such a file holds texts by the keys of data/locales/en.json. It may change texts of a
// built-in language; missing texts are shown in English. A text that cannot be shown is an error that names file and
// key. If own is nil, LoadTexts returns only the built-in languages.
func LoadTexts(own fs.FS) (*Texts, error) {
	if own == nil {
		return Carried, nil
	}
	return loadTexts(own)
}

func loadTexts(own fs.FS) (*Texts, error) {
	inside, err := fs.Sub(data.Locales, "locales")
	if err != nil {
		return nil, err
	}
	english, err := ReadTexts(inside, "en.json")
	if err != nil {
		return nil, err
	}
	known := &knownTexts{tags: []language.Tag{language.English}, of: map[language.Tag]*languageTexts{}}
	if err = known.add(inside, nil); err == nil && own != nil {
		err = known.add(own, english)
	}
	if err != nil {
		return nil, fmt.Errorf("locales/%w", err)
	}
	var all, whole []Language
	for _, tag := range known.tags {
		texts := known.of[tag]
		l := Language{Tag: tag.String(), tag: tag, Name: texts.name, Dir: texts.dir,
			Whole: len(texts.keys) == len(english), Count: len(texts.keys)}
		if l.Read, err = texts.read(tag); err != nil {
			return nil, err
		}
		l.regions, l.decimal, l.own = display.Regions(tag), decimalMark(tag), sync.OnceValue(texts.together)
		all = append(all, l)
		if l.Whole {
			whole = append(whole, l)
		}
	}
	t := newTexts(all)
	t.all, t.whole = t, newTexts(whole)
	t.whole.all, t.whole.whole = t, t.whole
	return t, nil
}

func newTexts(languages []Language) *Texts {
	t := &Texts{}
	var tags []language.Tag
	for _, l := range languages {
		l.Texts = t
		t.Languages, tags = append(t.Languages, l), append(tags, language.Make(l.Tag))
	}
	t.matcher = language.NewMatcher(tags)
	return t
}

// knownTexts collects the languages while they are read, in the order in which they are offered.
type knownTexts struct {
	tags []language.Tag
	of   map[language.Tag]*languageTexts
}

// languageTexts holds the texts of one language: their keys, and a function for each file. Built-in files are read
// again on each call; files of a folder are kept in memory.
type languageTexts struct {
	name, dir string
	keys      map[string]bool
	files     []func() map[string]Forms
}

func (l *languageTexts) add(texts map[string]Forms, file func() map[string]Forms) {
	for key, text := range texts {
		l.keys[key] = true
		switch key {
		case "language.name":
			l.name = text[plain]
		case "language.dir":
			l.dir = text[plain]
		}
	}
	l.files = append(l.files, file)
}

// together reads all texts of the language; later files override earlier ones.
func (l *languageTexts) together() map[string]Forms {
	all := map[string]Forms{}
	for _, file := range l.files {
		maps.Copy(all, file())
	}
	return all
}

// read returns how many texts are those that a native player read, or -1 if data.Read has no record of the language.
func (l *languageTexts) read(tag language.Tag) (int, error) {
	record, err := ReadTexts(data.Read, "read/"+tag.String()+".json")
	if errors.Is(err, fs.ErrNotExist) {
		return -1, nil
	}
	if err != nil || len(record) == 0 {
		return 0, err
	}
	return same(record, l.together()), nil
}

// same counts the keys that have the same text in both.
func same(a, b map[string]Forms) (n int) {
	for key, forms := range a {
		if maps.Equal(forms, b[key]) {
			n++
		}
	}
	return n
}

// add reads the files of a folder and checks their texts against english. If english is nil, it does not check them:
// tests check the built-in texts.
func (known *knownTexts) add(folder fs.FS, english map[string]Forms) error {
	names, err := fs.Glob(folder, "*.json")
	if err != nil {
		return err
	}
	for _, name := range names {
		tag, err := language.Parse(strings.TrimSuffix(name, ".json"))
		if err != nil {
			return fmt.Errorf("%s: the file must be named after a language, such as fr or pt-BR: %w", name, err)
		}
		texts, err := ReadTexts(folder, name)
		if err != nil {
			return err
		}
		fresh := !slices.Contains(known.tags, tag)
		file := func() map[string]Forms { return texts }
		if english != nil {
			if err := CheckTexts(tag, fresh, english, texts); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		} else {
			file = func() map[string]Forms {
				texts, err := ReadTexts(folder, name)
				if err != nil {
					panic(err) // it is part of the program
				}
				return texts
			}
		}
		if fresh {
			known.tags = append(known.tags, tag)
		}
		if known.of[tag] == nil {
			known.of[tag] = &languageTexts{keys: map[string]bool{}}
		}
		known.of[tag].add(texts, file)
	}
	return nil
}

// Forms maps plural forms to the texts of one key; a text without plural forms is under plain.
type Forms map[string]string

const plain = ""

// ReadTexts reads the file of one language.
func ReadTexts(folder fs.FS, name string) (map[string]Forms, error) {
	content, err := fs.ReadFile(folder, name)
	if err == nil {
		content, err = packed.Read(content)
	}
	if err != nil {
		return nil, err
	}
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(bytes.TrimPrefix(content, []byte("\ufeff")), &raw); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	all := make(map[string]Forms, len(raw))
	for key, value := range raw {
		var one string
		f := Forms{}
		if json.Unmarshal(value, &one) == nil {
			f[plain] = one
		} else if json.Unmarshal(value, &f) != nil {
			return nil, fmt.Errorf("%s: %q: want a text, or texts by plural form", name, key)
		}
		all[key] = f
	}
	return all, nil
}

// CheckTexts returns an error for the first text of a language, in key order, that cannot replace the English one. A
// new language must also state its name and direction.
func CheckTexts(tag language.Tag, fresh bool, english, texts map[string]Forms) error {
	plurals := pluralsOf(tag)
	for _, key := range slices.Sorted(maps.Keys(texts)) {
		if english[key] == nil {
			return fmt.Errorf("%q: English has no text with this key", key)
		}
		if err := plurals.check(english[key], texts[key]); err != nil {
			return fmt.Errorf("%q: %w", key, err)
		}
	}
	for _, key := range []string{"language.name", "language.dir"} {
		if fresh && texts[key] == nil {
			return fmt.Errorf("%q is missing", key)
		}
	}
	if dir, ok := texts["language.dir"]; ok && dir[plain] != "ltr" && dir[plain] != "rtl" {
		return fmt.Errorf("%q: got %q, want ltr or rtl", "language.dir", dir[plain])
	}
	return nil
}
