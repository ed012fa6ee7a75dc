package web

import (
	"cmp"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"meldhall/engine"
	"meldhall/engine/tile"
	"meldhall/templates"
)

// given is what a form, or the address that previews it, says of a ruling. By is the official's name, deal a shuffle for
// a ruling that deals anew.
type given struct {
	url.Values
	action string
	by     string
	state  engine.State
	deal   func() engine.Deal
}

// number is a whole number of the form, or the refusal that names the field.
func (g given) number(name string) (int, error) { return wholeNumber(name, g.Get(name)) }

// numbers are two whole numbers of the form.
func (g given) numbers(first, second string) (a, b int, err error) {
	if a, err = g.number(first); err == nil {
		b, err = g.number(second)
	}
	return a, b, err
}

// reason is the canned reason, the free text, or both.
func (g given) reason() string { return templates.PackReason(g.Get("canned"), g.Get("reason")) }

// grounds is what every ruling's form says; the article is the form's, else that of the canned reason. An unreadable
// seen is one that is not checked.
func (g given) grounds() engine.Grounds {
	seen, _ := strconv.Atoi(g.Get("seen"))
	return engine.Grounds{Seen: seen, Rule: cmp.Or(g.Get("rule"), templates.RuleOf(g.action, g.Get("canned"))), Reason: g.reason(), By: g.by}
}

// rulingKind is one kind of ruling: how its command is read from a form, and which fields the form carries on.
type rulingKind struct {
	fields []string
	read   func(given) (engine.Command, error)
}

// rulings are the officials' commands by the last part of their address.
var rulings = map[string]rulingKind{
	"pause":     {nil, func(g given) (engine.Command, error) { return engine.PauseClock{Grounds: g.grounds()}, nil }},
	"resume":    {nil, func(g given) (engine.Command, error) { return engine.Resume{Grounds: g.grounds()}, nil }},
	"call-time": {nil, func(g given) (engine.Command, error) { return engine.CallTime{Grounds: g.grounds()}, nil }},
	"time": {[]string{"seconds"}, func(g given) (engine.Command, error) {
		seconds, err := g.number("seconds")
		return engine.GiveTime{Grounds: g.grounds(), Seconds: seconds}, err
	}},
	"penalty": {[]string{"seat", "tiles", "proposal", "rule"}, func(g given) (engine.Command, error) {
		seat, tiles, err := g.numbers("seat", "tiles")
		proposal, _ := strconv.Atoi(g.Get("proposal"))
		return engine.Penalise{Grounds: g.grounds(), Seat: seat, Tiles: tiles, Proposal: proposal}, err
	}},
	"waive": {[]string{"proposal", "rule"}, func(g given) (engine.Command, error) {
		proposal, err := g.number("proposal")
		return engine.WaivePenalty{Grounds: g.grounds(), Proposal: proposal}, err
	}},
	"warning": {[]string{"seat"}, func(g given) (engine.Command, error) {
		seat, err := g.number("seat")
		return engine.Warn{Grounds: g.grounds(), Seat: seat}, err
	}},
	"skip": {[]string{"turn"}, func(g given) (engine.Command, error) {
		turn, err := g.number("turn")
		return engine.SkipTurn{Grounds: g.grounds(), Turn: turn}, err
	}},
	"illegal": {[]string{"turn", "tiles"}, func(g given) (engine.Command, error) {
		turn, tiles, err := g.numbers("turn", "tiles")
		return engine.RuleIllegal{Grounds: g.grounds(), Turn: turn, Tiles: tiles}, err
	}},
	"leftovers": {[]string{"seat", "tile"}, readLeftovers},
	"redeal": {[]string{"seat"}, func(g given) (engine.Command, error) {
		seat, err := g.number("seat")
		return engine.GrantRedeal{Grounds: g.grounds(), Seat: seat, Deal: g.deal()}, err
	}},
	"no-redeal": {[]string{"seat"}, func(g given) (engine.Command, error) {
		seat, err := g.number("seat")
		return engine.RefuseRedeal{Grounds: g.grounds(), Seat: seat}, err
	}},
	"forfeit": {[]string{"seat"}, func(g given) (engine.Command, error) {
		seat, err := g.number("seat")
		return engine.ForfeitSeat{Grounds: g.grounds(), Seat: seat}, err
	}},
	"cancel": {[]string{"of"}, func(g given) (engine.Command, error) {
		of, err := g.number("of")
		return engine.CancelRuling{Grounds: g.grounds(), Of: of}, err
	}},
	"rewind": {[]string{"turn", "number"}, func(g given) (engine.Command, error) {
		turn, err := g.number("turn")
		return engine.Rewind{Grounds: g.grounds(), Turn: turn}, err
	}},
	"position": {[]string{"seat", "table"}, readPosition},
	"points":   {[]string{"seat", "points"}, nil}, // these two count apart from the game: rule_sanction.go
	"out":      {[]string{"seat"}, nil},
}

