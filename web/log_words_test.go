package web

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"meldhall/templates"
)

// TestEveryActionHasAWord: the log of an event names each action that the storage records in the reader's language.
func TestEveryActionHasAWord(t *testing.T) {
	files, err := filepath.Glob("../tournament/store_*.go")
	if err != nil {
		t.Fatal(err)
	}
	recorded := regexp.MustCompile(`action: "([a-z_]+(?:\.[a-z_]+)?)"`)
	ofNoEvent := []string{"account.", "format.", "practice.", "device.", "backup"}
	found := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range recorded.FindAllStringSubmatch(string(text), -1) {
			key := "log.action." + m[1]
			if slices.ContainsFunc(ofNoEvent, func(kind string) bool { return strings.HasPrefix(m[1], kind) }) {
				continue
			}
			found++
			for _, language := range []string{"en", "it", "he"} {
				if ctx := templates.WithLanguage(t.Context(), language); templates.T(ctx, key) == key {
					t.Errorf("%s: no text in %s (%s)", m[1], language, file)
				}
			}
		}
	}
	if found < 30 {
		t.Errorf("only %d actions were found", found)
	}
}
