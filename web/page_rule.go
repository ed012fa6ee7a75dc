package web

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/a-h/templ"
	"github.com/gin-gonic/gin"

	"meldhall/engine"
	"meldhall/templates"
	"meldhall/tournament"
)

// partHeader marks a request of our own script, which wants a part of a page.
const partHeader = "X-Part"

// rulePage shows what a ruling would do.
func (s *Server) rulePage(c *gin.Context) error {
	return s.showRule(c, http.StatusOK, c.Request.URL.Query(), "")
}

// showRule shows a ruling on the state as it is now: its exact effect, or why it cannot hold, and what other officials
// have ruled since the state that was looked at.
func (s *Server) showRule(c *gin.Context, status int, form url.Values, problem string) error {
	event, table, err := tableParams(c)
	if err != nil {
		return err
	}
	ctx, actor := s.language(c), s.staff(c)
	view, err := s.ruleView(ctx, actor, event, table, c.Param("action"), form)
	if err != nil {
		return err
	}
	if problem != "" {
		view.Problem = problem
	}
	s.attention.Looks(event, table, actor)
	if c.GetHeader(partHeader) != "" {
		return s.show(c, status, templates.Confirm(view))
	}
	t, err := s.store.TournamentByID(ctx, event)
	if err != nil {
		return err
	}
	view.Page = s.newPage(c, view.Title, &t)
	return s.show(c, status, templates.ConfirmPage(view))
}

// ruleView fills the sheet of one ruling.
func (s *views) ruleView(ctx context.Context, actor tournament.Actor, event, table int64, action string, form url.Values) (view templates.ConfirmView, err error) {
	rule, ok := rulings[action]
	if !ok {
		return view, refused(http.StatusNotFound, "err_page_not_found", "path", action)
	}
	game, snap, err := s.ruledGame(ctx, actor, event, table, form)
	if err != nil {
		return view, err
	}
	g := s.given(form, action, actor, snap.State)
	view = templates.ConfirmView{Event: event, TableID: table, Table: game.Place.Table, Action: action, Game: game.ID,
		Seen: snap.State.Seq, Back: templates.RulingPath(event, table), Post: templates.RulingPath(event, table) + templ.SafeURL("/"+action),
		Key: formKey(game.ID, snap.State.Seq, action, form), Ruling: s.attention.At(table, actor), Reason: form.Get("reason")}
	if action == "position" && !form.Has("table") {
		form.Set("table", tableText(snap.State.Table)) // what is not typed anew stays
	}
	view.Fields = formFields(rule.fields, form)
	form.Set("canned", chosenReason(&view, form))
	again := url.Values{"game": {strconv.FormatInt(game.ID, 10)}, "seen": {form.Get("seen")}, "canned": {form.Get("canned")}, "reason": {form.Get("reason")}, "free": form["free"]}
	for _, f := range view.Fields {
		again.Add(f.Name, f.Value)
	}
	view.Again = string(templates.RulePath(event, table, action)) + "?" + again.Encode()
	view.Title = ruleTitle(ctx, game, action, g)
	addFree(ctx, &view, action, g)
	view.Since = ruledSince(ctx, game, actor.Name, form.Get("seen"))
	g.Values = maps.Clone(form)
	g.Del("seen") // what was ruled since is shown
	if err = s.addEffect(ctx, actor, &view, game, snap.Ref, g); err == nil {
		return view, nil
	}
	f := failureOf(ctx, "", err)
	if f.Status != http.StatusConflict && f.Status != http.StatusUnprocessableEntity {
		return view, err
	}
	view.Problem = f.Message
	return view, nil
}

// addEffect says exactly what a ruling would do now.
func (s *views) addEffect(ctx context.Context, actor tournament.Actor, view *templates.ConfirmView, game templates.Game, ref tournament.GameRef, g given) error {
	if sanctionRules[g.action] != "" {
		return s.sanctionEffect(ctx, actor, view, game, ref, g)
	}
	command, err := rulings[g.action].read(g)
	if err != nil {
		return err
	}
	effect, err := s.games.Preview(ctx, actor, game.ID, command)
	if err == nil {
		view.Effects = templates.EffectWords(ctx, game, effect.Before, effect.After)
	}
	return err
}

