package web

import (
	"context"

	"github.com/gin-gonic/gin"

	"meldhall/tournament"
)

// These operations are for tables with real tiles: a player's own tablet, the one tablet of a table, or an official.

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
		a.command("starter", a.answered), about)
	a.plain(forPlayer, "POST /games/{id}/end-turn", "End a turn at a table with real tiles", EndTurnRequest{}, CommandAnswer{}, jsonKind,
		a.command("end-turn", a.answered), about)
	a.plain(forPlayer, "POST /games/{id}/pool-empty", "Say who drew the last tile", HandRequest{}, CommandAnswer{}, jsonKind,
		a.command("pool-empty", a.answered), about)
	a.plain(forPlayer, "POST /games/{id}/count-racks", "Hand in the score sheet: faces or points", CountRequest{}, CommandAnswer{}, jsonKind,
		a.command("count-racks", a.answered), describe("The result is provisional until an official confirms it. "+
			"422 count_face, count_few, count_empty, count_sum and the like say what cannot be."))
	a.plain(forPlayer, "POST /games/{id}/count-preview", "What a score sheet comes to as far as it is filled in", CountRequest{}, tournament.SheetPreview{}, jsonKind,
		a.countPreview, describe("Changes nothing. An unopened rack comes with the proof of what it could have laid."))
	operation(a, forAll, "POST /join-table", "Make this device the one of a table with real tiles, by the table's code", a.apiJoinTable,
		describe("It serves all its seats, in the place of a device that did. Tries are limited as those of POST /join."))
	operation(a, forOrganizer, "POST /tournaments/{id}/tiles", "Say what an event is played with", a.apiTiles)
	operation(a, forReferee, "POST /tables/{id}/tiles", "Say what one table is played with, before its first game begins", a.apiTableTiles)
}

func (s *api) countPreview(c *gin.Context) error {
	preview, err := s.previewOf(c)
	if err != nil {
		return err
	}
	return writeJSON(c, preview)
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
