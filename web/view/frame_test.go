package view

import (
	"encoding/json"
	"reflect"
	"testing"

	"meldhall/engine"
	"meldhall/engine/ruleset"
	"meldhall/engine/tile"
	"meldhall/tournament/game"
)

// midgame returns a state with twenty sets on the table, as it might be after fifty events.
func midgame() *game.Snapshot {
	all := tile.All()
	s := engine.State{Phase: engine.PhasePlaying, Seats: 4, Seq: 47,
		Turn: engine.Turn{Number: 40, Seat: 1, Started: 1, Due: 60_001}}
	for i := range 20 {
		s.Table = append(s.Table, tile.Laid{At: i/3*13 + i%3*4, Tiles: tile.List{all[i*3], all[i*3+1], all[i*3+2]}})
	}
	for seat := range 4 {
		s.Racks[seat] = all[60+seat*10 : 70+seat*10]
	}
	s.Doubles[2], s.Rules.Redeal = true, ruleset.OwnFirstTurn
	s.Calls[3] = engine.Call{Since: 4, Coming: 5, By: "Anna"}
	s.Racks[3], s.Pool = s.Racks[3][:9], s.Racks[3][9:]
	s = engine.Apply(s, engine.TileDrawn{Seat: 3, Tile: s.Pool, Turn: s.Turn})
	s = engine.Apply(s, engine.TimeGiven{Seconds: 30, Said: engine.Said{Reason: "slow", By: "Anna"}, Turn: s.Turn})
	s = engine.Apply(s, engine.PenaltyProposed{Seat: 3, Tiles: 3, Cause: engine.CauseTimeout})
	draft := &game.Draft{Turn: 40, Seat: 1, Number: 2}
	return &game.Snapshot{Ref: game.Ref{ID: 7, TableID: 3, Players: []int64{1, 2, 3, 4}, Of: 2, Number: 1}, State: s,
		Draft: draft, DraftNumber: 2}
}

func TestAFrameIsTheWholeState(t *testing.T) {
	frames, snap := newFrameCache(nil), midgame()
	names := []string{"Anna Bianchi", "Ben", "Çağla", "Dov"}
	if err := frames.of(snap.Ref).call(names, names); err != nil {
		t.Fatal(err)
	}
	for viewer := engine.Spectator; viewer < 4; viewer++ {
		m, err := frames.message(t.Context(), snap, viewer, 5)
		if err != nil {
			t.Fatal(err)
		}
		view := engine.ViewFor(&snap.State, viewer)
		view.Now = 5
		whole, err := json.Marshal(LiveState{Game: NewGameState(snap), View: &view, Names: names, Draft: snap.Draft})
		if err != nil {
			t.Fatal(err)
		}
		var got, want any
		if err := json.Unmarshal(m.Data, &got); err != nil {
			t.Fatalf("%v in %s", err, m.Data)
		}
		if err := json.Unmarshal(whole, &want); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) || m.ID != "7-50-2" {
			t.Errorf("viewer %d: got %s\n%s, want\n%s", viewer, m.ID, m.Data, whole)
		}
		m.Done() // the next message reuses its buffer
	}
}

// TestAFrameIsOfTheNewestGame checks that a table's frame is that of its newest game. A viewer of the previous game
// gets that game, which is not cached.
func TestAFrameIsOfTheNewestGame(t *testing.T) {
	frames, before := newFrameCache(nil), midgame()
	names := []string{"Anna Bianchi", "Ben", "Çağla", "Dov"}
	if err := frames.of(before.Ref).call(names, names); err != nil {
		t.Fatal(err)
	}
	now := midgame()
	now.Ref.ID, now.Ref.Number, now.State.Seq = 8, 2, 4
	for _, look := range []struct {
		at   *game.Snapshot
		want string
	}{{before, "7-50-2"}, {now, "8-4-2"}, {before, "7-50-2"}} {
		if m, err := frames.message(t.Context(), look.at, 0, 5); err != nil || m.ID != look.want {
			t.Fatalf("got %s, %v, want %s", m.ID, err, look.want)
		}
	}
	if kept := frames.of(now.Ref).snap; kept != now || frames.kept != 1 {
		t.Errorf("game %d is kept, at %d tables", kept.Ref.ID, frames.kept)
	}
}

// TestFramesAreForgottenByEvent checks that a change in one tournament keeps the frames of the others.
func TestFramesAreForgottenByEvent(t *testing.T) {
	frames := newFrameCache(nil)
	at := func(tournamentID, table int64) *frame {
		return frames.of(game.Ref{TournamentID: tournamentID, TableID: table})
	}
	first, second, other := at(1, 10), at(1, 11), at(2, 20)
	if frames.kept != 3 {
		t.Errorf("%d frames of three tables", frames.kept)
	}
	frames.forget(1)
	if frames.kept != 1 || at(2, 20) != other {
		t.Errorf("%d frames are left, of another event the same: %v", frames.kept, at(2, 20) == other)
	}
	if at(1, 10) == first || at(1, 11) == second || frames.kept != 3 {
		t.Error("a frame is kept of the event that was changed")
	}
	if frames.forget(0); frames.kept != 0 || at(2, 20) == other {
		t.Error("a frame is kept though any event may have changed")
	}
}

// BenchmarkFourSeats measures drawing one state for the four seats of a table.
func BenchmarkFourSeats(b *testing.B) {
	frames, snap := newFrameCache(nil), midgame()
	if err := frames.of(snap.Ref).call([]string{"Anna Bianchi", "Ben", "Çağla", "Dov"},
		[]string{"Anna Bianchi", "Ben", "Çağla", "Dov"}); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		moved := *snap
		for seat := range 4 {
			m, err := frames.message(b.Context(), &moved, seat, 5)
			if err != nil {
				b.Fatal(err)
			}
			m.Done()
		}
	}
}
