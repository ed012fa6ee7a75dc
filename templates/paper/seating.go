package paper

import (
	"context"
	"slices"
	"strconv"

	"meldhall/templates/locale"
	"meldhall/templates/pdf"
)

// SeatingByName is the seating as a poster, sorted by name in two columns.
type SeatingByName struct {
	About
	Tables []Table
}

type placed struct {
	Seat
	table int
}

const (
	nameRow  = 7.4 // millimetres
	nameSize = 13.0
)

func (s SeatingByName) draw(ctx context.Context, d *pdf.Doc) {
	s.begin(ctx, d, locale.T(ctx, "paper.by_name"), false)
	all := byName(ctx, s.Tables)
	if len(all) == 0 {
		d.Flow(pdf.Margin, d.Wide(), locale.T(ctx, "paper.nobody"), pdf.Style{Size: 12})
		return
	}
	d.Within(pdf.Table, func() { nameTable(ctx, d, all) })
}

// nameTable draws the list in two columns, each with a header that readers read once.
func nameTable(ctx context.Context, d *pdf.Doc, all []placed) {
	const between = 7.0
	wide := (d.Wide() - between) / 2
	header := func(draw func()) { d.Within(pdf.TableRow, draw) }
	for len(all) > 0 {
		top := d.Y
		rows := int((d.Bottom() - top - 6.5) / nameRow)
		if len(all) <= rows*2 { // balance the columns of the last page
			rows = (len(all) + 1) / 2
		}
		for column := range 2 {
			take := min(rows, len(all))
			if take > 0 {
				x := pdf.Margin + float64(column)*(wide+between)
				header(func() { nameHead(ctx, d, x, top, wide) })
				header = d.Artifact
				nameColumn(d, x, top+6, wide, all[:take])
			}
			all = all[take:]
		}
		if len(all) > 0 {
			d.NextPage()
		}
	}
}

const tableWide, seatWide = 16.0, 13.0 // of the list by name, millimetres

func nameHead(ctx context.Context, d *pdf.Doc, x, y, wide float64) {
	label := pdf.Style{Size: 8, Grey: true, Bold: true}
	d.Within(pdf.HeaderCell, func() {
		d.Fill(x+0.5, y, wide-tableWide-seatWide-2, 5, locale.T(ctx, "col.player"), label)
	})
	label.Align = pdf.Centre
	d.Within(pdf.HeaderCell, func() {
		d.Fill(x+wide-tableWide-seatWide, y, tableWide, 5, locale.T(ctx, "paper.table"), label)
	})
	d.Within(pdf.HeaderCell, func() { d.Fill(x+wide-seatWide, y, seatWide, 5, locale.T(ctx, "paper.seat"), label) })
	d.Rule(x, y+5.6, wide, 0.35)
}

// nameColumn draws a column of the list: name, table and seat.
func nameColumn(d *pdf.Doc, x, y, wide float64, all []placed) {
	for _, p := range all {
		d.Within(pdf.TableRow, func() {
			d.Within(pdf.Cell, func() {
				d.Fill(x+0.5, y+0.3, wide-tableWide-seatWide-2, nameRow-0.6, name(p.Name), pdf.Style{Size: nameSize})
			})
			d.Within(pdf.Cell, func() {
				d.Fill(x+wide-tableWide-seatWide, y, tableWide, nameRow, strconv.Itoa(p.table),
					pdf.Style{Size: 15, Bold: true, Align: pdf.Centre})
			})
			d.Within(pdf.Cell, func() {
				d.Fill(x+wide-seatWide, y, seatWide, nameRow, strconv.Itoa(p.Seat.Seat+1),
					pdf.Style{Size: nameSize, Grey: true, Align: pdf.Centre})
			})
		})
		y += nameRow
		d.Tint(x, y-0.1, wide, 0.15, 190)
	}
}

// byName returns all seats sorted by name, in the collation order of the sheet's language.
func byName(ctx context.Context, tables []Table) (all []placed) {
	for _, t := range tables {
		for _, seat := range t.Seats {
			all = append(all, placed{seat, t.Number})
		}
	}
	order := locale.NameOrder(ctx)
	slices.SortStableFunc(all, func(a, b placed) int { return order(a.Name, b.Name) })
	return all
}

