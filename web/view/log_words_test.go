package view

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"meldhall/data"
	"meldhall/templates/locale"
	"meldhall/tournament/action"
	_ "meldhall/tournament/copies"   // registers its kind of record
	_ "meldhall/tournament/practice" // registers its kinds of record
	"meldhall/tournament/preset"
)

// TestTheLogSpeaksToPeople checks that recorded actions are shown in names and words.
func TestTheLogSpeaksToPeople(t *testing.T) {
	w := &logWriter{locale.WithLanguage(t.Context(), "en"), map[string]string{"player:17": "Cid"}}
	presets, err := preset.Load(data.Rules, data.Formats)
	if err != nil {
		t.Fatal(err)
	}
	wrc := presets.Formats["wrc"]
	plan, err := json.Marshal(wrc)
	if err != nil {
		t.Fatal(err)
	}
	day := func(hour, minute int) int64 {
		return time.Date(2026, 11, 21, hour, minute, 0, 0, time.Local).UnixMilli()
	}
	slots := fmt.Sprintf(`[{"round":1,"starts_at":%d,"ends_at":%d},{"name":"Lunch","starts_at":%d,"ends_at":%d}]`,
		day(10, 0), day(11, 30), day(11, 30), day(12, 30))
	for _, c := range loggedRows(plan, FormatNote(w.ctx, wrc), slots) {
		r := action.Record{Kind: c.kind, Version: 1, AboutJSON: c.on, Data: c.data, Actor: "organizer:Eve"}
		got := w.Entry(r)
		if Plain(got.Subject) != c.about || Plain(got.Before) != c.before || Plain(got.After) != c.after {
			t.Errorf("%s of %s: got %q, before %q, after %q", c.kind, c.data, got.Subject, got.Before, got.After)
		}
		if c.after != "" && (!w.Match(strings.ToUpper(c.after))(r) || w.Match("none of it")(r)) {
			t.Errorf("%s is not found by what is shown of it: %q", c.kind, got.After)
		}
	}
	old := action.Record{Kind: "round.swap", Subject: "round 4", Before: "Ann at table 1 seat 2",
		After: "Ben at table 1 seat 2", Actor: "player:17"}
	if got := w.Entry(old); got.Subject != old.Subject || got.Before != old.Before || got.After != old.After ||
		!strings.Contains(got.Who, "Cid") {
		t.Errorf("an old record is not shown as it was written: %+v", got)
	}
}

// loggedRow is a record and its expected texts; before is empty if the record has no such text.
type loggedRow struct{ kind, on, data, about, before, after string }

