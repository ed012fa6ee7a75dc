package paper

import (
	"context"
	"strconv"

	"meldhall/engine/score"
	"meldhall/templates/locale"
	"meldhall/templates/pdf"
	"meldhall/templates/play"
	"meldhall/templates/public"
)

// Standings lists all players by place. Rows are as on the pages; Notes name the hidden parts.
type Standings struct {
	About
	Rows  []play.RankRow
	Order string // criteria, in order
	Notes []string
	Proof string // of the standings; empty: none
}

func (s Standings) draw(ctx context.Context, d *pdf.Doc) {
	s.begin(ctx, d, locale.T(ctx, "nav.leaderboard"), false)
	s.officials(ctx, d)
	for _, note := range s.Notes {
		d.Flow(pdf.Margin, d.Wide(), note, pdf.Style{Size: 10})
	}
	if len(s.Rows) == 0 {
		d.Flow(pdf.Margin, d.Wide(), locale.T(ctx, "rank.none"), pdf.Style{Size: 12})
		return
	}
	penalties, tables := false, false
	for _, r := range s.Rows {
		penalties, tables = penalties || r.Penalties != 0 || r.Carried != 0, tables || r.TablePoints != 0
	}
	columns := []pdf.Column{{Title: locale.T(ctx, "col.rank"), Width: 12, Align: pdf.End, Bold: true},
		{Title: locale.T(ctx, "col.player"), Share: 3},
		{Title: locale.T(ctx, "col.country"), Share: 1.4},
		{Title: locale.T(ctx, "past.games"), Width: 16, Align: pdf.End}}
	number := func(key string, wide float64) {
		columns = append(columns, pdf.Column{Title: locale.T(ctx, key), Width: wide, Align: pdf.End})
	}
	if tables {
		number("col.table_points", 20)
	}
	number("col.wins", 15)
	if penalties {
		number("col.points", 19)
		number("col.penalties", 19)
	}
	number("col.total", 22)
	columns[len(columns)-1].Bold = true
	var rows []pdf.Row
	for i, r := range s.Rows {
		cells := []string{ltr(r.Rank), name(r.Name) + standingMarks(ctx, r), locale.CountryName(ctx, r.Country),
			strconv.Itoa(r.Games)}
		if tables {
			cells = append(cells, locale.AmountText(ctx, r.TablePoints))
		}
		cells = append(cells, locale.AmountText(ctx, r.Wins))
		if penalties {
			cells = append(cells, locale.PointsText(ctx, r.Points, r.Charged), pointsOff(ctx, r.Penalties))
		}
		cells = append(cells, locale.PointsText(ctx, r.Total, r.Charged))
		rows = append(rows, pdf.Row{Cells: cells, Grey: r.Withdrawn || r.Disqualified, Over: r.Cut && i > 0})
	}
	d.Table(columns, rows, 6.8, 11)
	if s.Order != "" {
		d.Y += 4
		d.Flow(pdf.Margin, d.Wide(), s.Order+".", pdf.Style{Size: 9, Grey: true})
	}
	s.proof(ctx, d, s.Proof)
}

func pointsOff(ctx context.Context, points score.Twelfth) string {
	if points == 0 {
		return "–"
	}
	return locale.AmountText(ctx, points)
}

// standingMarks returns the remark after a name.
func standingMarks(ctx context.Context, r play.RankRow) string {
	key := ""
	switch {
	case r.Disqualified:
		key = "rank.disqualified"
	case r.Withdrawn:
		key = "rank.withdrawn"
	case r.Through:
		key = "rank.through"
	case r.Tied:
		key = "cut_tie.mark"
	case r.Provisional:
		key = "rank.provisional"
	}
	if key == "" {
		return ""
	}
	return " (" + locale.T(ctx, key) + ")"
}

// Crosstable shows the scores of every player in every round.
type Crosstable struct {
	About
	View  public.CrossView
	Notes []string
}

const crossColumns = 9 // rounds per page

func (s Crosstable) draw(ctx context.Context, d *pdf.Doc) {
	s.begin(ctx, d, locale.T(ctx, "past.crosstable"), true)
	for _, note := range s.Notes {
		d.Flow(pdf.Margin, d.Wide(), note, pdf.Style{Size: 10})
	}
	if len(s.View.Columns) == 0 {
		d.Flow(pdf.Margin, d.Wide(), locale.T(ctx, "rank.none"), pdf.Style{Size: 12})
		return
	}
	d.Flow(pdf.Margin, d.Wide(), locale.T(ctx, "paper.cross_how"), pdf.Style{Size: 9, Grey: true})
	d.Y += 2
	for from := 0; from < len(s.View.Columns); from += crossColumns {
		to := min(from+crossColumns, len(s.View.Columns))
		if from > 0 {
			d.NextPage()
		}
		columns := []pdf.Column{{Title: locale.T(ctx, "col.rank"), Width: 12, Align: pdf.End},
			{Title: locale.T(ctx, "col.player"), Share: 1, Bold: true}}
		for _, c := range s.View.Columns[from:to] {
			columns = append(columns, pdf.Column{Title: c.Title, Width: 18, Align: pdf.End, Bold: c.Round == 0})
		}
		columns = append(columns, pdf.Column{Title: locale.T(ctx, "past.sum"), Width: 25, Align: pdf.End,
			Bold: true})
		var rows []pdf.Row
		for _, r := range s.View.Rows {
			cells := []string{ltr(r.Rank), name(r.Name)}
			for i, c := range r.Cells[from:to] {
				cells = append(cells, scoreText(ctx, c, s.View.Columns[from+i].Charged))
			}
			rows = append(rows, pdf.Row{Cells: append(cells, scoreText(ctx, r.Sum, r.Charged))})
		}
		d.Table(columns, rows, 7, 10.5)
	}
}

// scoreText formats a sum, with the wins after the points.
func scoreText(ctx context.Context, s public.PastScore, charged bool) string {
	if !s.Known {
		return "–"
	}
	text := locale.PointsText(ctx, s.Points, charged)
	if s.Wins != 0 {
		text += " " + ltr("("+locale.AmountText(ctx, s.Wins)+")")
	}
	return text
}
