package record

import (
	"context"
	"slices"
	"sync"

	"meldhall/engine"
	"meldhall/engine/ruleset"
	"meldhall/engine/tile"
	"meldhall/tournament/game"
	"meldhall/tournament/store"
)

// TablePace is the progress of a table in a round. Err says why it is unknown, such as a game that cannot be read.
type TablePace struct {
	game.CurrentGame
	Pace
	Of     int
	Phase  engine.Phase
	Pool   int // -1: unknown, because the table plays with real tiles
	Paused bool
	Err    error
}

// Done reports whether nothing remains to be played or counted at the table, or its state is unknown.
func (p TablePace) Done() bool { return p.Err != nil || p.Confirmed && p.Number == p.Of }

// typicals caches the measurements of finished games, by tournament. An entry is valid as long as its number of games
// equals the tournament's number of finished games.
type typicals struct {
	mu    sync.Mutex
	known map[int64]Measured
}

// TablePace computes the pace of a table from its current game. measured sums up the tournament's finished games, own
// those of the table. If the table has not begun, the forecast starts at the time begins.
func (g *Reader) TablePace(ctx context.Context, at game.CurrentGame, measured, own Measured, rules ruleset.Ruleset, now,
	begins engine.Millis) (TablePace, error) {
	row := TablePace{CurrentGame: at, Pool: -1}
	snap, err := g.Games.Look(ctx, at.Game)
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
	sample := PaceSample{Phase: s.Phase, Seats: seats, Began: began, Stood: stood, Pool: -1, Left: s.TurnsLeft(),
		After: snap.Ref.Of - at.Number, Table: own}
	for _, t := range turns {
		sample.Ends = append(sample.Ends, t.At)
	}
	if !s.Physical && s.Phase != engine.PhaseNew {
		sample.Pool, row.Pool, sample.Least = len(s.Pool), len(s.Pool), LeastRack(s)
	}
	row.Pace = NewPace(sample, TypicalOf(measured, seats, rules.TurnSeconds), now)
	return row, nil
}

// timesOf returns the turns of a game, its beginning and the periods while its clock was stopped.
func (g *Reader) timesOf(ctx context.Context, game int64) (turns []PublicTurn, began engine.Millis, stood []stop,
	err error) {
	if turns, err = g.Turns(ctx, game); err != nil {
		return nil, 0, nil, err
	}
	f := g.folds.of(game)
	f.mu.Lock()
	defer f.mu.Unlock()
	return turns, f.began, f.stood, nil
}

// MeasuredTables returns the measurements of a round's finished games by table. It omits a finished game until a later
// game at its table has started, because such a game is still the table's current one.
func (g *Reader) MeasuredTables(ctx context.Context, round int64) (map[int64]Measured, error) {
	type measuredTable struct {
		Table int64
		Measured
	}
	var tables []measuredTable
	err := g.Games.DB.Read.WithContext(ctx).Raw(`SELECT t.id AS "table", count(*) AS games, coalesce(sum(g.finished_at - g.started_at), 0) AS time,
			coalesce(sum((SELECT count(*) FROM game_events e WHERE e.game_id = g.id AND `+endsTurn+`)), 0) AS turns
		FROM tables t JOIN games g ON g.table_id = t.id WHERE t.round_id = ? AND g.status = 'finished' AND g.started_at > 0
			AND EXISTS (SELECT 1 FROM games n WHERE n.table_id = t.id AND n.number > g.number AND n.started_at > 0)
		GROUP BY t.id`, round).Scan(&tables).Error
	return store.MapOf(tables, func(t measuredTable) (int64, Measured) { return t.Table, t.Measured }), err
}

// endsTurn is the condition on game_events e for events that end a turn.
var endsTurn = `e.kind IN ` + game.KindList(engine.TurnEnds())

// Measured returns the measurements of a tournament's finished games. They are read again only after another game has
// finished.
func (g *Reader) Measured(ctx context.Context, tournamentID int64) (Measured, error) {
	var finished int
	err := g.Games.DB.ReadSQL.QueryRowContext(ctx,
		`SELECT count(*) FROM games WHERE tournament_id = $1 AND status = 'finished'`, tournamentID).Scan(&finished)
	if err != nil {
		return Measured{}, err
	}
	g.typical.mu.Lock()
	defer g.typical.mu.Unlock()
	if m, ok := g.typical.known[tournamentID]; ok && m.Games == finished {
		return m, nil
	}
	m := Measured{Games: finished}
	err = g.Games.DB.ReadSQL.QueryRowContext(ctx, `
		SELECT coalesce(sum(g.finished_at - g.started_at), 0), coalesce(sum((SELECT count(*) FROM game_events e WHERE e.game_id = g.id AND `+endsTurn+`)), 0)
		FROM games g WHERE g.tournament_id = $1 AND g.status = 'finished'
			AND g.started_at > 0`, tournamentID).Scan(&m.Time, &m.Turns)
	if err != nil {
		return m, err
	}
	err = g.Games.DB.ReadSQL.QueryRowContext(ctx, `
		SELECT count(*), coalesce(sum(b.started_at - a.finished_at), 0) FROM games a JOIN games b ON b.table_id = a.table_id AND b.number = a.number + 1
		WHERE a.tournament_id = $1 AND a.status = 'finished'
			AND b.started_at > a.finished_at`, tournamentID).Scan(&m.Gaps, &m.GapTime)
	if err != nil {
		return m, err
	}
	if g.typical.known == nil || len(g.typical.known) > 100 {
		g.typical.known = map[int64]Measured{}
	}
	g.typical.known[tournamentID] = m
	return m, nil
}

