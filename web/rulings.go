package web

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"meldhall/engine"
	"meldhall/templates"
)

// given is what a form, or the address that previews it, says of a ruling. By is the official's name.
type given struct {
	url.Values
	by    string
	state engine.State
}

// number is a whole number of the form, or the refusal that names the field.
func (g given) number(name string) (int, error) {
	n, err := strconv.Atoi(strings.TrimSpace(g.Get(name)))
	if err != nil {
		return 0, refused(http.StatusUnprocessableEntity, "err_field", "field", name, "detail", strconv.Quote(g.Get(name)))
	}
	return n, nil
}

// reason is the canned reason, the free text, or both.
func (g given) reason() string { return templates.PackReason(g.Get("canned"), g.Get("reason")) }

// grounds is what every ruling's form says. An unreadable seen is one that is not checked.
func (g given) grounds() engine.Grounds {
	seen, _ := strconv.Atoi(g.Get("seen"))
	return engine.Grounds{Seen: seen, Rule: g.Get("rule"), Reason: g.reason(), By: g.by}
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
		return engine.GiveTime{Seconds: seconds, Grounds: g.grounds()}, err
	}},
	"penalty":   {[]string{"seat", "tiles", "proposal"}, readPenalty},
	"leftovers": {[]string{"seat", "tile"}, readLeftovers},
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

func readPenalty(g given) (engine.Command, error) {
	seat, err := g.number("seat")
	if err != nil {
		return nil, err
	}
	tiles, err := g.number("tiles")
	return engine.Penalise{Seat: seat, Tiles: tiles, Grounds: g.grounds()}, err
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
