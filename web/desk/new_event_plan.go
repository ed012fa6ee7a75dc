package desk

import (
	"cmp"
	"context"
	"errors"

	"github.com/gin-gonic/gin"

	"meldhall/templates/desk"
	"meldhall/templates/locale"
	"meldhall/tournament/format"
	"meldhall/tournament/refuse"
	"meldhall/tournament/spelling"
	"meldhall/web/request"
	"meldhall/web/view"
)

// withRounds sets the number of rounds of a format's first stage; if typed is empty, the format keeps its own.
func withRounds(f format.Format, typed string) (format.Format, error) {
	typed = spelling.Clean(typed)
	if typed == "" {
		return f, nil
	}
	n, isNumber := spelling.Whole(typed)
	if !isNumber || n < 1 || n > format.MaxRounds {
		return f, refuse.Invalid("err_new_rounds", "rounds", typed, "most", format.MaxRounds)
	}
	f.Stages = append([]format.Stage{}, f.Stages...)
	f.Stages[0].Rounds = n
	return f, nil
}

// planNewEvent previews on the form how the tournament would run for the typed players. It creates nothing.
func (s *Pages) planNewEvent(c *gin.Context, v desk.NewEventView, players int) (desk.NewEventView,
	error) {
	ctx := s.Page.Request.Language(c)
	f, err := s.formatFor(c, v, players)
	if err != nil {
		return v, err
	}
	rules, err := s.View.RulesNamed(ctx, s.Page.Request.Staff(c), f, v.Rules, nil)
	if err != nil {
		return v, err
	}
	var field []int
	if players > 0 {
		var misfit *format.Problem
		if field, err = f.Field(players, rules.SeatsMin, rules.SeatsMax); errors.As(err, &misfit) {
			v.Misfit = request.FailureOf(ctx, "", misfit).Message
			return v, nil
		}
	}
	rounds, minutes := 0, 0
	for i, stage := range f.Stages {
		line := view.StageName(ctx, f.Stages, i) + ": " + planOfStage(ctx, stage)
		if i < len(field) {
			if tables, err := stage.Seat(field[i], rules.SeatsMin, rules.SeatsMax); err == nil {
				line += " · " + locale.T(ctx, "event.players", "n", field[i]) + " · " +
					locale.T(ctx, "round.tables", "n", len(tables))
			}
		}
		v.Plan = append(v.Plan, line)
		rounds, minutes = rounds+stage.Rounds, minutes+stage.Rounds*cmp.Or(stage.RoundMinutes, roundMinutes)
	}
	minutes += (rounds - 1) * pauseMinutes
	v.Plan = append(v.Plan, locale.T(ctx, "events.plan_time", "n", rounds, "hours", minutes/60, "minutes",
		minutes%60, "pause", pauseMinutes))
	return v, nil
}

// planOfStage describes the rounds of a stage, their games and their length.
func planOfStage(ctx context.Context, stage format.Stage) string {
	key := "stage.rounds"
	if stage.Until != "" {
		key = "stage.rounds_most"
	}
	return locale.T(ctx, key, "n", stage.Rounds) + " · " +
		locale.T(ctx, "stage.games", "n", stage.GamesPerRound) + " · " +
		locale.T(ctx, "stage.minutes", "n", cmp.Or(stage.RoundMinutes, roundMinutes))
}
