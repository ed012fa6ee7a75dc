package guard

import "net/http"

// RequestHeader is the header with a request's ID.
const RequestHeader = "X-Request-Id"

// RequestID returns the ID of the request that w responds to; "" if w is nil, as it is once the request has become a
// stream.
func RequestID(w http.ResponseWriter) string {
	if w == nil {
		return ""
	}
	return w.Header().Get(RequestHeader)
}
