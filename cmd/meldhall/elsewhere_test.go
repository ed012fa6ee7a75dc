package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"meldhall/cmd/internal/prepare"
)

// ranked runs the command on documents and returns its answers and errors.
func ranked(t *testing.T, documents string) (answers []rankedElsewhere, refused []string, err error) {
	t.Helper()
	presets, fault := prepare.Presets("")
	if fault != nil {
		t.Fatal(fault)
	}
	var out bytes.Buffer
	err = rankEvents(presets, strings.NewReader(documents), &out)
	for line := range strings.Lines(out.String()) {
		var a struct {
			rankedElsewhere
			Error string
		}
		if err := json.Unmarshal([]byte(line), &a); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		if answers = append(answers, a.rankedElsewhere); a.Error != "" {
			refused = append(refused, a.Error)
		}
	}
	return answers, refused, err
}

// told lists the places of an answer with what separates them: 1 C, 2 D wins, ….
func (a rankedElsewhere) told() string {
	var out []string
	for _, p := range a.Places {
		text := fmt.Sprint(p.Place, " ", p.Player)
		if p.Why != nil {
			text += " " + p.Why.Key
		}
		out = append(out, text)
	}
	return strings.Join(out, ", ")
}

// games returns the results of one table as JSON, game by game.
func games(round, stage int, players string, points ...string) string {
	var out []string
	names := `"` + strings.ReplaceAll(players, " ", `","`) + `"`
	for _, p := range points {
		out = append(out, fmt.Sprintf(`{"stage":%d,"round":%d,"players":[%s],"points":[%s]}`, stage, round, names, p))
	}
	return strings.Join(out, ",")
}

func event(format, players, results, more string) string {
	return fmt.Sprintf(`{"format":%s,"players":["%s"],"results":[%s]%s}`, format,
		strings.ReplaceAll(players, " ", `","`), results, more)
}

const finalOnly = `{"name":"final","version":1,"source":"","scoring":%s,"stages":[{"name":"final","kind":"final","rounds":1,"games_per_round":4,"cut":0,
	"seating":"random","seat_change":"keep","carry_over":"all"}]}`

// TestPublishedResultsGivePublishedPlaces checks that published results of real tournaments lead to the published
// places.
func TestPublishedResultsGivePublishedPlaces(t *testing.T) {
	scored := func(scoring string) string { return fmt.Sprintf(finalOnly, scoring) }
	for _, row := range []struct{ name, document, want string }{
		{"the Pressman sheet: every game adds up to nothing, by wins and then points",
			event(`"open"`, "A B C D", games(1, 1, "A B C D", "24,-5,-16,-3", "-6,-11,22,-5", "-32,-13,-2,47",
				"-10,-25,41,-6"), ""),
			"1 C, 2 D wins, 3 A points, 4 B wins"},
		{"the same by points alone, as in Japan and Belgium",
			event(scored(`{"ranking":"points"}`), "A B C D",
				games(1, 1, "A B C D", "24,-5,-16,-3", "-6,-11,22,-5", "-32,-13,-2,47", "-10,-25,41,-6"), ""),
			"1 C, 2 D points, 3 A points, 4 B points"},
		{"Żorawina 2024: a final won by 3:1:0:0 games",
			event(`"open"`, "A B C D", games(1, 1, "A B C D", "30,-10,-10,-10", "40,-10,-10,-20", "-10,30,-5,-15",
				"60,-20,-20,-20"), ""),
			"1 A, 2 B wins, 3 C wins, 4 D points"},
		{"Wermelskirchen 2015: 4-3-1-0 by place",
			event(`"wermelskirchen"`, "A B C D", games(1, 1, "A B C D", "30,-5,-10,-15", "-20,45,-15,-10"), ""),
			"1 B, 2 A table_points, 3 D table_points, 4 C table_points"},
		{"5-3-2-1, who ties shares the average: two first places are worth four each",
			event(scored(`{"ranking":"table_points","table_points":[[5,3,2,1],[5,3,1]]}`), "A B C D",
				games(1, 1, "A B C D", "10,10,-5,-15"), ""),
			"1 A, 1 B shared, 3 C table_points, 4 D table_points"},
		{"a game's box: A empties, B and C pay 16 and 102", event(`"open"`, "A B C",
			games(1, 1, "A B C", "118,-16,-102"), ""), "1 A, 2 B wins, 3 C points"},
		{"an exhausted pool under the WRC's rules: the least rack has 0",
			event(`"open"`, "A B C D", games(1, 1, "A B C D", "-15,0,-7,-35"), ""),
			"1 B, 2 C wins, 3 A points, 4 D points"},
		{"Gwinnett: the lowest score wins", event(`"gwinnett"`, "A B C D",
			games(1, 1, "A B C D", "0,12,30,5", "8,0,25,3"), ""), "1 A, 2 D best_game, 3 B lowest, 4 C lowest"},
		{"a qualifier in Japan: 100 for each win", event(`"twipla"`, "A B C D",
			games(1, 1, "A B C D", "5,-1,-2,-2", "-2,90,-44,-44", "4,-2,-1,-1"), ""),
			"1 A, 2 B points, 3 C points, 3 D shared"},
		{"kdgame: points for the winner alone", event(`"kdgame"`, "A B C D",
			games(1, 1, "A B C D", "20,-5,-5,-10", "-90,15,70,5"), ""),
			"1 C, 2 A points, 3 B wins, 3 D shared"},
	} {
		t.Run(row.name, func(t *testing.T) {
			got, refused, err := ranked(t, row.document)
			if err != nil {
				t.Fatal(err, refused)
			}
			if got[0].told() != row.want {
				t.Errorf("%s\nwant %s", got[0].told(), row.want)
			}
		})
	}
}

