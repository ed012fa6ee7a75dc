package webtest

import (
	"slices"
	"strings"
	"testing"

	"meldhall/templates/locale"
	"meldhall/tournament/action"
)

// TestEveryActionHasAWord checks that a tournament's log names each registered action in the reader's language.
func TestEveryActionHasAWord(t *testing.T) {
	ofNoEvent := []string{"account.", "practice.", "device."}
	found := 0
	named := func(kind string) {
		if slices.ContainsFunc(ofNoEvent, func(prefix string) bool { return strings.HasPrefix(kind, prefix) }) {
			return
		}
		found++
		key := "log.action." + kind
		for _, language := range []string{"en", "it", "he"} {
			if ctx := locale.WithLanguage(t.Context(), language); locale.T(ctx, key) == key {
				t.Errorf("%s: no text in %s", kind, language)
			}
		}
	}
	for _, kind := range action.Kinds() {
		named(kind.Name)
	}
	if found < 30 {
		t.Errorf("only %d actions were found", found)
	}
}
