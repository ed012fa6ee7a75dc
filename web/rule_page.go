package web

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ"
	"github.com/gin-gonic/gin"

	"meldhall/engine"
	"meldhall/templates"
	"meldhall/tournament/game"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/web/page"
	"meldhall/web/request"
)

// partHeader marks a request of the site's own script for a part of a page.
const partHeader = "X-Part"

// rulePage previews a ruling.
func (s *refereePages) rulePage(c *gin.Context) error {
	return s.showRule(c, http.StatusOK, c.Request.URL.Query(), "")
}

// showRule renders a ruling's preview on the current state: its exact effect or why it is impossible, and the rulings
// of other officials since the state that was previewed.
func (s *refereePages) showRule(c *gin.Context, status int, form url.Values, problem string) error {
	tournamentID, table := page.ID(c, "event"), page.ID(c, "table")
	ctx, actor := s.server.Request.Language(c), s.server.Request.Staff(c)
	view, err := s.server.Views.ruleView(ctx, actor, tournamentID, table, c.Param("action"), form)
	if err != nil {
		return err
	}
	if problem != "" {
		view.Problem = problem
	}
	s.server.View.Attention.Looks(tournamentID, table, actor)
	if c.GetHeader(partHeader) != "" {
		return s.server.Page.Show(c, status, templates.Confirm(view))
	}
	return page.ShowEvent(s.server.Page, c, status, view.Title, &view, &view.Page, templates.ConfirmPage)
}

// ruleView returns the sheet of one ruling.
func (s *views) ruleView(ctx context.Context, actor rights.Actor, tournamentID, table int64, action string,
	form url.Values) (view templates.ConfirmView, err error) {
	kind, ok := engine.RulingKindNamed(action)
	if !ok {
		return view, request.Refused(http.StatusNotFound, "err_page_not_found", "path", action)
	}
	game, snap, err := s.ruledGame(ctx, actor, tournamentID, table, form)
	if err != nil {
		return view, err
	}
	g := s.given(form, kind, actor, snap.State)
	view = templates.ConfirmView{Event: tournamentID, TableID: table, Table: game.Place.Table, Action: action,
		Game: game.ID,
		Seen: snap.State.Seq, Back: templates.RulingPath(tournamentID, table),
		Post: templates.RulingPath(tournamentID, table) + templ.SafeURL("/"+action),
		Key:  formKey(g, action, game.ID, snap.State.Seq), Ruling: s.View.Attention.At(table, actor),
		Reason: form.Get("reason")}
	if g.typesTable() && !form.Has("table") {
		form.Set("table", tableText(snap.State.Table)) // by default the table stays as it is
	}
	view.Fields = g.carried()
	form.Set("canned", chosenReason(&view, kind, snap.State.Proposals, form))
	again := url.Values{"game": {strconv.FormatInt(game.ID, 10)}, "seen": {form.Get("seen")},
		"canned": {form.Get("canned")}, "reason": {form.Get("reason")}, "free": form["free"]}
	for _, f := range view.Fields {
		again.Add(f.Name, f.Value)
	}
	view.Again = string(templates.RulePath(tournamentID, table, action)) + "?" + again.Encode()
	view.Title, view.StartsHeld = ruleTitle(ctx, game, g), g.startsHeld()
	addFree(ctx, &view, g)
	view.Since = ruledSince(ctx, game, actor.Name, form.Get("seen"))
	g.Values = maps.Clone(form)
	g.Del("seen") // newer rulings are already shown
	if err = s.addEffect(ctx, actor, &view, game, snap.Ref, g); err == nil {
		return view, nil
	}
	f := request.FailureOf(ctx, "", err)
	if f.Status != http.StatusConflict && f.Status != http.StatusUnprocessableEntity {
		return view, err
	}
	view.Problem = f.Message
	return view, nil
}

// addEffect adds the exact effect of a ruling on the current state.
func (s *views) addEffect(ctx context.Context, actor rights.Actor, view *templates.ConfirmView, game templates.Game,
	ref game.Ref, g given) error {
	if g.kind.Apart {
		return s.penaltyEffect(ctx, actor, view, game, ref, g)
	}
	command, err := g.command()
	if err != nil {
		return err
	}
	effect, err := s.View.Games.Preview(ctx, actor, game.ID, command)
	if err == nil {
		view.Effects = templates.EffectWords(ctx, game, effect.Before, effect.After)
	}
	return err
}

