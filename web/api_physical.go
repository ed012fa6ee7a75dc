package web

import (
	"context"

	"github.com/gin-gonic/gin"

	"meldhall/engine"
	"meldhall/tournament"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
)

// These operations are for tables with real tiles: a player's own tablet, the one tablet of a table, or an official.

// EndTurnRequest ends a turn of a physical game.
type EndTurnRequest struct {
	Turn   int    `json:"turn" doc:"the turn that it is meant for, view.turn.number"`
	Key    string `json:"key" minLength:"8" maxLength:"64" doc:"made by the client, once for each command: letters, digits, - and _"`
	Seat   *int   `json:"seat,omitempty" minimum:"0" maximum:"3" doc:"whose turn it is; left out by a player's own tablet"`
	Opened bool   `json:"opened,omitempty" doc:"the initial meld was laid in this turn"`
	Passed bool   `json:"passed,omitempty" doc:"nothing was laid and nothing drawn, the pool being empty"`
	Out    bool   `json:"out,omitempty" doc:"the rack is empty: the racks are to be counted"`
}

// HandRequest names a seat of a physical game: who begins, or who drew the pool's last tile.
type HandRequest struct {
	Key  string `json:"key" minLength:"8" maxLength:"64" doc:"made by the client, once for each command: letters, digits, - and _"`
	Seat int    `json:"seat" minimum:"0" maximum:"3"`
}

// CountRequest hands in the score sheet of a physical game.
type CountRequest struct {
	Key string `json:"key,omitempty" maxLength:"64" doc:"made by the client, once for each command; not needed for a preview"`
	engine.CountRacks
}

// TilesBody says what an event or a table is played with.
type TilesBody struct {
	Tiles string `json:"tiles" doc:"digital or real; of a table also empty: what the event is"`
}

// TableJoinBody makes a device the one of a physical table.
type TableJoinBody struct {
	Code string `json:"code" minLength:"1" maxLength:"64" doc:"the table's"`
}

// TableJoined is a table whose device it is.
type TableJoined struct {
	Token      string         `json:"token" doc:"for the Authorization header, in every round of the tournament"`
	Table      int            `json:"table" doc:"the table's number"`
	TableID    int64          `json:"table_id"`
	Tournament TournamentView `json:"tournament"`
}

func (a *api) physicalOperations() {
	about := describe("At tables with real tiles: by a player at the table, by the table's own device, or by an official. The same key gets the same answer.")
	a.plain(forPlayer, "POST /games/{id}/starter", "Say who begins, as the draw on the real table gave it", HandRequest{}, CommandAnswer{}, jsonKind,
		commanding(a.Server, starterCommand, a.answered), about)
	a.plain(forPlayer, "POST /games/{id}/end-turn", "End a turn at a table with real tiles", EndTurnRequest{}, CommandAnswer{}, jsonKind,
		commanding(a.Server, endTurnCommand, a.answered), about)
	a.plain(forPlayer, "POST /games/{id}/pool-empty", "Say who drew the last tile", HandRequest{}, CommandAnswer{}, jsonKind,
		commanding(a.Server, poolCommand, a.answered), about)
	a.plain(forPlayer, "POST /games/{id}/count-racks", "Hand in the score sheet: faces or points", CountRequest{}, CommandAnswer{}, jsonKind,
		commanding(a.Server, countCommand, a.answered), describe("The result is provisional until an official confirms it. "+
			"422 count_face, count_few, count_empty, count_sum and the like say what cannot be."))
	a.plain(forPlayer, "POST /games/{id}/count-preview", "What a score sheet comes to as far as it is filled in", CountRequest{}, tournament.SheetPreview{}, jsonKind,
		a.countPreview, describe("Changes nothing. An unopened rack comes with the proof of what it could have laid."))
	operation(a, forAll, "POST /join-table", "Make this device the one of a table with real tiles, by the table's code", a.apiJoinTable,
		describe("It serves all its seats, in the place of a device that did. Tries are limited as those of POST /join."))
	operation(a, forOrganizer, "POST /tournaments/{id}/tiles", "Say what an event is played with", a.apiTiles)
	operation(a, forReferee, "POST /tables/{id}/tiles", "Say what one table is played with, before its first game begins", a.apiTableTiles)
}

