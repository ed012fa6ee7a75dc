package api

import (
	"context"
	"io"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gin-gonic/gin"

	"meldhall/tournament/door"
	"meldhall/web/shell"
	"meldhall/web/venue"
)

// ActionView is one kind of action, of the registry that pages and programs act by.
type ActionView struct {
	Kind  string   `json:"kind" doc:"the same in the log, for ever"`
	Name  string   `json:"name" doc:"in the language of Accept-Language"`
	Roles []string `json:"roles" doc:"who may do it at every event; where the place decides, others may at their own"`
	Own   bool     `json:"own,omitempty" doc:"the place decides as well: a player's own seat, a practice table"`
	Here  bool     `json:"here" doc:"may be done by POST /actions/{kind}; the others have an address of their own alone"`
}

// ActionDone is what was recorded of an action, or would be.
type ActionDone struct {
	Done    bool             `json:"done" doc:"false for a preview"`
	Records []venue.LogEntry `json:"records" doc:"as the log of actions tells them; none where nothing changes"`
}

func (a *api) actionOperations() {
	operation(a, forAll, "GET /actions", "All kinds of actions, and who may do them", a.apiActions)
	a.plain(forReferee, "POST /actions/{kind}", "Do an action of any kind, or tell what it would do", map[string]any{}, ActionDone{}, shell.JSONKind, a.apiAction,
		describe("The body has the action's fields. With ?preview=true nothing changes. The actions that have an address of their own do the same there."),
		func(op *huma.Operation) {
			op.Parameters = []*huma.Param{{Name: "kind", In: "path", Required: true, Schema: &huma.Schema{Type: huma.TypeString}},
				{Name: "preview", In: "query", Schema: &huma.Schema{Type: huma.TypeBoolean}}}
		})
}

func (a *api) apiActions(ctx context.Context, _ *struct{}) (*listOf[ActionView], error) {
	var views []ActionView
	for _, k := range door.Kinds() {
		if !k.Does() {
			continue
		}
		view := ActionView{Kind: k.Name, Name: venue.TextOr(ctx, "log.action."+k.Name, k.Name), Roles: []string{}, Own: k.Own, Here: k.ByKind()}
		for _, role := range k.Roles() {
			view.Roles = append(view.Roles, string(role))
		}
		views = append(views, view)
	}
	return &listOf[ActionView]{views}, nil
}

func (a *api) apiAction(c *gin.Context) error {
	actor := a.Staff(c)
	k, err := shell.KindParam(c, actor)
	if err != nil {
		return err
	}
	body, err := io.ReadAll(c.Request.Body)
	if err != nil {
		return shell.Unreadable(err)
	}
	action, err := k.Decode(body)
	if err != nil {
		return shell.Unreadable(err)
	}
	preview := c.Query("preview") == "true"
	ctx := a.Language(c)
	records, err := a.Desk.Records(ctx, actor, action, preview)
	if err != nil {
		return err
	}
	answer := ActionDone{Done: !preview, Records: make([]venue.LogEntry, len(records))}
	for i, r := range records {
		var event int64
		if r.TournamentID != nil {
			event = *r.TournamentID
		}
		words, err := a.NewLogWriter(ctx, event)
		if err != nil {
			return err
		}
		answer.Records[i] = venue.NewLogEntry(words, r)
	}
	c.JSON(http.StatusOK, answer)
	return nil
}
