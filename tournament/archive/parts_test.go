package archive

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/draw"
	"meldhall/tournament/format"
	"meldhall/tournament/pairing"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/store/storetest"
)

// TestEveryColumnIsDecidedOn checks that every database column is either written or left out explicitly.
func TestEveryColumnIsDecidedOn(t *testing.T) {
	s := storetest.New(t)
	var tables []string
	if err := s.Read.Raw("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'goose_%'").Scan(&tables).Error; err != nil {
		t.Fatal(err)
	}
	for _, table := range tables {
		i := slices.IndexFunc(parts, func(p part) bool { return p.table == table })
		if stays := slices.Contains(ofMachines, table) || table == "game_events"; (i >= 0) == stays {
			t.Errorf("table %s: in an archive %v, at home %v", table, i >= 0, stays)
		}
		if i < 0 {
			continue
		}
		var columns []string
		if err := s.Read.Raw("SELECT name FROM pragma_table_info(?)", table).Scan(&columns).Error; err != nil {
			t.Fatal(err)
		}
		decided := slices.Sorted(slices.Values(slices.Concat(parts[i].carry, parts[i].drop)))
		if slices.Sort(columns); !slices.Equal(columns, decided) {
			t.Errorf("table %s has the columns %v, decided on are %v", table, columns, decided)
		}
	}
}

// TestRowsOfOlderPrograms checks that a row of a program without the columns for a tournament's details can be read,
// and that any other column must be there.
func TestRowsOfOlderPrograms(t *testing.T) {
	fields := map[string]any{}
	for _, name := range partNamed("tournaments").carry {
		if _, later := laterColumns["tournaments."+name]; !later {
			fields[name] = 1
		}
	}
	text, err := json.Marshal(fields)
	if err != nil {
		t.Fatal(err)
	}
	row, err := partNamed("tournaments").parse(text, Version)
	if err != nil || len(row) != len(partNamed("tournaments").carry) || slices.Contains(row, nil) {
		t.Errorf("got %v, %v", row, err)
	}
	delete(fields, "place")
	if text, err = json.Marshal(fields); err != nil {
		t.Fatal(err)
	}
	if _, err := partNamed("tournaments").parse(text, Version); err == nil {
		t.Error("a row without a place is read")
	}
}

// TestNoSecrets checks that no file contains data that must not leave the machine.
func TestNoSecrets(t *testing.T) {
	for _, p := range parts {
		for _, name := range p.carry {
			for _, secret := range words("hash code token email ticket device password pin cmd_id account") {
				if strings.Contains(name, secret) && p.table != "seed_promises" {
					t.Errorf("%s.%s is carried", p.table, name)
				}
			}
		}
	}
	h := newHall(t)
	e := h.event(8)
	h.start(e)
	a, _ := h.packed(e)
	for name, data := range a.files {
		if strings.Contains(string(data), "example.org") {
			t.Errorf("%s has an e-mail address", name)
		}
	}
	if len(a.Manifest.LeftOut) != 2 || len(a.gameFiles()) != 0 {
		t.Errorf("the logs of two running games are to be left out: %+v", a.Manifest.LeftOut)
	}
}

// TestNothingOfRoundsToCome checks that while a plan has seats for later rounds, the archive contains neither the plan
// nor its seed, and still verifies.
func TestNothingOfRoundsToCome(t *testing.T) {
	h := newHall(t)
	e := h.event(16, func(f *format.Format) { f.Stages[0].Rounds, f.Stages[0].Seating = 3, pairing.Plan })
	h.later()
	promise := do(h, draw.PromiseSeed{Tournament: e.ID})
	h.start(e)
	var r tournament.Round
	if err := h.DB.Read.Where("tournament_id = ?", e.ID).Take(&r).Error; err != nil || !r.Sealed || r.Plan == "" ||
		r.Seed != promise.Seed {
		t.Fatalf("%+v, %v", r, err)
	}
	a, data := h.packed(e)
	for name, file := range a.files {
		for _, secret := range []string{fmt.Sprint(r.Seed), promise.Salt, r.Plan} {
			if strings.Contains(string(file), secret) {
				t.Errorf("%s tells %.40s", name, secret)
			}
		}
	}
	read, err := Read(data)
	if err == nil {
		_, err = read.Verify(t.Context())
	}
	if err != nil {
		t.Error(err)
	}
}

// TestRenamed checks that all references use the new IDs.
func TestRenamed(t *testing.T) {
	by := renamed{"players": 100, "games": 50}
	for _, row := range []struct{ ref, was, want string }{
		{refActor, "player:7", "player:107"},
		{refActor, "organizer:player:7", "organizer:player:7"},
		{refPlayers, "[3,1,2]", "[103,101,102]"},
		{refPlayers, "[[[1,2],[3]]]", "[[[101,102],[103]]]"},
		{refAbout, `{"game":2,"player":3}`, `{"game":52,"player":3}`},
		{refAbout, `{"round":1}`, `{"round":1}`},
		{refProposed, `{"game":9,"rev":1}`, `{"game":59,"rev":1}`},
		{"", "[1]", "[1]"},
	} {
		if got, err := by.text(row.ref, row.was); got != row.want || err != nil {
			t.Errorf("%s %s: %s, %v, want %s", row.ref, row.was, got, err, row.want)
		}
	}
	rep := pairing.Report{Version: 1, Why: [][]pairing.TableWhy{{{Repeats: []pairing.Meeting{{Players: pairing.Pair{1,
		2}, Times: 1}}, Together: []pairing.Close{{Players: pairing.Pair{3, 4}}}}}}}
	text, _ := json.Marshal(rep)
	if got, err := by.text(refReport, string(text)); err != nil || !strings.Contains(got, "[101,102]") ||
		!strings.Contains(got, "[103,104]") {
		t.Errorf("%s, %v", got, err)
	}
}

// TestNoArchiveOfARehearsal checks that a rehearsal cannot be archived.
func TestNoArchiveOfARehearsal(t *testing.T) {
	h := newHall(t)
	e := h.event(3)
	h.DB.Write.Exec("UPDATE tournaments SET rehearses = 7 WHERE id = ?", e.ID)
	if _, err := Of(t.Context(), h.DB, e.ID); !errors.Is(err, refuse.Conflict("err_archive_no_event")) {
		t.Error(err)
	}
	if _, err := action.Do(t.Context(), h.Desk, rights.Staff(rights.RoleReferee, "Rita"),
		ExportEvent{Tournament: e.ID}); !errors.Is(err, refuse.ErrForbidden) {
		t.Errorf("a referee: %v", err)
	}
}
