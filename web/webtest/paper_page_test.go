package webtest

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"meldhall/engine/testmode"
	"meldhall/templates/pdf/pdftest"
	"meldhall/tournament"
	"meldhall/tournament/draw"
	"meldhall/tournament/rights"
	"meldhall/tournament/secret"
)

// document downloads a sheet.
func (r *reader) document(t *testing.T, path string) []byte {
	t.Helper()
	res, err := r.client.Get(r.http.URL + path)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != http.StatusOK || res.Header.Get("Content-Type") != "application/pdf" ||
		!bytes.HasPrefix(body, []byte("%PDF-")) {
		t.Fatalf("%s: %d %s %v %.200s", path, res.StatusCode, res.Header.Get("Content-Type"), err, body)
	}
	return body
}

// allSheets returns the addresses of all sheets of a tournament.
func allSheets(tournamentID int64) (paths []string) {
	for _, kind := range []string{"by-name", "by-table", "standings", "crosstable", "podium"} {
		paths = append(paths, fmt.Sprintf("/events/%d/paper/%s", tournamentID, kind))
	}
	for _, kind := range []string{"announcer", "cards", "scores", "blank", "pairing", "check-in", "tickets", "pack"} {
		paths = append(paths, fmt.Sprintf("/desk/%d/paper/%s", tournamentID, kind))
	}
	return paths
}

// TestSheetsOfAnEvent prints every sheet of an ended tournament in several languages and both paper sizes. Sheets with
// names contain the names of five scripts, and every font is embedded.
func TestSheetsOfAnEvent(t *testing.T) {
	testmode.SkipUnlessLong(t)
	t.Parallel()
	e := cup(t)
	o := e.signedIn("organizer")
	var first tournament.Round
	rounds, err := draw.Rounds(t.Context(), e.store, e.id)
	if err != nil {
		t.Fatal(err)
	}
	first = rounds[0]
	nameless := []string{"blank", "podium"}
	paths := append(allSheets(e.id), fmt.Sprintf("/referee/%d/games/%d/paper", e.id, e.round.Tables[0].Games[0].ID))
	for i, path := range paths {
		for j, query := range []string{"size=a4&lang=en", "size=letter&lang=he", "size=a4&lang=it"} {
			if (i+j)%3 == 2 { // print each sheet in two of three ways
				continue
			}
			document := o.document(t, fmt.Sprintf("%s?%s&round=%d", path, query, first.ID))
			pdftest.Embedded(t, document)
			text := strings.Join(strings.Fields(pdftest.Text(t, document)), "") // a name may take two lines
			if slices.ContainsFunc(nameless, func(kind string) bool { return strings.HasSuffix(path, "/"+kind) }) ||
				strings.HasPrefix(path, "/referee") {
				continue
			}
			for line := range strings.Lines(cupNames) {
				name, _, _ := strings.Cut(strings.TrimSpace(line), ",")
				for _, word := range pdftest.Words(name) {
					if name != "name" && !strings.Contains(text, word) {
						t.Errorf("%s?%s: %s of %s is not found", path, query, word, name)
					}
				}
			}
		}
	}
}

// TestSeatCardsHoldTheCodes checks that the codes on a round's cards and in its pack open its seats. The public and
// players get none of them.
func TestSeatCardsHoldTheCodes(t *testing.T) {
	testmode.SkipUnlessLong(t)
	t.Parallel()
	e := newPublished(t, "Cards", roster(8), nil)
	tables, err := tournament.TableCodes(t.Context(), e.store, rights.Staff(rights.RoleReferee, "r"), e.round.ID)
	if err != nil {
		t.Fatal(err)
	}
	var codes, slips []string
	for _, table := range tables {
		codes = append(codes, e.http.URL+"/join/"+table.Code)
		for range table.Games {
			slips = append(slips, fmt.Sprintf("%s/referee/%d/tables/%d", e.http.URL, e.id, table.ID))
		}
		for _, seat := range table.Seats {
			codes = append(codes, e.http.URL+"/join/"+seat.Code)
		}
	}
	slices.Sort(codes)
	r := e.signedIn("referee")
	cards := r.document(t, fmt.Sprintf("/desk/%d/paper/cards", e.id))
	if got := pdftest.Codes(t, cards); !slices.Equal(got, codes) {
		t.Errorf("the cards have %q, want %q", got, codes)
	}
	if text := pdftest.Text(t, cards); !strings.Contains(text, secret.SpellCode(tables[0].Seats[0].Code)) {
		t.Error("a code cannot be typed")
	}
	all := append(slips, codes...)
	slices.Sort(all)
	if got := pdftest.Codes(t, r.document(t, fmt.Sprintf("/desk/%d/paper/pack", e.id))); !slices.Equal(got, all) {
		t.Errorf("the pack has %q, want %q", got, all)
	}
	for _, path := range allSheets(e.id)[:5] {
		text := pdftest.Text(t, e.reader().document(t, path))
		for _, table := range tables {
			for _, seat := range table.Seats {
				if strings.Contains(text, secret.SpellCode(seat.Code)) {
					t.Errorf("%s tells a code", path)
				}
			}
		}
	}
}

