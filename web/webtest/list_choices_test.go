package webtest

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"
)

// TestAListIsReadAsChosen checks that the preview of a workbook names what is left out, and reads another sheet,
// header, column or hidden row if its user asks.
func TestAListIsReadAsChosen(t *testing.T) {
	t.Parallel()
	f := excelize.NewFile()
	defer f.Close()
	for cell, text := range map[string]string{"A1": "Open 2027", "A2": "Spieler", "B2": "Ort", "A3": "Ann",
		"B3": "Roma", "A4": "Ghost", "B4": "Lyon", "D3": "paid"} {
		if err := f.SetCellStr("Sheet1", cell, text); err != nil {
			t.Fatal(err)
		}
	}
	_, err := f.NewSheet("Reserve")
	for cell, text := range map[string]string{"A1": "name", "A2": "Cid"} {
		if err == nil {
			err = f.SetCellStr("Reserve", cell, text)
		}
	}
	var book bytes.Buffer
	if err == nil {
		if err = f.SetRowVisible("Sheet1", 4, false); err == nil {
			err = f.Write(&book)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	e := newEntered(t, "Club", "name\nFinn\n", nil)
	o, path := e.signedIn("organizer"), fmt.Sprintf("/desk/%d/roster/preview", e.id)
	for _, row := range []struct {
		chosen url.Values
		status int
		says   []string
		not    string
	}{
		{url.Values{}, http.StatusUnprocessableEntity, []string{"“Ort” is not recognized", "Open 2027 (line 1)",
			"Hidden rows, left out: Ghost · Lyon (row 4)", "Beside the table, left out: paid (column D)",
			"Other sheets, not read: Reserve", "Ann"}, "Cid"},
		{url.Values{"ignore": {"yes"}}, http.StatusOK, []string{"1 column left out: Ort", "Import 1 player"}, ""},
		{url.Values{"header": {"2"}, "header-was": {"2"}, "sheet": {"Sheet1"}, "sheet-was": {"Sheet1"},
			"col-2": {"club"}, "hidden": {"yes"}}, http.StatusOK, []string{"Roma", "Ghost", "Import 2 players"},
			"Hidden rows, left out"},
		{url.Values{"sheet": {"Reserve"}, "sheet-was": {"Sheet1"}, "col-1": {"club"}}, http.StatusOK,
			[]string{"Cid", "Import 1 player", "Other sheets, not read: Sheet1"}, "Ghost"},
		{url.Values{"ignore": {"yes"}, "edit": {"3"}}, http.StatusOK, []string{"Line 3", "Leave this line out"}, ""},
	} {
		row.chosen.Set("raw", base64.StdEncoding.EncodeToString(book.Bytes()))
		page := o.post(t, path, row.chosen).is(row.status)
		text := strings.NewReplacer("\u2068", "", "\u2069", "").Replace(page.text("main"))
		for _, want := range row.says {
			if !strings.Contains(text, want) {
				t.Errorf("%v: it does not say %q: %s", row.chosen["sheet"], want, text)
			}
		}
		if row.not != "" && strings.Contains(text, row.not) {
			t.Errorf("it says %q: %s", row.not, text)
		}
	}
}
