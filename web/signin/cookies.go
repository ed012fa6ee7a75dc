package signin

import (
	"net/http"
	"time"

	"github.com/gin-gonic/gin"
)

// Cookies reads and sets this server's cookies. With Secure, the server's address is https.
type Cookies struct{ Secure bool }

// Name returns the full name of a cookie, which binds it to this host if the connection is encrypted.
func (k Cookies) Name(name string) string {
	if k.Secure {
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
		SameSite: http.SameSiteLaxMode, Secure: k.Secure}
	if value == "" {
		cookie.MaxAge = -1
	}
	http.SetCookie(c.Writer, cookie)
}