// TestSheetsObeyThePolicy checks that withheld data is missing from the public's sheets but present on the officials'.
func TestSheetsObeyThePolicy(t *testing.T) {
	t.Parallel()
	e := holdable(t)
	e.shown(tournament.SetShown{Part: tournament.PartStandings, How: tournament.ShownFrozen})
	e.scores()
	for _, kind := range []string{"standings", "crosstable", "podium"} {
		path := fmt.Sprintf("/events/%d/paper/%s", e.id, kind)
		if text := pdftest.Text(t, e.reader().document(t, path)); aHeldPoint.MatchString(text) {
			t.Errorf("the public reads on %s: %s", kind, text)
		}
		if text := pdftest.Text(t, e.signedIn("referee").document(t, path)); !aHeldPoint.MatchString(text) {
			t.Errorf("a referee reads on %s: %s", kind, text)
		}
	}
	if text := pdftest.Text(t, e.reader().document(t, fmt.Sprintf("/events/%d/paper/standings",
		e.id))); !strings.Contains(text, "frozen at") {
		t.Errorf("nothing says that it is held back: %s", text)
	}
	e.shown(tournament.SetShown{Part: tournament.PartPairing, How: tournament.ShownHidden})
	for _, kind := range []string{"by-name", "by-table"} {
		path := fmt.Sprintf("/events/%d/paper/%s", e.id, kind)
		e.reader().get(t, fmt.Sprintf("%s?round=%d", path, e.round.ID)).is(http.StatusNotFound)
		if text := pdftest.Text(t, e.reader().document(t, path+"?size=letter")); strings.Contains(text, "Player") &&
			strings.Contains(text, "Player 1") {
			t.Errorf("%s tells hidden seats: %s", kind, text)
		}
		if text := pdftest.Text(t, e.signedIn("referee").document(t, path)); !strings.Contains(text, "Player 1") {
			t.Errorf("%s tells a referee nothing: %s", kind, text)
		}
	}
}

// TestPaperThatCannotBe requests sheets that do not exist: each error names the missing part, and no reader gets an
// invalid page.
func TestPaperThatCannotBe(t *testing.T) {
	t.Parallel()
	e := newPublished(t, "Bad", roster(8), nil)
	o := e.signedIn("organizer")
	at := fmt.Sprintf("/events/%d/paper", e.id)
	for _, c := range []struct {
		path   string
		status int
		says   string
	}{
		{at + "/by-name?size=a5", 422, "a5"}, {at + "/by-name?lang=xx", 422, "xx"},
		{at + "/by-name?round=9999", 404, "no such round"}, {at + "/by-name?round=-1", 404, "no such round"},
		{at + "/by-name?round=two", 404, "no such round"}, {at + "/poster", 404, "poster"},
		{"/events/9999/paper/by-name", 404, "no such"}, {fmt.Sprintf("/desk/%d/paper/pack?round=9999", e.id), 404,
			"no such round"},
		{fmt.Sprintf("/desk/%d/paper?size=a5", e.id), 422, "a5"}, {"/desk/9999/paper", 404, "no such"},
		{fmt.Sprintf("/referee/%d/games/9999/paper", e.id), 404, "no game 9999"},
	} {
		o.get(t, c.path).is(c.status).says("main", c.says)
	}
	certificates := func(places, picture string) *leaf {
		var body bytes.Buffer
		form := multipart.NewWriter(&body)
		form.WriteField("places", places)
		file, err := form.CreateFormFile("picture", "a.png")
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(file, picture)
		form.Close()
		return o.send(t, http.MethodPost, fmt.Sprintf("/desk/%d/paper/certificates", e.id), &body,
			form.FormDataContentType())
	}
	certificates("", "").is(http.StatusConflict).says(".flash", "no result")
	certificates("some", "").is(http.StatusUnprocessableEntity).says(".flash", "some")
	certificates("", "no picture").is(http.StatusUnprocessableEntity).says(".flash", "PNG or JPEG")
	certificates("", strings.Repeat("x", 4<<20+1)).is(http.StatusUnprocessableEntity).says(".flash", "4 MB")
	if page := certificates("", strings.Repeat("x", 6<<20)); page.status != http.StatusRequestEntityTooLarge {
		t.Errorf("too large a body: %d", page.status)
	}
}

