// Package formats serves the pages on which organizers create formats and change a tournament's own copy of its format.
package formats

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"meldhall/engine/ruleset"
	"meldhall/templates"
	"meldhall/templates/desk"
	"meldhall/templates/locale"
	"meldhall/tournament"
	"meldhall/tournament/draw"
	"meldhall/tournament/format"
	"meldhall/tournament/preset"
	"meldhall/tournament/rights"
	"meldhall/tournament/rosterfile"
	"meldhall/tournament/spelling"
	"meldhall/web/formatform"
	"meldhall/web/page"
	"meldhall/web/request"
	"meldhall/web/view"
)

// Pages serves the pages about formats.
type Pages struct {
	Page *page.Base
	View *view.Reader
}

// AddTo adds the routes.
func (p *Pages) AddTo(pages *gin.RouterGroup) {
	pages.GET("/desk/formats", p.Page.Request.Handle(p.formatsPage))
	pages.GET("/desk/formats/new", p.Page.Request.Handle(p.newFormatPage))
	pages.POST("/desk/formats/new", p.Page.Request.Handle(p.newFormatPost))
	pages.GET("/desk/formats/:format", p.Page.Request.Handle(p.formatPage))
	pages.POST("/desk/formats/:format", p.Page.Request.Handle(p.formatPost))
	pages.GET("/desk/:event/format", p.Page.Request.Handle(p.eventFormatPage))
	pages.POST("/desk/:event/format", p.Page.Request.Handle(p.eventFormatPost))
}

// formatsPage lists the formats.
func (p *Pages) formatsPage(c *gin.Context) error {
	ctx := p.Page.Request.Language(c)
	own, err := tournament.OwnFormats(ctx, p.View.Store, p.Page.Request.Staff(c))
	if err != nil {
		return err
	}
	v := desk.FormatsView{Page: p.Page.NewPage(c, locale.T(ctx, "formats.title"), nil)}
	for _, o := range own {
		f, err := o.Format()
		if err != nil {
			return err
		}
		v.Own = append(v.Own, desk.FormatRow{ID: o.ID, From: view.OwnPrefix + strconv.FormatInt(o.ID, 10),
			Name: o.Name, Note: view.FormatNote(ctx, f), Source: f.Source})
	}
	for _, name := range preset.UsualFirst(p.View.Presets.Formats) {
		f := p.View.Presets.Formats[name]
		v.Presets = append(v.Presets, desk.FormatRow{From: name, Name: view.TextOr(ctx, "format."+name, name),
			Note: view.FormatNote(ctx, f), Source: f.Source})
	}
	return p.Page.Show(c, http.StatusOK, desk.FormatsPage(v))
}

// newFormatPage shows the form with a copy of another format (?from=).
func (p *Pages) newFormatPage(c *gin.Context) error {
	ctx := p.Page.Request.Language(c)
	if err := rights.Authorize(p.Page.Request.Staff(c), rights.Place{}, rights.MayShareFormats); err != nil {
		return err
	}
	from := c.Query("from")
	if from == "" {
		from = preset.Usual
	}
	f, err := p.View.FormatNamed(ctx, p.Page.Request.Staff(c), from)
	if err != nil {
		return err
	}
	f.Name = locale.T(ctx, "formats.copy_of", "name", view.TextOr(ctx, "format."+f.Name, f.Name))
	return p.showFormat(c, http.StatusOK, desk.FormatView{Action: templates.NewFormatPath}, formatform.Of(f), nil)
}

func (p *Pages) formatPage(c *gin.Context) error {
	id := page.ID(c, "format")
	own, err := tournament.FindOwnFormat(c.Request.Context(), p.View.Store, p.Page.Request.Staff(c), id)
	if err != nil {
		return err
	}
	f, err := own.Format()
	if err != nil {
		return err
	}
	return p.showFormat(c, http.StatusOK, desk.FormatView{ID: id, Action: templates.FormatPath(id)},
		formatform.Of(f), nil)
}

// newFormatPost and formatPost handle the form's buttons, which change the form or store the format.
func (p *Pages) newFormatPost(c *gin.Context) error {
	return p.formatForm(c, desk.FormatView{Action: templates.NewFormatPath}, p.storeFormat(0))
}

func (p *Pages) formatPost(c *gin.Context) error {
	id := page.ID(c, "format")
	return p.formatForm(c, desk.FormatView{ID: id, Action: templates.FormatPath(id)}, p.storeFormat(id))
}

func (p *Pages) storeFormat(id int64) func(c *gin.Context, f format.Format) error {
	return func(c *gin.Context, f format.Format) error {
		return p.Page.Post(c, tournament.SaveFormat{ID: id, Format: f}, nil, templates.FormatsPath, "formats.saved",
			"name",
			f.Name)
	}
}

// eventFormatPage shows the form of a tournament's own copy.
func (p *Pages) eventFormatPage(c *gin.Context) error {
	tournamentID := page.ID(c, "event")
	if err := rights.Authorize(p.Page.Request.Staff(c), rights.Place{Tournament: tournamentID},
		rights.MayEditFormats); err != nil {
		return err
	}
	_, f, err := p.View.Tournaments.WithFormat(c.Request.Context(), tournamentID)
	if err != nil {
		return err
	}
	return p.showFormat(c, http.StatusOK, desk.FormatView{Event: tournamentID,
		Action: templates.EventFormatPath(tournamentID)}, formatform.Of(f), nil)
}

func (p *Pages) eventFormatPost(c *gin.Context) error {
	tournamentID := page.ID(c, "event")
	return p.formatForm(c, desk.FormatView{Event: tournamentID, Action: templates.EventFormatPath(tournamentID)},
		func(c *gin.Context, f format.Format) error {
			return p.Page.Post(c, draw.ChangeFormat{Tournament: tournamentID, Format: f, Why: c.PostForm("why")},
				nil,
				templates.DeskPath(tournamentID), "formats.changed")
		})
}

