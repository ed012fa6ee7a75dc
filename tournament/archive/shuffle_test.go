package archive

import (
	"strings"
	"testing"

	"meldhall/engine"
	"meldhall/engine/shuffle"
	"meldhall/tournament/draw"
	"meldhall/tournament/game"
	"meldhall/tournament/game/shares"
)

// TestJointShufflesAreArchived checks that an archive of games in whose shuffles all devices took part verifies, and
// that a changed nonce is found.
func TestJointShufflesAreArchived(t *testing.T) {
	h := newHall(t)
	e := h.event(7)
	h.later()
	r := do(h, draw.PairRound{Tournament: e.ID})
	do(h, draw.PublishRound{Round: r.ID})
	tables, err := game.CurrentInRound(t.Context(), h.DB, r.ID)
	if err != nil {
		t.Fatal(err)
	}
	devices := shares.Devices{Keeper: h.Games.Shares, Key: t.Name()}
	for _, at := range tables {
		ref, err := game.FindRef(t.Context(), h.DB, at.Game)
		if err == nil {
			err = devices.Serve(t.Context(), ref.Sharing())
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	do(h, draw.StartRound{Round: r.ID})
	for _, at := range tables {
		h.play(at.Game)
	}
	a, data := h.packed(e)
	read, err := Read(data)
	if err != nil {
		t.Fatal(err)
	}
	checked, err := read.Verify(t.Context())
	if err != nil || len(checked) != 2 {
		t.Fatalf("%d games, %v", len(checked), err)
	}
	for _, c := range checked {
		for seat, share := range c.State.Joint.Shares {
			if share.Nonce == nil {
				t.Errorf("game %d: seat %d took no part", c.Game.Game, seat)
			}
		}
	}
	nonce := checked[0].State.Joint.Shares[1].Nonce.String()
	other := strings.Repeat("0", 8) + nonce[8:]
	if _, err := forged(t, a, gameName(checked[0].Game.Game), nonce, other).Verify(t.Context()); err == nil ||
		!strings.Contains(err.Error(), "seat 1 does not belong to its hash") {
		t.Errorf("got %v", err)
	}
}

// TestShufflesOfOtherGames checks what a single game cannot show: a shuffle or a secret of another game, and a deal
// without the devices after one with them.
func TestShufflesOfOtherGames(t *testing.T) {
	deal := func(game int64, secret byte) engine.Event {
		return engine.TilesDealt{Deal: engine.Deal{Joint: &shuffle.Joint{Game: game, Secret: shuffle.Value{secret}}}}
	}
	f := &facts{secrets: map[shuffle.Value]int64{}}
	f.checkShuffles(1, []engine.Event{engine.GameStarted{}, deal(1, 1), engine.RedealAsked{}, deal(1, 1)}, "game 1")
	f.checkShuffles(2, []engine.Event{engine.GameStarted{}, engine.TilesDealt{}}, "game 2")
	if len(f.Faults) > 0 {
		t.Fatal(f.Faults)
	}
	for want, events := range map[string][]engine.Event{
		"is that of game 4":                       {deal(4, 2)},
		"secret of the shuffle is that of game 1": {deal(3, 1)},
		"seq 2: the devices took no part":         {deal(3, 3), engine.TilesDealt{}},
	} {
		f.Faults = nil
		if f.checkShuffles(3, events, "game 3"); len(f.Faults) != 1 || !strings.Contains(f.Faults[0].What, want) {
			t.Errorf("got %v, want %q", f.Faults, want)
		}
	}
}
