package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"meldhall/engine"
)

// official is a client with a member of the staff's token: an organizer or a referee.
type official struct{ api *client }

// signIn gives the client of an account.
func signIn(ctx context.Context, api *client, name, password string) (official, error) {
	var in struct {
		Token string `json:"token"`
	}
	err := api.call(ctx, http.MethodPost, "/sign-in", map[string]any{"name": name, "password": password}, &in)
	return official{api.with(in.Token)}, err
}

// setUp makes the first organizer with the token that the server printed, and signs in.
func setUp(ctx context.Context, api *client, token, name, password string) (official, error) {
	var in struct {
		Token string `json:"token"`
	}
	err := api.call(ctx, http.MethodPost, "/setup", map[string]any{"token": token, "name": name, "password": password}, &in)
	return official{api.with(in.Token)}, err
}

// hire makes a referee's account.
func (o official) hire(ctx context.Context, name, password string) error {
	return o.api.call(ctx, http.MethodPost, "/accounts", map[string]any{"name": name, "password": password, "role": "referee"}, nil)
}

// roundInfo is a round as the staff sees it, with the codes of the seats.
type roundInfo struct {
	ID     int64       `json:"id"`
	Number int         `json:"number"`
	Status string      `json:"status"`
	Tables []tableInfo `json:"tables"`
}

type tableInfo struct {
	ID     int64      `json:"id"`
	Number int        `json:"number"`
	Code   string     `json:"code"`
	Seats  []seatInfo `json:"seats"`
	Games  []gameInfo `json:"games"`
}

type seatInfo struct {
	Seat   int        `json:"seat"`
	Code   string     `json:"code"`
	Player playerInfo `json:"player"`
}

type playerInfo struct {
	ID     int64  `json:"id"`
	Number int    `json:"number"`
	Name   string `json:"name"`
}

type gameInfo struct {
	ID     int64       `json:"id"`
	Number int         `json:"number"`
	Status string      `json:"status"`
	Result *resultInfo `json:"result"`
}

type resultInfo struct {
	Rev    int          `json:"rev"`
	Status string       `json:"status"`
	Lines  []resultLine `json:"lines"`
}

type resultLine struct {
	Seat   int            `json:"seat"`
	Player int64          `json:"player_id"`
	Points engine.Twelfth `json:"points"`
	Wins   engine.Twelfth `json:"wins"`
}

type tournamentInfo struct {
	ID     int64  `json:"id"`
	Name   string `json:"name"`
	Status string `json:"status"`
	Rounds []struct {
		ID     int64  `json:"id"`
		Number int    `json:"number"`
		Status string `json:"status"`
	} `json:"rounds"`
}

// newTournament is what makes a tournament.
type newTournament struct {
	Name   string         `json:"name"`
	Place  string         `json:"place,omitempty"`
	Format any            `json:"format"`
	Rules  map[string]any `json:"rules"`
}

func (o official) create(ctx context.Context, t newTournament, roster []byte) (tournamentInfo, error) {
	var made tournamentInfo
	if err := o.api.call(ctx, http.MethodPost, "/tournaments", t, &made); err != nil {
		return made, err
	}
	return made, o.api.call(ctx, http.MethodPost, fmt.Sprintf("/tournaments/%d/roster", made.ID), csvBody(roster), nil)
}

func (o official) round(ctx context.Context, id int64) (roundInfo, error) {
	var r roundInfo
	return r, o.api.call(ctx, http.MethodGet, fmt.Sprintf("/rounds/%d", id), nil, &r)
}

func (o official) tournament(ctx context.Context, id int64) (tournamentInfo, error) {
	var t tournamentInfo
	return t, o.api.call(ctx, http.MethodGet, fmt.Sprintf("/tournaments/%d", id), nil, &t)
}

// nextRound drafts and publishes the next round, with its codes. Who ties at a cut goes on by lot.
func (o official) nextRound(ctx context.Context, tournament int64, seed int64) (roundInfo, error) {
	var r roundInfo
	draft := func() error {
		return o.api.call(ctx, http.MethodPost, fmt.Sprintf("/tournaments/%d/rounds", tournament), map[string]any{"seed": seed}, &r)
	}
	err := draft()
	if refused(err, "err_cut_tied") {
		if err = o.api.call(ctx, http.MethodPost, fmt.Sprintf("/tournaments/%d/lot", tournament), nil, nil); err == nil {
			err = draft()
		}
	}
	if err != nil {
		return r, err
	}
	if err := o.api.call(ctx, http.MethodPost, fmt.Sprintf("/rounds/%d/publish", r.ID), nil, nil); err != nil {
		return r, err
	}
	return o.round(ctx, r.ID)
}

func (o official) start(ctx context.Context, round int64) error {
	return o.api.call(ctx, http.MethodPost, fmt.Sprintf("/rounds/%d/start", round), nil, nil)
}

// confirm makes a game's result final as it was counted.
func (o official) confirm(ctx context.Context, game int64, rev int) error {
	return o.api.call(ctx, http.MethodPost, fmt.Sprintf("/games/%d/confirm", game), map[string]any{"rev": rev}, nil)
}

// confirmFinished confirms every counted game of a round once, and tells whether the round is finished.
// counted, if set, is told of each.
func (o official) confirmFinished(ctx context.Context, round int64, counted func(tableInfo, gameInfo)) (finished bool, err error) {
	r, err := o.round(ctx, round)
	if err != nil {
		return false, err
	}
	for _, t := range r.Tables {
		for _, g := range t.Games {
			if g.Result == nil || g.Result.Status != "provisional" {
				continue
			}
			err := o.confirm(ctx, g.ID, g.Result.Rev)
			var answer *apiError
			if errors.As(err, &answer) && answer.Status == http.StatusConflict {
				continue // somebody else confirmed it
			}
			if err != nil {
				return false, err
			}
			if counted != nil {
				counted(t, g)
			}
		}
	}
	return r.Status == "finished", nil
}

// refereeRound confirms the games of a round as they end, looking every so often, until it is finished.
func (o official) refereeRound(ctx context.Context, round int64, every time.Duration, counted func(tableInfo, gameInfo)) error {
	for {
		finished, err := o.confirmFinished(ctx, round, counted)
		if err != nil && ctx.Err() == nil {
			return err
		}
		if finished {
			return nil
		}
		if !sleep(ctx, every) {
			return ctx.Err()
		}
	}
}
