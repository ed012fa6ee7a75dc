package templates

import (
	"strings"

	"meldhall/engine/tile"
)

// guideSteps are the parts of the guide in the order of a first turn; each has the texts guide.<step> and
// guide.<step>.text.
var guideSteps = []string{"lay", "split", "set", "joker", "end", "draw", "time", "call"}

// guideDesk is how a desk of the staff works: the texts guide.desk.<name>, and of each part guide.<name>.<part> and
// guide.<name>.<part>.text.
type guideDesk struct {
	name  string
	parts []string
}

var guideDesks = []guideDesk{
	{"referee", []string{"need", "rule", "back", "penalty", "rewind", "card", "count", "second", "real"}},
	{"organizer", []string{"create", "format", "draft", "publish", "promise", "people", "hall", "rehearse", "log"}},
}

// open tells whether the guide shows the desk at once: to whom it belongs.
func (d guideDesk) open(role Role) bool {
	return role.Official() && (d.name == "organizer") == (role == RoleOrganizer)
}

// guideRows are the tables that are drawn beside the steps.
var guideRows = map[string]string{
	"lay":   "_ O4 O5 O6* _ _ _",
	"split": "B8 B9 B10 _ B10* B11 B12",
	"set":   ": K3 R3 B3 _ _ _",
	"joker": "R4 R5* R6 _ J* B9 O9",
}

// guideCell is one cell of such a table.
type guideCell struct {
	face        tile.Face
	free        bool
	fresh, grip bool
}

// guideCells reads a row: a tile, marked with * where it was just laid, _ for an empty cell and : for the handle of a set.
func guideCells(row string) []guideCell {
	var cells []guideCell
	for word := range strings.FieldsSeq(row) {
		cell := guideCell{free: true, grip: word == ":", fresh: strings.HasSuffix(word, "*")}
		if list, err := tile.ParseFaces(strings.TrimSuffix(word, "*")); err == nil && len(list) == 1 {
			cell.face, cell.free = list[0], false
		}
		cells = append(cells, cell)
	}
	return cells
}
