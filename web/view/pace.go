package view

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"meldhall/engine"
	"meldhall/templates/locale"
	"meldhall/templates/play"
	"meldhall/templates/referee"
	"meldhall/tournament"
	"meldhall/tournament/game/record"
	"meldhall/tournament/schedule"
	"meldhall/tournament/store"
)

// paceLife is how long a measured pace is reused.
const paceLife = time.Second

// paces caches the recently measured pace of rounds, so that many pages cost one measurement.
type paces struct {
	now    func() time.Time
	mu     sync.Mutex
	rounds map[int64]keptPace
}

type keptPace struct {
	at   time.Time
	pace schedule.RoundPace
}

func newPaces(now func() time.Time) *paces { return &paces{now: now, rounds: map[int64]keptPace{}} }

// Schedule reads how tournaments keep to their schedules.
type Schedule struct {
	store       *store.DB
	records     *record.Reader
	tournaments *Tournaments
	paces       *paces
}

// Pace measures the pace of a tournament's round, at most once a second. It is for pages that show the expected end in
// minutes.
func (s *Schedule) Pace(ctx context.Context, tournamentID, round int64) (schedule.RoundPace, error) {
	p := s.paces
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.now()
	if kept, ok := p.rounds[round]; ok && now.Sub(kept.at) < paceLife {
		return kept.pace, nil
	}
	measured, err := s.PaceNow(context.WithoutCancel(ctx), tournamentID, round) // others wait for the result
	if err != nil {
		return measured, err
	}
	if len(p.rounds) >= keptMost {
		clear(p.rounds)
	}
	p.rounds[round] = keptPace{now, measured}
	return measured, nil
}

// PaceNow measures the pace of a tournament's round.
func (s *Schedule) PaceNow(ctx context.Context, tournamentID, round int64) (schedule.RoundPace, error) {
	t, err := tournament.TournamentByID(ctx, s.store, tournamentID)
	if err != nil {
		return schedule.RoundPace{}, err
	}
	return schedule.PaceOf(ctx, s.store, s.records, t, round)
}

// PaceRows returns the tables of a round: unfinished ones first, slowest first. planned is the round's scheduled end, 0
// without a schedule.
func (s *Reader) PaceRows(ctx context.Context, round int64, pace schedule.RoundPace,
	planned engine.Millis) ([]referee.PaceRow, error) {
	tables, err := s.TableRows(ctx, round)
	if err != nil {
		return nil, err
	}
	needs := map[int64]string{}
	for _, t := range tables {
		needs[t.ID] = t.Need
	}
	var rows []referee.PaceRow
	for _, p := range pace.Tables {
		row := referee.PaceRow{Table: p.Table, GameID: p.Game, Number: p.TableNumber, Need: needs[p.Table],
			Game: p.Number, Of: p.Of, Turns: p.Turns, PerMinute: p.PerMinute,
			Pool: p.Pool, Left: p.TurnsLeft, GameEnds: p.GameEnds, RoundEnds: p.RoundEnds, Done: p.Done()}
		if planned != 0 && !row.Done {
			row.Over = max(p.RoundEnds-planned, 0)
		}
		rows = append(rows, row)
	}
	slices.SortStableFunc(rows, func(a, b referee.PaceRow) int {
		if a.Done != b.Done {
			if a.Done {
				return 1
			}
			return -1
		}
		return cmp.Or(cmp.Compare(b.RoundEnds, a.RoundEnds), cmp.Compare(a.Number, b.Number))
	})
	return rows, nil
}

// Timetable returns a tournament's schedule with its rounds, and the expected end of the running round, 0 if none is
// running.
func (s *Schedule) Timetable(ctx context.Context, tournamentID int64) (table schedule.Timetable, ends engine.Millis,
	err error) {
	slots, err := s.tournaments.Slots(ctx, tournamentID)
	if err != nil {
		return table, 0, err
	}
	rounds, err := s.tournaments.Rounds(ctx, tournamentID)
	if err != nil {
		return table, 0, err
	}
	round, ok := CurrentRound(rounds)
	if ok && round.Status == tournament.RoundRunning {
		pace, err := s.Pace(ctx, tournamentID, round.ID)
		if err != nil {
			return table, 0, err
		}
		ends = pace.Ends
	}
	return schedule.NewTimetable(slots, rounds, ends, engine.MillisOf(s.store.Now())), ends, nil
}

// DayFormat is the format of a moment in form fields, in the server's zone.
const DayFormat = "2006-01-02T15:04"

// PartlyStarted reports whether tables of a running round were started only one by one, and not the round as a whole.
func PartlyStarted(r tournament.Round) bool {
	return r.Status == tournament.RoundRunning && r.StartedAt == 0
}

// StartedWords describes how many tables were started while only some are, or returns "".
func (s *Schedule) StartedWords(ctx context.Context, r tournament.Round) (string, error) {
	if !PartlyStarted(r) {
		return "", nil
	}
	counts, err := tournament.RoundCounts(ctx, s.store, r.TournamentID)
	return StartedText(ctx, counts[r.ID].Started, counts[r.ID].Tables), err
}

// StartedText describes how many of a round's tables have started.
func StartedText(ctx context.Context, started, of int) string {
	return locale.T(ctx, "round.tables_started", "n", started, "of", of)
}

// LateLine returns, for the desk and the floor page, how a tournament keeps to its schedule.
func (s *Schedule) LateLine(ctx context.Context, tournamentID int64) (play.LateLine, error) {
	table, ends, err := s.Timetable(ctx, tournamentID)
	now := engine.MillisOf(s.store.Now())
	return play.LateLine{Show: len(table.Slots) > 0 && table.Begun(now), Event: tournamentID, Behind: table.Behind,
		Ends: ends}, err
}