// TestAnEventElsewhereWithCuts ranks a whole tournament with Belgium's cut to eight, a lot where needed, and a final
// that counts alone.
func TestAnEventElsewhereWithCuts(t *testing.T) {
	results := strings.Join([]string{
		games(1, 1, "A B C D", "90,20,-60,-50"), strings.ReplaceAll(games(1, 1, "E F G H", "20,-4,-7,-9"), `"round"`,
			`"table":2,"round"`), strings.ReplaceAll(games(1, 1, "I K L", "30,-10,-20"), `"round"`,
			`"table":3,"round"`),
		games(2, 2, "A I B E", "10,-5,-3,-3", "5,-3,-1,-1"),
		strings.ReplaceAll(games(2, 2, "F G H K", "-5,15,-5,-5", "-1,-2,-2,5"), `"round"`, `"table":2,"round"`),
		games(3, 3, "A G K B", "-30,6,-1,25")}, ",")
	got, refused, err := ranked(t, event(`"belgium"`, "A B C D E F G H I K L", results, ""))
	if err != nil {
		t.Fatal(err, refused)
	}
	cuts := fmt.Sprint(got[0].Cuts)
	if want := "[{2 [A I E B F G H K] [] [] 0 []} {3 [A G K] [] [B E] 1 []}]"; cuts != want {
		t.Errorf("cuts %s, want %s", cuts, want)
	}
	if got, want := got[0].told(), "1 B, 2 G points, 3 K points, 4 A points, 5 E stage"; !strings.HasPrefix(got, want) {
		t.Errorf("%s, want %s", got, want)
	}
	got, _, err = ranked(t, event(`"belgium"`, "A B C D E F G H I K L", results,
		`,"lots":[{"stage":2,"drawn":["B","E"]}]`))
	if cuts := fmt.Sprint(got[0].Cuts[1]); err != nil || cuts != "{3 [A G K B] [] [] 0 []}" {
		t.Errorf("with the lot: %s, %v", cuts, err)
	}
}

