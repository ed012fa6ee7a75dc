package webtest

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"meldhall/engine/testmode"
	"meldhall/tournament/archive"
	"meldhall/web/request"
)

// An organizer exports the archive of a running tournament from its results page and imports one from another server by
// a form.
func TestArchivesOnPages(t *testing.T) {
	testmode.SkipUnderRace(t)
	t.Parallel()
	e := newEvent(t, 8, nil)
	e.start()
	org := e.signedIn("organizer")
	results := org.get(t, fmt.Sprintf("/desk/%d/results", e.id)).is(http.StatusOK)
	href := fmt.Sprintf("%s/tournaments/%d/export/archive.zip", request.APIBase, e.id)
	if len(find(results.doc, "a[href="+href+"]")) != 1 {
		t.Errorf("the results have no link to %s", href)
	}
	_, header, body := e.organizer.send(http.MethodGet, strings.TrimPrefix(href, request.APIBase), nil)
	a, err := archive.Read(body)
	if err != nil || header.Get("Content-Type") != "application/zip" || len(a.Manifest.LeftOut) != 2 {
		t.Fatalf("%v, %v, %+v", err, header, a)
	}
	if _, err := a.Verify(t.Context()); err != nil {
		t.Error(err)
	}
	if public := e.reader().get(t, fmt.Sprintf("/events/%d/proof",
		e.id)).is(http.StatusOK).text("#proof"); !strings.Contains(public, a.Manifest.Head) ||
		!strings.Contains(public, a.Manifest.SHA256) {
		t.Errorf("the public page shows %q, the archive has the head %s and the hash %s", public, a.Manifest.Head,
			a.Manifest.SHA256)
	}
	if _, _, again := e.organizer.send(http.MethodGet, strings.TrimPrefix(href, request.APIBase),
		nil); !bytes.Equal(again, body) {
		t.Error("a second export is another archive")
	}
	if log := org.get(t, fmt.Sprintf("/desk/%d/log", e.id)).is(http.StatusOK).text("main"); strings.Count(log,
		a.Manifest.SHA256) != 1 {
		t.Errorf("the log has %d records of the export", strings.Count(log, a.Manifest.SHA256))
	}
	if page := org.get(t, "/desk").is(http.StatusOK); len(find(page.doc,
		"form[action=/actions/tournament.import]")) != 1 {
		t.Error("there is no form for an archive")
	}
	data, err := base64.StdEncoding.DecodeString(archiveFromElsewhere(t))
	if err != nil {
		t.Fatal(err)
	}
	org.upload(t, "/actions/tournament.import", "file", "no archive").is(http.StatusUnprocessableEntity)
	if page := org.upload(t, "/actions/tournament.import", "file",
		string(data)).is(http.StatusOK); !strings.Contains(page.text("body"), "The event has been imported.") {
		t.Errorf("it is not said: %s", page.text("body"))
	}
	if page := org.upload(t, "/actions/tournament.import", "file",
		string(data)).is(http.StatusConflict); !strings.Contains(page.text("body"), "already exists here: ") {
		t.Errorf("it is not said: %s", page.text("body"))
	}
}