// loggedRows returns a record of each kind with its expected texts.
func loggedRows(plan []byte, note, slots string) []loggedRow {
	const game = `{"round":2,"table":3,"game":66,"game_number":1,"players":[1,2]}`
	return []loggedRow{
		{"result.correct_result", game, `{"was":{"rev":1,"status":"provisional","ending":"emptied","seats":[{"name":"Ann","points":5.5,"wins":0.5}]},
			"is":{"rev":2,"status":"confirmed","ending":"emptied","seats":[{"name":"Ann","points":90,"wins":1},{"name":"Ben","points":-90}]}}`,
			"Round 2 · table 3 · game 1", "Result 1, provisional: Ann 5.5 (wins 0.5)",
			"Result 2, confirmed: Ann 90 (wins 1), Ben \u221290"},
		{"result.replay", game, `{"is":{"rev":3,"status":"confirmed","ending":"annulled","seats":[]}}`,
			"Round 2 · table 3 · game 1", "", "Result 3: annulled"},
		{"result.agree", game,
			`{"is":{"rev":1,"status":"provisional","ending":"last_lap","seats":[{"name":"Ann","points":5.5,"wins":0.5}]}}`,
			"Round 2 · table 3 · game 1", "", "Result 1, provisional: Ann 5.5 (wins 0.5)"},
		{"protest.make", game,
			`{"is":{"rev":1,"status":"provisional","ending":"stuck","seats":[{"name":"Ann","points":3,"wins":1},{"name":"Ben","points":0}]}}`,
			"Round 2 · table 3 · game 1", "", "Result 1, provisional: Ann 3 (wins 1), Ben 0"},
		{"protest.decide", `{"round":2,"table":3,"game":66,"game_number":1,"player":1,"name":"Ann"}`,
			`{"text":"Counted. Twice.","outcome":"upheld"}`,
			"Round 2 · table 3 · game 1 · Ann, no. 1", "Counted. Twice.", "Upheld"},
		{"sanction.give", `{"player":9,"name":"Ann","number":4}`, `{"kind":"points","points":50,"rule":"3.1"}`,
			"Ann, no. 9", "", "50 points, Rule 3.1"},
		{"sanction.propose", `{"round":2,"player":9,"name":"Ann","number":4}`, `{"kind":"disqualification"}`,
			"Round 2 · Ann, no. 9", "", "disqualification"},
		{"sanction.seconded", `{"player":9,"name":"Ann","number":4}`,
			`{"kind":"disqualification","state":"proposed","decision":"seconded"}`, "Ann, no. 9",
			"disqualification (proposed)", "confirmed by a second official"},
		{"sanction.cancelled", `{"player":9,"name":"Ann","number":4}`,
			`{"kind":"points","points":50,"rule":"3.1","state":"in_force","decision":"cancelled"}`, "Ann, no. 9",
			"50 points, Rule 3.1 (in force)", "cancelled"},
		{"player.withdraw", `{"player":9,"name":"Ann"}`, `{"was":"false","is":"true"}`, "Ann, no. 9", "no", "yes"},
		{"seat.reissue", `{"round":4,"table":2,"seat":1,"players":[3]}`, "", "Round 4 \u00b7 Table 2 \u00b7 seat 1", "",
			""},
		{"seat.join", `{"round":4,"table":2,"seat":1,"name":"Ann","players":[3]}`, "",
			"Round 4 \u00b7 Table 2 \u00b7 seat 1 \u00b7 Ann", "", ""},
		{"publishing.set", `{"name":"Cup"}`,
			`{"part":"standings","was":{"how":"public"},"is":{"how":"delayed","minutes":5}}`, "Cup",
			"Standings: public", "Standings: 5 minutes behind"},
		{"tournament.tiles", `{"name":"Cup"}`, `{"was":"real","is":"digital"}`, "Cup", "real", "on the tablets"},
		{"table.tiles", `{"round":4,"table":2}`, `{"is":"real"}`, "Round 4 \u00b7 Table 2", "", "real"},
		{"round.publish", `{"round":4}`, `{"was":"draft","is":"published"}`, "Round 4", "draft", "published"},
		{"round.check", `{"round":4}`, "", "Round 4", "", ""},
		{"round.duplicate", `{"round":4}`, `{"was":"false","is":"true"}`, "Round 4", "no", "yes"},
		{"round.seat", `{"round":4}`,
			`{"method":"random","seed":12,"tables":9,"players":33,"games":4,"duplicate":true}`, "Round 4", "",
			"Seated at random; tables: 9, players: 33, games: 4, random seed: 12, Same tiles at every table"},
		{"round.seat", `{"round":4}`, `{"method":"random","seed":12,"tables":9,"players":33,"games":4,"given_up":2}`,
			"Round 4", "",
			"Seated at random; tables: 9, players: 33, games: 4, random seed: 12, " +
				"a file’s seats for later rounds discarded: 2"},
		{"round.discard", `{"round":4}`, `{"given_up":2}`, "Round 4", "",
			"a file’s seats for later rounds discarded: 2"},
		{"round.swap", `{"round":4,"tables":[1,3]}`,
			`{"a":{"name":"Ann","table":1,"seat":2},"b":{"name":"Ben","table":3,"seat":4}}`, "Round 4",
			"Ann: Table 1 \u00b7 seat 2; Ben: Table 3 \u00b7 seat 4",
			"Ben: Table 1 \u00b7 seat 2; Ann: Table 3 \u00b7 seat 4"},
		{"cut.lot", `{"stage":2}`, `{"among":["Cid","Dot","Eve"],"drawn":["Dot","Eve","Cid"],"places":2,"seed":9}`,
			"Stage 2", "Cid, Dot, Eve", "Dot, Eve (random seed 9)"},
		{"tournament.create", `{"name":"Cup"}`, `{"format":"wrc","format_version":1,"rules":"wrc","rules_version":2}`,
			"Cup", "", "World championship, World championship"},
		{"tournament.create", `{"name":"Cup"}`,
			`{"format":"Cup v1.2","format_version":1,"rules":"wrc","rules_version":2}`, "Cup", "",
			"Cup v1.2, World championship"},
		{"tournament.format", `{"name":"Cup"}`, `{"is":` + string(plan) + `}`, "Cup", "", "World championship: " +
			note},
		{"tournament.reopen", `{"name":"Cup"}`, `{"was":"finished","is":"running","rounds":3}`, "Cup", "finished",
			"running; rounds: 3"},
		{"slots.set", "", `{"was":` + slots + `}`, "",
			"Round 1: Sat, 21 Nov 2026, 10:00–11:30, Lunch: Sat, 21 Nov 2026, 11:30–12:30", ""},
		{"slots.move", `{"round":1}`, `{"is":` + slots + `}`, "Round 1", "",
			"Round 1: Sat, 21 Nov 2026, 10:00–11:30, Lunch: Sat, 21 Nov 2026, 11:30–12:30"},
		{"player.extra_time", `{"player":9,"name":"Ann"}`, `{"was":0,"is":30}`, "Ann, no. 9", "+0 s each turn",
			"+30 s each turn"},
		{"player.family", `{"player":9,"name":"Ann"}`, `{"is":"set"}`, "Ann, no. 9", "", "recorded"},
		{"player.division", `{"player":9,"name":"Ann"}`, `{"was":"senior","is":"junior"}`, "Ann, no. 9", "senior",
			"junior"},
		{"player.drawn", `{"player":9,"name":"Ann"}`, `{"was":3,"is":7}`, "Ann, no. 9", "3", "7"},
		{"player.drawn_lot", `{"player":9,"name":"Ann"}`, `{"is":7,"seed":12}`, "Ann, no. 9", "", "7 (random seed 12)"},
		{"qualification.set", `{"player":9,"name":"Ann"}`, `{"is":"not_eligible"}`, "Ann, no. 9", "", "not eligible"},
		{"people.leave", `{"player":9,"name":"Ann"}`, `{"was":{"players":[{"number":9,"name":"Ann","state":"registered"}],"tables":[{"round":2,"table":3,"players":["Ann","Ben","Cid"]}]},
			"is":{"players":[{"number":9,"name":"Ann","state":"withdrawn","gone":true}],"tables":[{"round":2,"table":3,"players":["Ben","Cid"]}],"missed":[{"name":"Ann","round":2,"reason":"left","charge":20}]}}`,
			"Ann, no. 9", "Ann (no. 9): registered; Round 2, Table 3: Ann, Ben, Cid",
			"Ann (no. 9): withdrawn; Round 2, Table 3: Ben, Cid; Ann: Round 2: had withdrawn, no wins, \u221220 points"},
		{"people.enter", `{"player":9,"name":"Ann"}`,
			`{"is":{"players":[{"number":9,"name":"Ann","state":"checked_in","fixed_table":4,"drawn":7}],"missed":[{"name":"Ann","round":1,"reason":"late"}]}}`,
			"Ann, no. 9", "",
			"Ann (no. 9): here, number 7 in the number chart, always at table 4; Ann: Round 1: came late, no wins, no points"},
		{"people.substitute", `{"player":9,"name":"Ann"}`,
			`{"is":{"stand_ins":[{"person":"Aunt \"M\"","name":"Ann","round":2,"game":1}]}}`, "Ann, no. 9", "",
			`Aunt "M" plays for Ann from round 2, game 1`},
		{"people.return", `{"player":9,"name":"Ann"}`, `{"is":{"stand_ins":[{"name":"Ann","round":2,"game":1}]}}`,
			"Ann, no. 9", "", "Ann plays in person from round 2, game 1."},
		{"people.close_table", `{"table":7}`, `{"is":{"closed":[7]}}`, "Table 7", "", "Table 7 is out of service."},
		{"people.correct", `{"player":9,"name":"Zoë"}`, `{"was":"Zoe","is":"Zoë, PL"}`, "Zoë, no. 9", "Zoe", "Zoë, PL"},
		{"people.settings", "", `{"was":{"settings":{"registration_open":false,"capacity":0,"check_in_open":true,"no_show_minutes":10,"missed_charge":0}},
			"is":{"settings":{"registration_open":true,"capacity":40,"check_in_open":true,"no_show_minutes":10,"missed_charge":5}}}`, "",
			"There is no limit on places. A missed game costs no points. Registration is open to everybody: no.",
			"There are 40 places. A missed game costs 5 points. Registration is open to everybody: yes."},
		{"people.undo", `{"player":9,"name":"Ann"}`, `{"was":{"settings":{"registration_open":false,"capacity":0,"check_in_open":true,"no_show_minutes":10,"missed_charge":0}},
			"is":{"settings":{"registration_open":false,"capacity":0,"check_in_open":false,"no_show_minutes":10,"missed_charge":0}}}`, "Ann, no. 9",
			"Players check themselves in with their ticket: yes.",
			"Players check themselves in with their ticket: no."},
		{"badge.show", `{"round":2,"table":3,"game":66,"game_number":1,"player":9,"name":"Cid","players":[8,9]}`, "",
			"Round 2 \u00b7 table 3 \u00b7 game 1 \u00b7 Cid, no. 9", "", ""},
		{"account.role", `{"name":"Bob"}`, `{"was":"referee","is":"scorekeeper"}`, "Bob", "Referee", "Scorekeeper"},
		{"account.remove", `{"name":"Bob"}`, `{"was":"referee"}`, "Bob", "Referee", ""},
		{"account.pin", `{"name":"Bob"}`, `{"is":"set"}`, "Bob", "", "recorded"},
		{"device.revoke", `{"name":"Bob"}`, `{"was":"Mozilla/5.0 (iPhone)"}`, "Bob", "Mozilla/5.0 (iPhone)", ""},
		{"round.promise", `{"round":4}`, `{"method":"random","hash":"5fe0"}`, "Round 4", "", "Seated at random, 5fe0"},
		{"round.promise", `{"round":4}`, `{"hash":"5fe0"}`, "Round 4", "", "5fe0"},
		{"zone.set", `{"name":"Bob","tables":[1,2,3,9]}`, `{"was":"7","is":"1-3, 9"}`, "Bob", "7", "1-3, 9"},
		{"display.pair", `{"what":"screen","number":2}`, `{"is":{"table":4,"settings":"x=1"}}`, "Screen 2", "",
			"Table 4"},
		{"display.move", `{"what":"screen","number":2}`, `{"was":{"table":4},"is":{"table":5}}`, "Screen 2", "Table 4",
			"Table 5"},
		{"display.remove", `{"what":"screen","number":2}`, `{"was":{"table":4}}`, "Screen 2", "Table 4", ""},
		{"rehearsal.start", `{"name":"Rehearsal"}`, `{"is":"all"}`, "Rehearsal", "", "Rehearse the whole event"},
		{"rehearsal.remove", `{"name":"Rehearsal"}`, "", "Rehearsal", "", ""},
		{"backup", `{"name":"a.db"}`, `{"bytes":4096}`, "a.db", "", "4096 bytes"},
		{"announce", "", `{"level":"urgent","minutes":10,"texts":{"en":"Fire: leave"}}`, "", "",
			"Urgent, 10 min: Fire: leave"},
		{"announce.end", `{"what":"announcement","number":3}`,
			`{"level":"urgent","minutes":10,"texts":{"en":"Fire: leave"}}`, "Announcement 3",
			"Urgent, 10 min: Fire: leave", ""},
	}
}
