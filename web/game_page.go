package web

import (
	"context"
	"fmt"
	"net/http"

	"github.com/a-h/templ"
	"github.com/gin-gonic/gin"

	"meldhall/engine"
	"meldhall/engine/tile"
	"meldhall/templates"
	"meldhall/tournament/game"
	"meldhall/tournament/rights"
	"meldhall/web/frame"
	"meldhall/web/live"
	"meldhall/web/shell"
	"meldhall/web/venue"
)

// gamePage is the player's tablet in a game, and with its result after it.
func (s *tabletPages) gamePage(c *gin.Context, me rights.Actor) error {
	ctx := s.Language(c)
	at, err := s.whereIs(ctx, me)
	if err != nil {
		return err
	}
	if !at.Running() && !at.Over() {
		return s.SeeOther(c, seatPagesOf(c).room, "")
	}
	place, people, err := s.GamePlace(ctx, at.Snap.Ref)
	if err != nil {
		return err
	}
	game, err := s.newTablet(ctx, at, place, people)
	if err != nil {
		return err
	}
	if err := s.ended(ctx, at, &game); err != nil {
		return err
	}
	own, err := s.ownPenalties(ctx, me.Player)
	if err != nil {
		return err
	}
	game.Penalties = newPenalties(own, game.View.Now)
	if at.Snap.State.Physical {
		return s.showReal(c, at, game)
	}
	tab := live.NewTab()
	page := frame.Near(s.NewPage(c, templates.T(ctx, "game.title", "table", place.Table), nil), seatPagesOf(c).stream()+templ.SafeURL("?tab="+tab))
	page.Live.Tab = tab
	s.Presence.Take(me, tab)
	if shell.AtPractice(c) {
		page = s.awaiting(c, page)
	}
	return s.Show(c, http.StatusOK, templates.GamePage(templates.GameView{Page: page, Game: game}))
}

// newTablet is a game as its player may see it: their own rack, and what lies on the table or is being laid.
func (s *views) newTablet(ctx context.Context, at shell.SeatAt, place templates.GamePlace, people []templates.Person) (templates.Game, error) {
	snap := at.Snap
	view, err := s.Games.Shown(ctx, snap, at.Me.Seat)
	game := templates.Game{ID: snap.Ref.ID, Place: place, Seats: people, View: view, Counted: at.Confirmed, Charged: venue.ChargedBy(snap.State.Rules)}
	game.View.Now = engine.MillisOf(s.Store.Now())
	game.Assist = snap.State.Rules.Assist == engine.On
	game.Meanwhile = engine.MeanwhileOf(snap.State, at.Me.Seat)
	if err != nil || snap.Draft == nil {
		return game, err
	}
	if snap.Draft.Seat == at.Me.Seat {
		game.Draft = snap.Draft.Table
	} else {
		game.View.Table = venue.DraftTable(snap)
		game.Meanwhile.New, game.Meanwhile.Moved = nil, nil // they name cells of the table as it lay before
	}
	return game, nil
}

// tabletAnswer is what became of a tablet's command, in the reader's language. Done is false when the
// turn ended otherwise than the player wished: it was too late, or illegal and penalised.
type tabletAnswer struct {
	shell.CommandAnswer
	Done    bool   `json:"done"`
	Message string `json:"message"`
}

// said answers a tablet's action, named as the texts name it.
func (s *Server) said(action string) func(*gin.Context, game.Answer) error {
	return func(c *gin.Context, answer game.Answer) error {
		ctx, state, seat := s.Language(c), &answer.Snapshot.State, answer.Snapshot.Ref.SeatOf(s.Player(c))
		last := state.Last()
		reply := tabletAnswer{CommandAnswer: shell.NewCommandAnswer(answer), Done: true}
		switch answer.Outcome {
		case engine.TurnExpired{}.Kind(), engine.IllegalPlayed{}.Kind():
			reply.Done = false
			reply.Message = templates.LostTurnText(ctx, answer.Outcome, seat, engine.MeanwhileOf(*state, seat).Did)
		case engine.TilesPlayed{}.Kind():
			if last.Kind == answer.Outcome && last.Seat == seat {
				reply.Message = templates.OutcomeText(ctx, action, len(last.Played))
			}
		default:
			reply.Message = templates.OutcomeText(ctx, action, 0)
		}
		return shell.WriteJSON(c, reply)
	}
}

// draftPost shows the table what a player is laying and says what the rules think of it.
func (s *tabletPages) draftPost(c *gin.Context) error {
	r, answer, err := s.SetDraft(c)
	if err != nil {
		return err
	}
	state, seat := &answer.Snapshot.State, s.Player(c).Seat
	reply := templates.NewDraftReply(s.Language(c), r.Table, answer.Verdict, state.Opened[seat], state.Rules)
	reply.Fits = engine.Fits(*state, seat, r.Table)
	return shell.WriteJSON(c, reply)
}

