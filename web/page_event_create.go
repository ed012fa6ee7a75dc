package web

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"meldhall/engine"
	"meldhall/templates"
	"meldhall/tournament"
	"meldhall/tournament/rights"
)

// usualPreset is the one that stands first and is chosen where nothing else is.
const usualPreset = "wrc"

func (s *deskPages) newEventPage(c *gin.Context) error {
	return s.showNewEvent(c, http.StatusOK, templates.NewEventView{})
}

func (s *deskPages) showNewEvent(c *gin.Context, status int, view templates.NewEventView) error {
	ctx := s.language(c)
	if err := rights.Authorize(s.staff(c), rights.Place{}, rights.MayCreateTournament); err != nil {
		return err
	}
	view.Page = s.newPage(c, templates.T(ctx, "events.new"), nil)
	own, err := tournament.OwnFormats(ctx, s.store, s.staff(c))
	if err != nil {
		return err
	}
	var choices []templates.Choice
	for _, o := range own {
		f, err := o.Format()
		if err != nil {
			return err
		}
		choices = append(choices, templates.Choice{Value: ownPrefix + strconv.FormatInt(o.ID, 10), Name: o.Name, Text: formatNote(ctx, f)})
	}
	view.Formats, view.RuleSets = slices.Insert(formatChoices(ctx, s.presets), 1, choices...), ruleChoices(ctx, s.presets)
	return s.show(c, status, templates.NewEventPage(view))
}

func (s *deskPages) newEventPost(c *gin.Context) error {
	view := templates.NewEventView{Name: c.PostForm("name"), Place: c.PostForm("place"), Format: c.PostForm("format"),
		Rules: c.PostForm("rules"), Tiles: c.PostForm("tiles"), Changes: changesTyped(c)}
	t, err := s.createEvent(c, view)
	if err == nil {
		return s.seeOther(c, templates.RosterPath(t.ID), "events.made")
	}
	text, status, err := s.problem(c, err)
	if err != nil {
		return err
	}
	view.Problem = text
	return s.showNewEvent(c, status, view)
}

func (s *deskPages) createEvent(c *gin.Context, view templates.NewEventView) (t tournament.Tournament, err error) {
	n := tournament.CreateTournament{Name: view.Name, Place: view.Place, Tiles: view.Tiles}
	if n.Format, err = s.formatNamed(c.Request.Context(), s.staff(c), view.Format); err != nil {
		return t, err
	}
	changes, err := changedRules(view.Changes)
	if err != nil {
		return t, err
	}
	if n.Rules, err = s.presets.RulesetFor(n.Format, view.Rules, changes); err != nil {
		return t, err
	}
	return tournament.Do(c.Request.Context(), s.desk, s.staff(c), n)
}

// changesTyped are the single rules that were typed, in the order of the form.
func changesTyped(c *gin.Context) map[string]string {
	typed := map[string]string{}
	for _, field := range slices.Concat(templates.RuleFields, templates.RuleChoices) {
		if text := strings.TrimSpace(c.PostForm("rule-" + field)); text != "" {
			typed[field] = text
		}
	}
	return typed
}

// changedRules makes of what was typed the JSON that a rule set is changed by; nil for no change.
func changedRules(typed map[string]string) ([]byte, error) {
	if len(typed) == 0 {
		return nil, nil
	}
	changes := map[string]any{}
	for field, text := range typed {
		if slices.Contains(templates.RuleChoices, field) {
			changes[field] = text
			continue
		}
		n, err := wholeNumber(field, text)
		if err != nil {
			return nil, err
		}
		changes[field] = n
	}
	return json.Marshal(changes)
}

func formatChoices(ctx context.Context, presets tournament.Presets) []templates.Choice {
	var choices []templates.Choice
	for _, name := range usualFirst(presets.Formats) {
		choices = append(choices, templates.Choice{Value: name, Name: textOr(ctx, "format."+name, name),
			Text: textOr(ctx, "format."+name+".text", formatNote(ctx, presets.Formats[name]))})
	}
	return choices
}

func ruleChoices(ctx context.Context, presets tournament.Presets) []templates.Choice {
	var choices []templates.Choice
	for _, name := range usualFirst(presets.Rules) {
		choices = append(choices, templates.Choice{Value: name, Name: textOr(ctx, "rules."+name, name),
			Text: textOr(ctx, "rules."+name+".text", "")})
	}
	return choices
}

func usualFirst[P any](presets map[string]P) []string {
	return slices.SortedFunc(maps.Keys(presets), func(a, b string) int {
		return cmp.Or(-compareTruth(a == usualPreset, b == usualPreset), cmp.Compare(a, b))
	})
}

func compareTruth(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// rulesName is a rule set's name in the reader's language, with a sign that it differs from its preset.
func (s *views) rulesName(ctx context.Context, rules engine.Ruleset) string {
	name := textOr(ctx, "rules."+rules.Name, rules.Name)
	if preset, ok := s.presets.Rules[rules.Name]; ok && preset != rules {
		return templates.T(ctx, "rules.changed", "name", name)
	}
	return name
}
