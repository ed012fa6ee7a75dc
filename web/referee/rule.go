package referee

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
	"meldhall/engine/tile"
	"meldhall/templates"
	"meldhall/templates/locale"
	"meldhall/templates/play"
	"meldhall/templates/referee"
	"meldhall/tournament/game"
	"meldhall/tournament/game/record"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/web/page"
	"meldhall/web/request"
	"meldhall/web/rulingform"
)

// rulePage previews a ruling.
func (s *Pages) rulePage(c *gin.Context) error {
	return s.showRule(c, http.StatusOK, c.Request.URL.Query(), "")
}

// showRule renders a ruling's preview on the current state: its exact effect or why it is impossible, and the rulings
// of other officials since the state that was previewed.
func (s *Pages) showRule(c *gin.Context, status int, form url.Values, problem string) error {
	tournamentID, table := page.ID(c, "event"), page.ID(c, "table")
	ctx, actor := s.Page.Request.Language(c), s.Page.Request.Staff(c)
	view, err := s.views.ruleView(ctx, actor, tournamentID, table, c.Param("action"), form)
	if err != nil {
		return err
	}
	if problem != "" {
		view.Problem = problem
	}
	s.View.Attention.Looks(tournamentID, table, actor)
	if c.GetHeader(page.PartHeader) != "" {
		return s.Page.Show(c, status, referee.Confirm(view))
	}
	return page.ShowEvent(s.Page, c, status, view.Title, &view, &view.Page, referee.ConfirmPage)
}

