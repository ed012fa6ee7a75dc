package copies

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"meldhall/tournament/action"
	"meldhall/tournament/action/actiontest"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
)

// TestBackUpNow checks that only an organizer can make a copy, that the copy is recorded with its size, and that a
// preview leaves none.
func TestBackUpNow(t *testing.T) {
	ctx, desk, organizer := t.Context(), actiontest.Desk(t), rights.Staff(rights.RoleOrganizer, "Ann")
	s := desk.DB
	files := func() []string {
		all, err := filepath.Glob(filepath.Join(s.Folder(), "backups", "*.db"))
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	if _, err := action.Do(ctx, desk, rights.Staff(rights.RoleHeadReferee, "Bob"), BackUpNow{}); !errors.Is(err,
		refuse.ErrForbidden) || len(files()) != 0 {
		t.Errorf("by a referee: %v, %d files", err, len(files()))
	}
	if looked, err := action.Preview(ctx, desk, organizer, BackUpNow{}); err != nil || looked.Bytes == 0 ||
		len(files()) != 0 {
		t.Errorf("looked at: %+v, %v, %d files", looked, err, len(files()))
	}
	if _, ok, err := s.LastBackup(ctx); err != nil || ok {
		t.Errorf("one is noted that was not made: %v", err)
	}
	made, err := action.Do(ctx, desk, organizer, BackUpNow{})
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
	var record action.Record
	if err := s.Read.Order("id DESC").Take(&record).Error; err != nil || record.Kind != "backup" ||
		record.About().Name != made.File || len(record.Details().After()) == 0 {
		t.Errorf("the record is %+v, %v", record, err)
	}
}
