package export

import (
	"errors"
	"fmt"

	"meldhall/engine"
	"meldhall/tournament/game"
	"meldhall/tournament/store"
)

// ChainHead computes the hash of a game's last event from its events.
func (g Game) ChainHead() (head string) {
	for _, e := range g.Events {
		head = e.link(g.Game, head)
	}
	return head
}

// link returns the event's hash; before is the hash of the previous event.
func (e Event) link(game int64, before string) string {
	return store.ChainedEvent{Seq: e.Seq, Kind: e.Kind, Version: e.Version, At: int64(e.At), Actor: e.Actor,
		Data: string(e.Data), Salt: e.Salt}.Link(game, before)
}

// setHead computes the head of a log read from a database. It returns an error if an event's stored hash differs from
// the computed one, because the event was then damaged or changed.
func (g *Game) setHead() error {
	for _, e := range g.Events {
		if g.Head = e.link(g.Game, g.Head); g.Head != e.chain {
			return fmt.Errorf("game %d, seq %d: %w: %w", g.Game, e.Seq, game.ErrBroken,
				store.Fault("the row does not follow from those before it"))
		}
	}
	return nil
}

// Verify checks an exported game. The error names the first contradiction.
func Verify(g Game) (engine.State, error) {
	s, err := verifyLog(g)
	if err == nil && g.Head != "" && g.Head != g.ChainHead() {
		err = errors.New("the hash of the log differs from its head: an event was changed, added or removed")
	}
	return s, err
}
