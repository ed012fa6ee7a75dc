package web

import (
	"context"
	"net/http"
	"strconv"

	"github.com/gin-gonic/gin"

	"meldhall/templates"
	"meldhall/tournament"
	"meldhall/tournament/refuse"
)

// stageParams are the event and the stage of the address, from 0, and the rounds of the form.
func stageParams(c *gin.Context) (event int64, stage, rounds int, err error) {
	event = idIn(c, "event")
	if stage, err = strconv.Atoi(c.Param("stage")); err != nil {
		return 0, 0, 0, notFound(c)
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
	event, stage, rounds, err := stageParams(c)
	if err != nil {
		return err
	}
	return s.showStageRounds(c, http.StatusOK, event, stage, rounds)
}

func (s *deskPages) showStageRounds(c *gin.Context, status int, event int64, stage, rounds int) error {
	ctx := s.language(c)
	view := templates.StageRoundsView{Event: event, Stage: stage}
	change, err := tournament.Preview(ctx, s.desk, s.staff(c), tournament.SetStageRounds{Tournament: event, Stage: stage, Rounds: rounds})
	if err != nil {
		if view.Problem, status, err = s.problem(c, err); err != nil {
			return err
		}
	}
	t, err := tournament.TournamentByID(ctx, s.store, event)
	if err != nil {
		return err
	}
	f, err := t.Format()
	if err != nil {
		return err
	}
	if stage >= 0 && stage < len(f.Stages) {
		view.Name = stageName(ctx, f.Stages, stage)
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
	if _, err := tournament.Do(c.Request.Context(), s.desk, s.staff(c), tournament.SetStageRounds{Tournament: event, Stage: stage, Rounds: rounds, Why: c.PostForm("why")}); err != nil {
		if isKind(err, refuse.ErrConflict) || isKind(err, refuse.ErrInvalid) {
			return s.showStageRounds(c, http.StatusConflict, event, stage, rounds)
		}
		return err
	}
	return s.seeOther(c, templates.DeskPath(event), "stage_rounds.done", "n", rounds)
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
	slots, err := tournament.Slots(ctx, s.store, r.TournamentID)
	for _, slot := range slots {
		if slot.Round == r.Number {
			view.Draw.Starts = dayTime(slot.StartsAt)
		}
	}
	return err
}

// StageRoundsBody is another number of rounds of a stage.
type StageRoundsBody struct {
	Rounds  int    `json:"rounds" minimum:"1"`
	Why     string `json:"why,omitempty" maxLength:"500"`
	Preview bool   `json:"preview,omitempty" doc:"only tell what would come of it"`
}

// StageRoundsIn names a stage.
type StageRoundsIn struct {
	ID    int64 `path:"id" minimum:"1"`
	Stage int   `path:"stage" minimum:"1" doc:"from 1"`
	Body  StageRoundsBody
}

// StageRoundsAnswer is what comes of it.
type StageRoundsAnswer struct {
	Before  int `json:"before"`
	After   int `json:"after"`
	Drawn   int `json:"drawn" doc:"rounds that are there, a draft among them"`
	Planned int `json:"planned" doc:"rounds to come whose seats are planned"`
	Slots   int `json:"slots" doc:"rounds that the plan of the day has"`
	All     int `json:"all" doc:"rounds that the event has then"`
}

func (a *api) apiStageRounds(ctx context.Context, in *StageRoundsIn) (*with[StageRoundsAnswer], error) {
	act := tournament.Do[tournament.StageRounds]
	if in.Body.Preview {
		act = tournament.Preview
	}
	m, err := act(ctx, a.desk, a.staff(requestOf(ctx)), tournament.SetStageRounds{Tournament: in.ID, Stage: in.Stage - 1, Rounds: in.Body.Rounds, Why: in.Body.Why})
	return answer(StageRoundsAnswer{m.Before, m.After, m.Drawn, m.Planned, m.Slots, m.All}, err)
}
