package rosterfile

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"meldhall/data"
	"meldhall/tournament/refuse"
)

// textOf is the English text of a refusal, as the edge shows it; the keys and placeholders of all are held by
// TestErrorsHaveTexts in templates.
func textOf(t *testing.T, err error) string {
	t.Helper()
	var refused *refuse.Error
	if !errors.As(err, &refused) {
		t.Fatalf("got %v, want a refusal", err)
	}
	file, err := data.Locales.ReadFile("locales/en.json")
	if err != nil {
		t.Fatal(err)
	}
	var texts map[string]any
	if err := json.Unmarshal(file, &texts); err != nil {
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
	return text
}

func TestTextOfARefusal(t *testing.T) {
	err := refuse.Conflict("err_seat_taken", "table", 7, "seat", 2)
	if got, want := textOf(t, err), "Seat 2 at table 7 is taken."; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
