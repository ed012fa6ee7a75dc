package store

import (
	"context"
	"database/sql"
	"path/filepath"
	"strings"
	"testing"
)

// olderHall holds rows of a program without chains: a finished game, a running game, and records of a tournament, of
// none, and of an organization.
var olderHall = []string{
	"INSERT INTO tournaments (id, name, status, format, rules, created_at) VALUES (1, 'T', 'running', '{}', '{}', 1)",
	`INSERT INTO rounds (id, tournament_id, number, stage, stage_round, games, status, method, seed, created_at)
		VALUES (1, 1, 1, 0, 1, 2, 'running', 'random', 1, 1)`,
	"INSERT INTO tables (id, tournament_id, round_id, number) VALUES (1, 1, 1, 1)",
	`INSERT INTO games (id, tournament_id, table_id, number, status)
		VALUES (1, 1, 1, 1, 'finished'), (2, 1, 1, 2, 'running')`,
	`INSERT INTO game_events (game_id, seq, kind, version, data, actor, at) VALUES
		(1, 1, 'a', 1, '{}', 'x', 5), (2, 1, 'a', 1, '{}', 'x', 6),
		(1, 2, 'b', 1, '{"reason":"Ann was late","by":"Bob"}', 'y', 7),
		(1, 3, 'c', 1, '{}', 'z', 8), (2, 2, 'b', 1, '{}', 'y', 9)`,
	`INSERT INTO audit (at, tournament_id, organization_id, actor, action, subject, before, after, why, about) VALUES
		(1, 1, 0, 'a', 'b', '', '', '', 'Ann was late', '{"name":"Ann"}'), (2, NULL, 0, 'a', 'c', '', '', '', '', ''),
		(3, 1, 0, 'a', 'd', '', '', '', '', ''), (4, NULL, 3, 'a', 'e', '', '', '', '', ''),
		(5, 1, 0, 'a', 'f', '', '', '', '', '')`,
}

// TestChains checks that the migration puts rows written by an older version of the program into chains. A Fault names
// any later change to them, even with all triggers dropped and the checksums ignored.
func TestChains(t *testing.T) {
	ctx := t.Context()
	s := fromVersion(t, filepath.Join(t.TempDir(), "old.db"), 57, olderHall...)
	if err := s.CheckWhole(ctx); err != nil {
		t.Fatal(err)
	}
	dropTriggers(t, s.WriteSQL)
	for _, c := range []struct{ forge, named string }{
		{"UPDATE game_events SET data = '{ }' WHERE game_id = 1 AND seq = 1", "game 1: event 1"},
		{`UPDATE game_events SET data = '{"reason":"Ann was early","by":"Bob"}' WHERE game_id = 1 AND seq = 2`,
			"game 1: event 2"},
		{"UPDATE game_events SET actor = 'y' WHERE game_id = 1 AND seq = 3", "game 1: event 3"},
		{"UPDATE game_events SET chain = '' WHERE game_id = 2 AND seq = 2", "game 2: event 2"},
		{"UPDATE game_events SET salt = 'x' WHERE game_id = 2 AND seq = 2", "game 2: event 2"},
		{"DELETE FROM game_events WHERE game_id = 1 AND seq = 2", "game 1: event 2 of the log is missing"},
		{"DELETE FROM game_events WHERE game_id = 1 AND seq = 3", "game 1: the log does not end"},
		{"DELETE FROM game_events WHERE game_id = 1", "game 1: the log is missing"},
		{"UPDATE games SET head = '' WHERE id = 1", "game 1 is over, but the hash of its last event"},
		{"UPDATE game_events SET game_id = 2, seq = 3 WHERE game_id = 1 AND seq = 3", "game 2: event 3"},
		{"DELETE FROM audit WHERE id = 3", "record 2 of event 1"},
		{"DELETE FROM audit WHERE id = 5", "the records of event 1"},
		{"DELETE FROM audit WHERE id = 2", "the records of no event"},
		{"DELETE FROM audit WHERE id = 4", "the records of organization 3"},
		{"UPDATE audit SET why = 'Ann was early' WHERE id = 1", "record 1 of event 1"},
		{"UPDATE audit SET at = 4 WHERE id = 3", "record 2 of event 1"},
		{"UPDATE audit SET tournament_id = NULL WHERE id = 5", "record 2 of no event"},
		{"DELETE FROM record_chains WHERE tournament_id = 1", "the last record of event 1 is not stored"},
	} {
		if err := afterForging(ctx, s, c.forge); err == nil || !strings.Contains(err.Error(), c.named) {
			t.Errorf("%s: %v, want %q", c.forge, err, c.named)
		}
	}
}

// afterForging checks the chains after a change and then undoes the change.
func afterForging(ctx context.Context, s *DB, forge string) error {
	tx, err := s.WriteSQL.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	if _, err := tx.ExecContext(ctx, forge); err != nil {
		return err
	}
	return checkChains(ctx, tx)
}

func dropTriggers(t *testing.T, db *sql.DB) {
	t.Helper()
	drop, err := texts(t.Context(), db, `SELECT 'DROP TRIGGER ' || name FROM sqlite_schema WHERE type = 'trigger'`)
	if err == nil {
		err = atOnce(t.Context(), db, drop)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestErasedTextsInChains checks that an erasure changes no hash, and that the remaining texts of the row are still
// checked.
func TestErasedTextsInChains(t *testing.T) {
	was := ChainedRecord{At: 1, Actor: "a", Action: "b", About: "Ann", Data: "d", Why: "Ann was late", Salt: NewSalt()}
	of := ChainOf{Event: 1}
	is := was
	is.About, is.Why = "Player 1", Erased
	if is.Link(of, "") == was.Link(of, "") {
		t.Fatal("a changed text has the same hash")
	}
	is.Salt = EraseSalt(was.Salt, was.Texts(), is.Texts())
	if is.Link(of, "") != was.Link(of, "") || strings.Contains(is.Salt, was.Salt) || !HasErased(is.Salt) {
		t.Errorf("the erased record has another hash, or still its salt: %q", is.Salt)
	}
	again := is
	again.Data = "Player 1"
	if again.Link(of, "") == was.Link(of, "") {
		t.Error("a text that was not erased can be changed")
	}
	again.Salt = EraseSalt(is.Salt, is.Texts(), again.Texts())
	if again.Link(of, "") != was.Link(of, "") {
		t.Error("a second erasure changes the hash")
	}
	e := ChainedEvent{Seq: 1, Kind: "k", Data: `{"at":1,"reason":"Ann was late","by":"Bob"}`, Salt: NewSalt()}
	before, reason, after := CutReason(e.Data)
	gone := e
	gone.Data = before + `"[erased]"` + after
	gone.Salt = EraseSalt(e.Salt, []string{reason}, []string{`"[erased]"`})
	if gone.Link(1, "") != e.Link(1, "") || e.Link(2, "") == e.Link(1, "") {
		t.Error("the erased event has another hash, or two games give an event the same hash")
	}
}
