package guard

import (
	"context"
	"net/http"
)

type headKey struct{}

// Heads lets whatever can be got be asked for by HEAD too: the server below leaves the body away.
func Heads(handler http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodHead {
			r = r.WithContext(context.WithValue(r.Context(), headKey{}, true)) // a copy: the server goes by its own
			r.Method = http.MethodGet
		}
		handler.ServeHTTP(w, r)
	})
}

// ForHead tells whether a request is for the head of an answer alone.
func ForHead(ctx context.Context) bool {
	is, _ := ctx.Value(headKey{}).(bool)
	return is
}
