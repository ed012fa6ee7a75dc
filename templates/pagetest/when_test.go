package pagetest

import (
	"strings"
	"testing"
	"time"

	"meldhall/engine"
	"meldhall/templates/public"

	"meldhall/templates/locale"
)

// TestAPlanNamesItsDays checks that each day of a schedule is named once, before its first item.
func TestAPlanNamesItsDays(t *testing.T) {
	ctx, day := locale.WithLanguage(t.Context(), "de"), engine.Millis(24*3_600_000)
	at := engine.MillisOf(time.Date(2026, 11, 28, 10, 0, 0, 0, time.Local))
	view := public.ScheduleView{Has: true}
	for i, from := range []engine.Millis{at, at + 3_600_000, at + day} {
		view.Rows = append(view.Rows, public.ScheduleRow{Round: i + 1, From: from, Until: from + 1, PlannedFrom: from,
			PlanEnd: from + 1, State: "planned"})
	}
	var html strings.Builder
	if err := public.ScheduleRegion(view).Render(ctx, &html); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]int{"Sa., 28. Nov. 2026": 1, "So., 29. Nov. 2026": 1, `class="day"`: 2} {
		if got := strings.Count(html.String(), text); got != want {
			t.Errorf("%q stands there %d times, want %d", text, got, want)
		}
	}
}