// TestAWithdrawalElsewhereChangesNoPastCut checks that a player who withdraws later stays in an earlier cut, and that a
// champion who leaves after the last game keeps first place.
func TestAWithdrawalElsewhereChangesNoPastCut(t *testing.T) {
	const four = `{"name":"cup","version":1,"source":"","qualification":{"berths":1},"stages":[
		{"name":"a","kind":"preliminary","rounds":1,"games_per_round":1,"cut":0,
		"seating":"random","seat_change":"keep","carry_over":"all"},
		{"name":"b","kind":"final","rounds":1,"games_per_round":2,"cut":4,
		"seating":"standings","seat_change":"keep","carry_over":"none"}]}`
	first := games(1, 1, "A B C D", "90,-20,-30,-40") + "," +
		strings.ReplaceAll(games(1, 1, "E F G H", "80,-10,-25,-45"), `"round"`, `"table":2,"round"`)
	document := func(results, more string) string {
		return `{"format":` + four + `,"players":["B","C","D","E","F","G","H",{"name":"A"` + more + `}],"results":[` +
			results + `]}`
	}
	final := games(2, 2, "A E F B", "50,-10,-20,-20", "40,-10,-10,-20")
	left := games(2, 2, "A E F B", "50,-10,-20,-20") + "," + games(2, 2, "E F B", "20,-10,-10")
	for name, row := range map[string]struct{ document, cuts, berth string }{
		"nobody leaves": {document(first+","+final, ``), "[{2 [A E F B] [] [] 0 []}]",
			"{A 1 qualifies 1}"},
		"the champion leaves later": {document(first+","+final, `,"withdrawn":true`), "[{2 [A E F B] [] [] 0 []}]",
			"{A 1 qualifies 1}"},
		"a finalist leaves midway": {document(first+","+left, `,"withdrawn":true`), "[{2 [A E F B] [] [] 0 []}]",
			"{E 2 qualifies 1}"},
		"a finalist is disqualified": {document(first+","+final, `,"disqualified":true`), "[{2 [A E F B] [] [] 0 []}]",
			"{E 1 qualifies 1}"},
		"who left before the cut": {document(first, `,"withdrawn":true`), "[{2 [E F B G] [] [] 0 []}]",
			"{E 2 qualifies 1}"},
	} {
		got, refused, err := ranked(t, row.document)
		if err != nil {
			t.Fatal(name, err, refused)
		}
		if cuts := fmt.Sprint(got[0].Cuts); cuts != row.cuts {
			t.Errorf("%s: cuts %s, want %s", name, cuts, row.cuts)
		}
		if len(got[0].Qualification) == 0 || fmt.Sprint(got[0].Qualification[0]) != row.berth {
			t.Errorf("%s: %v, want %s first", name, got[0].Qualification, row.berth)
		}
	}
}

// TestACutThroughATieElsewhere checks that eight players with equal results at the cut are reported as tied, with the
// tie-breaks still to come.
func TestACutThroughATieElsewhere(t *testing.T) {
	var players, results []string
	for table := range 4 {
		a, b, c, d := fmt.Sprint("W", table), fmt.Sprint("X", table), fmt.Sprint("Y", table), fmt.Sprint("Z", table)
		players = append(players, a, b, c, d)
		results = append(results, strings.ReplaceAll(games(1, 1, strings.Join([]string{a, b, c, d}, " "),
			"20,-5,-5,-10"), `"round"`, fmt.Sprintf(`"table":%d,"round"`, table+1)))
	}
	got, refused, err := ranked(t, event(`"belgium"`, strings.Join(players, " "), strings.Join(results, ","), ""))
	if err != nil {
		t.Fatal(err, refused)
	}
	if cut := got[0].Cuts[0]; len(cut.In) != 4 || len(cut.Tied) != 8 || cut.Places != 4 ||
		fmt.Sprint(cut.Decides) != "[lot]" {
		t.Errorf("got %+v", cut)
	}
}

// TestABerthPassesDownElsewhere uses Żorawina: the champion could not take the place in the national championship, so
// it passed to the next player.
func TestABerthPassesDownElsewhere(t *testing.T) {
	document := `{"format":"zorawina","players":[{"name":"A","waiver":"qualified_already"},"B","C","D"],"results":[` +
		games(1, 1, "A B C D", "30,-10,-10,-10", "40,-10,-10,-20", "-10,30,-5,-15", "60,-20,-20,-20") +
		`],"penalties":[{"player":"C","round":1,"points":50}]}`
	got, refused, err := ranked(t, document)
	if err != nil {
		t.Fatal(err, refused)
	}
	if text := fmt.Sprint(got[0].Champions, got[0].Berths,
		got[0].Qualification); text != "[A] 1 [{A 1 qualified_already 0} {B 2 qualifies 1} {D 3 reserve 1} {C 4 reserve 2}]" {
		t.Error(text)
	}
}