// tabletLive keeps the player's tablet up to date, from game to game: each message is the whole region.
// When the player belongs elsewhere the message named go says so.
func (s *tabletPages) tabletLive(c *gin.Context) error {
	me, err := s.SeatHolder(c)
	if err != nil {
		return err
	}
	t := &tabletReader{server: s.Server, ctx: s.Language(c), real: c.Query("kind") == realKind}
	feed := s.SeatFeed(c, me, t.draw)
	feed.Ping = frame.NearPing
	next := feed.Next
	tab, away := c.Query("tab"), false
	feed.Next = func() (live.Message, error) {
		if is := s.Presence.Elsewhere(me, tab); is != away {
			away = is
			feed.Watcher.Wake() // the state comes after it
			return live.Message{Event: awayEvents[away], Data: []byte("{}")}, nil
		}
		return next()
	}
	return s.StreamPage(c, feed)
}

// awayEvents tell a page that another one plays its seat, and that it plays it again itself.
var awayEvents = map[bool]string{true: "elsewhere", false: "here"}

// tabletReader draws a player's games. Place and people stay what they are while a game lasts.
type tabletReader struct {
	server *Server
	ctx    context.Context
	real   bool // the page is that of a table with real tiles
	game   int64
	place  templates.GamePlace
	people []templates.Person
	own    ownReader
}

func (r *tabletReader) draw(at shell.SeatAt) (live.Message, error) {
	if !at.Running() && !at.Over() || at.Snap.State.Physical != r.real {
		return live.Message{Event: "go", Data: []byte("{}")}, nil
	}
	if r.game != at.Snap.Ref.ID {
		place, people, err := r.server.GamePlace(r.ctx, at.Snap.Ref)
		if err != nil {
			return live.Message{}, err
		}
		r.game, r.place, r.people = at.Snap.Ref.ID, place, people
	}
	game, err := r.server.newTablet(r.ctx, at, r.place, r.people)
	if err != nil {
		return live.Message{}, err
	}
	if err := r.server.ended(r.ctx, at, &game); err != nil {
		return live.Message{}, err
	}
	own, err := r.own.penalties(r.ctx, r.server, at.Me.Player)
	if err != nil {
		return live.Message{}, err
	}
	game.Penalties = newPenalties(own, game.View.Now)
	html, err := frame.Render(r.ctx, tabletRegion(at, game))
	id := tabletID(at) + ownID(own)
	if at.Over() {
		id += venue.AgreedID(game.Rev, game.Agreed) + protestsID(game) + ranksID(game.Standing)
	}
	return live.Message{ID: id, Data: html}, err
}

// ranksID names how the players of a table stand, for the id of what is shown of an ended game.
func ranksID(rows []templates.RankRow) string {
	text := ""
	for _, r := range rows {
		text += fmt.Sprintf("-%s.%d.%d.%t", r.Rank, r.Wins, r.Total, r.Provisional)
	}
	return text
}

// tabletID names what a tablet shows. In its own turn drafts are not part of it: the tablet that lays the
// tiles need not be told.
func tabletID(at shell.SeatAt) string {
	snap := *at.Snap
	if snap.State.Phase == engine.PhasePlaying && snap.State.Turn.Seat == at.Me.Seat {
		snap.DraftNumber = 0
	}
	id := venue.StateID(&snap)
	if at.Confirmed {
		id += "-confirmed"
	}
	return id
}

// planRequest is what a player plans on the rack: sets of its tiles.
type planRequest struct {
	Sets []tile.FaceList `json:"sets"`
}

// planPost says what the rules think of sets that a player plans. Nothing of it is kept or told to anybody;
// a player may ask only about tiles of their own rack.
func (s *tabletPages) planPost(c *gin.Context) error {
	game, err := shell.GameParam(c)
	if err != nil {
		return err
	}
	var r planRequest
	if err := shell.ReadJSON(c, &r); err != nil {
		return err
	}
	snap, err := s.Games.Look(c.Request.Context(), game)
	if err != nil {
		return err
	}
	me := s.Player(c)
	at := rights.Place{Tournament: snap.Ref.TournamentID, Table: snap.Ref.TableID, Seat: me.Seat}
	if err := rights.Authorize(me, at, rights.MayPlay); err != nil {
		return err
	}
	if len(r.Sets) > tile.Count {
		return shell.Refused(http.StatusUnprocessableEntity, "err_not_on_rack")
	}
	sets := make([][]tile.Face, len(r.Sets))
	for i, set := range r.Sets {
		sets[i] = set
	}
	rack := tile.FacesOf(snap.State.Racks[me.Seat])
	if planned := tile.CountFaces(sets...); !planned.Within(tile.CountFaces(rack)) {
		return shell.Refused(http.StatusUnprocessableEntity, "err_not_on_rack")
	}
	return shell.WriteJSON(c, templates.NewPlanReply(s.Language(c), r.Sets, snap.State.Opened[me.Seat], snap.State.Rules))
}
