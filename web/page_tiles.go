package web

import (
	"context"

	"github.com/gin-gonic/gin"

	"meldhall/templates"
	"meldhall/tournament"
)

// addTiles tells what the tables of a round are played with, and which have one device for all.
func (s *views) addTiles(ctx context.Context, view *templates.RoundView, t tournament.Tournament, tables []tournament.Table) error {
	devices, err := tournament.TableDevices(ctx, s.store, t.ID)
	if err != nil {
		return err
	}
	view.Tiles = t.Tiles
	for i, table := range tables {
		row := &view.Tables[i]
		row.Tiles, row.Own = tournament.DigitalTiles, table.Tiles != ""
		if t.Physical(table) {
			row.Tiles, row.Device = tournament.RealTiles, devices[table.Number] != ""
		}
	}
	return nil
}

// tilesPost says what an event is played with.
func (s *deskPages) tilesPost(c *gin.Context) error {
	event := idIn(c, "event")
	return s.post(c, tournament.SetTiles{Tournament: event, Tiles: c.PostForm("tiles")}, s.showDesk, templates.DeskPath(event), "tiles.set")
}

// tableTilesPost says what one table is played with.
func (s *deskPages) tableTilesPost(c *gin.Context) error {
	table, err := formInt(c, "table")
	if err != nil {
		return s.again(c, err, s.showRound)
	}
	return s.roundDo(c, tournament.SetTableTiles{Table: int64(table), Tiles: c.PostForm("tiles")}, "tiles.set")
}
