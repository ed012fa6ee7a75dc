package desk

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"

	"github.com/gin-gonic/gin"

	"meldhall/templates/desk"
	"meldhall/templates/locale"
	"meldhall/templates/play"
	"meldhall/templates/public"
	"meldhall/tournament"
	"meldhall/tournament/preset"
	"meldhall/tournament/rights"
	"meldhall/tournament/spelling"
	"meldhall/web/page"
	"meldhall/web/view"
)

// deskListPage lists the tournaments for organizers.
func (s *Pages) deskListPage(c *gin.Context) error {
	ctx, actor := s.Page.Request.Language(c), s.Page.Request.Staff(c)
	if err := rights.Authorize(actor, rights.Place{}, rights.MaySeatRound); err != nil {
		return err
	}
	rows, err := s.View.EventRows(ctx, actor)
	if err != nil {
		return err
	}
	rows = slices.DeleteFunc(rows, func(e public.EventRow) bool { return !actor.Serves(e.ID) })
	gone, err := tournament.Unlisted(ctx, s.View.Store)
	if err != nil {
		return err
	}
	gone = slices.DeleteFunc(gone, func(t tournament.Tournament) bool { return !actor.Serves(t.ID) })
	unlisted, err := s.View.RowsOf(ctx, actor, gone)
	if err != nil {
		return err
	}
	page := s.Page.NewPage(c, locale.T(ctx, "events.title"), nil)
	return s.Page.Show(c, http.StatusOK, desk.DeskListPage(desk.DeskListView{Page: page, Events: rows,
		Unlisted: unlisted,
		MayMake:  rights.Authorize(actor, rights.Place{}, rights.MayCreateTournament) == nil,
		MayCopy:  rights.Authorize(actor, rights.Place{}, rights.MayBackUp) == nil}))
}

func (s *Pages) newEventPage(c *gin.Context) error {
	return s.showNewEvent(c, http.StatusOK, desk.NewEventView{})
}

func (s *Pages) showNewEvent(c *gin.Context, status int, v desk.NewEventView) error {
	ctx := s.Page.Request.Language(c)
	if err := rights.Authorize(s.Page.Request.Staff(c), rights.Place{}, rights.MayCreateTournament); err != nil {
		return err
	}
	v.Page = s.Page.NewPage(c, locale.T(ctx, "events.new"), nil)
	own, err := tournament.OwnFormats(ctx, s.View.Store, s.Page.Request.Staff(c))
	if err != nil {
		return err
	}
	rows, err := s.View.EventRows(ctx, s.Page.Request.Staff(c))
	if err != nil {
		return err
	}
	if i := slices.IndexFunc(rows, func(e public.EventRow) bool { return !e.Foreign }); i >= 0 {
		v.Latest = rows[i]
	}
	var mine []play.Choice
	for _, o := range own {
		f, err := o.Format()
		if err != nil {
			return err
		}
		mine = append(mine, play.Choice{Value: view.OwnPrefix + strconv.FormatInt(o.ID, 10), Name: o.Name,
			Text: view.FormatNote(ctx, f)})
	}
	usual := play.Choice{Name: locale.T(ctx, "format.usual"), Text: locale.T(ctx, "format.usual.text")}
	v.RuleSets = view.RuleChoices(ctx, s.View.Presets)
	v.RuleSets, v.MoreSets = grouped(ctx, v.RuleSets, ruleGroups)
	saved, err := tournament.AllOwnRules(ctx, s.View.Store, s.Page.Request.Staff(c))
	if err != nil {
		return err
	}
	for _, o := range saved {
		v.RuleSets = append(v.RuleSets, play.Choice{Value: view.OwnPrefix + strconv.FormatInt(o.ID, 10), Name: o.Name})
	}
	v.Formats, v.More = groupedFormats(ctx, slices.Insert(formatChoices(ctx, s.View.Presets), 0, usual), mine)
	return s.Page.Show(c, status, desk.NewEventPage(v))
}

// changesTyped returns the single rules that the form changes, by field.
func changesTyped(c *gin.Context) map[string]string {
	typed := map[string]string{}
	for _, field := range slices.Concat(desk.RuleFields, desk.RuleChoices) {
		if text := spelling.Clean(c.PostForm("rule-" + field)); text != "" {
			typed[field] = text
		}
	}
	return typed
}

// changedRules converts the typed changes to the JSON that changes a rule set, or nil for no change.
func changedRules(typed map[string]string) ([]byte, error) {
	if len(typed) == 0 {
		return nil, nil
	}
	changes := map[string]any{}
	for field, text := range typed {
		if slices.Contains(desk.RuleChoices, field) {
			changes[field] = text
			continue
		}
		n, err := page.WholeNumber(field, text)
		if err != nil {
			return nil, err
		}
		changes[field] = n
	}
	return json.Marshal(changes)
}

func formatChoices(ctx context.Context, presets preset.Library) []play.Choice {
	var choices []play.Choice
	for _, name := range preset.UsualFirst(presets.Formats) {
		choices = append(choices, play.Choice{Value: name, Name: view.TextOr(ctx, "format."+name, name),
			Text: view.TextOr(ctx, "format."+name+".text", view.FormatNote(ctx, presets.Formats[name]))})
	}
	return choices
}

// A presetGroup holds presets that the form for a new tournament lists together, under a heading if Title is not empty.
// Presets in no group are in the list that is always visible.
type presetGroup struct {
	Title string
	Names []string
}

var ruleGroups = []presetGroup{{"", []string{"casual", "family", "wrc-50"}}}

var formatGroups = []presetGroup{
	{"events.formats_europe", []string{"belgium", "czech", "germany-2024", "mso", "netherlands", "poland",
		"wermelskirchen", "zorawina", "zory"}},
	{"events.formats_asia", []string{"japan-2023", "kdgame", "korea-2017", "korea-2024", "kuwana", "taiwan", "twipla"}},
	{"events.formats_else", []string{"gwinnett", "invite", "open", "rounds"}},
}

// ownOpen is the largest number of the organizers' own formats that the visible list contains. If there are more, all
// of them are listed under a heading.
const ownOpen = 3

// groupedFormats returns the formats of the visible list (first), and the others by heading (more).
func groupedFormats(ctx context.Context, all, mine []play.Choice) (first []play.Choice,
	more []play.Choices) {
	first, more = grouped(ctx, all, formatGroups)
	if len(mine) > ownOpen {
		return first, slices.Insert(more, 0, play.Choices{Title: locale.T(ctx, "formats.own"), List: mine})
	}
	return slices.Insert(first, min(2, len(first)), mine...), more
}

// grouped splits choices into those in no group (first) and the groups that have any (more).
func grouped(ctx context.Context, all []play.Choice, groups []presetGroup) (first []play.Choice,
	more []play.Choices) {
	first = all
	for _, g := range groups {
		in := func(c play.Choice) bool { return slices.Contains(g.Names, c.Value) }
		group := play.Choices{List: slices.DeleteFunc(slices.Clone(first),
			func(c play.Choice) bool { return !in(c) })}
		if g.Title != "" {
			group.Title = locale.T(ctx, g.Title)
		}
		if first = slices.DeleteFunc(first, in); len(group.List) > 0 {
			more = append(more, group)
		}
	}
	return first, more
}
