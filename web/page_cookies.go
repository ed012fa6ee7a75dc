package web

import "github.com/gin-gonic/gin"

// setStaffCookie lets the browser be the account from now on, and ends the session that it had.
func (s *accountPages) setStaffCookie(c *gin.Context, token string) error {
	if old, err := c.Cookie(s.sessions.Cookie.Name); err == nil && old != "" && old != token {
		if err := s.endSession(c.Request.Context(), old); err != nil {
			return err
		}
	}
	s.setCookie(c, s.sessions.Cookie.Name, token, sessionLife)
	return nil
}

// setSeatCookie lets the device play for the player whose token it is; "" ends that.
func (s *tabletPages) setSeatCookie(c *gin.Context, token string) {
	s.setCookie(c, cookieName(seatPagesOf(c).cookie, s.secure), token, seatLife)
}
