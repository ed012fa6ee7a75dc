// Package bots plays the bots' seats: at practice tables, and in rehearsals, where it may run the desk too.
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
	"meldhall/tournament/door"
	"meldhall/tournament/game"
	"meldhall/tournament/practice"
	"meldhall/tournament/refuse"
	"meldhall/tournament/storage"
	"meldhall/web/live"
)

// table plays the bots' seats of one game.
type table struct {
	*Tables
	game    int64
	watcher *live.Watcher
	left    atomic.Bool // the person has gone to another table
	free    func()

	// Of the person, as far as the game shows it: when something was done last, and what had happened by then.
	seen        time.Time
	seq, drafts int
}

// practiceRetry is how long a table waits after something failed.
const practiceRetry = time.Second

// run plays until the game is over or the server stops. What goes wrong at a practice table stays there.
func (t *table) run() {
	defer t.free()
	defer t.over(t.game)
	defer t.watcher.Stop()
	defer func() {
		if p := recover(); p != nil {
			slog.Error("practice: the bots of a table have stopped", "game", t.game, "err", fmt.Errorf("panic: %v\n%s", p, debug.Stack()))
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
				slog.Error("practice", "game", t.game, "err", err)
			}
		}
		if !t.rest(wait) {
			return
		}
	}
}

// rest waits until the game moves or the time is over; false when the server stops.
func (t *table) rest(wait time.Duration) bool {
	pause := time.NewTimer(wait)
	defer pause.Stop()
	select {
	case <-t.watcher.Woken():
	case <-pause.C:
	case <-t.hub.Closed():
		return false
	}
	select {
	case <-t.hub.Closed():
		return false
	default:
		return true
	}
}

// step does what is due at the table now, and says how long nothing will be. The game's last step confirms its
// result: no referee comes to a practice table.
func (t *table) step(ctx context.Context) (wait time.Duration, over bool, err error) {
	if !t.games.Owns(t.game) {
		return 0, true, nil
	}
	snap, err := t.games.Look(ctx, t.game)
	if err != nil {
		return 0, false, err
	}
	now := t.store.Now()
	patience := t.notice(snap, now)
	switch s := snap.State; {
	case s.Phase == engine.PhaseOver:
		err := practice.Close(ctx, t.desk, t.game)
		return 0, err == nil, err
	case s.Phase == engine.PhaseNew, s.Paused != nil:
		return time.Minute, false, nil
	case s.Phase == engine.PhaseDealt:
		return patience, false, t.ready(ctx, snap, patience <= 0)
	case patience <= 0 && !s.TimeOver:
		return 0, false, t.games.CallPractice(ctx, t.game, "")
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

// notice keeps when the person did something last: played, drew, said to be ready, or moved a tile. It gives for
// how long the bots wait yet; nothing when the person has left, and when the table is too old.
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

// thinking is how long a bot takes for a turn, now longer, now shorter.
func (t *table) thinking(turn int) time.Duration {
	return t.think + t.think*time.Duration((turn*5+int(t.game))%8)/8
}

// ready says for the bots, and for a person who has gone, that they have looked at their racks.
func (t *table) ready(ctx context.Context, snap *game.Snapshot, gone bool) error {
	for seat := range snap.Ref.Players {
		if snap.State.Ready[seat] || seat == snap.Ref.PersonSeat() && !gone {
			continue
		}
		_, err := t.games.Submit(ctx, game.PracticePlayer(snap.Ref, seat), t.game, "", engine.Ready{Seat: seat, Turn: snap.State.Turn.Number})
		if err != nil {
			return err
		}
	}
	return nil
}

// move plays the turn: what the bot chooses, or a draw, or a pass.
func (t *table) move(ctx context.Context, snap *game.Snapshot) error {
	turn, me := snap.State.Turn, game.PracticePlayer(snap.Ref, snap.State.Turn.Seat)
	commands := []engine.Command{engine.Draw{Seat: turn.Seat, Turn: turn.Number}}
	if len(snap.State.Pool) == 0 {
		commands[0] = engine.Pass{Seat: turn.Seat, Turn: turn.Number}
	}
	style, err := StyleOf(snap.Ref.Practice)
	if err != nil { // the table was opened by a program with other bots
		style = bot.Club
	}
	if table := bot.ForView(style, engine.ViewFor(&snap.State, turn.Seat)); table != nil {
		commands = slices.Insert(commands, 0, engine.Command(engine.Play{Seat: turn.Seat, Turn: turn.Number, Table: table}))
	}
	for _, c := range commands {
		var refusal *engine.Refusal
		if _, err = t.games.Submit(ctx, me, t.game, "", c); !errors.As(err, &refusal) {
			return err
		}
	}
	return err
}

// StyleOf finds how the bots of a practice table play by its name; the pages name it by practice.<name>.
func StyleOf(name string) (bot.Style, error) {
	names := make([]string, len(bot.Styles))
	for i, style := range bot.Styles {
		if names[i] = style.String(); names[i] == name {
			return style, nil
		}
	}
	return 0, refuse.Invalid("err_practice_bots", "name", name, "known", strings.Join(names, ", "))
}

// Names are what the bots are called.
var Names = []string{"Ada", "Emmy", "Kurt"}

// practiceGone is how long a person may do nothing before the bots end the game without them.
const practiceGone = 30 * time.Minute

// Tables plays the bots' seats at the practice tables: one goroutine for each table that is open, woken as its
// watchers are. It knows nothing that the log does not tell, so after a restart each goes on.
type Tables struct {
	desk  *door.Desk
	games *game.Games
	store *storage.DB
	hub   *live.Hub
	think time.Duration // how long a bot thinks at least; it takes up to twice as long

	mu     sync.Mutex
	open   map[int64]*table // by game
	closed bool             // the server stops: nobody starts one any more
	played sync.WaitGroup
}

// NewTables makes no table yet; think is how long a bot thinks at least.
func NewTables(desk *door.Desk, hub *live.Hub, think time.Duration) *Tables {
	return &Tables{desk: desk, games: desk.Games, store: desk.DB, hub: hub, think: think, open: map[int64]*table{}}
}

// Play lets the bots of a game play until it is over or the server stops.
func (p *Tables) Play(game int64) {
	p.PlayFor(game, func() {})
}

// PlayFor is Play for somebody who is told, by left, when the table is free again, as far as its bots play here.
func (p *Tables) PlayFor(game int64, left func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed || p.open[game] != nil || !p.games.Owns(game) { // else another node's bots play it
		left()
		return
	}
	t := &table{Tables: p, game: game, free: left, seen: p.store.Now(), watcher: p.hub.Watch(live.GameTopic(game))}
	p.open[game] = t
	p.played.Go(t.run)
}

// over forgets a table whose bots have stopped.
func (p *Tables) over(game int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.open, game)
}

// Leave says that the person has left a table: the bots end its game.
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

// Wait waits until every table has stopped; the hub is closed.
func (p *Tables) Wait() {
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	p.played.Wait()
}
