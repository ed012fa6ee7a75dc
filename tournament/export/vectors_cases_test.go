package export_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

// gameCase is a vector with the one statement that must fail, if any. A sealed case gets the head of its changed log.
type gameCase struct {
	gameVector
	fails  string
	sealed bool
}

// Names of pairs in text.json.
const (
	tablet   = "the first worked example"
	real     = "the second worked example"
	position = "a game with position_set"
	redeal   = "a game with redeal_asked"
	granted  = "a game with redeal_granted"
	leftover = "a game with leftovers_ruled"
	illegal  = "a game with illegal_played"
	waived   = "a game with penalty_waived"
	passed   = "a game with turn_passed"
	timed    = "a game with time_given"
	refused  = "a game with redeal_refused"
	pressed  = "a game with key_pressed"
	back     = "a game with rewound"
	late     = "a game with illegal_ruled"
	cancel   = "a game with ruling_cancelled"
	skipped  = "a game with turn_skipped"
	summed   = "a game with penalty_given"
	counted  = "a game with game_ended, play_began, racks_counted, turn_ended"
)

// slowHash is the hash of the salt and the reason of the warning in the first worked example.
const slowHash = "3216b1061b80dcca001eda985994d219c4d623a05120b9f5f2e8811f85b48112"

// faulty are the pairs of text.json that do not hold.
var faulty = map[string]string{
	"an event of an unknown kind":                "form",
	"a gap in the numbers":                       "form",
	"the row and the event have different times": "form",
	"another actor":                              "chain",
	"a salt where no reason is":                  "chain",
	"data with a member that no kind has":        "chain",
	"no result and no head":                      "result",
}

