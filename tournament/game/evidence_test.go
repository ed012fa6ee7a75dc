package game

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"meldhall/engine"
	"meldhall/engine/tile"
	"meldhall/tournament/rights"
	"meldhall/tournament/store"
	"meldhall/tournament/store/storetest"
)

func TestDraftChange(t *testing.T) {
	t.Run("what was before and the change give what was after", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			table := rapid.Custom(func(t *rapid.T) []tile.LaidFaces {
				cells := rapid.SliceOfNDistinct(rapid.IntRange(0, tile.Cells-1), 0, 8, rapid.ID[int]).Draw(t, "cells")
				if rapid.IntRange(0, 9).Draw(t, "unplaced") == 0 {
					cells = append(cells, -1, -1)
				}
				slices.Sort(cells)
				sets := make([]tile.LaidFaces, len(cells))
				for i, cell := range cells {
					faces := rapid.SliceOfN(rapid.IntRange(0, int(tile.Joker)), 1, 4).Draw(t, "faces")
					sets[i].At = cell
					for _, f := range faces {
						sets[i].Faces = append(sets[i].Faces, tile.Face(f))
					}
				}
				return sets
			})
			before, after := table.Draw(t, "before"), table.Draw(t, "after")
			text, err := json.Marshal(changeOf(before, after))
			if err != nil {
				t.Fatal(err)
			}
			var change DraftChange
			if err := json.Unmarshal(text, &change); err != nil {
				t.Fatal(err)
			}
			got, err := change.Apply(before)
			if err != nil || tableText(got) != tableText(after) {
				t.Fatalf("%q, changed by %s, gives %q, %v; want %q", tableText(before), text, tableText(got), err,
					tableText(after))
			}
		})
	})
	t.Run("one tile moved is told in a few bytes", func(t *testing.T) {
		before, _ := ParseTable("0 R4 R5 R6 R7;13 K1 B1 O1;26 O2 O3 O4 O5;39 K13 R13 B13")
		after, _ := ParseTable("0 R4 R5 R6;5 R7;13 K1 B1 O1;26 O2 O3 O4 O5;39 K13 R13 B13")
		text, _ := json.Marshal(changeOf(before, after))
		if want := `{"in":"0 R4 R5 R6;5 R7"}`; string(text) != want {
			t.Errorf("got %s, want %s", text, want)
		}
	})
}

// evidenceOf returns the evidence of a game as its referee sees it.
func evidenceOf(t testing.TB, g *Games, game int64, kinds ...string) []Evidence {
	t.Helper()
	all, err := g.Notes.Of(context.Background(), rights.Staff(rights.RoleReferee, "Ann"), game)
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(all, func(e Evidence) bool { return len(kinds) > 0 && !slices.Contains(kinds, e.Kind) })
}

// keptTurn is a turn at the first of two tables in which a player moved tiles and had a submission refused.
type keptTurn struct {
	s       *store.DB
	g       *Games
	games   []int64
	game    int64 // the first game
	turn    engine.Turn
	me      rights.Actor
	drafts  [][]tile.LaidFaces
	refusal *engine.Refusal
}

func newKeptTurn(t *testing.T) *keptTurn {
	t.Helper()
	s := newStore(t)
	games := storetest.Hall(t, s, 2, 1)
	k := &keptTurn{s: s, g: runner(t, s), games: games, game: games[0]}
	begin(t, k.g)
	readyAll(t, k.g, k.game)
	snap := look(t, k.g, k.game)
	k.turn = snap.State.Turn
	k.me = seatActor(snap, k.turn.Seat)
	rack := tile.FacesOf(snap.State.Racks[k.turn.Seat])
	k.drafts = [][]tile.LaidFaces{
		{{At: 0, Faces: rack[:1]}}, {{At: 0, Faces: rack[:2]}}, {{At: 0, Faces: rack[:2]}, {At: 40, Faces: rack[5:7]}},
		{},
	}
	for _, table := range k.drafts {
		if _, err := k.g.SetDraft(t.Context(), k.me, k.game, k.turn.Number, table, Sender{}); err != nil {
			t.Fatal(err)
		}
	}
	_, err := k.g.Submit(t.Context(), k.me, k.game, "key-refused",
		engine.Play{Seat: k.turn.Seat, Turn: k.turn.Number, Table: k.drafts[2]})
	if !errors.As(err, &k.refusal) {
		t.Fatalf("got %v, want a refusal", err)
	}
	return k
}

