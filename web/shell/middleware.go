package shell

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"runtime/debug"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/gin-gonic/gin"

	"meldhall/tournament/security"
	"meldhall/web/guard"
)

// What a request may bring, and when it is slow.
const (
	BodyMost   = 1 << 20 // bytes of a request
	ImportMost = 5 << 20 // of one that brings a roster or an archive
	slow       = time.Second
	notedKey   = "noted" // set: the security log tells of the refusal
)

// Middleware is what every request passes. Those that have nothing to do after the answer do not call Next: gin goes on by itself, and what
// they need is on the stack of a player's connection only while they run.
func (s *Shell) Middleware() gin.HandlersChain {
	return gin.HandlersChain{s.named, s.guarded, s.recovered, s.sameOrigin, s.sameEpoch, s.limited}
}

// requestIDs names requests: a random start for the process and a count.
type requestIDs struct {
	start string
	count atomic.Uint64
}

func newRequestIDs() *requestIDs {
	start := make([]byte, 4)
	rand.Read(start)
	return &requestIDs{start: hex.EncodeToString(start) + "-"}
}

func (r *requestIDs) next() string {
	return string(strconv.AppendUint(append(make([]byte, 0, 24), r.start...), r.count.Add(1), 36))
}

// named gives the request its id.
func (s *Shell) named(c *gin.Context) {
	id := s.requests.next()
	c.Writer.Header()[requestHeader] = []string{id}
	began := time.Now()
	c.Next()
	s.answered(c, id, time.Since(began))
}

// requestHeader bears a request's id.
const requestHeader = "X-Request-Id"

// requestID is the id of a request, "" once it has become a stream.
func requestID(c *gin.Context) string {
	if c.Writer == nil {
		return ""
	}
	return c.Writer.Header().Get(requestHeader)
}

// answered counts a request that is over, and logs it when it failed or was slow.
func (s *Shell) answered(c *gin.Context, id string, took time.Duration) {
	status := c.Writer.Status()
	if s.Answered != nil && !isStream(c) {
		s.Answered(c.FullPath(), c.Request.Method, status, took)
	}
	if status >= http.StatusInternalServerError && !c.GetBool(notedKey) || took > slow && !isStream(c) {
		slog.Warn("request", "id", id, "method", c.Request.Method, "path", c.FullPath(), "status", status, "took", took)
	}
}

func isStream(c *gin.Context) bool {
	return strings.HasPrefix(c.Writer.Header().Get("Content-Type"), "text/event-stream")
}

// recovered answers a panic as an internal error.
func (s *Shell) recovered(c *gin.Context) {
	defer func() {
		p := recover()
		if p == nil {
			return
		}
		err, ok := p.(error)
		if ok && errors.Is(err, http.ErrAbortHandler) {
			panic(p)
		}
		if ok && hungUp(err) { // what writes JSON panics when it cannot
			s.Fail(c, err)
			c.Abort()
			return
		}
		slog.Error("panic", "path", c.FullPath(), "what", p, "stack", string(debug.Stack())) // also when nobody waits for the answer
		s.Fail(c, fmt.Errorf("panic: %v", p))
		c.Abort()
	}()
	c.Next()
}

// guarded sets the headers that keep a browser from doing what our pages never ask for. Those of pages alone are left away where there can be
// none: with no more than eight headers, the map that holds an answer's, and the server's copy of it, take a third of the memory.
func (s *Shell) guarded(c *gin.Context) {
	h := c.Writer.Header()
	maps.Copy(h, s.guards)
	if guard.MayBePage(c.Request) {
		maps.Copy(h, s.pageGuards)
	}
}

// sameOrigin refuses a change that a page of another origin sends, and one that comes with a session's cookie and does
// not say where it comes from: every browser does, and programs send a token.
func (s *Shell) sameOrigin(c *gin.Context) {
	if s.origins.Foreign(c.Request, s.sessions.Cookie.Name, s.seatCookie(c)) {
		s.noteCommon(c, security.Foreign)
		s.turnAway(c, Refused(http.StatusForbidden, "err_cross_origin", "origin", c.GetHeader("Origin")))
	}
}

// EpochHeader names the life of the database in every answer. Who sends it along with a change is refused when the server has gone on
// with another copy since: what the change was meant for is not what is there now, and its key is not known. Where it has ever done so, a
// program that holds a token must send it along.
const EpochHeader = "X-Epoch"

func (s *Shell) sameEpoch(c *gin.Context) {
	if c.Request.Method == http.MethodGet || c.Request.Method == http.MethodHead {
		return
	}
	named := c.GetHeader(EpochHeader)
	err := s.OfEpoch(named)
	if named == "" && len(c.Request.Header["Authorization"]) > 0 && s.venue.Store.Epoch.Copied != 0 {
		err = Refused(http.StatusConflict, "err_epoch_unnamed", "header", EpochHeader)
	}
	if err != nil {
		s.turnAway(c, err)
	}
}

// turnAway answers a request with an error before it is known whose it is: it is spent of the address's budget.
func (s *Shell) turnAway(c *gin.Context, err error) {
	s.Fail(c, s.spent(c, err))
	c.Abort()
}

// spent takes a request that fails with err from its address's budget, and gives what it is answered with: that it was one too many, or err.
func (s *Shell) spent(c *gin.Context, err error) error {
	if many := s.readers.budget.Spend(guard.ReaderAt(c.ClientIP())); many != nil {
		return many
	}
	return err
}

// OfEpoch refuses what was meant for another life of the database; what does not say for which, "", passes.
func (s *Shell) OfEpoch(name string) error {
	if name != "" && name != s.Streams.Epoch {
		return Refused(http.StatusConflict, "err_epoch")
	}
	return nil
}

// limited bounds the body of a request: 1 MiB, a roster, an archive or a picture 5 MiB; JSON no deeper than guard.DepthMost.
func (s *Shell) limited(c *gin.Context) {
	most := int64(BodyMost)
	if isImport(c.FullPath()) || c.Param("kind") == "tournament.import" {
		most = ImportMost
	}
	if err := guard.BoundBody(c.Writer, c.Request, most); err != nil {
		s.Fail(c, err)
		c.Abort()
		return
	}
	guard.BoundDepth(c.Request)
}

func isImport(path string) bool {
	return strings.HasSuffix(path, "/roster") || strings.HasSuffix(path, "/roster/preview") || strings.HasSuffix(path, "/roster/import") || strings.HasSuffix(path, "/paper/certificates")
}
