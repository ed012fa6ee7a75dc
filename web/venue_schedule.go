package web

import (
	"context"

	"meldhall/engine"
	"meldhall/tournament"
)

// timetable is an event's plan beside its rounds, and when the round that runs is likely to be over, 0 where none runs.
func (s *venue) timetable(ctx context.Context, event int64) (table tournament.Timetable, ends engine.Millis, err error) {
	slots, err := tournament.Slots(ctx, s.store, event)
	if err != nil {
		return table, 0, err
	}
	rounds, err := tournament.Rounds(ctx, s.store, event)
	if err != nil {
		return table, 0, err
	}
	round, ok := currentRound(rounds)
	if ok && round.Status == tournament.RoundRunning {
		pace, err := s.pace(ctx, event, round.ID)
		if err != nil {
			return table, 0, err
		}
		ends = pace.Ends
	}
	return tournament.NewTimetable(slots, rounds, ends, engine.MillisOf(s.store.Now())), ends, nil
}

// dayFormat is how fields of a form write a moment, in the server's zone.
const dayFormat = "2006-01-02T15:04"
