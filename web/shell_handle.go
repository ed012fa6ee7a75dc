package web

import (
	"context"
	"strings"

	"github.com/gin-gonic/gin"
)

// languageCookie remembers the language that somebody chose.
const languageCookie = "lang"

// handle makes a gin handler of one that returns its error, which is answered in one place.
func (s *shell) handle(h func(*gin.Context) error) gin.HandlerFunc {
	return func(c *gin.Context) {
		if err := h(c); err != nil {
			s.fail(c, err)
		}
	}
}

// errOf is what an action was refused by, for who needs nothing else of it.
func errOf[O any](_ O, err error) error { return err }

// language gives the request's context with the reader's language: of the cookie, else of the browser.
func (s *shell) language(c *gin.Context) context.Context {
	chosen, _ := c.Cookie(languageCookie)
	return s.texts.With(c.Request.Context(), chosen, c.GetHeader("Accept-Language"))
}

// baseURL is the address that people type, for codes that are printed.
func (s *shell) baseURL(c *gin.Context) string {
	if s.address != "" {
		return strings.TrimSuffix(s.address, "/")
	}
	if s.secure || c.Request.TLS != nil {
		return "https://" + c.Request.Host
	}
	return "http://" + c.Request.Host
}
