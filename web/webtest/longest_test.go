package webtest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"meldhall/tournament/action"
	"meldhall/web"
	"meldhall/web/request"
)

// TestCostlyRequestsEndAtTheirLimit checks that a request ends with 503 at its time limit, and ends when its client
// disconnects. Neither applies to players' commands.
func TestCostlyRequestsEndAtTheirLimit(t *testing.T) {
	t.Parallel()
	e := newEvent(t, 4, nil)
	e.start()
	game := e.begin(0)
	config := e.config
	config.Longest = time.Nanosecond
	short, err := web.New(action.NewDesk(e.store, e.server.View.Games), config)
	if err != nil {
		t.Fatal(err)
	}
	ask := func(ctx context.Context, who *caller, method, path string, body any) (int, map[string]any) {
		text, err := json.Marshal(body)
		if err != nil {
			t.Fatal(err)
		}
		r := httptest.NewRequestWithContext(ctx, method, request.APIBase+path, bytes.NewReader(text))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Authorization", "Bearer "+who.token)
		w := httptest.NewRecorder()
		short.ServeHTTP(w, r)
		var fields map[string]any
		if err := json.Unmarshal(w.Body.Bytes(), &fields); err != nil {
			t.Fatalf("%s: %v in %s", path, err, w.Body)
		}
		return w.Code, fields
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	roster := map[string]any{"tournament": e.id, "file": "name\n" + strings.Repeat("\n", 1<<16) + "Zoe\n"}
	for _, row := range []struct {
		method, path string
		body         any
	}{
		{"POST", "/actions/people.import", roster},
		{"POST", "/actions/tournament.import", map[string]any{"file": "UEs="}},
		{"POST", fmt.Sprintf("/tournaments/%d/rounds", e.id), map[string]any{}},
		{"GET", fmt.Sprintf("/tournaments/%d/export/archive.zip", e.id), nil},
		{"GET", fmt.Sprintf("/tournaments/%d/export/roster.xlsx", e.id), nil},
		{"GET", fmt.Sprintf("/tournaments/%d/people", e.id), nil},
	} {
		status, said := ask(t.Context(), e.organizer, row.method, row.path, row.body)
		if status != http.StatusServiceUnavailable || said["code"] != "err_took_long" {
			t.Errorf("%s: %d %v", row.path, status, said)
		}
		if status, said := ask(gone, e.organizer, row.method, row.path, row.body); status != 499 ||
			said["code"] != "err_gone" {
			t.Errorf("%s for a client that has gone: %d %v", row.path, status, said)
		}
	}
	seat := e.public().view(game).Turn.Seat
	if status, said := ask(t.Context(), e.at(0, seat), "POST", fmt.Sprintf("/games/%d/draw", game),
		map[string]any{"turn": 1, "key": e.key()}); said["code"] == "err_took_long" {
		t.Errorf("a player's command: %d %v", status, said)
	}
}
