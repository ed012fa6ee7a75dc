package desk

import (
	"slices"
	"testing"

	"meldhall/data"
	"meldhall/tournament/preset"
)

// TestGroupsNamePresets checks that the groups of formats and rules of the form for a new tournament name presets.
func TestGroupsNamePresets(t *testing.T) {
	presets, err := preset.Load(data.Rules, data.Formats)
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range slices.Concat(formatGroups, ruleGroups) {
		for _, name := range g.Names {
			_, format := presets.Formats[name]
			if _, rules := presets.Rules[name]; !format && !rules {
				t.Errorf("the group %q names %s, which is no preset", g.Title, name)
			}
		}
	}
}
