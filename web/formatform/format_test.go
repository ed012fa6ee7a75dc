package formatform

import (
	"testing"

	"meldhall/data"
	"meldhall/templates/locale"
	"meldhall/tournament/format"
	"meldhall/tournament/preset"
)

// TestOwnNamesStay checks that a preset is shown with the reader's translation and stored by its name. An organizer's
// own format with the same name as a translation keeps the typed text, also as a tournament's copy.
func TestOwnNamesStay(t *testing.T) {
	presets, err := preset.Load(data.Rules, data.Formats)
	if err != nil {
		t.Fatal(err)
	}
	for _, lang := range []string{"en", "it", "he"} {
		words := WordsOf(locale.WithLanguage(t.Context(), lang), presets)
		wrc := presets.Formats["wrc"]
		word := words.formats["wrc"]
		shown := words.Put(Of(wrc), true)
		if word == "" || word == "wrc" || shown["name"] != word {
			t.Fatalf("%s: wrc is shown as %q, its word is %q", lang, shown["name"], word)
		}
		words.TakenBack(shown, "wrc")
		if f, problems := shown.Read(); f.Name != "wrc" || f.Stages[0].Name != wrc.Stages[0].Name || len(problems) > 0 {
			t.Errorf("%s: the preset comes back as %q, %q, %v", lang, f.Name, f.Stages[0].Name, problems)
		}
		own := wrc
		own.Name, own.Stages = word, append([]format.Stage(nil), wrc.Stages...)
		for _, was := range []string{"", word} {
			values := words.Put(Of(own), was != "")
			words.TakenBack(values, was)
			if f, _ := values.Read(); f.Name != word {
				t.Errorf("%s: an own format called %q comes back as %q", lang, word, f.Name)
			}
		}
	}
}
