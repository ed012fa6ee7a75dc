package desk

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"

	"github.com/gin-gonic/gin"

	"meldhall/engine/ruleset"
	"meldhall/templates"
	"meldhall/templates/desk"
	"meldhall/templates/locale"
	"meldhall/templates/part"
	"meldhall/templates/regulations"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/preset"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rulebook"
	"meldhall/tournament/spelling"
	"meldhall/web/page"
	"meldhall/web/view"
)

// rulesForm is the state of the form for a tournament's rules: the current rules, the typed values, and their problems.
type rulesForm struct {
	rulebook.State
	tournamentID int64
	shown        int // the round whose rules are shown; 0: the tournament's
	round        int // the round from which a ruling applies
	ruling       bool
	rules        ruleset.Ruleset
	typed        map[string]string
	changed      map[string]any
	why          string
	problem      string
	problems     []desk.FieldProblem
}

func (s *Pages) newRulesForm(c *gin.Context) (*rulesForm, error) {
	f := &rulesForm{tournamentID: page.ID(c, "event"), typed: map[string]string{}, changed: map[string]any{},
		why: c.PostForm("why")}
	var err error
	if f.State, err = rulebook.StateOf(s.Page.Request.Language(c), s.View.Store, s.Page.Request.Staff(c),
		f.tournamentID); err != nil {
		return nil, err
	}
	if f.ruling = f.Dealt(); f.ruling {
		f.shown = min(f.First, f.Last)
		if n, err := strconv.Atoi(c.PostForm("shown")); err == nil && n > f.shown && n <= f.Last {
			f.shown = n
		}
		f.round = f.shown
	}
	f.rules, err = f.RulesOf(f.shown)
	return f, err
}

// show selects the rules of the chosen round, which are shown with the typed values. It drops the typed values of
// unchanged fields, so that these follow the selected rules.
func (f *rulesForm) show() (err error) {
	for name := range f.typed {
		if _, changed := f.changed[name]; !changed && f.problemAt(name) == nil {
			delete(f.typed, name)
		}
	}
	if f.Dealt() && f.problemAt("round") == nil {
		f.shown = f.round
		f.rules, err = f.RulesOf(f.shown)
	}
	f.problems = nil
	return err
}

func (f *rulesForm) problemAt(name string) *desk.FieldProblem {
	if i := slices.IndexFunc(f.problems, func(p desk.FieldProblem) bool { return p.Name == name }); i >= 0 {
		return &f.problems[i]
	}
	return nil
}

// rulesPage is the form of all rules of a tournament. They can be edited until the first game is dealt, and changed by
// a ruling later.
func (s *Pages) rulesPage(c *gin.Context) error {
	f, err := s.newRulesForm(c)
	if err != nil {
		return err
	}
	return s.showRules(c, http.StatusOK, f)
}

// rulesPost previews the typed changes, applies them, or renders the form with them again, depending on the button.
func (s *Pages) rulesPost(c *gin.Context) error {
	f, err := s.newRulesForm(c)
	if err != nil {
		return err
	}
	ctx := s.Page.Request.Language(c)
	do := c.PostForm("do")
	if _, sent := c.GetPostForm("round"); do == "save" && !sent {
		f.ruling = false // previewed before the first deal; if dealt since, it is rejected
	}
	f.read(ctx, c)
	if len(f.problems) > 0 && do != "edit" {
		f.problem = locale.T(ctx, "formats.problems", "n", len(f.problems))
		return s.showRules(c, http.StatusUnprocessableEntity, f)
	}
	switch do {
	case "save":
		done := "event_rules.changed"
		if f.ruling {
			done = "event_rules.ruled"
		}
		return s.Page.Post(c, f.action(), func(c *gin.Context, status int, problem string) error {
			f.problem = problem
			return s.showRules(c, status, f)
		}, templates.RulesPath(f.tournamentID), done, "round", f.round)
	case "look":
		return s.lookAtRules(c, f)
	}
	if err := f.show(); err != nil {
		return err
	}
	return s.showRules(c, http.StatusOK, f)
}

// action returns the action that the form requests.
func (f *rulesForm) action() action.ActionOf[rulebook.Changed] {
	if f.ruling {
		return rulebook.RuleFrom{Tournament: f.tournamentID, Round: f.round, Rules: f.changed, Why: f.why}
	}
	return rulebook.ChangeRules{Tournament: f.tournamentID, Rules: f.changed, Why: f.why}
}

