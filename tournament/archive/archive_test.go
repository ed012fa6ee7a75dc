package archive

import (
	"bytes"
	"strings"
	"testing"

	"meldhall/tournament"
)

// An event that is over is archived twice: the files are equal byte by byte, and hold without anything else.
func TestAWholeEvent(t *testing.T) {
	h := newHall(t)
	e := h.whole(9)
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
	if m := a.Manifest.Event; len(checked) != 4 || m.Logs != 4 || m.Games != 4 || m.Rounds != 2 || m.Players != 9 || len(a.Manifest.LeftOut) != 0 {
		t.Errorf("%d games checked of %+v", len(checked), a.Manifest)
	}
	if text := string(a.files[standingsName]); !strings.Contains(text, `"entered"`) || !strings.Contains(text, `"champions"`) {
		t.Errorf("no cut in %s", text)
	}
}

// However far an event is, its archive can be made and holds.
func TestEventsOfAnyState(t *testing.T) {
	for name, row := range map[string]struct {
		players, logs, leftOut int
		begin                  func(h *hall, e tournament.Tournament)
	}{
		"empty":      {0, 0, 0, nil},
		"one player": {1, 0, 0, nil},
		"400 players": {400, 0, 0, func(h *hall, e tournament.Tournament) {
			do(h, tournament.PairRound{Tournament: e.ID, PairingOptions: tournament.PairingOptions{Method: "random"}})
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
			if _, err := read.Verify(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
}
