package public

import (
	"context"
	"slices"
	"strconv"

	"github.com/a-h/templ"
	"github.com/gin-gonic/gin"

	"meldhall/templates"
	"meldhall/templates/locale"
	"meldhall/templates/public"
	"meldhall/tournament"
	"meldhall/tournament/draw"
	"meldhall/tournament/past"
	"meldhall/tournament/refuse"
	"meldhall/web/page"
)

func (p *PastPages) roundsPage(c *gin.Context) error {
	return p.page(c, "rounds", titled("past.rounds"), func(ctx context.Context, s seen) (templ.Component, error) {
		view := public.PastRoundsView{Event: s.tournamentID, Note: s.note}
		for _, part := range s.Parts() {
			stage := public.PastStage{Name: s.partName(ctx, part)}
			for _, r := range s.Rounds {
				if past.PartOf(r.Round) != part {
					continue
				}
				row := public.PastRoundRow{ID: r.ID, Number: r.Number, Tables: len(r.Tables),
					Results: len(r.Results)}
				for _, t := range r.Tables {
					row.Games += len(t.Games)
				}
				stage.Rounds = append(stage.Rounds, row)
			}
			view.Stages = append(view.Stages, stage)
		}
		return public.PastRoundsRegion(view), nil
	})
}

// roundPage shows a published round. Drafts and rounds that are not visible to the reader are not found.
func (p *PastPages) roundPage(c *gin.Context) error {
	id := page.ID(c, "round")
	ctx := p.Page.Request.Language(c)
	round, err := draw.RoundByID(ctx, p.View.Store, id)
	if err != nil {
		return err
	}
	title := func(ctx context.Context) string { return locale.T(ctx, "round.title", "number", round.Number) }
	if round.Status == tournament.RoundDraft {
		return noRound(id)
	}
	return p.page(c, "round "+strconv.FormatInt(id, 10), title,
		func(ctx context.Context, s seen) (templ.Component, error) {
			i := slices.IndexFunc(s.Rounds, func(r past.Round) bool { return r.ID == id })
			if i < 0 {
				return nil, noRound(id)
			}
			return public.PastRoundRegion(s.roundView(ctx, i)), nil
		})
}

func noRound(id int64) error { return refuse.NotFound("err_round_not_found", "id", id) }

func (s seen) roundView(ctx context.Context, i int) public.PastRoundView {
	r := &s.Rounds[i]
	view := public.PastRoundView{Event: s.tournamentID, ID: r.ID, Number: r.Number,
		Stage: s.partName(ctx, past.PartOf(r.Round)), Note: s.note}
	if i > 0 && s.Rounds[i-1].Number == r.Number-1 {
		view.Prev = templates.PastRoundPath(s.tournamentID, s.Rounds[i-1].ID)
	}
	if i+1 < len(s.Rounds) && s.Rounds[i+1].Number == r.Number+1 {
		view.Next = templates.PastRoundPath(s.tournamentID, s.Rounds[i+1].ID)
	}
	for j := range r.Tables {
		view.Tables = append(view.Tables, s.tableView(r, &r.Tables[j]))
	}
	return view
}

// tableView describes a table of a round with the results of its games.
func (s seen) tableView(r *past.Round, t *tournament.Table) public.PastTable {
	view := public.PastTable{ID: t.ID, Number: t.Number, Charged: s.Lowest(r.Stage)}
	for _, seat := range t.Seats {
		name, standIn := s.Entry(seat, r.Number, len(t.Games))
		view.Lines = append(view.Lines, public.PastLine{PastName: public.PastName{ID: seat.PlayerID, Name: name,
			StandIn: standIn}})
	}
	sums := make([]past.Sum, len(view.Lines))
	for _, g := range t.Games {
		result, ok := r.Results[g.ID]
		played := past.Played{Round: r, Table: t, Game: g, Result: result}
		head := public.PastGame{Number: g.Number}
		if ok {
			head = s.head(played)
		}
		view.Games = append(view.Games, head)
		for i := range view.Lines {
			view.Lines[i].Scores = append(view.Lines[i].Scores, public.PastScore{})
		}
		for _, l := range result.Lines {
			if l.Seat >= len(sums) || head.Annulled {
				continue
			}
			played.Line = l
			sums[l.Seat].Add(played)
			view.Lines[l.Seat].Scores[len(view.Games)-1] = public.PastScore{Known: true, Wins: l.Wins,
				Points: l.Points}
		}
	}
	for i := range view.Lines {
		view.Lines[i].Sum = scoreOf(sums[i])
	}
	return view
}
