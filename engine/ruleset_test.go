package engine

import (
	"errors"
	"fmt"
	"testing"

	"meldhall/engine/ruleset"
)

// The table of RULES.md section 7, row by row. The test also covers some fields that the table lacks.
func TestPresetsAreThoseOfTheRules(t *testing.T) {
	rows := []struct {
		field string
		of    func(ruleset.Ruleset) any
		want  [5]any // wrc, wrc-50, club, family, casual
	}{
		{"turn_seconds", func(r ruleset.Ruleset) any { return r.TurnSeconds }, [5]any{60, 60, 60, 120, 0}},
		{"timeout_tiles / idle_tiles", func(r ruleset.Ruleset) any { return fmt.Sprint(r.TimeoutTiles, r.IdleTiles) },
			[5]any{"3 3", "3 3", "3 1", "1 1", "0 0"}},
		{"illegal_play", func(r ruleset.Ruleset) any { return r.IllegalPlay },
			[5]any{"reject", "reject", "reject", "penalty", "reject"}},
		{"illegal_tiles", func(r ruleset.Ruleset) any { return r.IllegalTiles }, [5]any{3, 3, 3, 3, 3}},
		{"leftovers", func(r ruleset.Ruleset) any { return r.Leftovers },
			[5]any{"to_rack", "to_pool", "to_pool", "to_rack", "to_rack"}},
		{"meld_points", func(r ruleset.Ruleset) any { return r.MeldPoints }, [5]any{30, 30, 30, 30, 30}},
		{"last_to_open_relief", func(r ruleset.Ruleset) any { return r.LastToOpenRelief },
			[5]any{false, false, false, false, false}},
		{"joker_release", func(r ruleset.Ruleset) any { return r.JokerRelease },
			[5]any{"anywhere", "with_rack_tile", "anywhere", "with_rack_tile", "anywhere"}},
		{"joker_replace", func(r ruleset.Ruleset) any { return r.JokerReplace },
			[5]any{"free", "free", "free", "rack", "table_or_rack"}},
		{"joker_points", func(r ruleset.Ruleset) any { return r.JokerPoints }, [5]any{100, 50, 30, 30, 30}},
		{"no_meld_unable / no_meld_able", func(r ruleset.Ruleset) any {
			return fmt.Sprint(r.NoMeldUnable,
				r.NoMeldAble)
		},
			[5]any{"100 200", "100 200", "0 0", "0 0", "0 0"}},
		{"no_meld_counts / able_when", func(r ruleset.Ruleset) any { return r.NoMeldCounts + " " + r.AbleWhen },
			[5]any{"instead at_end", "instead at_end", "instead at_end", "instead at_end", "instead at_end"}},
		{"redeal", func(r ruleset.Ruleset) any { return r.Redeal }, [5]any{"before_start", "before_start", "off", "off",
			"off"}},
		{"exhausted", func(r ruleset.Ruleset) any { return r.Exhausted },
			[5]any{"last_lap", "until_stuck", "last_lap", "until_stuck", "until_stuck"}},
		{"exhausted_winner", func(r ruleset.Ruleset) any { return r.ExhaustedWinner },
			[5]any{"zero", "collects", "collects", "collects", "zero"}},
		{"points", func(r ruleset.Ruleset) any { return r.Points }, [5]any{"plus_minus", "plus_minus", "plus_minus",
			"plus_minus", "penalty"}},
		{"standings", func(r ruleset.Ruleset) any { return r.Standings },
			[5]any{"wins_points", "wins_points", "wins_points", "points", "lowest_points"}},
		{"ends_at", func(r ruleset.Ruleset) any { return r.EndsAt }, [5]any{0, 0, 0, 0, 500}},
		{"players at a table", func(r ruleset.Ruleset) any { return fmt.Sprint(r.SeatsMin, r.SeatsMax) },
			[5]any{"2 4", "2 4", "2 4", "2 4", "2 4"}},
		{"assist", func(r ruleset.Ruleset) any { return r.Assist }, [5]any{"none", "none", "none", "none", "on"}},
		{"grace_ms", func(r ruleset.Ruleset) any { return r.GraceMillis }, [5]any{1000, 1000, 1000, 1000, 1000}},
	}
	for i, rules := range allPresets(t) {
		for _, row := range rows {
			if got := row.of(rules); got != row.want[i] {
				t.Errorf("%s: %s is %v, the rules say %v", rules.Name, row.field, got, row.want[i])
			}
		}
	}
}

func TestRulesetErrorsNameTheField(t *testing.T) {
	base := presetRules(t, "wrc")
	for text, field := range map[string]string{
		`{"turn_second": 40}`:                       "turn_second",
		`{"turn_seconds": 3601}`:                    "turn_seconds",
		`{"turn_seconds": -1}`:                      "turn_seconds",
		`{"turn_seconds": "40"}`:                    "turn_seconds",
		`{"grace_ms": 2001}`:                        "grace_ms",
		`{"timeout_tiles": 21}`:                     "timeout_tiles",
		`{"joker_release": "never"}`:                "joker_release",
		`{"exhausted": ""}`:                         "exhausted",
		`{"seats_min": 1}`:                          "seats_min",
		`{"seats_min": 4, "seats_max": 3}`:          "seats_max",
		`{"seats_max": 5}`:                          "seats_max",
		`{"version": 0}`:                            "version",
		`{"turn_seconds": 40, "win_bonus": 100000}`: "win_bonus",
		`{"ends_at": 1.5}`:                          "ends_at",
		`[]`:                                        "",
		`{} {}`:                                     "",
		`{`:                                         "",
	} {
		_, err := ruleset.ParseRuleset(base, []byte(text))
		var wrong *ruleset.FieldError
		if !errors.As(err, &wrong) || wrong.Field != field {
			t.Errorf("%s: %v, want an error naming %q", text, err, field)
		}
	}
}

func TestCopiedPresetKeepsTheOtherFields(t *testing.T) {
	base := presetRules(t, "wrc")
	changed, err := ruleset.ParseRuleset(base,
		[]byte(`{"name":"wrc-2018","turn_seconds":40,"joker_points":25,"win_bonus":100}`))
	if err != nil {
		t.Fatal(err)
	}
	want := base
	want.Name, want.TurnSeconds, want.JokerPoints, want.WinBonus = "wrc-2018", 40, 25, 100
	if changed != want {
		t.Errorf("got %+v", changed)
	}
}
