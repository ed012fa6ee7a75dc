package textrecord

import (
	"os"
	"strings"
	"testing"
)

// examples returns the two worked examples of the specification: a game on tablets and one with real tiles.
func examples(t *testing.T) (tablet, real string) {
	t.Helper()
	text, err := os.ReadFile("../../data/record/text.md")
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.Split(string(text), "```text\n")
	if len(parts) != 3 {
		t.Fatalf("%d worked examples, want 2", len(parts)-1)
	}
	tablet, _, _ = strings.Cut(parts[1], "```")
	real, _, _ = strings.Cut(parts[2], "```")
	return tablet, real
}

// example is the name of a worked example in the vectors.
type example string

const (
	tablet example = "the first worked example"
	real   example = "the second worked example"
)

const lastTile = "O4' B6' K6'"

// change is a text as a change of a worked example: the first old becomes new. Without an example, new is the text.
type change struct {
	name string
	of   example
	old  string
	new  string
}

// readCases are texts as a person writes them.
var readCases = []change{
	{"no edition: the newest", tablet, " edition=2", ""},
	{"no starter and no draws: seat 1 starts", tablet, " first=S1", ""},
	{"the seats are stated", tablet, "start first", "start seats=2 first"},
	{"a comment and an empty line", tablet, "3. S1 20.1s", "\n ; a comment\n3. S1 20.1s"},
	{"a comment at the end of a line", tablet, "draw K7\n", "draw K7 ; not a good one\n"},
	{"lines end in CR LF", tablet, "draw K7\n3.", "draw K7\r\n3."},
	{"two spaces and a tab", tablet, "12.5s play +R10", "12.5s  play\t+R10"},
	{"a line goes on in the next one", tablet, " | +O1 +O2", " |\n  +O1 +O2"},
	{"the drawn tile is left out", tablet, "draw K9'", "draw"},
	{"the other copy of the drawn tile", tablet, "draw K9'", "draw K9"},
	{"the other copy of a tile from the rack", tablet, "+K9' +R9", "+K9 +R9"},
	{"no plus for tiles from the rack", tablet, "play +K5 +B5 +O5", "play K5 B5 O5"},
	{"a place that follows anyway", tablet, "play +R10", "play 0: +R10"},
	{"no place: the set is the last one", tablet, "39: ", ""},
	{"no time: that of the event before", tablet, "2. S2 8s draw", "2. S2 draw"},
	{"trailing zeros of a time", tablet, "12.5s", "12.500s"},
	{"a moment for a time", tablet, "- 4.2s ready", "- 2026-01-31T09:00:04.200Z ready"},
	{"a moment in another zone", tablet, "2026-01-31T09:00:00.000Z", "2026-01-31T10:00:00+01:00"},
	{"the usual actor is stated", tablet, "draw K7", "draw K7 @player:9"},
	{"a plain text in quotes", tablet, "reason=slow", `reason="slow"`},
	{"an escape in a text", tablet, "reason=slow", `reason="\u0073low"`},
	{"an actor in quotes", tablet, "@referee:Ann", `@"referee:Ann"`},
	{"a ruling without a salt", tablet, " #4QJX7ZP2", ""},
	{"members that the rules give anyway", tablet, "draw K7\n", "draw K7 {}\n"},
	{"a member of the data is replaced", tablet, "8s draw K7", `8s draw K7 {"late":5}`},
	{"no result and no head", tablet, "[result ", "; [result "},
	{"a result whose lines are stated", real, `"at":1769850480701}`, `"at":1769850480701,"lines":[]}`},
	{"no layout: one line", real, "[layout \"lines\"]\n", ""},
	{"tags in another order", real, "[game 13]\n[tournament 1]", "[tournament 1]\n[game 13]"},
	{"a full form", real, "- 2s empty S2", `! {"seq":17,"kind":"referee_called","version":1,"at":1769850332201,` +
		`"actor":"table:4","data":{"at":1769850332201,"seat":1}}` + "\n- 2s empty S2"},
}

