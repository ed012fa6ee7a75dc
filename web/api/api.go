// Package api contains the handlers of /api/v1. Each reads typed input, calls package tournament or view, and responds
// with a typed view. The API document is generated from the same types; README.md explains its use.
package api

import (
	"context"
	"errors"
	"io"
	"net/http"
	"reflect"
	"strconv"
	"strings"
	"sync"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humagin"
	"github.com/danielgtaylor/huma/v2/validation"
	"github.com/gin-gonic/gin"

	"meldhall/engine/exact"
	"meldhall/engine/score"
	"meldhall/engine/tile"
	"meldhall/templates/locale"
	"meldhall/templates/public"
	"meldhall/tournament/rights"
	"meldhall/tournament/screen"
	"meldhall/tournament/store"
	"meldhall/web/guard"
	"meldhall/web/live"
	"meldhall/web/request"
	"meldhall/web/view"
)

const apiAbout = `Everything that the pages offer to a role, as an API. Send "Authorization: Bearer TOKEN": ` +
	`a player's token comes from POST /join, a referee's or organizer's from POST /sign-in. ` +
	`Tiles are written K R B O (black, red, blue, orange) and 1 to 13, J is the joker. ` +
	`Times are in milliseconds since the Unix epoch. Points and wins are numbers, exact to a twelfth. ` +
	`Responses carry the database's epoch in the header X-Epoch. Send it along with each command: 409 err_epoch means ` +
	`that the server was restored from an older copy, so the command's target may be gone. Read the state again. ` +
	`After a restore, requests with a token must send X-Epoch (409 err_epoch_unnamed). ` +
	`Public responses have an ETag: send it back as If-None-Match without a token to get 304 if nothing has changed. ` +
	`An error is {"code","message"} with the message's arguments: the code is for programs, the message is in the ` +
	`language of Accept-Language.`

// The roles that an operation requires, as named in the document.
const (
	forAll       = "public"
	forPlayer    = "player"
	forReferee   = "referee"
	forOrganizer = "organizer"
)

// api contains the document and the operations of /api/v1.
type api struct {
	Request *request.Base
	View    *view.Reader
	huma    huma.API
	group   *gin.RouterGroup
	open    map[string]bool // the public routes, as the router names them
}

// Serve adds the operations of /api/v1 to a router and returns the content of the page that explains them. version is
// the server's version, which the document shows.
func Serve(s *request.Base, v *view.Reader, router *gin.Engine, group *gin.RouterGroup,
	version string) public.APIView {
	describeErrors()
	config := huma.Config{
		OpenAPI: &huma.OpenAPI{
			OpenAPI: "3.1.0",
			Info:    &huma.Info{Title: "Meldhall", Version: version, Description: apiAbout},
			Servers: []*huma.Server{{URL: request.APIBase}},
			Components: &huma.Components{
				Schemas: huma.NewMapRegistry(schemas, huma.DefaultSchemaNamer),
				SecuritySchemes: map[string]*huma.SecurityScheme{
					"token": {Type: "http", Scheme: "bearer", Description: "the token of POST /join or POST /sign-in"},
				},
			},
		},
		OpenAPIPath:   "/openapi",
		Formats:       map[string]huma.Format{"application/json": exactly, "json": exactly},
		DefaultFormat: "application/json",
	}
	registry := config.Components.Schemas
	registry.RegisterTypeAlias(reflect.TypeFor[score.Twelfth](), reflect.TypeFor[float64]())
	registry.RegisterTypeAlias(reflect.TypeFor[tile.FaceList](), reflect.TypeFor[[]string]())
	a := &api{Request: s, View: v, huma: humagin.NewWithGroup(router, group, config), group: group,
		open: map[string]bool{}}
	group.Use(a.toOtherSites, a.visible)
	a.huma.UseMiddleware(func(ctx huma.Context, next func(huma.Context)) {
		c := humagin.Unwrap(ctx)
		defer a.Request.Bound(c)()
		a.once(huma.WithContext(ctx, context.WithValue(s.Language(c), ginKey{}, c)), next)
		if c.GetBool(inputKey) {
			s.NoteInput(c)
		}
	})
	a.operations()
	trim(registry)
	answered := map[string]bool{}
	for _, path := range a.huma.OpenAPI().Paths {
		for _, op := range []*huma.Operation{path.Get, path.Post, path.Put, path.Delete} {
			if op == nil {
				continue
			}
			failed := a.huma.OpenAPI().Components.Schemas.Schema(reflect.TypeFor[request.Failure](), true, "")
			op.Responses["default"] = &huma.Response{Description: "An error",
				Content: map[string]*huma.MediaType{request.JSONKind: {Schema: failed}}}
			for _, response := range op.Responses {
				for _, content := range response.Content {
					reach(registry, content.Schema, answered)
				}
			}
		}
	}
	for name, schema := range registry.Map() { // clients may send null for an empty list; responses never do
		for _, p := range schema.Properties {
			p.Nullable = p.Nullable || p.Type == huma.TypeArray && !answered[name]
		}
	}
	return described(a.huma.OpenAPI())
}