// TestPaperOfManyAndOfNobody checks that a tournament without players or rounds has sheets that say so, and that the
// pack of 400 players is made quickly.
func TestPaperOfManyAndOfNobody(t *testing.T) {
	testmode.SkipUnlessLong(t)
	t.Parallel()
	h, organizer, _ := newStaffed(t)
	e := &event{hall: h, organizer: organizer}
	var made struct {
		ID int64 `json:"id"`
	}
	for _, players := range []int{0, 1} {
		organizer.must(http.MethodPost, "/tournaments", fields{"name": fmt.Sprint("Few ", players), "format": "open",
			"rules": fields{"preset": "wrc"}}, &made)
		if players > 0 {
			organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/roster", made.ID), roster(players), nil)
		}
		for _, path := range allSheets(made.ID) {
			if text := pdftest.Text(t, e.signedIn("organizer").document(t, path)); len(strings.Fields(text)) < 3 {
				t.Errorf("%s of %d says %q", path, players, text)
			}
		}
	}
	many := newPublished(t, "Many", roster(400), nil)
	began := time.Now()
	document := many.signedIn("organizer").document(t, fmt.Sprintf("/desk/%d/paper/pack", many.id))
	held(t, fmt.Sprintf("the pack of 400 players, %d KB,", len(document)>>10), time.Since(began), 4*time.Second)
	if text := pdftest.Text(t, document); !strings.Contains(text, "Player 400") ||
		!strings.Contains(text, "Table 100") {
		t.Error("somebody is missing")
	}
}

// TestCertificatesOverAPicture checks that certificates have a page for each of the first places, over the uploaded
// picture.
func TestCertificatesOverAPicture(t *testing.T) {
	t.Parallel()
	e := holdable(t)
	e.scores()
	e.organizer.must(http.MethodPost, "/actions/tournament.describe", fields{"tournament": e.id, "name": "Cup",
		"first_day": "2027-06-12", "last_day": "2027-06-13", "colour": "#0055aa"}, nil)
	picture := image.NewRGBA(image.Rect(0, 0, 297, 210))
	for x := range 297 {
		for y := range 210 {
			picture.Set(x, y, color.RGBA{R: 20, G: 160, B: 90, A: 255})
		}
	}
	var file, body bytes.Buffer
	if err := png.Encode(&file, picture); err != nil {
		t.Fatal(err)
	}
	form := multipart.NewWriter(&body)
	form.WriteField("places", "2")
	part, err := form.CreateFormFile("picture", "ours.png")
	if err != nil {
		t.Fatal(err)
	}
	part.Write(file.Bytes())
	form.Close()
	req, err := http.NewRequest(http.MethodPost, fmt.Sprintf("%s/desk/%d/paper/certificates", e.http.URL, e.id), &body)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", form.FormDataContentType())
	req.Header.Set("Sec-Fetch-Site", "same-origin")
	res, err := e.signedIn("organizer").client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	document, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != http.StatusOK {
		t.Fatalf("%d %v %.300s", res.StatusCode, err, document)
	}
	pages := pdftest.Pictures(t, document, "20")
	if len(pages) != 2 {
		t.Errorf("%d pages for the first two places", len(pages))
	}
	if r, g, b, _ := pages[1].At(2, 2).RGBA(); r > 0x4000 || g < 0x8000 || b > 0x8000 {
		t.Errorf("the corner is %x %x %x", r, g, b)
	}
	if text := pdftest.Text(t, document); !strings.Contains(text, "Certificate") ||
		!strings.Contains(text, "First place") || !strings.Contains(text, "12 Jun 2027 – Sun, 13 Jun 2027") {
		t.Errorf("it says: %s", text)
	}
	for _, sheet := range []string{"standings", "by-name"} {
		text := pdftest.Text(t, e.reader().document(t, fmt.Sprintf("/events/%d/paper/%s", e.id, sheet)))
		if !strings.Contains(text, "12 Jun 2027") {
			t.Errorf("%s has no date: %s", sheet, text)
		}
	}
}

