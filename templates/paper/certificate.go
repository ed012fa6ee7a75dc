package paper

import (
	"context"
	"strconv"
	"strings"

	"meldhall/templates/locale"
	"meldhall/templates/pdf"
	"meldhall/templates/play"
)

// Certificates are one page for each player. Picture, made by pdf.Picture, is the background; without it the page has a
// border, the event's logo and a seal with the place.
type Certificates struct {
	About
	Rows    []play.RankRow
	Picture []byte
	Proofs  map[int64]Proof // of the places, by player
}

// Proof is the text of a proof about the player with a start number.
type Proof struct {
	Text   string // empty: none
	Number int
}

// The inks of a certificate.
var (
	ink    = pdf.Ink{28, 43, 76} // of the border and the titles, if the event has no colour
	medals = [3]pdf.Ink{{148, 108, 18}, {104, 111, 120}, {142, 86, 44}}

	white     = pdf.Ink{255, 255, 255}
	parchment = pdf.Ink{255, 251, 240} // behind the champion's text
)

func (s Certificates) draw(ctx context.Context, d *pdf.Doc) {
	if s.Ink == (pdf.Ink{}) {
		s.Ink = ink
	}
	s.bare(d, locale.T(ctx, "paper.certificates"), true)
	var plain, golden *pdf.Stamp // borders, each drawn once
	for i, r := range s.Rows {
		if i > 0 {
			d.NextPage()
		}
		won := prizeOf(r.Rank)
		switch {
		case len(s.Picture) > 0:
			d.Background(s.Picture)
		case won.place == 1:
			golden = s.border(d, golden, medals[0], parchment)
		default:
			plain = s.border(d, plain, s.Ink, white)
		}
		d.Within(pdf.Section, func() { s.certificate(ctx, d, r, won) })
	}
}

// prize is a place in the standings, which players may share.
type prize struct {
	place  int
	text   string // the place in figures
	shared bool
}

// prizeOf returns the prize of a rank as the standings write it.
func prizeOf(rank string) prize {
	text, shared := strings.CutPrefix(rank, "=")
	place, _ := strconv.Atoi(text) // 0 gets no medal
	return prize{place: place, text: text, shared: shared}
}

func (p prize) medal() bool { return p.place >= 1 && p.place <= len(medals) }

// words returns the name of the place, such as "Shared second place".
func (p prize) words(ctx context.Context) string {
	which := "n"
	if p.medal() {
		which = p.text
	}
	if p.shared {
		return locale.T(ctx, "paper.shared."+which, "place", ltr(p.text))
	}
	return locale.T(ctx, "paper.place."+which, "place", ltr(p.text))
}

// certificate draws the page of a player. Heights are in parts of the page's.
func (s Certificates) certificate(ctx context.Context, d *pdf.Doc, r play.RankRow, won prize) {
	w, h := d.Page()
	text := func(y, high float64, text string, style pdf.Style) {
		style.Align = pdf.Centre
		d.Fill(w*0.14, h*y, w*0.72, high, text, style)
	}
	ornament := s.Ink
	if won.place == 1 && len(s.Picture) == 0 {
		ornament = medals[0]
	}
	top, awarded := 0.165, 0.29
	if len(s.Logo) > 0 && len(s.Picture) == 0 {
		d.Logo(w/2, h*0.125, 70, h*0.105, s.Logo, s.Event)
		top, awarded = 0.24, 0.338
	}
	d.Within(pdf.Heading, func() {
		text(top, 18, locale.T(ctx, "paper.certificate"), pdf.Style{Size: 50, Serif: true, Ink: s.Ink})
	})
	text(awarded, 6, locale.T(ctx, "paper.awarded"), pdf.Style{Size: 13, Grey: true})
	d.Within(pdf.Subheading, func() { text(0.365, 25, name(r.Name), pdf.Style{Size: 52, Serif: true}) })
	flourish(d, w/2, h*0.5, 96, ornament)
	text(0.513, 6, locale.CountryName(ctx, r.Country), pdf.Style{Size: 13, Grey: true})
	text(0.55, 13, won.words(ctx), pdf.Style{Size: 31, Serif: true, Ink: s.Ink})
	text(0.62, 11, name(s.Event), pdf.Style{Size: 20, Serif: true})
	text(0.672, 6, parts(name(s.Place), s.Days), pdf.Style{Size: 12})
	points := locale.T(ctx, "col.points") + " " + locale.PointsText(ctx, r.Total, r.Charged)
	text(0.702, 5, parts(winsOf(ctx, r), points), pdf.Style{Size: 10, Grey: true})
	if len(s.Picture) == 0 {
		seal(d, w/2, h*0.806, won, s.medal(won))
	}
	if proof := s.Proofs[r.Player]; proof.Text != "" {
		const side, inset = 44, 25 // inside the border
		says := parts(locale.T(ctx, "paper.number", "number", proof.Number),
			locale.T(ctx, "paper.proof", "address", ltr(s.Check)))
		d.LongQR(w-side-inset, inset, side, proof.Text, says)
		d.Fill(w-side-inset+2, inset+side, side-4, 9, says, pdf.Style{Size: 6.5, Grey: true, Top: true})
	}
	s.signature(d, w*0.13, h*0.82, w*0.27, s.Organizer, locale.T(ctx, "paper.organizer"))
	s.signature(d, w*0.60, h*0.82, w*0.27, s.Referee, locale.T(ctx, "paper.chief_referee"))
}

// medal returns the ink of a place's seal.
func (s Certificates) medal(won prize) pdf.Ink {
	if won.medal() {
		return medals[won.place-1]
	}
	return s.Ink
}

// border lays a border, drawing it on its first use.
func (s Certificates) border(d *pdf.Doc, laid *pdf.Stamp, ink, ground pdf.Ink) *pdf.Stamp {
	if laid == nil {
		laid = d.Stamp(func() { border(d, ink, ground) })
	}
	d.Artifact(func() { d.Lay(laid, 0) })
	return laid
}

// signature draws a line to sign on, with a typed name and the function below.
func (a About) signature(d *pdf.Doc, x, y, wide float64, signer, function string) {
	d.Rule(x, y, wide, 0.25)
	if signer != "" {
		d.Fill(x, y+1, wide, 6, name(signer), pdf.Style{Size: 11, Align: pdf.Centre})
		y += 5.5
	}
	d.Fill(x, y+1, wide, 5, function, pdf.Style{Size: 9, Grey: true, Align: pdf.Centre})
}