// failCases are texts that must be refused.
var failCases = []change{
	{"no text", "", "", "game 12"},
	{"not the first tag", tablet, "[meldhall \"text record 1\"]\n", ""},
	{"another version of the text", tablet, "text record 1", "text record 2"},
	{"a tag twice", tablet, "[table 3]", "[game 3]"},
	{"an unknown tag", tablet, "[table 3]", "[tabel 3]"},
	{"a tag without its end", tablet, "[table 3]", "[table 3"},
	{"a tag that holds no JSON", tablet, "[table 3]", "[table three]"},
	{"a tag of another type", tablet, "[table 3]", `[table "3"]`},
	{"a tag of the events", tablet, "[table 3]", "[events []]"},
	{"an unknown layout", real, `[layout "lines"]`, `[layout "tree"]`},
	{"no rules", real, "[rules ", "; [rules "},
	{"a rule that is unknown", real, `{"name":"wrc"`, `{"nome":"wrc"`},
	{"no players", real, "[players [3,8,11]]\n", ""},
	{"a continuation of a tag", real, "[table 4]\n", "[table 4]\n 5\n"},
	{"an unknown word", tablet, "8s draw K7", "8s drew K7"},
	{"an unknown word between tiles", tablet, "+R10 +R11", "+R10 and +R11"},
	{"a tile that does not exist", tablet, "+R10 +R11", "+R10 +R14"},
	{"a tile of the wrong colour letter", tablet, "+O1 +O2", "+Y1 +O2"},
	{"a dash before a turn", tablet, "2. S2 8s draw", "- 8s draw"},
	{"a turn before a call", tablet, "- 2s call S1", "7. S1 2s call S1"},
	{"the wrong turn", tablet, "2. S2 8s", "3. S2 8s"},
	{"the wrong seat", tablet, "2. S2 8s", "2. S1 8s"},
	{"a seat that cannot be", tablet, "2. S2 8s", "2. S5 8s"},
	{"no seat", tablet, "2. S2 8s", "2. 8s"},
	{"a time with four decimals", tablet, "12.5s", "12.5000s"},
	{"a moment that does not exist", tablet, "01-31T09:00:00.000Z", "02-31T09:00:00.000Z"},
	{"a moment before the event before", tablet, "- 4.2s ready S1", "- 2026-01-31T08:00:00Z ready S1"},
	{"a turn after its time", tablet, "2. S2 8s", "2. S2 80s"},
	{"a time-out before the time", tablet, "61.2s timeout", "1.2s timeout"},
	{"another tile than the next one", tablet, "draw K7", "draw K8"},
	{"too many tiles drawn", tablet, "R5 O9 B4\n", "R5 O9 B4 K9'\n"},
	{"a tile twice in the pool", tablet, lastTile, "O4' B6' B6'"},
	{"a tile is missing in the pool", tablet, lastTile, "O4' B6'"},
	{"a deal without a salt", tablet, " salt 0123456789abcdef0123456789abcdef\n", ""},
	{"a salt that is too short", tablet, "0123456789abcdef0123456789abcdef", "0123456789"},
	{"a tile that is not on the rack", tablet, "+R10 +R11 +R12", "+R10 +R11 +R13"},
	{"a tile from the rack that lies on the table", tablet, "R1 R2 R3 R4 +R5", "+R1 R2 R3 R4 +R5"},
	{"a tile twice in a play", tablet, "R1 R2 R3 R4 +R5", "R1 R2 R3 R4 R4 +R5"},
	{"a tile of a used set is lost", tablet, "R1 R2 R3 R4 +R5", "R2 R3 R4 +R5"},
	{"a set of two tiles", tablet, "+K1 +K2 +K3", "+K1 +K2"},
	{"too few points to open with", tablet, "+K13 +R13 +O13", "+O1 +O2 +O3"},
	{"a bar without a set", tablet, "+K1 +K2 +K3", "+K1 +K2 +K3 |"},
	{"a play without tiles", tablet, "play +K1 +K2 +K3", "play"},
	{"a pass with tiles in the pool", tablet, "draw K9'", "pass"},
	{"a word too many", tablet, "draw K9'", "draw K9' please"},
	{"an unclosed string", tablet, "reason=slow", `reason="slow`},
	{"an unclosed object", tablet, "draw K9'", `draw K9' {"late":5`},
	{"members of too many events", tablet, "draw K9'", `draw K9' {} {}`},
	{"a member of the wrong type", tablet, "draw K9'", `draw K9' {"seat":"S1"}`},
	{"a salt without a reason", tablet, "draw K9'", "draw K9' #ABC"},
	{"an actor after a salt", tablet, "#4QJX7ZP2", "#4QJX7ZP2 @referee:Ann"},
	{"a ruling without a reason", tablet, " reason=slow", ""},
	{"an edition of the future", tablet, "edition=2", "edition=99"},
	{"words for real tiles on tablets", tablet, "draw K9'", "end"},
	{"words for tablets with real tiles", real, "18s end", "18s draw"},
	{"a pass while the pool has tiles", real, "18s end", "18s end passed"},
	{"a count that cannot be", real, "| opened K13 R13", "|"},
	{"a count of too few seats", real, " | opened K13 R13", ""},
	{"points that are no number", real, "count emptied | opened K1 R5 J", "count emptied points | opened ten"},
	{"a full form that is no JSON", real, "- 2s empty S2", "! {seq:15}"},
	{"a full form with an unknown member", real, "- 2s empty S2", `! {"seq":15,"kynd":"x"}`},
	{"words after a full form that the rules cannot follow", real, "- 2s empty S2",
		`! {"seq":15,"kind":"another","version":1,"at":1,"actor":"","data":{}}`},
	{"an event after the results", real, "[head ", "10. S2 end\n[head "},
	{"a result after the head", real, "[head ", "[head \"\"]\n[result {}]\n[head "},
	{"a result with an unknown member", real, `[result {"rev":1`, `[result {"rav":1`},
	{"no start", real, "- 2026-01-31T09:00:00.000Z start", "; "},
	{"no events", "", "", "[meldhall \"text record 1\"]\n[players [1,2]]\n[rules {}]\n"},
}
