package paper

import (
	"context"
	"strconv"
	"strings"
	"time"

	"meldhall/engine"
	"meldhall/engine/ruleset"
	"meldhall/templates/desk"
	"meldhall/templates/locale"
	"meldhall/templates/pdf"
	"meldhall/templates/referee"
)

// Record is the full record of a game, to be signed and filed.
type Record struct {
	About
	Game  referee.Protocol
	Proof string // of the game's log; empty: none
}

func (s Record) draw(ctx context.Context, d *pdf.Doc) {
	p := s.Game
	s.begin(ctx, d, locale.T(ctx, "protocol.of", "table", p.Table, "number", p.Number), false)
	facts := []fact{{locale.T(ctx, "protocol.played_by"), p.RulesWords(ctx)}}
	if p.Began != 0 {
		facts = append(facts, fact{locale.T(ctx, "protocol.began"), inZone(ctx, p.Began)})
	}
	if p.Ended != 0 {
		facts = append(facts, fact{locale.T(ctx, "protocol.ended"), inZone(ctx, p.Ended)})
	}
	if p.Physical {
		facts = append(facts, fact{locale.T(ctx, "protocol.tiles"), locale.T(ctx, "protocol.real_tiles")})
	}
	listed(d, facts)
	heading(d, locale.T(ctx, "protocol.players"))
	for i, one := range p.Players {
		line := strconv.Itoa(i+1) + ". " + name(one.Name)
		if one.Country != "" {
			line += ", " + locale.CountryName(ctx, one.Country)
		}
		if one.Extra > 0 {
			line = parts(line, locale.T(ctx, "seat.extra", "n", one.Extra))
		}
		if one.Seat == p.Starter {
			line = parts(line, locale.T(ctx, "start.begins"))
		}
		d.Flow(pdf.Margin, d.Wide(), line, pdf.Style{Size: 11})
	}
	if p.EndText != "" {
		s.end(ctx, d)
	}
	s.course(ctx, d)
	heading(d, locale.T(ctx, "protocol.seal"))
	seal := []fact{{locale.T(ctx, "protocol.log"), locale.T(ctx, "protocol.events", "n", p.Seal.Events)}}
	for _, one := range []fact{{"", p.Seal.LogHash}, {locale.T(ctx, "start.commitment"), p.Seal.Commitment},
		{locale.T(ctx, "deal.salt"), p.Seal.Salt}} {
		if one.value != "" {
			seal = append(seal, fact{one.name, ltr(one.value)})
		}
	}
	listed(d, seal)
	s.proof(ctx, d, s.Proof)
}

// end draws how the game ended: the count, with room for each player's signature, the result's revisions, the protests
// and the penalties.
func (s Record) end(ctx context.Context, d *pdf.Doc) {
	p := s.Game
	heading(d, locale.T(ctx, "protocol.end"))
	d.Flow(pdf.Margin, d.Wide(), p.EndText, pdf.Style{Size: 11})
	d.Y += 2
	var rows []pdf.Row
	signed := map[int]string{}
	for _, one := range p.Signed {
		signed[one.Seat] = moment(ctx, one.At)
	}
	for _, c := range p.Count {
		player := ""
		if c.Seat < len(p.Players) {
			player = p.Players[c.Seat].Name
		}
		rows = append(rows, pdf.Row{Cells: []string{name(player), strconv.Itoa(c.Charge),
			locale.PointsText(ctx, c.Points, p.Rules.Points == ruleset.Penalty), locale.AmountText(ctx, c.Wins),
			signed[c.Seat]}})
	}
	d.Table([]pdf.Column{{Title: locale.T(ctx, "col.player"), Share: 2, Bold: true},
		{Title: locale.T(ctx, "col.charge"), Width: 20, Align: pdf.End},
		{Title: locale.T(ctx, "col.points"), Width: 22, Align: pdf.End},
		{Title: locale.T(ctx, "col.wins"), Width: 16, Align: pdf.End},
		{Title: locale.T(ctx, "protocol.signed"), Share: 1.6}}, rows, 10, 11)
	for _, r := range p.Revisions {
		d.Y += 1
		text := parts(locale.T(ctx, "result.rev", "rev", r.Rev), moment(ctx, r.At),
			locale.T(ctx, "status."+r.Status), name(r.By))
		if r.Why != "" {
			text += ": " + name(r.Why)
		}
		d.Flow(pdf.Margin, d.Wide(), text, pdf.Style{Size: 9.5})
	}
	for _, one := range p.Protests {
		d.Flow(pdf.Margin, d.Wide(), parts(locale.T(ctx, "protest.title"), name(one.Name), name(one.Text),
			name(one.Reason)), pdf.Style{Size: 9.5})
	}
	for _, one := range p.Penalties {
		d.Flow(pdf.Margin, d.Wide(), parts(one.Text, name(one.By), one.Rule), pdf.Style{Size: 9.5})
	}
}

