package guard

import (
	"errors"
	"io"
	"net/http"
	"strings"
)

// DepthMost is how deep the JSON of a request may be nested.
const DepthMost = 32

// ErrTooDeep is the error from reading a body that is nested more deeply than DepthMost.
var ErrTooDeep = errors.New("the JSON is nested more than 32 deep")

// BoundDepth makes reading the request's body fail with ErrTooDeep if its JSON is nested too deeply. Forms, files and
// text such as CSV are exempt. A byte order mark before the JSON is left out.
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

// shallow is a body that fails with ErrTooDeep when too many brackets outside strings are open.
type shallow struct {
	io.ReadCloser
	depth                  int
	inText, escaped, begun bool
}

// mark is the byte order mark that some editors write at the beginning of a file.
const mark = "\ufeff"

func (s *shallow) Read(p []byte) (n int, err error) {
	if !s.begun && len(p) >= len(mark) {
		s.begun = true
		if n, err = io.ReadFull(s.ReadCloser, p[:len(mark)]); string(p[:n]) == mark {
			n = 0
		}
		if errors.Is(err, io.ErrUnexpectedEOF) {
			err = io.EOF
		}
	}
	if n == 0 && err == nil {
		n, err = s.ReadCloser.Read(p)
	}
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
