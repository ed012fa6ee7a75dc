package api

import (
	"context"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gin-gonic/gin"

	"meldhall/engine/judge"
	"meldhall/templates/tablet"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/game"
	"meldhall/tournament/game/shares"
	"meldhall/tournament/people"
	"meldhall/tournament/result"
	"meldhall/web/request"
)

// These operations are needed in every turn, so gin serves them without huma. They are in the same document, generated
// from the same types.

func (a *api) playOperations() {
	about := describe("The same key gets the same response. 409 stale_turn and similar errors carry the newest view. " +
		"A command that arrives after the grace period returns the turn_expired event.")
	a.commanded("play", "End the turn by laying tiles", request.PlayRequest{}, about)
	a.commanded("draw", "End the turn by drawing a tile", request.TurnRequest{}, about)
	a.commanded("pass", "End the turn without a tile because the pool is empty", request.TurnRequest{}, about)
	a.commanded("ready", "Report being ready before the first turn", request.TurnRequest{}, about)
	a.commanded("redeal", "Request a redeal because of three doubles", request.TurnRequest{}, about)
	a.commanded("call", "Call the referee", request.CallRequest{}, about)
	a.commanded("withdraw-call", "Take a call for the referee back before an official is on the way",
		request.CallRequest{}, about)
	operation(a, forPlayer, "POST /games/{id}/agree", "Agree with the count of an ended game", a.apiAgree,
		describe("A table's shared device names the seat whose player agrees. Each player's agreement is stored "+
			"once for each revision of the result. A corrected result needs a new one: "+
			"409 err_result_changed carries the newest revision. The referee can confirm without it."))
	a.plain(forPlayer, "POST /games/{id}/share", "Take part in the shuffle of a game that waits to start",
		shares.Sent{}, shares.Ask{}, request.JSONKind, a.Request.Commands.Share,
		describe("Send the hash first. Repeat it to learn whether the nonce is wanted: then deal is at least 1. A "+
			"game starts without the devices that send nothing. data/record/deal.md specifies the values."))
	a.plain(forPlayer, "POST /games/{id}/draft",
		"Show a draft to the table and check whether it could be submitted",
		request.DraftRequest{}, judge.Verdict{}, request.JSONKind, a.draft)
}

// commanded registers a player's command by name. The client creates the command's key.
func (a *api) commanded(name, summary string, body any, about func(*huma.Operation)) {
	answered := func(c *gin.Context, answer game.Answer) error {
		return request.WriteJSON(c, request.NewCommandAnswer(answer))
	}
	a.plain(forPlayer, "POST /games/{id}/"+name, summary, body, request.CommandAnswer{}, request.JSONKind,
		a.Request.Commands.Handler(name, answered), about)
}

func (s *api) draft(c *gin.Context) error {
	_, answer, err := s.Request.Commands.SetDraft(c)
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
		result.Agree{Game: in.ID, Rev: in.Body.Rev})
	return done(err)
}

// PracticeBody is the request to open a practice table.
type PracticeBody struct {
	Strength string `json:"strength" doc:"strength of the three bots: novice, club, …; the error for an unknown value lists all"`
	Rules    string `json:"rules" doc:"the name of a rule set of GET /presets"`
}

// HintView is the best play found for the current turn.
type HintView struct {
	tablet.Hint
	Message string `json:"message" doc:"in the language of Accept-Language"`
}

func (a *api) practiceOperations() {
	operation(a, forAll, "POST /practice", "Open a practice table against three bots", a.apiPractice,
		describe("The token plays seat 0 of a game that does not count; GET /seat returns the game. At most 50 "+
			"tables are open at once, "+
			"and one IP address may open ten a minute: 429 otherwise. After 30 minutes without a move the bots end "+
			"the game."))
	a.plain(forPlayer, "GET /games/{id}/hint", "The best play now, at a practice table", nil, HintView{},
		request.JSONKind, a.apiHint,
		describe("Only for the player to move at a practice table: 403 otherwise."))
}

func (a *api) apiPractice(ctx context.Context, in *with[PracticeBody]) (*with[JoinedView], error) {
	rules, err := a.View.Presets.Ruleset(in.Body.Rules, nil)
	if err != nil {
		return nil, err
	}
	token, me, err := a.Request.Practice.Open(ctx, requestOf(ctx).ClientIP(), in.Body.Strength, rules)
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
	hint, err := a.Request.Commands.Hint(c)
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
	about := describe("At tables with real tiles: for players at the table, the table's own device, and officials. " +
		"The same key gets the same response.")
	a.commanded("starter", "Enter the starting seat drawn at the real table", request.HandRequest{}, about)
	a.commanded("end-turn", "End a turn at a table with real tiles", request.EndTurnRequest{}, about)
	a.commanded("pool-empty", "Report that a seat drew the last tile", request.HandRequest{}, about)
	a.commanded("count-racks", "Hand in the score sheet: faces or points", request.CountRequest{},
		describe("The result is provisional until an official confirms it. "+
			"422 count_face, count_few, count_empty, count_sum and similar errors name an impossible count."))
	a.plain(forPlayer, "POST /games/{id}/count-preview", "Preview the scores of a partly filled score sheet",
		request.CountRequest{}, game.SheetPreview{}, request.JSONKind,
		a.countPreview, describe("Changes nothing. For a player who has not opened, it returns the best possible "+
			"initial meld as proof."))
	operation(a, forAll, "POST /join-table", "Make this device the shared device of a table with real tiles, by "+
		"the table's code",
		a.apiJoinTable,
		describe("It serves all seats and replaces the previous device. Attempts are limited as for POST /join."))
	shows[tournament.SetTiles](a, forOrganizer, "POST /tournaments/{id}/tiles", "Set the kind of tiles for an event",
		func(ctx context.Context, set tournament.TilesSet) (TournamentDetail, error) {
			return a.tournamentDetail(ctx, set.Tournament)
		})
	shows[tournament.SetTableTiles](a, forReferee, "POST /tables/{id}/tiles",
		"Set the kind of tiles for one table, before its first game begins",
		func(ctx context.Context, set tournament.TableTilesSet) (RoundDetail, error) {
			return a.tableRound(ctx, set.Table)
		})
}

func (s *api) countPreview(c *gin.Context) error {
	preview, err := s.Request.Commands.Preview(c)
	if err != nil {
		return err
	}
	return request.WriteJSON(c, preview)
}

func (a *api) apiJoinTable(ctx context.Context, in *with[people.JoinTable]) (*with[TableJoined], error) {
	token, actor, err := a.Request.Seats.JoinTable(requestOf(ctx), in.Body.Code)
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