// ruledGame returns the game in a form, which must belong to the table.
func (s *views) ruledGame(ctx context.Context, actor rights.Actor, tournamentID, table int64,
	form url.Values) (game templates.Game, snap *game.Snapshot, err error) {
	if err := rights.Authorize(actor, rights.Place{Tournament: tournamentID, Table: table, Seat: -1},
		rights.MayRule); err != nil {
		return game, nil, err
	}
	id, err := strconv.ParseInt(form.Get("game"), 10, 64)
	if err != nil {
		return game, nil, refuse.NotFound("err_game_not_found", "id", form.Get("game"))
	}
	if game, snap, err = s.watchedGame(ctx, id, engine.Referee); err != nil {
		return game, nil, err
	}
	if snap.Ref.TableID != table || snap.Ref.TournamentID != tournamentID {
		return game, nil, refuse.NotFound("err_game_not_found", "id", id)
	}
	return game, snap, nil
}

// chosenReason lists a ruling's canned reasons and returns the chosen one. The reason of the proposal that it decides
// comes first; the first reason is the default.
func chosenReason(view *templates.ConfirmView, kind engine.RulingKind, proposals []engine.Proposal,
	form url.Values) string {
	reasons, chosen := slices.Clone(kind.Reasons), ""
	for _, p := range proposals {
		if i := slices.Index(reasons, p.Reason()); i > 0 && strconv.Itoa(p.Seq) == form.Get("proposal") {
			reasons = slices.Insert(slices.Delete(reasons, i, i+1), 0, p.Reason())
		}
	}
	if _, said := form["canned"]; said {
		chosen = form.Get("canned")
	} else if len(reasons) > 0 {
		chosen = reasons[0].Code
	}
	for _, r := range reasons {
		view.Reasons = append(view.Reasons, templates.ReasonChoice{RulingReason: r, Chosen: r.Code == chosen})
	}
	return chosen
}

func (s *views) given(form url.Values, kind engine.RulingKind, actor rights.Actor, state engine.State) given {
	return given{form, kind, actor.Name, state, s.View.Games.Deal}
}

// ruledSince returns other officials' rulings since the state that was previewed.
func ruledSince(ctx context.Context, game templates.Game, by, seen string) (since []templates.RulingLine) {
	seq, err := strconv.Atoi(seen)
	if err != nil || seq == 0 {
		return nil
	}
	for _, r := range game.View.Rulings {
		if r.Seq > seq && r.By != by {
			since = append(since, newRulingLine(ctx, game, r))
		}
	}
	return since
}

// startsHeld reports whether the ruling starts a table that waits for players without a tablet.
func (g given) startsHeld() bool { return g.kind.Name == "resume" && g.state.Held() }

// ruleTitle describes the ruling in one sentence.
func ruleTitle(ctx context.Context, game templates.Game, g given) string {
	number := func(field string) int {
		n, _ := g.number(field)
		return n
	}
	seat := game.View.Turn.Seat
	if _, named := g.kind.Field("seat"); named {
		seat = number("seat")
	} else if _, proposed := g.kind.Field("proposal"); proposed {
		seat = proposedSeat(game, g.Get("proposal"))
	}
	if g.startsHeld() {
		return templates.T(ctx, "say.rule.start_anyway")
	}
	return templates.T(ctx, g.text("say.rule."), "name", game.NameOf(seat), "n", number("tiles"), "seconds",
		max(number("seconds"), -number("seconds")),
		"turn", number("number"), "points", number("points"), "ruling", ruledAt(ctx, game, g.Get("of")))
}

func proposedSeat(game templates.Game, proposal string) int {
	for _, p := range game.View.Proposals {
		if strconv.Itoa(p.Seq) == proposal {
			return p.Seat
		}
	}
	return -1
}

func ruledAt(ctx context.Context, game templates.Game, seq string) string {
	for _, r := range game.View.Rulings {
		if strconv.Itoa(r.Seq) == seq {
			return newRulingLine(ctx, game, r).Text
		}
	}
	return ""
}

// addFree adds a text field for the table, and a number field if the form requests it.
func addFree(ctx context.Context, view *templates.ConfirmView, g given) {
	if g.typesTable() {
		view.Text = &templates.TextField{Name: "table", Label: templates.T(ctx, "position.table"),
			Hint: templates.T(ctx, "position.hint"), Value: g.Get("table")}
	}
	if g.Get("free") == "" {
		return
	}
	for _, f := range g.kind.Fields {
		if f.Offered != 0 {
			n, _ := g.number(f.Name)
			view.Amount = &templates.Amount{Name: f.Name, Label: templates.T(ctx, "ruling."+f.Name), Value: n,
				Least: max(f.Least, -f.Offered), Most: min(f.Most, f.Offered)}
		}
	}
}

