package webtest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"meldhall/engine/testmode"
	"meldhall/templates/pdf/pdftest"
	"meldhall/tournament/archive"
	"meldhall/tournament/transparency"
)

// proven returns what the codes of a document prove, page by page, checked with a policy and without the server.
func proven(t *testing.T, document []byte, policy archive.Policy) (all []archive.Proven) {
	t.Helper()
	for _, dots := range []string{"200", "300"} {
		all = nil
		for i, text := range pdftest.LongCode(t, document, dots) {
			if text == "" {
				continue
			}
			p, err := policy.Prove(strings.TrimRight(text, "\n") + "\n")
			if err != nil {
				t.Errorf("page %d at %s dpi: %v", i+1, dots, err)
			}
			t.Logf("page %d at %s dpi: a code of %d bytes", i+1, dots, len(text))
			all = append(all, p)
		}
	}
	return all
}

// TestPaperCarriesProofs checks that the printed standings, certificates and records of games carry a code that proves
// them offline, and that a policy with another witness rejects it.
func TestPaperCarriesProofs(t *testing.T) {
	testmode.SkipUnderRace(t)
	t.Parallel()
	e := cup(t)
	e.steps()
	e.cosigned("witness/club")
	var policy archive.Policy
	_, text := e.asked(t, http.MethodGet, fmt.Sprintf("/events/%d/log/policy", e.id))
	if err := json.Unmarshal([]byte(text), &policy); err != nil {
		t.Fatal(err)
	}
	_, _, body := e.organizer.send(http.MethodGet, fmt.Sprintf("/tournaments/%d/export/archive.zip", e.id), nil)
	a, err := archive.Read(body)
	if err == nil {
		_, err = a.Verify(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	org := e.signedIn("organizer")
	sheet := proven(t, org.document(t, fmt.Sprintf("/events/%d/paper/standings", e.id)), policy)
	if len(sheet) != 1 || sheet[0].Leaf.Kind != transparency.KindStandings || sheet[0].Leaf.Seq != 3 {
		t.Errorf("the standings prove %+v", sheet)
	}
	game := e.round.Tables[0].Games[0]
	record := proven(t, org.document(t, fmt.Sprintf("/referee/%d/games/%d/paper", e.id, game.ID)), policy)
	if len(record) != 1 || record[0].Leaf.Kind != transparency.KindGame || record[0].Leaf.Of != game.ID {
		t.Errorf("the record of a game proves %+v", record)
	}
	req, err := http.NewRequest(http.MethodPost, fmt.Sprintf("%s/desk/%d/paper/certificates", e.http.URL, e.id),
		strings.NewReader("places=3"))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("Sec-Fetch-Site", "same-origin")
	res, err := org.client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	document, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	places := proven(t, document, policy)
	if len(places) != 3 || places[0].Row == nil || !strings.HasPrefix(places[0].Row.Row, "1 ") ||
		places[0].Leaf != sheet[0].Leaf {
		t.Errorf("the certificates prove %+v", places)
	}
	if slices.ContainsFunc(places, func(p archive.Proven) bool { return !slices.Equal(p.Witnesses, []string{"witness/club"}) }) {
		t.Errorf("the witnesses are %+v", places)
	}
}
