package web

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"meldhall/engine"
	"meldhall/engine/tile"
	"meldhall/tournament"
)

// A draft is shown to everybody at the table, so it holds no more tiles than there are.
func TestTablesThatAreTooLarge(t *testing.T) {
	e := newEvent(t, 4, nil)
	e.start()
	game := e.begin(0)
	turn := e.public().view(game).Turn
	long := engine.LaidFaces{At: -1, Faces: make(tile.FaceList, tile.Count+1)}
	for name, table := range map[string][]engine.LaidFaces{"one set": {long}, "sets of nothing": make([]engine.LaidFaces, tile.Count+1)} {
		t.Run(name, func(t *testing.T) {
			e.at(0, turn.Seat).refusedWith(t, 422, "err_table_too_large", http.MethodPost, fmt.Sprintf("/games/%d/draft", game), DraftRequest{turn.Number, table})
			e.at(0, turn.Seat).refusedWith(t, 422, "err_table_too_large", http.MethodPost, fmt.Sprintf("/games/%d/play", game), PlayRequest{turn.Number, "too-large-1", table})
		})
	}
}

// Many tries at once count as they come, spellings of one account are one account, and long names take no room.
func TestThrottleCannotBeOutrun(t *testing.T) {
	th := newThrottle(3, time.Minute, time.Now)
	for try := range 3 {
		if _, err := th.begin("account a"); err != nil {
			t.Fatalf("try %d: %v", try, err)
		}
	}
	if _, err := th.begin("account a"); !isKind(err, tournament.ErrTooMany) {
		t.Errorf("got %v for the fourth of three at once", err)
	}
	th = newThrottle(3, time.Minute, time.Now)
	for range 3 {
		done, err := th.begin("account a")
		if err != nil {
			t.Fatal(err)
		}
		done()
	}
	if _, err := th.begin("account a"); err != nil {
		t.Errorf("tries that succeeded are counted: %v", err)
	}
	if a, b := tournament.FoldName("Ann"), tournament.FoldName(" \uff21\u200bnn"); a != b {
		t.Errorf("%q and %q are one account by two keys", a, b)
	}
	th.failed("code " + strings.Repeat("X", 1<<20))
	for key := range th.keys {
		if len(key) > 64 {
			t.Errorf("a key of %d bytes is kept", len(key))
		}
	}
}
