package copies

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"meldhall/tournament/door"
	"meldhall/tournament/door/doortest"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
)

// A copy is made by an organizer alone, is noted with its size, and is not kept where it was only to be looked at.
func TestBackUpNow(t *testing.T) {
	ctx, desk, organizer := t.Context(), doortest.Desk(t), rights.Staff(rights.RoleOrganizer, "Ann")
	s := desk.DB
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
	if err := s.Read.Order("id DESC").Take(&record).Error; err != nil || record.Kind != "backup" || record.About().Name != made.File || len(record.Details().After()) == 0 {
		t.Errorf("the record is %+v, %v", record, err)
	}
}
