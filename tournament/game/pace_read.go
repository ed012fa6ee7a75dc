package game

import (
	"context"
	"strings"
	"sync"

	"meldhall/engine"
)

// TablePace is how a table of a round gets on; Err is why it is not known: its game cannot be read.
type TablePace struct {
	CurrentGame
	Pace
	Of     int
	Phase  engine.Phase
	Pool   int // -1: played with real tiles, nobody knows
	Paused bool
	Err    error
}

// Done tells that nothing is to be played or counted at the table any more, or that nobody can tell.
func (p TablePace) Done() bool { return p.Err != nil || p.Confirmed && p.Number == p.Of }

// typicals keeps what the finished games of events took, as of how many they were.
type typicals struct {
	mu    sync.Mutex
	known map[int64]Measured
}

// TablePace measures a table by its current game: measured is what games of the event took, own what those of the table did.
// One that has not begun begins at begins.
func (g *Games) TablePace(ctx context.Context, at CurrentGame, measured, own Measured, rules engine.Ruleset, now, begins engine.Millis) (TablePace, error) {
	row := TablePace{CurrentGame: at, Pool: -1}
	snap, err := g.Look(ctx, at.Game)
	if err != nil {
		return row, err
	}
	s := snap.State
	row.Of, row.Phase, row.Paused = snap.Ref.Of, s.Phase, s.Paused != nil
	turns, began, stood, err := g.timesOf(ctx, at.Game)
	if err != nil {
		return row, err
	}
	if s.Phase == engine.PhaseNew && at.Number == 1 {
		now = begins
	}
	seats := len(snap.Ref.Players)
	sample := PaceSample{Phase: s.Phase, Seats: seats, Began: began, Stood: stood, Pool: -1, Left: s.Turn.Left, After: snap.Ref.Of - at.Number, Table: own}
	for _, t := range turns {
		sample.Ends = append(sample.Ends, t.At)
	}
	if !s.Physical && s.Phase != engine.PhaseNew {
		sample.Pool, row.Pool, sample.Least = len(s.Pool), len(s.Pool), LeastRack(s)
	}
	row.Pace = NewPace(sample, TypicalOf(measured, seats, rules.TurnSeconds), now)
	return row, nil
}

// timesOf gives the turns of a game with how its time was spent.
func (g *Games) timesOf(ctx context.Context, game int64) (turns []PublicTurn, began engine.Millis, stood []stop, err error) {
	if turns, err = g.Turns(ctx, game); err != nil {
		return nil, 0, nil, err
	}
	f := g.folds.of(game)
	f.mu.Lock()
	defer f.mu.Unlock()
	return turns, f.began, f.stood, nil
}

// MeasuredTables is what the finished games of a round took at each table, without those that are still shown.
func (g *Games) MeasuredTables(ctx context.Context, round int64) (map[int64]Measured, error) {
	rows, err := g.DB.ReadSQL.QueryContext(ctx, `
		SELECT t.id, count(*), coalesce(sum(g.finished_at - g.started_at), 0), coalesce(sum((SELECT count(*) FROM game_events e WHERE e.game_id = g.id AND `+endsTurn+`)), 0)
		FROM tables t JOIN games g ON g.table_id = t.id WHERE t.round_id = ? AND g.status = 'finished' AND g.started_at > 0
			AND EXISTS (SELECT 1 FROM games n WHERE n.table_id = t.id AND n.number > g.number AND n.started_at > 0)
		GROUP BY t.id`, round)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	own := map[int64]Measured{}
	for rows.Next() {
		var table int64
		var m Measured
		if err := rows.Scan(&table, &m.Games, &m.Time, &m.Turns); err != nil {
			return nil, err
		}
		own[table] = m
	}
	return own, rows.Err()
}

// endsTurn picks the events of game_events e that end a turn.
var endsTurn = `e.kind IN ` + kindList(engine.TurnEnds())

// kindList writes kinds of events for a query.
func kindList(kinds []string) string { return "('" + strings.Join(kinds, "', '") + "')" }

// Measured is what an event's finished games took. It is read again only when one more has finished.
func (g *Games) Measured(ctx context.Context, event int64) (Measured, error) {
	var finished int
	err := g.DB.ReadSQL.QueryRowContext(ctx, `SELECT count(*) FROM games WHERE tournament_id = ? AND status = 'finished'`, event).Scan(&finished)
	if err != nil {
		return Measured{}, err
	}
	g.typical.mu.Lock()
	defer g.typical.mu.Unlock()
	if m, ok := g.typical.known[event]; ok && m.Games == finished {
		return m, nil
	}
	m := Measured{Games: finished}
	err = g.DB.ReadSQL.QueryRowContext(ctx, `
		SELECT coalesce(sum(g.finished_at - g.started_at), 0), coalesce(sum((SELECT count(*) FROM game_events e WHERE e.game_id = g.id AND `+endsTurn+`)), 0)
		FROM games g WHERE g.tournament_id = ? AND g.status = 'finished' AND g.started_at > 0`, event).Scan(&m.Time, &m.Turns)
	if err != nil {
		return m, err
	}
	err = g.DB.ReadSQL.QueryRowContext(ctx, `
		SELECT count(*), coalesce(sum(b.started_at - a.finished_at), 0) FROM games a JOIN games b ON b.table_id = a.table_id AND b.number = a.number + 1
		WHERE a.tournament_id = ? AND a.status = 'finished' AND b.started_at > a.finished_at`, event).Scan(&m.Gaps, &m.GapTime)
	if err != nil {
		return m, err
	}
	if g.typical.known == nil || len(g.typical.known) > 100 {
		g.typical.known = map[int64]Measured{}
	}
	g.typical.known[event] = m
	return m, nil
}
