// Package guard protects the server from those who ask: it bounds tries and what is sent, refuses what other sites send,
// and sets the headers that keep a browser to our own pages. It knows nothing of what the pages show, and of the database only the tries that
// several programs count there together.
package guard

import (
	"net/http"
	"strings"
	"time"
)

// Policy lets a page load only what this server embeds: no inline script or style, no other host.
const Policy = "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data:; " +
	"connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// Headers keep a browser from doing what our pages never ask for, by canonical name: all answers have those of every, and what a browser may
// show as a page has those of pages too. secure is for a server that is reached by https alone. The slices are to be shared by all answers and
// never written to. The referrer policy is same-origin: with none, browsers send "Origin: null" along with our own forms.
func Headers(secure bool) (every, pages map[string][]string) {
	every = map[string][]string{
		"Content-Security-Policy":      {Policy},
		"X-Content-Type-Options":       {"nosniff"},
		"Cross-Origin-Resource-Policy": {"same-origin"},
		"Cache-Control":                {"no-store"},
	}
	if secure {
		every["Strict-Transport-Security"] = []string{"max-age=31536000"}
	}
	return every, map[string][]string{
		"X-Frame-Options":            {"DENY"}, // for browsers that know no frame-ancestors
		"Referrer-Policy":            {"same-origin"},
		"Cross-Origin-Opener-Policy": {"same-origin"},
		"Permissions-Policy":         {"camera=(), microphone=(), geolocation=(), payment=()"},
	}
}

// MayBePage tells whether a browser may show the answer to a request as a page: none does that of one that brings JSON, which no link and no
// form can send.
func MayBePage(r *http.Request) bool {
	return !strings.HasPrefix(r.Header.Get("Content-Type"), "application/json")
}

// Framed lets pages of some sites, and no others, show an answer in a frame of theirs.
func Framed(h http.Header, sites []string) {
	if len(sites) == 0 {
		return
	}
	h["Content-Security-Policy"] = []string{strings.Replace(Policy, "frame-ancestors 'none'", "frame-ancestors "+strings.Join(sites, " "), 1)}
	h["Cross-Origin-Resource-Policy"] = []string{"cross-origin"}
	h.Del("X-Frame-Options")
}

// Origins tells what pages of other sites have a browser send.
type Origins struct{ known *http.CrossOriginProtection }

// NewOrigins makes one that knows its own host, and the base URL if that is not empty.
func NewOrigins(base string) (Origins, error) {
	o := Origins{http.NewCrossOriginProtection()}
	if base == "" {
		return o, nil
	}
	return o, o.known.AddTrustedOrigin(strings.TrimSuffix(base, "/"))
}

// Foreign tells whether a request is a change that a page of another origin sends, or one that comes with a session's
// cookie and does not say where it comes from: every browser does, and programs send a token.
func (o Origins) Foreign(r *http.Request, sessionCookies ...string) bool {
	return o.known.Check(r) != nil || ofUnknownOrigin(r, sessionCookies)
}

func ofUnknownOrigin(r *http.Request, sessionCookies []string) bool {
	switch r.Method {
	case http.MethodGet, http.MethodHead, http.MethodOptions:
		return false
	}
	h := r.Header
	if len(h["Cookie"]) == 0 || h.Get("Sec-Fetch-Site") != "" || h.Get("Origin") != "" || h.Get("Authorization") != "" {
		return false
	}
	for _, name := range sessionCookies {
		if _, err := r.Cookie(name); err == nil {
			return true
		}
	}
	return false
}

// BoundBody lets the body of a request be at most so many bytes long: reading more of it fails with
// *http.MaxBytesError, which is also returned at once where the request says that it is longer. Of one that says how long it is, the server
// reads no more than that.
func BoundBody(w http.ResponseWriter, r *http.Request, most int64) error {
	if r.ContentLength > most {
		return &http.MaxBytesError{Limit: most}
	}
	if r.ContentLength < 0 {
		r.Body = http.MaxBytesReader(w, r.Body, most)
	}
	return nil
}

// Server gives the handler a server with the limits that a public address needs. A stream sets its own deadlines.
func Server(handler http.Handler) *http.Server {
	return &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       30 * time.Second,
		WriteTimeout:      30 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    16 << 10,
	}
}
