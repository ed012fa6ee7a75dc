package game

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"meldhall/engine"
	"meldhall/engine/tile"
)

// DraftChange is how a draft differs from the one before it, or from the table at the start of the turn: the sets that
// are gone, by their cells, and those that are new or other. All is the whole table, where cells do not name the sets.
type DraftChange struct {
	Out string  `json:"out,omitempty"`
	In  string  `json:"in,omitempty"`
	All *string `json:"all,omitempty"`
}

// changeOf is what has to be known to make after of before.
func changeOf(before, after []engine.LaidFaces) DraftChange {
	if !oneEach(before) || !oneEach(after) {
		text := tableText(after)
		return DraftChange{All: &text}
	}
	var gone []string
	var fresh []engine.LaidFaces
	for _, set := range before {
		if i := at(after, set.At); i < 0 {
			gone = append(gone, strconv.Itoa(set.At))
		}
	}
	for _, set := range after {
		if i := at(before, set.At); i < 0 || !slices.Equal(before[i].Faces, set.Faces) {
			fresh = append(fresh, set)
		}
	}
	return DraftChange{Out: strings.Join(gone, " "), In: tableText(fresh)}
}

// Apply gives the table after the change, its sets in the order of their cells.
func (c DraftChange) Apply(before []engine.LaidFaces) ([]engine.LaidFaces, error) {
	if c.All != nil {
		return parseTable(*c.All)
	}
	after := slices.Clone(before)
	for cell := range strings.FieldsSeq(c.Out) {
		n, err := strconv.Atoi(cell)
		if err != nil {
			return nil, fmt.Errorf("cell %q: %w", cell, err)
		}
		after = slices.DeleteFunc(after, func(set engine.LaidFaces) bool { return set.At == n })
	}
	fresh, err := parseTable(c.In)
	if err != nil {
		return nil, err
	}
	for _, set := range fresh {
		if i := at(after, set.At); i >= 0 {
			after[i] = set
		} else {
			after = append(after, set)
		}
	}
	slices.SortStableFunc(after, func(a, b engine.LaidFaces) int { return a.At - b.At })
	return after, nil
}

// oneEach tells whether every set lies in a cell of its own.
func oneEach(table []engine.LaidFaces) bool {
	seen := make(map[int]bool, len(table))
	for _, set := range table {
		if set.At < 0 || seen[set.At] {
			return false
		}
		seen[set.At] = true
	}
	return true
}

func at(table []engine.LaidFaces, cell int) int {
	return slices.IndexFunc(table, func(set engine.LaidFaces) bool { return set.At == cell })
}

// tableText writes a table of faces as the log writes one of tiles: "0 R4 J R6;14 K5 O5 B5".
func tableText(table []engine.LaidFaces) string {
	var text []byte
	for i, set := range table {
		if i > 0 {
			text = append(text, ';')
		}
		text = strconv.AppendInt(text, int64(set.At), 10)
		for _, f := range set.Faces {
			text = append(text, ' ')
			text = append(text, f.String()...)
		}
	}
	return string(text)
}

func parseTable(text string) ([]engine.LaidFaces, error) {
	var table []engine.LaidFaces
	if text == "" {
		return nil, nil
	}
	for part := range strings.SplitSeq(text, ";") {
		cell, tiles, _ := strings.Cut(part, " ")
		n, err := strconv.Atoi(cell)
		if err != nil {
			return nil, fmt.Errorf("set %q: %w", part, err)
		}
		faces, err := tile.ParseFaces(tiles)
		if err != nil {
			return nil, fmt.Errorf("set %q: %w", part, err)
		}
		table = append(table, engine.LaidFaces{At: n, Faces: faces})
	}
	return table, nil
}
