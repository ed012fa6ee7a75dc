package api

import (
	"context"
	"io"
	"reflect"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gin-gonic/gin"

	"meldhall/tournament/action"
	"meldhall/web/request"
	"meldhall/web/view"
)

// ActionView is one kind of action in the registry that pages and programs use.
type ActionView struct {
	Kind  string   `json:"kind" doc:"the permanent name, also used in the log"`
	Name  string   `json:"name" doc:"in the language of Accept-Language"`
	Roles []string `json:"roles" doc:"the roles allowed to do it at every event; if own is set, others may do it at their own"`
	Own   bool     `json:"own,omitempty" doc:"permission also depends on the resource: a player's own seat, a practice table"`
	Here  bool     `json:"here" doc:"available through POST /actions/{kind}; other kinds only have their own URL"`
}

// ActionDone contains the records of an action, or those that it would make.
type ActionDone struct {
	Done    bool            `json:"done" doc:"false for a preview"`
	Records []view.LogEntry `json:"records" doc:"as in the log of actions; empty if nothing changes"`
}

func (a *api) actionOperations() {
	operation(a, forAll, "GET /actions", "All kinds of actions, with the roles allowed to do them", a.apiActions)
	a.plain(forReferee, "POST /actions/{kind}", "Do an action of any kind, or preview its effects", map[string]any{},
		ActionDone{}, request.JSONKind, a.apiAction,
		describe("The body has the action's fields. With ?preview=true nothing changes. Actions with their own URL "+
			"do the same there."),
		func(op *huma.Operation) {
			op.Parameters = []*huma.Param{{Name: "kind", In: "path", Required: true,
				Schema: &huma.Schema{Type: huma.TypeString}},
				{Name: "preview", In: "query", Schema: &huma.Schema{Type: huma.TypeBoolean}}}
		})
}

func (a *api) apiActions(ctx context.Context, _ *struct{}) (*listOf[ActionView], error) {
	var views []ActionView
	for _, k := range action.Kinds() {
		if !k.Does() {
			continue
		}
		v := ActionView{Kind: k.Name, Name: view.TextOr(ctx, "log.action."+k.Name, k.Name), Roles: []string{},
			Own: k.Own, Here: k.ByKind()}
		for _, role := range k.Roles() {
			v.Roles = append(v.Roles, string(role))
		}
		views = append(views, v)
	}
	return &listOf[ActionView]{views}, nil
}

func (a *api) apiAction(c *gin.Context) error {
	actor := a.Request.Staff(c)
	k, err := request.KindParam(c, actor)
	if err != nil {
		return err
	}
	body, err := io.ReadAll(c.Request.Body)
	if err != nil {
		return request.Unreadable(err)
	}
	action, err := k.Decode(body)
	if err != nil {
		return request.Unreadable(err)
	}
	preview := c.Query("preview") == "true"
	ctx := a.Request.Language(c)
	records, err := a.Request.Desk.Records(ctx, actor, action, preview)
	if err != nil {
		return err
	}
	answer := ActionDone{Done: !preview, Records: make([]view.LogEntry, len(records))}
	for i, r := range records {
		var tournamentID int64
		if r.TournamentID != nil {
			tournamentID = *r.TournamentID
		}
		words, err := a.View.NewLogWriter(ctx, tournamentID)
		if err != nil {
			return err
		}
		answer.Records[i] = view.NewLogEntry(words, r)
	}
	return request.WriteJSON(c, answer)
}

// An action of the desk is its own input: a field with the tag path or query is read from the address, the others from
// the body.

// acts registers an operation that performs one action of the desk without a result.
func acts[A action.ActionOf[O], O any](a *api, role, path, summary string) {
	does[A](a, role, path, summary, func(O) Done { return Done{true} })
}

// does registers an operation that performs one action of the desk and responds with a view of its result.
func does[A action.ActionOf[O], O, V any](a *api, role, path, summary string, view func(O) V,
	options ...func(*huma.Operation)) {
	shows[A](a, role, path, summary, func(_ context.Context, out O) (V, error) { return view(out), nil }, options...)
}

// shows is like does for a view that needs a lookup or the reader's language.
func shows[A action.ActionOf[O], O, V any](a *api, role, path, summary string, view func(context.Context, O) (V, error),
	options ...func(*huma.Operation)) {
	do := func(ctx context.Context, act A) (*with[V], error) {
		out, err := action.Do(ctx, a.Request.Desk, a.Request.Staff(requestOf(ctx)), act)
		if err != nil {
			return nil, err
		}
		return answer(view(ctx, out))
	}
	switch {
	case !slices.ContainsFunc(reflect.VisibleFields(reflect.TypeFor[A]()), ofBody):
		operation(a, role, path, summary, func(ctx context.Context, in *A) (*with[V], error) { return do(ctx, *in) },
			options...)
	case strings.Contains(path, "{id}"):
		operation(a, role, path, summary, func(ctx context.Context, in *idWith[A]) (*with[V],
			error) {
			return do(ctx, in.action())
		}, options...)
	default:
		operation(a, role, path, summary, func(ctx context.Context, in *with[A]) (*with[V],
			error) {
			return do(ctx, in.Body)
		}, options...)
	}
}

// action returns the action in the body, with its first field set to the ID in the address.
func (in *idWith[A]) action() A {
	reflect.ValueOf(&in.Body).Elem().Field(0).SetInt(in.ID)
	return in.Body
}

func ofAddress(f reflect.StructField) bool {
	return f.Tag.Get("path") != "" || f.Tag.Get("query") != ""
}

func ofBody(f reflect.StructField) bool { return f.IsExported() && !ofAddress(f) }

// trim removes from the schemas of bodies the fields that the address gives. It also lets required pointer fields be
// null.
func trim(registry huma.Registry) {
	for name, schema := range registry.Map() {
		for _, f := range reflect.VisibleFields(registry.TypeFromRef(schemas + name)) {
			field, options, _ := strings.Cut(f.Tag.Get("json"), ",")
			if ofAddress(f) {
				delete(schema.Properties, field)
			}
			if p := schema.Properties[field]; p != nil && p.Ref != "" && f.Type.Kind() == reflect.Pointer &&
				!strings.Contains(options, "omit") {
				schema.Properties[field] = &huma.Schema{AnyOf: []*huma.Schema{{Ref: p.Ref},
					{Type: "null", Enum: []any{nil}}}, Description: f.Tag.Get("doc")}
			}
		}
		schema.PrecomputeMessages()
	}
}
