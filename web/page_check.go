package web

import (
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"meldhall/templates"
	"meldhall/web/live"
)

// checkPing is how often the check's stream says that it lives.
const checkPing = time.Second

// checkPage lets anybody see whether a device is fit to play on, before it lies on a table.
func (s *tabletPages) checkPage(c *gin.Context) error {
	page := s.newPage(c, templates.T(s.language(c), "check.title"), nil)
	return s.show(c, http.StatusOK, templates.CheckPage(templates.CheckView{Page: page, Stream: string(templates.CheckPath) + "/live"}))
}

// checkLive sends the server's time once a second, as the streams of a game do.
func (s *tabletPages) checkLive(c *gin.Context) error {
	return s.stream(c, live.Feed{Watcher: s.hub.Watch(), Ping: checkPing, Next: func() (live.Message, error) {
		return s.streams.Clock(), nil
	}})
}
