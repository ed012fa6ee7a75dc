package webtest

import (
	"encoding/xml"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"
	"unicode/utf8"

	"meldhall/engine"
	"meldhall/engine/score"
	"meldhall/tournament"
	"meldhall/web/api"
	"meldhall/web/guard"
	"meldhall/web/request"
)

// embeds lets sites embed the tournament in frames.
func (e *event) embeds(sites string) {
	e.t.Helper()
	e.organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/embedding", e.id), fields{"sites": sites}, nil)
}

// TestFramesOnOtherSites checks that the standings, the tables and a table may be framed by any site, unless the
// organizer lists sites or allows none; every other page refuses all frames. Framed pages neither set nor read cookies,
// so even officials see the public view.
func TestFramesOnOtherSites(t *testing.T) {
	t.Parallel()
	e := newEvent(t, 8, map[string]any{"turn_seconds": 0})
	e.start()
	e.begin(0)
	event := fmt.Sprintf("/events/%d", e.id)
	frames := []string{"/embed" + event, "/embed" + event + "/tables",
		fmt.Sprintf("/embed%s/tables/%d", event, e.round.Tables[0].ID)}
	refuses := func(path string) bool {
		res, _ := e.asked(t, http.MethodGet, path)
		return res.Header.Get("Content-Security-Policy") == guard.Policy && res.Header.Get("X-Frame-Options") == "DENY"
	}
	anywhere := strings.Replace(guard.Policy, "frame-ancestors 'none'", "frame-ancestors *", 1)
	for _, path := range frames {
		if res, _ := e.asked(t, http.MethodGet, path); res.Header.Get("Content-Security-Policy") != anywhere {
			t.Errorf("%s: %v before the organizer has restricted it", path, res.Header)
		}
	}
	e.embeds("club.example/page http://localhost:3000")
	policy := strings.Replace(guard.Policy, "frame-ancestors 'none'",
		"frame-ancestors https://club.example http://localhost:3000", 1)
	for _, path := range frames {
		res, body := e.asked(t, http.MethodGet, path+"?lang=it&theme=dark", "Cookie",
			"flash="+"Z29vZAp4"+"; lang=he; meldhall-staff="+e.referee.token)
		if res.StatusCode != http.StatusOK || res.Header.Get("Content-Security-Policy") != policy ||
			res.Header.Get("X-Frame-Options") != "" {
			t.Errorf("%s: %d %v", path, res.StatusCode, res.Header)
		}
		if len(res.Header.Values("Set-Cookie")) > 0 {
			t.Errorf("%s sets %q", path, res.Header.Values("Set-Cookie"))
		}
		for _, want := range []string{`<html lang="it"`, `data-theme="dark"`, `<base target="_blank">`,
			`rel="canonical" href="` + e.http.URL + strings.TrimPrefix(path, "/embed") + `"`, path + "/live?lang=it"} {
			if !strings.Contains(body, want) {
				t.Errorf("%s has no %s", path, want)
			}
		}
		if strings.Contains(body, `/sign-out`) || strings.Contains(body, `class="bar"`) {
			t.Errorf("%s tells who reads it", path)
		}
		if region := <-e.signedIn("referee").regions(t, path+"/live"); !strings.Contains(region, "<h1") ||
			strings.Contains(region, "shown-note") {
			t.Errorf("%s/live: %.200s", path, region)
		}
	}
	for _, path := range []string{"/", event, event + "/tables", "/sign-in", fmt.Sprintf("/desk/%d", e.id), "/embed" +
		event + "/nothing", "/embed/events/999"} {
		if !refuses(path) {
			t.Errorf("%s may be in frames", path)
		}
	}
	e.shown(tournament.SetShown{Part: tournament.PartPairing, How: tournament.ShownHidden})
	e.pass()
	if _, body := e.asked(t, http.MethodGet, frames[1], "Cookie",
		"meldhall-staff="+e.organizer.token); strings.Contains(body, "table-no") || !strings.Contains(body, "<h1") {
		t.Error("tables that are hidden are in the frame, of an official")
	}
	e.embeds("")
	if !refuses(frames[0]) {
		t.Error("a site that was taken out still may")
	}
	page := e.signedIn("organizer").get(t, fmt.Sprintf("/desk/%d/publishing", e.id))
	page = page.submit("/actions/embedding.set", "allow", "listed", "sites", "ftp://x").
		is(http.StatusUnprocessableEntity).says("main", "ftp://x")
	page = page.submit("/actions/embedding.set", "allow", "any").is(http.StatusOK)
	if refuses(frames[0]) {
		t.Error("any site may, and a frame is refused")
	}
	page.submit("/actions/embedding.set", "allow", "listed", "sites", "").is(http.StatusUnprocessableEntity)
	page.submit("/actions/embedding.set", "allow", "listed", "sites", "https://club.example").is(http.StatusOK).
		says("#embed", "Saved").says("#frame-code", e.http.URL+"/embed"+event+`" title="Test"`)
}

