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
	"meldhall/web/frame"
	"meldhall/web/live"
	"meldhall/web/shell"
)

// realKind is the kind of tablet that a stream was opened for; a page of the other kind is sent on.
const realKind = "real"

// newReal is a game with real tiles as a player's own tablet, or the table's, may see it.
func newReal(at shell.SeatAt, game templates.Game) templates.Real {
	r := templates.Real{Game: game, Table: at.Me.Role == rights.RoleTable}
	if r.Table { // whoever sits there may see who of them calls
		r.Game.View.Calls = engine.OwnFor(&at.Snap.State, 0).Calls
	}
	return r
}

// showReal answers with the tablet of a table with real tiles.
func (s *tabletPages) showReal(c *gin.Context, at shell.SeatAt, game templates.Game) error {
	tab := live.NewTab()
	page := frame.Near(s.NewPage(c, templates.T(s.Language(c), "game.title", "table", game.Place.Table), nil),
		seatPagesOf(c).stream()+templ.SafeURL("?kind="+realKind+"&tab="+tab))
	page.Live.Tab = tab
	s.Presence.Take(at.Me, tab)
	return s.Show(c, http.StatusOK, templates.RealPage(templates.RealView{Page: page, Real: newReal(at, game)}))
}

// tabletRegion is what a player's tablet shows, of whichever kind the game is.
func tabletRegion(at shell.SeatAt, game templates.Game) templ.Component {
	if at.Snap.State.Physical {
		return templates.RealRegion(newReal(at, game))
	}
	return templates.GameRegion(game)
}

// realRoutes are what the tablet of a table with real tiles sends in a game.
func (s *tabletPages) realRoutes(game *gin.RouterGroup) {
	game.POST("/starter", s.Handle(s.Command("starter", s.said("starter"))))
	game.POST("/end-turn", s.Handle(s.Command("end-turn", s.said("end_turn"))))
	game.POST("/pool-empty", s.Handle(s.Command("pool-empty", s.said("pool_empty"))))
	game.POST("/count-racks", s.Handle(s.Command("count-racks", s.said("count_racks"))))
	game.POST("/count-preview", s.Handle(s.sheetPost))
}

// sheetReply is what a score sheet comes to as far as it is filled in, drawn in the reader's language.
type sheetReply struct {
	Seats   []sheetSeat `json:"seats"`
	Points  string      `json:"points"`
	Message string      `json:"message"`
	Ready   bool        `json:"ready"`
	Wrong   *int        `json:"wrong,omitempty"` // the seat that the message is about
}

type sheetSeat struct {
	Charge int    `json:"charge"`
	HTML   string `json:"html"`
}

// sheetPost answers a score sheet that is being filled in.
func (s *Server) sheetPost(c *gin.Context) error {
	preview, err := s.PreviewOf(c)
	if err != nil {
		return err
	}
	ctx := s.Language(c)
	game, err := shell.GameParam(c)
	if err != nil {
		return err
	}
	shown, _, err := s.watchedGame(ctx, game, engine.Spectator)
	if err != nil {
		return err
	}
	reply := sheetReply{Seats: []sheetSeat{}, Ready: preview.Refusal == nil}
	for _, seat := range preview.Seats {
		html, err := frame.Render(ctx, templates.SheetVerdict(seat.Tiles, seat.Sum, seat.Charge, sheetProof(seat)))
		if err != nil {
			return err
		}
		reply.Seats = append(reply.Seats, sheetSeat{seat.Charge.Points, string(html)})
	}
	if preview.Refusal != nil {
		reply.Message = shell.FailureOf(ctx, "", preview.Refusal).Message
		if seat := preview.Refusal.Set; seat >= 0 {
			reply.Message, reply.Wrong = shown.NameOf(seat)+": "+reply.Message, &seat
		}
		return shell.WriteJSON(c, reply)
	}
	points, err := frame.Render(ctx, templates.SheetPoints(shown, preview.Points))
	reply.Points, reply.Message = string(points), templates.T(ctx, "sheet.ready")
	if err != nil {
		return err
	}
	return shell.WriteJSON(c, reply)
}

func sheetProof(seat game.SheetSeat) *templates.OpeningProof {
	p := seat.Opening
	if p == nil {
		return nil
	}
	return &templates.OpeningProof{Seat: p.Seat, Able: p.Able, Rack: p.Rack, Sets: p.Sets, Points: p.Points,
		Need: p.Need, Relief: p.Relief}
}

// sheetPage lets an official fill in the score sheet of a table.
func (s *refereePages) sheetPage(c *gin.Context) error {
	event, id := frame.ID(c, "event"), frame.ID(c, "game")
	ctx := s.Language(c)
	view, err := s.sheetView(ctx, s.Staff(c), event, id)
	if err != nil {
		return err
	}
	page := s.NewPage(c, templates.T(ctx, "count.title", "table", view.Game.Place.Table, "number", view.Game.Place.Number), nil)
	return s.Show(c, http.StatusOK, templates.SheetPage(templates.SheetPageView{Page: page, Sheet: view}))
}

func (s *views) sheetView(ctx context.Context, actor rights.Actor, event, id int64) (templates.SheetView, error) {
	game, snap, err := s.watchedGame(ctx, id, engine.Spectator)
	if err != nil {
		return templates.SheetView{}, err
	}
	place := rights.Place{Tournament: snap.Ref.TournamentID, Table: snap.Ref.TableID, Number: snap.Ref.TableNumber, Seat: -1}
	if err := rights.Authorize(actor, place, rights.MayCount); err != nil {
		return templates.SheetView{}, err
	}
	if snap.Ref.TournamentID != event || !snap.State.Countable() {
		return templates.SheetView{}, refuse.NotFound("err_game_not_found", "id", id)
	}
	return templates.SheetView{Game: game, At: string(templates.SheetPath(event, id)), Done: string(templates.CountPath(event, id))}, nil
}
