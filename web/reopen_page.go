package web

import (
	"context"
	"net/http"
	"strconv"

	"github.com/gin-gonic/gin"

	"meldhall/templates"
	"meldhall/tournament"
	"meldhall/tournament/door"
	"meldhall/web/shell"
	"meldhall/web/venue"
)

// reopenPage shows what it means that an event which is over goes on.
func (s *deskPages) reopenPage(c *gin.Context) error { return s.showReopen(c, http.StatusOK, "") }

func (s *deskPages) showReopen(c *gin.Context, status int, problem string) error {
	event := idIn(c, "event")
	ctx := s.Language(c)
	t, err := tournament.TournamentByID(ctx, s.Store, event)
	if err != nil {
		return err
	}
	f, err := t.Format()
	if err != nil {
		return err
	}
	view := templates.PeopleConfirmView{ID: event, Title: templates.T(ctx, "reopen.title"), Post: string(templates.ReopenPath(event)),
		Go: templates.T(ctx, "reopen.go"), Back: string(templates.DeskPath(event)), Problem: problem}
	made, err := door.Preview(ctx, s.Desk, s.Staff(c), tournament.Reopen{Tournament: event})
	if err != nil {
		if view.Problem, status, err = s.problem(c, err); err != nil {
			return err
		}
	} else {
		view.Effects = reopenEffects(ctx, t, made, venue.StageName(ctx, f.Stages, made.Stage))
	}
	view.Page = s.newPage(c, view.Title, &t)
	return s.show(c, status, templates.PeopleConfirmPage(view))
}

// reopenEffects says what comes of it.
func reopenEffects(ctx context.Context, t tournament.Tournament, made tournament.Reopening, stage string) []string {
	lines := []string{templates.T(ctx, "reopen.left")}
	if made.Rounds > 0 {
		lines = []string{templates.T(ctx, "reopen.round", "stage", stage, "n", made.Rounds), templates.T(ctx, "reopen.again", "n", made.Rounds-1)}
	}
	lines = append(lines, templates.T(ctx, "reopen.standings"))
	if t.RegistrationOpen {
		lines = append(lines, templates.T(ctx, "reopen.registration"))
	}
	return lines
}

// reopenPost lets the event go on.
func (s *deskPages) reopenPost(c *gin.Context) error {
	event := idIn(c, "event")
	return s.post(c, tournament.Reopen{Tournament: event, Why: c.PostForm("why")}, s.showReopen, templates.DeskPath(event), "reopen.done")
}

// stageParams are the event and the stage of the address, from 0, and the rounds of the form.
func stageParams(c *gin.Context) (event int64, stage, rounds int, err error) {
	event = idIn(c, "event")
	if stage, err = strconv.Atoi(c.Param("stage")); err != nil {
		return 0, 0, 0, shell.NotFound(c)
	}
	text := c.Query("rounds")
	if c.Request.Method == http.MethodPost {
		text = c.PostForm("rounds")
	}
	rounds, _ = strconv.Atoi(text) // what is no number is no number of rounds, which the rules refuse
	return event, stage, rounds, nil
}

// stageRoundsPage shows what another number of rounds would mean.
func (s *deskPages) stageRoundsPage(c *gin.Context) error {
	return s.showStageRounds(c, http.StatusOK, "")
}

func (s *deskPages) showStageRounds(c *gin.Context, status int, problem string) error {
	event, stage, rounds, err := stageParams(c)
	if err != nil {
		return err
	}
	ctx := s.Language(c)
	view := templates.StageRoundsView{Event: event, Stage: stage, Problem: problem}
	change, err := door.Preview(ctx, s.Desk, s.Staff(c), tournament.SetStageRounds{Tournament: event, Stage: stage, Rounds: rounds})
	if err != nil {
		if view.Problem, status, err = s.problem(c, err); err != nil {
			return err
		}
	}
	t, err := tournament.TournamentByID(ctx, s.Store, event)
	if err != nil {
		return err
	}
	f, err := t.Format()
	if err != nil {
		return err
	}
	if stage >= 0 && stage < len(f.Stages) {
		view.Name = venue.StageName(ctx, f.Stages, stage)
	}
	view.Before, view.After, view.Drawn, view.Planned, view.Slots, view.All = change.Before, change.After, change.Drawn, change.Planned, change.Slots, change.All
	view.Page = s.newPage(c, templates.T(ctx, "stage_rounds.title"), &t)
	return s.show(c, status, templates.StageRoundsPage(view))
}

// stageRoundsPost gives the stage its rounds.
func (s *deskPages) stageRoundsPost(c *gin.Context) error {
	event, stage, rounds, err := stageParams(c)
	if err != nil {
		return err
	}
	change := tournament.SetStageRounds{Tournament: event, Stage: stage, Rounds: rounds, Why: c.PostForm("why")}
	return s.post(c, change, s.showStageRounds, templates.DeskPath(event), "stage_rounds.done", "n", rounds)
}

// startsPost moves the line of the day's plan of a round.
func (s *deskPages) startsPost(c *gin.Context) error {
	return s.roundDo(c, tournament.MoveRound{Round: idIn(c, "round"), StartsAt: moment(c.PostForm("starts"))}, "plan.saved")
}

// addStart puts the time of a round that is not started into its page, where the day has a plan.
func (s *views) addStart(ctx context.Context, view *templates.RoundView, r tournament.Round) error {
	if r.Status != tournament.RoundDraft && r.Status != tournament.RoundPublished {
		return nil
	}
	slots, err := tournament.Slots(ctx, s.Store, r.TournamentID)
	for _, slot := range slots {
		if slot.Round == r.Number {
			view.Draw.Starts = dayTime(slot.StartsAt)
		}
	}
	return err
}
