package paper

import (
	"context"

	"meldhall/templates/locale"
	"meldhall/templates/pdf"
	"meldhall/templates/play"
)

// Won is what a player gets: the prizes of a place or, if players share a place, of all the places they share.
type Won struct {
	Row           play.RankRow
	Prize, Amount string
	Shared        int // number of players who share the prizes
}

// PrizeList lists the prizes with their winners. Over reports that the places are final.
type PrizeList struct {
	About
	Prizes []Won
	Over   bool
}

func (s PrizeList) draw(ctx context.Context, d *pdf.Doc) {
	s.begin(ctx, d, locale.T(ctx, "paper.prize_list"), false)
	if !s.Over {
		d.Flow(pdf.Margin, d.Wide(), locale.T(ctx, "paper.podium_now"), pdf.Style{Size: 12})
		d.Y += 3
	}
	var rows []pdf.Row
	for i, p := range s.Prizes {
		rows = append(rows, pdf.Row{Cells: []string{ltr(p.Row.Rank), name(p.Row.Name),
			locale.CountryName(ctx, p.Row.Country), name(p.Prize), name(p.Amount)}})
		if p.Shared > 1 && (i+1 == len(s.Prizes) || s.Prizes[i+1].Row.Rank != p.Row.Rank) {
			rows = append(rows, pdf.Row{Note: locale.T(ctx, "paper.prize_shared", "n", p.Shared)})
		}
	}
	d.Table([]pdf.Column{{Title: locale.T(ctx, "col.rank"), Width: 14, Align: pdf.End, Bold: true},
		{Title: locale.T(ctx, "col.player"), Share: 3, Bold: true}, {Title: locale.T(ctx, "col.country"), Share: 1.6},
		{Title: locale.T(ctx, "paper.prize"), Share: 3},
		{Title: locale.T(ctx, "paper.amount"), Share: 1.4, Align: pdf.End}}, rows, 9, 12)
	d.Room(36)
	wide := d.Wide() * 0.42
	s.signature(d, pdf.Margin, d.Y+22, wide, s.Organizer, locale.T(ctx, "paper.organizer"))
	s.signature(d, pdf.Margin+d.Wide()-wide, d.Y+22, wide, s.Referee, locale.T(ctx, "paper.chief_referee"))
}

// Receipts are cut out and signed by the winners of prizes, one by each.
type Receipts struct {
	About
	Prizes []Won
}

const receiptsDown = 3 // on a page

func (s Receipts) draw(ctx context.Context, d *pdf.Doc) {
	s.bare(d, locale.T(ctx, "paper.receipts"), false)
	w, h := d.Page()
	high := (h - 2*pdf.Margin) / receiptsDown
	for i, p := range s.Prizes {
		at := i % receiptsDown
		if i > 0 && at == 0 {
			d.NextPage()
		}
		y := pdf.Margin + float64(at)*high
		if at > 0 {
			d.Dashes(pdf.Margin/2, y, w-pdf.Margin/2, y)
		}
		d.Within(pdf.Section, func() { s.receipt(ctx, d, y+5, i+1, p) })
	}
}

// receipt draws a receipt. If the winner shares the prizes, its amount is left to be written by hand.
func (s Receipts) receipt(ctx context.Context, d *pdf.Doc, y float64, number int, p Won) {
	x, half, between := pdf.Margin, d.Wide()/2, 8.0
	d.Fill(x+half, y, half, 5, parts(name(s.Event), name(s.Place)), pdf.Style{Size: 10, Grey: true, Align: pdf.End})
	d.Within(pdf.Subheading, func() {
		d.Fill(x, y, half-2, 9, locale.T(ctx, "paper.receipt", "number", number), pdf.Style{Size: 18, Bold: true})
	})
	d.Fill(x+half, y+5, half, 4.5, s.Days, pdf.Style{Size: 9, Grey: true, Align: pdf.End})
	d.Rule(x, y+11, d.Wide(), 0.4)
	prize, amount := p.Prize, p.Amount
	if p.Shared > 1 {
		prize, amount = parts(name(prize), name(amount), locale.T(ctx, "paper.prize_shared", "n", p.Shared)), ""
	}
	field := func(x, y, wide float64, key, value string) {
		d.Within(pdf.Paragraph, func() {
			d.Fill(x, y, wide, 4, locale.T(ctx, key), pdf.Style{Size: 8.5, Grey: true})
			d.Fill(x, y+4, wide, 8.5, value, pdf.Style{Size: 13})
		})
		d.Rule(x, y+13, wide, 0.2)
	}
	left, wide := x+half+between/2, half-between/2
	field(x, y+14, wide, "paper.received_from", name(s.Organizer))
	field(left, y+14, wide, "col.player", name(p.Row.Name))
	field(x, y+30, wide, "paper.prize_for", prizeOf(p.Row.Rank).words(ctx))
	field(left, y+30, wide, "paper.prize", prize)
	field(x, y+46, wide/2-between/2, "paper.amount", name(amount))
	field(x+wide/2+between/2, y+46, wide/2-between/2, "paper.date", "")
	field(left, y+46, wide, "paper.signature", "")
}
