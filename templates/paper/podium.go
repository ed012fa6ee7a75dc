package paper

import (
	"context"
	"slices"
	"strings"

	"meldhall/engine/score"
	"meldhall/templates/locale"
	"meldhall/templates/pdf"
	"meldhall/templates/play"
	"meldhall/templates/public"
)

// Podium is a poster of the first three places. If Over is not set, it shows the current standings.
type Podium struct {
	About
	Steps  [3][]play.RankRow // players who share a place are on it together
	Titles []public.TitleRow // titles of divisions
	Over   bool
}

func (s Podium) draw(ctx context.Context, d *pdf.Doc) {
	title := "paper.podium"
	if !s.Over {
		title = "paper.podium_now"
	}
	s.begin(ctx, d, locale.T(ctx, title), true)
	if len(s.Steps[0]) == 0 {
		d.Flow(pdf.Margin, d.Wide(), locale.T(ctx, "rank.none"), pdf.Style{Size: 12})
		return
	}
	wide := d.Wide() / 3
	bottom := d.Bottom() - 4 - 8*float64(len(s.Titles))
	for i, step := range []struct {
		column int
		high   float64
	}{{1, 84}, {0, 60}, {2, 40}} {
		if len(s.Steps[i]) == 0 {
			continue
		}
		x, top := pdf.Margin+float64(step.column)*wide, bottom-step.high
		d.Tint(x, top, wide, step.high, 236-i*6)
		d.Box(x, top, wide, step.high, 0.5)
		d.Fill(x, top+2, wide, step.high-4, s.Steps[i][0].Rank,
			pdf.Style{Size: 80 - 12*float64(i), Bold: true, Align: pdf.Centre})
		var names, from []string
		for _, r := range s.Steps[i] {
			names = append(names, name(r.Name))
			if r.Country != "" {
				from = append(from, locale.CountryName(ctx, r.Country))
			}
		}
		first := s.Steps[i][0]
		d.Fill(x+3, top-44, wide-6, 26, strings.Join(names, ", "),
			pdf.Style{Size: 27 - 2*float64(i), Bold: true, Align: pdf.Centre})
		d.Fill(x+3, top-17, wide-6, 6, strings.Join(from, ", "), pdf.Style{Size: 12, Grey: true, Align: pdf.Centre})
		won := 2 // plural, also for a fraction of a win
		if first.Wins == score.Whole(1) {
			won = 1
		}
		said := []string{locale.T(ctx, "past.wins", "n", won, "wins", locale.AmountText(ctx, first.Wins)),
			locale.PointsText(ctx, first.Total, first.Charged)}
		if slices.ContainsFunc(s.Steps[i], func(r play.RankRow) bool { return r.Provisional }) {
			said = append(said, locale.T(ctx, "rank.provisional"))
		}
		d.Fill(x+3, top-10, wide-6, 7, parts(said...),
			pdf.Style{Size: 13, Align: pdf.Centre})
	}
	for i, t := range s.Titles {
		names := make([]string, len(t.Names))
		for j, n := range t.Names {
			names[j] = name(n)
		}
		d.Fill(pdf.Margin, bottom+4+8*float64(i), d.Wide(), 7, name(t.Division)+": "+strings.Join(names, ", "),
			pdf.Style{Size: 13, Align: pdf.Centre})
	}
}

// Certificates are one page for each player. Picture, made by pdf.Picture, is the background; without it the page has a
// frame.
type Certificates struct {
	About
	Rows    []play.RankRow
	Picture []byte
}

func (s Certificates) draw(ctx context.Context, d *pdf.Doc) {
	s.bare(d, locale.T(ctx, "paper.certificates"), true)
	w, h := d.Page()
	for i, r := range s.Rows {
		if i > 0 {
			d.NextPage()
		}
		if len(s.Picture) > 0 {
			d.Background(s.Picture)
		} else {
			d.Box(pdf.Margin, pdf.Margin, w-2*pdf.Margin, h-2*pdf.Margin, 1.2)
			d.Box(pdf.Margin+2.5, pdf.Margin+2.5, w-2*pdf.Margin-5, h-2*pdf.Margin-5, 0.3)
		}
		text := func(y, high, size float64, bold bool, text string) {
			d.Fill(w*0.15, h*y, w*0.7, high, text, pdf.Style{Size: size, Bold: bold, Align: pdf.Centre})
		}
		text(0.14, 13, 34, true, locale.T(ctx, "paper.certificate"))
		d.Fill(w*0.15, h*0.28, w*0.7, 14, name(s.Event), pdf.Style{Size: 20, Align: pdf.Centre, Ink: s.Ink})
		text(0.43, 24, 42, true, name(r.Name))
		text(0.56, 9, 14, false, locale.CountryName(ctx, r.Country))
		text(0.63, 14, 26, false, locale.T(ctx, "paper.placed", "place", ltr(strings.TrimPrefix(r.Rank, "="))))
		text(0.71, 8, 13, false, parts(locale.T(ctx, "past.wins", "n", 2, "wins", locale.AmountText(ctx, r.Wins)),
			locale.T(ctx, "col.points")+" "+locale.PointsText(ctx, r.Total, r.Charged)))
		d.Rule(w*0.18, h*0.85, w*0.26, 0.3)
		d.Rule(w*0.56, h*0.85, w*0.26, 0.3)
		d.Fill(w*0.18, h*0.855, w*0.26, 6, parts(name(s.Place), s.Days), pdf.Style{Size: 10, Align: pdf.Centre})
		d.Fill(w*0.56, h*0.855, w*0.26, 6, locale.T(ctx, "paper.organizer"), pdf.Style{Size: 10, Align: pdf.Centre})
	}
}
