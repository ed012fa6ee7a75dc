// Package bots plays the bots' seats at practice tables and in rehearsals, where it can also run the desk.
package bots

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"meldhall/engine"
	"meldhall/engine/bot"
	"meldhall/tournament/action"
	"meldhall/tournament/game"
	"meldhall/tournament/practice"
	"meldhall/tournament/refuse"
	"meldhall/tournament/store"
	"meldhall/web/live"
)

// table plays the bots' seats of one game.
type table struct {
	tables  *Tables
	game    int64
	watcher *live.Watcher
	left    atomic.Bool // the person has left
	free    func()

	// The person's activity as visible in the game: when the person was last active, and the game's event and draft
	// numbers at the last check.
	seen        time.Time
	seq, drafts int
}

// practiceRetry is how long a table waits after a failure.
const practiceRetry = time.Second

// run plays until the game is over or the server stops. A panic at a practice table affects only that table.
func (t *table) run() {
	defer t.free()
	defer t.tables.over(t.game)
	defer t.watcher.Stop()
	defer func() {
		if p := recover(); p != nil {
			slog.Error("the bots of a practice table panicked", "game", t.game, "err",
				fmt.Errorf("panic: %v\n%s", p, debug.Stack()))
		}
	}()
	for {
		wait, over, err := t.step(context.Background())
		if over || errors.Is(err, game.ErrBroken) {
			return
		}
		var refusal *engine.Refusal
		if err != nil {
			wait = practiceRetry
			if !errors.As(err, &refusal) {
				slog.Error("a practice table failed", "game", t.game, "err", err)
			}
		}
		if !t.rest(wait) {
			return
		}
	}
}

// rest waits until the game changes or the given time has passed; it returns false when the server stops.
func (t *table) rest(wait time.Duration) bool {
	pause := time.NewTimer(wait)
	defer pause.Stop()
	select {
	case <-t.watcher.Woken():
	case <-pause.C:
	case <-t.tables.hub.Closed():
		return false
	}
	select {
	case <-t.tables.hub.Closed():
		return false
	default:
		return true
	}
}

// step takes the next step at the table. It returns how long to wait for the next one unless the game changes, and
// whether the bots have nothing more to do. The last step confirms the result, because practice tables have no referee.
func (t *table) step(ctx context.Context) (wait time.Duration, over bool, err error) {
	if !t.tables.games.Owns(t.game) {
		return 0, true, nil
	}
	snap, err := t.tables.games.Look(ctx, t.game)
	if err != nil {
		return 0, false, err
	}
	now := t.tables.store.Now()
	patience := t.notice(snap, now)
	switch s := snap.State; {
	case s.Phase == engine.PhaseOver:
		err := practice.Close(ctx, t.tables.desk, t.game)
		return 0, err == nil, err
	case s.Phase == engine.PhaseNew, s.Paused != nil:
		return time.Minute, false, nil
	case s.Phase == engine.PhaseDealt:
		return patience, false, t.ready(ctx, snap, patience <= 0)
	case patience <= 0 && !s.TimeOver:
		return 0, false, t.tables.games.CallPractice(ctx, t.game, "")
	case patience > 0 && s.Turn.Seat == snap.Ref.PersonSeat():
		return patience, false, nil
	default:
		thought := time.UnixMilli(int64(s.Turn.Started)).Add(t.thinking(s.Turn.Number))
		if left := thought.Sub(now); left > 0 {
			return left, false, nil
		}
		return 0, false, t.move(ctx, snap)
	}
}

// notice records when the person was last active: played, drew, got ready or moved a tile. It returns how much longer
// the bots wait for the person, which is zero or less if the person has left or the table is too old.
func (t *table) notice(snap *game.Snapshot, now time.Time) time.Duration {
	s, me := snap.State, snap.Ref.PersonSeat()
	did := s.Phase == engine.PhaseDealt && s.Ready[me] ||
		s.Last().Seat == me && s.Last().Kind != "" && s.Last().Kind != (engine.TurnExpired{}).Kind()
	if s.Seq > t.seq && did || snap.DraftNumber > t.drafts && snap.Draft != nil && snap.Draft.Seat == me {
		t.seen = now
	}
	t.seq, t.drafts = s.Seq, snap.DraftNumber
	if t.left.Load() || s.TimeOver || now.Sub(time.UnixMilli(int64(snap.Ref.Since))) > game.PracticeLife {
		return 0
	}
	return t.seen.Add(practiceGone).Sub(now)
}

