package locale

import (
	"testing"
	"testing/fstest"
	"time"

	"meldhall/engine/score"
)

// TestMomentsByLanguage checks how each language formats a day with a time, and an amount.
func TestMomentsByLanguage(t *testing.T) {
	at := time.Date(2026, 9, 5, 9, 4, 0, 0, time.UTC)
	for tag, want := range map[string][2]string{
		"en": {"Sat, 5 Sept 2026, 09:04", "+76.5"}, "de": {"Sa., 5. Sept. 2026, 09:04", "+76,5"},
		"es": {"sáb, 5 sept 2026, 09:04", "+76,5"},
		"fr": {"sam. 5 sept. 2026, 09:04", "+76,5"}, "he": {"שבת, 5 בספט׳ 2026, 09:04", "\u2066+76.5\u2069"},
		"it": {"sab 5 set 2026, 09:04", "+76,5"},
		"ja": {"2026年9月5日(土) 09:04", "+76.5"}, "ko": {"2026년 9월 5일 (토) 09:04", "+76.5"},
		"nl": {"za 5 sep 2026, 09:04", "+76,5"},
		"pl": {"sob., 5 wrz 2026, 09:04", "+76,5"}, "zh-Hant": {"2026年9月5日週六 09:04", "+76.5"},
	} {
		ctx := WithLanguage(t.Context(), tag)
		if got := DayTime(ctx, at); got != want[0] {
			t.Errorf("%s: %q, want %q", tag, got, want[0])
		}
		if got := SignedPoints(ctx, score.Whole(76)+6); got != want[1] {
			t.Errorf("%s: %q, want %q", tag, got, want[1])
		}
	}
	for _, l := range LanguagesOf(t.Context()) {
		if _, known := datesIn[l.Tag]; !known {
			t.Errorf("how %s writes dates is not known", l.Tag)
		}
	}
}

// TestMomentsOfAnotherLanguage checks that a custom language without a date format uses an unambiguous one.
func TestMomentsOfAnotherLanguage(t *testing.T) {
	own, err := LoadTexts(fstest.MapFS{"da.json": {Data: []byte(`{"language.name": "Dansk", "language.dir": "ltr"}`)}})
	if err != nil {
		t.Fatal(err)
	}
	ctx := own.With(t.Context(), "da")
	if got := DayTime(InZone(ctx, func() *time.Location { return time.UTC }),
		time.Date(2026, 9, 5, 9, 4, 0, 0, time.UTC)) + " " +
		AmountText(ctx, score.Whole(1)/2); got != "2026-09-05 09:04 0,5" {
		t.Error(got)
	}
}

// TestZonesAreNamed checks that a zone is named by its letters if it has any, otherwise by its offset from UTC.
func TestZonesAreNamed(t *testing.T) {
	for zone, want := range map[*time.Location]string{time.UTC: "UTC", time.FixedZone("CET", 3600): "CET",
		time.FixedZone("-0330", -3*3600-1800): "UTC-3:30"} {
		there := InZone(t.Context(), func() *time.Location { return zone })
		if got := ZoneName(there, time.Date(2026, 9, 5, 9, 4, 0, 0, zone)); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
