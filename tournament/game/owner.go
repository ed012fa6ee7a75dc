package game

import (
	"context"
	"database/sql"
	"errors"

	"meldhall/engine"
)

// Owner decides which clocks this program runs. A program that has its database to itself runs them all, and New gives
// it an Owner for that. Package cluster implements the other case.
type Owner interface {
	// Alone reports whether this program alone appends to the logs. If not, a game in memory may be out of date.
	Alone() bool
	// Owns reports whether this program runs the automatic actions of the game, or of the tournament, with this ID.
	Owns(id int64) bool
	// Keeps is like Owns for the clock of a game, but its result may be briefly out of date.
	Keeps(game int64) bool
	// Taken returns how this program came to run the clock of a game.
	Taken(game int64) Takeover
	// Fence returns project, the writes that go with an append of the clock, with an added check that this program
	// still runs the clock. byClock reports whether the events let time run out; otherwise they give time back. Fence,
	// or the check, fails with ErrClockHeld.
	Fence(game int64, byClock bool, project func(*sql.Tx) error) (func(*sql.Tx) error, error)
	// Beat records that this program runs, and the time since which it owes time to players (see Games.Owed).
	Beat(ctx context.Context) error
	// Hurry returns a channel that asks for a Beat before the next one is due.
	Hurry() <-chan struct{}
	// Wrote is called after a commit, with the game's next deadline, 0 if the clock is stopped. It must not block.
	Wrote(now *Snapshot, due engine.Millis, step Step)
	// Drafted is called after a new draft.
	Drafted(before, now *Snapshot)
	// Disturbed reports whether the table is disturbed in a turn whose time has run out.
	Disturbed(snap *Snapshot) bool
}

// Takeover describes how this program came to run a clock that another program had run before. Number grows with each
// takeover; 0 means that there was none. Since is when players began to be owed time because no program ran the clock,
// 0 if they are owed none.
type Takeover struct {
	Number    int64
	At, Since engine.Millis
}

// ErrClockHeld is returned for events of the clock that this program may not write at the moment: players must first
// get back the time that they are owed, or another program runs the clock.
var ErrClockHeld = errors.New("the game's clock is held")

// alone is the Owner of a program that has its database to itself.
type alone struct{ games *Games }

func (alone) Alone() bool { return true }

func (alone) Owns(int64) bool { return true }

func (alone) Keeps(int64) bool { return true }

func (alone) Taken(int64) Takeover { return Takeover{} }

func (alone) Fence(_ int64, _ bool, project func(*sql.Tx) error) (func(*sql.Tx) error, error) {
	return project, nil
}

func (a alone) Beat(ctx context.Context) error {
	return WriteHeartbeat(ctx, a.games.DB, a.games.paidUntil(a.games.DB.Millis()))
}

func (alone) Hurry() <-chan struct{} { return nil } // never ready

func (alone) Wrote(*Snapshot, engine.Millis, Step) {}

func (alone) Drafted(_, _ *Snapshot) {}

func (alone) Disturbed(snap *Snapshot) bool { return snap.Disturbed() }

// Owns reports whether this program runs the automatic actions of the game, or of the tournament, with this ID.
func (g *Games) Owns(id int64) bool { return g.Owner.Owns(id) }
