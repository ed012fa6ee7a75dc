// Package guard protects the server from abusive requests. It limits attempts and the size of requests, rejects
// requests from other sites, and sets headers that restrict browsers to our own pages. It does not depend on the
// contents of pages. The only data that it uses from the database are the counts of attempts that several nodes share.
package guard

import (
	"net/http"
	"strings"
	"time"
)

// Policy lets a page load only what this server embeds: no inline script or style, no other host.
const Policy = "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data:; " +
	"connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// Headers returns the security headers by canonical name: every for all responses, and pages for what a browser may
// show as a page. secure is for a server that is reached only by https. All responses share the slices, which must not
// be modified. The referrer policy is same-origin, because without a referrer browsers send "Origin: null" with our own
// forms.
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
		"X-Frame-Options":            {"DENY"}, // for browsers without support for frame-ancestors
		"Referrer-Policy":            {"same-origin"},
		"Cross-Origin-Opener-Policy": {"same-origin"},
		"Permissions-Policy":         {"camera=(), microphone=(), geolocation=(), payment=()"},
	}
}

// MayBePage reports whether a browser may show the response to a request as a page. It never does for a request with a
// JSON body, which no link or form can send.
func MayBePage(r *http.Request) bool {
	return !strings.HasPrefix(r.Header.Get("Content-Type"), "application/json")
}

// Framed allows only the given sites to embed a response in a frame; "*" allows all. If there are none, it leaves the
// headers unchanged.
func Framed(h http.Header, sites []string) {
	if len(sites) == 0 {
		return
	}
	h["Content-Security-Policy"] = []string{strings.Replace(Policy, "frame-ancestors 'none'",
		"frame-ancestors "+strings.Join(sites, " "), 1)}
	h["Cross-Origin-Resource-Policy"] = []string{"cross-origin"}
	h.Del("X-Frame-Options")
}

// Origins detects requests that pages of other sites make a browser send.
type Origins struct{ known *http.CrossOriginProtection }

// NewOrigins returns an Origins that trusts the request's own host, and the base URL if it is not empty.
func NewOrigins(base string) (Origins, error) {
	o := Origins{http.NewCrossOriginProtection()}
	if base == "" {
		return o, nil
	}
	return o, o.known.AddTrustedOrigin(strings.TrimSuffix(base, "/"))
}

// Foreign reports whether a request is a change sent by a page of another origin, or one with a session cookie but no
// origin. Every browser sends an origin, and programs use a token instead.
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

// BoundBody limits the body of a request to a number of bytes, most. If the request announces a longer body, BoundBody
// returns *http.MaxBytesError. Without an announced length, reading more fails with that error. The server itself never
// reads beyond an announced length.
func BoundBody(w http.ResponseWriter, r *http.Request, most int64) error {
	if r.ContentLength > most {
		return &http.MaxBytesError{Limit: most}
	}
	if r.ContentLength < 0 {
		r.Body = http.MaxBytesReader(w, r.Body, most)
	}
	return nil
}

// Server returns an HTTP server for the handler with the limits that a public address needs. A stream sets its own
// deadlines.
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
