package export

import (
	"errors"
	"fmt"

	"meldhall/engine"
	"meldhall/tournament/game"
	"meldhall/tournament/storage"
)

// ChainHead returns the hash of the last event of a game's log as its events give it.
func (g Game) ChainHead() (head string) {
	for _, e := range g.Events {
		head = e.link(g.Game, head)
	}
	return head
}

// link returns the event's hash after that of the event before it.
func (e Event) link(game int64, before string) string {
	return storage.ChainedEvent{Seq: e.Seq, Kind: e.Kind, Version: e.Version, At: int64(e.At), Actor: e.Actor, Data: string(e.Data), Salt: e.Salt}.Link(game, before)
}

// setHead computes the head of a log that was read from a database. An event whose stored hash is another one is damaged, or was changed.
func (g *Game) setHead() error {
	for _, e := range g.Events {
		if g.Head = e.link(g.Game, g.Head); g.Head != e.chain {
			return fmt.Errorf("game %d, seq %d: %w: %w", g.Game, e.Seq, game.ErrBroken, storage.Fault("the row does not follow from those before it"))
		}
	}
	return nil
}

// Verify checks an exported game; the error names the first thing that does not agree.
func Verify(g Game) (engine.State, error) {
	s, err := verifyLog(g)
	if err == nil && g.Head != "" && g.Head != g.ChainHead() {
		err = errors.New("the log does not give its head: an event was changed, added or removed")
	}
	return s, err
}
