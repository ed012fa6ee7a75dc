package desk

import (
	"context"
	"net/http"

	"github.com/gin-gonic/gin"

	"meldhall/templates"
	"meldhall/templates/desk"
	"meldhall/templates/locale"
	"meldhall/templates/part"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/rights"
	"meldhall/web/page"
)

// tilesPage previews how changing the kind of tiles affects a tournament's tables, games and devices.
func (s *Pages) tilesPage(c *gin.Context) error {
	tournamentID, tiles := page.ID(c, "event"), c.Query("tiles")
	ctx, back := s.Page.Request.Language(c), templates.DeskPath(tournamentID)
	set, err := action.Preview(ctx, s.Page.Request.Desk, s.Page.Request.Staff(c),
		tournament.SetTiles{Tournament: tournamentID, Tiles: tiles})
	if err != nil {
		return s.Page.Again(c, err, s.Page.At(back))
	}
	t := func(key string, nameValues ...any) string { return locale.T(ctx, key, nameValues...) }
	view := newTilesView(ctx, tournamentID, set, tiles == tournament.RealTiles, t("tiles.change.next_"+tiles))
	view.Title = t("tiles.change_event", "tiles", t("tiles."+tiles))
	view.Post, view.Back = string(templates.ActionPath("tournament.tiles")), string(part.AtPlace(back, "tiles"))
	view.Fields = part.Sends(back, "tournament", tournamentID, "tiles", tiles, "at", "tiles")
	if len(set.Changed) > 0 {
		view.Effects = append(view.Effects, t("tiles.change.later"))
	}
	view.Effects = append(view.Effects, t("tiles.change.back"))
	return page.ShowEvent(s.Page, c, http.StatusOK, view.Title, &view, &view.Page, desk.PeopleConfirmPage)
}

// tableTilesPage previews changing the kind of tiles at one table.
func (s *Pages) tableTilesPage(c *gin.Context) error {
	at, table, tiles := page.RoundOf(c), page.QueryID(c, "table"), c.Query("tiles")
	ctx, back := s.Page.Request.Language(c), templates.RoundPath(at.TournamentID, at.Round)
	if err := rights.Authorize(s.Page.Request.Staff(c), rights.Place{Tournament: at.TournamentID},
		rights.MayStartRound); err != nil {
		return err
	}
	set, err := action.Preview(ctx, s.Page.Request.Desk, s.Page.Request.Staff(c),
		tournament.SetTableTiles{Table: table, Tiles: tiles})
	if err != nil {
		return s.Page.Again(c, err, s.Page.At(back))
	}
	t := func(key string, nameValues ...any) string { return locale.T(ctx, key, nameValues...) }
	real := set.Tournament.Physical(set.Table)
	view := newTilesView(ctx, at.TournamentID, set.TilesSet, real, t("tiles.change.same", "table", set.Table.Number))
	word := t("tiles." + tournament.DigitalTiles)
	if real {
		word = t("tiles." + tournament.RealTiles)
	}
	view.Title = t("tiles.change_table", "table", set.Table.Number, "tiles", word)
	place := desk.TablePlace(set.Table.Number)
	view.Post, view.Back = string(templates.ActionPath("table.tiles")), string(part.AtPlace(back, place))
	view.Fields = part.Sends(back, "table", table, "tiles", tiles, "at", place)
	if len(set.Changed) > 0 {
		view.Effects = append(view.Effects, t("tiles.change.number", "table", set.Table.Number))
	}
	view.Effects = append(view.Effects, t("tiles.change.table_back"))
	return page.ShowEvent(s.Page, c, http.StatusOK, view.Title, &view, &view.Page, desk.PeopleConfirmPage)
}

// newTilesView describes how changing the kind of tiles affects the tables of the current or drafted round. none is the
// text if no table changes.
func newTilesView(ctx context.Context, tournamentID int64, set tournament.TilesSet, real bool,
	none string) desk.PeopleConfirmView {
	t := func(key string, nameValues ...any) string { return locale.T(ctx, key, nameValues...) }
	view := desk.PeopleConfirmView{ID: tournamentID, Go: t("tiles.change_go")}
	tell := func(key string, tables []int) {
		if len(tables) > 0 {
			view.Effects = append(view.Effects, t(key, "round", set.Round, "tables", rights.FormatTables(tables)))
		}
	}
	tell("tiles.change.tables", set.Changed)
	if len(set.Changed) == 0 {
		view.Effects = append(view.Effects, none)
	}
	tell("tiles.change.begun", set.Begun)
	tell("tiles.change.own", set.Own)
	switch {
	case len(set.Changed) == 0:
	case real:
		view.Effects = append(view.Effects, t("tiles.change.real", "joined", set.Joined, "of", set.Players))
	default:
		view.Effects = append(view.Effects, t("tiles.change.digital", "joined", set.Joined, "of", set.Players))
		tell("tiles.change.whole", set.Whole)
	}
	return view
}
