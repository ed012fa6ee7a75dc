package webtest

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"meldhall/engine/testmode"
	"meldhall/templates/locale"
)

// TestPagesSayAsOfWhen checks that a page of a running tournament shows the time of its data, in the reader's language
// and the tournament's zone, until its stream connects; without scripts it always does. Pages of an ended tournament
// show no time, because they would otherwise change every minute.
func TestPagesSayAsOfWhen(t *testing.T) {
	testmode.SkipUnderRace(t)
	e := newEvent(t, 4, nil)
	e.start()
	e.begin(0)
	at := time.Now()
	e.store.Now = func() time.Time { return at }
	zone, _ := at.Zone()
	event := fmt.Sprintf("/events/%d", e.id)
	for _, l := range locale.EveryLanguageOf(t.Context()) {
		ctx := locale.WithLanguage(t.Context(), l.Tag)
		want := locale.T(ctx, "link.as_of", "time", at.Format("15:04")+" "+zone)
		for _, path := range []string{event, event + "/tables",
			fmt.Sprintf("%s/tables/%d", event, e.round.Tables[0].ID), event + "/schedule"} {
			page := e.reader().send(t, http.MethodGet, path, nil, "", "Accept-Language", l.Tag).is(http.StatusOK)
			if got := strings.TrimSpace(page.text("#link")); got != want || want == "link.as_of" {
				t.Errorf("%s in %s: %q, want %q", path, l.Tag, got, want)
			}
			if page.count("noscript") == 0 {
				t.Errorf("%s does not come again by itself", path)
			}
		}
	}
	over := cup(t)
	if over.reader().get(t, fmt.Sprintf("/events/%d", over.id)).text("#link") != "ended" {
		t.Error("an event that is over has a page of this minute")
	}
}
