package webtest

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"meldhall/templates/pdf/pdftest"
)

// printed posts a form and returns the sheet that it asks for.
func (r *reader) printed(t *testing.T, path string, form url.Values) []byte {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, r.http.URL+path,
		strings.NewReader(form.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("Sec-Fetch-Site", "same-origin")
	res, err := r.client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	document, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != http.StatusOK || !bytes.HasPrefix(document, []byte("%PDF-")) {
		t.Fatalf("%s: %d %v %.300s", path, res.StatusCode, err, document)
	}
	return document
}

// TestPrizesAndReceipts checks that the winners follow from the standings: a place gets its line, players who share a
// place share the lines of all their places, and each winner has a receipt. The list is not stored.
func TestPrizesAndReceipts(t *testing.T) {
	t.Parallel()
	e := holdable(t)
	o := e.signedIn("organizer")
	at := func(sheet string) string { return fmt.Sprintf("/desk/%d/paper/%s", e.id, sheet) }
	prizes := url.Values{"prizes": {"Cup; 500 €\n\nBook; 50 €"}}
	for _, sheet := range []string{"prizes", "receipts"} {
		o.post(t, at(sheet), prizes).is(http.StatusConflict).says(".flash", "no result")
		o.post(t, at(sheet), url.Values{"prizes": {" \n "}}).
			is(http.StatusUnprocessableEntity).says(".flash", "no prize")
		o.post(t, at(sheet), url.Values{"prizes": {"Cup\n" + strings.Repeat("x", 121)}}).
			is(http.StatusUnprocessableEntity).says(".flash", "Line 2")
		o.post(t, at(sheet), url.Values{"prizes": {strings.Repeat("Cup\n", 100) + "Cup"}}).
			is(http.StatusUnprocessableEntity).says(".flash", "Line 101")
		o.post(t, at(sheet), url.Values{"prizes": {"Cup"}, "size": {"a5"}}).is(http.StatusUnprocessableEntity)
		e.signedIn("referee").post(t, at(sheet), prizes).is(http.StatusForbidden)
	}
	e.scores()
	e.organizer.must(http.MethodPost, "/actions/tournament.describe", fields{"tournament": e.id, "name": "Cup",
		"organizer": "Club of Siena"}, nil)
	list := pdftest.Structure(t, o.printed(t, at("prizes"), prizes))
	for _, want := range []string{`"Prize list"`, `"As it stands now"`, `"Cup"`, `"500 €"`, `"Book"`, `"50 €"`,
		"Club of Siena", "Chief referee"} {
		before, after, found := strings.Cut(list, want)
		if !found {
			t.Fatalf("%s does not follow in %s", want, before)
		}
		list = after
	}
	receipts := pdftest.Text(t, o.printed(t, at("receipts"), url.Values{"lang": {"it"},
		"prizes": {strings.Repeat("Medal; 5 €\n", 8)}}))
	for number := range 8 {
		if !strings.Contains(receipts, fmt.Sprint("Ricevuta ", number+1)) {
			t.Errorf("no receipt %d", number+1)
		}
	}
	for _, want := range []string{"Primo posto", "Club of Siena", "4 giocatori si dividono questi premi"} {
		if !strings.Contains(receipts, want) {
			t.Errorf("%q is not on the receipts: %s", want, receipts)
		}
	}
	if page := o.get(t, fmt.Sprintf("/desk/%d/paper", e.id)); strings.Contains(page.text("main"), "Medal") {
		t.Error("the prizes are stored")
	}
}

// TestOfficialsOnPaper checks that standings name the organizer, and that certificates have the event's logo and
// colour.
func TestOfficialsOnPaper(t *testing.T) {
	t.Parallel()
	e := holdable(t)
	e.scores()
	e.organizer.must(http.MethodPost, "/actions/tournament.describe", fields{"tournament": e.id, "name": "Cup",
		"organizer": "Club of Siena", "colour": "#aa0000"}, nil)
	sheet := e.reader().document(t, fmt.Sprintf("/events/%d/paper/standings", e.id))
	if text := pdftest.Text(t, sheet); !strings.Contains(text, "Organizer: Club of Siena") {
		t.Errorf("the standings do not name the organizer: %s", text)
	}
	var logo bytes.Buffer
	if err := png.Encode(&logo, image.NewNRGBA(image.Rect(0, 0, 20, 10))); err != nil {
		t.Fatal(err)
	}
	e.organizer.must(http.MethodPost, "/actions/tournament.logo", fields{"tournament": e.id,
		"picture": logo.Bytes()}, nil)
	document := e.signedIn("organizer").printed(t, fmt.Sprintf("/desk/%d/paper/certificates", e.id),
		url.Values{"places": {"2"}})
	structure := pdftest.Structure(t, document)
	if strings.Count(structure, "Figure") != 2 || !strings.Contains(structure, "Club of Siena") {
		t.Errorf("the certificates lack the logo or the organizer: %s", structure)
	}
	page, red := pdftest.Pictures(t, document, "40")[1], 0
	for x := range page.Bounds().Dx() {
		for y := range page.Bounds().Dy() {
			if r, g, b, _ := page.At(x, y).RGBA(); r > 0x8000 && g < 0x5000 && b < 0x5000 {
				red++
			}
		}
	}
	if red < 200 {
		t.Errorf("%d dots of the second certificate have the event's colour", red)
	}
}
