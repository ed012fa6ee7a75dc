package tournament

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
)

func TestDraftChange(t *testing.T) {
	t.Run("what was before and the change give what was after", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			table := rapid.Custom(func(t *rapid.T) []engine.LaidFaces {
				cells := rapid.SliceOfNDistinct(rapid.IntRange(0, engine.Cells-1), 0, 8, rapid.ID[int]).Draw(t, "cells")
				if rapid.IntRange(0, 9).Draw(t, "unplaced") == 0 {
					cells = append(cells, -1, -1)
				}
				slices.Sort(cells)
				sets := make([]engine.LaidFaces, len(cells))
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
				t.Fatalf("%q, changed by %s, gives %q, %v; want %q", tableText(before), text, tableText(got), err, tableText(after))
			}
		})
	})
	t.Run("one tile moved is told in a few bytes", func(t *testing.T) {
		before, _ := parseTable("0 R4 R5 R6 R7;13 K1 B1 O1;26 O2 O3 O4 O5;39 K13 R13 B13")
		after, _ := parseTable("0 R4 R5 R6;5 R7;13 K1 B1 O1;26 O2 O3 O4 O5;39 K13 R13 B13")
		text, _ := json.Marshal(changeOf(before, after))
		if want := `{"in":"0 R4 R5 R6;5 R7"}`; string(text) != want {
			t.Errorf("got %s, want %s", text, want)
		}
	})
}

// evidenceOf is what is kept of a game, as its referee reads it.
func evidenceOf(t testing.TB, g *Games, game int64, kinds ...string) []Evidence {
	t.Helper()
	all, err := g.Evidence(context.Background(), rights.Staff(rights.RoleReferee, "Ann"), game)
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(all, func(e Evidence) bool { return len(kinds) > 0 && !slices.Contains(kinds, e.Kind) })
}

func TestEvidence(t *testing.T) {
	ctx := context.Background()
	s := newStore(t)
	games := hall(t, s, 2, 1)
	game := games[0]
	g := runner(t, s)
	begin(t, g)
	readyAll(t, g, game)
	snap := look(t, g, game)
	turn := snap.State.Turn
	me := seatActor(snap, turn.Seat)
	rack := tile.FacesOf(snap.State.Racks[turn.Seat])

	drafts := [][]engine.LaidFaces{
		{{At: 0, Faces: rack[:1]}}, {{At: 0, Faces: rack[:2]}}, {{At: 0, Faces: rack[:2]}, {At: 40, Faces: rack[5:7]}}, {},
	}
	for _, table := range drafts {
		if _, err := g.SetDraft(ctx, me, game, turn.Number, table, Sender{}); err != nil {
			t.Fatal(err)
		}
	}
	_, err := g.Submit(ctx, me, game, "key-refused", engine.Play{Seat: turn.Seat, Turn: turn.Number, Table: drafts[2]})
	var refusal *engine.Refusal
	if !errors.As(err, &refusal) {
		t.Fatalf("got %v, want a refusal", err)
	}

	t.Run("every movement is kept in order, and gives the tables back", func(t *testing.T) {
		kept := evidenceOf(t, g, game, EvidenceDraft)
		if len(kept) != len(drafts) {
			t.Fatalf("got %d movements, want %d: %v", len(kept), len(drafts), kept)
		}
		var table []engine.LaidFaces
		for i, e := range kept {
			var change DraftChange
			if err := json.Unmarshal([]byte(e.Data), &change); err != nil {
				t.Fatal(err)
			}
			if table, err = change.Apply(table); err != nil {
				t.Fatal(err)
			}
			if tableText(table) != tableText(drafts[i]) || e.Turn != turn.Number || e.Seat != turn.Seat || e.At == 0 {
				t.Errorf("movement %d: got %q in %+v, want %q", i, tableText(table), e, tableText(drafts[i]))
			}
		}
	})
	t.Run("a refused submission is kept with its reason", func(t *testing.T) {
		kept := evidenceOf(t, g, game, EvidenceRefused)
		var got Submission
		if len(kept) != 1 || json.Unmarshal([]byte(kept[0].Data), &got) != nil {
			t.Fatalf("got %v, want one refusal", kept)
		}
		if got.Command != "play" || got.Table != tableText(drafts[2]) || got.Code != refusal.Code || got.Set != refusal.Set || got.Detail != refusal.Detail {
			t.Errorf("got %+v, want %+v", got, refusal)
		}
	})
	t.Run("a submission after the deadline is kept though the turn expired by it", func(t *testing.T) {
		now := s.Now
		defer func() { s.Now = now }()
		due := engine.Due(look(t, g, game).State)
		s.Now = func() time.Time { return time.UnixMilli(int64(due) + 7) }
		answer, err := g.Submit(ctx, me, game, "key-late", engine.Draw{Seat: turn.Seat, Turn: turn.Number})
		if err != nil || answer.Outcome != "turn_expired" {
			t.Fatalf("got %+v, %v, want turn_expired", answer, err)
		}
		if kept := evidenceOf(t, g, game, EvidenceLate); len(kept) != 1 || kept[0].At != due+7 || kept[0].Turn != turn.Number {
			t.Errorf("got %+v, want one at %d", kept, due+7)
		}
	})
	t.Run("what was accepted stands in the log alone", func(t *testing.T) {
		before := len(evidenceOf(t, g, game))
		next := look(t, g, game)
		if _, err := g.Submit(ctx, seatActor(next, next.State.Turn.Seat), game, "key-drawn", engine.Draw{Seat: next.State.Turn.Seat, Turn: next.State.Turn.Number}); err != nil {
			t.Fatal(err)
		}
		if after := len(evidenceOf(t, g, game)); after != before {
			t.Errorf("got %d rows, want %d", after, before)
		}
	})
	t.Run("a device's gap finds its game", func(t *testing.T) {
		g.NoteDevice(me, EvidenceBack, 1_000, Gap{Since: 400})
		kept := evidenceOf(t, g, game, EvidenceBack)
		if len(kept) != 1 || kept[0].Seat != me.Seat || kept[0].Data != `{"since":400}` || kept[0].GameID != game {
			t.Errorf("got %+v", kept)
		}
		if other := evidenceOf(t, g, games[1]); len(other) != 0 {
			t.Errorf("the other table has %v", other)
		}
	})
	t.Run("only officials read it", func(t *testing.T) {
		for _, actor := range []rights.Actor{rights.Public(), me, seatActor(look(t, g, games[1]), 0)} {
			if all, err := g.Evidence(ctx, actor, game); err == nil {
				t.Errorf("%s reads %v", actor, all)
			}
		}
	})
	t.Run("nothing of it is changed or deleted", func(t *testing.T) {
		for _, query := range []string{`UPDATE evidence SET at = 0`, `DELETE FROM evidence`} {
			if _, err := s.writeSQL.Exec(query); err == nil || !strings.Contains(err.Error(), "append-only") {
				t.Errorf("%s: got %v, want refused", query, err)
			}
		}
	})
}

