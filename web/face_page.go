package web

import (
	"context"
	"errors"
	"slices"

	"meldhall/engine"
	"meldhall/templates"
	"meldhall/tournament"
	"meldhall/tournament/floor"
	"meldhall/tournament/game"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/schedule"
	"meldhall/web/venue"
)

// face is what an event's page says at a glance besides its standings, to a reader who sees so much.
func (s *publicPages) face(ctx context.Context, reader rights.Actor, standings tournament.Standings, rounds []tournament.Round, sight tournament.Sight) (templates.FaceView, error) {
	t := standings.Tournament
	view := templates.FaceView{Event: t.ID}
	if t.Status == tournament.StatusFinished {
		view.Podium = podiumOf(ctx, standings)
		turns, err := s.past.Finest(ctx, reader, t.ID)
		view.Turns = turns
		return view, err
	}
	if !venue.Played(standings) {
		for _, r := range standings.Rows {
			view.Players = append(view.Players, templates.PastName{ID: r.Player, Name: r.Name, Country: r.Country})
		}
		order := templates.NameOrder(ctx)
		slices.SortStableFunc(view.Players, func(a, b templates.PastName) int { return order(a.Name, b.Name) })
		in, err := tournament.RegistrationOf(ctx, s.Store, t.ID)
		if err != nil {
			return view, err
		}
		view.Register, view.Free = in.Open, in.Free()
	}
	if err := s.facePlan(ctx, &view); err != nil {
		return view, err
	}
	if round, ok := venue.CurrentRound(rounds); ok && round.Status == tournament.RoundRunning && sight.AtTables().Round(round) {
		return view, s.faceRound(ctx, reader, round, sight, &view)
	}
	return view, nil
}

// facePlan says when the event begins, or what its plan has next.
func (s *publicPages) facePlan(ctx context.Context, view *templates.FaceView) error {
	table, _, err := s.Timetable(ctx, view.Event)
	if err != nil {
		return err
	}
	begun := slices.ContainsFunc(table.Slots, func(slot schedule.SlotNow) bool { return slot.Began != 0 })
	for i, slot := range table.Slots {
		if slot.Began != 0 || slot.Passed || i == table.Current {
			continue
		}
		next := templates.FaceSlot{At: slot.Starts, What: slot.Name}
		if slot.Round != 0 {
			next.What = templates.T(ctx, "round.title", "number", slot.Round)
		}
		if begun {
			view.Next = next
		} else {
			view.Begins = next
		}
		return nil
	}
	return nil
}

// faceRound says how far a round is, and shows its featured table. How far is told only where everybody sees the tables as they are.
func (s *publicPages) faceRound(ctx context.Context, reader rights.Actor, round tournament.Round, sight tournament.Sight, view *templates.FaceView) error {
	current, err := s.CurrentInRound(ctx, view.Event, round.ID, sight.Tables)
	if err != nil {
		return err
	}
	if sight.Tables == tournament.Always {
		pace, err := s.Pace(ctx, view.Event, round.ID)
		if err != nil {
			return err
		}
		view.Tables, view.Ends = len(pace.Tables), pace.Ends
		for _, at := range pace.Tables {
			if at.Done() {
				view.Done++
			}
		}
	}
	chosen, err := venue.Kept(ctx, s.Venue, view.Event, "featured", func(ctx context.Context) (int, error) {
		return floor.FeaturedTable(ctx, s.Store, view.Event)
	})
	if err != nil {
		return err
	}
	if i := slices.IndexFunc(current, func(at game.CurrentGame) bool { return at.TableNumber == chosen }); i > 0 {
		current = slices.Concat(current[i:i+1], current[:i], current[i+1:])
	}
	for _, at := range current {
		seen, err := s.Seen(ctx, reader, at.Game)
		if errors.Is(err, refuse.ErrForbidden) || errors.Is(err, game.ErrBroken) {
			continue
		}
		if err != nil {
			return err
		}
		if seen.Snap.State.Phase != engine.PhasePlaying {
			continue
		}
		shown, err := s.shownGame(ctx, seen, engine.Spectator)
		view.Table, view.TableID = &shown, at.Table
		s.featured.Store(view.Event, at.Table)
		return err
	}
	s.featured.Delete(view.Event)
	return nil
}

// podiumOf are who stands beside the champion of an event that is over.
func podiumOf(ctx context.Context, standings tournament.Standings) (steps []templates.PodiumStep) {
	if len(standings.Titles) == 0 {
		return nil
	}
	for i, row := range venue.RankRows(ctx, standings, nil) {
		place := standings.Rows[i].Place
		if place < 2 || place > podiumPlaces || row.Disqualified {
			continue
		}
		if n := len(steps); n == 0 || steps[n-1].Place != place {
			steps = append(steps, templates.PodiumStep{Place: place})
		}
		steps[len(steps)-1].Who = append(steps[len(steps)-1].Who, row)
	}
	return steps
}

const podiumPlaces = 3
