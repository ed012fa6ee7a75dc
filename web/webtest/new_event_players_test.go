package webtest

import (
	"net/http"
	"strings"
	"testing"
)

// TestNamesOfANewEvent checks that names are typed one per line and may contain commas. A problem names its typed line
// once and says how to continue.
func TestNamesOfANewEvent(t *testing.T) {
	t.Parallel()
	o := newEntered(t, "Another", roster(4), nil).signedIn("organizer")
	page := o.get(t, "/desk/new").is(http.StatusOK)
	text := page.submit("/desk/new", "name", "Club", "players",
		"Anna Smith\nO'Neill, Séan\nBob\n  Anna Smith\n").is(http.StatusUnprocessableEntity).text(".field-problem")
	if !strings.HasSuffix(text,
		"Line 4: \u2068Anna Smith\u2069 is already on line 1. If these are two people, add a note after the name: Anna Smith (Mill Road).") &&
		!strings.HasSuffix(text,
			"Line 4: Anna Smith is already on line 1. If these are two people, add a note after the name: Anna Smith (Mill Road).") {
		t.Errorf("it says %q", text)
	}
	made := page.submit("/desk/new", "name", "Club", "players",
		"Anna Smith\nO'Neill, Séan\nBob\n\nAnna Smith (Mill Road)\n").is(http.StatusOK)
	list := o.get(t, made.path+"/roster").text("#players")
	for _, name := range []string{"O'Neill, Séan", "Anna Smith (Mill Road)", "Bob"} {
		if !strings.Contains(list, name) {
			t.Errorf("%s is not entered: %s", name, list)
		}
	}
	text = page.submit("/desk/new", "name", "Club", "players", "name,club\nAnna,A\nBob,B,C\n").
		is(http.StatusUnprocessableEntity).text(".field-problem")
	if !strings.Contains(text, "The column “C” is not recognized.") {
		t.Errorf("with a header it says %q", text)
	}
}