func TestEvidence(t *testing.T) {
	k := newKeptTurn(t)
	t.Run("every movement is kept in order, and gives the tables back", k.testMovements)
	t.Run("a refused submission is kept with its reason", k.testRefusal)
	t.Run("a submission after the deadline is kept though the turn expired by it", k.testLate)
	t.Run("what was accepted stands in the log alone", k.testAccepted)
	t.Run("a device's gap finds its game", k.testGap)
	t.Run("only officials read it", k.testReaders)
	t.Run("nothing of it is changed or deleted", k.testKept)
}

func (k *keptTurn) testMovements(t *testing.T) {
	kept := evidenceOf(t, k.g, k.game, EvidenceDraft)
	if len(kept) != len(k.drafts) {
		t.Fatalf("got %d movements, want %d: %v", len(kept), len(k.drafts), kept)
	}
	var table []tile.LaidFaces
	var err error
	for i, e := range kept {
		var change DraftChange
		if err := json.Unmarshal([]byte(e.Data), &change); err != nil {
			t.Fatal(err)
		}
		if table, err = change.Apply(table); err != nil {
			t.Fatal(err)
		}
		if tableText(table) != tableText(k.drafts[i]) || e.Turn != k.turn.Number || e.Seat != k.turn.Seat || e.At == 0 {
			t.Errorf("movement %d: got %q in %+v, want %q", i, tableText(table), e, tableText(k.drafts[i]))
		}
	}
}

func (k *keptTurn) testRefusal(t *testing.T) {
	kept := evidenceOf(t, k.g, k.game, EvidenceRefused)
	var got Submission
	if len(kept) != 1 || json.Unmarshal([]byte(kept[0].Data), &got) != nil {
		t.Fatalf("got %v, want one refusal", kept)
	}
	if got.Command != "play" || got.Table != tableText(k.drafts[2]) || got.Code != k.refusal.Code ||
		got.Set != k.refusal.Set || got.Detail != k.refusal.Detail {
		t.Errorf("got %+v, want %+v", got, k.refusal)
	}
}

func (k *keptTurn) testLate(t *testing.T) {
	now := k.s.Now
	defer func() { k.s.Now = now }()
	due := engine.Due(&look(t, k.g, k.game).State)
	k.s.Now = func() time.Time { return time.UnixMilli(int64(due) + 7) }
	answer, err := k.g.Submit(t.Context(), k.me, k.game, "key-late",
		engine.Draw{Seat: k.turn.Seat, Turn: k.turn.Number})
	if err != nil || answer.Outcome != "turn_expired" {
		t.Fatalf("got %+v, %v, want turn_expired", answer, err)
	}
	if kept := evidenceOf(t, k.g, k.game, EvidenceLate); len(kept) != 1 || kept[0].At != due+7 ||
		kept[0].Turn != k.turn.Number {
		t.Errorf("got %+v, want one at %d", kept, due+7)
	}
}

func (k *keptTurn) testAccepted(t *testing.T) {
	before := len(evidenceOf(t, k.g, k.game))
	next := look(t, k.g, k.game)
	if _, err := k.g.Submit(t.Context(), seatActor(next, next.State.Turn.Seat), k.game, "key-drawn",
		engine.Draw{Seat: next.State.Turn.Seat, Turn: next.State.Turn.Number}); err != nil {
		t.Fatal(err)
	}
	if after := len(evidenceOf(t, k.g, k.game)); after != before {
		t.Errorf("got %d rows, want %d", after, before)
	}
}

