package listfile

import (
	"slices"
	"strconv"

	"meldhall/tournament/refuse"
	"meldhall/tournament/spelling"
)

// headerMost is the number of rows in which the header is looked for.
const headerMost = 40

// find finds the table in a grid: its header, its columns, its rows, and what stands around it.
func (l *List) find(g grid, fields []string, how Reading) error {
	for _, row := range g.rows {
		if row.hidden && !how.Hidden {
			l.leave(LeftHiddenRows, strconv.Itoa(row.Line), told(row.Cells))
		}
	}
	if !how.Hidden {
		g.rows = slices.DeleteFunc(g.rows, func(row gridRow) bool { return row.hidden })
	}
	if len(g.rows) == 0 {
		return refuse.Invalid("err_roster_empty", "line", 0, "field", "")
	}
	for _, row := range g.rows[:min(len(g.rows), headerMost)] {
		l.Top = append(l.Top, row.Row)
	}
	at := headerOf(g.rows, fields)
	if how.Header == NoHeader {
		at = -1
	} else if how.Header != 0 {
		at = slices.IndexFunc(g.rows, func(row gridRow) bool { return row.Line == how.Header })
	}
	var header []string
	l.Header = NoHeader
	if at >= 0 {
		header, l.Header = g.rows[at].Cells, g.rows[at].Line
		if len(header) > columnsMost {
			return refuse.Invalid("err_roster_columns", "line", l.Header, "field", "", "have", len(header), "most",
				columnsMost)
		}
		for _, row := range g.rows[:at] {
			l.leave(LeftTitle, strconv.Itoa(row.Line), told(row.Cells))
		}
		g.rows = g.rows[at+1:]
	}
	for _, row := range g.rows {
		if header != nil && slices.EqualFunc(row.Cells, header, func(a, b string) bool {
			return spelling.Clean(a) == spelling.Clean(b)
		}) {
			l.leave(LeftRepeated, strconv.Itoa(row.Line), "")
			continue
		}
		l.Rows = append(l.Rows, row.Row)
	}
	l.columns(g, header, fields, how)
	return nil
}

// headerOf returns the index of the row whose cells name most fields, or -1 if there is none.
func headerOf(rows []gridRow, fields []string) (at int) {
	at, most := -1, 0
	for i, row := range rows[:min(len(rows), headerMost)] {
		n, first := 0, false
		for _, cell := range row.Cells {
			if field := fieldOf(cell, fields); field != "" {
				n, first = n+1, first || field == fields[0]
			}
		}
		if (first || n > 1) && n > most {
			at, most = i, n
		}
	}
	return at
}

// columns names the list's columns and cuts the rows to those that are read.
func (l *List) columns(g grid, header, fields []string, how Reading) {
	width := len(header)
	for _, row := range l.Rows {
		width = max(width, len(row.Cells))
	}
	var read []int
	gap := false // an empty column after the last one of the table
	for i := range width {
		c := Column{Number: i + 1}
		if i < len(header) {
			c.Title = spelling.Clean(header[i])
		}
		var texts []string
		for _, row := range l.Rows {
			if i < len(row.Cells) {
				if text := spelling.Clean(row.Cells[i]); text != "" {
					texts = append(texts, text)
				}
			}
		}
		known := fieldOf(c.Title, fields)
		chosen, isChosen := how.Columns[c.Number]
		switch {
		case slices.Contains(g.hiddenColumns, i) && !how.Hidden:
			if len(texts) > 0 {
				l.leave(LeftHiddenColumns, c.Label(), "")
			}
			continue
		case len(texts) == 0 && known == "" && chosen == "":
			l.leave(LeftEmpty, c.Label(), "")
			gap = len(read) > 0
			continue
		case c.Title == "" && header != nil && gap && !isChosen:
			l.leave(LeftNotes, columnName(i), told(texts[:min(len(texts), 3)]))
			continue
		}
		if gap = false; len(texts) > 0 {
			c.Sample = told(texts[:min(len(texts), 3)])
		}
		switch {
		case isChosen:
			c.Field = chosen
		case known != "":
			c.Field = known
		case how.Ignore:
			c.Field = Ignored
		}
		read, l.Columns = append(read, i), append(l.Columns, c)
	}
	if header == nil && len(l.Columns) == 1 && l.Columns[0].Field == "" {
		l.Columns[0].Field = fields[0]
	}
	titled := len(header)
	for titled > 0 && spelling.Clean(header[titled-1]) == "" {
		titled--
	}
	for i, row := range l.Rows {
		if g.csv && len(row.Cells) < titled && !row.Broken {
			l.leave(LeftShort, strconv.Itoa(row.Line), "")
		}
		cells := make([]string, len(read))
		for j, column := range read {
			if column < len(row.Cells) {
				cells[j] = row.Cells[column]
			}
		}
		l.Rows[i].Cells = cells
	}
}
