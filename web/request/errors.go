package request

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
	"meldhall/engine/ruleset"
	"meldhall/templates/desk"
	"meldhall/templates/locale"
	"meldhall/tournament/format"
	"meldhall/tournament/game"
	"meldhall/tournament/refuse"
	"meldhall/tournament/store"
	"meldhall/web/guard"
	"meldhall/web/view"
)

// Failure is an error as a response: JSON for programs, a page for people. Code is a key of the locale files; Message
// is its text in the reader's language.
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
	s.Description = "An error. The other members are the arguments of the message, such as the invalid field."
	return s
}

// Error returns the code with the message.
func (f *Failure) Error() string { return f.Code + ": " + f.Message }

// GetStatus returns the HTTP status, for huma.
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

// requestError is a refusal by this package, of the request itself rather than of the action it requests.
type requestError struct {
	status int
	code   string
	args   map[string]any
}

func (e *requestError) Error() string { return fmt.Sprintf("%s %v", e.code, e.args) }

// Refused returns a refusal of the request itself rather than of the action it requests. The arguments are name, value
// pairs.
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

// Unreadable returns the error for a body that is not JSON of the expected form. It returns errors about the body's
// size or the memory limit unchanged.
func Unreadable(err error) error {
	if errors.As(err, new(*http.MaxBytesError)) || errors.As(err, new(*guard.TooMany)) {
		return err
	}
	return Refused(http.StatusBadRequest, "err_unreadable", "detail", err.Error())
}

// TooDeep reports whether a body was rejected because its JSON is nested too deeply.
func TooDeep(err error) bool { return errors.Is(err, guard.ErrTooDeep) }

// kindStatus is the HTTP status of each kind of refuse.Error.
var kindStatus = map[refuse.Kind]int{
	refuse.KindNotFound:        http.StatusNotFound,
	refuse.KindUnauthenticated: http.StatusUnauthorized,
	refuse.KindForbidden:       http.StatusForbidden,
	refuse.KindConflict:        http.StatusConflict,
	refuse.KindInvalid:         http.StatusUnprocessableEntity,
	refuse.KindTooMany:         http.StatusTooManyRequests,
	refuse.KindBusy:            http.StatusServiceUnavailable,
}

// refusalConflict contains the refusals of the engine that are due to a changed state. The others would be refused at
// any time.
var refusalConflict = map[string]bool{
	engine.RefusedAlreadyStarted: true, engine.RefusedNotStarted: true, engine.RefusedNotBegun: true,
	engine.RefusedGameOver: true, engine.RefusedNotYourTurn: true, engine.RefusedStaleTurn: true,
	engine.RefusedPaused: true, engine.RefusedNotPaused: true, engine.RefusedRedealClosed: true,
	engine.RefusedRedealRefused: true, engine.RefusedRedealRight: true,
	engine.RefusedAlreadyReady: true, engine.RefusedAlreadyCalled: true, engine.RefusedTimeCalled: true,
	engine.RefusedNotCalled: true, engine.RefusedCallTaken: true, engine.RefusedCallComing: true,
	engine.RefusedPoolEmpty: true, engine.RefusedPoolNotEmpty: true, engine.RefusedNotDue: true,
	engine.RefusedPhysical: true, engine.RefusedDigital: true, engine.RefusedNoStarter: true,
	engine.RefusedCounting:   true,
	engine.RefusedRuledSince: true, engine.RefusedSeatOut: true, engine.RefusedNoProposal: true,
	engine.RefusedNoRuling:   true,
	engine.RefusedCancelLate: true, engine.RefusedTilesLie: true,
}

// statusHungUp is the status of a request that its client abandoned. It appears only in logs and is not a server error.
const statusHungUp = 499

// hungUp reports whether an error means that the client has disconnected or does not read. A connection closed by the
// database server does not count.
func hungUp(err error) bool {
	if errors.Is(err, context.Canceled) {
		return true
	}
	if store.IsCut(err) {
		return false
	}
	for _, gone := range []error{syscall.EPIPE, syscall.ECONNRESET, net.ErrClosed, os.ErrDeadlineExceeded} {
		if errors.Is(err, gone) {
			return true
		}
	}
	return false
}

