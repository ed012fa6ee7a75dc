// Package paper makes printable documents for a tournament: seats, cards, score sheets, standings, records, and the
// pack for continuing the tournament without the program. Each sheet is a value that holds its content and draws
// itself.
package paper

import (
	"bytes"
	"context"
	"io"
	"strings"
	"time"

	"meldhall/templates/locale"
	"meldhall/templates/pdf"
)

// Sheet is a printable document of one or more pages.
type Sheet interface {
	draw(ctx context.Context, d *pdf.Doc)
}

// About holds the context that every sheet states.
type About struct {
	Event   string
	Place   string
	Days    string // of the tournament, in the reader's language; empty: unknown
	Stage   string // including whether it is a play-off
	Round   int    // 0: not about a round
	Made    time.Time
	Address string  // of the tournament's page
	Check   string  // address of the page that says how to check the tournament
	Ink     pdf.Ink // of its certificates; zero: it has none that is legible on white
	Logo    []byte  // made by pdf.Logo; nil: none

	// Names of the officials that the event publishes; empty: unknown.
	Organizer, Referee string
}

// Document renders sheets one after the other, in the context's language, and returns the PDF.
func Document(ctx context.Context, size pdf.Size, about About, sheets ...Sheet) ([]byte, error) {
	var out bytes.Buffer
	if err := Write(ctx, &out, size, about, sheets...); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// Write is Document with its output written to w.
func Write(ctx context.Context, w io.Writer, size pdf.Size, about About, sheets ...Sheet) error {
	language := locale.LanguageOf(ctx)
	d := pdf.New(size, language.Tag, language.Dir == "rtl", about.Event, about.Made)
	for _, s := range sheets {
		if ctx.Err() == nil { // a pack for a large hall takes seconds
			s.draw(ctx, d)
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return d.Write(w)
}

// begin starts a sheet with its title.
func (a About) begin(ctx context.Context, d *pdf.Doc, title string, landscape bool) {
	d.Begin(pdf.Head{Event: name(a.Event), Title: title, Sub: a.where(ctx), Landscape: landscape}, a.foot(ctx))
	d.Mark(title)
}

// bare starts a sheet without headers and footers, for cards, certificates and score sheets.
func (a About) bare(d *pdf.Doc, title string, landscape bool) {
	d.Begin(pdf.Head{Bare: true, Landscape: landscape}, nil)
	d.Mark(title)
}

// where returns the stage and the round, or the place if the sheet is not about a round, with the days.
func (a About) where(ctx context.Context) string {
	switch {
	case a.Round == 0:
		return parts(name(a.Place), a.Days)
	case a.Stage == "":
		return parts(locale.T(ctx, "round.title", "number", a.Round), a.Days)
	}
	return parts(a.Stage, locale.T(ctx, "round.title", "number", a.Round), a.Days)
}

func (a About) foot(ctx context.Context) func(page, of int) (start, end string) {
	printed := locale.T(ctx, "paper.made", "time", locale.DayTime(ctx, a.Made))
	if a.Address != "" {
		printed += " · " + ltr(a.Address)
	}
	return func(page, of int) (start, end string) {
		return printed, locale.T(ctx, "paper.page", "number", page, "of", of)
	}
}

// officials writes the names of the officials that the event publishes.
func (a About) officials(ctx context.Context, d *pdf.Doc) {
	var names []string
	for _, one := range []struct{ key, name string }{{"paper.organizer_name", a.Organizer},
		{"paper.referee_name", a.Referee}} {
		if one.name != "" {
			names = append(names, locale.T(ctx, one.key, "name", name(one.name)))
		}
	}
	if len(names) > 0 {
		d.Flow(pdf.Margin, d.Wide(), parts(names...), pdf.Style{Size: 10})
		d.Y += 2
	}
}

// proofSide is the width of the code with a proof. Its modules are at least 0.33 mm wide.
const proofSide = 48.0

// proof draws a code that proves what the sheet says, with an explanation beside it; nothing without a proof.
func (a About) proof(ctx context.Context, d *pdf.Doc, text string) {
	if text == "" {
		return
	}
	d.Y += 4
	d.Room(proofSide)
	says := locale.T(ctx, "paper.proof", "address", ltr(a.Check))
	d.LongQR(pdf.Margin, d.Y, proofSide, text, says)
	d.Fill(pdf.Margin+proofSide+4, d.Y, d.Wide()-proofSide-4, proofSide, says, pdf.Style{Size: 9, Grey: true})
	d.Y += proofSide
}

// name isolates a name, so that it keeps its own text direction.
func name(text string) string {
	if text == "" {
		return ""
	}
	return locale.Isolate(text)
}

// ltr marks a text that reads from left to right in every language: an address, a time, a code.
func ltr(text string) string { return "\u2066" + text + "\u2069" }

// country returns the name of the player's country, or "" if there is none.
func (p Person) country(ctx context.Context) string {
	if p.Country == "" {
		return ""
	}
	return locale.CountryName(ctx, p.Country)
}

// Person is a player.
type Person struct {
	Number              int
	Name, Country, Club string
}

// Seat is a player's seat at a table, counted from 0. Code and URL open the seat; they are empty once it is taken.
type Seat struct {
	Person
	Seat      int
	Code, URL string
}

// Table is a table of a round with its games. Sheet is its address for officials; Code and URL open it for players.
type Table struct {
	Number    int
	Seats     []Seat
	Code, URL string
	Sheet     string
	Games     int
	Why       []string // for the report of the draw
}

// parts joins the non-empty texts with a middle dot.
func parts(texts ...string) string {
	var all []string
	for _, t := range texts {
		if t != "" {
			all = append(all, t)
		}
	}
	return strings.Join(all, " · ")
}
