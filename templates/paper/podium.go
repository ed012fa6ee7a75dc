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
		said := []string{winsOf(ctx, first), locale.PointsText(ctx, first.Total, first.Charged)}
		if slices.ContainsFunc(s.Steps[i], func(r play.RankRow) bool { return r.Provisional }) {
			said = append(said, locale.T(ctx, "rank.provisional"))
		}
		d.Fill(x+3, top-10, wide-6, 7, parts(said...),
			pdf.Style{Size: 13, Align: pdf.Centre})
	}
	for i, t := range s.Titles {
		names := make([]string, len(t.Who))
		for j, r := range t.Who {
			names[j] = name(r.Name)
		}
		d.Fill(pdf.Margin, bottom+4+8*float64(i), d.Wide(), 7, name(t.Division)+": "+strings.Join(names, ", "),
			pdf.Style{Size: 13, Align: pdf.Centre})
	}
}

// winsOf returns a player's wins in words.
func winsOf(ctx context.Context, r play.RankRow) string {
	won := 2 // plural, also for a fraction of a win
	if r.Wins == score.Whole(1) {
		won = 1
	}
	return locale.T(ctx, "past.wins", "n", won, "wins", locale.AmountText(ctx, r.Wins))
}
