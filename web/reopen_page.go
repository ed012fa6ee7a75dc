package web

import (
	"context"
	"errors"
	"net/http"
	"strconv"

	"github.com/gin-gonic/gin"

	"meldhall/templates"
	"meldhall/tournament"
	"meldhall/tournament/door"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/schedule"
	"meldhall/web/frame"
	"meldhall/web/shell"
	"meldhall/web/venue"
)

// reopenPage shows what it means that an event which is over goes on.
func (s *deskPages) reopenPage(c *gin.Context) error {
	event := frame.ID(c, "event")
	ctx := s.Language(c)
	if err := rights.Authorize(s.Staff(c), rights.Place{Tournament: event}, rights.MayEditFormats); err != nil {
		return err
	}
	t, f, err := s.EventFormat(ctx, event)
	if err != nil {
		return err
	}
	view := templates.PeopleConfirmView{ID: event, Title: templates.T(ctx, "reopen.title"), Post: string(templates.ActionPath("tournament.reopen")),
		Go: templates.T(ctx, "reopen.go"), Back: string(templates.DeskPath(event)),
		Fields: templates.Sends(templates.DeskPath(event), "tournament", event, "from", templates.ReopenPath(event))}
	status := http.StatusOK
	made, err := door.Preview(ctx, s.Desk, s.Staff(c), tournament.Reopen{Tournament: event})
	if err != nil {
		if view.Problem, status, err = s.Problem(c, err); err != nil {
			return err
		}
	} else {
		view.Effects = reopenEffects(ctx, t, made, venue.StageName(ctx, f.Stages, made.Stage))
	}
	view.Page = s.NewPage(c, view.Title, &t)
	return s.Show(c, status, templates.PeopleConfirmPage(view))
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

// stageRoundsPage shows what another number of rounds would mean.
func (s *deskPages) stageRoundsPage(c *gin.Context) error {
	event := frame.ID(c, "event")
	stage, err := strconv.Atoi(c.Param("stage"))
	if err != nil {
		return shell.NotFound(c)
	}
	rounds, err := frame.Number(c.Query, "rounds")
	if err != nil {
		return s.Again(c, err, s.At(templates.DeskPath(event)))
	}
	ctx, status := s.Language(c), http.StatusOK
	view := templates.StageRoundsView{Event: event, Stage: stage}
	change, err := door.Preview(ctx, s.Desk, s.Staff(c), tournament.SetStageRounds{Tournament: event, Stage: stage, Rounds: rounds})
	if errors.Is(err, &refuse.Error{Kind: refuse.KindInvalid, Key: "err_format_field"}) {
		return s.Again(c, err, s.At(templates.DeskPath(event))) // where the field is
	}
	if err != nil {
		if view.Problem, status, err = s.Problem(c, err); err != nil {
			return err
		}
	}
	t, f, err := s.EventFormat(ctx, event)
	if err != nil {
		return err
	}
	if stage >= 0 && stage < len(f.Stages) {
		view.Name = venue.StageName(ctx, f.Stages, stage)
	}
	view.Before, view.After, view.Drawn, view.Planned, view.Slots, view.All = change.Before, change.After, change.Drawn, change.Planned, change.Slots, change.All
	view.Page = s.NewPage(c, templates.T(ctx, "stage_rounds.title"), &t)
	return s.Show(c, status, templates.StageRoundsPage(view))
}

// startsPost moves the line of the day's plan of a round.
func (s *deskPages) startsPost(c *gin.Context) error {
	round := templates.RoundPath(frame.ID(c, "event"), frame.ID(c, "round"))
	return s.Post(c, schedule.MoveRound{Round: frame.ID(c, "round"), StartsAt: moment(c.PostForm("starts"))}, s.At(round), round, "plan.saved")
}

// addStart puts the time of a round that is not started into its page, where the day has a plan.
func (s *views) addStart(ctx context.Context, view *templates.RoundView, r tournament.Round) error {
	if r.Status != tournament.RoundDraft && r.Status != tournament.RoundPublished {
		return nil
	}
	slots, err := schedule.Slots(ctx, s.Store, r.TournamentID)
	for _, slot := range slots {
		if slot.Round == r.Number {
			view.Draw.Starts = dayTime(slot.StartsAt)
		}
	}
	return err
}
