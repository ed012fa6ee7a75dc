package main

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestMeasuringNothingFails checks that a measurement without samples is an error, whether the games ran out or none
// were requested.
func TestMeasuringNothingFails(t *testing.T) {
	one := []time.Duration{time.Second}
	for _, row := range []struct {
		m    *measures
		want string
	}{
		{&measures{}, "turns"},
		{&measures{answers: one, updates: one}, "turns"},
		{&measures{turns: 1, updates: one}, "answers"},
		{&measures{turns: 1, answers: one}, "updates"},
		{&measures{turns: 1, answers: one, updates: one}, ""},
	} {
		if got := fmt.Sprint(row.m.sampled()); row.want == "" && got != "<nil>" || !strings.Contains(got, row.want) {
			t.Errorf("%+v: %s, want %q", row.m.turns, got, row.want)
		}
	}
	var out bytes.Buffer
	for name, err := range map[string]error{
		"load":      loadCmd{}.Run(),
		"turns":     (turnsCmd{}).report(t.Context(), &out),
		"forecast":  (forecastCmd{}).measure(t.Context(), &out),
		"ladder":    (ladderCmd{Rules: "wrc", Workers: 1}).climb(t.Context(), &out),
		"rulings":   (rulingsCmd{}).report(&out),
		"seats":     (seatsCmd{}).Run(),
		"fuzz":      (fuzzCmd{}).report(&out),
		"sim":       (simCmd{}).Run(),
		"versions":  (versionsCmd{}).report(t.Context(), &out),
		"torn":      (tornCmd{}).report(t.Context(), &out, t.TempDir()),
		"crash":     (crashCmd{}).report(t.Context(), &out),
		"no act":    (&crashFigures{kills: 1}).broken(),
		"nodes":     (nodesCmd{}).report(t.Context(), &out),
		"viewers":   (viewersCmd{}).Run(),
		"no sample": sampled("x", 0),
	} {
		if err == nil {
			t.Errorf("%s measured nothing and returned no error", name)
		}
	}
}
