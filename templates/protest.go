package templates

import (
	"context"

	"github.com/a-h/templ"

	"meldhall/engine"
)

// Protest is a player's protest as the table and the officials see it. Outcome is empty while it is open.
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

// ProtestGame is where a protest comes from, with what belongs to it.
type ProtestGame struct {
	Event, ID            int64
	Round, Table, Number int
}

func (p Protest) open() bool { return p.Outcome == "" }

func (p Protest) kind() string {
	switch p.Outcome {
	case "":
		return "wait"
	case "upheld":
		return "good"
	}
	return "bad"
}

// state is how far a protest is, in one sentence.
func (p Protest) state(ctx context.Context) string {
	if p.open() {
		return T(ctx, "protest.open")
	}
	return T(ctx, "protest."+p.Outcome)
}

// ProtestsView is all protests of an event for its officials, those that are open first.
type ProtestsView struct {
	Page
	Event   int64
	All     []Protest
	Decides bool // the reader may decide
	Problem string
	Typed   string // the reason that was refused, with
	For     int64  // the protest that it was for
}

// ProtestsPath lists an event's protests; POST ProtestsPath/ID (outcome, reason) decides one.
func ProtestsPath(event int64) templ.SafeURL { return path("/referee/%d/protests", event) }

// ProtestPath takes a player's protest: POST text.
func ProtestPath(game int64) templ.SafeURL { return path("/play/game/%d/protest", game) }

func (v ProtestsView) typed(p Protest) string {
	if v.For == p.ID {
		return v.Typed
	}
	return ""
}