// thinking returns how long a bot takes for a turn, which varies.
func (t *table) thinking(turn int) time.Duration {
	return t.tables.think + t.tables.think*time.Duration((turn*5+int(t.game))%8)/8
}

// ready marks the bots as ready, and also a person who has gone.
func (t *table) ready(ctx context.Context, snap *game.Snapshot, gone bool) error {
	for seat := range snap.Ref.Players {
		if snap.State.Ready[seat] || seat == snap.Ref.PersonSeat() && !gone {
			continue
		}
		_, err := t.tables.games.Submit(ctx, game.PracticePlayer(snap.Ref, seat), t.game, "",
			engine.Ready{Seat: seat, Turn: snap.State.Turn.Number})
		if err != nil {
			return err
		}
	}
	return nil
}

// move plays the turn: the bot's choice, otherwise a draw or a pass.
func (t *table) move(ctx context.Context, snap *game.Snapshot) error {
	turn, me := snap.State.Turn, game.PracticePlayer(snap.Ref, snap.State.Turn.Seat)
	commands := []engine.Command{engine.Draw{Seat: turn.Seat, Turn: turn.Number}}
	if len(snap.State.Pool) == 0 {
		commands[0] = engine.Pass{Seat: turn.Seat, Turn: turn.Number}
	}
	style, err := StyleOf(snap.Ref.Practice)
	if err != nil { // the table was opened by a version with other bots
		style = bot.Club
	}
	if table := bot.ForView(style, engine.ViewFor(&snap.State, turn.Seat)); table != nil {
		commands = slices.Insert(commands, 0, engine.Command(engine.Play{Seat: turn.Seat, Turn: turn.Number,
			Table: table}))
	}
	for _, c := range commands {
		var refusal *engine.Refusal
		if _, err = t.tables.games.Submit(ctx, me, t.game, "", c); !errors.As(err, &refusal) {
			return err
		}
	}
	return err
}

// StyleOf returns the bots' style for its name. Pages display it with the text practice.<name>.
func StyleOf(name string) (bot.Style, error) {
	names := make([]string, len(bot.Styles))
	for i, style := range bot.Styles {
		if names[i] = style.String(); names[i] == name {
			return style, nil
		}
	}
	return 0, refuse.Invalid("err_practice_bots", "name", name, "known", strings.Join(names, ", "))
}

// Names are the bots' names.
var Names = []string{"Ada", "Emmy", "Kurt"}

// practiceGone is how long a person may be inactive before the bots end the game.
const practiceGone = 30 * time.Minute

// Tables plays the bots' seats at the practice tables, with one goroutine per open table that is woken like its
// viewers. All state is in the log, so games continue after a restart.
type Tables struct {
	desk  *action.Desk
	games *game.Games
	store *store.DB
	hub   *live.Hub
	think time.Duration // shortest thinking time of a bot; it takes up to twice as long

	mu     sync.Mutex
	open   map[int64]*table // by game
	closed bool             // the server is stopping; no table may start
	played sync.WaitGroup
}

// NewTables returns a Tables without tables. think is the shortest thinking time of a bot.
func NewTables(desk *action.Desk, hub *live.Hub, think time.Duration) *Tables {
	return &Tables{desk: desk, games: desk.Games, store: desk.DB, hub: hub, think: think, open: map[int64]*table{}}
}

// Play lets the bots of a game play until it is over or the server stops.
func (p *Tables) Play(game int64) {
	p.PlayFor(game, func() {})
}

// PlayFor is like Play, but calls left when this server's bots have stopped playing the table.
func (p *Tables) PlayFor(game int64, left func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed || p.open[game] != nil || !p.games.Owns(game) { // closed, already running, or played by another node
		left()
		return
	}
	t := &table{tables: p, game: game, free: left, seen: p.store.Now(), watcher: p.hub.Watch(live.GameTopic(game))}
	p.open[game] = t
	p.played.Go(t.run)
}

// over forgets a table whose bots have stopped.
func (p *Tables) over(game int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.open, game)
}

// Leave records that the person has left a table, so that the bots end its game.
func (p *Tables) Leave(game int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if t := p.open[game]; t != nil {
		t.left.Store(true)
		t.watcher.Wake()
	} else if game != 0 && !p.closed && !p.games.Owns(game) {
		p.played.Go(func() { p.leave(game) })
	}
}

// Wait prevents new tables and waits until all have stopped. The hub must be closed.
func (p *Tables) Wait() {
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	p.played.Wait()
}
