package game

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"meldhall/engine"
	"meldhall/tournament/refuse"
	"meldhall/tournament/signing"
	"meldhall/tournament/store"
)

// Tail returns a game's events after a seq, in order.
func (l *Log) Tail(ctx context.Context, game int64, after int) ([]Entry, error) {
	rows, err := l.store.ReadSQL.QueryContext(ctx, selectEvents, game, after)
	if err != nil {
		return nil, fmt.Errorf("read the log of game %d: %w", game, err)
	}
	defer rows.Close()
	all := events{Rows: rows}
	var entries []Entry
	for rows.Next() {
		entry, err := all.scan()
		if err != nil {
			return nil, err
		}
		entries = append(entries, entry)
	}
	return entries, rows.Err()
}

// events reads rows of the log, with those of each game in order.
type events struct {
	*sql.Rows
	game   int64  // of the last row read
	chain  string // of that row
	summed bool   // a row of the game had a checksum; rows after it must have one too
}

// scan reads one row.
func (e *events) scan() (Entry, error) {
	var r eventRow
	var game int64
	var version int
	var sum sql.NullInt64
	if err := e.Scan(&game, &r.seq, &r.kind, &version, &r.data, &r.actor, &r.cmd, &r.at, &sum, &r.salt,
		&r.chain, &r.signed); err != nil {
		return Entry{}, fmt.Errorf("read an event: %w", err)
	}
	e.summed = sum.Valid || e.summed && game == e.game
	if e.summed && sum.Int64 != r.sum(game, version) {
		return Entry{}, fmt.Errorf("game %d, seq %d: %w: %w", game, r.seq, ErrBroken,
			store.Fault("the row differs from its checksum"))
	}
	before := e.chain // empty for the first event
	if game != e.game {
		before = ""
	}
	if follows := before != "" || r.seq == 1; follows && r.link(game, version, before) != r.chain {
		return Entry{}, fmt.Errorf("game %d, seq %d: %w: %w", game, r.seq, ErrBroken,
			store.Fault("the row does not follow from those before it"))
	}
	e.game, e.chain = game, r.chain
	event, err := engine.Decode(r.kind, version, []byte(r.data))
	if err != nil {
		return Entry{}, fmt.Errorf("game %d, seq %d: %w", game, r.seq, err)
	}
	signed, err := signing.Parse(r.signed)
	if err != nil {
		return Entry{}, fmt.Errorf("game %d, seq %d: %w", game, r.seq, err)
	}
	return Entry{Seq: r.seq, Event: event, Actor: r.actor, Cmd: r.cmd, Signed: signed, Chain: r.chain}, nil
}

// commandOf returns the effect of a command's key: the seq and kind of its first event, and the stored ID with its
// fingerprint. seq is 0 if the key is not in the log.
func (l *Log) commandOf(ctx context.Context, game int64, key string) (seq int, kind, stored string, err error) {
	err = l.store.ReadSQL.QueryRowContext(ctx,
		`SELECT seq, kind, cmd_id FROM game_events WHERE game_id = $1 AND cmd_id IS NOT NULL
			AND substr(cmd_id, 1, 16) = $2`,
		game, key).Scan(&seq, &kind, &stored)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, "", "", nil
	}
	return seq, kind, stored, err
}

// Events returns the whole log of a game.
func (l *Log) Events(ctx context.Context, game int64) ([]engine.Event, error) {
	entries, err := l.Tail(ctx, game, 0)
	if err != nil {
		return nil, err
	}
	events := make([]engine.Event, len(entries))
	for i, e := range entries {
		events[i] = e.Event
	}
	return events, nil
}

// headOf returns the hash of a log's last event. tail holds all events after the one whose hash is known.
func headOf(tail []Entry, known string) string {
	if len(tail) == 0 {
		return known
	}
	return tail[len(tail)-1].Chain
}

// replay applies a tail of a game's log to its state. The tail may begin before the state. If the log cannot be
// replayed, replay recovers from the panic and returns an error, so that one broken game never stops the others.
func replay(game int64, from engine.State, tail []Entry) (s engine.State, err error) {
	s = from
	defer func() {
		if p := recover(); p != nil {
			s, err = from, fmt.Errorf("game %d: the event after seq %d cannot be applied: %v", game, s.Seq, p)
		}
	}()
	for _, e := range tail {
		if e.Seq <= from.Seq {
			continue
		}
		if e.Seq != s.Seq+1 {
			return s, fmt.Errorf("game %d: seq %d follows %d", game, e.Seq, s.Seq)
		}
		s = engine.Apply(s, e.Event)
	}
	return s, nil
}

// rewinding adds to a ruling that goes back the state to which it returns: that at the start of a turn, or an empty one
// if there was no such turn. It returns other commands unchanged.
func (l *Log) rewinding(ctx context.Context, game int64, c engine.Command) (engine.Command, error) {
	rewind, back := c.(engine.Rewind)
	illegal, ok := c.(engine.RuleIllegal)
	if !back && (!ok || illegal.Back == nil) {
		return c, nil
	}
	events, err := l.Events(ctx, game)
	if err != nil {
		return nil, err
	}
	if back {
		rewind.To = engine.TurnStart(events, rewind.Turn)
		return rewind, nil
	}
	start := engine.TurnStart(events, illegal.Turn)
	illegal.Back = &start
	return illegal, nil
}

// answerTo returns the stored answer to a command's key, or otherwise if there is none.
func (l *Log) answerTo(ctx context.Context, game int64, cmd string, otherwise error) (Answer, error) {
	if cmd == "" {
		return Answer{}, otherwise
	}
	seq, kind, stored, err := l.commandOf(ctx, game, cmd[:keyHashLen])
	switch {
	case err != nil:
		return Answer{}, err
	case seq == 0:
		return Answer{}, otherwise
	case stored != cmd:
		return Answer{}, refuse.Invalid("err_key_reused")
	}
	return Answer{Outcome: kind, Seq: seq, Again: true}, nil
}

// selectTails reads each game's tail by its key. PostgreSQL planned a plain join of the log with the games as a scan of
// the whole log while the log was short, and kept that plan. The planner does not look into the inner SELECTs; with
// plain parameters it would consider a custom plan for these games worthwhile each time.
const selectTails = `SELECT e.*
	FROM unnest((SELECT CAST(string_to_array($1, ' ') AS bigint[])),
		(SELECT CAST(string_to_array($2, ' ') AS bigint[]))) w (game, after)
	CROSS JOIN LATERAL (` + readEvents + `WHERE game_id = w.game AND seq > w.after ORDER BY seq) e
		ORDER BY e.game_id, e.seq`

// Tails is Tail for several games, each after its own seq, in one statement on PostgreSQL. One unreadable row fails
// them all.
func (l *Log) Tails(ctx context.Context, after map[int64]int) (map[int64][]Entry, error) {
	var games, seqs []string
	for game, seq := range after {
		games, seqs = append(games, strconv.FormatInt(game, 10)), append(seqs, strconv.Itoa(seq))
	}
	rows, err := l.store.ReadSQL.QueryContext(ctx, selectTails, strings.Join(games, " "), strings.Join(seqs, " "))
	if err != nil {
		return nil, fmt.Errorf("read the logs of %d games: %w", len(after), err)
	}
	defer rows.Close()
	all, tails := events{Rows: rows}, map[int64][]Entry{}
	for rows.Next() {
		entry, err := all.scan()
		if err != nil {
			return nil, err
		}
		tails[all.game] = append(tails[all.game], entry)
	}
	return tails, rows.Err()
}
