package webtest

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"meldhall/tournament"
)

// book returns a workbook with one sheet.
func book(t *testing.T, change func(f *excelize.File, sheet string) error, rows ...[]any) string {
	t.Helper()
	f := excelize.NewFile()
	defer f.Close()
	sheet := f.GetSheetName(0)
	for i, row := range rows {
		if err := f.SetSheetRow(sheet, fmt.Sprintf("A%d", i+1), &row); err != nil {
			t.Fatal(err)
		}
	}
	var out bytes.Buffer
	err := change(f, sheet)
	if err == nil {
		err = f.Write(&out)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func asItIs(*excelize.File, string) error { return nil }

// TestARosterComesFromAWorkbook checks that a workbook is imported like a list: it is previewed, fixed in place and
// entered. The exported workbook can be imported again, also through the API.
func TestARosterComesFromAWorkbook(t *testing.T) {
	t.Parallel()
	e := newEntered(t, "One", "name\nZed\n", nil)
	o, desk := e.signedIn("organizer"), fmt.Sprintf("/desk/%d", e.id)
	file := book(t, asItIs, []any{"name", "rating", "club"}, []any{"=1+1", 1500, "A"}, nil,
		[]any{"שרה כהן", "high", "B"}, []any{"山田 太郎", nil, 7})
	page := o.upload(t, desk+"/roster/preview", "file", file).is(http.StatusUnprocessableEntity).says(".flash",
		"1 line").says("fieldset.wrong", "Line 4")
	page = page.submit("/roster/preview", "m-4-rating", "1400").is(http.StatusOK).says("main",
		"Import 3 players").says("main", "山田 太郎")
	page.submit("/roster/import").is(http.StatusOK).says(".flash", "3 players")
	players, err := tournament.Players(t.Context(), e.store, e.id)
	if err != nil || len(players) != 4 || players[1].Name != "=1+1" || players[3].Club != "7" {
		t.Fatalf("entered: %+v %v", players, err)
	}
	status, headers, back := e.organizer.send(http.MethodGet, fmt.Sprintf("/tournaments/%d/export/roster.xlsx", e.id),
		nil)
	if status != http.StatusOK || !strings.Contains(headers.Get("Content-Disposition"), ".xlsx") ||
		!strings.Contains(headers.Get("Content-Type"), "spreadsheetml") {
		t.Fatalf("%d %v", status, headers)
	}
	var made struct{ ID int64 }
	e.organizer.must(http.MethodPost, "/tournaments", fields{"name": "Two", "format": "wrc",
		"rules": fields{"preset": "wrc"}}, &made)
	var read struct{ Entered int }
	e.organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/roster", made.ID), string(back), &read)
	if read.Entered != 4 {
		t.Errorf("by programs: %+v", read)
	}
	o.get(t, desk+"/roster").says(".title", "(XLSX)")
}

// TestABadWorkbookIsRefused checks that an invalid workbook is reported at the file's field with its status, and that
// no players are entered. If the caller may not enter players, the file is not read.
func TestABadWorkbookIsRefused(t *testing.T) {
	t.Parallel()
	e := newEntered(t, "One", "name\nZed\n", nil)
	o, desk := e.signedIn("organizer"), fmt.Sprintf("/desk/%d", e.id)
	names := [][]any{{"name", "club"}, {"Ann", "x"}, {"Bob", "y"}}
	good := book(t, asItIs, names...)
	for _, row := range []struct{ name, file, want string }{
		{"one that breaks off", good[:len(good)/2], "not a readable spreadsheet"},
		{"a password", book(t, asItIs, names...)[:0] + "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "before 2007"},
	} {
		page := o.upload(t, desk+"/roster/preview", "file", row.file).is(http.StatusUnprocessableEntity).says("main",
			row.want)
		if wrong := find(page.doc, "input[aria-invalid=true]"); len(wrong) != 1 || attr(wrong[0], "id") != "file" {
			t.Errorf("%s: %d fields are marked", row.name, len(wrong))
		}
		body := e.organizer.refusedWith(t, http.StatusUnprocessableEntity, "err_roster_problems", http.MethodPost,
			fmt.Sprintf("/tournaments/%d/roster", e.id), row.file)
		if text := fmt.Sprint(body); !strings.Contains(text, row.want) {
			t.Errorf("%s: programs are told %s", row.name, text)
		}
	}
	if wrong := find(o.upload(t, desk+"/roster/preview", "file",
		"\x89PNG").is(http.StatusUnprocessableEntity).says("main", "not accepted").doc,
		"input[aria-invalid=true]"); len(wrong) != 1 {
		t.Errorf("a picture with the name of a list: %d fields are marked", len(wrong))
	}
	o.upload(t, desk+"/roster/preview", "file", "PK\x03\x04"+strings.Repeat("x",
		6<<20)).is(http.StatusRequestEntityTooLarge)
	for who, status := range map[*caller]int{e.public(): http.StatusUnauthorized, e.referee: http.StatusForbidden} {
		if got, _, body := who.send(http.MethodPost, fmt.Sprintf("/tournaments/%d/roster", e.id),
			good); got != status {
			t.Errorf("%s: %d %s", who.name, got, body)
		}
	}
	if players, err := tournament.Players(t.Context(), e.store, e.id); err != nil || len(players) != 1 {
		t.Errorf("%d are entered, %v", len(players), err)
	}
}
