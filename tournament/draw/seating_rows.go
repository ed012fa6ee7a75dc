package draw

import (
	"context"

	"meldhall/engine/ruleset"
	"meldhall/tournament/listfile"
	"meldhall/tournament/refuse"
	"meldhall/tournament/spelling"
)

// scriptLine is one seat of a seating file. player is a start number or a name, as in the file. line is the line in the
// file. round and stage are 0 if the file has no such column; tables and seats count from 1.
type scriptLine struct {
	line, round, stage, table, seat int
	player                          string
}

// The columns of a seating file: those that are needed, and those of an exported file that do not concern seats.
var (
	scriptFields = []string{"table", "seat", "name", "number", "round", "stage", "country", "club", "stand_in"}
	scriptMost   = 20_000 // lines, tables and rounds
)

// scriptLines parses a seating file, see package listfile. It has the columns table and seat, a player (start number
// or name) or number column, round if it holds several rounds, and optionally stage. Columns that are not recognized
// are an error unless ignore is set.
func scriptLines(ctx context.Context, file string, ignore bool) (lines []scriptLine, err error) {
	list, err := listfile.Read(ctx, file, scriptFields, listfile.Reading{Ignore: ignore})
	for _, one := range listfile.Errors(err) {
		if one.Key == "err_roster_empty" {
			return nil, refuse.Invalid("err_script_empty", "line", 1)
		}
	}
	if err != nil {
		return nil, err
	}
	header := max(list.Header, 1)
	player := "number" // more reliable than a name
	if !list.Has(player) {
		player = "name"
	}
	seen := map[string]bool{}
	for _, c := range list.Columns {
		switch {
		case c.Field == "" && list.Header != listfile.NoHeader:
			return nil, refuse.Invalid("err_script_column", "line", header, "column", c.Label())
		case c.Field != listfile.Ignored && seen[c.Field]:
			return nil, refuse.Invalid("err_roster_column_twice", "line", header, "field", c.Field, "column", c.Label())
		}
		seen[c.Field] = true
	}
	for name, field := range map[string]string{"table": "table", "seat": "seat", "player": player} {
		if !list.Has(field) {
			return nil, refuse.Invalid("err_script_no_column", "line", header, "column", name)
		}
	}
	for _, row := range list.Rows {
		if row.Broken {
			return nil, refuse.Invalid("err_script_quotes", "line", row.Line)
		}
		l, err := scriptLineOf(list, row, player)
		if err != nil {
			return nil, err
		}
		lines = append(lines, l)
	}
	if len(lines) == 0 {
		return nil, refuse.Invalid("err_script_empty", "line", 1)
	}
	return lines, nil
}

func scriptLineOf(list listfile.List, row listfile.Row, player string) (l scriptLine, err error) {
	l = scriptLine{line: row.Line, player: list.At(row, player)}
	wrong := func(column, value string) error {
		return refuse.Invalid("err_script_value", "line", row.Line, "column", column, "value", value)
	}
	if l.player == "" {
		return l, wrong("player", "")
	}
	for field, to := range map[string]*int{"round": &l.round, "stage": &l.stage, "table": &l.table, "seat": &l.seat} {
		if !list.Has(field) {
			continue
		}
		n, ok := spelling.Whole(list.At(row, field))
		if !ok || n < 1 || n > scriptMost || field == "seat" && n > ruleset.MaxSeats {
			return l, wrong(field, list.At(row, field))
		}
		*to = n
	}
	return l, nil
}