// ruledGame is the game that a form names, which must be the table's.
func (s *views) ruledGame(ctx context.Context, actor tournament.Actor, event, table int64, form url.Values) (game templates.Game, snap *tournament.Snapshot, err error) {
	if err := tournament.Authorize(actor, tournament.Place{Tournament: event, Table: table, Seat: -1}, tournament.MayRule); err != nil {
		return game, nil, err
	}
	id, err := strconv.ParseInt(form.Get("game"), 10, 64)
	if err != nil {
		return game, nil, tournament.Refuse(tournament.NotFound, "err_game_not_found", "id", form.Get("game"))
	}
	if game, snap, err = s.watchedGame(ctx, id, engine.Referee); err != nil {
		return game, nil, err
	}
	if snap.Ref.TableID != table || snap.Ref.TournamentID != event {
		return game, nil, tournament.Refuse(tournament.NotFound, "err_game_not_found", "id", id)
	}
	return game, snap, nil
}

// chosenReason lists the canned reasons of a ruling and gives the chosen one: the usual one unless the form says
// otherwise.
func chosenReason(view *templates.ConfirmView, form url.Values) string {
	list := templates.ReasonsFor(view.Action)
	chosen := ""
	if _, said := form["canned"]; said {
		chosen = form.Get("canned")
	} else if len(list) > 0 {
		chosen = list[0].Code
	}
	for _, r := range list {
		view.Reasons = append(view.Reasons, templates.ReasonChoice{Reason: r, Chosen: r.Code == chosen})
	}
	return chosen
}

func (s *views) given(form url.Values, action string, actor tournament.Actor, state engine.State) given {
	return given{form, action, actor.Name, state, s.games.Deal}
}

// ruledSince are the rulings of others since a state that was looked at.
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

