package web

import (
	"context"
	"net/http"

	"github.com/a-h/templ"
	"github.com/gin-gonic/gin"

	"meldhall/engine"
	"meldhall/templates"
	"meldhall/tournament/game"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/web/live"
	"meldhall/web/page"
	"meldhall/web/request"
)

// realKind is the kind of tablet page that opened a stream; a page of the wrong kind is redirected.
const realKind = "real"

// newReal returns a game with real tiles as a player's own or the table's shared tablet may see it.
func newReal(at request.SeatAt, game templates.Game) templates.Real {
	r := templates.Real{Game: game, Table: at.Me.Role == rights.RoleTable}
	if r.Table { // players at the table may see which of them has called
		r.Game.View.Calls = engine.OwnFor(&at.Snap.State, 0).Calls
	}
	return r
}

// showReal renders the tablet's page of a table with real tiles.
func (s *tabletPages) showReal(c *gin.Context, at request.SeatAt, game templates.Game) error {
	tab := live.NewTab()
	p := page.Near(s.server.Page.NewPage(c, templates.T(s.server.Request.Language(c), "game.title", "table",
		game.Place.Table), nil),
		seatPagesOf(c).stream()+templ.SafeURL("?kind="+realKind+"&tab="+tab))
	p.Live.Tab = tab
	s.server.View.Presence.Take(at.Me, tab)
	return s.server.Page.Show(c, http.StatusOK, templates.RealPage(templates.RealView{Page: p,
		Real: newReal(at, game)}))
}

// tabletRegion returns what a player's tablet shows, for either kind of game.
func tabletRegion(at request.SeatAt, game templates.Game) templ.Component {
	if at.Snap.State.Physical {
		return templates.RealRegion(newReal(at, game))
	}
	return templates.GameRegion(game)
}

// realRoutes registers what the tablet of a table with real tiles sends during a game.
func (s *tabletPages) realRoutes(game *gin.RouterGroup) {
	game.POST("/starter", s.server.Request.Handle(s.server.Request.Command("starter", s.server.said("starter"))))
	game.POST("/end-turn", s.server.Request.Handle(s.server.Request.Command("end-turn", s.server.said("end_turn"))))
	game.POST("/pool-empty", s.server.Request.Handle(s.server.Request.Command("pool-empty",
		s.server.said("pool_empty"))))
	game.POST("/count-racks", s.server.Request.Handle(s.server.Request.Command("count-racks",
		s.server.said("count_racks"))))
	game.POST("/count-preview", s.server.Request.Handle(s.server.sheetPost))
}

// sheetReply is the outcome of a score sheet as far as it is filled in, formatted in the reader's language.
type sheetReply struct {
	Seats   []sheetSeat `json:"seats"`
	Points  string      `json:"points"`
	Message string      `json:"message"`
	Ready   bool        `json:"ready"`
	Wrong   *int        `json:"wrong,omitempty"` // the seat to which the message applies
}

type sheetSeat struct {
	Charge int    `json:"charge"`
	HTML   string `json:"html"`
}

// sheetPost previews a score sheet while it is being filled in.
func (s *Server) sheetPost(c *gin.Context) error {
	preview, err := s.Request.PreviewOf(c)
	if err != nil {
		return err
	}
	ctx := s.Request.Language(c)
	game, err := request.GameParam(c)
	if err != nil {
		return err
	}
	shown, _, err := s.Views.watchedGame(ctx, game, engine.Spectator)
	if err != nil {
		return err
	}
	reply := sheetReply{Seats: []sheetSeat{}, Ready: preview.Refusal == nil}
	for _, seat := range preview.Seats {
		html, err := page.Render(ctx, templates.SheetVerdict(seat.Tiles, seat.Sum, seat.Charge, sheetProof(seat)))
		if err != nil {
			return err
		}
		reply.Seats = append(reply.Seats, sheetSeat{seat.Charge.Points, string(html)})
	}
	if preview.Refusal != nil {
		reply.Message = request.FailureOf(ctx, "", preview.Refusal).Message
		if seat := preview.Refusal.Set; seat >= 0 {
			reply.Message, reply.Wrong = shown.NameOf(seat)+": "+reply.Message, &seat
		}
		return request.WriteJSON(c, reply)
	}
	points, err := page.Render(ctx, templates.SheetPoints(shown, preview.Points))
	reply.Points, reply.Message = string(points), templates.T(ctx, "sheet.ready")
	if err != nil {
		return err
	}
	return request.WriteJSON(c, reply)
}

func sheetProof(seat game.SheetSeat) *templates.OpeningProof {
	p := seat.Opening
	if p == nil {
		return nil
	}
	return &templates.OpeningProof{Seat: p.Seat, Able: p.Able, Rack: p.Rack, Sets: p.Sets, Points: p.Points,
		Need: p.Need, Relief: p.Relief}
}

// sheetPage lets an official fill in a table's score sheet.
func (s *refereePages) sheetPage(c *gin.Context) error {
	tournamentID, id := page.ID(c, "event"), page.ID(c, "game")
	ctx := s.server.Request.Language(c)
	view, err := s.server.Views.sheetView(ctx, s.server.Request.Staff(c), tournamentID, id)
	if err != nil {
		return err
	}
	page := s.server.Page.NewPage(c, templates.T(ctx, "count.title", "table", view.Game.Place.Table, "number",
		view.Game.Place.Number), nil)
	return s.server.Page.Show(c, http.StatusOK, templates.SheetPage(templates.SheetPageView{Page: page, Sheet: view}))
}

func (s *views) sheetView(ctx context.Context, actor rights.Actor, tournamentID, id int64) (templates.SheetView,
	error) {
	game, snap, err := s.watchedGame(ctx, id, engine.Spectator)
	if err != nil {
		return templates.SheetView{}, err
	}
	place := rights.Place{Tournament: snap.Ref.TournamentID, Table: snap.Ref.TableID, Number: snap.Ref.TableNumber,
		Seat: -1}
	if err := rights.Authorize(actor, place, rights.MayCount); err != nil {
		return templates.SheetView{}, err
	}
	if snap.Ref.TournamentID != tournamentID || !snap.State.Countable() {
		return templates.SheetView{}, refuse.NotFound("err_game_not_found", "id", id)
	}
	return templates.SheetView{Game: game, At: string(templates.SheetPath(tournamentID, id)),
		Done: string(templates.CountPath(tournamentID, id))}, nil
}
