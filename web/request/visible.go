package request

import (
	"context"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"meldhall/templates"
	"meldhall/tournament/rights"
)

// Visible is the middleware of every page with a tournament in its address. A tournament hidden from the caller gets
// the same response as one that does not exist.
func (s *Base) Visible(c *gin.Context) {
	s.visible(c, c.Param("event"), templates.ForOfficials(c.FullPath()))
}

// VisibleID is like Visible for the operations of the API, whose tournament parameter is id. forStaff marks an
// operation for officials.
func (s *Base) VisibleID(c *gin.Context, forStaff bool) {
	if strings.HasPrefix(c.FullPath(), APIBase+"/tournaments/:id") {
		s.visible(c, c.Param("id"), forStaff)
	}
}

// visible rejects a request for a tournament that is hidden from the caller. It leaves a route for officials to its
// handler, which asks the caller to sign in or refuses the role. An official of other tournaments gets the response for
// a missing tournament instead.
func (s *Base) visible(c *gin.Context, event string, forStaff bool) {
	who := s.Staff(c)
	id, err := strconv.ParseInt(event, 10, 64)
	if err == nil {
		s.InZone(c, id)
	}
	if err != nil || forStaff && (who.Account == 0 || who.Serves(id)) {
		return
	}
	if err := s.SeesEvent(c.Request.Context(), who, c.FullPath(), event); err != nil {
		c.Params = nil // the error page belongs to no tournament
		s.Fail(c, err)
		c.Abort()
	}
}

// InZone makes the request's pages show times in a tournament's time zone.
func (s *Base) InZone(c *gin.Context, tournamentID int64) {
	c.Request = c.Request.WithContext(s.view.Tournaments.InZone(c.Request.Context(), tournamentID))
}

// SeesEvent rejects the route at path if the tournament in its address is hidden from the caller.
func (s *Base) SeesEvent(ctx context.Context, who rights.Actor, path, event string) error {
	id, err := strconv.ParseInt(event, 10, 64)
	switch {
	case err != nil:
		return nil
	case strings.HasPrefix(path, "/events/:event/display/"): // their handler also admits screens that staff have paired
		return nil
	case path == "/events/:event/register" || path == APIBase+"/tournaments/:id/registration":
		return s.view.Sights.AuthorizeEntry(ctx, who, id)
	}
	return s.view.Sights.AuthorizeEvent(ctx, who, id)
}
