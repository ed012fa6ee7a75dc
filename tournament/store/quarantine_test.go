package store

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestDamagedRows checks that opening a file finds a flipped bit in a name, a result or a log, in whichever copy of the
// text. The rest is served, and Damages names the row until its text is entered again.
func TestDamagedRows(t *testing.T) {
	ctx := t.Context()
	path := filepath.Join(t.TempDir(), "hall.db")
	whole := writeHall(t, path)
	for text, part := range map[string]string{"Zebulon": "players", "R13 K13 J": "result_lines",
		`"kind_of_log"`: "game_events"} {
		times := bytes.Count(whole, []byte(text))
		if times == 0 {
			t.Fatalf("%s is not in the file", text)
		}
		for n := range times {
			damaged, at := bytes.Clone(whole), 0
			for range n + 1 {
				at += bytes.Index(damaged[at:], []byte(text)) + 1
			}
			damaged[at] ^= 2
			if err := os.WriteFile(path, damaged, 0o600); err != nil {
				t.Fatal(err)
			}
			s, err := OpenAlone(path)
			if err != nil {
				t.Fatalf("copy %d of %s: %v", n+1, text, err)
			}
			found, err := s.Damages.All(ctx)
			if err != nil || len(found) != 1 || found[0].Part != part || !s.Damages.Any() ||
				part != "players" && found[0].Game != 1 || part == "players" && found[0].Player != 7 {
				t.Errorf("copy %d of %s: %+v, %v", n+1, text, found, err)
			}
			err = s.Damages.check(ctx)
			if err == nil || !strings.Contains(err.Error(), strings.ReplaceAll(part, "_", " ")) {
				t.Errorf("copy %d of %s is verified: %v", n+1, text, err)
			}
			if part == "players" {
				enterAgain(t, s)
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// enterAgain checks the name that replaces a damaged one, and enters the name again.
func enterAgain(t *testing.T, s *DB) {
	var name string
	if err := s.ReadSQL.QueryRow("SELECT name FROM players").Scan(&name); err != nil || name != DamagedName+"7" {
		t.Errorf("the player is called %q, %v", name, err)
	}
	if _, err := s.WriteSQL.Exec("UPDATE players SET name = 'Zebulon', name_key = 'zebulon'"); err != nil {
		t.Error(err)
	}
	if err := s.CheckWhole(t.Context()); err != nil {
		t.Errorf("after the name was entered again: %v", err)
	}
}

// writeHall writes a file with a player, a finished game and its result, and returns its bytes.
func writeHall(t *testing.T, path string) []byte {
	t.Helper()
	s, err := OpenAlone(path)
	if err != nil {
		t.Fatal(err)
	}
	link := ChainedEvent{Seq: 1, Kind: "k", Version: 1, At: 1, Actor: "a", Data: `{"x":"kind_of_log"}`}.Link(1, "")
	for _, insert := range []string{
		"INSERT INTO tournaments (id, name, status, format, rules, created_at) VALUES (1, 'T', 'draft', '{}', '{}', 1)",
		`INSERT INTO players (id, tournament_id, number, name, name_key, country, apart, club, email)
			VALUES (3, 1, 7, 'Zebulon', 'z', '', '', '', '')`,
		`INSERT INTO rounds (id, tournament_id, number, stage, stage_round, games, status, method, seed, created_at)
			VALUES (1, 1, 1, 0, 1, 1, 'running', 'random', 1, 1)`,
		"INSERT INTO tables (id, tournament_id, round_id, number) VALUES (1, 1, 1, 1)",
		"INSERT INTO games (id, tournament_id, table_id, number, status, head) VALUES (1, 1, 1, 1, 'finished', '" +
			link + "')",
		`INSERT INTO results (id, game_id, rev, status, ending, actor, why, at)
			VALUES (1, 1, 1, 'provisional', 'emptied', 'a', '', 1)`,
		`INSERT INTO result_lines (id, result_id, seat, player_id, points, wins, charge, reason, tiles, opened)
			VALUES (1, 1, 0, 3, 0, 12, 0, '', 'R13 K13 J', 1)`,
	} {
		if _, err := s.WriteSQL.Exec(insert); err != nil {
			t.Fatalf("%s: %v", insert, err)
		}
	}
	if _, err := s.WriteSQL.Exec(`INSERT INTO game_events (game_id, seq, kind, version, data, actor, at, sum, chain)
		VALUES (1, 1, 'k', 1, '{"x":"kind_of_log"}', 'a', 1, $1, $2)`,
		Sum(1, 1, "k", 1, `{"x":"kind_of_log"}`, "a", "", 1), link); err != nil {
		t.Fatal(err)
	}
	if _, err := s.WriteSQL.ExecContext(context.Background(), "PRAGMA wal_checkpoint(TRUNCATE)"); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return whole
}
