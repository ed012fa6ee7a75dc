// Package paper is the sheets of an event as documents to be printed: seats, cards, score sheets, standings, records, and the pack with
// which an event goes on without the program. Each sheet is a value with what stands on it, and draws itself.
package paper

import (
	"bytes"
	"context"
	"io"
	"strings"
	"time"

	"meldhall/templates"
	"meldhall/templates/pdf"
)

// Sheet is something to be printed, of one page or many.
type Sheet interface {
	draw(ctx context.Context, d *pdf.Doc)
}

// About is what every sheet says of where it belongs.
type About struct {
	Event   string
	Place   string
	Stage   string // and that it is a play-off
	Round   int    // 0: the sheet is of no round
	Made    time.Time
	Address string // of the event's page
}

// Document draws sheets one after the other, in the context's language.
func Document(ctx context.Context, size pdf.Size, about About, sheets ...Sheet) ([]byte, error) {
	var out bytes.Buffer
	if err := Write(ctx, &out, size, about, sheets...); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// Write draws sheets as Document does, and writes them where they are to be.
func Write(ctx context.Context, w io.Writer, size pdf.Size, about About, sheets ...Sheet) error {
	language := templates.LanguageOf(ctx)
	d := pdf.New(size, language.Tag, language.Dir == "rtl", about.Event, about.Made)
	for _, s := range sheets {
		if ctx.Err() == nil { // a pack of a large hall takes seconds
			s.draw(ctx, d)
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return d.Write(w)
}

// begin begins a sheet with its title.
func (a About) begin(ctx context.Context, d *pdf.Doc, title string, landscape bool) {
	d.Begin(pdf.Head{Event: name(a.Event), Title: title, Sub: a.where(ctx), Landscape: landscape}, a.foot(ctx))
	d.Mark(title)
}

// bare begins a page of cards.
func (a About) bare(d *pdf.Doc, title string, landscape bool) {
	d.Begin(pdf.Head{Bare: true, Landscape: landscape}, nil)
	d.Mark(title)
}

// where is the stage and the round; the place where the sheet is of no round.
func (a About) where(ctx context.Context) string {
	switch {
	case a.Round == 0:
		return name(a.Place)
	case a.Stage == "":
		return templates.T(ctx, "round.title", "number", a.Round)
	}
	return a.Stage + " · " + templates.T(ctx, "round.title", "number", a.Round)
}

func (a About) foot(ctx context.Context) func(page, of int) (start, end string) {
	printed := templates.T(ctx, "paper.made", "time", templates.DayTime(ctx, a.Made))
	if a.Address != "" {
		printed += " · " + ltr(a.Address)
	}
	return func(page, of int) (start, end string) {
		return printed, templates.T(ctx, "paper.page", "number", page, "of", of)
	}
}

// name is a name that is read in its own direction, whatever stands around it.
func name(text string) string {
	if text == "" {
		return ""
	}
	return templates.Isolate(text)
}

// ltr is what is read from left to right in every language: an address, a time, a code.
func ltr(text string) string { return "\u2066" + text + "\u2069" }

// country is the name of the player's country; nothing where none is known.
func (p Person) country(ctx context.Context) string {
	if p.Country == "" {
		return ""
	}
	return templates.CountryName(ctx, p.Country)
}

// Person is a player.
type Person struct {
	Number              int
	Name, Country, Club string
}

// Seat is a player at a table, Seat counts from 0. Code and URL open the seat; they are empty once it is taken.
type Seat struct {
	Person
	Seat      int
	Code, URL string
}

// Table is a table of a round with its games. Sheet is where an official finds it, Code and URL open it for players.
type Table struct {
	Number    int
	Seats     []Seat
	Code, URL string
	Sheet     string
	Games     int
	Why       []string // for the report of the pairing
}

// parts is a text of several parts, with a point between them.
func parts(texts ...string) string {
	var all []string
	for _, t := range texts {
		if t != "" {
			all = append(all, t)
		}
	}
	return strings.Join(all, " · ")
}
