package engine

import (
	"encoding/json"
	"reflect"
	"slices"
	"testing"

	"meldhall/engine/ruleset"
)

// TestRuleFields checks that every field of a rule set except its name and version is listed, and allows its own value.
func TestRuleFields(t *testing.T) {
	text, err := json.Marshal(presetRules(t, "wrc"))
	if err != nil {
		t.Fatal(err)
	}
	var values map[string]any
	if err := json.Unmarshal(text, &values); err != nil {
		t.Fatal(err)
	}
	fields := ruleset.RuleFields()
	if got, want := len(fields), reflect.TypeFor[ruleset.Ruleset]().NumField()-2; got != want {
		t.Errorf("got %d fields, want %d", got, want)
	}
	for name, value := range values {
		i := slices.IndexFunc(fields, func(f ruleset.RuleField) bool { return f.Name == name })
		if name != "name" && name != "version" && (i < 0 || !fields[i].Allows(value)) {
			t.Errorf("%s does not take %v", name, value)
		}
	}
	for _, row := range []struct {
		name    string
		value   any
		ok      bool
		allowed string
	}{
		{"turn_seconds", 0, true, "0–3600"}, {"turn_seconds", 3600.0, true, "0–3600"},
		{"turn_seconds", 3601, false, "0–3600"},
		{"turn_seconds", 40.5, false, "0–3600"}, {"turn_seconds", "40", false, "0–3600"},
		{"turn_seconds", true, false, "0–3600"},
		{"seats_max", 2, true, "2–4"}, {"seats_max", 1, false, "2–4"},
		{"starter", ruleset.Rotate, true, "draw, rotate"}, {"starter", "", false, "draw, rotate"},
		{"starter", 1, false, "draw, rotate"},
		{"penalties", ruleset.Proposed, true, "automatic, proposed"},
		{"assist", ruleset.On, true, "none, on"}, {"assist", "some", false, "none, on"},
		{"last_to_open_relief", false, true, "true, false"}, {"last_to_open_relief", 0, false, "true, false"},
		{"last_to_open_relief", "no", false, "true, false"},
	} {
		f := fields[slices.IndexFunc(fields, func(f ruleset.RuleField) bool { return f.Name == row.name })]
		if f.Allows(row.value) != row.ok || f.Allowed() != row.allowed {
			t.Errorf("%s = %v: got %t of %s", row.name, row.value, f.Allows(row.value), f.Allowed())
		}
	}
}
