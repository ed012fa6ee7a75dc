package pdf

import "fmt"

// Column is a column of a table. Width is in millimetres; columns with a Share divide the remaining width.
type Column struct {
	Title string
	Width float64
	Share float64
	Align Align
	Bold  bool
	Ticks bool // cells are boxes, ticked if not empty
}

// Row is a row of a table, with a text for each column. A row with a Heading or a Note spans the whole width instead.
type Row struct {
	Cells   []string
	Heading string
	Note    string
	Grey    bool
	Over    bool // a thick line above it
}

// Table draws a table down the page, continuing on as many pages as needed with its header at the top of each.
func (d *Doc) Table(columns []Column, rows []Row, height, size float64) {
	d.Within(Table, func() { d.table(columns, rows, height, size) })
}

func (d *Doc) table(columns []Column, rows []Row, height, size float64) {
	wide := d.widths(columns)
	drawn := false
	for i, row := range rows {
		need := height
		note := Style{Size: size * 0.9, Grey: true}
		if row.Note != "" {
			need = d.Height(d.Wide()-2*gap, row.Note, note) + 1
		}
		if row.Heading != "" && i+1 < len(rows) {
			need *= 2 // keep a heading off the foot of a page
		}
		if !drawn || d.Y+need > d.Bottom() {
			if drawn || d.Y+need+7 > d.Bottom() {
				d.NextPage()
			}
			head := func() { d.tableHead(columns, wide) }
			if drawn {
				d.Artifact(head) // read already
			} else {
				d.Within(TableRow, head)
			}
			drawn = true
		}
		if row.Heading != "" {
			d.Tint(Margin, d.Y, d.Wide(), height, 232)
			d.across(HeaderCell, columns, func() {
				d.Fill(Margin+1.5, d.Y, d.Wide()-3, height, row.Heading, Style{Size: size, Bold: true})
			})
			d.Y += height
			continue
		}
		if row.Note != "" {
			d.across(Cell, columns, func() { d.Fill(Margin+gap, d.Y, d.Wide()-2*gap, need, row.Note, note) })
			d.Y += need
			continue
		}
		if row.Over {
			d.Rule(Margin, d.Y-0.35, d.Wide(), 0.7)
		}
		d.Within(TableRow, func() { d.row(columns, wide, row, height, size) })
		d.Y += height
		d.Tint(Margin, d.Y-0.1, d.Wide(), 0.15, 190)
	}
}

// across draws a row of a single cell.
func (d *Doc) across(role Role, columns []Column, draw func()) {
	d.Within(TableRow, func() {
		d.within(&element{role: role, attributes: fmt.Sprintf("/O/Table/ColSpan %d", len(columns))}, draw)
	})
}

func (d *Doc) row(columns []Column, wide []float64, row Row, height, size float64) {
	x := Margin
	for i, c := range columns {
		text := ""
		if i < len(row.Cells) {
			text = row.Cells[i]
		}
		d.Within(Cell, func() {
			if c.Ticks {
				side := min(height, wide[i]) * 0.6
				d.Box(x+(wide[i]-side)/2, d.Y+(height-side)/2, side, side, 0.25)
				if text != "" {
					d.tick(x+(wide[i]-side)/2, d.Y+(height-side)/2, side)
				}
				return
			}
			d.Fill(x+gap, d.Y+0.3, wide[i]-2*gap, height-0.6, text,
				Style{Size: size, Bold: c.Bold, Align: c.Align, Grey: row.Grey})
		})
		x += wide[i]
	}
}

const gap = 1.4 // padding on each side of a cell's text

func (d *Doc) tableHead(columns []Column, wide []float64) {
	x := Margin
	for i, c := range columns {
		d.Within(HeaderCell, func() {
			d.Fill(x+gap, d.Y, wide[i]-2*gap, 5.5, c.Title, Style{Size: 8, Bold: true, Align: c.Align, Grey: true})
		})
		x += wide[i]
	}
	d.Rule(Margin, d.Y+6, d.Wide(), 0.35)
	d.Y += 6.4
}

// widths returns the width of each column.
func (d *Doc) widths(columns []Column) []float64 {
	left, shares := d.Wide(), 0.0
	for _, c := range columns {
		left -= c.Width
		shares += c.Share
	}
	wide := make([]float64, len(columns))
	for i, c := range columns {
		if wide[i] = c.Width; c.Share > 0 {
			wide[i] += left * c.Share / shares
		}
	}
	return wide
}
