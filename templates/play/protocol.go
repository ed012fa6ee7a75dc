package play

import (
	"context"

	"meldhall/engine"
	"meldhall/templates/locale"
)

// Protest is a player's protest as players and officials see it. Outcome is empty while it is open.
type Protest struct {
	ID      int64
	Name    string
	Mine    bool
	Text    string
	At      engine.Millis
	Outcome string
	Reason  string
	By      string
	Decided engine.Millis
	Game    ProtestGame // for the officials' list
}

// ProtestGame identifies the game of a protest.
type ProtestGame struct {
	Event, ID            int64
	Round, Table, Number int
}

// Open reports whether the protest is undecided.
func (p Protest) Open() bool { return p.Outcome == "" }

func (p Protest) kind() string {
	switch p.Outcome {
	case "":
		return "wait"
	case "upheld":
		return "good"
	}
	return "bad"
}

// state describes the state of a protest in one sentence.
func (p Protest) state(ctx context.Context) string {
	if p.Open() {
		return locale.T(ctx, "protest.open")
	}
	return locale.T(ctx, "protest."+p.Outcome)
}
