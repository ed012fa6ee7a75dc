package api

import (
	"context"
	"errors"
	"strings"

	"meldhall/engine"
	"meldhall/engine/ruleset"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/draw"
	"meldhall/tournament/format"
	"meldhall/tournament/rights"
	"meldhall/tournament/rulebook"
	"meldhall/web/request"
	"meldhall/web/view"
)

// FormatBody is a whole format. The version of a changed format is incremented automatically.
type FormatBody struct {
	Format  any    `json:"format" doc:"a whole format, as returned by GET /presets"`
	Players int    `json:"players,omitempty" minimum:"0" maximum:"5000" doc:"also return how the format works for this number of players"`
	Why     string `json:"why,omitempty" maxLength:"500" doc:"the reason, for the log; only for an event's own format"`
}

// RuleChange is a ruling that changes the rules from a round on.
type RuleChange struct {
	Number int            `json:"number"`
	From   int            `json:"from" doc:"the number of the first round under these rules"`
	Rules  map[string]any `json:"rules" doc:"the changed fields"`
	Why    string         `json:"why"`
}

// FormatAt names an organizer's own format, and a number of players for it.
type FormatAt struct {
	ID      int64 `path:"id" minimum:"1"`
	Players int   `query:"players" minimum:"0" maximum:"5000"`
}

// FormatView is an organizer's own format, or a tournament's copy.
type FormatView struct {
	ID      int64         `json:"id,omitempty" doc:"own-ID selects it in POST /tournaments"`
	Name    string        `json:"name"`
	By      string        `json:"by,omitempty"`
	Changed engine.Millis `json:"changed_at,omitempty"`
	Format  format.Format `json:"format"`
	Fit     *FormatFit    `json:"fit,omitempty"`
}

// FormatFit describes a format for a number of players: how many play in each stage, or why it cannot work.
type FormatFit struct {
	Players int    `json:"players"`
	Works   bool   `json:"works"`
	Stages  []int  `json:"stages" doc:"number of players in each stage, up to the first that does not work"`
	Code    string `json:"code,omitempty"`
	Field   string `json:"field,omitempty"`
	Message string `json:"message,omitempty" doc:"in the reader's language"`
}

func (a *api) formatOperations() {
	operation(a, forOrganizer, "GET /formats",
		"The organizers' own formats by name; the built-in ones are at /presets", a.apiFormats)
	operation(a, forOrganizer, "POST /formats", "Store a format, such as a copy of another one with fields changed",
		a.apiFormatNew)
	operation(a, forOrganizer, "POST /formats/check",
		"Check a format and how it works for a number of players, without storing it", a.apiFormatCheck)
	operation(a, forOrganizer, "GET /formats/{id}", "One of the organizers' own formats, and how it works for a "+
		"number of players",
		a.apiFormat)
	operation(a, forOrganizer, "POST /formats/{id}",
		"Replace one of the organizers' own formats; events created with it keep their copy", a.apiFormatSet)
	acts[tournament.RemoveFormat](a, forOrganizer, "POST /formats/{id}/remove",
		"Remove one of the organizers' own formats; events created with it keep their copy")
	operation(a, forOrganizer, "POST /tournaments/{id}/reopen",
		"Reopen an event that is over, adding a round if all were played, or preview that",
		a.apiReopen)
	operation(a, forOrganizer, "POST /tournaments/{id}/stages/{stage}/rounds",
		"Change the number of rounds of the current or a later stage, but not below the rounds drawn so far",
		a.apiStageRounds)
	changed := func(ctx context.Context, out rulebook.Changed) (TournamentDetail, error) {
		return a.tournamentDetail(ctx, out.Tournament)
	}
	shows[rulebook.ChangeRules](a, forOrganizer, "POST /tournaments/{id}/rules",
		"Change fields of an event's rules, until its first game is dealt", changed)
	shows[rulebook.RuleFrom](a, forOrganizer, "POST /tournaments/{id}/rules-from",
		"Change the rules from a round that has not begun", changed,
		describe("For an event whose first games have been dealt. These fields apply to the whole event and can't "+
			"change: "+strings.Join(rulebook.WholeEvent, ", ")+"."))
	shows[rulebook.CancelRuleChange](a, forOrganizer, "POST /tournaments/{id}/rules-back",
		"Cancel such a change before a game is played by it", changed)
	operation(a, forOrganizer, "GET /tournaments/{id}/format",
		"An event's copy of its format, and how it works for the entered players", a.apiEventFormat)
	operation(a, forOrganizer, "POST /tournaments/{id}/format",
		"Change an event's copy of its format; played rounds do not change", a.apiEventFormatSet,
		describe("In a stage that has begun, only names, times, seating and the number of rounds can change. The "+
			"number can't be less than the rounds drawn so far."))
}

