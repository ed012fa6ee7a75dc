package textrecord

import (
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"meldhall/engine"
)

// derivedKinds are the kinds of events that no word names: they follow from the event before.
var derivedKinds = []string{"tiles_dealt", "penalty_proposed", "play_ended", "game_ended"}

// TestSpecificationListsMembers checks that the specification lists each kind with its members in the order in which
// the program writes them, those that may be missing with a question mark, and every word.
func TestSpecificationListsMembers(t *testing.T) {
	text, err := os.ReadFile("../../data/record/text.md")
	if err != nil {
		t.Fatal(err)
	}
	kinds := slices.Clone(derivedKinds)
	for word, act := range acts {
		if !slices.Contains(kinds, act.kind) {
			kinds = append(kinds, act.kind)
		}
		if !strings.Contains(string(text), "`"+word) {
			t.Errorf("the specification lacks the word %s", word)
		}
	}
	for _, kind := range kinds {
		e, err := engine.Decode(kind, engine.EventVersion, []byte("{}"))
		if err != nil {
			t.Fatal(err)
		}
		row := "| `" + kind + "` | " + strings.Join(jsonNames(reflect.TypeOf(e)), ", ") + " |\n"
		if !strings.Contains(string(text), row) {
			t.Errorf("the specification lacks %s", row)
		}
	}
}

func jsonNames(of reflect.Type) (names []string) {
	for i := range of.NumField() {
		field := of.Field(i)
		name, option, _ := strings.Cut(field.Tag.Get("json"), ",")
		if field.Anonymous && name == "" {
			names = append(names, jsonNames(field.Type)...)
			continue
		}
		if option == "omitempty" {
			name += "?"
		}
		names = append(names, name)
	}
	return names
}
