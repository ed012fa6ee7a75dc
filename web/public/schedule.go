package public

import (
	"context"

	"github.com/a-h/templ"

	"meldhall/engine"
	"meldhall/templates/public"
	"meldhall/tournament/draw"
	"meldhall/tournament/rights"
	"meldhall/web/page"
	"meldhall/web/view"
)

// schedule returns a function that renders a tournament's current schedule.
func (s *views) schedule(tournamentID int64) page.PublicDraw {
	return func(ctx context.Context, _ rights.Actor) (templ.Component, error) {
		state, err := s.View.Tournaments.State(ctx, tournamentID)
		if err != nil {
			return nil, err
		}
		table, _, err := s.View.Schedule.Timetable(ctx, tournamentID)
		if err != nil {
			return nil, err
		}
		partly, started, err := s.partlyNow(ctx, tournamentID)
		if err != nil {
			return nil, err
		}
		view := public.ScheduleView{Event: tournamentID, State: state, Has: len(table.Slots) > 0, Behind: table.Behind,
			Begun: table.Begun(engine.MillisOf(s.View.Store.Now()))}
		for i, slot := range table.Slots {
			row := public.ScheduleRow{Round: slot.Round, Name: slot.Name, PlannedFrom: slot.StartsAt,
				PlanEnd: slot.EndsAt, From: slot.Starts, Until: slot.Ends, State: "planned"}
			switch {
			case slot.Over != 0 || slot.Passed:
				row.State = "over"
			case i == table.Current:
				row.State = "running"
			case slot.Round == partly: // the plan waits for the others
				row.Started = started
			}
			view.Rows = append(view.Rows, row)
		}
		return public.ScheduleRegion(view), nil
	}
}

// partlyNow returns the number of the current round and a text about its started tables, if only single tables of it
// were started. Otherwise it returns -1 and "".
func (s *views) partlyNow(ctx context.Context, tournamentID int64) (number int, words string, err error) {
	rounds, err := draw.Rounds(ctx, s.View.Store, tournamentID)
	if err != nil {
		return -1, "", err
	}
	round, ok := view.CurrentRound(rounds)
	if !ok || !view.PartlyStarted(round) {
		return -1, "", nil
	}
	words, err = s.View.Schedule.StartedWords(ctx, round)
	return round.Number, words, err
}
