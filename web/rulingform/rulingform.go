// Package rulingform reads the forms of officials' rulings.
package rulingform

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"meldhall/engine"
	"meldhall/engine/tile"
	"meldhall/templates/locale"
	"meldhall/templates/part"
	"meldhall/templates/play"
	"meldhall/tournament/game"
	"meldhall/tournament/rights"
	"meldhall/web/page"
	"meldhall/web/request"
	"meldhall/web/view"
)

// Form holds a ruling's form, or the query that previews it. by is the official's name.
type Form struct {
	url.Values
	Kind  engine.RulingKind
	by    string
	state engine.State
}

// Number returns a whole number of the form, or an error that names the field.
func (g Form) Number(name string) (int, error) { return page.WholeNumber(name, g.Get(name)) }

// Grounds reads the fields that every ruling's form has. Without an article in the form, the canned reason's article
// applies. The field seen is optional; without it, newer rulings are not checked.
func (g Form) Grounds() (engine.Grounds, error) {
	seen, err := page.Optional(g.Get, "seen")
	return engine.Grounds{Seen: int(seen), Rule: cmp.Or(g.Get("rule"), g.Kind.Article(g.Get("canned"))),
		Reason: play.PackReason(g.Get("canned"), g.Get("reason")), By: g.by}, err
}

// Command returns the ruling's command.
func (g Form) Command() (engine.Command, error) {
	grounds, err := g.Grounds()
	if err != nil {
		return nil, err
	}
	f := engine.RulingFields{Grounds: grounds, Numbers: map[string]int{}}
	for _, field := range g.Kind.Fields {
		if err := g.read(&f, field); err != nil {
			return nil, err
		}
	}
	return g.Kind.Command(f), nil
}

// read reads one field. Tiles are named by their place on the table, which also determines the remaining sets. Racks
// stay unchanged, because no form has them.
func (g Form) read(f *engine.RulingFields, field engine.RulingField) (err error) {
	switch field.Type {
	case engine.NumberField:
		if !field.Optional || g.Get(field.Name) != "" {
			f.Numbers[field.Name], err = g.Number(field.Name)
		}
	case engine.TilesField:
		f.Tiles, f.Table, err = g.picked()
	case engine.TableField:
		if g.TypesTable() {
			f.Table, err = g.typed()
		}
	}
	return err
}

// TypesTable reports whether the form asks for the table's sets as text.
func (g Form) TypesTable() bool {
	is := func(t engine.RulingFieldType) bool {
		return slices.ContainsFunc(g.Kind.Fields, func(f engine.RulingField) bool { return f.Type == t })
	}
	return is(engine.TableField) && !is(engine.TilesField)
}

// Carried returns the fields to pass on: the form's own ones, the article of a proposed penalty, and a turn's displayed
// number.
func (g Form) Carried() (fields []part.FormField) {
	for _, name := range append(g.names(), "rule", "number") {
		for _, value := range g.Values[name] {
			fields = append(fields, part.FormField{Name: name, Value: value})
		}
	}
	return fields
}

// names returns the names of the form's own fields.
func (g Form) names() []string {
	names := make([]string, len(g.Kind.Fields))
	for i, field := range g.Kind.Fields {
		if names[i] = field.Name; field.Type == engine.TilesField {
			names[i] = "tile" // one field per tile
		}
	}
	return names
}

// Text returns the key of a text about the ruling. A notice, deducted time and a restart of the current turn have their
// own texts.
func (g Form) Text(prefix string) string {
	key := prefix + g.Kind.Name
	for variant, is := range map[string]func() bool{
		".none": func() bool { return g.is("tiles", func(n int) bool { return n == 0 }) },
		".back": func() bool { return g.is("seconds", func(n int) bool { return n < 0 }) },
		".now":  func() bool { return g.is("turn", func(n int) bool { return n == g.state.Turn.Number }) },
		".late": func() bool { return g.Get("late") == "1" },
	} {
		if locale.HasText(key+variant) && is() {
			return key + variant
		}
	}
	return key
}

func (g Form) is(field string, so func(int) bool) bool {
	n, err := g.Number(field)
	return err == nil && so(n)
}