// ruleView returns the preview of one ruling.
func (s *views) ruleView(ctx context.Context, actor rights.Actor, tournamentID, table int64, action string,
	form url.Values) (view referee.ConfirmView, err error) {
	kind, ok := engine.RulingKindNamed(action)
	if !ok {
		return view, request.Refused(http.StatusNotFound, "err_page_not_found", "path", action)
	}
	game, snap, err := s.ruledGame(ctx, actor, tournamentID, table, form)
	if err != nil {
		return view, err
	}
	g := rulingform.New(form, kind, actor, snap.State)
	view = referee.ConfirmView{Event: tournamentID, TableID: table, Table: game.Place.Table, Action: action,
		Game: game.ID,
		Seen: snap.State.Seq, Back: templates.RulingPath(tournamentID, table),
		Post: templates.RulingPath(tournamentID, table) + templ.SafeURL("/"+action),
		Key:  rulingform.FormKey(g, action, game.ID, snap.State.Seq), Ruling: s.View.Attention.At(table, actor),
		Reason: form.Get("reason")}
	if g.TypesTable() && !form.Has("table") {
		form.Set("table", tableText(snap.State.Table)) // by default the table stays as it is
	}
	view.Fields = g.Carried()
	form.Set("canned", chosenReason(&view, kind, snap.State.Rulings.Undecided(), form))
	again := url.Values{"game": {strconv.FormatInt(game.ID, 10)}, "seen": {form.Get("seen")},
		"canned": {form.Get("canned")}, "reason": {form.Get("reason")}, "free": form["free"]}
	for _, f := range view.Fields {
		again.Add(f.Name, f.Value)
	}
	view.Again = string(templates.RulePath(tournamentID, table, action)) + "?" + again.Encode()
	back, err := s.turnsFrom(ctx, g, game)
	if err != nil {
		return view, err
	}
	view.Title, view.StartsHeld = ruleTitle(ctx, game, g, back), g.StartsHeld()
	addFree(ctx, &view, g)
	view.Since = ruledSince(ctx, game, actor.Name, form.Get("seen"))
	g.Values = maps.Clone(form)
	g.Del("seen") // newer rulings are already shown
	if err = s.addEffect(ctx, actor, &view, game, snap.Ref, g); err == nil {
		if len(back) > 0 {
			view.Effects = append([]string{locale.T(ctx, "sheet.taken_back", "turns",
				strings.Join(turnWords(ctx, game, back, turnsPreviewed), " "))}, view.Effects...)
		}
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
func (s *views) addEffect(ctx context.Context, actor rights.Actor, view *referee.ConfirmView, game play.Game,
	ref game.Ref, g rulingform.Form) error {
	if g.Kind.Apart {
		return s.penaltyEffect(ctx, actor, view, game, ref, g)
	}
	command, err := g.Command()
	if err != nil {
		return err
	}
	effect, err := s.View.Games.Preview(ctx, actor, game.ID, command)
	if err == nil {
		view.Effects = play.EffectWords(ctx, game, effect.Before, effect.After)
	}
	return err
}

// ruledGame returns the game that a form names, with its state. The game must belong to the table.
func (s *views) ruledGame(ctx context.Context, actor rights.Actor, tournamentID, table int64,
	form url.Values) (game play.Game, snap *game.Snapshot, err error) {
	if err := rights.Authorize(actor, rights.Place{Tournament: tournamentID, Table: table, Seat: -1},
		rights.MayRule); err != nil {
		return game, nil, err
	}
	id, err := strconv.ParseInt(form.Get("game"), 10, 64)
	if err != nil {
		return game, nil, refuse.NotFound("err_game_not_found", "id", form.Get("game"))
	}
	if game, snap, err = s.View.WatchedGame(ctx, id, engine.Referee); err != nil {
		return game, nil, err
	}
	if snap.Ref.TableID != table || snap.Ref.TournamentID != tournamentID {
		return game, nil, refuse.NotFound("err_game_not_found", "id", id)
	}
	return game, snap, nil
}

// chosenReason adds a ruling's canned reasons to the view and returns the code of the chosen one. If the ruling decides
// a proposal, the proposal's reason comes first. The first reason is the default.
func chosenReason(view *referee.ConfirmView, kind engine.RulingKind, proposals []engine.Proposal,
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
		view.Reasons = append(view.Reasons, referee.ReasonChoice{RulingReason: r, Chosen: r.Code == chosen})
	}
	return chosen
}

// ruledSince returns other officials' rulings since the state that was previewed.
func ruledSince(ctx context.Context, game play.Game, by, seen string) (since []referee.RulingLine) {
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

// ruleTitle describes the ruling in one sentence.
func ruleTitle(ctx context.Context, game play.Game, g rulingform.Form, back []record.PublicTurn) string {
	number := func(field string) int {
		n, _ := g.Number(field)
		return n
	}
	seat := game.View.Turn.Seat
	if len(back) > 0 {
		seat = back[0].Seat
	} else if _, named := g.Kind.Field("seat"); named {
		seat = number("seat")
	} else if _, proposed := g.Kind.Field("proposal"); proposed {
		seat = proposedSeat(game, g.Get("proposal"))
	}
	if g.StartsHeld() {
		return locale.T(ctx, "say.rule.start_anyway")
	}
	return locale.T(ctx, g.Text("say.rule."), "name", game.NameOf(seat), "n", number("tiles"), "seconds",
		max(number("seconds"), -number("seconds")),
		"turn", number("number"), "points", number("points"), "ruling", ruledAt(ctx, game, g.Get("of")))
}

func proposedSeat(game play.Game, proposal string) int {
	for _, p := range game.View.Proposals {
		if strconv.Itoa(p.Seq) == proposal {
			return p.Seat
		}
	}
	return -1
}

func ruledAt(ctx context.Context, game play.Game, seq string) string {
	for _, r := range game.View.Rulings {
		if strconv.Itoa(r.Seq) == seq {
			return newRulingLine(ctx, game, r).Text
		}
	}
	return ""
}

// addFree adds a text field if the ruling contains a typed table, and a number field if the form requests one.
func addFree(ctx context.Context, view *referee.ConfirmView, g rulingform.Form) {
	if g.TypesTable() {
		view.Text = &referee.TextField{Name: "table", Label: locale.T(ctx, "position.table"),
			Hint: locale.T(ctx, "position.hint"), Value: g.Get("table")}
	}
	if g.Get("free") == "" {
		return
	}
	for _, f := range g.Kind.Fields {
		if f.Offered != 0 {
			n, _ := g.Number(f.Name)
			view.Amount = &referee.Amount{Name: f.Name, Label: locale.T(ctx, "ruling."+f.Name), Value: n,
				Least: max(f.Least, -f.Offered), Most: min(f.Most, f.Offered)}
		}
	}
}

// tableText formats a table for typing, one set per line.
func tableText(table tile.Table) string {
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
// official's ruling, it renders the preview again, with that ruling.
func (s *Pages) rulingPost(action string) func(*gin.Context) error {
	return func(c *gin.Context) error {
		tournamentID, table := page.ID(c, "event"), page.ID(c, "table")
		ctx, actor, form := s.Page.Request.Language(c), s.Page.Request.Staff(c), c.Request.PostForm
		game, snap, err := s.views.ruledGame(ctx, actor, tournamentID, table, form)
		if err != nil {
			return err
		}
		kind, _ := engine.RulingKindNamed(action)
		g := rulingform.New(form, kind, actor, snap.State)
		if kind.Apart {
			return s.penaltyRuled(c, tournamentID, table, g, snap.Ref)
		}
		command, err := rulingform.Read(action, g)
		if err != nil {
			return s.ruleRefused(c, action, err)
		}
		answer, err := s.View.Games.Submit(ctx, actor, game.ID, keyOf(form, action), command)
		if err != nil {
			return s.ruleRefused(c, action, err)
		}
		if err := s.Page.Signed(ctx, actor, tournamentID, game.ID, answer); err != nil {
			return err
		}
		return s.ruled(c, tournamentID, table, action, game, g, answer)
	}
}

// keyOf returns the command's key. The two actions on one call share the form's key, so the action is appended.
func keyOf(form url.Values, action string) string {
	if _, ok := rulingform.CallActions[action]; ok {
		return form.Get("key") + "-" + action
	}
	return form.Get("key")
}

// ruled responds to a ruling with a text about its effect.
func (s *Pages) ruled(c *gin.Context, tournamentID, table int64, action string, game play.Game, g rulingform.Form,
	answer game.Answer) error {
	ctx := s.Page.Request.Language(c)
	text := locale.T(ctx, "ruled."+action)
	if _, call := rulingform.CallActions[action]; !call {
		text = locale.T(ctx, g.Text("ruled."))
		effect, err := s.View.Games.EffectAt(ctx, s.Page.Request.Staff(c), game.ID, answer.Seq)
		if err != nil {
			return err
		}
		text += " " + strings.Join(play.EffectWords(ctx, game, effect.Before, effect.After), " ")
	}
	back := templates.RulingPath(tournamentID, table)
	if c.PostForm("back") == "hall" {
		back = templates.HallPath(tournamentID)
	}
	return s.saidSo(c, back, text, answer.Seq)
}

// saidSo responds to a successful ruling: with JSON to a script, otherwise with a redirect and a message.
func (s *Pages) saidSo(c *gin.Context, back templ.SafeURL, text string, seq int) error {
	if wantsJSON(c) {
		c.JSON(http.StatusOK, Said{text, seq})
		return nil
	}
	s.Page.Flash(c, text)
	return s.Page.SeeOther(c, back, "")
}

// ruleRefused responds to a rejected ruling: with an error to a script, otherwise with the ruling's preview again or,
// for an action on a call, with the table's sheet.
func (s *Pages) ruleRefused(c *gin.Context, action string, refusal error) error {
	if wantsJSON(c) {
		return refusal
	}
	text, status, err := s.Page.Problem(c, refusal)
	if err != nil {
		return err
	}
	if _, call := rulingform.CallActions[action]; call {
		return s.Page.At(rulingOf(c))(c, status, text)
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
