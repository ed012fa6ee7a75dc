package archive

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"meldhall/engine/ruleset"
	"meldhall/tournament"
	"meldhall/tournament/draw"
	"meldhall/tournament/export"
	"meldhall/tournament/result"
)

// TestAWholeEvent checks that two archives of a finished tournament are equal byte by byte and can be verified without
// other data.
func TestAWholeEvent(t *testing.T) {
	h := newHall(t)
	e := h.whole(33)
	a, data := h.packed(e)
	if _, again := h.packed(e); !bytes.Equal(data, again) {
		t.Error("two archives of one event differ")
	}
	read, err := Read(data)
	if err != nil {
		t.Fatal(err)
	}
	checked, err := read.Verify(t.Context())
	if err != nil {
		t.Error(err)
	}
	if m := a.Manifest.Event; len(checked) != 10 || m.Logs != 10 || m.Games != 10 || m.Rounds != 2 || m.Players != 33 ||
		len(a.Manifest.LeftOut) != 0 {
		t.Errorf("%d games checked of %+v", len(checked), a.Manifest)
	}
	for _, c := range checked {
		alone, err := export.OfGame(t.Context(), h.DB, c.Game.Game)
		if err != nil || !bytes.Equal(alone.Lines(), a.files[gameName(c.Game.Game)]) {
			t.Errorf("game %d is another one when it is exported alone: %v", c.Game.Game, err)
		}
	}
	if text := string(a.files[standingsName]); !strings.Contains(text, `"entered"`) ||
		!strings.Contains(text, `"champions"`) {
		t.Errorf("no cut in %s", text)
	}
}

// TestLotsAndCorrections checks that games with real tiles count, that a lot is drawn again by its seed, and that a
// corrected result keeps every revision.
func TestLotsAndCorrections(t *testing.T) {
	h := newHall(t)
	e := h.event(8)
	do(h, tournament.SetTiles{Tournament: e.ID, Tiles: tournament.RealTiles})
	for _, table := range h.start(e) {
		h.enter(table.Game, 0)
	}
	final := h.start(e)[0].Game // after a lot, because all losers tie
	h.enter(final, 0)
	do(h, result.CorrectResult{Game: final, Rev: 2, Correction: result.Correction{Ending: ruleset.EndedEmptied,
		Lines: linesOf(1), Why: "the wrong seat"}})
	a, data := h.packed(e)
	if text := string(a.files[standingsName]); !strings.Contains(text, `"lot": [`) ||
		strings.Count(string(a.files[resultsName]), `"rev":3`) != 1 {
		t.Fatalf("no lot in %s, or no correction in %s", text, a.files[resultsName])
	}
	read, err := Read(data)
	if err == nil {
		_, err = read.Verify(t.Context())
	}
	if err != nil {
		t.Error(err)
	}
	lots := h.DB.Read.Raw("SELECT drawn FROM lots")
	var drawn string
	if err := lots.Scan(&drawn).Error; err != nil {
		t.Fatal(err)
	}
	var order []int64
	if err := json.Unmarshal([]byte(drawn), &order); err != nil || len(order) < 2 {
		t.Fatal(drawn, err)
	}
	order[0], order[1] = order[1], order[0]
	other, _ := json.Marshal(order)
	if _, err := forged(t, a, roundsName, drawn, string(other)).Verify(t.Context()); err == nil ||
		!strings.Contains(err.Error(), "lot 1: the seed draws "+drawn) {
		t.Errorf("another order of a lot: %v", err)
	}
	if _, err := forged(t, a, roundsName, `"salt":"`, `"salt":"0`).Verify(t.Context()); err == nil ||
		!strings.Contains(err.Error(), "the promise of") {
		t.Errorf("another salt of a promise: %v", err)
	}
}

// TestEventsOfAnyState checks that a tournament in any state can be archived and verified, unless the log of a game
// with a result cannot be read.
func TestEventsOfAnyState(t *testing.T) {
	for name, row := range map[string]struct {
		players, logs, leftOut int
		begin                  func(h *hall, e tournament.Tournament)
	}{
		"empty":      {0, 0, 0, nil},
		"one player": {1, 0, 0, nil},
		"400 players": {400, 0, 0, func(h *hall, e tournament.Tournament) {
			do(h, draw.PairRound{Tournament: e.ID, PairingOptions: draw.PairingOptions{Method: "random"}})
		}},
		"in play": {8, 1, 1, func(h *hall, e tournament.Tournament) {
			tables := h.start(e)
			h.play(tables[0].Game)
		}},
		"with a log that cannot be read": {8, 1, 1, func(h *hall, e tournament.Tournament) {
			tables := h.start(e)
			h.play(tables[0].Game)
			h.play(tables[1].Game)
			if err := h.DB.Write.Exec("INSERT INTO game_events (game_id, seq, kind, version, data, actor, at) VALUES (?, 9999, 'moon_rose', 1, '{}', 'engine', 0)", tables[1].Game).Error; err != nil {
				h.t.Fatal(err)
			}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHall(t)
			e := h.event(row.players)
			if row.begin != nil {
				row.begin(h, e)
			}
			a, data := h.packed(e)
			m := a.Manifest
			if m.Event.Players != row.players || m.Event.Logs != row.logs || len(m.LeftOut) != row.leftOut {
				t.Errorf("%+v", m)
			}
			read, err := Read(data)
			if err != nil {
				t.Fatal(err)
			}
			want := ""
			if strings.Contains(name, "cannot be read") {
				want = "games/0002.json: round 1, table 2, game 1: " +
					"there is a result, but the log is missing (left out: unreadable)"
			}
			if _, err := read.Verify(t.Context()); fmt.Sprint(err) != cmp.Or(want, "<nil>") {
				t.Error(err)
			}
			inPlay := slices.Contains(read.Notes, "round 1: 1 games are not over yet")
			if inPlay != (name == "in play") {
				t.Errorf("notes: %q", read.Notes)
			}
		})
	}
}
