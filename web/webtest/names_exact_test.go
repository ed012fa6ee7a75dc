package webtest

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"

	"meldhall/web/request"
)

// TestNamesOfMembersAreExact checks that every kind of route with a JSON body rejects misspelt and duplicate members.
// The error names the member, and nothing changes.
func TestNamesOfMembersAreExact(t *testing.T) {
	t.Parallel()
	e := newEvent(t, 4, nil)
	e.start()
	game := e.begin(0)
	turn := e.public().view(game).Turn
	player := e.at(0, turn.Seat)
	draw := fmt.Sprintf("/games/%d/draw", game)
	for _, row := range []struct {
		by             *caller
		path, body, at string
	}{
		{player, draw, `{"Turn":1,"key":"key-names-1"}`, "Turn"},
		{player, draw, `{"turn":1,"turn":1,"key":"key-names-1"}`, "turn"},
		{player, draw, `{"turn":1,"key":"key-names-1","seat":1}`, "seat"},
		{player, fmt.Sprintf("/games/%d/play", game), `{"turn":1,"key":"key-names-1","table":[{"At":0,"tiles":[]}]}`,
			"At"},
		{e.public(), "/sign-in", `{"Name":"Ann","password":"x"}`, "Name"},
		{e.public(), "/sign-in", `{"name":"Ann","name":"Bob","password":"x"}`, "name"},
		{e.organizer, "/actions/people.import", fmt.Sprintf(`{"tournament":%d,"File":"name\nZoe\n"}`, e.id), "File"},
		{e.organizer, "/actions/people.import",
			fmt.Sprintf(`{"tournament":%d,"file":"name\nZoe\n","mends":[{"line":1,"Out":true}]}`, e.id), "Out"},
		{e.organizer, "/formats/check", `{"format":{"Name":"x"},"players":4}`, "Name"},
	} {
		status, _, text := row.by.send(http.MethodPost, row.path, row.body)
		if status < 400 || status >= 500 || !strings.Contains(string(text), row.at) {
			t.Errorf("%s %s: %d %s, want a refusal that names %q", row.path, row.body, status, text, row.at)
		}
	}
	if now := e.public().view(game).Turn; now != turn {
		t.Errorf("the turn is %+v, was %+v", now, turn)
	}
}

// TestMalformedChunks checks that a malformed chunked body gets a client error from every kind of route with a JSON
// body.
func TestMalformedChunks(t *testing.T) {
	t.Parallel()
	e := newEvent(t, 4, nil)
	e.start()
	game := e.begin(0)
	address := strings.TrimPrefix(e.http.URL, "http://")
	for path, who := range map[string]*caller{"/sign-in": e.public(), "/join": e.public(),
		fmt.Sprintf("/tournaments/%d/rounds", e.id): e.organizer,
		"/actions/people.import":                    e.organizer, fmt.Sprintf("/games/%d/draw", game): e.at(0, 0),
		fmt.Sprintf("/games/%d/pause", game): e.referee} {
		for _, chunks := range []string{"zz\r\n{}\r\n0\r\n\r\n", "5\r\n{}\r\n0\r\n\r\n", "fffffffffffffffff\r\n{}"} {
			conn, err := net.Dial("tcp", address)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(conn,
				"POST %s%s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\n"+
					"Transfer-Encoding: chunked\r\n%s: %s\r\n",
				request.APIBase, path, address, request.EpochHeader, e.store.Epoch.Name)
			if who.token != "" {
				fmt.Fprintf(conn, "Authorization: Bearer %s\r\n", who.token)
			}
			fmt.Fprintf(conn, "Connection: close\r\n\r\n%s", chunks)
			res, err := http.ReadResponse(bufio.NewReader(conn), nil)
			if err != nil {
				t.Fatal(err)
			}
			if res.StatusCode != http.StatusBadRequest {
				t.Errorf("%s with %q: %d", path, chunks, res.StatusCode)
			}
			res.Body.Close()
			conn.Close()
		}
	}
}
