package archive

import (
	"regexp"

	"meldhall/tournament"
	"meldhall/tournament/draw"
	"meldhall/tournament/game"
	"meldhall/tournament/game/shares"
)

// makeForged makes archives of databases in which facts were forged and everything recomputed.
func (m *made) makeForged() {
	f := playedForForging(m.t)
	a, data := f.packed(f.event)
	m.add("three rounds with every kind of fact", data)
	for _, one := range forgeries() {
		want, known := forgedAlso[one.name]
		if known && want == nil {
			continue // the archives must not be too large
		}
		a, err := Of(m.t.Context(), f.forge(m.t, one.sql), f.event.ID)
		if err != nil {
			m.t.Fatalf("%s: %v", one.name, err)
		}
		if !known {
			want = []string{"facts"}
		}
		m.add("forged: "+one.name, pack(m.t, a), want...)
	}
	game := a.gameFiles()[0]
	m.edited(a, "a log with another reason", game, `"reason":"talked"`, `"reason":"walked"`, false, "chains", "games")
}

// forgedAlso lists the forgeries whose statements are not just facts. Those with none are left out.
var forgedAlso = map[string][]string{
	"a result":                           {"facts", "games"},
	"another seed, report and record":    {"draw"},
	"other seats":                        {"facts", "games"},
	"drawn by other places":              {"draw"},
	"a game that waits again":            nil,
	"another player's penalty":           nil,
	"another seed":                       nil,
	"a move of a device":                 nil,
	"a move of the program":              nil,
	"a deal of an official":              nil,
	"a ruling of an observer":            nil,
	"the record of its end":              nil,
	"a round that ended before it began": nil,
	"decided before it was given":        nil,
	"who corrected":                      nil,
	"an event that goes on":              nil,
	"the record of a publication":        nil,
	"when it was corrected":              nil,
	"a game before its round":            nil,
	"records in another order of time":   nil,
	"a round missed and played":          nil,
	"another method":                     nil,
	"a move of an official":              nil,
	"points without a ruling":            nil,
	"a ruling of another official":       nil,
}

// makeLot makes archives of an event with a cut that a lot decided.
func (m *made) makeLot() {
	h := newHall(m.t)
	e := h.event(8)
	do(h, tournament.SetTiles{Tournament: e.ID, Tiles: tournament.RealTiles})
	for range 2 {
		for _, table := range h.start(e) {
			h.enter(table.Game, 0)
		}
		h.later()
	}
	a, data := h.packed(e)
	m.add("a lot decides a cut", data)
	lot := regexp.MustCompile(`"drawn":\[(\d+),(\d+),`).FindStringSubmatch(string(a.files[roundsName]))
	m.edited(a, "another order of a lot", roundsName, lot[0], `"drawn":[`+lot[2]+","+lot[1]+",", true, "facts",
		"standings")
	m.edited(a, "another promise of a lot", roundsName, `"salt":"`, `"salt":"A`, true, "facts")
	seats := regexp.MustCompile(`("seat":0,"player_id":)(\d+)(},\n.*"seat":1,"player_id":)(\d+)}`)
	pair := seats.FindStringSubmatch(string(a.files[roundsName]))
	m.edited(a, "two players of a table exchanged", roundsName, pair[0], pair[1]+pair[4]+pair[3]+pair[2]+"}", true,
		"derived", "facts")
	m.edited(a, "a cut of five", formatName, `"cut":4`, `"cut":5`, true, "standings")
	m.edited(a, "points carried over", formatName, `"carry_over":"none"`, `"carry_over":"half"`, true, "standings")
	m.edited(a, "another player in the cut", standingsName, `"in": [`, `"in": [9,`, true, "standings")
}

// makeJoint makes archives of a game in whose shuffle the devices took part.
func (m *made) makeJoint() {
	h := newHall(m.t)
	e := h.event(4, oneRound)
	h.later()
	r := do(h, draw.PairRound{Tournament: e.ID})
	do(h, draw.PublishRound{Round: r.ID})
	tables, err := game.CurrentInRound(m.t.Context(), h.DB, r.ID)
	if err != nil {
		m.t.Fatal(err)
	}
	ref, err := game.FindRef(m.t.Context(), h.DB, tables[0].Game)
	if err == nil {
		err = shares.Devices{Keeper: h.Games.Shares, Key: "vectors"}.Serve(m.t.Context(), ref.Sharing())
	}
	if err != nil {
		m.t.Fatal(err)
	}
	do(h, draw.StartRound{Round: r.ID})
	h.play(tables[0].Game)
	a, data := h.packed(e)
	m.add("a joint shuffle", data)
	file := a.gameFiles()[0]
	nonce := regexp.MustCompile(`"nonce":"........`).FindString(string(a.files[file]))
	m.edited(a, "another nonce in a shuffle", file, nonce, `"nonce":"00000000`, true, "games")
	secret := regexp.MustCompile(`"secret":"........`).FindString(string(a.files[file]))
	m.edited(a, "another secret of a shuffle", file, secret, `"secret":"00000000`, true, "games")
	m.edited(a, "a draw as a pass", file, `"tile_drawn","version":1`, `"turn_passed","version":1`, true, "games")
	m.edited(a, "a record changed", actionsName, `"action":"round.publish"`, `"action":"round.published"`, false,
		"chains",
		"facts")
	m.resealed(a, "a record more in the manifest", func(m *Manifest) { m.Tables["audit"]++ }, "chains")
	m.resealed(a, "another head", func(m *Manifest) { m.Head = m.Records }, "chains")
	m.resealed(a, "another hash of the records", func(m *Manifest) { m.Records = m.Head }, "chains")
	m.edited(a, "a player of another division", playersName, `"division":""`, `"division":"junior"`, true, "standings")
	m.edited(a, "a shuffle of another game", file, `"joint":{"game":1`, `"joint":{"game":2`, true, "facts", "games")
}