// TestBrowserFrames checks that a browser shows the standings in a frame of an allowed site and nothing on another.
func TestBrowserFrames(t *testing.T) {
	b := startChromium(t)
	e := cup(t)
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w,
			`<!DOCTYPE html><title>A club</title><link rel="icon" href="data:,"><h1>A club</h1><iframe width="600" height="700" title="cup" onload="window.framed = true" src="%s/embed/events/%d?lang=en&theme=light"></iframe>`, e.http.URL, e.id)
	}))
	defer site.Close()
	e.embeds(site.URL)
	p := b.tab(t, 700, 900)
	p.still()
	p.open(site.URL)
	p.wait(`window.framed`) // the error of a blocked frame comes before
	if got := p.complaints(); len(got) > 0 {
		t.Errorf("in the frame of a site that may: %q", got)
	}
	p.picture("allowed")
	other := b.tab(t, 700, 900)
	e.embeds("https://club.example")
	other.open(site.URL)
	for range 50 {
		if time.Sleep(100 * time.Millisecond); strings.Contains(fmt.Sprint(other.complaints()), "frame-ancestors") {
			return
		}
	}
	t.Errorf("in the frame of a site that may not: %q", other.complaints())
}

// TestBrowserFramesAreNarrow checks that a frame of 320 px holds the standings, the tables and a running table in light
// and dark, without cut-off text or sideways scrolling.
func TestBrowserFramesAreNarrow(t *testing.T) {
	b := startChromium(t)
	e := newNamedEvent(t, "Cup of the lake", cupNames, map[string]any{"turn_seconds": 0})
	e.start()
	game := e.begin(0)
	e.begin(1)
	for range 6 {
		turn := e.public().view(game).Turn
		e.at(0, turn.Seat).must(http.MethodPost, fmt.Sprintf("/games/%d/draw", game),
			request.TurnRequest{Turn: turn.Number, Key: e.key()}, nil)
	}
	p := b.tab(t, 320, 720)
	p.still()
	for what, path := range map[string]string{"standings": "", "tables": "/tables",
		"table": fmt.Sprintf("/tables/%d", e.round.Tables[0].ID)} {
		for _, look := range []string{"lang=en&theme=light", "lang=he&theme=dark", "lang=de&theme=dark"} {
			p.open(fmt.Sprintf("%s/embed/events/%d%s?%s", e.http.URL, e.id, path, look))
			p.wait(`document.readyState === "complete" && document.fonts.status === "loaded"`)
			if got := eval[[]string](p, misfits); len(got) > 0 {
				t.Errorf("%s, %s: %q", what, look, got)
			}
			p.picture(what + " " + look)
		}
	}
}

var (
	uids    = regexp.MustCompile(`(?m)^UID:(.+)\r$`)
	stamp   = regexp.MustCompile(`DTSTAMP:\w+`)
	summary = regexp.MustCompile(`(?m)^SUMMARY:(.+)\r$`)
)

