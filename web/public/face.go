package public

import (
	"context"
	"errors"
	"slices"

	"meldhall/engine"
	"meldhall/templates/locale"
	"meldhall/templates/public"
	"meldhall/tournament"
	"meldhall/tournament/game"
	"meldhall/tournament/people"
	"meldhall/tournament/ranking"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/schedule"
	"meldhall/tournament/screen"
	"meldhall/web/view"
)

// face returns what a tournament's page shows besides its standings, limited to what the reader may see.
func (s *Pages) face(ctx context.Context, reader rights.Actor, standings ranking.Standings,
	rounds []tournament.Round, sight tournament.Sight) (public.FaceView, error) {
	t := standings.Tournament
	v := public.FaceView{Event: t.ID}
	if t.Status == tournament.StatusFinished {
		v.Podium = podiumOf(ctx, standings)
		turns, err := s.past.finest(ctx, reader, t.ID)
		v.Turns = turns
		return v, err
	}
	if !view.Played(standings) {
		for _, r := range standings.Rows {
			v.Players = append(v.Players, public.PastName{ID: r.Player, Name: r.Name, Country: r.Country})
		}
		order := locale.NameOrder(ctx)
		slices.SortStableFunc(v.Players, func(a, b public.PastName) int { return order(a.Name, b.Name) })
		in, err := people.RegistrationOf(ctx, s.View.Store, t.ID)
		if err != nil {
			return v, err
		}
		v.Register, v.Free = in.Open, in.Free()
	}
	if err := s.facePlan(ctx, &v); err != nil {
		return v, err
	}
	if round, ok := view.CurrentRound(rounds); ok && round.Status == tournament.RoundRunning &&
		sight.AtTables().Round(round) {
		return v, s.faceRound(ctx, reader, round, sight, &v)
	}
	return v, nil
}

// facePlan adds when the tournament begins, or the next slot of its schedule.
func (s *Pages) facePlan(ctx context.Context, view *public.FaceView) error {
	table, _, err := s.View.Schedule.Timetable(ctx, view.Event)
	if err != nil {
		return err
	}
	begun := slices.ContainsFunc(table.Slots, func(slot schedule.SlotNow) bool { return slot.Began != 0 })
	for i, slot := range table.Slots {
		if slot.Began != 0 || slot.Passed || i == table.Current {
			continue
		}
		next := public.FaceSlot{At: slot.Starts, What: slot.Name}
		if slot.Round != 0 {
			next.What = locale.T(ctx, "round.title", "number", slot.Round)
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

// faceRound adds the round's progress and its featured table. It adds progress only if the public sees the tables
// without delay.
func (s *Pages) faceRound(ctx context.Context, reader rights.Actor, round tournament.Round,
	sight tournament.Sight, v *public.FaceView) error {
	current, err := s.View.Tournaments.CurrentInRound(ctx, v.Event, round.ID, sight.Tables)
	if err != nil {
		return err
	}
	if sight.Tables == tournament.Always {
		pace, err := s.View.Schedule.Pace(ctx, v.Event, round.ID)
		if err != nil {
			return err
		}
		v.Tables, v.Ends = len(pace.Tables), pace.Ends
		for _, at := range pace.Tables {
			if at.Done() {
				v.Done++
			}
		}
	}
	chosen, err := view.Kept(ctx, s.View.Tournaments, v.Event, "featured", func(ctx context.Context) (int, error) {
		return screen.FeaturedTable(ctx, s.View.Store, v.Event)
	})
	if err != nil {
		return err
	}
	if i := slices.IndexFunc(current, func(at game.CurrentGame) bool { return at.TableNumber == chosen }); i > 0 {
		current = slices.Concat(current[i:i+1], current[:i], current[i+1:])
	}
	for _, at := range current {
		seen, err := s.View.Sights.Seen(ctx, reader, at.Game)
		if errors.Is(err, refuse.ErrForbidden) || errors.Is(err, game.ErrBroken) {
			continue
		}
		if err != nil {
			return err
		}
		if seen.Snap.State.Phase != engine.PhasePlaying {
			continue
		}
		shown, err := s.View.ShownGame(ctx, seen, engine.Spectator)
		v.Table, v.TableID = &shown, at.Table
		s.featured.Store(v.Event, at.Table)
		return err
	}
	s.featured.Delete(v.Event)
	return nil
}

// podiumOf returns the places on the podium of an ended tournament, from the second place on.
func podiumOf(ctx context.Context, standings ranking.Standings) (steps []public.PodiumStep) {
	if len(standings.Titles) == 0 {
		return nil
	}
	for i, row := range view.RankRows(ctx, standings, nil) {
		place := standings.Rows[i].Place
		if place < 2 || place > podiumPlaces || row.Disqualified {
			continue
		}
		if n := len(steps); n == 0 || steps[n-1].Place != place {
			steps = append(steps, public.PodiumStep{Place: place})
		}
		steps[len(steps)-1].Who = append(steps[len(steps)-1].Who, row)
	}
	return steps
}

const podiumPlaces = 3
