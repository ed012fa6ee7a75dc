package tournament

import (
	"path/filepath"
	"testing"

	"meldhall/tournament/door"
	"meldhall/tournament/storage"
)

// What cannot be taken back is copied before it is done, and not where it is refused or only looked at.
func TestWhatIsFinalIsCopiedFirst(t *testing.T) {
	s := newStore(t)
	ctx, desk := t.Context(), deskOf(s)
	own, err := door.Do(ctx, desk, organizer, SaveFormat{Format: presets(t).Formats["open"]})
	if err != nil {
		t.Fatal(err)
	}
	copies := func() []string {
		all, err := filepath.Glob(filepath.Join(s.Folder(), storage.Backups, "*.db"))
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	if _, err := door.Preview(ctx, desk, organizer, RemoveFormat{ID: own.ID}); err != nil {
		t.Fatal(err)
	}
	if _, err := door.Do(ctx, desk, organizer, RemoveFormat{ID: own.ID + 1}); err == nil || len(copies()) != 0 {
		t.Errorf("refused with %v, %d copies", err, len(copies()))
	}
	if _, err := door.Do(ctx, desk, organizer, RemoveFormat{ID: own.ID}); err != nil || len(copies()) != 1 {
		t.Fatalf("removed: %v, %d copies", err, len(copies()))
	}
	if last, ok, err := s.LastBackup(ctx); err != nil || !ok || last.File != filepath.Base(copies()[0]) {
		t.Errorf("noted is %+v, %v", last, err)
	}
	before, err := storage.Open(copies()[0])
	if err != nil {
		t.Fatal(err)
	}
	defer before.Close()
	if kept, err := OwnFormats(ctx, before, organizer); err != nil || len(kept) != 1 || kept[0].ID != own.ID {
		t.Errorf("the copy has %v, %v", kept, err)
	}
}
