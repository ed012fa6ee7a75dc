package desk

import (
	"context"
	"errors"
	"net/http"
	"strconv"

	"github.com/gin-gonic/gin"

	"meldhall/templates"
	"meldhall/templates/desk"
	"meldhall/templates/locale"
	"meldhall/templates/part"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/draw"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/schedule"
	"meldhall/web/page"
	"meldhall/web/request"
	"meldhall/web/view"
)

// reopenPage previews reopening an ended tournament.
func (s *Pages) reopenPage(c *gin.Context) error {
	tournamentID := page.ID(c, "event")
	ctx := s.Page.Request.Language(c)
	if err := rights.Authorize(s.Page.Request.Staff(c), rights.Place{Tournament: tournamentID},
		rights.MayEditFormats); err != nil {
		return err
	}
	t, f, err := s.View.Tournaments.WithFormat(ctx, tournamentID)
	if err != nil {
		return err
	}
	v := desk.PeopleConfirmView{ID: tournamentID, Title: locale.T(ctx, "reopen.title"),
		Post: string(templates.ActionPath("tournament.reopen")),
		Go:   locale.T(ctx, "reopen.go"), Back: string(templates.DeskPath(tournamentID)),
		Fields: part.Sends(templates.DeskPath(tournamentID), "tournament", tournamentID, "from",
			templates.ReopenPath(tournamentID))}
	status := http.StatusOK
	made, err := action.Preview(ctx, s.Page.Request.Desk, s.Page.Request.Staff(c),
		draw.Reopen{Tournament: tournamentID})
	if err != nil {
		if v.Problem, status, err = s.Page.Problem(c, err); err != nil {
			return err
		}
	} else {
		v.Effects = reopenEffects(ctx, t, made, view.StageName(ctx, f.Stages, made.Stage))
	}
	v.Page = s.Page.NewPage(c, v.Title, &t)
	return s.Page.Show(c, status, desk.PeopleConfirmPage(v))
}

// reopenEffects describes the effects of reopening a tournament.
func reopenEffects(ctx context.Context, t tournament.Tournament, made draw.Reopening, stage string) []string {
	lines := []string{locale.T(ctx, "reopen.left")}
	if made.Rounds > 0 {
		lines = []string{locale.T(ctx, "reopen.round", "stage", stage, "n", made.Rounds),
			locale.T(ctx, "reopen.again", "n", made.Rounds-1)}
	}
	lines = append(lines, locale.T(ctx, "reopen.standings"))
	if t.RegistrationOpen {
		lines = append(lines, locale.T(ctx, "reopen.registration"))
	}
	return lines
}

// stageRoundsPage previews a change to the number of rounds of a stage.
func (s *Pages) stageRoundsPage(c *gin.Context) error {
	tournamentID := page.ID(c, "event")
	stage, err := strconv.Atoi(c.Param("stage"))
	if err != nil {
		return request.NotFound(c)
	}
	rounds, err := page.Number(c.Query, "rounds")
	if err != nil {
		return s.Page.Again(c, err, s.Page.At(templates.DeskPath(tournamentID)))
	}
	ctx, status := s.Page.Request.Language(c), http.StatusOK
	v := desk.StageRoundsView{Event: tournamentID, Stage: stage}
	change, err := action.Preview(ctx, s.Page.Request.Desk, s.Page.Request.Staff(c),
		draw.SetStageRounds{Tournament: tournamentID,
			Stage: stage, Rounds: rounds})
	if errors.Is(err, &refuse.Error{Kind: refuse.KindInvalid, Key: "err_format_field"}) {
		// to the page with the field
		return s.Page.Again(c, err, s.Page.At(templates.DeskPath(tournamentID)))
	}
	if err != nil {
		if v.Problem, status, err = s.Page.Problem(c, err); err != nil {
			return err
		}
	}
	t, f, err := s.View.Tournaments.WithFormat(ctx, tournamentID)
	if err != nil {
		return err
	}
	if stage >= 0 && stage < len(f.Stages) {
		v.Name = view.StageName(ctx, f.Stages, stage)
	}
	v.Before, v.After, v.Drawn, v.Planned, v.Slots, v.All = change.Before, change.After, change.Drawn, change.Planned,
		change.Slots, change.All
	v.Page = s.Page.NewPage(c, locale.T(ctx, "stage_rounds.title"), &t)
	return s.Page.Show(c, status, desk.StageRoundsPage(v))
}

// startsPost changes a round's start in the schedule.
func (s *Pages) startsPost(c *gin.Context) error {
	round := templates.RoundPath(page.ID(c, "event"), page.ID(c, "round"))
	starts, err := moment(s.Page.Request.Language(c), "starts", c.PostForm("starts"))
	if err != nil {
		return s.Page.Again(c, err, s.Page.At(round))
	}
	return s.Page.Post(c, schedule.MoveRound{Round: page.ID(c, "round"), StartsAt: starts}, s.Page.At(round), round,
		"plan.saved")
}

// addStart adds the scheduled start of a round that has not begun to its page, if there is one.
func (s *views) addStart(ctx context.Context, view *desk.RoundView, r tournament.Round) error {
	if r.Status != tournament.RoundDraft && r.Status != tournament.RoundPublished {
		return nil
	}
	slots, err := schedule.Slots(ctx, s.View.Store, r.TournamentID)
	for _, slot := range slots {
		if slot.Round == r.Number {
			view.Draw.Starts = dayTime(ctx, slot.StartsAt)
		}
	}
	return err
}
