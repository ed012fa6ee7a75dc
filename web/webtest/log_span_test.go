package webtest

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"meldhall/web/api"
	"meldhall/web/view"
)

// TestLogIsSearchedByWhen requests the actions of a time range from the API and the page, both ends included.
func TestLogIsSearchedByWhen(t *testing.T) {
	t.Parallel()
	e := newEvent(t, 8, nil)
	path := fmt.Sprintf("/tournaments/%d/log", e.id)
	var all api.LogView
	e.organizer.must(http.MethodGet, path, nil, &all)
	if len(all.Entries) < 2 || all.More {
		t.Fatalf("the log has %d entries", len(all.Entries))
	}
	oldest, newest := all.Entries[len(all.Entries)-1], all.Entries[0]
	second := func(entry view.LogEntry, later int) time.Time {
		return time.UnixMilli(int64(entry.At)).Truncate(time.Second).Add(time.Duration(later) * time.Second)
	}
	const seconds = "2006-01-02 15:04:05"
	atOldest := 0
	for _, entry := range all.Entries {
		if second(entry, 0).Equal(second(oldest, 0)) {
			atOldest++
		}
	}
	for _, row := range []struct {
		name, from, until string
		want              int
	}{
		{"from the first one's second", second(oldest, 0).Format(seconds), "", all.Total},
		{"until the last one's second", "", second(newest, 0).Format(seconds), all.Total},
		{"until the last one's minute", "", second(newest, 0).Format(view.DayFormat), all.Total},
		{"whole days", second(oldest, 0).Format(time.DateOnly), second(newest, 0).Format(time.DateOnly), all.Total},
		{"one second", second(oldest, 0).Format(seconds), second(oldest, 0).Format(seconds), atOldest},
		{"from after the last", second(newest, 1).Format(seconds), "", 0},
		{"until before the first", "", second(oldest, -1).Format(seconds), 0},
		{"before all time", "", "1901-01-01", 0},
	} {
		var got api.LogView
		if e.organizer.must(http.MethodGet, path+"?"+url.Values{"from": {row.from}, "until": {row.until}}.Encode(), nil,
			&got); got.Total != row.want || len(got.Entries) != row.want {
			t.Errorf("%s: got %d of %d entries, want %d", row.name, len(got.Entries), got.Total, row.want)
		}
	}
	e.organizer.refusedWith(t, http.StatusUnprocessableEntity, "err_log_time", http.MethodGet, path+"?from=yesterday",
		nil)
	e.organizer.refusedWith(t, http.StatusUnprocessableEntity, "err_log_time", http.MethodGet, path+"?until=2026-02-30",
		nil)
	e.organizer.refusedWith(t, http.StatusUnprocessableEntity, "err_log_span", http.MethodGet,
		path+"?from=2026-03-02&until=2026-03-01", nil)

	log, o := fmt.Sprintf("/desk/%d/log", e.id), e.signedIn("organizer")
	minute := second(newest, 0).Format(view.DayFormat)
	page := o.get(t, log).look(t, "/log", "until", minute).is(http.StatusOK).says(".title",
		fmt.Sprintf("%d actions", all.Total))
	if page.value("until") != minute {
		t.Errorf("the field has %q, want %q", page.value("until"), minute)
	}
	page.look(t, "/log", "from", second(newest, 60).Format(view.DayFormat), "until", "").is(http.StatusOK).says("main",
		"Nothing")
	for asked, want := range map[string]string{"from=yesterday": "“yesterday” is not a date and time",
		"from=2026-03-02&until=2026-03-01": "2026-03-01, is before its start, 2026-03-02"} {
		if page := o.get(t, log+"?q=round&"+asked).is(http.StatusUnprocessableEntity).says(".flash",
			want); page.value("q") != "round" || page.count("table.log") != 0 {
			t.Errorf("%s: the fields are lost, or a log is shown", asked)
		}
	}
	page = o.get(t, log+fmt.Sprintf("?from=2026-01-01&until=%s&before=%d", second(newest, 0).Format(time.DateOnly),
		newest.ID)).is(http.StatusOK)
	if page.value("from") != "2026-01-01T00:00" || !strings.HasSuffix(page.value("until"), "T23:59") {
		t.Errorf("the fields have %q and %q", page.value("from"), page.value("until"))
	}
	kept := 0
	for _, a := range find(page.doc, "a.btn") {
		if href := attr(a, "href"); strings.Contains(href, "from=2026-01-01&until="+second(newest,
			0).Format(time.DateOnly)) {
			kept++
		}
	}
	if kept != 1 {
		t.Errorf("%d links to other actions keep the time, want 1", kept)
	}
}