// TestGroupsAndDivisionsElsewhere checks that the first two of each table advance from a group stage, and that
// divisions have their own first places.
func TestGroupsAndDivisionsElsewhere(t *testing.T) {
	second := func(text string) string { return strings.ReplaceAll(text, `"round"`, `"table":2,"round"`) }
	got, refused, err := ranked(t, event(`"kuwana"`, "A B C D E F G H",
		games(1, 1, "A B C D", "51,-20,-21,-10")+","+second(games(1, 1, "E F G H", "20,-4,-7,-9"))+","+games(2, 2,
			"A D E F", "-12,-2,4,10"), ""))
	if err != nil {
		t.Fatal(err, refused)
	}
	want := "[{2 [A D] [] [] 0 []} {2 [E F] [] [] 0 []}]1 E, 2 A best_game, 3 F points, 4 D points, 5 G stage, " +
		"6 H points, 7 B points, 8 C points"
	if text := fmt.Sprint(got[0].Cuts, got[0].told()); text != want {
		t.Error(text)
	}
	document := `{"format":"czech","players":[{"name":"A","division":"younger"},{"name":"B","division":"older"},{"name":"C","division":"older"},{"name":"D","division":"younger"}],"results":[` +
		games(1, 1, "A B C D", "-1,-5,12,-6") + `]}`
	if got, refused, err = ranked(t, document); err != nil {
		t.Fatal(err, refused)
	}
	for i, want := range []string{"younger [A] 1 A, 2 D table_points", "middle [] ",
		"older [C] 1 C, 2 B table_points"} {
		d := got[0].Divisions[i]
		if text := fmt.Sprint(d.Name, " ", d.Champions, " ", rankedElsewhere{Places: d.Places}.told()); text != want {
			t.Errorf("%s, want %s", text, want)
		}
	}
}

// TestAnEventElsewhereThatCannotStand checks that an invalid document is reported, that later ones are still ranked,
// and that the exit status is 1.
func TestAnEventElsewhereThatCannotStand(t *testing.T) {
	good := event(`"open"`, "A B C", games(1, 1, "A B C", "30,-10,-20"), "")
	for _, row := range []struct{ old, new, want string }{
		{`"open"`, `"opne"`, `field "format": unknown preset "opne"`},
		{`"open"`, `{"name":"x","stages":[]}`, `field "format": `},
		{`"players":["A","B","C"],"points"`, `"players":["A","B","X"],"points"`,
			`field "results[0].players": "X" is not one of the players`},
		{`"players":["A","B","C"],"points"`, `"players":["A","B","A"],"points"`, `"A" is listed twice`},
		{`[30,-10,-20]`, `[30,-10]`, `field "results[0].points": 2 for 3 players`},
		{`"stage":1`, `"stage":2`, `field "results[0].stage": 2, but the format has only 1`},
		{`"round":1`, `"round":0`, `field "results[0].round"`},
		{`"round":1`, `"round":99`, `field "results[0].round": 99 is not between 1 and 3`},
		{`"round":1`, `"Round":1`, `field "results[0].Round": unknown field; it is written "round"`},
		{`"round":1`, `"round":1,"round":2`, `field "results[0].round": is there twice`},
		{`"round":1`, `"round":1,"day":2`, `field "results[0].day": unknown field`},
		{`"stage":1`, `"stage":-1`, `field "results[0].stage": -1`},
		{`"round":1`, `"round":1,"table":-2`, `field "results[0].table": -2`},
		{`[30,-10,-20]`, `[30,-10,-20000]`, `field "results[0].points[2]": −20000, but a game has`},
		{`[30,-10,-20]`, `[30,-10,-20],"wins":[1,1,0]`, `field "results[0].wins[1]"`},
		{`[30,-10,-20]`, `[30,-10,-20],"wins":[2,-1,0]`, `field "results[0].wins[0]"`},
		{`"results":[`, `"results":[{"round":1,"table":2,"players":["C","A"],"points":[1,-1]},`,
			`field "results[1].table": "A" also sits at table 2 of round 1`},
		{`"players":["A","B","C"],"results":[`,
			`"players":["A","B","C","D"],"results":[{"round":1,"players":["A","D"],"points":[1,-1]},`,
			`field "results[1].players": "A" sits at two tables of round 1`},
		{`"results"`, `"penalties":[{"player":"A","round":99,"points":5}],"results"`, `field "penalties[0].round": 99`},
		{`"results"`, `"penalties":[{"player":"X","round":1,"points":5}],"results"`,
			`field "penalties[0].player": "X" is not one of the players`},
		{`"players":["A","B","C"],"results"`,
			`"players":["A","B","C","D"],"lots":[{"stage":1,"drawn":["A"]},{"stage":2,"drawn":["A"]}],"results"`,
			`field "lots[1].stage": 2`},
		{`"players":["A","B","C"],"results"`, `"players":["A","B","B"],"results"`,
			`field "players[2]": "B" is listed twice`},
		{`"players":["A","B","C"],"results"`, `"players":["A","B",{"name":"C","waiver":"tired"}],"results"`,
			`field "players[2].waiver": "tired"`},
		{`"results"`, `"rules":{"joker_points":-1},"results"`, `field "rules": `},
		{`"results"`, `"winner":"A","results"`, `field "winner": unknown field`},
		{`"results"`, `"lots":[{"stage":9,"drawn":["A"]}],"results"`, `field "lots[0].stage": 9`},
	} {
		got, refused, err := ranked(t, strings.Replace(good, row.old, row.new, 1)+"\n"+good)
		if !errors.Is(err, errBadLines) || len(got) != 2 || len(refused) != 1 ||
			!strings.Contains(refused[0], row.want) || got[1].told() != "1 A, 2 B wins, 3 C points" {
			t.Errorf("%s: %v, %q, want %q; then %s", row.new, err, refused, row.want, got[len(got)-1].told())
		}
	}
	if got, refused, err := ranked(t, good+"\n{"); !errors.Is(err, errBadLines) || len(got) != 2 || len(refused) != 1 {
		t.Errorf("half a document: %q, %v", refused, err)
	}
}