// read reads the typed values: the changed fields and their problems. A field that was not sent stays unchanged.
func (f *rulesForm) read(ctx context.Context, c *gin.Context) {
	wrong := func(name, label, text string) {
		f.problems = append(f.problems, desk.FieldProblem{Name: name, Label: label, Text: text})
	}
	if text, sent := c.GetPostForm("round"); sent && f.ruling {
		n, err := strconv.Atoi(text)
		if f.round = n; err != nil || n < f.First || n > f.Last {
			wrong("round", locale.T(ctx, "event_rules.round"),
				locale.T(ctx, "event_rules.range", "lo", f.First, "hi", f.Last))
		}
	}
	if f.ruling && spelling.Clean(f.why) == "" {
		wrong("why", locale.T(ctx, "event_rules.why"), locale.T(ctx, "event_rules.why_needed"))
	}
	values := rulebook.Values(f.rules)
	for _, name := range desk.RuleOrder() {
		text, sent := c.GetPostForm(name)
		if !sent {
			continue
		}
		f.typed[name] = text
		value, why := readRule(ctx, name, text)
		if why == "" && value != values[name] && f.ruling && slices.Contains(rulebook.WholeEvent, name) {
			why = locale.T(ctx, "event_rules.whole_only")
		}
		switch {
		case why != "":
			wrong(name, desk.RuleLabel(ctx, name), why)
		case value != values[name]:
			f.changed[name] = value
		}
	}
	least, _ := cmp.Or(f.changed["seats_min"], values["seats_min"]).(int)
	if most, ok := cmp.Or(f.changed["seats_max"], values["seats_max"]).(int); ok && most < least {
		wrong("seats_max", desk.RuleLabel(ctx, "seats_max"), locale.T(ctx, "event_rules.seats", "least", least))
	}
}

// readRule parses the text typed for a rule; why is the reason if it is invalid.
func readRule(ctx context.Context, name, text string) (value any, why string) {
	f := ruleset.RuleFieldNamed(name)
	text = spelling.Clean(text)
	switch {
	case f.Hi > 0:
		n, ok := spelling.Whole(text)
		if !ok || !f.Allows(n) {
			return nil, locale.T(ctx, "event_rules.number", "value", text, "lo", f.Lo, "hi", f.Hi)
		}
		return n, ""
	case !slices.Contains(desk.RuleWords(f), text):
		return nil, locale.T(ctx, "event_rules.choose")
	case len(f.Words) == 0:
		return text == "true", ""
	}
	return text, ""
}

// lookAtRules previews the change that the form requests.
func (s *Pages) lookAtRules(c *gin.Context, f *rulesForm) error {
	ctx := s.Page.Request.Language(c)
	out, err := action.Preview(ctx, s.Page.Request.Desk, s.Page.Request.Staff(c), f.action())
	if err != nil {
		return s.Page.Again(c, err, func(c *gin.Context, status int, problem string) error {
			f.problem = problem
			return s.showRules(c, status, f)
		})
	}
	look := &desk.RulesLook{Go: locale.T(ctx, "event_rules.do")}
	tell := func(key string, nameValues ...any) {
		look.Effects = append(look.Effects, locale.T(ctx, "event_rules."+key, nameValues...))
	}
	format, err := f.Tournament.Format()
	if err != nil {
		return err
	}
	for _, r := range out.Fields {
		text := locale.T(ctx, "event_rules.change", "rule", desk.RuleLabel(ctx, r.Name),
			"was", desk.RuleValue(ctx, r.Name, r.Was), "is", desk.RuleValue(ctx, r.Name, r.Is))
		look.Changes = append(look.Changes, regulations.RuleSaid{Text: text, Article: desk.RuleArticle(r.Name)})
		look.Fields = append(look.Fields, part.FormField{Name: r.Name, Value: f.typed[r.Name]})
		for _, stage := range r.Stages {
			tell("stage_keeps", "stage", view.StageName(ctx, format.Stages, stage), "rule",
				desk.RuleLabel(ctx, r.Name),
				"value", desk.RuleValue(ctx, r.Name, format.Stages[stage].Rules[r.Name]))
		}
	}
	switch {
	case len(out.Fields) == 0:
		tell("none")
	case f.Dealt():
		look.Go = locale.T(ctx, "event_rules.do_from", "round", f.round)
		tell("games_from", "round", f.round)
		tell("back_from", "round", f.round)
	default:
		tell("all_games")
		tell("back")
	}
	if f.Dealt() {
		look.Fields = append(look.Fields, part.FormField{Name: "round", Value: strconv.Itoa(f.round)},
			part.FormField{Name: "shown", Value: strconv.Itoa(f.shown)})
	}
	view, err := s.rulesView(c, f)
	if err != nil {
		return err
	}
	view.Look = look
	return page.ShowEvent(s.Page, c, http.StatusOK, locale.T(ctx, "event_rules.title"), &view, &view.Page,
		desk.RulesPage)
}