// gameCases are all cases: every pair of text.json, and changes of some.
func gameCases(t *testing.T, pairs map[string]string) (all []gameCase) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(pairs)) {
		all = append(all, gameCase{gameVector{Name: name, Of: name}, faulty[name], false})
	}
	for statement, changes := range map[string][]change{"form": formCases, "chain": chainCases, "play": playCases,
		"result": resultCases, "actors": actorCases} {
		for _, c := range changes {
			one := gameCase{gameVector{Name: c.name, Of: c.of}, statement, statement == "play" || statement == "actors"}
			if c.holds {
				one.fails = ""
			}
			for i := 0; i+1 < len(c.texts); i += 2 {
				one.Changes = append(one.Changes, [2]string{c.texts[i], c.texts[i+1]})
			}
			all = append(all, one)
		}
	}
	slices.SortStableFunc(all, func(a, b gameCase) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// change changes the record of a pair: texts are pairs of an old and a new text.
type change struct {
	name, of string
	texts    []string
	holds    bool // nothing fails
}

func edit(name, of string, texts ...string) change { return change{name, of, texts, false} }

func allowed(name, of string, texts ...string) change { return change{name, of, texts, true} }

var formCases = []change{
	edit("form: an unknown member of the record", tablet, `"version":1,"game"`, `"other":1,"version":1,"game"`),
	edit("form: a member twice", tablet, `"table":3`, `"table":3,"table":3`),
	edit("form: another version", tablet, `{"version":1,`, `{"version":2,`),
	edit("form: another version of an event", tablet, `"seat_ready","version":1`, `"seat_ready","version":2`),
	edit("form: an event without a seq", tablet, `{"seq":3,`, `{`),
	edit("form: a tile that does not exist", tablet, `"tile":"K7"`, `"tile":"K14"`),
	edit("form: data is no object", tablet, `"data":{"at":1769850004200,"seat":0}`, `"data":[]`),
	edit("form: a seat is a text", tablet, `"data":{"at":1769850004200,"seat":0}`,
		`"data":{"at":1769850004200,"seat":"0"}`),
	edit("form: points that are no twelfths", tablet, `"points":[41,-41]`, `"points":[41.03,-41]`),
	edit("form: no JSON", tablet, `"results":[`, `"results":`),
}

var chainCases = []change{
	edit("chain: another reason", tablet, `"reason":"slow"`, `"reason":"late"`),
	edit("chain: another salt", tablet, `4QJX7ZP2`, `4QJX7ZP3`),
	edit("chain: another article", tablet, `"rule":"7.3"`, `"rule":"7.4"`),
	edit("chain: another head", tablet, `"head":"f15e`, `"head":"e15e`),
	edit("chain: another game", tablet, `"game":12`, `"game":14`),
	edit("chain: a space in the data", tablet, `{"at":1769850004200,"seat":0}`, `{"at":1769850004200, "seat":0}`),
	edit("chain: an unknown member in the data", tablet, `{"at":1769850004200,"seat":0}`,
		`{"at":1769850004200,"seat":0,"more":1}`),
	edit("chain: erased without the hash of the text", tablet, `"reason":"slow"`, `"reason":"[erased]"`),
	edit("chain: erased, and another text", tablet, `"reason":"slow"`, `"reason":"quick"`, `"salt":"4QJX7ZP2"`,
		`"salt":"=`+slowHash+`"`),
	allowed("chain: an erased reason", tablet, `"reason":"slow"`, `"reason":"[erased]"`, `"salt":"4QJX7ZP2"`,
		`"salt":"=`+slowHash+`"`),
	edit("chain: the reason of a pause", real, `down"},"reason":"a tile \"fell\" down","by"`,
		`up"},"reason":"a tile \"fell\" up","by"`, `"reason":"a tile \"fell\" down"},"reason":"","by"`,
		`"reason":"a tile \"fell\" up"},"reason":"","by"`),
}

var playCases = []change{
	edit("play: another tile drawn", tablet, `"tile":"K7"`, `"tile":"R5"`),
	edit("play: a tile that is on no rack", tablet, "4 K5 B5 O5\",\"played\":\"K5 B5 O5\"",
		"4 K5' B5 O5\",\"played\":\"K5' B5 O5\""),
	edit("play: an opening below 30", tablet, `"table":"0 R10 R11 R12","played":"R10 R11 R12","rack":"B5 O5`,
		`"table":"0 R1 R2 R3","played":"R1 R2 R3","rack":"B5 O5`),
	edit("play: other points of the opening", tablet, `"points":33`, `"points":36`),
	edit("play: points of a later play", tablet, `"rack":"R1 R2 R3 R4 K1 K2 K3 J",`,
		`"rack":"R1 R2 R3 R4 K1 K2 K3 J","points":15,`),
	edit("play: a rack in another order", tablet, `"rack":"J K9'"`, `"rack":"K9' J"`),
	edit("play: sets without a gap", tablet, "0 R10 R11 R12;4 K5 B5 O5\"", "0 R10 R11 R12;3 K5 B5 O5\""),
	edit("play: a set over the end of a lane", tablet, `8 K13 R13 O13","played"`, `11 K13 R13 O13","played"`),
	edit("play: places that do not ascend", tablet, "0 R10 R11 R12;4 K5 B5 O5\"", "4 R10 R11 R12;0 K5 B5 O5\""),
	allowed("play: another place", tablet, `43 K9' R9 J`, `44 K9' R9 J`),
	edit("play: the turn of another seat", tablet, `"tile":"K7","turn":{"number":3,"seat":0`,
		`"tile":"K7","turn":{"number":3,"seat":1`),
	edit("play: another number of a turn", tablet, `"turn":{"number":4`, `"turn":{"number":5`),
	edit("play: another deadline", tablet, `"due":1769850086000`, `"due":1769850087000`),
	edit("play: a turn started earlier", tablet, `"started":1769850026000`, `"started":1769850025000`),
	edit("play: a time-out in time", tablet, `1769850146050`, `1769850145050`, `1769850146050`, `1769850145050`,
		`"late":200,`, ``, `1769850146050`, `1769850145050`, `1769850206050`, `1769850205050`),
	edit("play: another delay of a time-out", tablet, `"late":200`, `"late":201`),
	edit("play: too few tiles at a time-out", tablet, `"tiles":"R5 O9 B4"`, `"tiles":"R5 O9"`),
	allowed("play: the table was not disturbed", tablet, `"disturbed":true`, `"disturbed":false`),
	edit("play: an answer without a call", tablet, `"kind":"referee_called"`, `"kind":"call_withdrawn"`),
	edit("play: ready twice", tablet, `"actor":"player:9","data":{"at":1769850005500,"seat":1}`,
		`"actor":"player:7","data":{"at":1769850005500,"seat":0}`),
	edit("play: a time before the event before", tablet, `1769850148050`, `1769850146049`, `1769850148050`,
		`1769850146049`),
	edit("play: a warning without a reason", tablet, `"reason":"slow"`, `"reason":""`),
	edit("play: a reason that ends in a space", tablet, `"reason":"slow"`, `"reason":"slow "`),
	allowed("play: a warning for another reason", tablet, `"reason":"slow"`, `"reason":"late"`),
	edit("play: other rules in the log", tablet,
		`"data":{"at":1769850000000,"rules":{"name":"wrc","version":1,"turn_seconds":60,"start_seconds":20,`+
			`"grace_ms":1000,"timeout_tiles":3,"idle_tiles":3,"illegal_play":"reject","illegal_tiles":3,`,

		`"data":{"at":1769850000000,"rules":{"name":"wrc","version":1,"turn_seconds":60,"start_seconds":20,`+
			`"grace_ms":1000,"timeout_tiles":3,"idle_tiles":3,"illegal_play":"reject","illegal_tiles":4,`),

	edit("play: other rules in the header", tablet, `"illegal_tiles":3`, `"illegal_tiles":4`),
	edit("play: a rule out of range", tablet, `"grace_ms":1000`, `"grace_ms":2001`, `"grace_ms":1000`,
		`"grace_ms":2001`),
	edit("play: an unknown edition", tablet, `"edition":2`, `"edition":3`),
	edit("play: a player more", tablet, `"players":[7,9]`, `"players":[7,9,11]`),
	edit("play: another winner", tablet, `"wins":[1,0]`, `"wins":[0,1]`),
	edit("play: other points", tablet, `"points":[41,-41]`, `"points":[42,-42]`),
	edit("play: another charge", tablet, `{"points":41}]`, `{"points":42}]`),
	edit("play: another end", tablet, `"end":{"why":"emptied"`, `"end":{"why":"last_lap"`),
	edit("play: another rack at the end", tablet, `"racks":["","R13' K7 O9 O12"]`, `"racks":["","R13' K7 O9 O11"]`),
	allowed("play: the other copy in a rack at the end", tablet, `"racks":["","R13' K7 O9 O12"]`,
		`"racks":["","R13 K7 O9 O12"]`),
	edit("play: another commitment", tablet, `"commitment":"`, `"commitment":"0`),
	edit("play: another salt of the deal", tablet, `"salt":"0123`, `"salt":"1123`),
	edit("play: two tiles of the pool exchanged", tablet, `"pool":"K7 R5`, `"pool":"R5 K7`),
	edit("play: a tile of the order twice", tablet, `"order":"R10 R11`, `"order":"R10 R10`),
	edit("play: two racks exchanged", redeal, `"racks":["R4' B10'`, `"racks":["B8 B12'`),
	edit("play: no right to a redeal", redeal,
		`"kind":"redeal_asked","version":1,"at":1767277948741,"actor":"player:2",`+
			`"data":{"at":1767277948741,"seat":1}`, `"kind":"redeal_asked","version":1,"at":1767277948741,`+
			`"actor":"player:2","data":{"at":1767277948741,"seat":0}`),
	edit("play: three doubles not noted", redeal, `"may_redeal":[false,true]`, `"may_redeal":[false,false]`),
	edit("play: the number of a new deal", redeal, `"turn":{"number":1,"seat":0,"started":1767277948741`,
		`"turn":{"number":0,"seat":0,"started":1767277948741`),
	edit("play: another reason of a charge", redeal, `"reason":"no_meld_able"`, `"reason":"no_meld_unable"`),
	edit("play: a charge of 100", redeal, `{"points":58,"reason":"no_meld_able"}]`,
		`{"points":100,"reason":"no_meld_unable"}]`),
	edit("play: another starter than drawn", passed, `"starter":0`, `"starter":1`),
	edit("play: another tile in the draw", passed, `{"round":1,"seat":2,"tile":"K9"}`,
		`{"round":1,"seat":2,"tile":"K8"}`),
	edit("play: a round more in the draw", passed, `{"round":1,"seat":3,"tile":"B5"}`,
		`{"round":2,"seat":3,"tile":"B5"}`),
	edit("play: no passes counted", passed, `,"passes":1`, ``),
	edit("play: a pass with a full pool", tablet, `"kind":"tile_drawn"`, `"kind":"turn_passed"`, `"tile":"K7",`, ``),
	edit("play: a tile left in the pool at a time-out", passed, ` K10' R4'","late"`, ` K10'","late"`),
	edit("play: a tile of the position twice", position, `"table":"","racks":["K10 K1`, `"table":"","racks":["K1 K1`),
	edit("play: a position with another turn", position, `"turn":{"number":2,"seat":0,"started":1767745366112`,
		`"turn":{"number":3,"seat":0,"started":1767745366112`),
	edit("play: a cancelled ruling of another seat", position, `"of":6,"seat":1`, `"of":6,"seat":0`),
	edit("play: a ruling cancelled that is none", position, `"of":6`, `"of":3`),
	edit("play: a forfeit does not end the game", position, `"why":"forfeit"`, `"why":"emptied"`),
	edit("play: leftovers that did not lie there", leftover, `"tiles":"K8 K9 K10 K11' K12 K13'"`,
		`"tiles":"K8 K9 K10 K11' K12"`),
	edit("play: leftovers stay in another order", leftover, `"rack":"R1 R1' K8 K9`, `"rack":"R1 R1' K9 K8`),
	edit("play: leftovers do not change the turn", leftover,
		`"turn":{"number":3,"seat":2,"started":1767511606943}},"salt"`,
		`"turn":{"number":2,"seat":2,"started":1767511606943}},"salt"`),
	edit("play: the code of an illegal play", illegal, `"code":"invalid_set"`, `"code":"meld_short"`),
	edit("play: an illegal play that costs less", illegal, `"tiles":"R10 K4 K1'"`, `"tiles":"R10 K4"`),
	edit("play: time given to nobody", illegal, `"seconds":93`, `"seconds":0`),
	edit("play: another amount of time", illegal, `"seconds":93`, `"seconds":92`),
	edit("play: more time than is allowed", timed, `"seconds":92`, `"seconds":3601`),
	edit("play: time taken does not move the deadline", timed, `"due":1767659469087`, `"due":1767659484087`),
	edit("play: no extra seconds", timed, `"extra_seconds":[0,30]`, `"extra_seconds":[0,0]`),
	edit("play: a proposal of another size", waived, `"seat":0,"tiles":3,"cause":"timeout"`,
		`"seat":0,"tiles":2,"cause":"timeout"`),
	edit("play: a proposal for another cause", waived, `"cause":"timeout"`, `"cause":"idle"`),
	edit("play: a waiver of another proposal", waived, `"proposal":7`, `"proposal":6`),
	edit("play: a rewind to a turn that was not", waived, `"to":12`, `"to":14`),
	edit("play: a rewind without its proposals", waived,
		`,{"seq":19,"seat":1,"tiles":3,"cause":"timeout","at":1767778253715}]`, `]`),
	edit("play: a rewind with other turns", waived, `"turns":[6,6,0,0]`, `"turns":[6,7,0,0]`),
	edit("play: a rewind to another seat", back, `"turn":{"number":6,"seat":1,"started":1767460077390`,
		`"turn":{"number":6,"seat":0,"started":1767460077390`),
	edit("play: a rewind that keeps an opening", back, `"opened":[false,false]`, `"opened":[false,true]`),
	edit("play: the hand count of an illegal turn", late, `"count":2`, `"count":3`),
	edit("play: a held game for nobody", refused, `"absent":[1]`, `"absent":[]`),
	edit("play: the time left of a held game", refused, `"left":20000,"why":"players"`, `"left":20001,"why":"players"`),
	edit("play: a countdown of four seconds", refused, `"resume_at":1767516233768`, `"resume_at":1767516234768`),
	edit("play: the clock runs before its time", refused, `1767516234323`, `1767516233768`, `1767516234323`,
		`1767516233768`, `1767516254323`, `1767516253768`),
	edit("play: an outage gives more than the turn has", refused, `"left":44406`, `"left":44407`),
	edit("play: the deadline after a pause", refused, `1767516319328`, `1767516319329`),
	edit("play: a redeal refused to a seat without the right", refused, `"seat":0,"reason":"é"`,
		`"seat":1,"reason":"é"`),
	edit("play: a pause with another time left", real,
		`"left":53000,"why":"referee","reason":"a tile \"fell\" down"},"reason":"a`,
		`"left":53001,"why":"referee","reason":"a tile \"fell\" down"},"reason":"a`),
	edit("play: two reasons of a pause", real, `down"},"reason":"a tile \"fell\" down","by"`,
		`down"},"reason":"a tile \"fell\" up","by"`),
	edit("play: a pass although the pool is full", real, `"seat":1,"turn":{"number":5`,
		`"seat":1,"passed":true,"turn":{"number":5`),
	edit("play: opened twice", real, `"seat":1,"turn":{"number":8`, `"seat":1,"opened":true,"turn":{"number":8`),
	edit("play: seats that moved since the pool was empty", real, `"since":[2],`, ``),
	edit("play: tiles to draw from an empty pool", real, `"seat":2,"tiles":"","reason"`,
		`"seat":2,"tiles":"","count":2,"reason"`),
	edit("play: tiles at a time-out with real tiles", real, `"count":3`, `"count":2`),
	edit("play: a penalty without a number", real, `"asked":2`, `"asked":0`),
	edit("play: counted three times", real, `"racks":["K1 R5 J","","K13 R13"],"opened"`,
		`"racks":["K1 R5 J","","R13 R13"],"opened"`),
	edit("play: nobody has an empty rack", real, `"racks":["K1 R5 J","","K13 R13"],"opened"`,
		`"racks":["K1 R5 J","K2","K13 R13"],"opened"`),
	edit("play: a rack that is not in order", real, `"racks":["K1 R5 J","","K13 R13"],"opened"`,
		`"racks":["R5 K1 J","","K13 R13"],"opened"`),
	edit("play: few tiles without an opening", real, `"opened":[true,true,true]`, `"opened":[false,true,true]`),
	edit("play: the points of a count", real, `"points":[-106,132,-26]`, `"points":[-105,131,-26]`),
	edit("play: a sheet that does not add up", waived, `"totals":[{"points":-7`, `"totals":[{"points":-8`),
	edit("play: a sheet with two winners of an emptied game", waived, `{"points":-7,"opened":true},`,
		`{"points":-7,"opened":true,"won":true},`),
	edit("play: a shared win", cancel, `"wins":[0.5,0,0.5]`, `"wins":[1,0,0]`),
	edit("play: the lowest charge of a sheet", cancel, `"lowest":27`, `"lowest":26`),
	edit("play: time called twice", cancel, `"kind":"turn_ended","version":1,"at":1768094333508`,
		`"kind":"time_called","version":1,"at":1768094333508`),
	edit("play: the lap goes on after time was called", cancel, `"kind":"play_ended"`, `"kind":"call_withdrawn"`),
	edit("play: a game ends after time was called that was not", summed, `"why":"time_called"}`, `"why":"last_lap"}`),
	edit("play: a sheet in whole points", summed, `"totals":[{"points":0,"opened":true,"won":true},{"points":5`,
		`"totals":[{"points":0,"opened":true,"won":true},{"points":5.5`),
	edit("play: a count for another end", counted, `"why":"forfeit","racks"`, `"why":"last_lap","racks"`),
	edit("play: a forfeit of a seat that is out", counted, `"kind":"turn_ended"`, `"kind":"seat_forfeited"`),
	edit("play: a turn skipped for another seat", skipped, `"seat":2,"reason":"é"`, `"seat":1,"reason":"é"`),
	edit("play: a press long before the deadline", pressed, `1767961345619`, `1767961345119`, `1767961345619`,
		`1767961345119`),
	edit("play: a press gives one second", pressed, `"late":127`, `"late":281`),
	edit("play: the table is not empty", granted, `"kind":"redeal_granted"`, `"kind":"redeal_refused"`),
}
