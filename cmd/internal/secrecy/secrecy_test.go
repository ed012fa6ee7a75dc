package secrecy

import (
	"encoding/json"
	"strings"
	"testing"

	"meldhall/engine"
	"meldhall/engine/ruleset"
	"meldhall/engine/tile"
)

// TestCheck checks that a response with one tile more or one fewer than its reader may see is found, wherever the tile
// is.
func TestCheck(t *testing.T) {
	rack := func(text string) tile.List {
		faces, err := tile.ParseFaces(text)
		if err != nil {
			t.Fatal(err)
		}
		var tiles tile.List
		for _, f := range faces {
			tiles = append(tiles, tile.Of(f, 0))
		}
		return tiles
	}
	s := engine.State{Phase: engine.PhasePlaying, Seats: 2, Racks: [ruleset.MaxSeats]tile.List{rack("R1 K13"),
		rack("B7")}, Table: []tile.Laid{{Tiles: rack("O3 O4 O5")}}}
	over := engine.State{Phase: engine.PhaseOver}
	games := map[int64]Game{7: {Players: []int64{70, 71}, States: []engine.State{{}, s, over}}}
	const view = `{"game":{"id":7},"view":{"seq":1,"seat":0,"rack":["R1","K13"],"table":[["O3","O4","O5"]]}`
	for name, c := range map[string]struct {
		viewer Viewer
		path   string
		body   string
		fault  string
	}{
		"the own rack and the table": {Viewer{Player, 70}, "/seat/live", view + `}`, ""},
		"a tile of another one's": {Viewer{Player, 70}, "/seat/live", view + `,"note":"B7 is next"}`,
			"may see"},
		"a rack, and nobody's": {Viewer{Public, 0}, "/games/7/live",
			strings.Replace(view, `"seat":0`, `"seat":-1`, 1) + `}`, "may see"},
		"another one's seat": {Viewer{Player, 71}, "/seat/live", view + `}`, "view of seat 0"},
		"the own rack is missing": {Viewer{Player, 70}, "/seat/live",
			strings.Replace(view, `"R1","K13"`, "", 1) + `}`, "may see"},
		"a state that never was": {Viewer{Player, 70}, "/seat/live",
			strings.Replace(view, `"seq":1`, `"seq":3`, 1) + `}`, "but the log has 2 events"},
		"a refusal with the view": {Viewer{Player, 71}, "/games/7/draw",
			`{"code":"stale_turn","view":{"seq":1,"seat":1,"rack":["B7"],"table":[["O3","O4","O5"]]}}`, ""},
		"all of what is over": {Viewer{Public, 0}, "/games/7/live",
			`{"game":{"id":7},"view":{"seq":2,"seat":-1,"racks":[["R1","K13"]]}}`, ""},
		"a tile in an answer without a view": {Viewer{Player, 70}, "/games/7/draw",
			`{"outcome":"tile_drawn","seq":1,"tile":"B7"}`, "1 tiles"},
		"random letters that look like one": {Viewer{Player, 70}, "/join", `{"token":"xx-K4-yy"}`, ""},
		"the same, of an official's device": {Viewer{Staff, 0}, "/sign-in",
			`{"token":"xx","device":"ycY-Is6v26v64DEAYdAPz2Rh5ZaX29_J"}`, ""},
		"the racks that officials counted": {Viewer{Staff, 0}, "/rounds/1",
			`{"games":[{"result":{"racks":["B7"]}}]}`, ""},
		"the same racks, and nobody's": {Viewer{Public, 0}, "/rounds/1",
			`{"games":[{"result":{"racks":["B7"]}}]}`, "1 tiles"},
		"a log that has not ended": {Viewer{Public, 0}, "/games/7/export", `{"events":[]}`,
			"log of a running game"},
		"what is no answer of the server's": {Viewer{Public, 0}, "/", `<html>`, "no JSON"},
		"a log that has ended, to the public": {Viewer{Public, 0}, "/games/7/export",
			`{"events":[{"kind":"game_ended"}]}`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			var e Eavesdropper
			e.As(c.viewer)(c.path, json.RawMessage(c.body))
			f, err := e.Check(games)
			if (err == nil) != (c.fault == "") || err != nil && !strings.Contains(err.Error(), c.fault) {
				t.Errorf("got %v, want %q", err, c.fault)
			}
			if e.Forget(); f.Others > 1 || f.Views[c.viewer.Kind] > 1 {
				t.Errorf("one body counts as %+v", f)
			}
		})
	}
}
