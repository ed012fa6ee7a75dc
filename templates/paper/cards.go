package paper

import (
	"context"
	"slices"
	"strconv"

	"meldhall/templates/locale"
	"meldhall/templates/pdf"
)

// SeatCards are cut out and put on the tables. They carry the codes for linking tablets to seats. Host is the address
// to type.
type SeatCards struct {
	About
	Host   string
	Tables []Table
}

// card is a seat card or a ticket.
type card struct {
	over, name, under string
	code, url         string
	large             bool // the name is a table number
}

func (s SeatCards) draw(ctx context.Context, d *pdf.Doc) {
	var cards []card
	for _, t := range s.Tables {
		if t.Code != "" {
			cards = append(cards, card{over: locale.T(ctx, "paper.whole_table"),
				name: locale.T(ctx, "table.title", "number", t.Number), code: t.Code, url: t.URL, large: true})
		}
		for _, seat := range t.Seats {
			cards = append(cards, card{over: locale.T(ctx, "table.seat", "table", t.Number, "seat", seat.Seat+1),
				name:  name(seat.Name),
				under: seat.country(ctx), code: seat.Code, url: seat.URL})
		}
	}
	s.cut(ctx, d, locale.T(ctx, "paper.cards"), cards, s.Host)
}

// Ticket is a player's check-in code.
type Ticket struct {
	Person
	URL string
}

// Tickets are cut out and handed or sent to the players.
type Tickets struct {
	About
	Tickets []Ticket
}

func (s Tickets) draw(ctx context.Context, d *pdf.Doc) {
	var cards []card
	for _, t := range s.Tickets {
		cards = append(cards, card{over: locale.T(ctx, "paper.number", "number", t.Number), name: name(t.Name),
			under: t.country(ctx), url: t.URL})
	}
	s.cut(ctx, d, locale.T(ctx, "check_in.tickets"), cards, "")
}

// cut lays out cards on pages, two in a row, with cutting lines.
func (a About) cut(ctx context.Context, d *pdf.Doc, title string, cards []card, host string) {
	if len(cards) == 0 {
		a.begin(ctx, d, title, false)
		d.Flow(pdf.Margin, d.Wide(), locale.T(ctx, "paper.nobody"), pdf.Style{Size: 12})
		return
	}
	a.bare(d, title, false)
	for i, page := range slices.Collect(slices.Chunk(cards, cardsAcross*cardsDown)) {
		if ctx.Err() != nil {
			return // the request was cancelled
		}
		if i > 0 {
			d.NextPage()
		}
		d.Pack(func() { a.cardPage(ctx, d, page, host) })
	}
}

const cardsAcross, cardsDown = 2, 4

// cardPage draws the cards of one page.
func (a About) cardPage(ctx context.Context, d *pdf.Doc, cards []card, host string) {
	pageW, pageH := d.Page()
	wide, high := d.Wide()/cardsAcross, (pageH-2*pdf.Margin)/cardsDown
	for line := range cardsDown - 1 {
		y := pdf.Margin + float64(line+1)*high
		d.Dashes(pdf.Margin/2, y, pageW-pdf.Margin/2, y)
	}
	d.Dashes(pageW/2, pdf.Margin/2, pageW/2, pageH-pdf.Margin/2)
	for i, c := range cards {
		a.card(ctx, d, pdf.Margin+float64(i%cardsAcross)*wide, pdf.Margin+float64(i/cardsAcross)*high, wide, high, c,
			host)
	}
}

func (a About) card(ctx context.Context, d *pdf.Doc, x, y, wide, high float64, c card, host string) {
	const inside = 3.0
	side := 0.0
	if c.url != "" {
		side = min(high-2*inside, wide*0.47)
		d.QR(x+inside, y+(high-side)/2, side, c.url)
	}
	x, wide = x+inside+side+2, wide-2*inside-side-4
	centre := pdf.Style{Size: 9, Grey: true}
	d.Fill(x, y+inside+1, wide, 8, parts(name(a.Event), a.where(ctx)), centre)
	d.Fill(x, y+inside+10, wide, 7, c.over, pdf.Style{Size: 12, Bold: !c.large})
	size := 19.0
	if c.large {
		size = 28
	}
	d.Fill(x, y+inside+16.5, wide, 16, c.name, pdf.Style{Size: size, Bold: true})
	d.Fill(x, y+inside+32.5, wide, 5, c.under, pdf.Style{Size: 10, Grey: true})
	if c.code != "" {
		d.Fill(x, y+high-inside-19, wide, 9, locale.T(ctx, "paper.type_code", "host", ltr(host)),
			pdf.Style{Size: 8, Grey: true})
		d.Fill(x, y+high-inside-9.5, wide, 8, ltr(c.code), pdf.Style{Size: 15, Bold: true})
	}
}

// CheckIn is the paper list for checking players in at the entrance.
type CheckIn struct {
	About
	Players []Arrival
}

// Arrival is a player on the check-in list.
type Arrival struct {
	Person
	Here bool
}

func (s CheckIn) draw(ctx context.Context, d *pdf.Doc) {
	here := 0
	var rows []pdf.Row
	for _, p := range s.Players {
		mark := ""
		if p.Here {
			here++
			mark = "+"
		}
		rows = append(rows, pdf.Row{Cells: []string{strconv.Itoa(p.Number), name(p.Name), p.country(ctx), name(p.Club),
			mark}})
	}
	s.begin(ctx, d, locale.T(ctx, "paper.check_in"), false)
	d.Flow(pdf.Margin, d.Wide(), locale.T(ctx, "check_in.here", "here", here, "of", len(s.Players)),
		pdf.Style{Size: 12})
	d.Y += 3
	d.Table([]pdf.Column{{Title: locale.T(ctx, "col.number"), Width: 12, Align: pdf.End},
		{Title: locale.T(ctx, "col.player"), Share: 3, Bold: true},
		{Title: locale.T(ctx, "col.country"), Share: 1.6}, {Title: locale.T(ctx, "col.club"), Share: 1.8},
		{Title: locale.T(ctx, "paper.here"), Width: 14, Align: pdf.Centre, Ticks: true},
		{Title: locale.T(ctx, "paper.remark"), Width: 34}}, rows, 8, 11.5)
}
