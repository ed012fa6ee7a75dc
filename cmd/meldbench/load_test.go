package main

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"meldhall/cmd/internal/client"
	"meldhall/engine/testmode"
)

// TestLoad measures a small hall for a second, alone and with a crowd: nobody is sent away, and all is printed. How many turns that are is not
// judged: on a machine so busy that the server stood still meanwhile, which it makes good to the players, it may be none. TestScan holds
// that they are seen.
func TestLoad(t *testing.T) {
	testmode.SkipUnlessLong(t)
	var out bytes.Buffer
	for tries := 1; ; tries++ {
		out.Reset()
		_, _, err := (loadCmd{Tables: 2, Seconds: 1, Laying: 100, Cores: true, Viewers: 60}).load(t.Context(), &out)
		if err == nil {
			break
		}
		if tries == 5 || !strings.Contains(err.Error(), "nothing was measured") {
			t.Fatalf("%v\n%s", err, out.String())
		}
	}
	t.Log(out.String())
	if strings.Count(out.String(), "durable turns") != 3 || !strings.Contains(out.String(), "60, 0 of them sent away") || !strings.Contains(out.String(), "times what it is without") {
		t.Error("not all was measured")
	}
}

// TestLoadOverHTTP2: tables play though all their players' streams and commands share one connection.
func TestLoadOverHTTP2(t *testing.T) {
	testmode.SkipUnlessLong(t)
	var out bytes.Buffer
	for range 5 { // a server that stood still for the second is no fault of the players'
		m, _, err := (loadCmd{Tables: 2, Seconds: 1, Laying: 100, HTTP2: true, Think: 50 * time.Millisecond, Cores: true}).load(t.Context(), &out)
		if err != nil && !strings.Contains(err.Error(), "nothing was measured") {
			t.Fatalf("%v\n%s", err, out.String())
		}
		if err == nil && m.turns > 0 && len(m.updates) > 0 {
			return
		}
	}
	t.Errorf("no turn was played, or none was seen:\n%s", out.String())
}

// TestScan: a message of the stream is read as far as the players need it.
func TestScan(t *testing.T) {
	view := []byte(`{"game":{"id":7},"view":{"seq":9,"phase":"playing","turn":{"number":3,"seat":1,"started":5},"now":6}}`)
	for _, id := range []string{"ABC234.7-9-0", "7-9-0"} {
		if s, ok := scan(client.Message{ID: id, Data: view}); !ok || s != (sight{game: 7, turn: 3, seat: 1, phase: "playing"}) {
			t.Errorf("%s: %+v, %v", id, s, ok)
		}
	}
	if _, ok := scan(client.Message{ID: "ABC234.0", Data: []byte(`{"game":null}`)}); ok {
		t.Error("a message without a game was read as one")
	}
}
