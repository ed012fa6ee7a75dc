// Package refusetest renders refusals as people see them, for tests.
package refusetest

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"meldhall/tournament/refuse"
)

// Text returns the English text of a refusal, as shown to people. It fails the test if err is not a refusal, has no
// text, or lacks an argument of its text.
func Text(t testing.TB, err error) string {
	t.Helper()
	var refused *refuse.Error
	if !errors.As(err, &refused) {
		t.Fatalf("got %v, want a refusal", err)
	}
	var texts map[string]any
	if err := json.Unmarshal(english(t), &texts); err != nil {
		t.Fatal(err)
	}
	text, ok := texts[refused.Key].(string)
	if forms, many := texts[refused.Key].(map[string]any); many {
		text, ok = forms["other"].(string)
	}
	if !ok {
		t.Fatalf("%s has no text", refused.Key)
	}
	for name, value := range refused.Args {
		text = strings.ReplaceAll(text, "{{."+name+"}}", fmt.Sprint(value))
	}
	if strings.Contains(text, "{{") {
		t.Errorf("%s lacks an argument: %s", refused.Key, text)
	}
	return text
}

// english reads the English texts from data, which is above the folder of the test.
func english(t testing.TB) []byte {
	t.Helper()
	for up := ".."; len(up) < 30; up = filepath.Join(up, "..") {
		if texts, err := os.ReadFile(filepath.Join(up, "data", "locales", "en.json")); err == nil {
			return texts
		}
	}
	t.Fatal("data/locales/en.json is not above the folder of the test")
	return nil
}
