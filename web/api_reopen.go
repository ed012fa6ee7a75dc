package web

import (
	"context"

	"meldhall/tournament"
)

// ReopenAnswer is how it goes on.
type ReopenAnswer struct {
	Stage  int `json:"stage,omitempty" doc:"from 1: the stage that gets one more round; left out where rounds are left"`
	Rounds int `json:"rounds,omitempty" doc:"that it has then"`
}

// ReopenBody lets an event that is over go on.
type ReopenBody struct {
	Why     string `json:"why,omitempty" maxLength:"500"`
	Preview bool   `json:"preview,omitempty" doc:"only tell what would come of it"`
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
