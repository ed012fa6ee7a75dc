package web

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/gin-gonic/gin"
)

// policy lets a page load only what this server embeds: no inline script or style, no other host.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data:; " +
	"connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

const (
	bodyMost   = 1 << 20
	importMost = 5 << 20
	slow       = time.Second
	requestKey = "request"
)

// requestIDs names requests: a random start for the process and a count.
type requestIDs struct {
	start string
	count atomic.Uint64
}

func newRequestIDs() *requestIDs {
	start := make([]byte, 4)
	rand.Read(start)
	return &requestIDs{start: hex.EncodeToString(start) + "-"}
}

func (r *requestIDs) next() string { return r.start + strconv.FormatUint(r.count.Add(1), 36) }

// named gives the request its id, and logs it when it failed or was slow.
func (s *Server) named(c *gin.Context) {
	id := s.requests.next()
	c.Set(requestKey, id)
	c.Writer.Header()["X-Request-Id"] = []string{id}
	began := time.Now()
	c.Next()
	took, status := time.Since(began), c.Writer.Status()
	if status >= http.StatusInternalServerError || took > slow && !isStream(c) {
		slog.Warn("request", "id", id, "method", c.Request.Method, "path", c.FullPath(), "status", status, "took", took)
	}
}

func isStream(c *gin.Context) bool {
	return strings.HasPrefix(c.Writer.Header().Get("Content-Type"), "text/event-stream")
}

// recovered answers a panic as an internal error.
func (s *Server) recovered(c *gin.Context) {
	defer func() {
		p := recover()
		if p == nil {
			return
		}
		if err, ok := p.(error); ok && errors.Is(err, http.ErrAbortHandler) {
			panic(p)
		}
		s.fail(c, fmt.Errorf("panic: %v\n%s", p, debug.Stack()))
		c.Abort()
	}()
	c.Next()
}

// guarded sets the headers that keep a browser from doing what our pages never ask for.
func (s *Server) guarded(c *gin.Context) {
	h := c.Writer.Header()
	for name, value := range s.guards {
		h[name] = value
	}
	c.Next()
}

// guardHeaders are the values by canonical name; the slices are shared and never written to.
// The referrer policy is same-origin: with none, browsers send "Origin: null" along with our own forms.
func guardHeaders(secure bool) map[string][]string {
	h := map[string][]string{
		"Content-Security-Policy":      {policy},
		"X-Content-Type-Options":       {"nosniff"},
		"X-Frame-Options":              {"DENY"},
		"Referrer-Policy":              {"same-origin"},
		"Cross-Origin-Opener-Policy":   {"same-origin"},
		"Cross-Origin-Resource-Policy": {"same-origin"},
		"Permissions-Policy":           {"camera=(), microphone=(), geolocation=(), payment=()"},
		"Cache-Control":                {"no-store"},
	}
	if secure {
		h["Strict-Transport-Security"] = []string{"max-age=31536000"}
	}
	return h
}

// sameOrigin refuses a change that a page of another origin sends, and one that comes with a session's cookie and does
// not say where it comes from: every browser does, and programs send a token.
func (s *Server) sameOrigin(c *gin.Context) {
	if err := s.origins.Check(c.Request); err != nil || s.ofUnknownOrigin(c) {
		s.fail(c, refused(http.StatusForbidden, "err_cross_origin", "origin", c.GetHeader("Origin")))
		c.Abort()
		return
	}
	c.Next()
}

func (s *Server) ofUnknownOrigin(c *gin.Context) bool {
	switch c.Request.Method {
	case http.MethodGet, http.MethodHead, http.MethodOptions:
		return false
	}
	h := c.Request.Header
	if len(h["Cookie"]) == 0 || h.Get("Sec-Fetch-Site") != "" || h.Get("Origin") != "" || h.Get("Authorization") != "" {
		return false
	}
	for _, name := range []string{s.sessions.Cookie.Name, cookieName(seatPagesOf(c).cookie, s.secure)} {
		if _, err := c.Request.Cookie(name); err == nil {
			return true
		}
	}
	return false
}

// limited bounds the body of a request: 1 MiB, a roster 5 MiB.
func (s *Server) limited(c *gin.Context) {
	most := int64(bodyMost)
	if isImport(c.FullPath()) {
		most = importMost
	}
	if c.Request.ContentLength > most {
		s.fail(c, &http.MaxBytesError{Limit: most})
		c.Abort()
		return
	}
	if c.Request.ContentLength != 0 {
		c.Request.Body = http.MaxBytesReader(c.Writer, c.Request.Body, most)
	}
	c.Next()
}

func isImport(path string) bool {
	return strings.HasSuffix(path, "/roster") || strings.HasSuffix(path, "/roster/preview") || strings.HasSuffix(path, "/roster/import")
}
