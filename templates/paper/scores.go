package paper

import (
	"context"
	"strconv"

	"meldhall/templates/locale"
	"meldhall/templates/pdf"
)

// ScoreSheets are score sheets, one for each game at a table. Each has room for the points left on the racks, the
// points and four signatures, and a code that opens the table for an official. Blank sheets have no names, for players
// not yet known.
type ScoreSheets struct {
	About
	Tables []Table
	Blank  int // sheets without names
	Joker  int // charge for a joker on a rack
}

// slip is one score sheet, half a page.
type slip struct {
	Table
	game int
	of   int
}

const seatsMost = 4

func (s ScoreSheets) draw(ctx context.Context, d *pdf.Doc) {
	var slips []slip
	for _, t := range s.Tables {
		for game := range t.Games {
			slips = append(slips, slip{t, game + 1, t.Games})
		}
	}
	title := "paper.score_sheets"
	if len(s.Tables) == 0 {
		title = "paper.blank_sheets"
	}
	for range s.Blank {
		slips = append(slips, slip{Table: Table{Seats: make([]Seat, seatsMost)}})
	}
	if len(slips) == 0 {
		s.begin(ctx, d, locale.T(ctx, title), false)
		d.Flow(pdf.Margin, d.Wide(), locale.T(ctx, "paper.nobody"), pdf.Style{Size: 12})
		return
	}
	s.bare(d, locale.T(ctx, title), false)
	w, h := d.Page()
	var table *pdf.Stamp // the part shared by all sheets of a table
	for i, one := range slips {
		if ctx.Err() != nil {
			return // the request was cancelled
		}
		if i > 0 && i%2 == 0 {
			d.NextPage()
		}
		if i%2 == 0 && i+1 < len(slips) {
			d.Dashes(pdf.Margin/2, h/2, w-pdf.Margin/2, h/2)
		}
		const y = pdf.Margin * 0.8
		down := float64(i%2) * h / 2
		if one.game <= 1 { // draw the shared part once per table
			table = d.Stamp(func() { s.slip(ctx, d, y, one) })
		}
		d.Lay(table, down)
		s.game(ctx, d, y+down, one)
	}
}

// game writes which game and round a sheet is for.
func (s ScoreSheets) game(ctx context.Context, d *pdf.Doc, y float64, one slip) {
	where := locale.T(ctx, "paper.round_blank")
	if one.Number > 0 {
		where = s.where(ctx)
		if one.of > 1 {
			where = parts(where, locale.T(ctx, "game.of", "number", one.game, "of", one.of))
		}
	}
	d.Fill(pdf.Margin, y+19, d.Wide()-slipCode-4, 7, where, pdf.Style{Size: 13})
}

const slipCode = 27.0 // width of a sheet's QR code

// slip draws a sheet at height y of the page, without the line that names its round and game.
func (s ScoreSheets) slip(ctx context.Context, d *pdf.Doc, y float64, one slip) {
	x, wide := pdf.Margin, d.Wide()
	d.Fill(x, y, wide-slipCode-4, 5, parts(name(s.Event), name(s.Place), s.Days), pdf.Style{Size: 10, Grey: true})
	head := locale.T(ctx, "paper.table_blank")
	if one.Number > 0 {
		head = locale.T(ctx, "table.title", "number", one.Number)
	}
	d.Fill(x, y+6, wide*0.45, 12, head, pdf.Style{Size: 28, Bold: true})
	if one.Sheet != "" {
		d.QR(x+wide-slipCode, y-1, slipCode, one.Sheet)
		d.Fill(x+wide*0.45, y+8, wide*0.55-slipCode-2, 9, locale.T(ctx, "paper.sheet_code"),
			pdf.Style{Size: 8, Grey: true, Align: pdf.End})
	}
	bottom := s.grid(ctx, d, y+27.5, one)
	d.Fill(x, bottom+2, wide, 9, locale.T(ctx, "paper.score_how", "n", s.Joker),
		pdf.Style{Size: 9, Grey: true, Top: true})
	d.Fill(x, bottom+12, 32, 6, locale.T(ctx, "sheet.why"), pdf.Style{Size: 9})
	at := x + 34
	for _, why := range []string{"emptied", "stuck", "time_called"} {
		d.Box(at, bottom+13, 4, 4, 0.3)
		d.Fill(at+5.5, bottom+12, (wide-34)/3-7, 6, locale.T(ctx, "sheet.why."+why), pdf.Style{Size: 9})
		at += (wide - 34) / 3
	}
	d.Fill(x, bottom+21, 34, 6, locale.T(ctx, "paper.referee"), pdf.Style{Size: 9})
	d.Rule(x+35, bottom+26, wide*0.5-37, 0.2)
	d.Fill(x+wide*0.5, bottom+21, 26, 6, locale.T(ctx, "paper.remark"), pdf.Style{Size: 9})
	d.Rule(x+wide*0.5+27, bottom+26, wide*0.5-27, 0.2)
}

// grid draws the table of a sheet and returns the position of its lower edge.
func (s ScoreSheets) grid(ctx context.Context, d *pdf.Doc, y float64, one slip) float64 {
	const head = 8.0
	_, page := d.Page()
	high := min(15, (page/2-80)/seatsMost)
	type column struct {
		key  string
		wide float64
	}
	columns := []column{{"", 8}, {"col.player", d.Wide() - 8 - 20 - 20 - 25 - 25 - 42}, {"sheet.opened", 20},
		{"sheet.won", 20}, {"paper.left", 25}, {"col.points", 25}, {"paper.signature", 42}}
	rows := len(one.Seats)
	x := pdf.Margin
	for i, c := range columns {
		if c.key != "" {
			d.Fill(x+1, y, c.wide-2, head, locale.T(ctx, c.key), pdf.Style{Size: 8.5, Bold: true, Align: pdf.Centre})
		}
		for row := range rows {
			top := y + head + float64(row)*high
			d.Box(x, top, c.wide, high, 0.25)
			switch {
			case i == 0:
				d.Fill(x, top, c.wide, high, strconv.Itoa(row+1), pdf.Style{Size: 11, Grey: true, Align: pdf.Centre})
			case i == 1:
				d.Fill(x+1, top+0.5, c.wide-2, high-1, name(one.Seats[row].Name), pdf.Style{Size: 13, Bold: true})
			case i == 2 || i == 3:
				d.Box(x+(c.wide-5)/2, top+(high-5)/2, 5, 5, 0.3)
			}
		}
		x += c.wide
	}
	return y + head + high*float64(max(rows, seatsMost))
}
