package guard_test

import (
	"errors"
	"io"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/iotest"

	"meldhall/web/guard"
)

// TestBoundDepth checks that a body passes unchanged but for a byte order mark at its beginning, and that one nested
// too deeply fails, however its bytes arrive.
func TestBoundDepth(t *testing.T) {
	deep := strings.Repeat("[", guard.DepthMost)
	for sent, want := range map[string]string{`{"name":"Cup"}`: `{"name":"Cup"}`, "\ufeff{}": "{}", "": "", "1": "1",
		"\ufeff": "", "\ufeff\ufeff": "\ufeff", "\xef\xbb": "\xef\xbb", deep: deep, "\ufeff" + deep: deep} {
		for _, slow := range []bool{false, true} {
			body := io.Reader(strings.NewReader(sent))
			if slow {
				body = iotest.OneByteReader(body)
			}
			r := httptest.NewRequest("POST", "/", body)
			guard.BoundDepth(r)
			if got, err := io.ReadAll(r.Body); err != nil || string(got) != want {
				t.Errorf("%q: got %q, %v", sent, got, err)
			}
		}
	}
	for _, sent := range []string{deep + "[", "\ufeff" + deep + "["} {
		r := httptest.NewRequest("POST", "/", strings.NewReader(sent))
		guard.BoundDepth(r)
		if _, err := io.ReadAll(r.Body); !errors.Is(err, guard.ErrTooDeep) {
			t.Errorf("%q: got %v", sent, err)
		}
	}
}
