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
	"meldhall/tournament/rights"
	"meldhall/web/page"
)

// showTiles previews how changing the kind of tiles affects a tournament's tables, games and devices.
func (s *Pages) showTiles(c *gin.Context, of tournament.SetTiles, set tournament.TilesSet) error {
	tournamentID, tiles := of.Tournament, of.Tiles
	ctx, back := s.Page.Request.Language(c), templates.DeskPath(tournamentID)
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

// showTableTiles previews changing the kind of tiles at one table.
func (s *Pages) showTableTiles(c *gin.Context, of tournament.SetTableTiles, set tournament.TableTilesSet) error {
	ctx, back := s.Page.Request.Language(c), roundOf(c)
	t := func(key string, nameValues ...any) string { return locale.T(ctx, key, nameValues...) }
	real := set.Tournament.Physical(set.Table)
	view := newTilesView(ctx, set.Tournament.ID, set.TilesSet, real, t("tiles.change.same", "table", set.Table.Number))
	word := t("tiles." + tournament.DigitalTiles)
	if real {
		word = t("tiles." + tournament.RealTiles)
	}
	view.Title = t("tiles.change_table", "table", set.Table.Number, "tiles", word)
	place := desk.TablePlace(set.Table.Number)
	view.Post, view.Back = string(templates.ActionPath("table.tiles")), string(part.AtPlace(back, place))
	view.Fields = part.Sends(back, "table", of.Table, "tiles", of.Tiles, "at", place)
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
