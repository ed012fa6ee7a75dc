package web

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"meldhall/templates"
	"meldhall/tournament"
	"meldhall/tournament/organization"
	"meldhall/tournament/preset"
	"meldhall/tournament/rights"
	"meldhall/tournament/schedule"
	"meldhall/web/page"
	"meldhall/web/view"
)

// homePage lists the tournaments for the public.
func (s *publicPages) homePage(c *gin.Context) error {
	ctx := s.server.Request.Language(c)
	rows, err := s.server.Views.eventRows(ctx, s.server.Request.Staff(c))
	if err != nil {
		return err
	}
	page := s.server.Page.NewPage(c, templates.T(ctx, "home.title"), nil)
	return s.server.Page.Show(c, http.StatusOK, templates.HomePage(templates.HomeView{Page: page, Events: rows}))
}

// deskListPage lists the tournaments for organizers.
func (s *deskPages) deskListPage(c *gin.Context) error {
	ctx, actor := s.server.Request.Language(c), s.server.Request.Staff(c)
	if err := rights.Authorize(actor, rights.Place{}, rights.MaySeatRound); err != nil {
		return err
	}
	rows, err := s.server.Views.eventRows(ctx, actor)
	if err != nil {
		return err
	}
	rows = slices.DeleteFunc(rows, func(e templates.EventRow) bool { return !actor.Serves(e.ID) })
	page := s.server.Page.NewPage(c, templates.T(ctx, "events.title"), nil)
	return s.server.Page.Show(c, http.StatusOK, templates.DeskListPage(templates.DeskListView{Page: page, Events: rows,
		MayMake: rights.Authorize(actor, rights.Place{}, rights.MayCreateTournament) == nil,
		MayCopy: rights.Authorize(actor, rights.Place{}, rights.MayBackUp) == nil}))
}

func (s *views) eventRows(ctx context.Context, reader rights.Actor) ([]templates.EventRow, error) {
	all, err := tournament.Tournaments(ctx, s.View.Store)
	if err != nil {
		return nil, err
	}
	return s.rowsOf(ctx, reader, all)
}

// rowsOf returns the rows of a list of tournaments, without those that are hidden from the reader.
func (s *views) rowsOf(ctx context.Context, reader rights.Actor, all []tournament.Tournament) ([]templates.EventRow,
	error) {
	hosts, err := organization.ByNumber(ctx, s.View.Store)
	if err != nil {
		return nil, err
	}
	all = view.VisibleTo(reader, all)
	rows := make([]templates.EventRow, len(all))
	for i, t := range all {
		sight, err := s.View.SightOf(ctx, reader, t.ID)
		if err != nil {
			return nil, err
		}
		listed, err := s.View.ListedAt(ctx, t.ID, sight.Standings)
		if err != nil {
			return nil, err
		}
		rounds, err := s.View.Rounds(ctx, t.ID)
		if err != nil {
			return nil, err
		}
		rows[i] = newEventRow(ctx, t, listed, rounds)
		rows[i].Host, rows[i].Foreign = hosts[t.OrganizationID].Name, !reader.Serves(t.ID)
		if t.Status == tournament.StatusDraft {
			in, err := tournament.RegistrationOf(ctx, s.View.Store, t.ID)
			if err != nil {
				return nil, err
			}
			slots, err := schedule.Slots(ctx, s.View.Store, t.ID)
			if err != nil {
				return nil, err
			}
			if rows[i].Register = in.Open; len(slots) > 0 {
				rows[i].Begins = slots[0].StartsAt
			}
		}
	}
	return rows, nil
}

func newEventRow(ctx context.Context, t tournament.Tournament, listed view.Listed,
	rounds []tournament.Round) templates.EventRow {
	row := templates.EventRow{ID: t.ID, Name: t.Name, Place: t.Place, Status: t.Status, Players: listed.Players}
	if round, ok := view.CurrentRound(rounds); ok && t.Status == tournament.StatusRunning {
		row.Now = view.NowWords(ctx, listed.Stages, round)
	}
	if row.Leader = strings.Join(listed.First, ", "); len(listed.First) > 3 { // with many leaders only their number
		row.Leader = templates.T(ctx, "event.players", "n", len(listed.First))
	}
	return row
}

