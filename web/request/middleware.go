package request

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/gin-gonic/gin"

	"meldhall/tournament/security"
	"meldhall/web/guard"
	"meldhall/web/signin"
)

// Limits of a request, and when it counts as slow.
const (
	BodyMost   = 1 << 20  // bytes of a request
	ImportMost = 5 << 20  // bytes of a request with a roster or an archive
	photoMost  = 12 << 20 // bytes of a request with a photo, which may be in base64
	slow       = time.Second
)

// Middleware returns the handlers that every request passes. Those with nothing to do after the response do not call
// Next: gin continues by itself, and their stack frames do not stay on a player's connection.
func (s *Base) Middleware() gin.HandlersChain {
	return gin.HandlersChain{s.named, s.guarded, s.recovered, s.sameOrigin, s.sameEpoch, s.limited}
}

// requestIDs generates request IDs: a random start for the process, and a count.
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

// named assigns the request its ID and, once the response is complete, passes both to answered.
func (s *Base) named(c *gin.Context) {
	id := s.requests.next()
	c.Writer.Header()[guard.RequestHeader] = []string{id}
	began := time.Now()
	c.Next()
	s.answered(c, id, time.Since(began))
}

// answered counts a completed request, and logs it if it failed or was slow.
func (s *Base) answered(c *gin.Context, id string, took time.Duration) {
	status := c.Writer.Status()
	if s.Answered != nil && !isStream(c) {
		s.Answered(c.FullPath(), c.Request.Method, status, took)
	}
	if status >= http.StatusInternalServerError && !signin.Noted(c) || took > slow && !isStream(c) {
		slog.Warn("request", "id", id, "method", c.Request.Method, "path", c.FullPath(), "status", status, "took", took)
	}
}

func isStream(c *gin.Context) bool {
	return strings.HasPrefix(c.Writer.Header().Get("Content-Type"), "text/event-stream")
}

// recovered responds to a panic with an internal error.
func (s *Base) recovered(c *gin.Context) {
	defer func() {
		p := recover()
		if p == nil {
			return
		}
		err, ok := p.(error)
		if ok && errors.Is(err, http.ErrAbortHandler) {
			panic(p)
		}
		if ok && hungUp(err) { // writing JSON panics if it fails
			s.Fail(c, err)
			c.Abort()
			return
		}
		// even if the client is gone
		slog.Error("panic", "path", c.FullPath(), "what", p, "stack", string(debug.Stack()))
		s.Fail(c, fmt.Errorf("panic: %v", p))
		c.Abort()
	}()
	c.Next()
}

// guarded sets the security headers. Headers that only matter for pages are omitted from other responses: with at most
// eight headers, the response's header map and the server's copy take a third of the memory.
func (s *Base) guarded(c *gin.Context) {
	h := c.Writer.Header()
	maps.Copy(h, s.guards)
	if guard.MayBePage(c.Request) {
		maps.Copy(h, s.pageGuards)
	}
}

// sameOrigin rejects a change sent by a page of another origin. It also rejects one with a session cookie but no
// origin: every browser sends an origin, and programs use a token instead.
func (s *Base) sameOrigin(c *gin.Context) {
	if s.origins.Foreign(c.Request, s.Sessions.CookieName(), s.Seats.CookieName(c)) {
		s.Notes.Common(c, security.Foreign)
		s.turnAway(c, Refused(http.StatusForbidden, "err_cross_origin", "origin", c.GetHeader("Origin")))
	}
}

// EpochHeader contains the epoch of the database in every response. A change with this header is rejected if the server
// has since continued from another copy of the database: the target of the change may differ, and its key is unknown.
// If that has ever happened, a program with a token must send the header.
const EpochHeader = "X-Epoch"

func (s *Base) sameEpoch(c *gin.Context) {
	if c.Request.Method == http.MethodGet || c.Request.Method == http.MethodHead {
		return
	}
	named := c.GetHeader(EpochHeader)
	err := s.OfEpoch(named)
	if named == "" && len(c.Request.Header["Authorization"]) > 0 && s.view.Store.Epoch.Copied != 0 {
		err = Refused(http.StatusConflict, "err_epoch_unnamed", "header", EpochHeader)
	}
	if err != nil {
		s.turnAway(c, err)
	}
}

// turnAway responds with an error before the caller is identified. The request counts against the address's budget.
func (s *Base) turnAway(c *gin.Context, err error) {
	s.Fail(c, s.spent(c, err))
	c.Abort()
}

// spent charges a failed request to its address's budget. It returns the error to respond with: too many requests, or
// err.
func (s *Base) spent(c *gin.Context, err error) error {
	if many := s.readers.budget.Spend(guard.ReaderAt(c.ClientIP())); many != nil {
		return many
	}
	return err
}

// OfEpoch rejects a request meant for another epoch of the database. An empty name passes.
func (s *Base) OfEpoch(name string) error {
	if name != "" && name != s.Streams.Live.Epoch {
		return Refused(http.StatusConflict, "err_epoch")
	}
	return nil
}

// limited limits the body of a request to 1 MiB, or 5 MiB for a roster, an archive or a logo, or 12 MiB for a photo.
// JSON may be nested at most guard.DepthMost deep.
func (s *Base) limited(c *gin.Context) {
	most := int64(BodyMost)
	if isImport(c.FullPath()) || slices.Contains([]string{"tournament.import", "tournament.logo"}, c.Param("kind")) {
		most = ImportMost
	} else if c.Param("kind") == "photo.add" {
		most = photoMost
	}
	if err := guard.BoundBody(c.Writer, c.Request, most); err != nil {
		s.Fail(c, err)
		c.Abort()
		return
	}
	guard.BoundDepth(c.Request)
}

func isImport(path string) bool {
	return strings.HasSuffix(path, "/roster") || strings.HasSuffix(path, "/roster/preview") ||
		strings.HasSuffix(path, "/roster/import") || strings.HasPrefix(path, "/desk/:event/paper")
}