func (k *keptTurn) testGap(t *testing.T) {
	k.g.Notes.Device(k.me, EvidenceBack, 1_000, Gap{Since: 400})
	kept := evidenceOf(t, k.g, k.game, EvidenceBack)
	if len(kept) != 1 || kept[0].Seat != k.me.Seat || kept[0].Data != `{"since":400}` || kept[0].GameID != k.game {
		t.Errorf("got %+v", kept)
	}
	if other := evidenceOf(t, k.g, k.games[1]); len(other) != 0 {
		t.Errorf("the other table has %v", other)
	}
}

func (k *keptTurn) testReaders(t *testing.T) {
	for _, actor := range []rights.Actor{rights.Public(), k.me, seatActor(look(t, k.g, k.games[1]), 0)} {
		if all, err := k.g.Notes.Of(t.Context(), actor, k.game); err == nil {
			t.Errorf("%s reads %v", actor, all)
		}
	}
}

func (k *keptTurn) testKept(t *testing.T) {
	for _, query := range []string{`UPDATE evidence SET at = 0`, `DELETE FROM evidence`} {
		if _, err := k.s.WriteSQL.Exec(query); err == nil || !strings.Contains(err.Error(), "append-only") {
			t.Errorf("%s: got %v, want refused", query, err)
		}
	}
}

func TestEvidenceIsWrittenWhenTheProgramStops(t *testing.T) {
	s := newStore(t)
	game := storetest.Hall(t, s, 1, 1)[0]
	g := runner(t, s)
	begin(t, g)
	readyAll(t, g, game)
	snap := look(t, g, game)
	for range 3 {
		g.Notes.Device(seatActor(snap, 0), EvidenceOpened, 5, nil)
	}
	g.Close()
	if kept, err := store.All[Evidence](s.Read.Where("game_id = ?", game)); err != nil || len(kept) != 3 {
		t.Errorf("got %d rows, %v, want 3", len(kept), err)
	}
	g.Notes.Device(seatActor(snap, 0), EvidenceOpened, 6, nil) // comes too late and does no harm
	g.Close()
}

func TestEvidenceThatCannotBeWrittenWaits(t *testing.T) {
	s := newStore(t)
	game := storetest.Hall(t, s, 1, 1)[0]
	g := runner(t, s)
	begin(t, g)
	readyAll(t, g, game)
	me := seatActor(look(t, g, game), 0)
	exec := func(query string) {
		t.Helper()
		if _, err := s.WriteSQL.Exec(query); err != nil {
			t.Fatal(err)
		}
	}
	exec(`ALTER TABLE evidence RENAME TO elsewhere`)
	for range notesMost + 20 {
		g.Notes.Device(me, EvidenceOpened, 5, nil)
	}
	g.Notes.flush()
	exec(`ALTER TABLE elsewhere RENAME TO evidence`)
	g.Notes.flush()
	kept := evidenceOf(t, g, game)
	lost := evidenceOf(t, g, game, EvidenceLost)
	if len(kept)-len(lost) < notesMost-evidenceBatch || len(kept)-len(lost) > notesMost+20 || len(lost) == 0 &&
		len(kept) != notesMost+20 {
		t.Errorf("got %d rows and %v of lost ones, want %d", len(kept), lost, notesMost)
	}
}

// BenchmarkEvidence measures how much evidence costs the log: 200 games whose turns are four moves of tiles and a draw,
// without and with evidence. Run it with -benchtime 4000x.
func BenchmarkEvidence(b *testing.B) {
	for _, kept := range []bool{false, true, false, true} {
		b.Run(fmt.Sprintf("kept=%t", kept), func(b *testing.B) {
			benchmarkTurns(b, !kept)
		})
	}
}