// TestPackIsKept checks that publishing a round writes its pack beside the database without a request. The pack follows
// changed seats, is removed when the round is withdrawn, and uses the size and language chosen last.
func TestPackIsKept(t *testing.T) {
	testmode.SkipUnderRace(t)
	t.Parallel()
	e := newEntered(t, "Kept", roster(8), nil)
	folder := filepath.Join(e.store.Folder(), "paper")
	files := func() []string {
		names, err := filepath.Glob(filepath.Join(folder, "*"))
		if err != nil {
			t.Fatal(err)
		}
		return names
	}
	comes := func(what string, is func() bool) {
		t.Helper()
		for until := time.Now().Add(30 * time.Second); !is(); time.Sleep(20 * time.Millisecond) {
			if time.Now().After(until) {
				t.Fatalf("%s: %q", what, files())
			}
		}
	}
	e.organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/rounds", e.id), fields{"games": 1}, &e.round)
	e.organizer.must(http.MethodPost, fmt.Sprintf("/rounds/%d/publish", e.round.ID), nil, &e.round)
	name := filepath.Join(folder, fmt.Sprintf("event-%d-round-1.en.a4.pdf", e.id))
	comes("published", func() bool { return slices.Equal(files(), []string{name}) })
	read := func(name string) string {
		t.Helper()
		document, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return pdftest.Text(t, document)
	}
	for _, says := range []string{"Continuing on paper", "Seating by name", "Seating by table", "Standings",
		"Signature", "Table ____", "Player 8"} {
		if text := read(name); !strings.Contains(text, says) {
			t.Errorf("%q is not in the pack", says)
		}
	}
	if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("others may read it: %v %v", info.Mode(), err)
	}
	o := e.signedIn("organizer")
	o.get(t, fmt.Sprintf("/desk/%d/paper", e.id)).is(http.StatusOK).says(".paper-pack", folder).says(".paper-pack",
		filepath.Base(name))
	before := read(name)
	a, b := e.round.Tables[0].Seats[0].Player.ID, e.round.Tables[1].Seats[0].Player.ID
	e.organizer.must(http.MethodPost, fmt.Sprintf("/rounds/%d/swap", e.round.ID), fields{"a": a, "b": b, "why": "test"},
		nil)
	comes("swapped", func() bool { return len(files()) == 1 && read(name) != before })
	o.post(t, fmt.Sprintf("/desk/%d/paper", e.id), url.Values{"size": {"letter"},
		"lang": {"it"}}).is(http.StatusOK).says(".flash", "beside the database")
	other := filepath.Join(folder, fmt.Sprintf("event-%d-round-1.it.letter.pdf", e.id))
	if got := files(); !slices.Equal(got, []string{other}) || !strings.Contains(read(other), "Si continua su carta") {
		t.Errorf("chosen: %q", got)
	}
	e.organizer.must(http.MethodPost, fmt.Sprintf("/rounds/%d/withdraw", e.round.ID), fields{"why": "test"}, nil)
	comes("withdrawn", func() bool { return len(files()) == 0 })
	if err := os.Remove(folder); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(folder, nil, 0o600); err != nil { // the folder cannot be created
		t.Fatal(err)
	}
	e.organizer.must(http.MethodPost, fmt.Sprintf("/rounds/%d/publish", e.round.ID), nil, &e.round)
	comes("failed", func() bool {
		return strings.Contains(o.get(t, fmt.Sprintf("/desk/%d/paper", e.id)).text(".paper-pack"),
			"could not be saved")
	})
}
