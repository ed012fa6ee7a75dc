package bots

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"meldhall/engine"
	"meldhall/engine/bot"
	"meldhall/tournament/game"
	"meldhall/tournament/practice"
	"meldhall/tournament/rights"
	"meldhall/web/live"
)

// practiceGone is how long the person at a practice table may be inactive before the bots end the game.
const practiceGone = 30 * time.Minute

// table plays the bots' seats of one game, and confirms its result if it has a referee.
type table struct {
	bots    *Bots
	game    int64
	look    time.Duration                // how long the bots look at their racks
	think   func(turn int) time.Duration // how long a bot thinks about a turn
	referee rights.Actor                 // actor that confirms the result; if it has no role, an official must
	check   time.Duration                // how long the referee checks the result

	// The person's activity as visible in the game: when the person was last active, and the game's event and draft
	// numbers at the last step. In a rehearsal there is no person, and person is false.
	person      bool
	seen        time.Time
	seq, drafts int
}

// PlayTable lets the bots of a practice table play its game until it is over or the server stops. It calls left when
// this server's bots have stopped playing.
func (b *Bots) PlayTable(gameID int64, left func()) {
	think := func(turn int) time.Duration { return b.Think + b.Think*time.Duration((turn*5+int(gameID))%8)/8 }
	t := &table{bots: b, game: gameID, think: think, referee: game.PracticeActor, person: true,
		seen: b.view.Store.Now()}
	b.start(live.GameTopic(gameID), gameID, t.step, left)
}

// step takes the next step at the table. The last step confirms the result.
func (t *table) step(ctx context.Context) (wait time.Duration, over bool, err error) {
	games := t.bots.view.Games
	snap, err := games.Look(ctx, t.game)
	if err != nil {
		return 0, false, err
	}
	now := t.bots.view.Store.Now()
	patience := t.notice(snap, now)
	due := func(since engine.Millis, after time.Duration) time.Duration {
		return time.UnixMilli(int64(since)).Add(after).Sub(now)
	}
	switch s := snap.State; {
	case s.Phase == engine.PhaseOver && t.referee.Role == "":
		return 0, true, nil
	case s.Phase == engine.PhaseOver:
		if left := due(s.At, t.check); left > 0 {
			return left, false, nil
		}
		err := practice.Confirm(ctx, t.bots.desk, t.referee, t.game)
		return 0, err == nil, err
	case s.Phase == engine.PhaseNew, s.Paused != nil:
		return time.Minute, false, nil
	case s.Phase == engine.PhaseDealt:
		if left := due(s.At, t.look); left > 0 {
			return left, false, nil
		}
		return patience, false, t.ready(ctx, snap, patience <= 0)
	case t.person && patience <= 0 && !s.TimeOver:
		return 0, false, games.CallPractice(ctx, t.game, "")
	case patience > 0 && s.Turn.Seat == snap.Ref.PersonSeat():
		return patience, false, nil
	default:
		if left := due(s.Turn.Started, t.think(s.Turn.Number)); left > 0 {
			return left, false, nil
		}
		return 0, false, t.move(ctx, snap)
	}
}

// notice records when the person was last active: played, drew, got ready or moved a tile. It returns how much longer
// the bots wait for the person, which is zero or less if there is none, the person has left or the table is too old.
func (t *table) notice(snap *game.Snapshot, now time.Time) time.Duration {
	s, me := snap.State, snap.Ref.PersonSeat()
	did := s.Phase == engine.PhaseDealt && s.Ready[me] ||
		s.Actions.Last().Seat == me && s.Actions.Last().Kind != "" &&
			s.Actions.Last().Kind != (engine.TurnExpired{}).Kind()
	if s.Seq > t.seq && did || snap.DraftNumber > t.drafts && snap.Draft != nil && snap.Draft.Seat == me {
		t.seen = now
	}
	t.seq, t.drafts = s.Seq, snap.DraftNumber
	if !t.person || s.TimeOver || now.Sub(time.UnixMilli(int64(snap.Ref.Since))) > game.PracticeLife {
		return 0
	}
	return t.seen.Add(practiceGone).Sub(now)
}

// ready marks the bots as ready, and also the seat of a person who has gone.
func (t *table) ready(ctx context.Context, snap *game.Snapshot, gone bool) error {
	for seat := range snap.Ref.Players {
		if snap.State.Ready[seat] || seat == snap.Ref.PersonSeat() && !gone {
			continue
		}
		_, err := t.bots.view.Games.Submit(ctx, game.PracticePlayer(snap.Ref, seat), t.game, "",
			engine.Ready{Seat: seat, Turn: snap.State.Turn.Number})
		if err != nil {
			return err
		}
	}
	return nil
}

// move plays the turn: the bot's choice or, if that is refused, a draw or a pass. In a lesson, the bot's turn brings
// the next position.
func (t *table) move(ctx context.Context, snap *game.Snapshot) error {
	if snap.Ref.Practice == practice.Lesson && !snap.State.TimeOver {
		return practice.GoOn(ctx, t.bots.view.Games, snap)
	}
	style, err := StyleOf(snap.Ref.Practice)
	if err != nil { // a rehearsal, or the table was opened by a version with other bots
		style = bot.Club
	}
	view := engine.ViewFor(&snap.State, snap.State.Turn.Seat)
	me := game.PracticePlayer(snap.Ref, view.Seat)
	_, err = t.bots.view.Games.Submit(ctx, me, t.game, "", bot.Command(style, view))
	if errors.As(err, new(*engine.Refusal)) {
		_, err = t.bots.view.Games.Submit(ctx, me, t.game, "", bot.Idle(view))
	}
	return err
}

const leaveTries = 20

// Leave ends a practice game after its person has left, whichever node's bots play it: it calls time, and the bots play
// the rest.
func (b *Bots) Leave(gameID int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if gameID != 0 && !b.closed {
		b.loops.Go(func() { b.leave(gameID) })
	}
}

func (b *Bots) leave(gameID int64) {
	ctx, games := context.Background(), b.view.Games
	for range leaveTries {
		snap, err := games.Look(ctx, gameID)
		if err == nil {
			switch s, me := snap.State, snap.Ref.PersonSeat(); {
			case s.Phase == engine.PhaseOver || s.TimeOver:
				return
			case s.Phase == engine.PhaseDealt && !s.Ready[me]:
				_, err = games.Submit(ctx, game.PracticePlayer(snap.Ref, me), gameID, "",
					engine.Ready{Seat: me, Turn: s.Turn.Number})
			case s.Phase == engine.PhasePlaying:
				err = games.CallPractice(ctx, gameID, "")
			}
		}
		if err != nil && !errors.As(err, new(*engine.Refusal)) {
			slog.Error("ending an abandoned practice table failed", "game", gameID, "err", err)
		}
		select {
		case <-b.hub.Closed():
			return
		case <-time.After(retry / 2):
		}
	}
}