// reach adds to names every schema that s refers to, directly or indirectly.
func reach(registry huma.Registry, s *huma.Schema, names map[string]bool) {
	if s == nil {
		return
	}
	if name, ok := strings.CutPrefix(s.Ref, schemas); ok {
		if !names[name] {
			names[name] = true
			reach(registry, registry.SchemaFromRef(s.Ref), names)
		}
		return
	}
	reach(registry, s.Items, names)
	for _, p := range s.Properties {
		reach(registry, p, names)
	}
	for _, one := range s.AnyOf {
		reach(registry, one, names)
	}
	if each, ok := s.AdditionalProperties.(*huma.Schema); ok {
		reach(registry, each, names)
	}
}

// exactly is the JSON format of the API. It rejects misspelt, unknown and duplicate members, and writes no null lists.
var exactly = huma.Format{Marshal: marshal, Unmarshal: exact.Unmarshal}

func marshal(w io.Writer, v any) error { return huma.DefaultJSONFormat.Marshal(w, exact.WithLists(v)) }

// operations registers all operations, by role.
func (a *api) operations() {
	a.publicOperations()
	a.liveOperations()
	a.staffOperations()
	a.playerOperations()
	a.playOperations()
	a.practiceOperations()
	a.physicalOperations()
	a.refereeOperations()
	a.protestOperations()
	a.organizerOperations()
	a.drawOperations()
	a.formatOperations()
	a.qualificationOperations()
	a.privacyOperations()
	a.accountOperations()
	a.hostingOperations()
	lists(a, forReferee, "GET /tournaments/{id}/zones", "Officials' zones of tables", screen.ZoneList, zoneView)
	does[screen.SetZone](a, forReferee, "POST /tournaments/{id}/zones",
		"Assign tables to an official; for organizers and head referees", zoneView)
	a.hallOperations()
	a.penaltyOperations()
	a.peopleOperations()
	a.fileOperations()
	a.actionOperations()
}

// schemas is the prefix of references to the input and output types in the document.
const schemas = "#/components/schemas/"

type ginKey struct{}

// requestOf returns the request of an operation.
func requestOf(ctx context.Context) *gin.Context { return ctx.Value(ginKey{}).(*gin.Context) }

// operation registers an operation with typed input and output. path is below /api/v1, such as "POST
// /rounds/{id}/start"; role is the required role.
func operation[I, O any](a *api, role, path, summary string, handler func(context.Context, *I) (*O, error),
	options ...func(*huma.Operation)) {
	op := newOperation(role, path, summary)
	a.opens(role, op)
	for _, option := range options {
		option(&op)
	}
	huma.Register(a.huma, op, func(ctx context.Context, in *I) (*O, error) {
		out, err := handler(ctx, in)
		if err != nil {
			return nil, a.Request.Failed(requestOf(ctx), err)
		}
		return out, nil
	})
}

