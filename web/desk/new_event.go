package desk

import (
	"context"
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"

	"meldhall/templates"
	"meldhall/templates/desk"
	"meldhall/templates/locale"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/format"
	"meldhall/tournament/people"
	"meldhall/tournament/preset"
	"meldhall/tournament/rosterfile"
	"meldhall/tournament/spelling"
	"meldhall/web/request"
)

// smallFormat is the preset that replaces the usual one if there are too few players for it.
const smallFormat = "quick"

func (s *Pages) newEventPost(c *gin.Context) error {
	view := desk.NewEventView{Name: c.PostForm("name"), Place: c.PostForm("place"),
		FirstDay: c.PostForm("first_day"), Players: c.PostForm("players"),
		Format: c.PostForm("format"),
		Rules:  c.PostForm("rules"), Tiles: c.PostForm("tiles"), Rounds: c.PostForm("rounds"), Changes: changesTyped(c)}
	ctx := s.Page.Request.Language(c)
	entered, problem, err := playersTyped(ctx, view.Players)
	if err != nil {
		return err
	}
	if problem != "" {
		view.Problem = problem
		s.Page.FaultAt(c, problem, problem, "players")
		return s.showNewEvent(c, http.StatusUnprocessableEntity, view)
	}
	again := func(c *gin.Context, status int, text string) error {
		view.Problem = text
		return s.showNewEvent(c, status, view)
	}
	if c.PostForm("do") == "plan" {
		if view, err = s.planNewEvent(c, view, entered); err != nil {
			return s.Page.Again(c, err, again)
		}
		return s.showNewEvent(c, http.StatusOK, view)
	}
	t, err := s.createEvent(c, view, entered)
	if err != nil {
		return s.Page.Again(c, err, again)
	}
	if entered == 0 {
		return s.Page.SeeOther(c, templates.RosterPath(t.ID), "events.made")
	}
	return s.Page.SeeOther(c, templates.DeskPath(t.ID), "events.made_with", "n", entered)
}

func (s *Pages) createEvent(c *gin.Context, view desk.NewEventView,
	players int) (t tournament.Tournament, err error) {
	n := people.CreateTournament{Name: view.Name, Place: view.Place, Tiles: view.Tiles,
		Details: tournament.Details{FirstDay: view.FirstDay}}
	if players > 0 {
		n.Roster = view.Players
	}
	if n.Format, err = s.formatFor(c, view, players); err != nil {
		return t, err
	}
	changes, err := changedRules(view.Changes)
	if err != nil {
		return t, err
	}
	if n.Rules, err = s.View.RulesNamed(c.Request.Context(), s.Page.Request.Staff(c), n.Format, view.Rules,
		changes); err != nil {
		return t, err
	}
	return action.Do(c.Request.Context(), s.Page.Request.Desk, s.Page.Request.Staff(c), n)
}

// formatFor returns the chosen format with the typed number of rounds.
func (s *Pages) formatFor(c *gin.Context, view desk.NewEventView, players int) (format.Format, error) {
	f, err := s.formatChosen(c, view, players)
	if err != nil {
		return f, err
	}
	return withRounds(f, view.Rounds)
}

// formatChosen returns the chosen format. Without a choice it returns the usual one, or smallFormat if the usual one
// cannot work for the number of players.
func (s *Pages) formatChosen(c *gin.Context, view desk.NewEventView, players int) (format.Format, error) {
	if view.Format != "" {
		return s.View.FormatNamed(c.Request.Context(), s.Page.Request.Staff(c), view.Format)
	}
	f, err := s.View.Presets.Format(preset.Usual)
	if err != nil || players == 0 {
		return f, err
	}
	rules, err := s.View.RulesNamed(c.Request.Context(), s.Page.Request.Staff(c), f, view.Rules, nil)
	if err == nil && f.For(players, rules.SeatsMin, rules.SeatsMax) != nil {
		return s.View.Presets.Format(smallFormat)
	}
	return f, err
}

// playersTyped returns the number of players typed into the form of a new tournament, and a text with the first
// problems in the reader's language, or "" if there are none.
func playersTyped(ctx context.Context, typed string) (n int, problem string, err error) {
	if spelling.Clean(typed) == "" {
		return 0, "", nil
	}
	roster, err := rosterfile.Parse(ctx, typed, rosterfile.How{})
	if err != nil {
		return 0, "", err
	}
	var lines []string
	double := false
	for _, p := range roster.Problems {
		f := request.FailureOf(ctx, "", p.Err)
		lines, double = append(lines, f.Message), double || f.Code == "err_roster_double"
	}
	lines = lines[:min(3, len(lines))]
	if double {
		lines = append(lines, locale.T(ctx, "events.players_double"))
	}
	return len(roster.Rows), strings.Join(lines, " "), nil
}
