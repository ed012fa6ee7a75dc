package webtest

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"meldhall/templates/locale"
)

// TestBoardsInEveryLanguage checks that boards, overlays and the commentator's page use the language of their address
// or reader, and that the desk offers each language for a screen, which then uses it.
func TestBoardsInEveryLanguage(t *testing.T) {
	t.Parallel()
	e := newEvent(t, 4, nil)
	e.start()
	e.begin(0)
	at := fmt.Sprintf("/events/%d", e.id)
	screen := e.boardScreen(t, "called")
	desk := e.signedIn("referee")
	for _, l := range locale.EveryLanguageOf(t.Context()) {
		ctx := locale.WithLanguage(t.Context(), l.Tag)
		for path, key := range map[string]string{at + "/boards/called": "board.no_calls", at +
			"/boards/news": "board.no_news", at + "/boards/results": "board.no_results",
			at + "/commentary": "overlay.possible_how"} {
			language := "en"
			if strings.HasSuffix(path, "/commentary") { // a page, so it uses the reader's language
				language = l.Tag
			} else {
				path += "?lang=" + l.Tag
			}
			page := e.reader().send(t, http.MethodGet, path, nil, "", "Accept-Language", language).is(http.StatusOK)
			if want := strings.Join(strings.Fields(locale.T(ctx, key)), " "); !strings.Contains(page.text("main"),
				want) || attr(find(page.doc, "html")[0], "lang") != l.Tag || l.Tag != "en" &&
				want == locale.T(t.Context(), key) {
				t.Errorf("%s in %s does not say %q", path, l.Tag, want)
			}
		}
		set := desk.get(t, fmt.Sprintf("/referee/%d/displays/1", e.id)).is(http.StatusOK)
		set.submit("board.fit", "lang", l.Tag).is(http.StatusOK)
		if page := screen.get(t, "/board").is(http.StatusOK); !strings.Contains(page.text("main"),
			strings.Join(strings.Fields(locale.T(ctx, "board.no_calls")), " ")) {
			t.Errorf("a screen that is set to %s does not speak it", l.Tag)
		}
	}
}