// course draws every log event, one per line.
func (s Record) course(ctx context.Context, d *pdf.Doc) {
	heading(d, locale.T(ctx, "protocol.course"))
	var rows []pdf.Row
	for _, l := range s.Game.Course {
		text := l.Text
		if len(l.Laid) > 0 {
			faces := make([]string, len(l.Laid))
			for i, f := range l.Laid {
				faces[i] = f.String()
			}
			text += " " + ltr(strings.Join(faces, " "))
		}
		if l.Cancelled > 0 {
			text += " (" + locale.T(ctx, "card.cancelled") + ")"
		}
		turn := ""
		if l.Took > 0 {
			turn = strconv.Itoa(l.Turn)
		}
		rows = append(rows, pdf.Row{Cells: []string{ltr(locale.ClockTime(ctx, l.At)), turn,
			parts(text, name(l.By), l.Rule)}})
	}
	d.Table([]pdf.Column{{Title: locale.T(ctx, "paper.time"), Width: 18},
		{Title: locale.T(ctx, "paper.turn"), Width: 12, Align: pdf.End},
		{Title: locale.T(ctx, "protocol.course"), Share: 1}}, rows, 6, 9.5)
}

func moment(ctx context.Context, at engine.Millis) string {
	return locale.DayClock(ctx, time.UnixMilli(int64(at)))
}

func inZone(ctx context.Context, at engine.Millis) string {
	return locale.ClockIn(ctx, time.UnixMilli(int64(at)))
}

// Pairing is the report of a round's draw, with its tables.
type Pairing struct {
	About
	Facts   []desk.DrawFact
	GivenUp []string
	Notes   []string
	Tables  []Table
	Checked string
}

func (s Pairing) draw(ctx context.Context, d *pdf.Doc) {
	s.begin(ctx, d, locale.T(ctx, "paper.pairing"), false)
	for _, note := range s.Notes {
		d.Flow(pdf.Margin, d.Wide(), note, pdf.Style{Size: 10.5})
	}
	if s.Checked != "" {
		d.Flow(pdf.Margin, d.Wide(), locale.T(ctx, "draw.checked", "by", name(s.Checked)), pdf.Style{Size: 10.5})
	}
	d.Y += 2
	facts := make([]fact, len(s.Facts))
	for i, f := range s.Facts {
		facts[i] = fact{f.Name, f.Value}
		if f.More != "" {
			facts[i].value += " (" + f.More + ")"
		}
	}
	listed(d, facts)
	if len(s.GivenUp) > 0 {
		heading(d, locale.T(ctx, "draw.given_up"))
		for _, line := range s.GivenUp {
			d.Flow(pdf.Margin, d.Wide(), line, pdf.Style{Size: 10.5})
		}
	} else if len(s.Facts) > 0 {
		d.Y += 2
		d.Flow(pdf.Margin, d.Wide(), locale.T(ctx, "draw.nothing_given_up"), pdf.Style{Size: 10.5})
	}
	heading(d, locale.T(ctx, "paper.by_table"))
	var rows []pdf.Row
	for _, t := range s.Tables {
		rows = append(rows, pdf.Row{Heading: locale.T(ctx, "table.title", "number", t.Number)})
		for _, why := range t.Why {
			rows = append(rows, pdf.Row{Note: why})
		}
		for _, seat := range t.Seats {
			rows = append(rows, pdf.Row{Cells: []string{strconv.Itoa(seat.Seat + 1), name(seat.Name), seat.country(ctx),
				name(seat.Club)}})
		}
	}
	d.Table([]pdf.Column{{Title: locale.T(ctx, "paper.seat"), Width: 14, Align: pdf.End},
		{Title: locale.T(ctx, "col.player"), Share: 2}, {Title: locale.T(ctx, "col.country"), Share: 1},
		{Title: locale.T(ctx, "col.club"), Share: 1}},
		rows, 6.4, 10.5)
}

// fact is a labelled text.
type fact struct{ name, value string }

// listed draws facts with their labels in a column. A fact without a label belongs to the one before.
func listed(d *pdf.Doc, facts []fact) { d.Within(pdf.List, func() { list(d, facts) }) }

func list(d *pdf.Doc, facts []fact) {
	const names, size = 62.0, 10.5
	for _, f := range facts {
		style := pdf.Style{Size: size}
		high := max(d.Height(names-2, f.name, style), d.Height(d.Wide()-names, f.value, style)) + 0.8
		d.Room(high)
		d.Within(pdf.Item, func() {
			d.Within(pdf.ItemLabel, func() {
				d.Fill(pdf.Margin, d.Y, names-2, high, f.name, pdf.Style{Size: size, Grey: true, Top: true})
			})
			d.Within(pdf.ItemBody, func() {
				d.Fill(pdf.Margin+names, d.Y, d.Wide()-names, high, f.value, pdf.Style{Size: size, Top: true})
			})
		})
		d.Y += high
	}
}

// heading draws a section title and keeps it from being the last line of a page.
func heading(d *pdf.Doc, text string) {
	d.Y += 4
	d.Room(24)
	d.Within(pdf.Subheading, func() { d.Flow(pdf.Margin, d.Wide(), text, pdf.Style{Size: 14, Bold: true}) })
	d.Y += 1
}