// TestCalendarOfADay checks that a day's schedule is a calendar with lines folded at 75 bytes without splitting
// characters, with escaped texts, and with entry ids that survive rescheduling.
func TestCalendarOfADay(t *testing.T) {
	t.Parallel()
	e := cup(t)
	now, ahead := time.Now(), atomic.Int64{}
	e.store.Now = func() time.Time { return now.Add(time.Duration(ahead.Load())) }
	path := fmt.Sprintf("/events/%d/calendar.ics", e.id)
	start := engine.MillisOf(time.Date(2027, 3, 14, 9, 0, 0, 0, time.UTC))
	hour := engine.Millis(3_600_000)
	plan := func(at engine.Millis) {
		name := "Pause; mit Kuchen, " + strings.Repeat("ü", 40)
		e.organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/schedule", e.id),
			api.ScheduleBody{Slots: []api.SlotBody{
				{Round: 1, Starts: at, Ends: at + hour}, {Name: name, Starts: at + hour, Ends: at + 2*hour},
				{Round: 2, Starts: at + 2*hour, Ends: at + 3*hour}}}, nil)
	}
	if res, body := e.asked(t, http.MethodGet, path); res.StatusCode != http.StatusOK ||
		!strings.HasPrefix(body, "BEGIN:VCALENDAR\r\n") || strings.Contains(body, "VEVENT") ||
		!strings.Contains(body, "BEGIN:STANDARD\r\nDTSTART:") {
		t.Errorf("without a plan: %d %s", res.StatusCode, body)
	}
	e.organizer.must(http.MethodPost, "/actions/tournament.describe", fields{"tournament": e.id,
		"name": "Cup of the lake", "first_day": "2027-03-13", "last_day": "2027-03-14"}, nil)
	if _, body := e.asked(t, http.MethodGet, path); strings.Count(body, "BEGIN:VEVENT") != 1 ||
		!strings.Contains(body, "DTSTART;VALUE=DATE:20270313\r\nDTEND;VALUE=DATE:20270315\r\n") {
		t.Errorf("with days and without a plan: %s", body)
	}
	plan(start)
	res, before := e.asked(t, http.MethodGet, path)
	if res.Header.Get("Content-Type") != "text/calendar; charset=utf-8" || res.Header.Get("ETag") == "" {
		t.Errorf("%v", res.Header)
	}
	for line := range strings.SplitSeq(strings.TrimSuffix(before, "\r\n"), "\r\n") {
		if len(line) > 75 || !utf8.ValidString(line) || strings.ContainsAny(line, "\r\n") {
			t.Errorf("%d bytes: %q", len(line), line)
		}
	}
	unfolded := strings.ReplaceAll(before, "\r\n ", "")
	if got := summary.FindAllStringSubmatch(unfolded, -1); len(got) != 3 || got[0][1] != "Round 1 · Cup of the lake" ||
		got[1][1] != `Pause\; mit Kuchen\, `+strings.Repeat("ü", 40)+" · Cup of the lake" {
		t.Errorf("got %q", got)
	}
	if !strings.Contains(unfolded, "\r\nDTSTART:20270314T090000Z\r\n") ||
		!strings.Contains(unfolded, "\r\nDTEND:20270314T120000Z\r\n") {
		t.Errorf("the times are not those of the plan: %s", unfolded)
	}
	stamped := now.Add(time.Hour)
	ahead.Store(int64(time.Hour))
	plan(start + 24*hour)
	_, after := e.asked(t, http.MethodGet, path)
	stamps := func(text string) []string { return slices.Compact(stamp.FindAllString(text, -1)) }
	if was, is := stamps(before), stamps(after); len(was) != 1 || len(is) != 1 ||
		is[0] != "DTSTAMP:"+stamped.UTC().Format("20060102T150405Z") || was[0] >= is[0] {
		t.Errorf("stamped %q, and once moved %q", was, is)
	}
	if strings.Contains(before, "METHOD") || !strings.Contains(before, "VERSION:2.0\r\n") {
		t.Errorf("it is somebody's invitation: %.200s", before)
	}
	names := func(text string) string {
		return fmt.Sprint(uids.FindAllStringSubmatch(strings.ReplaceAll(text, "\r\n ", ""), -1))
	}
	if names(before) != names(after) || strings.Count(names(before), "@") != 6 || before == after ||
		!strings.Contains(after, "20270315T090000Z") {
		t.Errorf("before %s, after %s", names(before), names(after))
	}
	if _, it := e.asked(t, http.MethodGet, path+"?lang=it"); !strings.Contains(it, "SUMMARY:Round 1") ||
		names(it) != names(after) {
		t.Errorf("in Italian: %s", it)
	}
}

// atom is a feed as a client parses it.
type atom struct {
	XMLName xml.Name  `xml:"http://www.w3.org/2005/Atom feed"`
	ID      string    `xml:"id"`
	Updated time.Time `xml:"updated"`
	Entries []struct {
		ID      string    `xml:"id"`
		Title   string    `xml:"title"`
		Updated time.Time `xml:"updated"`
		Summary string    `xml:"summary"`
		Link    struct {
			Href string `xml:"href,attr"`
		} `xml:"link"`
	} `xml:"entry"`
}

func (e *event) fed(t *testing.T) (feed atom, text string) {
	t.Helper()
	res, text := e.asked(t, http.MethodGet, fmt.Sprintf("/events/%d/results.atom", e.id))
	if err := xml.Unmarshal([]byte(text), &feed); err != nil || res.StatusCode != http.StatusOK ||
		!strings.HasPrefix(res.Header.Get("Content-Type"), "application/atom+xml") {
		t.Fatalf("%d %v: %s", res.StatusCode, err, text)
	}
	return feed, text
}

