package web

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
	"meldhall/web/shell"
)

// cutOff is a connection that its client has closed: nothing can be read from it or written to it.
type cutOff struct{ *httptest.ResponseRecorder }

func (cutOff) Write([]byte) (int, error)                    { return 0, syscall.EPIPE }
func (cutOff) WriteString(string) (int, error)              { return 0, syscall.EPIPE }
func (cutOff) Read([]byte) (int, error)                     { return 0, io.ErrUnexpectedEOF }
func (cutOff) SetWriteDeadline(time.Time) error             { return nil }
func (cutOff) SetReadDeadline(time.Time) error              { return nil }
func (cutOff) Hijack() (net.Conn, *bufio.ReadWriter, error) { return nil, nil, syscall.EPIPE }

// lines are what is logged meanwhile.
type lines struct {
	sync.Mutex
	text bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.Lock()
	defer l.Unlock()
	return l.text.Write(p)
}

// merelySlow are the lines about requests that were answered, but took long.
var merelySlow = regexp.MustCompile(`(?m)^.* msg=request .* status=2\d\d took=.*\n`)

// TestAClientThatHangsUpIsNoFault asks for every address with a client that has gone before the answer, or whose connection breaks in
// it: none of it is an error of the server's, and none is logged. The log is everybody's, so nothing runs beside.
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
	for _, route := range e.server.handler.Routes() {
		path := fill.Replace(route.Path)
		for _, gone := range []bool{true, false} {
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			if gone {
				cancel()
			}
			w := cutOff{httptest.NewRecorder()}
			req := httptest.NewRequestWithContext(ctx, route.Method, path, w)
			req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			if strings.HasPrefix(path, shell.APIBase) {
				req.Header.Set("Content-Type", shell.JSONKind)
			}
			req.Header.Set("Authorization", "Bearer "+e.organizer.token)
			req.Header.Set("Cookie", "meldhall-staff="+e.organizer.token)
			req.Header.Set("Sec-Fetch-Site", "same-origin")
			e.server.handler.ServeHTTP(w, req)
			cancel()
			logged := merelySlow.ReplaceAllString(said.text.String(), "")
			if asked++; w.Code >= http.StatusInternalServerError || logged != "" {
				t.Errorf("%s %s, gone before the answer: %t: %d, logged %.300s", route.Method, path, gone, w.Code, logged)
			}
			said.text.Reset()
		}
	}
	if asked < 300 {
		t.Errorf("only %d requests", asked)
	}
}
