package webtest

import (
	"net/url"
	"strings"
	"testing"
)

// TestStoredWordsAreTranslated checks that words stored in the log are shown in the reader's language.
func TestStoredWordsAreTranslated(t *testing.T) {
	t.Parallel()
	e := newPublished(t, "Test", roster(8), nil)
	org := e.signedIn("organizer")
	org.post(t, "/look", url.Values{"lang": {"it"}, "back": {"/"}})
	page := org.get(t, "/desk/1/log").says("main", "bozza pubblicato")
	if text := page.text("main"); strings.Contains(text, "published") {
		t.Error(text)
	}
}