// ruleTitle is the ruling in one sentence.
func ruleTitle(ctx context.Context, game templates.Game, action string, g given) string {
	seat, _ := g.number("seat")
	tiles, _ := g.number("tiles")
	seconds, _ := g.number("seconds")
	turn, _ := g.number("turn")
	points, _ := g.number("points")
	key, of := "say.rule."+action, ""
	switch action {
	case "illegal", "skip":
		seat = game.View.Turn.Seat
	case "waive":
		seat = proposedSeat(game, g.Get("proposal"))
	case "cancel":
		of = ruledAt(ctx, game, g.Get("of"))
	case "rewind":
		if turn == game.View.Turn.Number {
			key += "_now"
		}
		turn, _ = g.number("number")
	case "penalty":
		key = "say.rule.tiles"
		if tiles == 0 {
			key = "say.rule.notice"
		}
	case "time":
		if seconds < 0 {
			key, seconds = "say.rule.time_back", -seconds
		}
	}
	return templates.T(ctx, key, "name", game.NameOf(seat), "n", tiles, "seconds", seconds, "turn", turn, "points", points, "ruling", of)
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

// addFree lets a number be changed where the form asks for that.
func addFree(ctx context.Context, view *templates.ConfirmView, action string, g given) {
	if action == "position" {
		view.Text = &templates.TextField{Name: "table", Label: templates.T(ctx, "position.table"), Hint: templates.T(ctx, "position.hint"), Value: g.Get("table")}
	}
	if g.Get("free") == "" {
		return
	}
	switch action {
	case "points":
		n, _ := g.number("points")
		view.Amount = &templates.Amount{Name: "points", Label: templates.T(ctx, "col.points"), Value: n, Least: 1, Most: 1000}
	case "penalty", "illegal":
		n, _ := g.number("tiles")
		view.Amount = &templates.Amount{Name: "tiles", Label: templates.T(ctx, "ruling.tiles"), Value: n, Least: 0, Most: 20}
	case "time":
		n, _ := g.number("seconds")
		view.Amount = &templates.Amount{Name: "seconds", Label: templates.T(ctx, "ruling.seconds"), Value: n, Least: -600, Most: 600}
	}
}

// tableText is a table as it is typed: a set a line.
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

// Said is the answer to a ruling that a script sent.
type Said struct {
	Said string `json:"said"`
	Seq  int    `json:"seq"`
}

// rulingPost gives a ruling at a table, says what it did, and goes back to the table. One that comes upon another
// official's is shown anew with that.
func (s *Server) rulingPost(action string) func(*gin.Context) error {
	return func(c *gin.Context) error {
		event, table, err := tableParams(c)
		if err != nil {
			return err
		}
		if err := readForm(c); err != nil {
			return err
		}
		ctx, actor, form := s.language(c), s.staff(c), c.Request.PostForm
		game, snap, err := s.ruledGame(ctx, actor, event, table, form)
		if err != nil {
			return err
		}
		g := s.given(form, action, actor, snap.State)
		if sanctionRules[action] != "" {
			return s.sanctionRuled(c, event, table, g, snap.Ref)
		}
		command, err := readRuling(action, g)
		if err != nil {
			return s.ruleRefused(c, action, err)
		}
		answer, err := s.games.Submit(ctx, actor, game.ID, keyOf(form, action), command)
		if err != nil {
			return s.ruleRefused(c, action, err)
		}
		return s.ruled(c, event, table, action, game, answer)
	}
}

func readRuling(action string, g given) (engine.Command, error) {
	if call, ok := callActions[action]; ok {
		return call(g)
	}
	return rulings[action].read(g)
}

// keyOf is the form's key; the two keys of one call share it, and are two commands.
func keyOf(form url.Values, action string) string {
	if _, ok := callActions[action]; ok {
		return form.Get("key") + "-" + action
	}
	return form.Get("key")
}

// ruled says what a ruling did.
func (s *Server) ruled(c *gin.Context, event, table int64, action string, game templates.Game, answer tournament.Answer) error {
	ctx := s.language(c)
	done := "ruled." + strings.ReplaceAll(action, "-", "_")
	if answer.Outcome == (engine.NoticeGiven{}).Kind() {
		done = "ruled.notice"
	}
	text := templates.T(ctx, done)
	if _, call := callActions[action]; !call {
		effect, err := s.games.EffectAt(ctx, s.staff(c), game.ID, answer.Seq)
		if err != nil {
			return err
		}
		text += " " + strings.Join(templates.EffectWords(ctx, game, effect.Before, effect.After), " ")
	}
	back := templates.RulingPath(event, table)
	if c.PostForm("back") == "hall" {
		back = templates.HallPath(event)
	}
	return s.saidSo(c, back, text, answer.Seq)
}

// saidSo answers a ruling that holds: to a script with what it did, to a reader with the page that says so.
func (s *Server) saidSo(c *gin.Context, back templ.SafeURL, text string, seq int) error {
	if wantsJSON(c) {
		c.JSON(http.StatusOK, Said{text, seq})
		return nil
	}
	s.flash(c, text)
	return s.seeOther(c, back, "")
}

// ruleRefused answers a ruling that does not hold: to a script as every error, to a reader with the sheet again.
func (s *Server) ruleRefused(c *gin.Context, action string, refusal error) error {
	if wantsJSON(c) {
		return refusal
	}
	text, status, err := s.problem(c, refusal)
	if err != nil {
		return err
	}
	if _, call := callActions[action]; call {
		return s.showRuling(c, status, text)
	}
	c.Params = append(c.Params, gin.Param{Key: "action", Value: action})
	if errors.As(refusal, new(*engine.Refusal)) && status == http.StatusConflict {
		text = "" // the sheet says on the newest state what holds, and what has come between
	}
	return s.showRule(c, status, c.Request.PostForm, text)
}

func wantsJSON(c *gin.Context) bool { return strings.HasPrefix(c.GetHeader("Accept"), jsonKind) }
