package shell

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"syscall"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gin-gonic/gin"

	"meldhall/engine"
	"meldhall/templates"
	"meldhall/tournament/format"
	"meldhall/tournament/game"
	"meldhall/tournament/refuse"
	"meldhall/tournament/storage"
	"meldhall/web/guard"
	"meldhall/web/venue"
)

// Failure is an error as it is answered: for programs as JSON, for people on a page. Code is a key of
// the locale files; Message is its text in the reader's language.
type Failure struct {
	Status  int
	Code    string
	Message string
	Args    map[string]any
}

// TransformSchema returns the schema of the JSON that MarshalJSON writes.
func (*Failure) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	s.Properties = map[string]*huma.Schema{
		"code":    {Type: huma.TypeString, Description: "for programs, always the same"},
		"message": {Type: huma.TypeString, Description: "for people, in the language of Accept-Language"},
	}
	s.Required, s.AdditionalProperties = []string{"code", "message"}, true
	s.Description = "An error. The other members are the arguments of the message, such as the field that cannot stand."
	return s
}

// Error is the code with the message.
func (f *Failure) Error() string { return f.Code + ": " + f.Message }

// GetStatus is the HTTP status, for huma.
func (f *Failure) GetStatus() int { return f.Status }

// MarshalJSON writes {"code", "message", …arguments}.
func (f *Failure) MarshalJSON() ([]byte, error) {
	all := maps.Clone(f.Args)
	if all == nil {
		all = map[string]any{}
	}
	all["code"], all["message"] = f.Code, f.Message
	return json.Marshal(all)
}

// requestError is a refusal of this package, of the request rather than of what it asks for.
type requestError struct {
	status int
	code   string
	args   map[string]any
}

func (e *requestError) Error() string { return fmt.Sprintf("%s %v", e.code, e.args) }

// Refused is a refusal of the request rather than of what it asks for: a key with its arguments as name, value.
func Refused(status int, code string, nameValues ...any) error {
	e := &requestError{status: status, code: code}
	for i := 0; i+1 < len(nameValues); i += 2 {
		if e.args == nil {
			e.args = map[string]any{}
		}
		e.args[nameValues[i].(string)] = nameValues[i+1]
	}
	return e
}

// Unreadable is a body that is no JSON of the shape asked for.
func Unreadable(err error) error {
	if errors.As(err, new(*http.MaxBytesError)) || errors.As(err, new(*guard.TooMany)) {
		return err
	}
	return Refused(http.StatusBadRequest, "err_unreadable", "detail", err.Error())
}

// TooDeep tells whether a body could not be read because its JSON is nested too deep.
func TooDeep(err error) bool { return errors.Is(err, guard.ErrTooDeep) }

// kindStatus is the status of each kind of tournament.Error.
var kindStatus = map[refuse.Kind]int{
	refuse.KindNotFound:        http.StatusNotFound,
	refuse.KindUnauthenticated: http.StatusUnauthorized,
	refuse.KindForbidden:       http.StatusForbidden,
	refuse.KindConflict:        http.StatusConflict,
	refuse.KindInvalid:         http.StatusUnprocessableEntity,
	refuse.KindTooMany:         http.StatusTooManyRequests,
	refuse.KindBusy:            http.StatusServiceUnavailable,
}

// refusalConflict are the refusals of the engine that come of a state that has moved on; the others
// would be refused at any time.
var refusalConflict = map[string]bool{
	engine.RefusedAlreadyStarted: true, engine.RefusedNotStarted: true, engine.RefusedNotBegun: true,
	engine.RefusedGameOver: true, engine.RefusedNotYourTurn: true, engine.RefusedStaleTurn: true,
	engine.RefusedPaused: true, engine.RefusedNotPaused: true, engine.RefusedRedealClosed: true,
	engine.RefusedRedealRefused: true, engine.RefusedRedealRight: true,
	engine.RefusedAlreadyReady: true, engine.RefusedAlreadyCalled: true, engine.RefusedTimeCalled: true, engine.RefusedNotCalled: true, engine.RefusedCallTaken: true,
	engine.RefusedPoolEmpty: true, engine.RefusedPoolNotEmpty: true, engine.RefusedNotDue: true,
	engine.RefusedPhysical: true, engine.RefusedDigital: true, engine.RefusedNoStarter: true, engine.RefusedCounting: true,
	engine.RefusedRuledSince: true, engine.RefusedSeatOut: true, engine.RefusedNoProposal: true, engine.RefusedNoRuling: true,
	engine.RefusedCancelLate: true, engine.RefusedTilesLie: true,
}

