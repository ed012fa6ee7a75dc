package store

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestOpenAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "hall.db")
	owner, err := OpenAlone(path)
	if err != nil {
		t.Fatal(err)
	}
	refused := func(_ *DB, err error) {
		t.Helper()
		var inUse *InUseError
		if !errors.As(err, &inUse) || inUse.Owner.PID != os.Getpid() ||
			!strings.Contains(err.Error(), inUse.Owner.Host) {
			t.Errorf("got %v, want a refusal that names this process", err)
		}
	}
	refused(OpenAlone(path))
	beside, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(beside.Close(), owner.Close()); err != nil {
		t.Fatal(err)
	}

	// what a program leaves that dies while writing
	if err := os.WriteFile(path+".lock", []byte(`{"pid":`), 0o600); err != nil {
		t.Fatal(err)
	}
	if owner, err = OpenAlone(path); err != nil {
		t.Fatal(err)
	}
	if _, err := owner.WriteSQL.Exec(`DELETE FROM goose_db_version WHERE version_id = (SELECT max(version_id) FROM goose_db_version)`); err != nil {
		t.Fatal(err)
	}
	refused(Open(path)) // only the running program may change its tables
	if err := os.Truncate(path+".lock", 0); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenAlone(path); err == nil || !strings.Contains(err.Error(), "another program uses it") {
		t.Errorf("got %v", err)
	}
	if err := owner.Close(); err != nil {
		t.Fatal(err)
	}
}