// lists registers an operation for officials that responds with the views of all items of one kind in a tournament.
func lists[T, V any](a *api, role, path, summary string, all func(context.Context, *store.DB, rights.Actor, int64) ([]T,
	error), view func(T) V) {
	operation(a, role, path, summary, func(ctx context.Context, in *IDPath) (*listOf[V], error) {
		return listed(view)(all(ctx, a.View.Store, a.Request.Staff(requestOf(ctx)), in.ID))
	})
}

// listed returns a function that responds with the views of all items.
func listed[T, V any](view func(T) V) func([]T, error) (*listOf[V], error) {
	return func(all []T, err error) (*listOf[V], error) {
		if err != nil {
			return nil, err
		}
		return &listOf[V]{viewsOf(all, view)}, nil
	}
}

// same is the view function for values that are shown unchanged.
func same[T any](shown T) T { return shown }

// viewsOf returns the views of all items. The result is never nil.
func viewsOf[T, V any](all []T, view func(T) V) []V {
	views := make([]V, len(all))
	for i, one := range all {
		views[i] = view(one)
	}
	return views
}

func newOperation(role, path, summary string) huma.Operation {
	method, path, _ := strings.Cut(path, " ")
	op := huma.Operation{
		Method: method, Path: path, Summary: summary, Tags: []string{role},
		OperationID: operationID(method, path),
		Errors:      []int{http.StatusNotFound},
	}
	if role == forAll {
		op.Security = []map[string][]string{}
	} else {
		op.Security = []map[string][]string{{"token": {}}}
		op.Errors = append(op.Errors, http.StatusUnauthorized, http.StatusForbidden)
	}
	if method == http.MethodPost {
		op.Errors = append(op.Errors, http.StatusBadRequest, http.StatusConflict, http.StatusRequestEntityTooLarge,
			http.StatusUnprocessableEntity, http.StatusServiceUnavailable)
	}
	return op
}

// operationID returns an operation's ID: get-tournaments for the list, and get-tournament-standings for a part of one
// tournament.
func operationID(method, path string) string {
	words := []string{strings.ToLower(method)}
	parts := strings.Split(strings.Trim(path, "/"), "/")
	for i, part := range parts {
		if strings.HasPrefix(part, "{") {
			continue
		}
		if i+1 < len(parts) && strings.HasPrefix(parts[i+1], "{") {
			part = strings.TrimSuffix(part, "s")
		}
		words = append(words, part)
	}
	return strings.Join(words, "-")
}

// plain documents an operation that gin serves itself: streams, and the few operations that every turn needs. body and
// answer are values of the input and output types, nil for none.
func (a *api) plain(role, path, summary string, body, answer any, kind string, handler func(*gin.Context) error,
	options ...func(*huma.Operation)) {
	op := newOperation(role, path, summary)
	a.opens(role, op)
	registry := a.huma.OpenAPI().Components.Schemas
	if strings.Contains(op.Path, "{id}") {
		op.Parameters = []*huma.Param{{Name: "id", In: "path", Required: true,
			Schema: &huma.Schema{Type: huma.TypeInteger, Format: "int64"}}}
	}
	if body != nil {
		op.RequestBody = &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{
			"application/json": {Schema: registry.Schema(reflect.TypeOf(body), true, "")}}}
	}
	op.Responses = map[string]*huma.Response{"200": {Description: "OK", Content: map[string]*huma.MediaType{
		kind: {Schema: registry.Schema(reflect.TypeOf(answer), true, "")}}}}
	failed := registry.Schema(reflect.TypeFor[request.Failure](), true, "")
	for _, status := range op.Errors {
		op.Responses[strconv.Itoa(status)] = &huma.Response{Description: http.StatusText(status),
			Content: map[string]*huma.MediaType{request.JSONKind: {Schema: failed}}}
	}
	for _, option := range options {
		option(&op)
	}
	a.huma.OpenAPI().AddOperation(&op)
	handle := a.Request.Handle
	if kind == live.StreamKind {
		handle = a.Request.Listen
	}
	a.group.Handle(op.Method, ginPath(op.Path), handle(handler))
}

func ginPath(path string) string {
	return strings.NewReplacer("{", ":", "}", "").Replace(path)
}