// statusHungUp is what a request ends with that its client has given up: it is read in logs alone, and no fault of the server's.
const statusHungUp = 499

// hungUp tells whether an error says that the client has gone, or takes nothing. A connection that the database's server has broken off is
// another one.
func hungUp(err error) bool {
	if errors.Is(err, context.Canceled) {
		return true
	}
	if storage.IsCut(err) {
		return false
	}
	for _, gone := range []error{syscall.EPIPE, syscall.ECONNRESET, net.ErrClosed, os.ErrDeadlineExceeded} {
		if errors.Is(err, gone) {
			return true
		}
	}
	return false
}

// FailureOf is the one place where an error becomes a status. The context has the reader's language.
// What is not known here is internal: logged, and not shown.
func FailureOf(ctx context.Context, request string, err error) *Failure {
	var (
		done    *Failure
		own     *requestError
		domain  *refuse.Error
		refusal *engine.Refusal
		field   *engine.FieldError
		problem *format.Problem
		tries   *guard.TooMany
		large   *http.MaxBytesError
	)
	switch {
	case errors.As(err, &done):
		return done
	case errors.As(err, &own):
		return NewFailure(ctx, own.status, own.code, own.args)
	case errors.As(err, &domain):
		return NewFailure(ctx, kindStatus[domain.Kind], domain.Key, domain.Args)
	case errors.As(err, &refusal):
		return refusalFailure(ctx, refusal)
	case errors.As(err, &field):
		return NewFailure(ctx, http.StatusUnprocessableEntity, "err_rules_field", map[string]any{"field": field.Field, "why": field.Why})
	case errors.As(err, &problem):
		return NewFailure(ctx, http.StatusUnprocessableEntity, problem.Key, problem.Args)
	case errors.As(err, &tries):
		return NewFailure(ctx, http.StatusTooManyRequests, "err_too_many_tries", map[string]any{"seconds": tries.Seconds})
	case errors.As(err, &large):
		return NewFailure(ctx, http.StatusRequestEntityTooLarge, "err_too_large", map[string]any{"bytes": large.Limit})
	case hungUp(err):
		return NewFailure(ctx, statusHungUp, "err_gone", nil)
	case errors.Is(err, game.ErrBroken):
		slog.Error("a game is damaged", "request", request, "err", err)
		return NewFailure(ctx, http.StatusConflict, "err_game_damaged", nil)
	}
	if game.IsStorage(err) {
		slog.Error("storage", "request", request, "err", err)
		return NewFailure(ctx, http.StatusServiceUnavailable, "err_storage", nil)
	}
	slog.Error("internal error", "request", request, "err", err)
	return NewFailure(ctx, http.StatusInternalServerError, "err_internal", map[string]any{"request": request})
}

// inWords puts what people read in place of a stage's name in a format, of a rule's, and of a field's in a form.
func inWords(ctx context.Context, args map[string]any) map[string]any {
	args = maps.Clone(args)
	if name, ok := args["stage"].(string); ok {
		args["stage"] = venue.StageWord(ctx, name)
	}
	if role := fmt.Sprint(args["role"]); templates.HasText("role." + role) {
		args["role"] = templates.T(ctx, "role."+role)
	}
	if name, ok := args["field"].(string); ok {
		args["field"] = fieldWord(ctx, name)
	}
	if name, ok := args["rule"].(string); ok && templates.HasText("rule."+name) {
		args["rule"] = templates.RuleLabel(ctx, name)
	}
	return args
}

