package tournament_test

import (
	"path/filepath"
	"testing"

	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/eventtest"
	"meldhall/tournament/store"
)

// TestWhatIsFinalIsCopiedFirst checks that an irreversible action makes a backup first, and that a refused or previewed
// one does not.
func TestWhatIsFinalIsCopiedFirst(t *testing.T) {
	s := eventtest.NewStore(t)
	ctx, desk := t.Context(), eventtest.DeskOf(s)
	own, err := action.Do(ctx, desk, eventtest.Organizer,
		tournament.SaveFormat{Format: eventtest.Presets(t).Formats["open"]})
	if err != nil {
		t.Fatal(err)
	}
	copies := func() []string {
		all, err := filepath.Glob(filepath.Join(s.Folder(), store.Backups, "*.db"))
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	if _, err := action.Preview(ctx, desk, eventtest.Organizer, tournament.RemoveFormat{ID: own.ID}); err != nil {
		t.Fatal(err)
	}
	if _, err := action.Do(ctx, desk, eventtest.Organizer, tournament.RemoveFormat{ID: own.ID + 1}); err == nil ||
		len(copies()) != 0 {
		t.Errorf("refused with %v, %d copies", err, len(copies()))
	}
	if _, err := action.Do(ctx, desk, eventtest.Organizer, tournament.RemoveFormat{ID: own.ID}); err != nil ||
		len(copies()) != 1 {
		t.Fatalf("removed: %v, %d copies", err, len(copies()))
	}
	if last, ok, err := s.LastBackup(ctx); err != nil || !ok || last.File != filepath.Base(copies()[0]) {
		t.Errorf("noted is %+v, %v", last, err)
	}
	before, err := store.Open(copies()[0])
	if err != nil {
		t.Fatal(err)
	}
	defer before.Close()
	if kept, err := tournament.OwnFormats(ctx, before, eventtest.Organizer); err != nil || len(kept) != 1 ||
		kept[0].ID != own.ID {
		t.Errorf("the copy has %v, %v", kept, err)
	}
}
