package webtest

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"meldhall/engine/testmode"
	"meldhall/web/request"
)

// cutOff is a connection that its client has closed: reads and writes fail.
type cutOff struct{ *httptest.ResponseRecorder }

func (cutOff) Write([]byte) (int, error)                    { return 0, syscall.EPIPE }
func (cutOff) WriteString(string) (int, error)              { return 0, syscall.EPIPE }
func (cutOff) Read([]byte) (int, error)                     { return 0, io.ErrUnexpectedEOF }
func (cutOff) SetWriteDeadline(time.Time) error             { return nil }
func (cutOff) SetReadDeadline(time.Time) error              { return nil }
func (cutOff) Hijack() (net.Conn, *bufio.ReadWriter, error) { return nil, nil, syscall.EPIPE }

// lines collects the log lines of the test.
type lines struct {
	sync.Mutex
	text bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.Lock()
	defer l.Unlock()
	return l.text.Write(p)
}

// merelySlow matches log lines of requests that succeeded slowly.
var merelySlow = regexp.MustCompile(`(?m)^.* msg=request .* status=2\d\d took=.*\n`)

// TestAClientThatHangsUpIsNoFault requests every address with a client that disconnects before the response or whose
// connection breaks during it. Neither may count as a server error or be logged. The logger is global, so the test does
// not run in parallel.
func TestAClientThatHangsUpIsNoFault(t *testing.T) {
	testmode.SkipUnderRace(t)
	e := newEvent(t, 8, nil)
	e.start()
	game := e.begin(0)
	var said lines
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&said, nil)))
	defer slog.SetDefault(before)
	fill, asked := e.addresses(t, game), 0
	for _, route := range e.server.Routes() {
		path := fill.Replace(route.Path)
		for _, gone := range []bool{true, false} {
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			if gone {
				cancel()
			}
			w := cutOff{httptest.NewRecorder()}
			req := httptest.NewRequestWithContext(ctx, route.Method, path, w)
			req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			if strings.HasPrefix(path, request.APIBase) {
				req.Header.Set("Content-Type", request.JSONKind)
			}
			req.Header.Set("Authorization", "Bearer "+e.organizer.token)
			req.Header.Set("Cookie", "meldhall-staff="+e.organizer.token)
			req.Header.Set("Sec-Fetch-Site", "same-origin")
			e.server.ServeHTTP(w, req)
			cancel()
			logged := merelySlow.ReplaceAllString(said.text.String(), "")
			if asked++; w.Code >= http.StatusInternalServerError || logged != "" {
				t.Errorf("%s %s, gone before the answer: %t: %d, logged %.300s", route.Method, path, gone, w.Code,
					logged)
			}
			said.text.Reset()
		}
	}
	if asked < 300 {
		t.Errorf("only %d requests", asked)
	}
}
