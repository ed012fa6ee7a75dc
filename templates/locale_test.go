package templates

import (
	"encoding/json"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"meldhall/data"
	"meldhall/engine"
	"meldhall/engine/tile"
)

// texts reads a message file: a text, or the texts by plural form.
func texts(t *testing.T, name string) map[string]map[string]string {
	t.Helper()
	text, err := fs.ReadFile(data.Locales, "locales/"+name)
	if err != nil {
		t.Fatal(err)
	}
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(text, &raw); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	all := map[string]map[string]string{}
	for key, value := range raw {
		var one string
		forms := map[string]string{}
		if json.Unmarshal(value, &one) == nil {
			forms[""] = one
		} else if err := json.Unmarshal(value, &forms); err != nil {
			t.Fatalf("%s, %s: %v", name, key, err)
		}
		all[key] = forms
	}
	return all
}

var placeholder = regexp.MustCompile(`\{\{\.\w+\}\}|\{\w+\}`)

func holes(text string) []string {
	found := placeholder.FindAllString(text, -1)
	slices.Sort(found)
	return slices.Compact(found)
}

func TestLanguagesAgree(t *testing.T) {
	english := texts(t, "en.json")
	if len(english) < 400 {
		t.Fatalf("got %d English texts, want at least 400: the file was not read", len(english))
	}
	names, err := fs.Glob(data.Locales, "locales/*.json")
	if err != nil || len(names) < 2 {
		t.Fatalf("languages %v, %v: want at least two", names, err)
	}
	for _, name := range names {
		name = strings.TrimPrefix(name, "locales/")
		other := texts(t, name)
		for _, key := range slices.Sorted(maps.Keys(english)) {
			forms, ok := other[key]
			if !ok {
				t.Errorf("%s lacks %q", name, key)
				continue
			}
			agree(t, name, key, english[key], forms)
		}
		for key := range other {
			if _, ok := english[key]; !ok {
				t.Errorf("%s has %q, which English has not", name, key)
			}
		}
	}
}

// agree compares the plural forms and the arguments of one text in two languages.
func agree(t *testing.T, name, key string, english, other map[string]string) {
	t.Helper()
	if got, want := slices.Sorted(maps.Keys(other)), slices.Sorted(maps.Keys(english)); !slices.Equal(got, want) {
		t.Errorf("%s, %q: got the forms %q, want %q", name, key, got, want)
		return
	}
	for form, text := range other {
		if strings.TrimSpace(text) == "" {
			t.Errorf("%s, %q: the form %q is empty", name, key, form)
		}
		if got, want := holes(text), holes(english[form]); form != "one" && !slices.Equal(got, want) {
			t.Errorf("%s, %q: got the arguments %q, want %q", name, key, got, want)
		}
	}
}

// literalKey is a text in the sources that looks like a key, or like the beginning of one.
var literalKey = regexp.MustCompile(`"([a-z]+\.[a-z0-9_.-]*)"`)

