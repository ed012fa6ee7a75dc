package web

import (
	"context"

	"meldhall/tournament"
)

// RehearsalBody says who runs the desk of a rehearsal.
type RehearsalBody struct {
	By string `json:"by" doc:"all: the program does; tables: you do, and bots play the tables alone"`
}

func (a *api) apiRehearse(ctx context.Context, in *idWith[RehearsalBody]) (*with[TournamentView], error) {
	t, err := a.rehearse(ctx, a.staff(requestOf(ctx)), in.ID, in.Body.By)
	return answer(TournamentView{t.ID, t.Name, t.Place, t.Status, t.CreatedAt}, err)
}

func (a *api) apiRehearsalRemove(ctx context.Context, in *IDPath) (*with[Done], error) {
	_, err := tournament.Do(ctx, a.desk, a.staff(requestOf(ctx)), tournament.RemoveRehearsal{ID: in.ID})
	return done(err)
}