// callActions are what an official does about a seat's call; nothing is shown before.
var callActions = map[string]func(given) (engine.Command, error){
	"acknowledge": func(g given) (engine.Command, error) {
		seat, err := g.number("seat")
		return engine.AcknowledgeCall{Seat: seat, By: g.by}, err
	},
	"answer": func(g given) (engine.Command, error) {
		seat, err := g.number("seat")
		return engine.AnswerCall{Seat: seat, By: g.by}, err
	},
}

// readPosition reads what lies on a real table: a set a line, as tiles are written (R4 J R6). Racks stay as they are.
func readPosition(g given) (engine.Command, error) {
	seat, err := g.number("seat")
	if err != nil {
		return nil, err
	}
	c := engine.SetPosition{Grounds: g.grounds(), Seat: seat}
	for line := range strings.Lines(g.Get("table")) {
		faces, err := tile.ParseFaces(line)
		if err != nil {
			return nil, refused(http.StatusUnprocessableEntity, "err_position_line", "line", strings.TrimSpace(line))
		}
		if len(faces) > 0 {
			c.Table = append(c.Table, engine.LaidFaces{At: engine.SomewhereFree, Faces: faces})
		}
	}
	return c, nil
}

// readLeftovers takes the named tiles, each as set.place.face, off the table as it lies. What stays of a set keeps its
// cells: pieces that do not touch any more are sets of their own, which the engine judges.
func readLeftovers(g given) (engine.Command, error) {
	seat, err := g.number("seat")
	if err != nil {
		return nil, err
	}
	c := engine.RuleLeftovers{Seat: seat, Grounds: g.grounds()}
	gone := map[[2]int]bool{}
	for _, name := range g.Values["tile"] {
		var at [2]int
		set, rest, _ := strings.Cut(name, ".")
		place, face, _ := strings.Cut(rest, ".")
		at[0], err = strconv.Atoi(set)
		if err == nil {
			at[1], err = strconv.Atoi(place)
		}
		if err != nil || at[0] < 0 || at[0] >= len(g.state.Table) || at[1] < 0 || at[1] >= len(g.state.Table[at[0]].Tiles) ||
			g.state.Table[at[0]].Tiles[at[1]].Face().String() != face {
			return nil, refused(http.StatusConflict, "err_table_moved")
		}
		gone[at] = true
	}
	for i, laid := range g.state.Table {
		var piece engine.LaidFaces
		for j, one := range laid.Tiles {
			if gone[[2]int{i, j}] {
				c.Tiles = append(c.Tiles, one.Face())
				c.Table, piece = appendSet(c.Table, piece), engine.LaidFaces{}
				continue
			}
			if len(piece.Faces) == 0 {
				piece.At = laid.At + j
			}
			piece.Faces = append(piece.Faces, one.Face())
		}
		c.Table = appendSet(c.Table, piece)
	}
	return c, nil
}

func appendSet(table []engine.LaidFaces, piece engine.LaidFaces) []engine.LaidFaces {
	if len(piece.Faces) == 0 {
		return table
	}
	return append(table, piece)
}
