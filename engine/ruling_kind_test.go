package engine

import (
	"reflect"
	"slices"
	"testing"
)

// TestRulingKinds checks the list: each kind has a command and events of its own, or is given outside a game.
func TestRulingKinds(t *testing.T) {
	names, events, commands := map[string]bool{}, map[string]bool{}, map[reflect.Type]bool{}
	for _, k := range RulingKinds() {
		if named, ok := RulingKindNamed(k.Name); !ok || names[k.Name] || named.Does != k.Does || k.Does == "" {
			t.Errorf("%q is not one kind with one name", k.Name)
		}
		names[k.Name] = true
		c := k.Command(RulingFields{Grounds: Grounds{Reason: "so", By: "Anna"}})
		if (c == nil) != k.Apart || (len(k.Events) == 0) != k.Apart {
			t.Errorf("%s: command %v, events %v", k.Name, c, k.Events)
			continue
		}
		if k.Heavy && !k.Apart {
			t.Errorf("%s: no ruling in a game waits for a second official", k.Name)
		}
		if c == nil {
			continue
		}
		if one, ok := c.(ruling); !ok || commands[reflect.TypeOf(c)] || one.grounds().By != "Anna" ||
			kindOf(c).Name != k.Name {
			t.Errorf("%s: %T is not its command alone", k.Name, c)
		}
		commands[reflect.TypeOf(c)] = true
		for _, e := range k.Events {
			of, ok := RulingKindOf(e.Kind())
			if _, is := e.(rulingEvent); !is || !ok || of.Name != k.Name || events[e.Kind()] {
				t.Errorf("%s: %s is not its event alone", k.Name, e.Kind())
			}
			events[e.Kind()] = true
		}
	}
	for kind, e := range kinds {
		if _, is := reflect.Zero(e).Interface().(rulingEvent); is != events[kind] {
			t.Errorf("%s: a ruling by its type is %t, by the list %t", kind, is, events[kind])
		}
	}
}

// TestWhatIsTrueOfRulings repeats in words what the list says. A change there is a change of the rules.
func TestWhatIsTrueOfRulings(t *testing.T) {
	for name, c := range map[string]struct {
		is   func(RulingKind) bool
		want []string
	}{
		"without a reason": {func(k RulingKind) bool { return k.Unreasoned },
			[]string{"pause", "resume", "time", "call-time"}},
		"for a whole round": {func(k RulingKind) bool { return k.WholeRound },
			[]string{"pause", "resume", "time", "call-time"}},
		"on a player's tablet": {func(k RulingKind) bool { return k.OnTablet },
			[]string{"pause", "resume", "time", "penalty", "warning"}},
		"not with real tiles": {func(k RulingKind) bool { return k.Digital },
			[]string{"leftovers", "grant-redeal", "refuse-redeal", "position"}},
		"costing the turn": {func(k RulingKind) bool { return k.EndsTurn }, []string{"skip", "illegal"}},
		"undone by a rewind": {func(k RulingKind) bool { return k.Undone },
			[]string{"skip", "illegal", "leftovers", "rewind", "position"}},
		"on record": {func(k RulingKind) bool { return k.Against },
			[]string{"penalty", "warning", "skip", "illegal", "forfeit"}},
		"in the penalty book": {func(k RulingKind) bool { return k.Booked },
			[]string{"penalty", "warning", "illegal", "cancel"}},
		"apart from the games": {func(k RulingKind) bool { return k.Apart }, []string{"points", "disqualification"}},
		"of two officials":     {func(k RulingKind) bool { return k.Heavy }, []string{"disqualification"}},
		"taken back by a ruling": {RulingKind.Cancellable, []string{"time", "call-time", "penalty", "waive", "warning",
			"refuse-redeal", "forfeit"}},
	} {
		var have []string
		for _, k := range RulingKinds() {
			if c.is(k) {
				have = append(have, k.Name)
			}
		}
		if !slices.Equal(have, c.want) {
			t.Errorf("%s: %v, want %v", name, have, c.want)
		}
	}
}
