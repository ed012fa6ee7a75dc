package tablet

import (
	"net/http"

	"github.com/a-h/templ"
	"github.com/gin-gonic/gin"

	"meldhall/engine"
	"meldhall/templates/locale"
	"meldhall/templates/play"
	"meldhall/templates/tablet"
	"meldhall/tournament/rights"
	"meldhall/web/live"
	"meldhall/web/page"
	"meldhall/web/request"
)

// realKind is the kind of tablet page that opened a stream; a page of the wrong kind is redirected.
const realKind = "real"

// newReal returns a game with real tiles as a player's own or the table's shared tablet may see it.
func newReal(at request.SeatAt, game play.Game) tablet.Real {
	r := tablet.Real{Game: game, Table: at.Me.Role == rights.RoleTable}
	if r.Table { // players at the table may see which of them has called
		r.Game.View.Calls = engine.OwnFor(&at.Snap.State, 0).Calls
	}
	return r
}

// showReal renders the tablet's page of a table with real tiles.
func (s *Pages) showReal(c *gin.Context, at request.SeatAt, game play.Game) error {
	tab := live.NewTab()
	p := page.Near(s.Page.NewPage(c, locale.T(s.Page.Request.Language(c), "game.title", "table",
		game.Place.Table), nil),
		seatPagesOf(c).stream()+templ.SafeURL("?kind="+realKind+"&tab="+tab))
	p.Live.Tab = tab
	s.View.Presence.Take(at.Me, tab)
	return s.Page.Show(c, http.StatusOK, tablet.RealPage(tablet.RealView{Page: p,
		Real: newReal(at, game)}))
}

// tabletRegion returns what a player's tablet shows, for either kind of game.
func tabletRegion(at request.SeatAt, game play.Game) templ.Component {
	if at.Snap.State.Physical {
		return tablet.RealRegion(newReal(at, game))
	}
	return play.GameRegion(game)
}

// realRoutes registers what the tablet of a table with real tiles sends during a game.
func (s *Pages) realRoutes(game *gin.RouterGroup) {
	game.POST("/starter", s.command("starter", "starter"))
	game.POST("/end-turn", s.command("end-turn", "end_turn"))
	game.POST("/pool-empty", s.command("pool-empty", "pool_empty"))
	game.POST("/count-racks", s.command("count-racks", "count_racks"))
	game.POST("/count-preview", s.Page.Request.Handle(s.Page.PreviewSheet))
}
