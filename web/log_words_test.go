package web

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"meldhall/templates"
	"meldhall/tournament/door"
)

// TestEveryActionHasAWord: the log of an event names each action that the storage records in the reader's language.
func TestEveryActionHasAWord(t *testing.T) {
	files, err := filepath.Glob("../tournament/store_*.go")
	if err != nil {
		t.Fatal(err)
	}
	recorded := regexp.MustCompile(`action: "([a-z_]+(?:\.[a-z_]+)?)"`)
	ofNoEvent := []string{"account.", "practice.", "device."}
	found := 0
	named := func(kind string) {
		if slices.ContainsFunc(ofNoEvent, func(prefix string) bool { return strings.HasPrefix(kind, prefix) }) {
			return
		}
		found++
		key := "log.action." + kind
		for _, language := range []string{"en", "it", "he"} {
			if ctx := templates.WithLanguage(t.Context(), language); templates.T(ctx, key) == key {
				t.Errorf("%s: no text in %s", kind, language)
			}
		}
	}
	for _, kind := range door.Kinds() {
		named(kind.Name)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range recorded.FindAllStringSubmatch(string(text), -1) {
			named(m[1])
		}
	}
	if found < 30 {
		t.Errorf("only %d actions were found", found)
	}
}