// fieldWord is what pages call a field, its name where they have no word: turn_seconds, or points-2 for the points of the third seat.
func fieldWord(ctx context.Context, name string) string {
	name = name[strings.LastIndexByte(name, '.')+1:] // of a format: stages[0].rounds
	for _, family := range []string{"rule.", "ffield.", "col."} {
		if templates.HasText(family + name) {
			return templates.T(ctx, family+name)
		}
	}
	column, seat, numbered := strings.Cut(name, "-")
	if n, err := strconv.Atoi(seat); numbered && err == nil && templates.HasText("col."+column) {
		return templates.T(ctx, "field.of_seat", "field", templates.T(ctx, "col."+column), "n", n+1)
	}
	return name
}

func refusalFailure(ctx context.Context, r *engine.Refusal) *Failure {
	status := http.StatusUnprocessableEntity
	if refusalConflict[r.Code] {
		status = http.StatusConflict
	}
	args := map[string]any{}
	if r.Points != 0 || r.Need != 0 {
		args["points"], args["need"] = r.Points, r.Need
	}
	if r.Set >= 0 {
		args["set"] = r.Set
	}
	if r.Detail != "" {
		args["detail"] = r.Detail
	}
	return NewFailure(ctx, status, r.Code, args)
}

// NewFailure finds the text of a code, a refusal of the engine's below refused. An argument that is an error becomes its text.
func NewFailure(ctx context.Context, status int, code string, args map[string]any) *Failure {
	args = maps.Clone(args)
	if args == nil {
		args = map[string]any{}
	}
	for name, value := range args {
		if err, ok := value.(error); ok {
			args[name] = FailureOf(ctx, "", err).Message
		}
	}
	key := code
	if !templates.HasText(key) {
		key = "refused." + code
	}
	return &Failure{Status: status, Code: code, Args: args, Message: templates.Tmap(ctx, key, inWords(ctx, args))}
}

// ErrorText is what an error says to a reader of the context's language. What is refused by key has its text, also inside
// of another error; what is not meant for people stays as it is.
func ErrorText(ctx context.Context, err error) string {
	text := err.Error()
	var inside []error
	switch e := err.(type) {
	case *refuse.Error, *format.Problem:
		return FailureOf(ctx, "", err).Message
	case interface{ Unwrap() error }:
		inside = []error{e.Unwrap()}
	case interface{ Unwrap() []error }:
		inside = e.Unwrap()
	}
	for _, cause := range inside {
		if cause != nil {
			text = strings.Replace(text, cause.Error(), ErrorText(ctx, cause), 1)
		}
	}
	return text
}

// Failed is what an error is answered with, in the reader's language; who is to try again later is told when.
// Where nobody waits for the answer any more, that is what failed.
func (s *Shell) Failed(c *gin.Context, err error) *Failure {
	switch gone := c.Request.Context().Err(); {
	case errors.Is(gone, context.DeadlineExceeded):
		err = context.Cause(c.Request.Context()) // see Bound
	case errors.Is(gone, context.Canceled) && !game.IsStorage(err):
		err = gone
	}
	s.noteFailure(c, err)
	f := FailureOf(s.Language(c), requestID(c), err)
	if seconds, ok := f.Args["seconds"].(int); ok && (f.Status == http.StatusTooManyRequests || f.Status == http.StatusServiceUnavailable) {
		c.Header("Retry-After", strconv.Itoa(seconds))
	}
	return f
}

// Fail answers an error: JSON below /api/ and to scripts that ask for it, a page elsewhere. Where the answer has begun it can only be
// cut off.
func (s *Shell) Fail(c *gin.Context, err error) {
	f := s.Failed(c, err)
	if c.Writer.Written() {
		return
	}
	if isAPI(c.Request.URL.Path) || strings.HasPrefix(c.GetHeader("Accept"), JSONKind) {
		c.JSON(f.Status, f)
		return
	}
	s.Page(c, f)
}

func isAPI(path string) bool { return strings.HasPrefix(path, APIBase+"/") }

// Nobody makes an error that says that nobody is known by it no error at all.
func Nobody(err error) error {
	if errors.Is(err, refuse.ErrNotFound) || errors.Is(err, refuse.ErrUnauthenticated) {
		return nil
	}
	return err
}

// APIBase is where the interface for programs lies.
const APIBase = "/api/v1"
