package web

import (
	"context"
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"

	"meldhall/templates"
	"meldhall/tournament"
	"meldhall/tournament/format"
	"meldhall/tournament/rights"
)

// homePage lists the events for everybody.
func (s *publicPages) homePage(c *gin.Context) error {
	ctx := s.language(c)
	rows, err := s.eventRows(ctx)
	if err != nil {
		return err
	}
	page := s.newPage(c, templates.T(ctx, "home.title"), nil)
	return s.show(c, http.StatusOK, templates.HomePage(templates.HomeView{Page: page, Events: rows}))
}

// deskListPage lists the events for organizers.
func (s *deskPages) deskListPage(c *gin.Context) error {
	ctx := s.language(c)
	if err := rights.Authorize(s.staff(c), rights.Place{}, rights.MayCreateTournament); err != nil {
		return err
	}
	rows, err := s.eventRows(ctx)
	if err != nil {
		return err
	}
	page := s.newPage(c, templates.T(ctx, "events.title"), nil)
	return s.show(c, http.StatusOK, templates.DeskListPage(templates.DeskListView{Page: page, Events: rows}))
}

func (s *views) eventRows(ctx context.Context) ([]templates.EventRow, error) {
	all, err := tournament.Tournaments(ctx, s.store)
	if err != nil {
		return nil, err
	}
	rows := make([]templates.EventRow, len(all))
	for i, t := range all {
		standings, err := tournament.StandingsOf(ctx, s.store, t.ID)
		if err != nil {
			return nil, err
		}
		rounds, err := tournament.Rounds(ctx, s.store, t.ID)
		if err != nil {
			return nil, err
		}
		rows[i] = newEventRow(ctx, standings, rounds)
	}
	return rows, nil
}

func newEventRow(ctx context.Context, standings tournament.Standings, rounds []tournament.Round) templates.EventRow {
	t := standings.Tournament
	row := templates.EventRow{ID: t.ID, Name: t.Name, Place: t.Place, Status: t.Status, Players: len(standings.Rows)}
	if round, ok := currentRound(rounds); ok && t.Status == tournament.StatusRunning {
		row.Now = nowWords(ctx, standings.Stages, round)
	}
	row.Leader = leaders(ctx, standings)
	return row
}

// leaders are who leads, or has won, all of them; of many only how many.
func leaders(ctx context.Context, standings tournament.Standings) string {
	first := standings.Champions()
	for _, r := range standings.Rows {
		if len(standings.Titles) == 0 && r.Place == 1 && r.Games > 0 {
			first = append(first, r)
		}
	}
	if len(first) > 3 {
		return templates.T(ctx, "event.players", "n", len(first))
	}
	return strings.Join(rowNames(first), ", ")
}

// nowWords says where an event stands: its stage and round, or that those who tie there play it off.
func nowWords(ctx context.Context, stages []format.Stage, round tournament.Round) string {
	stage := stageOf(ctx, stages, round)
	if round.PlayOff > 0 {
		return stage
	}
	return templates.T(ctx, "event.now", "stage", stage, "round", round.Number)
}

// stageOf is the stage of a round, or that the round plays off the ties of that stage.
func stageOf(ctx context.Context, stages []format.Stage, round tournament.Round) string {
	stage := stageName(ctx, stages, round.Stage)
	if round.PlayOff > 0 {
		return templates.T(ctx, "event.now_play_off", "stage", stage)
	}
	return stage
}
