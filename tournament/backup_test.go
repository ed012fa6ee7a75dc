package tournament

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"meldhall/tournament/door"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/storage"
)

// A copy is made by an organizer alone, is noted with its size, and is not kept where it was only to be looked at.
func TestBackUpNow(t *testing.T) {
	s := newStore(t)
	ctx, desk := t.Context(), deskOf(s)
	files := func() []string {
		all, err := filepath.Glob(filepath.Join(s.Folder(), "backups", "*.db"))
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	if _, err := door.Do(ctx, desk, rights.Staff(rights.RoleHeadReferee, "Bob"), BackUpNow{}); !errors.Is(err, refuse.ErrForbidden) || len(files()) != 0 {
		t.Errorf("by a referee: %v, %d files", err, len(files()))
	}
	if looked, err := door.Preview(ctx, desk, organizer, BackUpNow{}); err != nil || looked.Bytes == 0 || len(files()) != 0 {
		t.Errorf("looked at: %+v, %v, %d files", looked, err, len(files()))
	}
	if _, ok, err := s.LastBackup(ctx); err != nil || ok {
		t.Errorf("one is noted that was not made: %v", err)
	}
	made, err := door.Do(ctx, desk, organizer, BackUpNow{})
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(filepath.Join(s.Folder(), "backups", made.File))
	if err != nil || info.Size() != made.Bytes {
		t.Errorf("the copy: %v, %+v", err, made)
	}
	if last, ok, err := s.LastBackup(ctx); err != nil || !ok || last != made {
		t.Errorf("noted is %+v, %v; want %+v", last, err, made)
	}
	var record door.Record
	if err := s.Read.Order("id DESC").Take(&record).Error; err != nil || record.Kind != "backup" || record.About().Name != made.File || toldAfter(record) == "" {
		t.Errorf("the record is %+v, %v", record, err)
	}
}

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
