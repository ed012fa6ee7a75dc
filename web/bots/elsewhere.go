package bots

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"meldhall/engine"
	"meldhall/tournament/game"
)

const leaveTries = 20

// leave ends a practice game whose bots belong to another node after the person has left: it calls time, and the other
// node's bots play the rest.
func (p *Tables) leave(of int64) {
	for range leaveTries {
		snap, err := p.games.Look(context.Background(), of)
		if err == nil {
			switch s := snap.State; {
			case s.Phase == engine.PhaseOver || s.TimeOver:
				return
			case s.Phase == engine.PhaseDealt && !s.Ready[snap.Ref.PersonSeat()]:
				me := snap.Ref.PersonSeat()
				_, err = p.games.Submit(context.Background(), game.PracticePlayer(snap.Ref, me), of, "",
					engine.Ready{Seat: me, Turn: s.Turn.Number})
			case s.Phase == engine.PhasePlaying:
				err = p.games.CallPractice(context.Background(), of, "")
			}
		}
		if err != nil && !errors.As(err, new(*engine.Refusal)) {
			slog.Error("ending an abandoned practice table failed", "game", of, "err", err)
		}
		select {
		case <-p.hub.Closed():
			return
		case <-time.After(practiceRetry / 2):
		}
	}
}