func starterCommand(_ rights.Actor, r HandRequest) (string, engine.Command) {
	return r.Key, engine.ChooseStarter{Seat: r.Seat}
}

func endTurnCommand(me rights.Actor, r EndTurnRequest) (string, engine.Command) {
	seat := me.Seat
	if r.Seat != nil {
		seat = *r.Seat
	}
	return r.Key, engine.EndTurn{Seat: seat, Turn: r.Turn, Opened: r.Opened, Passed: r.Passed, Out: r.Out}
}

func poolCommand(_ rights.Actor, r HandRequest) (string, engine.Command) {
	return r.Key, engine.PoolEmptied{Seat: r.Seat}
}

func countCommand(_ rights.Actor, r CountRequest) (string, engine.Command) {
	return r.Key, r.CountRacks
}

func (s *Server) previewOf(c *gin.Context) (tournament.SheetPreview, error) {
	game, err := gameParam(c)
	if err != nil {
		return tournament.SheetPreview{}, err
	}
	var r CountRequest
	if err := readJSON(c, &r); err != nil {
		return tournament.SheetPreview{}, err
	}
	return s.games.PreviewCount(c.Request.Context(), s.player(c), game, r.CountRacks)
}

func (s *Server) countPreview(c *gin.Context) error {
	preview, err := s.previewOf(c)
	if err != nil {
		return err
	}
	return writeJSON(c, preview)
}

// joinTable makes a device the one of a physical table. Wrong codes count as tries.
func (s *Server) joinTable(ctx context.Context, address, code string) (string, rights.Actor, error) {
	keys := []string{"address " + address, "code " + tournament.PlainCode(code)}
	if err := s.codes.Check(keys...); err != nil {
		return "", rights.Actor{}, err
	}
	joined, err := tournament.Do(ctx, s.desk, rights.Public(), tournament.JoinTable{Code: code})
	if isKind(err, refuse.ErrNotFound) || isKind(err, refuse.ErrConflict) {
		s.codes.Failed(keys...)
	}
	return joined.Token, joined.Actor, err
}

func (a *api) apiJoinTable(ctx context.Context, in *with[TableJoinBody]) (*with[TableJoined], error) {
	token, actor, err := a.joinTable(ctx, requestOf(ctx).ClientIP(), in.Body.Code)
	if err != nil {
		return nil, err
	}
	t, err := tournament.TournamentByID(ctx, a.store, actor.Tournament)
	if err != nil {
		return nil, err
	}
	table, err := tournament.TableByID(ctx, a.store, actor.Table)
	return answer(TableJoined{token, table.Number, table.ID, tournamentView(t)}, err)
}

func (a *api) apiTiles(ctx context.Context, in *idWith[TilesBody]) (*with[TournamentDetail], error) {
	actor := a.staff(requestOf(ctx))
	if _, err := tournament.Do(ctx, a.desk, actor, tournament.SetTiles{Tournament: in.ID, Tiles: in.Body.Tiles}); err != nil {
		return nil, err
	}
	detail, err := a.tournamentDetail(ctx, actor, in.ID)
	return answer(detail, err)
}

func (a *api) apiTableTiles(ctx context.Context, in *idWith[TilesBody]) (*with[RoundDetail], error) {
	actor := a.staff(requestOf(ctx))
	table, err := tournament.Do(ctx, a.desk, actor, tournament.SetTableTiles{Table: in.ID, Tiles: in.Body.Tiles})
	return a.roundAfter(ctx, actor, table.RoundID, err)
}