// FailureOf is the only place that maps an error to a status. The context has the reader's language. An unrecognized
// error is internal: it is logged and not shown.
func FailureOf(ctx context.Context, request string, err error) *Failure {
	var (
		done    *Failure
		own     *requestError
		domain  *refuse.Error
		refusal *engine.Refusal
		field   *ruleset.FieldError
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
		return NewFailure(ctx, http.StatusUnprocessableEntity, "err_rules_field",
			map[string]any{"field": field.Field, "why": field.Why})
	case errors.As(err, &problem):
		return NewFailure(ctx, http.StatusUnprocessableEntity, problem.Key, problem.Args)
	case errors.As(err, &tries):
		return NewFailure(ctx, http.StatusTooManyRequests, "err_too_many_tries",
			map[string]any{"seconds": tries.Seconds})
	case errors.As(err, &large):
		return NewFailure(ctx, http.StatusRequestEntityTooLarge, "err_too_large", map[string]any{"bytes": large.Limit})
	case hungUp(err):
		return NewFailure(ctx, statusHungUp, "err_gone", nil)
	case errors.Is(err, game.ErrBroken):
		slog.Error("a game's log is damaged", "request", request, "err", err)
		return NewFailure(ctx, http.StatusConflict, "err_game_damaged", nil)
	}
	if game.IsStorage(err) {
		slog.Error("a database error", "request", request, "err", err)
		return NewFailure(ctx, http.StatusServiceUnavailable, "err_storage", nil)
	}
	slog.Error("internal error", "request", request, "err", err)
	return NewFailure(ctx, http.StatusInternalServerError, "err_internal", map[string]any{"request": request})
}

// inWords replaces the names of stages, roles, rules and form fields by texts for people.
func inWords(ctx context.Context, args map[string]any) map[string]any {
	args = maps.Clone(args)
	if name, ok := args["stage"].(string); ok {
		args["stage"] = view.StageWord(ctx, name)
	}
	if role := fmt.Sprint(args["role"]); locale.HasText("role." + role) {
		args["role"] = locale.T(ctx, "role."+role)
	}
	if name, ok := args["field"].(string); ok {
		args["field"] = fieldWord(ctx, name)
	}
	if name, ok := args["rule"].(string); ok && locale.HasText("rule."+name) {
		args["rule"] = desk.RuleLabel(ctx, name)
	}
	return args
}

// fieldWord returns a field's label, or its name if it has none. Examples: turn_seconds, or points-2 for the points of
// the third seat.
func fieldWord(ctx context.Context, name string) string {
	name = name[strings.LastIndexByte(name, '.')+1:] // in a format: stages[0].rounds
	for _, family := range []string{"rule.", "ffield.", "col."} {
		if locale.HasText(family + name) {
			return locale.T(ctx, family+name)
		}
	}
	column, seat, numbered := strings.Cut(name, "-")
	if n, err := strconv.Atoi(seat); numbered && err == nil && locale.HasText("col."+column) {
		return locale.T(ctx, "field.of_seat", "field", locale.T(ctx, "col."+column), "n", n+1)
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

// NewFailure returns a failure with the text of a code; the texts of engine refusals begin with "refused.". An argument
// that is an error is replaced by its text.
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
	if !locale.HasText(key) {
		key = "refused." + code
	}
	return &Failure{Status: status, Code: code, Args: args, Message: locale.Tmap(ctx, key, inWords(ctx, args))}
}

// ErrorText returns an error's text in the context's language. It translates refusals with a key, including wrapped
// ones. The rest of the text stays unchanged.
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

// Failed returns the response to an error, in the reader's language. It sets Retry-After for readers who must try again
// later. If the request's context has ended, the reason for that replaces the error.
func (s *Base) Failed(c *gin.Context, err error) *Failure {
	switch gone := c.Request.Context().Err(); {
	case errors.Is(gone, context.DeadlineExceeded):
		err = context.Cause(c.Request.Context()) // see Bound
	case errors.Is(gone, context.Canceled) && !game.IsStorage(err):
		err = gone
	}
	s.noteFailure(c, err)
	f := FailureOf(s.Language(c), guard.RequestID(c.Writer), err)
	if seconds, ok := f.Args["seconds"].(int); ok && (f.Status == http.StatusTooManyRequests ||
		f.Status == http.StatusServiceUnavailable) {
		c.Header("Retry-After", strconv.Itoa(seconds))
	}
	return f
}

// Fail responds to an error: JSON below /api/ and to scripts that ask for it, a page otherwise. If the response has
// begun, it sends nothing more.
func (s *Base) Fail(c *gin.Context, err error) {
	f := s.Failed(c, err)
	if c.Writer.Written() {
		return
	}
	if strings.HasPrefix(c.Request.URL.Path, APIBase+"/") || strings.HasPrefix(c.GetHeader("Accept"), JSONKind) {
		c.JSON(f.Status, f)
		return
	}
	s.Page(c, f)
}

// APIBase is the base path of the API for programs.
const APIBase = "/api/v1"

// InviteOver turns an expired invitation into an error with its own page. The sign-in page, where unauthenticated
// visitors are otherwise sent, would not explain the reason.
func InviteOver(err error) error {
	if errors.Is(err, refuse.ErrUnauthenticated) {
		return Refused(http.StatusGone, "err_invite_over")
	}
	return err
}
