package request

import (
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"meldhall/templates"
)

const seatLife = 14 * 24 * time.Hour // lifetime of a seat cookie

// eventCookie holds a device's seat in a tournament, and practiceCookie a seat at a practice table. A device that
// practises thus keeps its seat in a tournament.
const (
	eventCookie    = "seat"
	practiceCookie = "practice"
)

// AtPractice reports whether an address belongs to the practice tables, which use the same tablet pages as tournaments.
func AtPractice(c *gin.Context) bool {
	path := c.FullPath()
	return path == string(templates.PracticePath) || strings.HasPrefix(path, string(templates.PracticePath)+"/")
}

// CookieName returns the name of the cookie that holds the seat for an address.
func (s *Seats) CookieName(c *gin.Context) string {
	if AtPractice(c) {
		return s.cookies.Name(practiceCookie)
	}
	return s.cookies.Name(eventCookie)
}

// SetCookie stores a seat's token in the device's cookie, so that the device plays for that player. An empty token
// deletes the cookie.
func (s *Seats) SetCookie(c *gin.Context, token string) {
	s.cookies.Set(c, s.CookieName(c), token, seatLife)
}

// HasCookie reports whether the device holds a seat in a tournament, whatever page it requests.
func (s *Seats) HasCookie(c *gin.Context) bool {
	token, _ := c.Cookie(s.cookies.Name(eventCookie))
	return token != ""
}

// Token returns the seat token that came with the request.
func (s *Seats) Token(c *gin.Context) string {
	if token, ok := strings.CutPrefix(c.GetHeader("Authorization"), "Bearer "); ok {
		return token
	}
	token, _ := c.Cookie(s.CookieName(c))
	return token
}
