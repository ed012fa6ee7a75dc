package web

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"meldhall/templates"
	"meldhall/tournament"
)

// TestTheLogSpeaksToPeople: what the storage records of an action is shown in names and words.
func TestTheLogSpeaksToPeople(t *testing.T) {
	format, err := json.Marshal(presets(t).Formats["wrc"])
	if err != nil {
		t.Fatal(err)
	}
	w := &logWriter{templates.WithLanguage(t.Context(), "en"), map[string]string{"game 66": "Round 2, table 3, game 1"},
		map[string][]string{"game 66": {"Ann", "Ben"}}, map[string]string{"17": "Cid", "18": "Dot"}}
	for _, c := range []struct{ action, subject, stored, about, shown string }{
		{"result.correct_result", "game 66", "rev 2 confirmed emptied: 90 (1) \u221290 (0)", "Round 2, table 3, game 1", "Result 2, confirmed: Ann 90 (wins 1), Ben \u221290"},
		{"result.correct_result", "game 66", "rev 3 confirmed annulled: 0 (0) 0 (0)", "Round 2, table 3, game 1", "Result 3: counts for nobody"},
		{"result.agree", "game 9", "rev 1 provisional last_lap: 5.5 (0.5)", "game 9", "Result 1, provisional: seat 1 5.5 (wins 0.5)"},
		{"protest.make", "game 66", "rev 1 provisional stuck: 3 (1) 0 (0)", "Round 2, table 3, game 1", "Result 1, provisional: Ann 3 (wins 1), Ben 0"},
		{"protest.decide", "game 66", "upheld", "Round 2, table 3, game 1", "Upheld"},
		{"round.publish", "round 4", "draft", "Round 4", "draft"},
		{"seat.reissue", "round 4, table 2, seat 1", "", "Round 4 \u00b7 Table 2 \u00b7 seat 1", ""},
		{"seat.join", "round 4, table 2, seat 1 (Ann)", "", "Round 4 \u00b7 Table 2 \u00b7 seat 1 \u00b7 Ann", ""},
		{"round.duplicate", "round 4", "true", "Round 4", "yes"},
		{"round.seat", "round 4", "random, seed 12, 9 tables, 33 players, 4 games, same deal true", "Round 4", "Seated at random; tables: 9, players: 33, games: 4, seed: 12, Same tiles at every table"},
		{"round.seat", "round 4", "random, seed 12, 9 tables, 33 players, 4 games, same deal false, a file's seats for 2 later rounds given up", "Round 4",
			"Seated at random; tables: 9, players: 33, games: 4, seed: 12, a file’s seats for later rounds given up: 2"},
		{"round.discard", "round 4", "a file's seats for 2 later rounds given up", "Round 4", "a file’s seats for later rounds given up: 2"},
		{"round.swap", "round 4", "Ann at table 1 seat 2, Ben at table 3 seat 4", "Round 4", "Ann: Table 1 \u00b7 seat 2; Ben: Table 3 \u00b7 seat 4"},
		{"people.leave", "player 9 (Ann)", "9 Ann: withdrawn, gone; round 2, table 3: Ben, Cid; Ann misses round 2: left, \u221220", "Ann, no. 9",
			"Ann (no. 9): withdrawn; Round 2, Table 3: Ben, Cid; Ann: Round 2: had withdrawn, no wins, \u221220 points"},
		{"people.enter", "player 9 (Ann)", "9 Ann: checked_in, table 4; Ann misses round 1: late, \u22120", "Ann, no. 9",
			"Ann (no. 9): here, always at table 4; Ann: Round 1: came late, no wins, no points"},
		{"people.substitute", "player 9 (Ann)", `for Ann from round 2, game 1: "Aunt \"M\""`, "Ann, no. 9", `Aunt "M" plays for Ann from round 2, game 1 on`},
		{"people.return", "player 9 (Ann)", `for Ann from round 2, game 1: ""`, "Ann, no. 9", "Ann plays in person from round 2, game 1 on."},
		{"people.close_table", "table 7", "table 7 out of service", "Table 7", "Table 7 is out of service."},
		{"cut.lot", "stage 2", "[17 18]", "Stage 2", "Cid, Dot"},
		{"tournament.format", "tournament 1 (Cup)", string(format), "Cup", "World championship"},
		{"tournament.create", "tournament 1 (Cup)", "format wrc 1, rules wrc-50 2", "Cup", "World championship"},
		{"tournament.tiles", "tournament 1 (Cup)", "digital", "Cup", "on the tablets"},
		{"announce", "announcement 3", "urgent, 10 minutes: Fire: leave", "Announcement 3", "Urgent, 10 min: Fire: leave"},
		{"display.pair", "screen 2", "event 1, table 4 x=1", "Screen 2", "Table 4"},
		{"sanction.give", "sanction 4, player 9 (Ann)", "50 points, rule 3.1", "Ann, no. 9", "50 points, Rule 3.1"},
		{"sanction.seconded", "sanction 4, player 9 (Ann)", "proposed: disqualification", "Ann, no. 9", "disqualification (proposed)"},
		{"slots.set", "plan of the day", "round 1 2026-11-21 10:00-11:30, break Lunch 2026-11-21 11:30-12:30", "Plan of the day", "Round 1 2026-11-21 10:00-11:30, Lunch 2026-11-21 11:30-12:30"},
		{"badge.show", "player:17", "game 66", "Cid", "Round 2, table 3, game 1"},
		{"player.extra_time", "player 9 (Ann)", "30", "Ann, no. 9", "+30 s each turn"},
		{"player.division", "player 9 (Ann)", "junior", "Ann, no. 9", "junior"},
		{"qualification.set", "player 9 (Ann)", "not_eligible", "Ann, no. 9", "not eligible"},
	} {
		e := tournament.AuditEntry{Action: c.action, Subject: c.subject, Before: c.stored, After: c.stored, Actor: "organizer:Eve"}
		got := w.entry(e)
		plain := strings.NewReplacer("\u2068", "", "\u2069", "").Replace
		if plain(got.Subject) != c.about || !strings.HasPrefix(plain(got.After), c.shown) || c.shown == "" != (got.After == "") || got.Before != got.After {
			t.Errorf("%s of %s: got %q about %q", c.action, c.stored, got.After, got.Subject)
		}
		if c.shown != "" && (!w.holds(e, strings.ToUpper(c.shown)) || !w.holds(e, c.stored) || w.holds(e, "nothing of it")) {
			t.Errorf("%s is not found by what is shown of it: %q", c.action, got.After)
		}
	}
	a, b := tournament.PeopleSettingsOf{NoShowMinutes: 10}, tournament.PeopleSettingsOf{NoShowMinutes: 10, Capacity: 40, MissedCharge: 5, RegistrationOpen: true}
	before, _ := json.Marshal(a)
	after, _ := json.Marshal(b)
	got := w.entry(tournament.AuditEntry{Action: "people.settings", Before: string(before), After: string(after)})
	if got.Before != "There is no limit to the places. A missed game costs no points. Registration is open to everybody: no." || got.After != "There are 40 places. A missed game costs 5 points. Registration is open to everybody: yes." {
		t.Errorf("settings: %q, %q", got.Before, got.After)
	}
}

// TestEveryActionHasAWord: the log of an event names each action that the storage records in the reader's language.
func TestEveryActionHasAWord(t *testing.T) {
	files, err := filepath.Glob("../tournament/store_*.go")
	if err != nil {
		t.Fatal(err)
	}
	recorded := regexp.MustCompile(`action: "([a-z_]+(?:\.[a-z_]+)?)"`)
	ofNoEvent := []string{"account.", "format.", "practice.", "device.", "backup"}
	found := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range recorded.FindAllStringSubmatch(string(text), -1) {
			key := "log.action." + m[1]
			if slices.ContainsFunc(ofNoEvent, func(kind string) bool { return strings.HasPrefix(m[1], kind) }) {
				continue
			}
			found++
			for _, language := range []string{"en", "it", "he"} {
				if ctx := templates.WithLanguage(t.Context(), language); templates.T(ctx, key) == key {
					t.Errorf("%s: no text in %s (%s)", m[1], language, file)
				}
			}
		}
	}
	if found < 30 {
		t.Errorf("only %d actions were found", found)
	}
}