func TestEvidenceIsWrittenWhenTheProgramStops(t *testing.T) {
	s := newStore(t)
	game := hall(t, s, 1, 1)[0]
	g := runner(t, s)
	begin(t, g)
	readyAll(t, g, game)
	snap := look(t, g, game)
	for range 3 {
		g.NoteDevice(seatActor(snap, 0), EvidenceOpened, 5, nil)
	}
	g.Close()
	if kept, err := s.evidence(context.Background(), game); err != nil || len(kept) != 3 {
		t.Errorf("got %d rows, %v, want 3", len(kept), err)
	}
	g.NoteDevice(seatActor(snap, 0), EvidenceOpened, 6, nil) // too late, and harmless
	g.Close()
}

func TestEvidenceThatCannotBeWrittenWaits(t *testing.T) {
	s := newStore(t)
	game := hall(t, s, 1, 1)[0]
	g := runner(t, s)
	begin(t, g)
	readyAll(t, g, game)
	me := seatActor(look(t, g, game), 0)
	exec := func(query string) {
		t.Helper()
		if _, err := s.writeSQL.Exec(query); err != nil {
			t.Fatal(err)
		}
	}
	exec(`ALTER TABLE evidence RENAME TO elsewhere`)
	for range notesMost + 20 {
		g.NoteDevice(me, EvidenceOpened, 5, nil)
	}
	g.notes.flush()
	exec(`ALTER TABLE elsewhere RENAME TO evidence`)
	g.notes.flush()
	kept := evidenceOf(t, g, game)
	lost := evidenceOf(t, g, game, EvidenceLost)
	if len(kept)-len(lost) < notesMost-evidenceBatch || len(kept)-len(lost) > notesMost+20 || len(lost) == 0 && len(kept) != notesMost+20 {
		t.Errorf("got %d rows and %v of lost ones, want %d", len(kept), lost, notesMost)
	}
}

// BenchmarkEvidence is what evidence costs the log: 200 games of which each turn is four movements and a draw, without
// and with it. -benchtime 4000x.
func BenchmarkEvidence(b *testing.B) {
	for _, kept := range []bool{false, true, false, true} {
		b.Run(fmt.Sprintf("kept=%t", kept), func(b *testing.B) {
			benchmarkTurns(b, !kept)
		})
	}
}