// TestRoundsElsewhereFollowTheStages checks that a round is rejected if it comes before those of an earlier stage, and
// a lot if it names a player who did not play in its stage.
func TestRoundsElsewhereFollowTheStages(t *testing.T) {
	players := "A B C D E F G H"
	first := games(2, 1, "A B C D", "51,-20,-21,-10")
	for _, row := range []struct{ document, want string }{
		{event(`"belgium"`, players, first+","+games(1, 2, "A B E F", "1,2,3,-6"), ""),
			`field "results[1].round": round 1 of stage 2 conflicts with round 2 of stage 1`},
		{event(`"belgium"`, players, first, `,"lots":[{"stage":2,"drawn":["A"]}]`),
			`field "lots[0].drawn": "A" has not played in stage 2`},
		{event(`"belgium"`, players, first+","+games(4, 2, "A B C D", "1,2,3,-6"),
			`,"lots":[{"stage":2,"drawn":["H"]}]`), `field "lots[0].drawn": "H" has not played in stage 2`},
	} {
		if _, refused, _ := ranked(t, row.document); len(refused) != 1 || !strings.Contains(refused[0], row.want) {
			t.Errorf("%q, want %q", refused, row.want)
		}
	}
}

// TestNoListIsNull checks that an empty list in an answer is never null, at any depth.
func TestNoListIsNull(t *testing.T) {
	presets, err := prepare.Presets("")
	if err != nil {
		t.Fatal(err)
	}
	for _, document := range []string{`{"format":"czech","players":["A","B","C"],"results":[]}`,
		`{"format":"belgium","players":[],"results":[]}`,
		event(`"kuwana"`, "A B C D", games(1, 1, "A B C D", "51,-20,-21,-10"), ""),
		"\ufeff" + `{"format":"czech","players":[],"results":[]}`} { // as an editor on Windows saves it
		var out bytes.Buffer
		if err := rankEvents(presets, strings.NewReader(document), &out); err != nil {
			t.Errorf("%s: %v in %s", document, err, out.String())
		}
		if strings.Contains(out.String(), "null") || !strings.Contains(out.String(), `"champions":[`) {
			t.Errorf("%s: %s", document, out.String())
		}
	}
}
