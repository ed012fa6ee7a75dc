package guard

import (
	"errors"
	"io"
	"net/http"
	"strings"
)

// DepthMost is how deep JSON may be nested in what is sent.
const DepthMost = 32

// ErrTooDeep is what reading a body fails with that is nested deeper.
var ErrTooDeep = errors.New("the JSON is nested more than 32 deep")

// BoundDepth lets reading the body of a request fail with ErrTooDeep where it is nested too deep; a form, a file and a table are none of
// JSON.
func BoundDepth(r *http.Request) {
	kind := r.Header.Get("Content-Type")
	for _, other := range []string{"application/x-www-form-urlencoded", "multipart/", "text/"} {
		if strings.HasPrefix(kind, other) {
			return
		}
	}
	if r.Body != nil && r.Body != http.NoBody {
		r.Body = &shallow{ReadCloser: r.Body}
	}
}

// shallow counts the brackets that are open, outside of texts.
type shallow struct {
	io.ReadCloser
	depth           int
	inText, escaped bool
}

func (s *shallow) Read(p []byte) (int, error) {
	n, err := s.ReadCloser.Read(p)
	for _, b := range p[:n] {
		switch {
		case s.escaped:
			s.escaped = false
		case s.inText:
			s.escaped, s.inText = b == '\\', b != '"'
		case b == '"':
			s.inText = true
		case b == '[' || b == '{':
			s.depth++
		case b == ']' || b == '}':
			s.depth--
		}
		if s.depth > DepthMost {
			return 0, ErrTooDeep
		}
	}
	return n, err
}