// CallActions are the actions on a seat's call; they have no preview.
var CallActions = map[string]func(Form) (engine.Command, error){
	"acknowledge": func(g Form) (engine.Command, error) {
		seat, err := g.Number("seat")
		return engine.AcknowledgeCall{Seat: seat, By: g.by}, err
	},
	"answer": func(g Form) (engine.Command, error) {
		seat, err := g.Number("seat")
		return engine.AnswerCall{Seat: seat, By: g.by}, err
	},
}

// typed reads the sets on a real table, one per line in tile notation (R4 J R6).
func (g Form) typed() (table []tile.LaidFaces, err error) {
	for line := range strings.Lines(g.Get("table")) {
		faces, err := tile.ParseFaces(line)
		if err != nil {
			return nil, request.Refused(http.StatusUnprocessableEntity, "err_position_line", "line",
				strings.TrimSpace(line))
		}
		if len(faces) > 0 {
			table = append(table, tile.LaidFaces{At: tile.SomewhereFree, Faces: faces})
		}
	}
	return table, nil
}

// picked removes the named tiles, each as set.place.face, from the table. The rest of a set keeps its cells: parts that
// no longer touch become separate sets, which the engine judges.
func (g Form) picked() (tiles []tile.Face, table []tile.LaidFaces, err error) {
	gone := map[[2]int]bool{}
	for _, name := range g.Values["tile"] {
		var at [2]int
		set, rest, _ := strings.Cut(name, ".")
		place, face, _ := strings.Cut(rest, ".")
		at[0], err = strconv.Atoi(set)
		if err == nil {
			at[1], err = strconv.Atoi(place)
		}
		if err != nil || at[0] < 0 || at[0] >= len(g.state.Table) || at[1] < 0 ||
			at[1] >= len(g.state.Table[at[0]].Tiles) ||
			g.state.Table[at[0]].Tiles[at[1]].Face().String() != face {
			return nil, nil, request.Refused(http.StatusConflict, "err_table_moved")
		}
		gone[at] = true
	}
	for i, laid := range g.state.Table {
		var piece tile.LaidFaces
		for j, one := range laid.Tiles {
			if gone[[2]int{i, j}] {
				tiles = append(tiles, one.Face())
				table, piece = appendSet(table, piece), tile.LaidFaces{}
				continue
			}
			if len(piece.Faces) == 0 {
				piece.At = laid.At + j
			}
			piece.Faces = append(piece.Faces, one.Face())
		}
		table = appendSet(table, piece)
	}
	return tiles, table, nil
}

func appendSet(table []tile.LaidFaces, piece tile.LaidFaces) []tile.LaidFaces {
	if len(piece.Faces) == 0 {
		return table
	}
	return append(table, piece)
}

// New returns the form of a ruling of a kind by an official on a game.
func New(form url.Values, kind engine.RulingKind, actor rights.Actor, state engine.State) Form {
	return Form{form, kind, actor.Name, state}
}

// StartsHeld reports whether the ruling starts a table that waits for players without a tablet.
func (g Form) StartsHeld() bool { return g.Kind.Name == "resume" && g.state.Paused.Held() }

// Read returns the command of a ruling's form, or of an action on a call.
func Read(action string, g Form) (engine.Command, error) {
	if call, ok := CallActions[action]; ok {
		return call(g)
	}
	return g.Command()
}

// Key returns a ruling's key for the state it was made in, so that a repeated request applies once.
func Key(snap *game.Snapshot, action string) string {
	return view.RulingKeyOf(snap.Ref.ID, snap.State.Seq) + "-" + action
}

// FormKey returns a key for the state and the ruling's fields: the same form sent twice applies once, while another
// ruling in the same state is separate.
func FormKey(g Form, action string, game int64, seq int) string {
	sum := fnv.New64a()
	for _, name := range append(g.names(), "seat", "seen") {
		fmt.Fprintf(sum, "%s=%q;", name, g.Values[name])
	}
	return fmt.Sprintf("%s-%s-%x", view.RulingKeyOf(game, seq), action, sum.Sum64())
}