func (a *api) apiFormats(ctx context.Context, _ *nothing) (*listOf[FormatView], error) {
	own, err := tournament.OwnFormats(ctx, a.View.Store, a.Request.Staff(requestOf(ctx)))
	if err != nil {
		return nil, err
	}
	views := make([]FormatView, len(own))
	for i, o := range own {
		if views[i], err = formatView(ctx, o, 0); err != nil {
			return nil, err
		}
	}
	return &listOf[FormatView]{views}, nil
}

func formatView(ctx context.Context, o tournament.OwnFormat, players int) (FormatView, error) {
	f, err := o.Format()
	return FormatView{ID: o.ID, Name: o.Name, By: view.ActorWords(ctx, o.Actor), Changed: o.ChangedAt, Format: f,
		Fit: formatFit(ctx, f, players, tableLeast, tableMost)}, err
}

// The limits for the number of players at a table when a tournament's rules are not given.
const (
	tableLeast = 2
	tableMost  = ruleset.MaxSeats
)

// formatFit returns the fit of a format, or nil if players is 0.
func formatFit(ctx context.Context, f format.Format, players, least, most int) *FormatFit {
	if players == 0 {
		return nil
	}
	field, err := f.Field(players, least, most)
	fit := &FormatFit{Players: players, Works: err == nil, Stages: append([]int{}, field...)}
	if err != nil {
		fit.Message = request.FailureOf(ctx, "", err).Message
	}
	var p *format.Problem
	if errors.As(err, &p) {
		fit.Code, fit.Field = p.Key, p.Field
	}
	return fit
}

func (a *api) apiFormat(ctx context.Context, in *FormatAt) (*with[FormatView], error) {
	own, err := tournament.FindOwnFormat(ctx, a.View.Store, a.Request.Staff(requestOf(ctx)), in.ID)
	if err != nil {
		return nil, err
	}
	return answer(formatView(ctx, own, in.Players))
}

func (a *api) apiFormatNew(ctx context.Context, in *with[FormatBody]) (*with[FormatView], error) {
	return a.formatKept(ctx, 0, in.Body)
}

func (a *api) apiFormatSet(ctx context.Context, in *idWith[FormatBody]) (*with[FormatView], error) {
	return a.formatKept(ctx, in.ID, in.Body)
}

func (a *api) formatKept(ctx context.Context, id int64, body FormatBody) (*with[FormatView], error) {
	actor := a.Request.Staff(requestOf(ctx))
	if err := rights.Authorize(actor, rights.Place{}, rights.MayShareFormats); err != nil {
		return nil, err
	}
	f, err := a.format(ctx, actor, body.Format)
	if err != nil {
		return nil, err
	}
	own, err := action.Do(ctx, a.Request.Desk, actor, tournament.SaveFormat{ID: id, Format: f})
	if err != nil {
		return nil, err
	}
	return answer(formatView(ctx, own, body.Players))
}

func (a *api) apiFormatCheck(ctx context.Context, in *with[FormatBody]) (*with[FormatView], error) {
	actor := a.Request.Staff(requestOf(ctx))
	if err := rights.Authorize(actor, rights.Place{}, rights.MayShareFormats); err != nil {
		return nil, err
	}
	f, err := a.format(ctx, actor, in.Body.Format)
	return answer(FormatView{Name: f.Name, Format: f, Fit: formatFit(ctx, f, in.Body.Players, tableLeast, tableMost)},
		err)
}

func (a *api) apiEventFormat(ctx context.Context, in *IDPath) (*with[FormatView], error) {
	if err := rights.Authorize(a.Request.Staff(requestOf(ctx)), rights.Place{Tournament: in.ID},
		rights.MayEditFormats); err != nil {
		return nil, err
	}
	t, err := tournament.TournamentByID(ctx, a.View.Store, in.ID)
	if err != nil {
		return nil, err
	}
	return answer(a.eventFormat(ctx, t))
}

func (a *api) eventFormat(ctx context.Context, t tournament.Tournament) (FormatView, error) {
	f, err := t.Format()
	if err != nil {
		return FormatView{}, err
	}
	rules, err := t.Rules()
	if err != nil {
		return FormatView{}, err
	}
	players, err := tournament.Players(ctx, a.View.Store, t.ID)
	entered := 0
	for _, p := range players {
		if !p.Withdrawn {
			entered++
		}
	}
	return FormatView{Name: f.Name, Format: f, Fit: formatFit(ctx, f, entered, rules.SeatsMin, rules.SeatsMax)}, err
}

func (a *api) apiEventFormatSet(ctx context.Context, in *idWith[FormatBody]) (*with[FormatView], error) {
	actor := a.Request.Staff(requestOf(ctx))
	if err := rights.Authorize(actor, rights.Place{Tournament: in.ID}, rights.MayEditFormats); err != nil {
		return nil, err
	}
	f, err := a.format(ctx, actor, in.Body.Format)
	if err != nil {
		return nil, err
	}
	t, err := action.Do(ctx, a.Request.Desk, actor, draw.ChangeFormat{Tournament: in.ID, Format: f,
		Why: in.Body.Why})
	if err != nil {
		return nil, err
	}
	return answer(a.eventFormat(ctx, t))
}
