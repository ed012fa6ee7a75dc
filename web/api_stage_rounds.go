package web

import (
	"context"

	"meldhall/tournament"
)

// StageRoundsAnswer is what comes of it.
type StageRoundsAnswer struct {
	Before  int `json:"before"`
	After   int `json:"after"`
	Drawn   int `json:"drawn" doc:"rounds that are there, a draft among them"`
	Planned int `json:"planned" doc:"rounds to come whose seats are planned"`
	Slots   int `json:"slots" doc:"rounds that the plan of the day has"`
	All     int `json:"all" doc:"rounds that the event has then"`
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

func (a *api) apiStageRounds(ctx context.Context, in *StageRoundsIn) (*with[StageRoundsAnswer], error) {
	act := tournament.Do[tournament.StageRounds]
	if in.Body.Preview {
		act = tournament.Preview
	}
	m, err := act(ctx, a.desk, a.staff(requestOf(ctx)), tournament.SetStageRounds{Tournament: in.ID, Stage: in.Stage - 1, Rounds: in.Body.Rounds, Why: in.Body.Why})
	return answer(StageRoundsAnswer{m.Before, m.After, m.Drawn, m.Planned, m.Slots, m.All}, err)
}
