package api

import (
	"context"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gin-gonic/gin"

	"meldhall/engine"
	"meldhall/templates"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/game"
	"meldhall/web/request"
)

// These operations are needed in every turn, so gin serves them without huma. They are in the same document, generated
// from the same types.

func (a *api) playOperations() {
	about := describe("The same key gets the same answer. 409 stale_turn and the like carry the newest view. " +
		"A command that arrives after the deadline and its grace is answered with the turn_expired that it became.")
	a.commanded("play", "End the turn by laying tiles", request.PlayRequest{}, about)
	a.commanded("draw", "End the turn by drawing a tile", request.TurnRequest{}, about)
	a.commanded("pass", "End the turn with nothing, the pool being empty", request.TurnRequest{}, about)
	a.commanded("ready", "Need no more time before the first turn", request.TurnRequest{}, about)
	a.commanded("redeal", "Ask for a new start on three doubles", request.TurnRequest{}, about)
	a.commanded("call", "Call the referee", request.CallRequest{}, about)
	operation(a, forPlayer, "POST /games/{id}/agree", "Say that the count of an ended game is right", a.apiAgree,
		describe("The one device of a physical table names the seat whose player agrees. Kept with the revision of the result, once for each player however often it is sent. A corrected result asks again: "+
			"409 err_result_changed tells the newest revision. The referee confirms with or without it."))
	a.plain(forPlayer, "POST /games/{id}/draft",
		"Show the table what is being laid, and hear whether it could be submitted",
		request.DraftRequest{}, engine.Verdict{}, request.JSONKind, a.draft)
}

// commanded registers a player's command by name. The client creates the command's key.
func (a *api) commanded(name, summary string, body any, about func(*huma.Operation)) {
	answered := func(c *gin.Context, answer game.Answer) error {
		return request.WriteJSON(c, request.NewCommandAnswer(answer))
	}
	a.plain(forPlayer, "POST /games/{id}/"+name, summary, body, request.CommandAnswer{}, request.JSONKind,
		a.Request.Command(name, answered), about)
}

func (s *api) draft(c *gin.Context) error {
	_, answer, err := s.Request.SetDraft(c)
	if err != nil {
		return err
	}
	return request.WriteJSON(c, answer.Verdict)
}

// AgreeBody names the revision that a player agrees to.
type AgreeBody struct {
	Rev  int  `json:"rev" minimum:"1"`
	Seat *int `json:"seat,omitempty" minimum:"0" maximum:"3" doc:"on a table's shared device: the seat whose player agrees"`
}

func (a *api) apiAgree(ctx context.Context, in *idWith[AgreeBody]) (*with[Done], error) {
	_, err := action.Do(ctx, a.Request.Desk, request.SeatedAt(a.Request.Player(requestOf(ctx)), in.Body.Seat),
		tournament.Agree{Game: in.ID, Rev: in.Body.Rev})
	return done(err)
}

// PracticeBody opens a practice table.
type PracticeBody struct {
	Strength string `json:"strength" doc:"strength of the three bots: novice, club, …; the error for an unknown value lists all"`
	Rules    string `json:"rules" doc:"the name of a rule set of GET /presets"`
}

// HintView is a possible play in the running turn.
type HintView struct {
	templates.Hint
	Message string `json:"message" doc:"in the language of Accept-Language"`
}

func (a *api) practiceOperations() {
	operation(a, forAll, "POST /practice", "Open a practice table against three bots", a.apiPractice,
		describe("The token plays seat 0 of a game that is counted nowhere; GET /seat says which. At most 50 tables are open at once, "+
			"and an address may open ten a minute: 429 otherwise. After 30 minutes without a move the bots end the game."))
	a.plain(forPlayer, "GET /games/{id}/hint", "What could be laid now, at a practice table", nil, HintView{},
		request.JSONKind, a.apiHint,
		describe("For the player to move, at a practice table only: 403 everywhere else."))
}

