package main

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"meldhall/cmd/internal/client"
	"meldhall/engine/testmode"
)

// measuredLoad runs a load whose bots think, so that the games outlast the measurement, and returns what it measured
// and printed. A run on a busy machine may measure nothing, so each try measures twice as long as the one before.
func measuredLoad(t *testing.T, run loadCmd) (*measures, string) {
	t.Helper()
	testmode.SkipUnlessLong(t)
	var out bytes.Buffer
	for run.Seconds = 1; ; run.Seconds *= 2 {
		out.Reset()
		m, _, err := run.load(t.Context(), &out)
		if err == nil {
			return m, out.String()
		}
		if run.Seconds > 16 || !strings.Contains(err.Error(), "nothing was measured") {
			t.Fatalf("%v\n%s", err, out.String())
		}
	}
}

// TestLoad measures a small hall, alone and with a crowd, and checks that the server disconnects no viewer and that all
// figures are printed.
func TestLoad(t *testing.T) {
	_, out := measuredLoad(t, loadCmd{Tables: 2, Laying: 100, Think: 50 * time.Millisecond, Cores: true, Viewers: 60})
	t.Log(out)
	if strings.Count(out, "durable turns") != 3 || !strings.Contains(out, "60, 0 of them rejected") ||
		!strings.Contains(out, "times those without viewers") {
		t.Error("not all was measured")
	}
}

// TestLoadOverHTTP2 checks that tables play although all their players' streams and commands share one connection.
func TestLoadOverHTTP2(t *testing.T) {
	m, out := measuredLoad(t, loadCmd{Tables: 2, Laying: 100, HTTP2: true, Think: 50 * time.Millisecond, Cores: true})
	if m.turns == 0 || len(m.updates) == 0 {
		t.Errorf("no turn was played, or none was seen:\n%s", out)
	}
}

// TestScan checks that scan reads what the players need from a message of the stream.
func TestScan(t *testing.T) {
	view := []byte(`{"game":{"id":7},"view":{"seq":9,"phase":"playing","turn":{"number":3,"seat":1,"started":5},"now":6}}`)
	for _, id := range []string{"ABC234.7-9-0", "7-9-0"} {
		if s, ok := scan(client.Message{ID: id, Data: view}); !ok ||
			s != (sight{game: 7, turn: 3, seat: 1, phase: "playing"}) {
			t.Errorf("%s: %+v, %v", id, s, ok)
		}
	}
	if _, ok := scan(client.Message{ID: "ABC234.0", Data: []byte(`{"game":null}`)}); ok {
		t.Error("a message without a game was read as one")
	}
}
