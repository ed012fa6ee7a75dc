package shell

import (
	"context"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"meldhall/templates"
	"meldhall/tournament/rights"
)

// Visible refuses a request about an event that its caller may not know of, exactly as it refuses one about an event that does
// not exist. Every page with an event in its address passes it.
func (s *Shell) Visible(c *gin.Context) {
	s.visible(c, c.Param("event"), templates.ForOfficials(c.FullPath()))
}

// VisibleID is Visible for the operations for programs, whose events are named id; forStaff says that they are for officials.
func (s *Shell) VisibleID(c *gin.Context, forStaff bool) {
	if strings.HasPrefix(c.FullPath(), APIBase+"/tournaments/:id") {
		s.visible(c, c.Param("id"), forStaff)
	}
}

// visible leaves what is for officials to its handler, which asks a caller to sign in or refuses the role, whatever the event:
// unless the caller is an official of other events.
func (s *Shell) visible(c *gin.Context, event string, forStaff bool) {
	who := s.Staff(c)
	if id, err := strconv.ParseInt(event, 10, 64); err != nil || forStaff && (who.Account == 0 || who.Serves(id)) {
		return
	}
	if err := s.SeesEvent(c.Request.Context(), who, c.FullPath(), event); err != nil {
		c.Params = nil // the page that says so is about no event
		s.Fail(c, err)
		c.Abort()
	}
}

// SeesEvent refuses the route at path to a caller who may not know of the event in its address.
func (s *Shell) SeesEvent(ctx context.Context, who rights.Actor, path, event string) error {
	id, err := strconv.ParseInt(event, 10, 64)
	switch {
	case err != nil || strings.HasPrefix(path, "/events/:event/display/"): // the screens' handler lets in those that staff have put there
		return nil
	case path == "/events/:event/register" || path == APIBase+"/tournaments/:id/registration":
		return s.venue.AuthorizeEntry(ctx, who, id)
	}
	return s.venue.AuthorizeEvent(ctx, who, id)
}
