package web

import (
	"context"
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
		if isKind(err, refuse.ErrConflict) || isKind(err, refuse.ErrInvalid) {
			return s.showReopen(c, http.StatusConflict)
		}
		return err
	}
	return s.seeOther(c, templates.DeskPath(event), "reopen.done")
}

// ReopenBody lets an event that is over go on.
type ReopenBody struct {
	Why     string `json:"why,omitempty" maxLength:"500"`
	Preview bool   `json:"preview,omitempty" doc:"only tell what would come of it"`
}

// ReopenAnswer is how it goes on.
type ReopenAnswer struct {
	Stage  int `json:"stage,omitempty" doc:"from 1: the stage that gets one more round; left out where rounds are left"`
	Rounds int `json:"rounds,omitempty" doc:"that it has then"`
}

func (a *api) apiReopen(ctx context.Context, in *idWith[ReopenBody]) (*with[ReopenAnswer], error) {
	act := tournament.Do[tournament.Reopening]
	if in.Body.Preview {
		act = tournament.Preview
	}
	made, err := act(ctx, a.desk, a.staff(requestOf(ctx)), tournament.Reopen{Tournament: in.ID, Why: in.Body.Why})
	view := ReopenAnswer{}
	if made.Rounds > 0 {
		view = ReopenAnswer{made.Stage + 1, made.Rounds}
	}
	return answer(view, err)
}