// SeatingByTable is the seating by table, for officials and as a poster, with a box for each table.
type SeatingByTable struct {
	About
	Tables []Table
}

func (s SeatingByTable) draw(ctx context.Context, d *pdf.Doc) {
	s.begin(ctx, d, locale.T(ctx, "paper.by_table"), false)
	if len(s.Tables) == 0 {
		d.Flow(pdf.Margin, d.Wide(), locale.T(ctx, "paper.nobody"), pdf.Style{Size: 12})
	}
	const between, row, number = 6.0, 7.0, 17.0
	wide := (d.Wide() - between) / 2
	for i, t := range s.Tables {
		if i%2 == 0 {
			d.Room(4*row + 3)
		}
		x := pdf.Margin + float64(i%2)*(wide+between)
		d.Tint(x, d.Y, number, 4*row, 228)
		d.Box(x, d.Y, wide, 4*row, 0.3)
		d.Within(pdf.Subheading, func() {
			d.Fill(x+1, d.Y+2, number-2, 6, locale.T(ctx, "paper.table"),
				pdf.Style{Size: 8, Grey: true, Align: pdf.Centre})
			d.Fill(x+1, d.Y+8, number-2, 4*row-11, strconv.Itoa(t.Number),
				pdf.Style{Size: 30, Bold: true, Align: pdf.Centre})
		})
		for j, seat := range t.Seats {
			y := d.Y + float64(j)*row
			d.Within(pdf.Paragraph, func() {
				d.Fill(x+number+1, y, 6, row, strconv.Itoa(seat.Seat+1),
					pdf.Style{Size: 10, Grey: true, Align: pdf.Centre})
				d.Fill(x+number+8, y+0.3, wide-number-9, row-0.6, name(seat.Name), pdf.Style{Size: 12})
			})
			if j > 0 {
				d.Tint(x+number, y, wide-number, 0.15, 190)
			}
		}
		if i%2 == 1 || i == len(s.Tables)-1 {
			d.Y += 4*row + 3
		}
	}
}

// Announcer is the seating for reading aloud: in large print, table by table, with an introduction.
type Announcer struct {
	About
	Tables []Table
	Games  int
	Turn   int // seconds; 0: no limit
	Starts string
}

func (s Announcer) draw(ctx context.Context, d *pdf.Doc) {
	s.begin(ctx, d, locale.T(ctx, "paper.announcer"), false)
	say := []string{locale.T(ctx, "paper.say_tables", "n", len(s.Tables)),
		locale.T(ctx, "paper.say_games", "n", s.Games)}
	if s.Turn > 0 {
		say = append(say, locale.T(ctx, "paper.say_turn", "n", s.Turn))
	}
	if s.Starts != "" {
		say = append(say, locale.T(ctx, "paper.say_starts", "time", ltr(s.Starts)))
	}
	for _, line := range say {
		d.Flow(pdf.Margin, d.Wide(), line, pdf.Style{Size: 14})
	}
	d.Y += 5
	const row, number = 8.6, 24.0
	for _, t := range s.Tables {
		height := row*float64(len(t.Seats)) + 5
		d.Room(height)
		d.Within(pdf.Subheading, func() {
			d.Fill(pdf.Margin, d.Y, number-4, 5, locale.T(ctx, "paper.table"),
				pdf.Style{Size: 10, Grey: true, Align: pdf.Centre})
			d.Fill(pdf.Margin, d.Y+5, number-4, 14, strconv.Itoa(t.Number),
				pdf.Style{Size: 34, Bold: true, Align: pdf.Centre})
		})
		for j, seat := range t.Seats {
			y := d.Y + float64(j)*row
			d.Within(pdf.Paragraph, func() {
				d.Fill(pdf.Margin+number, y, d.Wide()*0.62-number-4, row, name(seat.Name),
					pdf.Style{Size: 17, Bold: true})
				d.Fill(pdf.Margin+d.Wide()*0.62, y, d.Wide()*0.38, row, seat.country(ctx), pdf.Style{Size: 13})
			})
		}
		d.Tint(pdf.Margin, d.Y+height-2.6, d.Wide(), 0.25, 120)
		d.Y += height
	}
}
