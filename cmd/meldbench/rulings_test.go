package main

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"meldhall/engine"
	"meldhall/engine/ruleset"
	"meldhall/engine/testmode"
)

// TestRulingsInAnyOrder checks the logs of short games with random rulings, as meldbench rulings does for more games.
func TestRulingsInAnyOrder(t *testing.T) {
	testmode.SkipUnlessLong(t)
	var out bytes.Buffer
	if err := (rulingsCmd{Games: 2000, Seed: 1, Shown: 3}).report(&out); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	for _, kind := range engine.RulingEvents(func(engine.RulingKind) bool { return true }) {
		if kind != (engine.GameResumed{}).Kind() && !strings.Contains(out.String(), " "+kind+"\n") {
			t.Errorf("no %s in\n%s", kind, out.String())
		}
	}
	for _, why := range ruleset.Endings() {
		if !slices.Contains(strings.Fields(out.String()), why) {
			t.Errorf("no game ended %s", why)
		}
	}
	if testing.Verbose() {
		t.Log(out.String())
	}
}
