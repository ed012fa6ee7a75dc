package guard

import (
	"context"
	"net/http"
)

type headKey struct{}

// Heads makes every GET route also accept HEAD. The HTTP server omits the body.
func Heads(handler http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodHead {
			// a copy: the server uses its own request
			r = r.WithContext(context.WithValue(r.Context(), headKey{}, true))
			r.Method = http.MethodGet
		}
		handler.ServeHTTP(w, r)
	})
}

// ForHead reports whether a request's context is that of a HEAD request.
func ForHead(ctx context.Context) bool {
	is, _ := ctx.Value(headKey{}).(bool)
	return is
}