func (s *Pages) showRules(c *gin.Context, status int, f *rulesForm) error {
	view, err := s.rulesView(c, f)
	if err != nil {
		return err
	}
	return page.ShowEvent(s.Page, c, status, locale.T(s.Page.Request.Language(c), "event_rules.title"),
		&view, &view.Page,
		desk.RulesPage)
}

func (s *Pages) rulesView(c *gin.Context, f *rulesForm) (desk.RulesView, error) {
	ctx := s.Page.Request.Language(c)
	v := desk.RulesView{Event: f.tournamentID, Dealt: f.Dealt(), Shown: f.shown, Round: f.round, Why: f.why,
		Problem: f.problem, Problems: f.problems,
		Preset: view.TextOr(ctx, "rules."+f.rules.Name, f.rules.Name), Rows: map[string]desk.RuleRow{}}
	for n := f.First; f.Dealt() && f.Open() && n <= f.Last; n++ {
		v.Rounds = append(v.Rounds, n)
	}
	format, err := f.Tournament.Format()
	if err != nil {
		return v, err
	}
	base := f.rules.Name
	if _, known := s.View.Presets.Rules[base]; !known {
		base = preset.Usual
	}
	usual, err := s.View.Presets.RulesetFor(format, base, nil)
	if err != nil {
		return v, err
	}
	values, defaults := rulebook.Values(f.rules), rulebook.Values(usual)
	for _, name := range desk.RuleOrder() {
		row := desk.RuleRow{Value: desk.TypedRule(values[name]),
			Default: desk.RuleValue(ctx, name, defaults[name]), Same: values[name] == defaults[name]}
		if text, typed := f.typed[name]; typed {
			row.Value = text
		}
		if row.Whole = f.Dealt() && slices.Contains(rulebook.WholeEvent, name); row.Whole {
			row.Notes = append(row.Notes, locale.T(ctx, "event_rules.whole"))
		}
		for i, stage := range format.Stages {
			if own, ok := stage.Rules[name]; ok && !f.Dealt() {
				row.Notes = append(row.Notes, locale.T(ctx, "event_rules.stage", "stage",
					view.StageName(ctx, format.Stages, i), "value", desk.RuleValue(ctx, name, own)))
			}
		}
		v.Rows[name] = row
	}
	if err := s.addSaved(c, &v); err != nil {
		return v, err
	}
	if v.Rulings, err = view.RuledRules(ctx, f.Tournament, f.First); err != nil || f.Dealt() {
		return v, err
	}
	v.Last, err = s.lastRules(c, f.tournamentID)
	return v, err
}

// addSaved adds the rule sets that organizers have saved, if the reader may share them.
func (s *Pages) addSaved(c *gin.Context, v *desk.RulesView) error {
	own, err := tournament.AllOwnRules(c.Request.Context(), s.View.Store, s.Page.Request.Staff(c))
	if errors.Is(err, refuse.ErrForbidden) {
		return nil
	}
	v.MaySave = err == nil
	for _, o := range own {
		v.Saved = append(v.Saved, desk.SavedRules{ID: o.ID, Name: o.Name})
	}
	return err
}

// lastRules returns the newest change of a tournament's rules. It returns nil if there is none, or if the official may
// not see the log.
func (s *Pages) lastRules(c *gin.Context, tournamentID int64) (*desk.RulesStep, error) {
	ctx := s.Page.Request.Language(c)
	page, err := action.SearchRecords(ctx, s.View.Store, s.Page.Request.Staff(c), tournamentID,
		action.LogSearch{Kind: "tournament.rules", Limit: 1})
	if err != nil || len(page.Entries) == 0 {
		var refused *refuse.Error
		if errors.As(err, &refused) {
			err = nil
		}
		return nil, err
	}
	was, is, ok := rulebook.Recorded(page.Entries[0])
	if !ok {
		return nil, nil
	}
	last := &desk.RulesStep{Who: view.ActorWords(ctx, page.Entries[0].Actor)}
	for _, name := range desk.RuleOrder() {
		if before, changed := was[name]; changed {
			last.Lines = append(last.Lines, locale.T(ctx, "event_rules.change", "rule",
				desk.RuleLabel(ctx, name),
				"was", desk.RuleValue(ctx, name, before), "is", desk.RuleValue(ctx, name, is[name])))
			last.Fields = append(last.Fields, part.FormField{Name: name, Value: desk.TypedRule(before)})
		}
	}
	return last, nil
}