func (a *api) apiPractice(ctx context.Context, in *with[PracticeBody]) (*with[JoinedView], error) {
	rules, err := a.View.Presets.Ruleset(in.Body.Rules, nil)
	if err != nil {
		return nil, err
	}
	token, me, err := a.Request.OpenPractice(ctx, requestOf(ctx).ClientIP(), in.Body.Strength, rules)
	if err != nil {
		return nil, err
	}
	place, err := a.place(ctx, me)
	if err != nil {
		return nil, err
	}
	return answer(JoinedView{token, *place.Player, place.Tournament}, nil)
}

func (a *api) apiHint(c *gin.Context) error {
	hint, err := a.Request.Hint(c)
	if err != nil {
		return err
	}
	return request.WriteJSON(c, HintView{hint, hint.Words(a.Request.Language(c))})
}

// These operations are for tables with real tiles. Callers are a player's own tablet, the shared tablet of a table, or
// an official.

// TableJoined is the table that a device now serves.
type TableJoined struct {
	Token      string         `json:"token" doc:"for the Authorization header, in every round of the tournament"`
	Table      int            `json:"table" doc:"the table's number"`
	TableID    int64          `json:"table_id"`
	Tournament TournamentView `json:"tournament"`
}

func (a *api) physicalOperations() {
	about := describe("At tables with real tiles: by a player at the table, by the table's own device, or by an official. The same key gets the same answer.")
	a.commanded("starter", "Say who begins, as the draw on the real table gave it", request.HandRequest{}, about)
	a.commanded("end-turn", "End a turn at a table with real tiles", request.EndTurnRequest{}, about)
	a.commanded("pool-empty", "Say who drew the last tile", request.HandRequest{}, about)
	a.commanded("count-racks", "Hand in the score sheet: faces or points", request.CountRequest{},
		describe("The result is provisional until an official confirms it. "+
			"422 count_face, count_few, count_empty, count_sum and the like say what cannot be."))
	a.plain(forPlayer, "POST /games/{id}/count-preview", "What a score sheet comes to as far as it is filled in",
		request.CountRequest{}, game.SheetPreview{}, request.JSONKind,
		a.countPreview, describe("Changes nothing. An unopened rack comes with the proof of what it could have laid."))
	operation(a, forAll, "POST /join-table", "Make this device the one of a table with real tiles, by the table's code",
		a.apiJoinTable,
		describe("It serves all its seats, in the place of a device that did. Tries are limited as those of POST /join."))
	shows[tournament.SetTiles](a, forOrganizer, "POST /tournaments/{id}/tiles", "Say what an event is played with",
		func(ctx context.Context, set tournament.TilesSet) (TournamentDetail, error) {
			return a.tournamentDetail(ctx, set.Tournament)
		})
	shows[tournament.SetTableTiles](a, forReferee, "POST /tables/{id}/tiles",
		"Say what one table is played with, before its first game begins",
		func(ctx context.Context, set tournament.TableTilesSet) (RoundDetail, error) {
			return a.tableRound(ctx, set.Table)
		})
}

func (s *api) countPreview(c *gin.Context) error {
	preview, err := s.Request.PreviewOf(c)
	if err != nil {
		return err
	}
	return request.WriteJSON(c, preview)
}

func (a *api) apiJoinTable(ctx context.Context, in *with[tournament.JoinTable]) (*with[TableJoined], error) {
	token, actor, err := a.Request.JoinTable(requestOf(ctx), in.Body.Code)
	if err != nil {
		return nil, err
	}
	t, err := tournament.TournamentByID(ctx, a.View.Store, actor.Tournament)
	if err != nil {
		return nil, err
	}
	event, err := a.tournamentView(ctx, t)
	if err != nil {
		return nil, err
	}
	table, err := tournament.TableByID(ctx, a.View.Store, actor.Table)
	return answer(TableJoined{token, table.Number, table.ID, event}, err)
}
