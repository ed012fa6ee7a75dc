package web

import (
	"time"

	"github.com/gin-gonic/gin"

	"meldhall/tournament/rights"
	"meldhall/web/live"
)

// seatLive is one stream for a player over all games of the event.
func (s *api) seatLive(c *gin.Context) error {
	me, err := s.seatHolder(c)
	if err != nil {
		return err
	}
	feed := s.seatFeed(c, me, func(at seatAt) (live.Message, error) {
		if at.snap == nil {
			return live.Message{ID: "0-0-0", Data: []byte(`{"game":null,"view":null,"names":[],"draft":null}`)}, nil
		}
		return s.gameMessage(c.Request.Context(), at.snap, at.me.Seat, at.confirmed)
	})
	s.presence.Listens(me, 1)
	defer s.presence.Listens(me, -1)
	return s.stream(c, feed)
}

// gameLive is the stream of one game, as the reader may see it.
func (s *api) gameLive(c *gin.Context) error {
	game, err := gameParam(c)
	if err != nil {
		return err
	}
	ctx := c.Request.Context()
	feed := live.Feed{Watcher: s.hub.Watch(live.GameTopic(game))}
	if s.staff(c).Role == rights.RolePublic {
		feed.Least = publicLeast
	}
	feed.Next = func() (live.Message, error) {
		who, err := s.staffNow(c)
		if err != nil {
			return live.Message{}, err
		}
		snap, confirmed, err := s.lookAt(ctx, game)
		if err != nil {
			return live.Message{}, err
		}
		return s.gameMessage(ctx, snap, viewerOf(who, snap.Ref), confirmed)
	}
	return s.stream(c, feed)
}

// publicLeast is the shortest time between two messages to somebody who only watches.
const publicLeast = 250 * time.Millisecond
