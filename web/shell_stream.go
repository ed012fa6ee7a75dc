package web

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"meldhall/tournament/refuse"
	"meldhall/web/live"
)

// stream writes a feed, and stops its watcher in the end. An error of the first Next is answered as any error is; a later one
// ends the stream, and the reader comes back and gets it as an answer.
func (s *shell) stream(c *gin.Context, feed live.Feed) error {
	defer feed.Watcher.Stop()
	m, err := feed.Next()
	if err != nil {
		return err
	}
	who := callersIn(c)
	if who.staff != nil {
		feed.Urgent = s.hub.Watch(live.AccountTopic(who.staff.Account))
		defer feed.Urgent.Stop()
	}
	next := feed.Next
	feed.Next = func() (live.Message, error) { return s.nextOf(c, who, next) }
	return s.streams.Serve(c.Writer, c.Request, m, feed)
}

// nextOf gives a feed's newest message. An official who was signed out since the stream began hears nothing more, even
// where everybody may listen: the page says whose it is.
func (s *shell) nextOf(c *gin.Context, began callers, next func() (live.Message, error)) (live.Message, error) {
	err := error(nil)
	if began.staff != nil {
		var now callers
		if now, err = s.callersOf(c); err == nil && now.staff == nil {
			err = refuse.Unauthenticated("err_sign_in_first", "action", "listen")
		}
	}
	var m live.Message
	if err == nil {
		m, err = next()
	}
	if err != nil && failureOf(c.Request.Context(), c.GetString(requestKey), err).Status < http.StatusInternalServerError {
		err = live.ErrOver
	}
	return m, err
}
