package templates

import (
	"strings"
	"testing"
	"testing/fstest"
)

func localeFiles(nameText ...string) fstest.MapFS {
	files := fstest.MapFS{}
	for i := 0; i+1 < len(nameText); i += 2 {
		files[nameText[i]] = &fstest.MapFile{Data: []byte(nameText[i+1])}
	}
	return files
}

const polish = `{"language.name": "Polski", "language.dir": "ltr", "game.undo": "Cofnij",
	"event.players": {"one": "{{.n}} gracz", "few": "{{.n}} gracze", "many": "{{.n}} graczy", "other": "{{.n}} gracza"}}`

func TestOwnLanguage(t *testing.T) {
	all, err := LoadTexts(localeFiles("pl.json", polish, "it.json", `{"game.undo": "Indietro"}`, "zh-Hant.json",
		`{"language.name": "繁體中文", "language.dir": "ltr", "event.players": "{{.n}} 位選手"}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		wish, key string
		n         any
		want      string
	}{
		{"pl-PL, en;q=0.5", "event.players", 2, "2 gracze"},
		{"pl", "event.players", 25, "25 graczy"},
		{"pl", "game.undo", nil, "Cofnij"},
		{"pl", "game.reset", nil, "Reset"},                 // not in the file: English
		{"pl", "practice.title", nil, "Practice"},          //
		{"pl", "game.pool", 2, "Pool: 2 tiles"},            // with English's plural forms
		{"it", "game.undo", nil, "Indietro"},               // changed
		{"it", "game.reset", nil, "Da capo"},               // carried
		{"zh-TW", "event.players", 1, "1 位選手"},             // one form for every number
		{"zh-Hant", "event.players", 12, "12 位選手"},         //
		{"fr, xx", "event.players", 12, "12 players"},      // nothing fits
		{"nonsense;;q=x", "game.undo", nil, "Undo"},        //
		{"pl", "no.such.key", nil, "no.such.key"},          //
		{"pl", "language.name", nil, "Polski"},             //
		{"he", "language.dir", nil, "rtl"},                 //
		{"en-GB", "event.players", 1, "1 player"},          //
		{"de;q=0.1, pl;q=0.9", "game.undo", nil, "Cofnij"}, //
	} {
		var args []any
		if test.n != nil {
			args = []any{"n", test.n}
		}
		if got := T(all.With(t.Context(), test.wish), test.key, args...); got != test.want {
			t.Errorf("%q, %s, %v: got %q, want %q", test.wish, test.key, test.n, got, test.want)
		}
	}
	var names []string
	for _, l := range LanguagesOf(all.With(t.Context(), "pl")) {
		names = append(names, l.Name)
	}
	if got := strings.Join(names, " "); got != "English עברית Italiano Polski 繁體中文" {
		t.Errorf("got the languages %s", got)
	}
	if got := len(LanguagesOf(t.Context())); got != 3 {
		t.Errorf("the program's own languages have become %d", got)
	}
}

func TestOwnLanguageIsRefused(t *testing.T) {
	const head = `{"language.name": "X", "language.dir": "ltr", `
	for _, test := range []struct {
		what, file, text string
		want             []string // all are in the error
	}{
		{"broken JSON", "fr.json", `{"a": `, []string{"fr.json"}},
		{"a list", "fr.json", `[]`, []string{"fr.json"}},
		{"a number for a text", "fr.json", head + `"game.undo": 7}`, []string{"fr.json", "game.undo"}},
		{"a name that is no language", "french!.json", `{}`, []string{"french!.json", "no language"}},
		{"a key that English has not", "fr.json", head + `"game.undoo": "x"}`, []string{"fr.json", `"game.undoo"`, "no such text"}},
		{"an empty text", "fr.json", head + `"game.undo": " "}`, []string{"fr.json", `"game.undo"`, "empty"}},
		{"no name", "fr.json", `{"language.dir": "ltr"}`, []string{"fr.json", `"language.name"`, "missing"}},
		{"no direction", "fr.json", `{"language.name": "X"}`, []string{"fr.json", `"language.dir"`, "missing"}},
		{"a direction that is none", "fr.json", `{"language.name": "X", "language.dir": "left"}`, []string{"language.dir", "ltr or rtl"}},
		{"a placeholder too few", "fr.json", head + `"turn.other": "au tour"}`, []string{"fr.json", `"turn.other"`, "{{.name}}"}},
		{"a placeholder of another name", "fr.json", head + `"turn.other": "{{.nom}}"}`, []string{`"turn.other"`, "{{.nom}}", "{{.name}}"}},
		{"a placeholder with a space", "fr.json", head + `"turn.other": "{{ .name }}"}`, []string{`"turn.other"`, "braces"}},
		{"a placeholder that runs code", "fr.json", head + `"turn.other": "{{.name}} {{printf 1}}"}`, []string{`"turn.other"`, "braces"}},
		{"a script's placeholder lost", "fr.json", head + `"say.seconds": "secondes"}`, []string{`"say.seconds"`, "{n}"}},
		{"no plural forms", "fr.json", head + `"event.players": "{{.n}} joueurs"}`, []string{`"event.players"`, "one, other"}},
		{"a plural form missing", "pl.json", head + `"event.players": {"one": "a", "other": "{{.n}} b"}}`, []string{"pl.json", `"event.players"`, `"few" is missing`, "one, few, many, other"}},
		{"a plural form that the language has not", "fr.json", head + `"event.players": {"one": "a", "two": "b", "other": "{{.n}} c"}}`, []string{`"event.players"`, `"two"`}},
		{"a word that is no plural form", "fr.json", head + `"event.players": {"one": "a", "others": "b", "other": "{{.n}} c"}}`, []string{`"event.players"`, `"others"`}},
		{"plural forms of a text that counts nothing", "fr.json", head + `"game.undo": {"one": "a", "other": "b"}}`, []string{`"game.undo"`, "without plural forms"}},
		{"the count left out of the last form", "fr.json", head + `"event.players": {"one": "un joueur", "other": "des joueurs"}}`, []string{`"event.players"`, "{{.n}}"}},
		{"an error in a language that the program has", "it.json", `{"turn.other": "x"}`, []string{"it.json", `"turn.other"`}},
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
		if got := rate(WithLanguage(t.Context(), tag), 3.74); got != want {
			t.Errorf("%s: got %q, want %q", tag, got, want)
		}
	}
}