func (s *deskPages) newEventPage(c *gin.Context) error {
	return s.showNewEvent(c, http.StatusOK, templates.NewEventView{})
}

func (s *deskPages) showNewEvent(c *gin.Context, status int, v templates.NewEventView) error {
	ctx := s.server.Request.Language(c)
	if err := rights.Authorize(s.server.Request.Staff(c), rights.Place{}, rights.MayCreateTournament); err != nil {
		return err
	}
	v.Page = s.server.Page.NewPage(c, templates.T(ctx, "events.new"), nil)
	own, err := tournament.OwnFormats(ctx, s.server.View.Store, s.server.Request.Staff(c))
	if err != nil {
		return err
	}
	var mine []templates.Choice
	for _, o := range own {
		f, err := o.Format()
		if err != nil {
			return err
		}
		mine = append(mine, templates.Choice{Value: view.OwnPrefix + strconv.FormatInt(o.ID, 10), Name: o.Name,
			Text: view.FormatNote(ctx, f)})
	}
	usual := templates.Choice{Name: templates.T(ctx, "format.usual"), Text: templates.T(ctx, "format.usual.text")}
	v.RuleSets = ruleChoices(ctx, s.server.View.Presets)
	v.RuleSets, v.MoreSets = grouped(ctx, v.RuleSets, ruleGroups)
	v.Formats, v.More = groupedFormats(ctx, slices.Insert(formatChoices(ctx, s.server.View.Presets), 0, usual), mine)
	return s.server.Page.Show(c, status, templates.NewEventPage(v))
}

// changesTyped returns the single rules that the form changes, by field.
func changesTyped(c *gin.Context) map[string]string {
	typed := map[string]string{}
	for _, field := range slices.Concat(templates.RuleFields, templates.RuleChoices) {
		if text := strings.TrimSpace(c.PostForm("rule-" + field)); text != "" {
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
		if slices.Contains(templates.RuleChoices, field) {
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

func formatChoices(ctx context.Context, presets preset.Library) []templates.Choice {
	var choices []templates.Choice
	for _, name := range preset.UsualFirst(presets.Formats) {
		choices = append(choices, templates.Choice{Value: name, Name: view.TextOr(ctx, "format."+name, name),
			Text: view.TextOr(ctx, "format."+name+".text", view.FormatNote(ctx, presets.Formats[name]))})
	}
	return choices
}

// A presetGroup holds presets that the form for a new tournament lists under a heading, or under none. Presets in no
// group are in the open list.
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

// ownOpen is the most formats of the organizers' own that the open list includes; more of them get a heading.
const ownOpen = 3

// groupedFormats returns the formats of the open list, and the others by heading.
func groupedFormats(ctx context.Context, all, mine []templates.Choice) (first []templates.Choice,
	more []templates.Choices) {
	first, more = grouped(ctx, all, formatGroups)
	if len(mine) > ownOpen {
		return first, slices.Insert(more, 0, templates.Choices{Title: templates.T(ctx, "formats.own"), List: mine})
	}
	return slices.Insert(first, min(2, len(first)), mine...), more
}

// grouped splits choices into those that are in no group and the groups.
func grouped(ctx context.Context, all []templates.Choice, groups []presetGroup) (first []templates.Choice,
	more []templates.Choices) {
	first = all
	for _, g := range groups {
		in := func(c templates.Choice) bool { return slices.Contains(g.Names, c.Value) }
		group := templates.Choices{List: slices.DeleteFunc(slices.Clone(first),
			func(c templates.Choice) bool { return !in(c) })}
		if g.Title != "" {
			group.Title = templates.T(ctx, g.Title)
		}
		if first = slices.DeleteFunc(first, in); len(group.List) > 0 {
			more = append(more, group)
		}
	}
	return first, more
}

func ruleChoices(ctx context.Context, presets preset.Library) []templates.Choice {
	var choices []templates.Choice
	for _, name := range preset.UsualFirst(presets.Rules) {
		choices = append(choices, templates.Choice{Value: name, Name: view.TextOr(ctx, "rules."+name, name),
			Text: view.TextOr(ctx, "rules."+name+".text", "")})
	}
	return choices
}
