package webtest

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"meldhall/templates/locale"
)

// TestBrowserDatesAreCLDRs checks that every day and hour is formatted as the browser does, which takes both from the
// Unicode CLDR.
func TestBrowserDatesAreCLDRs(t *testing.T) {
	b, h := startChromium(t), newHall(t)
	p := b.tab(t, 800, 600)
	p.open(h.http.URL + "/")
	for _, l := range locale.EveryLanguageOf(t.Context()) {
		ctx := locale.WithLanguage(t.Context(), l.Tag)
		region := map[string]string{"en": "en-GB"}[l.Tag]
		if region == "" {
			region = l.Tag
		}
		for day := range 12 {
			at := time.Date(2026, time.January+time.Month(day), 9+day, 7+day, 4, 0, 0, time.UTC)
			want := eval[string](p,
				fmt.Sprintf(`new Intl.DateTimeFormat(%q, { timeZone: "UTC", weekday: "short", year: "numeric", month: "short", day: "numeric", hour: "2-digit", minute: "2-digit", hourCycle: "h23" }).format(new Date(%d))`, region, at.UnixMilli()))
			if got := strings.ReplaceAll(locale.DayTime(ctx, at), "\u00a0", " "); got != want {
				t.Errorf("%s: %q, the browser has %q", l.Tag, got, want)
			}
		}
	}
}
