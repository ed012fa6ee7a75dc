package locale

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"meldhall/data"
	"meldhall/templates"
)

func localeFiles(nameText ...string) fstest.MapFS {
	files := fstest.MapFS{}
	for i := 0; i+1 < len(nameText); i += 2 {
		files[nameText[i]] = &fstest.MapFile{Data: []byte(nameText[i+1])}
	}
	return files
}

const portuguese = `{"language.name": "Português", "language.dir": "ltr", "game.undo": "Desfazer",
	"event.players": {"one": "{{.n}} jogador", "many": "{{.n}} de jogadores", "other": "{{.n}} jogadores"}}`

func TestOwnLanguage(t *testing.T) {
	all, err := LoadTexts(localeFiles("pt.json", portuguese, "it.json", `{"game.undo": "Indietro"}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		wish, key string
		n         any
		want      string
	}{
		{"pt-BR, en;q=0.5", "event.players", 2, "2 jogadores"},
		{"pt", "event.players", 1, "1 jogador"},
		{"pt", "game.undo", nil, "Desfazer"},
		{"pt", "game.reset", nil, "Reset"},            // not in the file: English
		{"pt", "game.pool", 2, "Pool: 2 tiles"},       // with English plural forms
		{"it", "game.undo", nil, "Indietro"},          // changed
		{"it", "game.reset", nil, "Da capo"},          // built in
		{"xx, yy", "event.players", 12, "12 players"}, // no language matches
		{"nonsense;;q=x", "game.undo", nil, "Undo"},
		{"pt", "no.such.key", nil, "no.such.key"},
		{"he", "language.dir", nil, "rtl"},
		{"en-GB", "event.players", 1, "1 player"},
		{"fi;q=0.9, pt;q=0.1", "game.undo", nil, "Desfazer"},
	} {
		var args []any
		if test.n != nil {
			args = []any{"n", test.n}
		}
		if got := T(all.With(t.Context(), test.wish), test.key, args...); got != test.want {
			t.Errorf("%q, %s, %v: got %q, want %q", test.wish, test.key, test.n, got, test.want)
		}
	}
	ctx := all.With(t.Context(), "pt")
	if got := len(LanguagesOf(ctx)); got != len(Carried.Languages)+1 {
		t.Errorf("got %d languages, want one more than the program's own %d", got, len(Carried.Languages))
	}
	if got := LanguageOf(all.Whole().With(t.Context(), "pt, it;q=0.5")).Tag; got != "it" {
		t.Errorf("officials get %s for Portuguese, which is not whole, then Italian", got)
	}
	if got := len(EveryLanguageOf(all.Whole().With(t.Context(), "pt"))); got != len(LanguagesOf(ctx)) {
		t.Errorf("officials can write in %d languages, want in all %d", got, len(LanguagesOf(ctx)))
	}
	if slices.ContainsFunc(LanguagesOf(t.Context()), func(l Language) bool { return l.Tag == "pt" }) {
		t.Error("a language of one's own has become one of the program's")
	}
}

// TestWishedLanguage checks which languages browsers get for their wishes.
func TestWishedLanguage(t *testing.T) {
	for wish, want := range map[string]string{
		"de-AT, en;q=0.7": "de", "pl-PL": "pl", "zh-TW, zh;q=0.9": "zh-Hant", "zh-HK": "zh-Hant", "zh-Hant": "zh-Hant",
		// a close match is better than none, but not than English
		"zh-CN, en;q=0.5": "en", "zh-CN, zh;q=0.9, en;q=0.5": "en", "zh-CN": "zh-Hant",
	} {
		if got := LanguageOf(WithLanguage(t.Context(), wish)).Tag; got != want {
			t.Errorf("%q: got %s, want %s", wish, got, want)
		}
	}
	for _, official := range []string{"/desk/1", "/referee/1/tables/2", "/sign-in", "/account", "/play/referee",
		"/play/referee/sheet"} {
		if !templates.ForOfficials(official) {
			t.Errorf("%s is for officials", official)
		}
	}
	for _, reader := range []string{"/", "/events/1/tables", "/play", "/play/game", "/join/ABC", "/display",
		"/practice", "/ticket/x"} {
		if templates.ForOfficials(reader) {
			t.Errorf("%s is for readers", reader)
		}
	}
}

func TestOwnLanguageIsRefused(t *testing.T) {
	const head = `{"language.name": "X", "language.dir": "ltr", `
	for _, test := range []struct {
		what, file, text string
		want             []string // all of them must be in the error
	}{
		{"broken JSON", "fr.json", `{"a": `, []string{"fr.json"}},
		{"a list", "fr.json", `[]`, []string{"fr.json"}},
		{"a number for a text", "fr.json", head + `"game.undo": 7}`, []string{"fr.json", "game.undo"}},
		{"a name that is no language", "french!.json", `{}`, []string{"french!.json", "a language"}},
		{"a key that English has not", "fr.json", head + `"game.undoo": "x"}`,
			[]string{"fr.json", `"game.undoo"`, "no text with this key"}},
		{"an empty text", "fr.json", head + `"game.undo": " "}`, []string{"fr.json", `"game.undo"`, "empty"}},
		{"no name", "pt.json", `{"language.dir": "ltr"}`, []string{"pt.json", `"language.name"`, "missing"}},
		{"no direction", "pt.json", `{"language.name": "X"}`, []string{"pt.json", `"language.dir"`, "missing"}},
		{"a direction that is none", "fr.json", `{"language.name": "X", "language.dir": "left"}`,
			[]string{"language.dir", "ltr or rtl"}},
		{"a placeholder too few", "fr.json", head + `"turn.other": "au tour"}`,
			[]string{"fr.json", `"turn.other"`, "{{.name}}"}},
		{"a placeholder of another name", "fr.json", head + `"turn.other": "{{.nom}}"}`,
			[]string{`"turn.other"`, "{{.nom}}", "{{.name}}"}},
		{"a placeholder with a space", "fr.json", head + `"turn.other": "{{ .name }}"}`,
			[]string{`"turn.other"`, "braces"}},
		{"a placeholder that runs code", "fr.json", head + `"turn.other": "{{.name}} {{printf 1}}"}`,
			[]string{`"turn.other"`, "braces"}},
		{"a script's placeholder lost", "fr.json", head + `"say.seconds": "secondes"}`,
			[]string{`"say.seconds"`, "{n}"}},
		{"no plural forms", "fr.json", head + `"event.players": "{{.n}} joueurs"}`,
			[]string{`"event.players"`, "one, other"}},
		{"a plural form missing", "pl.json", head + `"event.players": {"one": "a", "other": "{{.n}} b"}}`,
			[]string{"pl.json", `"event.players"`, `"few" is missing`, "one, few, many, other"}},
		{"a plural form that the language has not", "fr.json", head +
			`"event.players": {"one": "a", "two": "b", "other": "{{.n}} c"}}`, []string{`"event.players"`, `"two"`}},
		{"a word that is no plural form", "fr.json", head +
			`"event.players": {"one": "a", "others": "b", "other": "{{.n}} c"}}`,
			[]string{`"event.players"`, `"others"`}},
		{"plural forms of a text that counts nothing", "fr.json", head + `"game.undo": {"one": "a", "other": "b"}}`,
			[]string{`"game.undo"`, "without plural forms"}},
		{"the count left out of the last form", "fr.json", head +
			`"event.players": {"one": "un joueur", "other": "des joueurs"}}`, []string{`"event.players"`, "{{.n}}"}},
		{"an error in a language that the program has", "it.json", `{"turn.other": "x"}`,
			[]string{"it.json", `"turn.other"`}},
	} {
		t.Run(test.what, func(t *testing.T) {
			_, err := LoadTexts(localeFiles(test.file, test.text))
			if err == nil {
				t.Fatal("it was taken")
			}
			for _, want := range test.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("got %q, want %q in it", err, want)
				}
			}
		})
	}
}

func TestRateHasTheMarkOfTheLanguage(t *testing.T) {
	for tag, want := range map[string]string{"en": "3.7", "it": "3,7", "he": "3.7"} {
		if got := Rate(WithLanguage(t.Context(), tag), 3.74); got != want {
			t.Errorf("%s: got %q, want %q", tag, got, want)
		}
	}
}

// TestWhatNativePlayersRead checks that a record of read texts is counted by the texts as they are now, and that each
// built-in language has a record.
func TestWhatNativePlayersRead(t *testing.T) {
	record := map[string]Forms{"a": {plain: "one"}, "b": {"one": "x", "other": "y"}, "c": {plain: "old"},
		"d": {plain: "gone"}}
	now := map[string]Forms{"a": {plain: "one"}, "b": {"one": "x", "other": "y"}, "c": {plain: "new"},
		"e": {plain: "more"}}
	if n := same(record, now); n != 2 {
		t.Errorf("%d texts are as they were read, want 2", n)
	}
	all, err := LoadTexts(localeFiles("pt.json", portuguese))
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range all.Languages {
		if l.Tag == "pt" {
			if l.Read != -1 {
				t.Errorf("an operator's language counts %d read texts without a record", l.Read)
			}
			continue
		}
		texts := carriedTexts(t)[l.Tag]
		read, err := ReadTexts(data.Read, "read/"+l.Tag+".json")
		if err != nil || l.Read != same(read, texts) || l.Count != len(texts) {
			t.Errorf("%s: got %d of %d texts: %v", l.Tag, l.Read, l.Count, err)
		}
		for key := range read {
			if texts[key] == nil {
				t.Errorf("%s: the record has %q, which is no text", l.Tag, key)
			}
		}
	}
}