// TestFeedOfResults checks that every result has an entry with the names and points of its players that links to its
// table, keeps its id after a correction, and is gone while results are withheld.
func TestFeedOfResults(t *testing.T) {
	t.Parallel()
	e := cup(t)
	feed, text := e.fed(t)
	if len(feed.Entries) != 6 || !strings.Contains(feed.Entries[0].Title, "Round 3, table 1, Game 2") {
		t.Fatalf("got %s", text)
	}
	ids := map[string]bool{feed.ID: true}
	for i, entry := range feed.Entries {
		if ids[entry.ID] || !strings.HasPrefix(entry.ID, "urn:uuid:") || i > 0 &&
			entry.Updated.After(feed.Entries[i-1].Updated) || entry.Updated.After(feed.Updated) {
			t.Errorf("entry %d: %+v", i, entry)
		}
		ids[entry.ID] = true
		if strings.Count(entry.Summary, " · ") != 3 {
			t.Errorf("entry %d tells %q", i, entry.Summary)
		}
		e.reader().get(t, strings.TrimPrefix(entry.Link.Href, e.http.URL)).is(http.StatusOK)
	}
	if !strings.Contains(text, "欧阳修远司马相如诸葛孔明") || !strings.Contains(text, "אברהמוביץ׳") {
		t.Errorf("names are missing: %s", text)
	}
	game := e.round.Tables[0].Games[1].ID
	lines := make([]api.CorrectLine, 4)
	for seat := range lines {
		lines[seat] = api.CorrectLine{Seat: seat, Points: score.Whole(777 - seat), Opened: true}
	}
	lines[0].Wins = score.Whole(1)
	e.organizer.must(http.MethodPost, fmt.Sprintf("/games/%d/correct", game),
		fields{"rev": 3, "why": "counted wrongly", "lines": lines}, nil)
	again, text := e.fed(t)
	if again.Entries[0].ID != feed.Entries[0].ID || !strings.Contains(again.Entries[0].Summary, "+777") ||
		len(again.Entries) != 6 {
		t.Errorf("once corrected: %s", text)
	}
	e.shown(tournament.SetShown{Part: tournament.PartStandings, How: tournament.ShownHidden})
	if held, text := e.fed(t); len(held.Entries) != 0 || strings.Contains(text, "+777") {
		t.Errorf("while held back: %s", text)
	}
}

// TestWhatSearchEnginesAreTold checks that public pages name their canonical address whatever the query. All other
// pages and the framed copies are marked noindex, and robots.txt excludes all that is not for readers.
func TestWhatSearchEnginesAreTold(t *testing.T) {
	t.Parallel()
	e := cup(t)
	event := fmt.Sprintf("/events/%d", e.id)
	for _, path := range []string{"/", event, event + "/crosstable", event + "/rounds", event + "/tables",
		fmt.Sprintf("%s/players/%d", event, e.round.Tables[0].Seats[0].Player.ID)} {
		if _, body := e.asked(t, http.MethodGet, path+"?lang=it&x=1"); !strings.Contains(body,
			`<link rel="canonical" href="`+e.http.URL+path+`"`) || strings.Contains(body, "noindex") {
			t.Errorf("%s does not name its address", path)
		}
	}
	for _, path := range []string{"/sign-in", "/join", "/practice", "/events/999"} {
		if _, body := e.asked(t, http.MethodGet, path); !strings.Contains(body, "noindex") {
			t.Errorf("%s is to be found", path)
		}
	}
	_, robots := e.asked(t, http.MethodGet, "/robots.txt")
	open := map[string]bool{"/": true, "/guide": true, "/robots.txt": true, "/card.png": true, "/o/:slug": true,
		"/api": true, "/verify": true, "/colours.css": true, "/flags/:name": true}
	for pattern, row := range pageRows() {
		closed := false
		for line := range strings.Lines(robots) {
			if path, ok := strings.CutPrefix(strings.TrimSpace(line), "Disallow: "); ok {
				closed = closed || regexp.MustCompile("^"+strings.ReplaceAll(regexp.QuoteMeta(path), `\*`,
					"[^/]*")).MatchString(pattern)
			}
		}
		if public := open[pattern] || strings.HasPrefix(pattern, "/events/") && row[0] != signIn; closed &&
			open[pattern] || !closed && !public {
			t.Errorf("%s is closed: %t", pattern, closed)
		}
	}
}
