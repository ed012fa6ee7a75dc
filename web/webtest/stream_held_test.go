//go:build unix

package webtest

import (
	"bufio"
	"context"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"time"
	"weak"

	"meldhall/web/request"
)

// heldMost is longer than any timer of a request.
const heldMost = time.Minute

// TestWhoListensHoldsNoRequest checks that a player's stream keeps neither the header nor the context of its request in
// memory.
func TestWhoListensHoldsNoRequest(t *testing.T) {
	e := newEvent(t, 4, nil)
	e.start()
	e.begin(0)
	token := e.at(0, 0).token
	type mark struct{}
	header, held := make(chan weak.Pointer[string], 1), make(chan weak.Pointer[[64]byte], 1)
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		values, value := []string{"a"}, new([64]byte)
		header <- weak.Make(&values[0])
		held <- weak.Make(value)
		r.Header["X-Marked"] = values
		e.server.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), mark{}, value)))
	}))
	t.Cleanup(front.Close)
	t.Cleanup(e.server.Request.Hub.Close) // runs before front.Close, which waits for streams
	for _, ask := range []string{
		"GET " + request.APIBase + "/seat/live HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + token,
		"GET /play/live HTTP/1.1\r\nHost: x\r\nCookie: meldhall-seat=" + token,
	} {
		in := bufio.NewReader(dialed(t, front.Listener.Addr().String(), ask+"\r\n\r\n"))
		for line := ""; !strings.HasPrefix(line, "data: "); {
			var err error
			if line, err = in.ReadString('\n'); err != nil {
				t.Fatal(err)
			}
		}
		ofHeader, ofContext := <-header, <-held
		// The request's goroutine ends after the stream's first message. A stopped timer, such as that of a read, may
		// keep its context until the runtime removes it, at the latest when it would have fired.
		for began := time.Now(); time.Since(began) < heldMost; time.Sleep(10 * time.Millisecond) {
			if runtime.GC(); ofHeader.Value() == nil && ofContext.Value() == nil {
				break
			}
		}
		if h, c := ofHeader.Value() != nil, ofContext.Value() != nil; h || c {
			t.Errorf("%.20s: the header is held: %t, the context is held: %t", ask, h, c)
		}
	}
}
