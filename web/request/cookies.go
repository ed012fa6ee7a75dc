package request

import (
	"net/http"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"meldhall/templates"
)

// Cookies reads and sets this server's cookies. secure reports whether its address is https.
type Cookies struct{ secure bool }

// Name returns the full name of a cookie, which binds it to this host if the connection is encrypted.
func (k Cookies) Name(name string) string {
	if k.secure {
		return "__Host-" + name
	}
	return "meldhall-" + name
}

// deviceCookie holds the token by which accounts recognize a browser that has signed in before.
const deviceCookie = "device"

// Device returns the browser's device token; "" for none.
func (k Cookies) Device(c *gin.Context) string {
	token, _ := c.Cookie(k.Name(deviceCookie))
	return token
}

// Set sets a cookie that scripts cannot read; an empty value deletes it.
func (k Cookies) Set(c *gin.Context, name, value string, life time.Duration) {
	cookie := &http.Cookie{Name: name, Value: value, Path: "/", MaxAge: int(life.Seconds()), HttpOnly: true,
		SameSite: http.SameSiteLaxMode, Secure: k.secure}
	if value == "" {
		cookie.MaxAge = -1
	}
	http.SetCookie(c.Writer, cookie)
}

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

// seatName returns the name of the cookie that holds the seat for an address.
func (k Cookies) seatName(c *gin.Context) string {
	if AtPractice(c) {
		return k.Name(practiceCookie)
	}
	return k.Name(eventCookie)
}

// SetSeat stores a seat's token in the device's cookie, so that the device plays for that player. An empty token
// deletes the cookie.
func (k Cookies) SetSeat(c *gin.Context, token string) {
	k.Set(c, k.seatName(c), token, seatLife)
}

// HasSeat reports whether the device holds a seat in a tournament, whatever page it requests.
func (k Cookies) HasSeat(c *gin.Context) bool {
	token, _ := c.Cookie(k.Name(eventCookie))
	return token != ""
}

// Seat returns the seat token that came with the request.
func (k Cookies) Seat(c *gin.Context) string {
	if token, ok := strings.CutPrefix(c.GetHeader("Authorization"), "Bearer "); ok {
		return token
	}
	token, _ := c.Cookie(k.seatName(c))
	return token
}