func (a *api) opens(role string, op huma.Operation) {
	if role == forAll && op.Method == http.MethodGet {
		a.open[a.group.BasePath()+ginPath(op.Path)] = true
	}
}

// toOtherSites lets pages of other sites read public resources (CORS), and nothing else. They cannot send a token,
// because the browser's preflight request gets no permission.
func (a *api) toOtherSites(c *gin.Context) {
	if c.Request.Method == http.MethodGet && a.open[c.FullPath()] {
		c.Header("Access-Control-Allow-Origin", "*")
		c.Header("Access-Control-Expose-Headers", "ETag, "+request.EpochHeader)
	}
}

// visible is request.Base.VisibleID as middleware.
func (a *api) visible(c *gin.Context) { a.Request.VisibleID(c, !a.open[c.FullPath()]) }

func describe(text string) func(*huma.Operation) {
	return func(op *huma.Operation) { op.Description = text }
}

// inputKey is the context key that is set if a request does not match its description.
const inputKey = "input"

var errorsDescribed sync.Once

// describeErrors makes huma report its own errors, such as a body that does not match its schema, in the form of all
// our errors. Huma only supports this for the whole process.
func describeErrors() {
	errorsDescribed.Do(func() {
		huma.ValidateStrictCasing, huma.DefaultArrayNullable = true, false
		huma.NewError = func(status int, message string, errs ...error) huma.StatusError {
			return inputFailure(context.Background(), status, message, errs)
		}
		huma.NewErrorWithContext = func(ctx huma.Context, status int, message string, errs ...error) huma.StatusError {
			if ctx == nil {
				return inputFailure(context.Background(), status, message, errs)
			}
			if c, ok := ctx.Context().Value(ginKey{}).(*gin.Context); ok && status < http.StatusInternalServerError {
				c.Set(inputKey, true)
			}
			return inputFailure(locale.WithLanguage(ctx.Context(), ctx.Header("Accept-Language")), status, message,
				errs)
		}
	})
}

// bodyUnread is huma's message for an unreadable body.
const bodyUnread = "cannot read request body"

func inputFailure(ctx context.Context, status int, message string, errs []error) *request.Failure {
	large := &http.MaxBytesError{Limit: request.BodyMost}
	for _, err := range errs {
		if errors.As(err, &large) {
			status = http.StatusRequestEntityTooLarge
		}
		if many := (*guard.TooMany)(nil); errors.As(err, &many) {
			return request.FailureOf(ctx, "", many)
		}
		if request.TooDeep(err) {
			return request.NewFailure(ctx, http.StatusBadRequest, "err_unreadable",
				map[string]any{"detail": err.Error()})
		}
	}
	if message == bodyUnread && status == http.StatusInternalServerError { // it was cut off or its chunks are malformed
		status = http.StatusBadRequest
	}
	switch status {
	case 0:
		return &request.Failure{}
	case http.StatusRequestEntityTooLarge:
		return request.NewFailure(ctx, status, "err_too_large", map[string]any{"bytes": large.Limit})
	case http.StatusInternalServerError:
		return request.NewFailure(ctx, status, "err_internal", map[string]any{"request": ""})
	}
	detail, field := message, ""
	if len(errs) > 0 && errs[0] != nil {
		first := errs[0]
		for _, err := range errs { // an unknown name explains more than a missing one
			if d, ok := err.(huma.ErrorDetailer); ok && d.ErrorDetail().Message == validation.MsgUnexpectedProperty {
				first = err
				break
			}
		}
		detail = first.Error()
		var detailed huma.ErrorDetailer
		if errors.As(first, &detailed) {
			d := detailed.ErrorDetail()
			field, detail = strings.TrimPrefix(strings.TrimPrefix(d.Location, "body."), "body"), d.Message
		}
	}
	if field == "" {
		return request.NewFailure(ctx, status, "err_unreadable", map[string]any{"detail": detail})
	}
	return request.NewFailure(ctx, status, "err_field", map[string]any{"field": field, "detail": detail})
}
