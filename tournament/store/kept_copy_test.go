package store

import (
	"errors"
	"path/filepath"
	"testing"
)

// TestKeptCopyIsPutBack checks that a copy of a stopped database takes its place again in the same epoch, and that the
// database that it replaces is kept.
func TestKeptCopyIsPutBack(t *testing.T) {
	path := filepath.Join(t.TempDir(), "hall.db")
	epoch := func() string {
		s, err := OpenAlone(path)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		if _, err := KeepCopy(t.Context(), path, "-test"); !errors.As(err, new(*InUseError)) {
			t.Errorf("copying a served database: %v, want an InUseError", err)
		}
		return s.Epoch.Name
	}
	noted(t, path, "before")
	was := epoch()
	c, err := KeepCopy(t.Context(), path, "-test")
	if err != nil {
		t.Fatal(err)
	}
	noted(t, path, "after")
	kept, err := c.PutBack(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if words := noted(t, path, ""); len(words) != 1 || words[0] != "before" {
		t.Errorf("put back is %q", words)
	}
	if is := epoch(); is != was {
		t.Errorf("epoch %s goes on as %s", was, is)
	}
	if words := noted(t, kept, ""); len(words) != 2 {
		t.Errorf("kept is %q", words)
	}
}