// tableText formats a table for typing, one set per line.
func tableText(table engine.Table) string {
	var text strings.Builder
	for _, set := range table.Faces() {
		for i, face := range set {
			if i > 0 {
				text.WriteByte(' ')
			}
			text.WriteString(face.String())
		}
		text.WriteByte('\n')
	}
	return text.String()
}

// Said is the response to a ruling that a script has sent.
type Said struct {
	Said string `json:"said"`
	Seq  int    `json:"seq"`
}

// rulingPost makes a ruling at a table, reports its effect and redirects to the table. If it conflicts with another
// official's ruling, it is previewed again with that one.
func (s *refereePages) rulingPost(action string) func(*gin.Context) error {
	return func(c *gin.Context) error {
		tournamentID, table := page.ID(c, "event"), page.ID(c, "table")
		ctx, actor, form := s.server.Request.Language(c), s.server.Request.Staff(c), c.Request.PostForm
		game, snap, err := s.server.Views.ruledGame(ctx, actor, tournamentID, table, form)
		if err != nil {
			return err
		}
		kind, _ := engine.RulingKindNamed(action)
		g := s.server.Views.given(form, kind, actor, snap.State)
		if kind.Apart {
			return s.penaltyRuled(c, tournamentID, table, g, snap.Ref)
		}
		command, err := readRuling(action, g)
		if err != nil {
			return s.ruleRefused(c, action, err)
		}
		answer, err := s.server.View.Games.Submit(ctx, actor, game.ID, keyOf(form, action), command)
		if err != nil {
			return s.ruleRefused(c, action, err)
		}
		return s.ruled(c, tournamentID, table, action, game, g, answer)
	}
}

func readRuling(action string, g given) (engine.Command, error) {
	if call, ok := callActions[action]; ok {
		return call(g)
	}
	return g.command()
}

// keyOf returns the command's key. The two actions on one call share the form's key, so the action is appended.
func keyOf(form url.Values, action string) string {
	if _, ok := callActions[action]; ok {
		return form.Get("key") + "-" + action
	}
	return form.Get("key")
}

// ruled reports what a ruling did.
func (s *refereePages) ruled(c *gin.Context, tournamentID, table int64, action string, game templates.Game, g given,
	answer game.Answer) error {
	ctx := s.server.Request.Language(c)
	text := templates.T(ctx, "ruled."+action)
	if _, call := callActions[action]; !call {
		text = templates.T(ctx, g.text("ruled."))
		effect, err := s.server.View.Games.EffectAt(ctx, s.server.Request.Staff(c), game.ID, answer.Seq)
		if err != nil {
			return err
		}
		text += " " + strings.Join(templates.EffectWords(ctx, game, effect.Before, effect.After), " ")
	}
	back := templates.RulingPath(tournamentID, table)
	if c.PostForm("back") == "hall" {
		back = templates.HallPath(tournamentID)
	}
	return s.saidSo(c, back, text, answer.Seq)
}

// saidSo responds to a successful ruling: with JSON to a script, otherwise with a redirect and a message.
func (s *refereePages) saidSo(c *gin.Context, back templ.SafeURL, text string, seq int) error {
	if wantsJSON(c) {
		c.JSON(http.StatusOK, Said{text, seq})
		return nil
	}
	s.server.Page.Flash(c, text)
	return s.server.Page.SeeOther(c, back, "")
}

// ruleRefused responds to a rejected ruling: with an error to a script, otherwise with the sheet again.
func (s *refereePages) ruleRefused(c *gin.Context, action string, refusal error) error {
	if wantsJSON(c) {
		return refusal
	}
	text, status, err := s.server.Page.Problem(c, refusal)
	if err != nil {
		return err
	}
	if _, call := callActions[action]; call {
		return s.server.Page.At(templates.RulingPath(page.ID(c, "event"), page.ID(c, "table")))(c, status, text)
	}
	c.Params = append(c.Params, gin.Param{Key: "action", Value: action})
	if errors.As(refusal, new(*engine.Refusal)) && status == http.StatusConflict {
		text = "" // the sheet explains the newest state and what changed
	}
	return s.showRule(c, status, c.Request.PostForm, text)
}

func wantsJSON(c *gin.Context) bool {
	return strings.HasPrefix(c.GetHeader("Accept"), request.JSONKind)
}
