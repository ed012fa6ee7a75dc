package web

import (
	"context"

	"github.com/gin-gonic/gin"

	"meldhall/engine"
	"meldhall/templates"
	"meldhall/web/live"
)

// tabletLive keeps the player's tablet up to date, from game to game: each message is the whole region.
// When the player belongs elsewhere the message named go says so.
func (s *tabletPages) tabletLive(c *gin.Context) error {
	me, err := s.seatHolder(c)
	if err != nil {
		return err
	}
	t := &tabletReader{server: s.Server, ctx: s.language(c), real: c.Query("kind") == realKind}
	feed := s.seatFeed(c, me, t.draw)
	feed.Ping = nearPing
	next := feed.Next
	tab, away := c.Query("tab"), false
	feed.Next = func() (live.Message, error) {
		if is := s.presence.Elsewhere(me, tab); is != away {
			away = is
			feed.Watcher.Wake() // the state comes after it
			return live.Message{Event: awayEvents[away], Data: []byte("{}")}, nil
		}
		return next()
	}
	return s.stream(c, feed)
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

func (r *tabletReader) draw(at seatAt) (live.Message, error) {
	if !at.running() && !at.over() || at.snap.State.Physical != r.real {
		return live.Message{Event: "go", Data: []byte("{}")}, nil
	}
	if r.game != at.snap.Ref.ID {
		place, people, err := r.server.gamePlace(r.ctx, at.snap.Ref)
		if err != nil {
			return live.Message{}, err
		}
		r.game, r.place, r.people = at.snap.Ref.ID, place, people
	}
	game, err := r.server.newTablet(r.ctx, at, r.place, r.people)
	if err != nil {
		return live.Message{}, err
	}
	if err := r.server.ended(r.ctx, at, &game); err != nil {
		return live.Message{}, err
	}
	own, err := r.own.penalties(r.ctx, r.server, at.me.Player)
	if err != nil {
		return live.Message{}, err
	}
	game.Penalties = newPenalties(own, game.View.Now)
	html, err := render(r.ctx, tabletRegion(at, game))
	id := tabletID(at) + ownID(own)
	if at.over() {
		id += agreedID(game.Rev, game.Agreed) + protestsID(game)
	}
	return live.Message{ID: id, Data: html}, err
}

// tabletID names what a tablet shows. In its own turn drafts are not part of it: the tablet that lays the
// tiles need not be told.
func tabletID(at seatAt) string {
	snap := *at.snap
	if snap.State.Phase == engine.PhasePlaying && snap.State.Turn.Seat == at.me.Seat {
		snap.DraftNumber = 0
	}
	id := stateID(&snap)
	if at.confirmed {
		id += "-confirmed"
	}
	return id
}
