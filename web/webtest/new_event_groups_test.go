package webtest

import (
	"net/http"
	"testing"

	"meldhall/data"
	"meldhall/tournament/preset"
)

// TestNewEventOffersEveryPresetOnce checks that the form of a new tournament offers every preset once, including the
// collapsed ones.
func TestNewEventOffersEveryPresetOnce(t *testing.T) {
	t.Parallel()
	h, _, _ := newStaffed(t)
	presets, err := preset.Load(data.Rules, data.Formats)
	if err != nil {
		t.Fatal(err)
	}
	page := h.signedIn("organizer").get(t, "/desk/new").is(http.StatusOK)
	offered := func(field string) map[string]int {
		times := map[string]int{}
		for _, input := range find(page.doc, "input[name="+field+"]") {
			times[attr(input, "value")]++
		}
		return times
	}
	formats, rules := offered("format"), offered("rules")
	for name := range presets.Formats {
		if formats[name] != 1 {
			t.Errorf("the format %s is offered %d times", name, formats[name])
		}
	}
	for name := range presets.Rules {
		if rules[name] != 1 {
			t.Errorf("the rules %s are offered %d times", name, rules[name])
		}
	}
}