// families are the keys that are built from a word, with all the words.
func families() map[string][]string {
	roles := []string{string(RoleReferee), string(RoleOrganizer), string(RolePlayer)}
	return map[string][]string{
		"status.":     statuses,
		"practice.":   {"novice", "club", "master"},
		"step.":       {"lay", "extend", "take", "split", "join", "swap", "order"},
		"role.":       roles,
		"rule.":       RuleFields,
		"method.":     {"random", "standings", "snake"},
		"ruling.":     {"pause_effect", "resume_effect", "penalty_effect", "time_effect", "call_time_effect"},
		"look.":       {"auto", "dark", "light"},
		"tile.":       {"black", "red", "blue", "orange"},
		"wait.":       {"waiting", "seated", "between", "finished"},
		"phase.":      {string(engine.PhaseNew), string(engine.PhaseDealt), string(engine.PhasePlaying), string(engine.PhaseOver)},
		"end.":        {engine.EndedEmptied, engine.EndedLastLap, engine.EndedStuck, engine.EndedTimeCalled},
		"end.you.":    {engine.EndedEmptied, engine.EndedLastLap, engine.EndedStuck, engine.EndedTimeCalled},
		"end.shared.": {engine.EndedEmptied, engine.EndedLastLap, engine.EndedStuck, engine.EndedTimeCalled},
		"outcome.":    {"play", "draw", "pass", "ready", "redeal", "call"},
		"charge.":     {engine.ReasonNoMeldAble, engine.ReasonNoMeldUnable},
		"order.":      {engine.WinsThenPoints, engine.ByPoints, engine.LowestPoints},
		"fault.": {tile.FaultTooShort, tile.FaultTooLong, tile.FaultJokersAlone, tile.FaultColourRepeats,
			tile.FaultMixed, tile.FaultRunOrder, tile.FaultRunGap, tile.FaultOffEnd},
		"refused.": {engine.CodeInvalidSet, engine.CodeTileLost, engine.CodeNotOnRack, engine.CodeNothingPlayed,
			engine.CodeTableTouched, engine.CodeMeldShort, engine.CodeJokerWithoutRackTile, engine.CodeJokerNotReplaced,
			engine.RefusedAlreadyStarted, engine.RefusedNotStarted, engine.RefusedNotBegun, engine.RefusedGameOver,
			engine.RefusedBadDeal, engine.RefusedSeats, engine.RefusedSeat, engine.RefusedNotYourTurn, engine.RefusedStaleTurn,
			engine.RefusedPaused, engine.RefusedNotPaused, engine.RefusedPoolEmpty, engine.RefusedPoolNotEmpty,
			engine.RefusedRedealClosed, engine.RefusedNoDoubles, engine.RefusedAlreadyReady, engine.RefusedAlreadyCalled,
			engine.RefusedNotCalled, engine.RefusedReason, engine.RefusedAmount, engine.RefusedNotDue, engine.RefusedNoLimit,
			engine.RefusedLeftovers, engine.RefusedCallTaken},
		"replay.did.": {"tiles_played", "tile_drawn", "turn_passed", "turn_expired", "illegal_played"},
		"last.": {"tiles_played", "tile_drawn", "turn_passed", "turn_expired", "illegal_played", "penalty_given", "redeal_asked", "leftovers_ruled",
			"tiles_played.you", "tile_drawn.you", "turn_passed.you", "turn_expired.you", "illegal_played.you", "penalty_given.you", "redeal_asked.you", "leftovers_ruled.you"},
	}
}

func TestEveryUsedTextExists(t *testing.T) {
	known := families()
	for prefix, words := range known {
		for _, word := range words {
			if !HasText(prefix + word) {
				t.Errorf("no text for %q", prefix+word)
			}
		}
	}
	subjects := map[string]bool{} // what stands before the first dot of a key
	for key := range texts(t, "en.json") {
		subject, _, _ := strings.Cut(key, ".")
		subjects[subject] = true
	}
	used := 0
	for name, source := range sources(t) {
		for _, found := range literalKey.FindAllStringSubmatch(source, -1) {
			key := found[1]
			subject, rest, _ := strings.Cut(key, ".")
			switch {
			case !subjects[subject] || rest == "js":
			case strings.HasSuffix(key, "."):
				if _, ok := known[key]; !ok {
					t.Errorf("%s builds keys from %q, which families does not list", name, key)
				}
			case !HasText(key):
				t.Errorf("%s uses %q, which has no text", name, key)
			default:
				used++
			}
		}
	}
	if used < 250 {
		t.Fatalf("got %d keys out of the sources, want at least 250: the search is broken", used)
	}
}

// sources are this package's files as people wrote them, by name.
func sources(t *testing.T) map[string]string {
	t.Helper()
	names, err := filepath.Glob("*.*")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, name := range names {
		if strings.HasSuffix(name, "_templ.go") || strings.HasSuffix(name, "_test.go") {
			continue
		}
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all[name] = string(source)
	}
	return all
}

func TestPluralAndLanguage(t *testing.T) {
	for _, test := range []struct {
		wish string
		n    int
		want string
	}{
		{"en", 1, "1 player"}, {"en", 2, "2 players"}, {"it", 1, "1 giocatore"}, {"it-CH", 33, "33 giocatori"},
		{"fr;q=0.9, it;q=0.5", 2, "2 giocatori"}, {"xx", 2, "2 players"}, {"", 0, "0 players"},
	} {
		if got := T(WithLanguage(t.Context(), test.wish), "event.players", "n", test.n); got != test.want {
			t.Errorf("%q, %d: got %q, want %q", test.wish, test.n, got, test.want)
		}
	}
	if got := T(t.Context(), "no.such.key"); got != "no.such.key" {
		t.Errorf("a key without a text: got %q, want the key", got)
	}
}
