package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"meldhall/engine/score"
)

// Official is a client with the token of an organizer or a referee.
type Official struct{ API *Client }

// SignIn signs in to an account and returns the official with the account's token.
func SignIn(ctx context.Context, api *Client, name, password string) (Official, error) {
	mine, err := api.entered(ctx, "/sign-in", map[string]any{"name": name, "password": password})
	return Official{mine}, err
}

// SetUp creates the first organizer's account with the token that the server printed, and signs in.
func SetUp(ctx context.Context, api *Client, token, name, password string) (Official, error) {
	mine, err := api.entered(ctx, "/setup", map[string]any{"token": token, "name": name, "password": password})
	return Official{mine}, err
}

// Hire creates a referee's account.
func (o Official) Hire(ctx context.Context, name, password string) error {
	return o.API.Call(ctx, http.MethodPost, "/accounts", map[string]any{"name": name, "password": password,
		"role": "referee"}, nil)
}

// Round is a round as officials see it, with the seats' codes.
type Round struct {
	ID     int64   `json:"id"`
	Number int     `json:"number"`
	Status string  `json:"status"`
	Tables []Table `json:"tables"`
}

// Table is a table of a round with its seats and games.
type Table struct {
	ID     int64  `json:"id"`
	Number int    `json:"number"`
	Code   string `json:"code"`
	Seats  []Seat `json:"seats"`
	Games  []Game `json:"games"`
}

// Seat is a seat at a table, with the code that its player joins with.
type Seat struct {
	Seat   int    `json:"seat"`
	Code   string `json:"code"`
	Player Player `json:"player"`
}

// Player is a player of the roster.
type Player struct {
	ID     int64  `json:"id"`
	Number int    `json:"number"`
	Name   string `json:"name"`
}

// Game is a game at a table; Result is nil until the game is scored.
type Game struct {
	ID     int64   `json:"id"`
	Number int     `json:"number"`
	Status string  `json:"status"`
	Result *Result `json:"result"`
}

// Result is the newest revision of a game's result.
type Result struct {
	Rev    int    `json:"rev"`
	Status string `json:"status"`
	Lines  []Line `json:"lines"`
}

// Line is one seat's line of a result.
type Line struct {
	Seat   int           `json:"seat"`
	Player int64         `json:"player_id"`
	Points score.Twelfth `json:"points"`
	Wins   score.Twelfth `json:"wins"`
}

// Tournament is a tournament with its rounds.
type Tournament struct {
	ID     int64  `json:"id"`
	Name   string `json:"name"`
	Status string `json:"status"`
	Rounds []struct {
		ID     int64  `json:"id"`
		Number int    `json:"number"`
		Status string `json:"status"`
	} `json:"rounds"`
}

// NewTournament holds the settings of a new tournament. Format is a preset's name or a complete format.
type NewTournament struct {
	Name   string         `json:"name"`
	Place  string         `json:"place,omitempty"`
	Day    string         `json:"first_day,omitempty"` // an ISO date
	Host   string         `json:"organizer,omitempty"`
	Format any            `json:"format"`
	Rules  map[string]any `json:"rules"`
}

// Create creates a tournament and imports its roster from CSV.
func (o Official) Create(ctx context.Context, t NewTournament, roster []byte) (Tournament, error) {
	var made Tournament
	if err := o.API.Call(ctx, http.MethodPost, "/tournaments", t, &made); err != nil {
		return made, err
	}
	return made, o.API.Call(ctx, http.MethodPost, fmt.Sprintf("/tournaments/%d/roster", made.ID), CSV(roster), nil)
}

// Round fetches a round.
func (o Official) Round(ctx context.Context, id int64) (Round, error) {
	var r Round
	return r, o.API.Call(ctx, http.MethodGet, fmt.Sprintf("/rounds/%d", id), nil, &r)
}

// Tournament fetches a tournament.
func (o Official) Tournament(ctx context.Context, id int64) (Tournament, error) {
	var t Tournament
	return t, o.API.Call(ctx, http.MethodGet, fmt.Sprintf("/tournaments/%d", id), nil, &t)
}

// NextRound drafts and publishes the next round and returns it with its codes. A tie at a cut is resolved by drawing
// lots.
func (o Official) NextRound(ctx context.Context, tournament int64, seed int64) (Round, error) {
	var r Round
	draft := func() error {
		return o.API.Call(ctx, http.MethodPost, fmt.Sprintf("/tournaments/%d/rounds", tournament),
			map[string]any{"seed": seed}, &r)
	}
	err := draft()
	if Refused(err, "err_cut_tied") {
		if err = o.API.Call(ctx, http.MethodPost, fmt.Sprintf("/tournaments/%d/lot", tournament), nil,
			nil); err == nil {
			err = draft()
		}
	}
	if err != nil {
		return r, err
	}
	if err := o.API.Call(ctx, http.MethodPost, fmt.Sprintf("/rounds/%d/publish", r.ID), nil, nil); err != nil {
		return r, err
	}
	return o.Round(ctx, r.ID)
}

// Start starts a published round.
func (o Official) Start(ctx context.Context, round int64) error {
	return o.API.Call(ctx, http.MethodPost, fmt.Sprintf("/rounds/%d/start", round), nil, nil)
}

// Confirm confirms revision rev of a game's result.
func (o Official) Confirm(ctx context.Context, game int64, rev int) error {
	return o.API.Call(ctx, http.MethodPost, fmt.Sprintf("/games/%d/confirm", game), map[string]any{"rev": rev}, nil)
}

// confirmFinished confirms each provisional result of a round, and reports whether the round was already finished.
// counted, if set, is called for each result that this call confirms.
func (o Official) confirmFinished(ctx context.Context, round int64, counted func(Table, Game)) (finished bool,
	err error) {
	r, err := o.Round(ctx, round)
	if err != nil {
		return false, err
	}
	for _, t := range r.Tables {
		for _, g := range t.Games {
			if g.Result == nil || g.Result.Status != "provisional" {
				continue
			}
			err := o.Confirm(ctx, g.ID, g.Result.Rev)
			var answer *Error
			if errors.As(err, &answer) && answer.Status == http.StatusConflict {
				continue // already confirmed, or the result has changed
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

// RefereeRound confirms the games of a round as they end, checking at the given interval, until the round is finished.
func (o Official) RefereeRound(ctx context.Context, round int64, every time.Duration, counted func(Table, Game)) error {
	for {
		finished, err := o.confirmFinished(ctx, round, counted)
		if err != nil && ctx.Err() == nil {
			return err
		}
		if finished {
			return nil
		}
		if !Sleep(ctx, every) {
			return ctx.Err()
		}
	}
}
