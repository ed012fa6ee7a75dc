package api

import (
	"context"
	"encoding/json"
	"strconv"
	"time"

	"github.com/gin-gonic/gin"

	"meldhall/engine"
	"meldhall/engine/score"
	"meldhall/tournament/draw"
	"meldhall/tournament/game"
	"meldhall/tournament/refuse"
	"meldhall/tournament/result"
	"meldhall/tournament/rights"
	"meldhall/web/live"
	"meldhall/web/view"
)

// SeatBody names the seat of a call that an official acknowledges or answers.
type SeatBody struct {
	Key  string `json:"key" minLength:"8" maxLength:"64" doc:"a unique key chosen by the client for each command"`
	Seat int    `json:"seat" minimum:"0" maximum:"3"`
}

// ReplayBody is the request to have a game played again.
type ReplayBody struct {
	Rev int    `json:"rev" minimum:"1" doc:"the revision that the official saw"`
	Why string `json:"why" minLength:"1" maxLength:"500"`

	Preview bool `json:"preview,omitempty" doc:"return the effects without changing anything"`
}

// CorrectBody is a result as ruled by an official.
type CorrectBody struct {
	Rev    int           `json:"rev" minimum:"1" doc:"the revision it replaces"`
	Ending string        `json:"ending,omitempty" doc:"empty: unchanged; annulled: the game does not count"`
	Lines  []CorrectLine `json:"lines" minItems:"2" maxItems:"4"`
	Why    string        `json:"why" minLength:"1" maxLength:"500"`

	Preview bool `json:"preview,omitempty" doc:"return the effects without changing anything"`
}

// CorrectLine is one seat of a corrected result.
type CorrectLine struct {
	Seat   int           `json:"seat" minimum:"0" maximum:"3"`
	Points score.Twelfth `json:"points"`
	Wins   score.Twelfth `json:"wins"`
	Charge int           `json:"charge,omitempty" minimum:"0"`
	Reason string        `json:"reason,omitempty" maxLength:"100"`
	Tiles  string        `json:"tiles,omitempty" maxLength:"500"`
	Opened bool          `json:"opened,omitempty"`
}

// ReissueBody names a seat of a table.
type ReissueBody struct {
	Seat int `json:"seat" minimum:"-1" maximum:"3" doc:"-1: the table's shared device, for real tiles"`
}

// CodeView is a seat's new code.
type CodeView struct {
	Code string `json:"code"`
}

// CountView is what a referee checks after a game: every revision of the result, with racks and charges.
type CountView struct {
	Game    view.GameState `json:"game"`
	Names   []string       `json:"names"`
	View    *engine.View   `json:"view" doc:"the referee's view, with the racks"`
	Results []ResultPart   `json:"results" doc:"all revisions, oldest first"`

	Count result.Count `json:"count" doc:"the current revision, and which players agree with it"`

	Openings []game.OpeningProof `json:"openings,omitempty" doc:"the proofs behind the charges of players who never opened, if the rules charge them"`
}

// floorLeast is the shortest time between two messages about all tables.
const floorLeast = 500 * time.Millisecond

func (a *api) refereeOperations() {
	operation(a, forReferee, "GET /rounds/{id}/floor", "All tables; tables that need a referee come first", a.apiFloor)
	a.plain(forReferee, "GET /floor/live", "Stream of all tables of a round", nil, view.Floor{}, live.StreamKind,
		a.floorLive, describeStream(), roundQuery)
	operation(a, forReferee, "POST /tables/{id}/code",
		"Give a seat a new code, valid for five minutes, and disconnect its device", a.apiReissue)
	a.rulingOperations()
	calling(a, "acknowledge", "Say that you are on the way to a seat that calls",
		func(seat int, by string) engine.Command { return engine.AcknowledgeCall{Seat: seat, By: by} })
	calling(a, "answer", "Answer a seat's call: you are there",
		func(seat int, by string) engine.Command { return engine.AnswerCall{Seat: seat, By: by} })
	operation(a, forReferee, "GET /games/{id}/turns/{turn}/evidence",
		"Evidence about one turn: drafts, refusals, gaps and rulings", a.apiEvidence)
	operation(a, forReferee, "GET /games/{id}/count", "The racks to count after a game", a.apiCount)
	acts[result.ConfirmResult](a, forReferee, "POST /games/{id}/confirm",
		"Confirm the count and start the next game at the table")
	a.correctOperations()
}

// calling registers an official's response to a seat's call, by name.
func calling(a *api, name, summary string, command func(seat int, by string) engine.Command) {
	officially(a, name, summary, func(by rights.Actor, r SeatBody) (string, engine.Command, error) {
		return r.Key, command(r.Seat, by.Name), nil
	})
}

func (a *api) apiFloor(ctx context.Context, in *IDPath) (*with[view.Floor], error) {
	return answer(a.View.Floor(ctx, a.Request.Staff(requestOf(ctx)), in.ID))
}

// floorLive sends all tables of a round whenever one of them changes.
func (s *api) floorLive(c *gin.Context) error {
	round, err := strconv.ParseInt(c.Query("round"), 10, 64)
	if err != nil {
		return refuse.NotFound("err_round_not_found", "id", c.Query("round"))
	}
	ctx := c.Request.Context()
	r, err := draw.RoundByID(ctx, s.View.Store, round)
	if err != nil {
		return err
	}
	return s.Request.Streams.Serve(c, live.Feed{
		Watcher: s.Request.Hub.Watch(live.TournamentTopic(r.TournamentID)),
		Least:   floorLeast,
		Next: func() (live.Message, error) {
			who, err := s.Request.Tokens.StaffNow(c)
			if err != nil {
				return live.Message{}, err
			}
			floor, err := s.View.Floor(ctx, who, round)
			if err != nil {
				return live.Message{}, err
			}
			data, err := json.Marshal(floor)
			return live.Message{Data: data}, err
		},
	})
}

// apiCount returns an ended game for an official, with racks, charges and all revisions of its result.
func (a *api) apiCount(ctx context.Context, in *IDPath) (*with[CountView], error) {
	actor := a.Request.Staff(requestOf(ctx))
	snap, confirmed, err := a.View.Sights.LookAt(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	place := rights.Place{Tournament: snap.Ref.TournamentID, Table: snap.Ref.TableID, Seat: -1}
	if err := rights.Authorize(actor, place, rights.MaySeeAllRacks); err != nil {
		return nil, err
	}
	if snap.State.Phase != engine.PhaseOver {
		return nil, refuse.Conflict("err_game_running", "game", in.ID)
	}
	state, err := a.View.LiveState(ctx, view.SeenGame{Snap: snap, Confirmed: confirmed}, engine.Referee)
	if err != nil {
		return nil, err
	}
	results, err := result.Results(ctx, a.View.Store, in.ID)
	if err != nil {
		return nil, err
	}
	view := CountView{Game: *state.Game, Names: state.Names, View: state.View,
		Results: viewsOf(results, func(r game.Result) ResultPart { return *resultPart(r, true) }), Count: *state.Count}
	if view.Openings, err = a.View.Records.Openings(ctx, actor, snap, confirmed); err != nil {
		return nil, err
	}
	return answer(view, nil)
}

func (a *api) apiReissue(ctx context.Context, in *idWith[ReissueBody]) (*with[CodeView], error) {
	code, err := a.Request.Seats.SwapDevice(ctx, a.Request.Staff(requestOf(ctx)), in.ID, in.Body.Seat)
	return answer(CodeView{code}, err)
}
