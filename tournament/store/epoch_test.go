package store

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"meldhall/engine"
)

// life serves the database at path as a program does, performs one action at a moment, and returns the epoch.
func life(t *testing.T, path string, at engine.Millis) Epoch {
	t.Helper()
	s, err := OpenAlone(path)
	if err != nil {
		t.Fatal(err)
	}
	live(t, s, at)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return s.Epoch
}

// live performs one action at a moment and writes a heartbeat.
func live(t *testing.T, s *DB, at engine.Millis) {
	t.Helper()
	_, err := s.WriteSQL.Exec(`INSERT INTO audit (at, actor, action, subject, before, after, why)
		VALUES ($1, 'a', 'b', '', '', '', '')`, at)
	if err == nil {
		_, err = s.WriteSQL.Exec(`INSERT INTO heartbeat (id, at) VALUES (1, $1) ON CONFLICT (id) DO UPDATE
			SET at = excluded.at`, at)
	}
	if err := errors.Join(err, s.NoteServed(context.Background())); err != nil {
		t.Fatal(err)
	}
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	content, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(to, content, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestAnOlderCopyBeginsAnotherLife checks that a start continues the epoch, also after a crash. An older copy, made by
// the program or by hand, and a file from another place start a new one and record until when their data goes.
func TestAnOlderCopyBeginsAnotherLife(t *testing.T) {
	folder := t.TempDir()
	path, ours, byHand, elsewhere := filepath.Join(folder, "hall.db"), filepath.Join(folder, "ours.db"),
		filepath.Join(folder, "hand.db"), filepath.Join(folder, "elsewhere.db")
	known := map[string]bool{}
	first := life(t, path, 1000)
	same := func(what string, at engine.Millis) {
		t.Helper()
		if e := life(t, path, at); e != first {
			t.Errorf("%s: %+v, want %+v", what, e, first)
		}
	}
	another := func(what, path string, until engine.Millis) {
		t.Helper()
		e := life(t, path, 9000)
		if e.Name == "" || known[e.Name] || e.Copied != until {
			t.Errorf("%s: %+v of %v, want another one than before, of a copy until %d", what, e, known, until)
		}
		known[e.Name] = true
	}
	known[first.Name] = true
	if first.Name == "" || first.Copied != 0 {
		t.Errorf("a new database is in %+v", first)
	}
	same("stopped and started", 2000)
	s, err := OpenAlone(path)
	if err != nil {
		t.Fatal(err)
	}
	live(t, s, 3000)
	if err := s.Backup(context.Background(), ours); err != nil {
		t.Fatal(err)
	}
	// the last changes before the crash were not recorded
	if _, err := s.WriteSQL.Exec(`UPDATE heartbeat SET at = 3500`); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(s.ReadSQL.Close(), s.WriteSQL.Close(), s.owned.close()); err != nil {
		t.Fatal(err)
	}
	same("started after a crash", 4000)
	copyFile(t, path, byHand)
	copyFile(t, path, elsewhere)
	s, err = OpenAlone(path)
	if err == nil {
		_, err = s.WriteSQL.Exec(`INSERT INTO audit (at, actor, action, subject, before, after, why) VALUES (4000, 'a', 'b', '', '', '', '')`)
	}
	if err := errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}

	another("a copy by hand, one thing was done within the same second", elsewhere, 4000)
	copyFile(t, byHand, path)
	another("a copy by hand put back", path, 4000)
	copyFile(t, ours, path)
	another("a copy of the program's put back", path, 3000)
	copyFile(t, ours, path)
	another("the same copy put back again", path, 3000)
	copyFile(t, elsewhere, path)
	another("a file that was gone on with elsewhere", path, 9000)
}

// TestALifeGoesOnWithoutACallThatIsGone checks that the epoch continues after a referee call was deleted with its game,
// even if the program dies before it has recorded that.
func TestALifeGoesOnWithoutACallThatIsGone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "hall.db")
	first := life(t, path, 1000)
	s, err := OpenAlone(path)
	if err == nil {
		_, err = s.WriteSQL.Exec(`PRAGMA foreign_keys = off; INSERT INTO games (id, tournament_id, table_id, number, status) VALUES (1, 1, 1, 1, 'running'), (2, 1, 2, 1, 'waiting');
			INSERT INTO game_events (game_id, seq, kind, version, data, actor, at) VALUES (1, 1, 'game_started', 1, '{}', 'event', 1500), (2, 1, 'referee_called', 1, '{}', 'seat', 1600)`)
	}
	if err != nil {
		t.Fatal(err)
	}
	live(t, s, 2000)
	if s.owned.Served.Event != 1 || s.owned.Served.EventAt != 1500 {
		t.Errorf("noted as served last: %+v, want event 1", s.owned.Served)
	}
	_, err = s.WriteSQL.Exec(`DELETE FROM game_events WHERE game_id = 2; PRAGMA foreign_keys = on`)
	if err := errors.Join(err, s.ReadSQL.Close(), s.WriteSQL.Close(), s.owned.close()); err != nil {
		t.Fatal(err)
	}
	if again := life(t, path, 3000); again != first {
		t.Errorf("got %+v, want %+v", again, first)
	}
}
