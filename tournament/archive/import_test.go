package archive

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"meldhall/engine"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/game/gametest"
	gamerecord "meldhall/tournament/game/record"
	"meldhall/tournament/housekeeping"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
)

// pixel is a PNG of one pixel, in base64.
const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

func TestImport(t *testing.T) {
	from := newHall(t)
	e := from.whole(9)
	_, before := from.packed(e)
	e = do(from, housekeeping.Describe{Tournament: e.ID, Name: "Coppa «B» <&>", Place: "Roma",
		Details: tournament.Details{FirstDay: "2027-06-12", LastDay: "2027-06-12", TimeZone: "Europe/Rome",
			Organizer: "Circolo", Colour: "#0055aa", Federation: "ITA-27"}})
	do(from, housekeeping.SetLogo{Tournament: e.ID, Picture: pixel})
	a, data := from.packed(e)
	if _, err := action.Do(t.Context(), from.Desk, organizer, Import(before)); !errors.Is(err,
		refuse.Conflict("err_archive_here")) {
		t.Errorf("its archive of before it was renamed: %v", err)
	}

	to := newHall(t)
	to.later()
	to.event(3)
	to.DB.Write.Exec("UPDATE tournaments SET name = 'Other'")
	if _, err := action.Do(t.Context(), to.Desk, organizer, Import(data)); !errors.Is(err,
		refuse.Conflict("err_archive_later")) {
		t.Errorf("by a clock that is behind: %v", err)
	}
	to.DB.Now = func() time.Time { return time.Date(2026, 6, 1, 9, 0, 0, 0, time.UTC) }
	had := count(to)
	seen, err := action.Preview(t.Context(), to.Desk, organizer, Import(data))
	if err != nil || seen.Manifest.SHA256 != a.Manifest.SHA256 || count(to) != had {
		t.Errorf("looked at: %+v, %v, %s and not %s", seen, err, count(to), had)
	}
	if _, err := action.Do(t.Context(), to.Desk, rights.Staff(rights.RoleReferee, "Rita"),
		Import(data)); !errors.Is(err, refuse.ErrForbidden) {
		t.Errorf("a referee: %v", err)
	}
	in := do(to, Import(data)).Event
	if in.ID == e.ID || in.Name != e.Name || in.Details != e.Details || in.Status != tournament.StatusFinished {
		t.Errorf("%+v", in)
	}
	was, _, err := housekeeping.LogoOf(t.Context(), from.DB, e.ID)
	is, _, err2 := housekeeping.LogoOf(t.Context(), to.DB, in.ID)
	if err := errors.Join(err, err2); err != nil || is.SHA256 == "" || is.Picture != was.Picture {
		t.Errorf("the logo is another one: %v", err)
	}
	t.Run("its games are replayed", func(t *testing.T) {
		games, err := to.DB.IDs(t.Context(), "SELECT id FROM games WHERE tournament_id = $1 ORDER BY id", in.ID)
		if err != nil || len(games) != 4 {
			t.Fatal(games, err)
		}
		for _, id := range games {
			snap := gametest.Look(t, to.Games, id)
			replay, err := gamerecord.NewReader(to.Games).Replay(t.Context(), organizer, id)
			if err != nil || len(replay.Turns) == 0 || snap.State.Phase != engine.PhaseOver {
				t.Errorf("game %d: %v", id, err)
			}
		}
	})
	t.Run("sums of rows hold", func(t *testing.T) {
		if err := errors.Join(to.DB.CheckSums(t.Context()), to.DB.CheckIntegrity(t.Context())); err != nil {
			t.Error(err)
		}
	})
	t.Run("its facts agree", func(t *testing.T) {
		verdict, err := Check(t.Context(), to.DB, in.ID)
		if err != nil || len(verdict.Faults) > 0 ||
			strings.Contains(fmt.Sprint(verdict.Notes), "cannot be") {
			t.Error(verdict, err)
		}
	})
	t.Run("a second time it is refused, also under another name", func(t *testing.T) {
		before := count(to)
		for range 2 {
			if _, err := action.Do(t.Context(), to.Desk, organizer, Import(data)); !errors.Is(err,
				refuse.Conflict("err_archive_here")) || count(to) != before {
				t.Errorf("%v, %s and not %s", err, count(to), before)
			}
			to.DB.Write.Exec("UPDATE tournaments SET name = 'Renamed' WHERE id = ?", in.ID)
		}
		to.DB.Write.Exec("UPDATE tournaments SET name = ? WHERE id = ?", e.Name, in.ID)
	})
	t.Run("and makes an archive that says the same", func(t *testing.T) {
		b, data := to.packed(in)
		read, err := Read(data)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := read.Verify(t.Context()); err != nil {
			t.Error(err)
		}
		for _, name := range []string{formatName, rulesName, seatingName, standingsName} {
			if !bytes.Equal(a.files[name], b.files[name]) {
				t.Errorf("%s differs", name)
			}
		}
	})
}

// TestImportIntoAnEmptyDatabase checks that IDs stay in an otherwise empty database, so that an archive made there
// differs only by the record of the import.
func TestImportIntoAnEmptyDatabase(t *testing.T) {
	from := newHall(t)
	a, data := from.packed(from.whole(7))
	to := newHall(t)
	to.DB.Now = func() time.Time { return time.Date(2026, 6, 1, 9, 0, 0, 0, time.UTC) }
	b, _ := to.packed(do(to, Import(data)).Event)
	for name, was := range a.files {
		switch is := b.files[name]; {
		case name == manifestName:
		case name == actionsName:
			if rest, ok := bytes.CutPrefix(is, was); !ok || bytes.Count(rest, []byte("\n")) != 1 ||
				!strings.Contains(string(rest), "tournament.import") {
				t.Errorf("there is more than the record: %s", rest)
			}
		case !bytes.Equal(was, is):
			t.Errorf("%s differs", name)
		}
	}
}

func TestImportRefuses(t *testing.T) {
	from := newHall(t)
	e := from.event(8)
	from.start(e)
	_, data := from.packed(e)
	to := newHall(t)
	to.DB.Now = func() time.Time { return time.Date(2026, 6, 1, 9, 0, 0, 0, time.UTC) }
	before := count(to)
	for name, row := range map[string]struct {
		action ImportEvent
		want   error
	}{
		"an event in play": {Import(data), refuse.Conflict("err_archive_in_play")},
		"no base64":        {ImportEvent{File: "%"}, refuse.Invalid("err_archive_none")},
		"no archive":       {Import([]byte("PK")), refuse.Invalid("err_archive_none")},
	} {
		if _, err := action.Do(t.Context(), to.Desk, organizer, row.action); !errors.Is(err, row.want) ||
			count(to) != before {
			t.Errorf("%s: %v, %s and not %s", name, err, count(to), before)
		}
	}
}

// count returns the row counts of the tables that an import writes.
func count(h *hall) (text string) {
	for _, p := range parts {
		var n int64
		if err := h.DB.Read.Raw("SELECT count(*) FROM " + p.table).Scan(&n).Error; err != nil {
			h.t.Fatal(err)
		}
		text += fmt.Sprint(p.table, " ", n, " ")
	}
	return text
}