// turnsKept is the number of games whose turns are cached, the most recently used ones. A finished game takes about 100
// KB.
const turnsKept = 256

// PublicTurn is one turn of a game, running or over, as all viewers saw it: which tiles were laid and how many were
// drawn. It contains no rack and does not identify drawn tiles.
type PublicTurn struct {
	Number int // from 1; rulings between turns do not count
	Turn   int // the log's number, which commands use
	Seq    int // seq of the event that ended it
	At     engine.Millis
	Seat   int
	Kind   string // kind of that event
	Played tile.List
	Points int // of an initial meld
	Drawn  int
	Lost   bool           // it timed out or was illegal
	Kept   bool           // Lost, but nothing had to be put back
	Ruled  []PublicRuling // since the previous turn
	Before tile.Table
	After  tile.Table
}

// PublicRuling is a change between two turns by a referee or by a player's right to a redeal.
type PublicRuling struct {
	Kind  string `json:"kind" doc:"penalty_given, leftovers_ruled, redeal_asked, time_called"`
	Seat  int    `json:"seat" doc:"-1: the whole table"`
	Tiles int    `json:"tiles,omitempty"`
}

// Views returns the table before and after the turn, with the laid tiles marked as new.
func (t PublicTurn) Views() (before, after tile.TableView) {
	return t.Before.View(nil), t.After.View(t.Played)
}

// Turns returns the ended turns of a game, in order. Any viewer may call it: each call reads only what has been logged
// since the last one. The slice is shared and must not be modified.
func (g *Reader) Turns(ctx context.Context, game int64) ([]PublicTurn, error) {
	snap, err := g.Games.Look(ctx, game)
	if err != nil {
		return nil, err
	}
	f := g.folds.of(game)
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.state.Seq < snap.State.Seq {
		tail, err := g.Games.Log.Tail(ctx, game, f.state.Seq)
		if err != nil {
			return nil, err
		}
		for _, e := range tail {
			f.apply(e.Event)
		}
	}
	return f.turns[:len(f.turns):len(f.turns)], nil
}

// fold is the part of a game's log that has been read, divided into turns.
type fold struct {
	mu    sync.Mutex
	state engine.State
	ruled []PublicRuling
	turns []PublicTurn
	began engine.Millis // start of the first turn; 0: not yet
	stood []stop        // when the clock was stopped
	used  uint64        // order of the last use among the folds
}

func (f *fold) apply(e engine.Event) {
	before := f.state
	f.state = engine.Apply(before, e)
	f.time(e)
	t := PublicTurn{Number: len(f.turns) + 1, Turn: before.Turn.Number, Seq: f.state.Seq, At: e.When(),
		Seat: before.Turn.Seat,
		Kind: e.Kind(), Ruled: f.ruled, Before: before.Table, After: f.state.Table}
	switch e := e.(type) {
	case engine.TilesPlayed:
		t.Played, t.Points = e.Played, e.Points
	case engine.TileDrawn:
		t.Drawn = drawnIn(e)
	case engine.TurnExpired, engine.IllegalPlayed:
		t.Drawn, t.Lost, t.Kept = drawnIn(e), true, f.state.Actions.Last().Kept
	case engine.RedealAsked:
		f.rule(e, e.Seat, 0)
		return
	default:
		r := engine.RulingOf(e)
		if t.Drawn = r.Tiles; engine.EndsTurn(e) {
			break
		}
		if r.Kind != "" {
			f.rule(e, r.Seat, r.Tiles)
		}
		return
	}
	f.turns, f.ruled = append(f.turns, t), nil
}

func (f *fold) rule(e engine.Event, seat, tiles int) {
	f.ruled = append(slices.Clone(f.ruled), PublicRuling{e.Kind(), seat, tiles})
}

// folds caches the games whose turns were used most recently.
type folds struct {
	mu    sync.Mutex
	games map[int64]*fold
	asked uint64
}

func (k *folds) of(game int64) *fold {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.asked++
	f := k.games[game]
	if f == nil {
		if k.games == nil {
			k.games = map[int64]*fold{}
		}
		if len(k.games) >= turnsKept {
			k.forgetOldest()
		}
		f = &fold{}
		k.games[game] = f
	}
	f.used = k.asked
	return f
}

func (k *folds) forgetOldest() {
	oldest, since := int64(0), k.asked
	for game, f := range k.games {
		if f.used < since {
			oldest, since = game, f.used
		}
	}
	delete(k.games, oldest)
}
