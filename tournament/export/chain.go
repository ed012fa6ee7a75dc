package export

import (
	"errors"
	"fmt"
	"slices"

	"meldhall/engine"
	"meldhall/tournament/game"
	"meldhall/tournament/signing"
	"meldhall/tournament/store"
)

// ChainHead computes the hash of a game's last event from its events.
func (g Game) ChainHead() (head string) {
	for _, head = range g.Chain() {
	}
	return head
}

// Chain computes the hashes of all events of a game.
func (g Game) Chain() []string {
	hashes, before := make([]string, len(g.Events)), ""
	for i, e := range g.Events {
		before = e.link(g.Game, before)
		hashes[i] = before
	}
	return hashes
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
	return g.setSigned()
}

// setSigned collects the signed commands of a log read from a database.
func (g *Game) setSigned() error {
	if !slices.ContainsFunc(g.Events, func(e Event) bool { return e.signed != "" }) {
		return nil
	}
	log, err := g.SignedLog()
	if err == nil {
		g.Signed = log.Runs()
	}
	return err
}

// SignedLog returns the log as package signing reads it.
func (g Game) SignedLog() (log signing.Game, err error) {
	events, err := Log(g)
	if err != nil {
		return log, err
	}
	log = signing.Game{ID: g.Game, Players: g.Players}
	for i, chain := range g.Chain() {
		signed, err := signing.Parse(g.Events[i].signed)
		if err != nil {
			return log, fmt.Errorf("game %d, seq %d: %w", g.Game, i+1, err)
		}
		log.Log = append(log.Log, signing.Event{Event: events[i], Actor: g.Events[i].Actor, Chain: chain,
			Signed: signed})
	}
	return log, nil
}

// SignedCommands returns the signed commands by seq, see signing.Game.Check. The error names the first signature that
// does not hold. The engine must have accepted the log.
func (g Game) SignedCommands() (map[int]signing.Signed, error) {
	if len(g.Signed) == 0 {
		return nil, nil
	}
	log, err := g.SignedLog()
	if err != nil {
		return nil, err
	}
	return log.Check(g.Signed)
}

// Verify checks an exported game. The error names the first contradiction.
func Verify(g Game) (engine.State, error) {
	s, err := verifyLog(g)
	if err == nil && g.Head != "" && g.Head != g.ChainHead() {
		err = errors.New("the hash of the log differs from its head: an event was changed, added or removed")
	}
	return s, err
}
