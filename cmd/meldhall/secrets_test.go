package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode"

	"meldhall/engine"
	"meldhall/engine/tile"
)

// The kinds of viewers of a whole event.
const (
	byPublic = "public"
	byPlayer = "player"
	byStaff  = "staff"
)

// viewer is who got a body.
type viewer struct {
	kind   string
	player int64
}

// overheard is one body that the server sent: an answer, or one message of a stream.
type overheard struct {
	viewer viewer
	path   string
	body   []byte
}

// eavesdropper keeps every body that anybody was sent.
type eavesdropper struct {
	mu  sync.Mutex
	all []overheard
}

func (e *eavesdropper) as(v viewer) func(path string, body []byte) {
	return func(path string, body []byte) {
		e.mu.Lock()
		e.all = append(e.all, overheard{v, path, bytes.Clone(body)})
		e.mu.Unlock()
	}
}

// facesIn collects the tiles (R4, K13', J) in every text of a JSON value, whatever it is called. Parts that the
// caller leaves out are not looked at.
func facesIn(value any, leave func(key string) bool, found *tile.Counts) {
	switch v := value.(type) {
	case map[string]any:
		for key, inner := range v {
			if !leave(key) {
				facesIn(inner, leave, found)
			}
		}
	case []any:
		for _, inner := range v {
			facesIn(inner, leave, found)
		}
	case string:
		for word := range strings.FieldsFuncSeq(v, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
			if f, err := tile.ParseFace(word); err == nil {
				found[f]++
			}
		}
	}
}

// testSecrets holds every body against the log: at its seq, it holds exactly the tiles that its reader may
// see. What is over is open to all.
func (e *wholeEvent) testSecrets(t *testing.T) {
	e.views, e.others = 0, 0
	perKind := map[string]int{}
	for _, o := range e.heard.all {
		var body any
		if err := json.Unmarshal(o.body, &body); err != nil {
			t.Fatalf("%s got no JSON from %s: %.100s", o.viewer.kind, o.path, o.body)
		}
		if strings.HasSuffix(o.path, "/export") {
			if o.viewer.kind != byPublic || !bytes.Contains(o.body, []byte("game_ended")) {
				t.Fatalf("%s was sent a log that has not ended", o.viewer.kind)
			}
			continue
		}
		message, _ := body.(map[string]any)
		view, _ := message["view"].(map[string]any)
		if view == nil {
			e.others++
			e.testPlainBody(t, o, body)
			continue
		}
		e.views++
		perKind[o.viewer.kind]++
		e.testView(t, o, message, view)
	}
	t.Logf("%d views (%v), %d other bodies", e.views, perKind, e.others)
	if perKind[byPlayer] < 3000 || perKind[byPublic] < 2*len(e.games) {
		t.Errorf("too few views to prove anything: %v", perKind)
	}
}

// testPlainBody holds that a body without a view names no tile, but for the racks that officials have counted. A token is
// random text, in which "-K4-" may stand.
func (e *wholeEvent) testPlainBody(t *testing.T, o overheard, body any) {
	var found tile.Counts
	facesIn(body, func(key string) bool { return key == "token" || key == "result" && o.viewer.kind == byStaff }, &found)
	if n := found.Total(); n > 0 {
		t.Errorf("%v was sent %d tiles by %s: %.300s", o.viewer, n, o.path, o.body)
	}
}

func (e *wholeEvent) testView(t *testing.T, o overheard, message, view map[string]any) {
	game, _ := message["game"].(map[string]any)
	id := int64(number(game["id"]))
	if game == nil { // a refusal that carries the newest view
		_, _ = fmt.Sscanf(o.path, "/games/%d/", &id)
	}
	seq := int(number(view["seq"]))
	states := e.states[id]
	if seq < 0 || seq >= len(states) {
		t.Fatalf("%s showed seq %d of game %d, whose log has %d", o.path, seq, id, len(states)-1)
	}
	s := states[seq]
	if s.Phase == engine.PhaseOver {
		return
	}
	seat := engine.Spectator
	if o.viewer.kind == byPlayer {
		seat = slices.Index(e.games[id].Players, o.viewer.player)
	}
	if got := int(number(view["seat"])); got != seat {
		t.Errorf("%v was shown seat %d of game %d, want %d", o.viewer, got, id, seat)
	}
	var found tile.Counts
	facesIn(message, func(key string) bool { return key == "commitment" }, &found)
	if may := mayBeSeen(s, seat); found != may {
		t.Errorf("%v was sent %v by %s at seq %d of game %d, and may see %v", o.viewer, found.List(), o.path, seq, id, may.List())
	}
}

// mayBeSeen is every tile that a view names, each as often as it is named: those on the table, those laid
// last, those drawn for the start, and of the viewer's own the rack and what was drawn last.
func mayBeSeen(s engine.State, seat int) tile.Counts {
	var c tile.Counts
	add := func(tiles tile.List) {
		for _, one := range tiles {
			c[one.Face()]++
		}
	}
	for _, laid := range s.Table {
		add(laid.Tiles)
	}
	add(s.Last.Played)
	for _, d := range s.Draws {
		c[d.Tile]++
	}
	if seat >= 0 {
		add(s.Racks[seat])
		if s.Last.Seat == seat {
			add(s.Last.Drawn)
		}
	}
	return c
}

func number(v any) float64 {
	n, _ := v.(float64)
	return n
}
