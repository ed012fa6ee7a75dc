package record

import (
	"fmt"
	"testing"

	"meldhall/engine"
)

func TestPublicTurnsAreThoseOfTheReplay(t *testing.T) {
	r := record(t, wrc(t, nil), [2]string{"K1 K2 K3 K4 R10 B10 O10 R1 R3 R5 R7 B2 B4 B6",
		"O1 O3 O5 O7 O9 B1 B3 B5 B7 B9 B11 R9 R11 R13"}, "J K10 O2")
	r.do(engine.Penalise{Grounds: engine.Grounds{Reason: "late"}, Seat: 0, Tiles: 1})
	r.play("R10 B10 O10")
	r.draw()
	r.do(engine.Expire{})
	var whole, parts fold
	for _, e := range r.events {
		whole.apply(e)
		parts.apply(e)
	}
	want := ReplayTurns(r.events)
	if len(whole.turns) != len(want) || len(want) != 3 {
		t.Fatalf("got %d turns, want the %d of the replay", len(whole.turns), len(want))
	}
	for i, turn := range whole.turns {
		w := want[i]
		if turn.Number != w.Number || turn.Turn != w.Before.Turn.Number || turn.Seat != w.Seat() ||
			turn.Kind != w.Event.Kind() ||
			turn.Seq != w.After.Seq || turn.Drawn != w.Drawn() || len(turn.Played) != w.Played() ||
			len(turn.Ruled) != len(w.Since) ||
			fmt.Sprint(turn.Before, turn.After) != fmt.Sprint(w.Before.Table, w.After.Table) {
			t.Errorf("got %+v, want %+v", turn, w)
		}
	}
	if got := whole.turns[0].Ruled[0]; got != (PublicRuling{engine.PenaltyGiven{}.Kind(), 0, 1}) {
		t.Errorf("got the ruling %+v", got)
	}
	before, after := whole.turns[0].Views()
	if len(before) != 0 || len(after) != 1 || len(after[0].New) != 3 {
		t.Errorf("got %+v before and %+v after, want a new set of three", before, after)
	}
	if _, after = whole.turns[1].Views(); len(after[0].New) != 0 {
		t.Errorf("a turn that laid nothing marks %v", after[0].New)
	}
}

func TestTurnsOfManyGamesAreForgotten(t *testing.T) {
	var k folds
	first := k.of(1)
	for game := int64(2); game <= turnsKept; game++ {
		k.of(game)
	}
	if k.of(1) != first {
		t.Fatal("a game is forgotten too soon")
	}
	k.of(turnsKept + 1)
	if len(k.games) != turnsKept || k.games[2] != nil || k.of(1) != first {
		t.Errorf("%d games are kept, and the one asked for least lately is not the one forgotten", len(k.games))
	}
}
