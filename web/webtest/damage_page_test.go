package webtest

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// A game with a damaged log returns 409 with its own message to its players, while the rest of the round continues. The
// officials' pages name the game. The server does not send a damaged result as if it were intact.
func TestDamagedGame(t *testing.T) {
	t.Parallel()
	e := newEvent(t, 8, nil)
	e.start()
	good, bad := e.begin(0), e.begin(1)
	player := e.at(1, 0)
	if e.store.Damages.Any() {
		t.Fatal("something is damaged before")
	}
	for _, statement := range []string{"DROP TRIGGER game_events_no_update",
		fmt.Sprintf(`UPDATE game_events SET at = at + 1 WHERE game_id = %d AND seq = 3`, bad)} {
		if _, err := e.store.WriteSQL.Exec(statement); err != nil {
			t.Fatal(err)
		}
	}
	e.games.Forget([]int64{good, bad})
	for path, body := range map[string]any{fmt.Sprintf("/games/%d", bad): nil,
		fmt.Sprintf("/games/%d/draw", bad): map[string]any{"turn": 2, "key": e.key()}} {
		method := http.MethodGet
		if body != nil {
			method = http.MethodPost
		}
		if status, _, answer := player.send(method, path, body); status != http.StatusConflict ||
			!strings.Contains(string(answer), "err_game_damaged") {
			t.Errorf("%s %s: %d %s", method, path, status, answer)
		}
	}
	if status, _, answer := e.at(0, 0).send(http.MethodGet, fmt.Sprintf("/games/%d", good),
		nil); status != http.StatusOK {
		t.Errorf("another game: %d %s", status, answer)
	}
	e.signedIn("referee").get(t, fmt.Sprintf("/referee/%d", e.id)).is(http.StatusOK).says("main",
		"the log of round 1, table 2, game 1")
	if page := e.reader().get(t, fmt.Sprintf("/events/%d", e.id)).is(http.StatusOK); strings.Contains(page.text("main"),
		"damaged") {
		t.Error("the public reads of a log that nobody shows")
	}
	e.readerAt(1, 0).get(t, "/play/game").is(http.StatusConflict).says("body", "its log in the database is damaged")
}