// formatForm handles the pressed button: adding or dropping a stage, checking, or storing the format with keep.
func (p *Pages) formatForm(c *gin.Context, view desk.FormatView,
	keep func(*gin.Context, format.Format) error) error {
	if err := rights.Authorize(p.Page.Request.Staff(c), rights.Place{Tournament: view.Event},
		rights.MayEditFormats); err != nil {
		return err
	}
	values := formatform.Typed(c.Request.PostForm)
	was := ""
	if view.Event != 0 {
		_, f, err := p.View.Tournaments.WithFormat(c.Request.Context(), view.Event)
		if err != nil {
			return err
		}
		was = f.Name
	}
	formatform.WordsOf(p.Page.Request.Language(c), p.View.Presets).TakenBack(values, was)
	do, at, _ := strings.Cut(c.PostForm("do"), " ")
	switch stage, _ := strconv.Atoi(at); do {
	case "add":
		values.NewStage()
		return p.showFormat(c, http.StatusOK, view, values, nil)
	case "drop":
		values.DropStage(stage)
		return p.showFormat(c, http.StatusOK, view, values, nil)
	}
	f, problems := values.Read()
	if len(problems) > 0 {
		return p.showFormat(c, http.StatusUnprocessableEntity, view, values, problems)
	}
	view.Checked = true
	if do != "save" {
		return p.showFormat(c, http.StatusOK, view, values, nil)
	}
	err := keep(c, f)
	if err == nil {
		return nil
	}
	text, status, err := p.Page.Problem(c, err)
	if err != nil {
		return err
	}
	view.Problem = text
	return p.showFormat(c, status, view, values, nil)
}

// showFormat shows the form, with problems at their fields, and the number of players in each stage for a given field
// size.
func (p *Pages) showFormat(c *gin.Context, status int, view desk.FormatView, values formatform.Values,
	problems []*format.Problem) error {
	ctx := p.Page.Request.Language(c)
	var event *tournament.Tournament
	title := locale.T(ctx, "formats.edit")
	if view.ID == 0 && view.Event == 0 {
		title = locale.T(ctx, "formats.new_copy")
	}
	if view.Event != 0 {
		t, err := tournament.TournamentByID(ctx, p.View.Store, view.Event)
		if err != nil {
			return err
		}
		event = &t
		if values["players"] == "" {
			players, err := tournament.Players(ctx, p.View.Store, view.Event)
			if err != nil {
				return err
			}
			values["players"] = strconv.Itoa(len(players))
		}
	}
	view.Values, view.Stages, view.Ties = formatform.WordsOf(ctx, p.View.Presets).Put(values, view.Event != 0),
		values.Stages(), len(format.TieBreaks)
	view.Problems = map[string]string{}
	for _, problem := range problems {
		if _, ok := view.Problems[problem.Field]; !ok {
			why := request.FailureOf(ctx, "", problem.Args["why"].(error))
			// the choices are already listed in words
			if view.Problems[problem.Field] = why.Message; why.Code == "format_why.word" {
				view.Problems[problem.Field] = locale.T(ctx, "event_rules.choose")
			}
		}
	}
	if len(problems) > 0 {
		view.Problem = locale.T(ctx, "formats.problems", "n", len(view.Problems))
		for _, field := range slices.Sorted(maps.Keys(view.Problems)) {
			p.Page.FaultAt(c, view.Problem, view.Problems[field], formatFields(values, field)...)
		}
	} else {
		fit(ctx, &view, values, event)
	}
	view.Page = p.Page.NewPage(c, title, event)
	return p.Page.Show(c, status, desk.FormatPage(view))
}

// formatFields returns the form's fields for a field of the format: the field itself, the one that contains it as a
// part (table_points[1]), or the line that names a rule.
func formatFields(values formatform.Values, field string) []string {
	if at, rule, ok := strings.Cut(field, "rules."); ok {
		for i := range desk.RuleLinesMost {
			if line := desk.RuleAt(at, i); values[line+".name"] == rule {
				if ruleset.RuleFieldNamed(rule).Name == "" {
					return []string{line + ".name"}
				}
				return []string{line + ".value"}
			}
		}
	}
	whole, _, _ := strings.Cut(field[strings.LastIndexByte(field, '.')+1:], "[")
	return []string{field, field[:strings.LastIndexByte(field, '.')+1] + whole}
}

// fit sets how many players take part in each stage for the number of entrants in the form, or why the format does not
// work for it.
func fit(ctx context.Context, v *desk.FormatView, values formatform.Values, event *tournament.Tournament) {
	n, isNumber := spelling.Whole(values["players"])
	f, problems := values.Read()
	if !isNumber || n <= 0 || len(problems) > 0 {
		return
	}
	if n > rosterfile.Rows {
		v.Misfit = locale.T(ctx, "err_players_too_many", "players", n, "most", rosterfile.Rows)
		return
	}
	lo, hi := 2, 4
	if event != nil {
		if rules, err := event.Rules(); err == nil {
			lo, hi = rules.SeatsMin, rules.SeatsMax
		}
	}
	field, err := f.Field(n, lo, hi)
	for i, players := range field {
		v.Field = append(v.Field, desk.FieldRow{Stage: view.StageName(ctx, f.Stages, i), Players: players})
	}
	var p *format.Problem
	if errors.As(err, &p) {
		v.Misfit = request.FailureOf(ctx, "", p).Message
		v.Problems[p.Field] = v.Misfit
	}
}
