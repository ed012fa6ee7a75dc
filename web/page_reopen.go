package web

import (
	"context"
	"errors"
	"net/http"

	"github.com/gin-gonic/gin"

	"meldhall/templates"
	"meldhall/tournament"
	"meldhall/tournament/refuse"
)

// reopenPage shows what it means that an event which is over goes on.
func (s *deskPages) reopenPage(c *gin.Context) error { return s.showReopen(c, http.StatusOK) }

func (s *deskPages) showReopen(c *gin.Context, status int) error {
	event := idIn(c, "event")
	ctx := s.language(c)
	t, err := tournament.TournamentByID(ctx, s.store, event)
	if err != nil {
		return err
	}
	f, err := t.Format()
	if err != nil {
		return err
	}
	view := templates.PeopleConfirmView{ID: event, Title: templates.T(ctx, "reopen.title"), Post: string(templates.ReopenPath(event)),
		Go: templates.T(ctx, "reopen.go"), Back: string(templates.DeskPath(event))}
	made, err := tournament.Preview(ctx, s.desk, s.staff(c), tournament.Reopen{Tournament: event})
	if err != nil {
		if view.Problem, status, err = s.problem(c, err); err != nil {
			return err
		}
	} else {
		view.Effects = reopenEffects(ctx, t, made, stageName(ctx, f.Stages, made.Stage))
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
	if _, err := tournament.Do(c.Request.Context(), s.desk, s.staff(c), tournament.Reopen{Tournament: event, Why: c.PostForm("why")}); err != nil {
		if errors.Is(err, refuse.ErrConflict) || errors.Is(err, refuse.ErrInvalid) {
			return s.showReopen(c, http.StatusConflict)
		}
		return err
	}
	return s.seeOther(c, templates.DeskPath(event), "reopen.done")
}
