// Package secrecy records every response and message that a server sends to people, and checks each against the game
// logs: it must show exactly the tiles that its reader may see.
package secrecy

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode"

	"meldhall/engine"
	"meldhall/engine/tile"
)

// Kinds of viewers.
const (
	Public = "public"
	Player = "player"
	Staff  = "staff"
)

// Viewer is the recipient of a response.
type Viewer struct {
	Kind   string
	Player int64
}

// overheard is one response of the server, or one message of a stream.
type overheard struct {
	viewer Viewer
	path   string
	body   []byte
}

// Eavesdropper records everything that the server sends.
type Eavesdropper struct {
	mu  sync.Mutex
	all []overheard
}

// As returns a function that records the responses and messages sent to a viewer.
func (e *Eavesdropper) As(v Viewer) func(path string, body []byte) {
	return func(path string, body []byte) {
		e.mu.Lock()
		e.all = append(e.all, overheard{v, path, bytes.Clone(body)})
		e.mu.Unlock()
	}
}

// Forget discards the records so far.
func (e *Eavesdropper) Forget() {
	e.mu.Lock()
	e.all = nil
	e.mu.Unlock()
}

// Game is a game reconstructed from its log: the players in seat order, and the state after each event; the first state
// is the one before any event.
type Game struct {
	Players []int64
	States  []engine.State
}

// Figures counts the responses checked.
type Figures struct {
	Views  map[string]int // with a view of a game, by kind of viewer
	Others int
}

// Check compares every recorded response with the logs of its games, which must have ended by now. Each view of a game
// must show exactly the tiles that its reader may see at the view's seq. Once a game is over, everyone may see
// everything.
func (e *Eavesdropper) Check(games map[int64]Game) (f Figures, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	f.Views = map[string]int{}
	var faults []error
	for _, o := range e.all {
		if err := o.check(games, &f); err != nil {
			faults = append(faults, err)
		}
	}
	return f, errors.Join(faults...)
}

func (o overheard) check(games map[int64]Game, f *Figures) error {
	var body any
	if err := json.Unmarshal(o.body, &body); err != nil {
		return fmt.Errorf("%s got no JSON from %s: %.100s", o.viewer.Kind, o.path, o.body)
	}
	if strings.HasSuffix(o.path, "/export") {
		if o.viewer.Kind != Public || !bytes.Contains(o.body, []byte("game_ended")) {
			return fmt.Errorf("%s received the log of a running game", o.viewer.Kind)
		}
		return nil
	}
	message, _ := body.(map[string]any)
	view, _ := message["view"].(map[string]any)
	if view == nil {
		f.Others++
		return o.checkPlain(body)
	}
	f.Views[o.viewer.Kind]++
	return o.checkView(games, message, view)
}

// checkPlain checks that a response without a view names no tile, except in results, for officials. Tokens and device
// keys are skipped: they are random text that may contain "-K4-" or "_J".
func (o overheard) checkPlain(body any) error {
	var found tile.Counts
	facesIn(body, func(key string) bool {
		return key == "token" || key == "device" || key == "result" && o.viewer.Kind == Staff
	}, &found)
	if n := found.Total(); n > 0 {
		return fmt.Errorf("%v received %d tiles from %s: %.300s", o.viewer, n, o.path, o.body)
	}
	return nil
}

func (o overheard) checkView(games map[int64]Game, message, view map[string]any) error {
	game, _ := message["game"].(map[string]any)
	id := int64(number(game["id"]))
	if game == nil { // an error response with the newest view
		_, _ = fmt.Sscanf(o.path, "/games/%d/", &id)
	}
	seq, of := int(number(view["seq"])), games[id]
	if seq < 0 || seq >= len(of.States) {
		return fmt.Errorf("%s shows seq %d of game %d, but the log has %d events", o.path, seq, id, len(of.States)-1)
	}
	s := of.States[seq]
	if s.Phase == engine.PhaseOver {
		return nil
	}
	seat := engine.Spectator
	if o.viewer.Kind == Player {
		seat = slices.Index(of.Players, o.viewer.Player)
	}
	if got := int(number(view["seat"])); got != seat {
		return fmt.Errorf("%v got the view of seat %d of game %d, want %d", o.viewer, got, id, seat)
	}
	var found tile.Counts
	facesIn(message, func(key string) bool { return key == "commitment" }, &found)
	if may := MayBeSeen(s, seat); found != may {
		return fmt.Errorf("%v received %v from %s at seq %d of game %d, but may see only %v", o.viewer,
			found.List(), o.path, seq, id, may.List())
	}
	return nil
}

// facesIn counts the tiles (R4, K13', J) named in any string of a JSON value. It skips fields for which leave returns
// true.
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
		for word := range strings.FieldsFuncSeq(v, func(r rune) bool {
			return !unicode.IsLetter(r) &&
				!unicode.IsDigit(r)
		}) {
			if f, err := tile.ParseFace(word); err == nil {
				found[f]++
			}
		}
	}
}

// MayBeSeen returns every tile that a view shows, each as often as it is shown: those on the table, those laid last,
// those drawn for the start and, of the viewer's own seat, the rack and the tiles drawn last.
func MayBeSeen(s engine.State, seat int) tile.Counts {
	var c tile.Counts
	add := func(tiles tile.List) {
		for _, one := range tiles {
			c[one.Face()]++
		}
	}
	for _, laid := range s.Table {
		add(laid.Tiles)
	}
	add(s.Actions.Last().Played)
	for _, d := range s.Draws {
		c[d.Tile]++
	}
	if seat >= 0 {
		add(s.Racks[seat])
		if s.Actions.Last().Seat == seat {
			add(s.Actions.Last().Drawn)
		}
	}
	return c
}

func number(v any) float64 {
	n, _ := v.(float64)
	return n
}
