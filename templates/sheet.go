package templates

import (
	"context"
	"net/url"
	"strconv"

	"github.com/a-h/templ"

	"meldhall/engine"
)

// RulingView is one table for an official. Game.View must be the referee's: no rack before the end.
type RulingView struct {
	Page
	Event      int64
	TableID    int64
	Table      int
	Game       Game
	May        bool   // rule here; others look on
	MayHeavily bool   // propose to disqualify
	HasGame    bool   // false: no game has been dealt at this table yet
	MayStart   bool   // the table, which waits
	Sure       string // what is asked before it is started
	Games      []RoundGame
	Turns      []SheetTurn  // what happened last, the newest first
	Back       []SheetTurn  // the turns to go back to, the newest first
	Rulings    []RulingLine // of this game, the newest first
	Waiting    []Proposal   // proposed penalties that nobody has decided on
	Devices    []TablePlayer
	Tablet     TablePlayer    // the one tablet of a table with real tiles: only how it is
	Ruling     []string       // officials who have this sheet open, besides the reader
	Alerts     []Alert        // at other tables
	Code       string         // of the table, where it led here
	Illegal    int            // tiles that the rule set gives for an illegal play
	Dispute    *Dispute       // at a table of a training; nil elsewhere
	Key        string         // makes what is done about a call happen once
	Used       map[string]int // how often the event's officials gave which ruling before this round, by the names of engine.RulingUse
}

// SheetTurn is a turn that has ended. Turn is the number that a rewind names.
type SheetTurn struct {
	Number, Turn int
	At           engine.Millis
	Text         string // in the reader's language
}

// RulingLine is a ruling of this game. Seq names it; May tells whether it can still be cancelled.
type RulingLine struct {
	Seq       int
	At        engine.Millis
	Text      string // in the reader's language, with its reason
	By        string
	Rule      string
	Cancelled bool
	May       bool
}

// Proposal is a penalty that the server proposes, with its canned reason. Cause is why, in the reader's language.
type Proposal struct {
	engine.RulingReason
	Seq   int
	Seat  int
	Name  string
	Tiles int
	Cause string
	At    engine.Millis
}

// rule is the address that shows what a ruling would do; nameValues are what it says.
func (v RulingView) rule(action string, nameValues ...any) templ.SafeURL {
	q := url.Values{"game": {num64(v.Game.ID)}, "seen": {num(v.Game.View.Seq)}}
	for i := 0; i+1 < len(nameValues); i += 2 {
		name := nameValues[i].(string)
		switch value := nameValues[i+1].(type) {
		case int:
			q.Set(name, strconv.Itoa(value))
		case string:
			q.Set(name, value)
		}
	}
	return RulePath(v.Event, v.TableID, action) + templ.SafeURL("?"+q.Encode())
}

// playing tells whether turns are being played.
func (v RulingView) playing() bool { return v.Game.View.Phase == engine.PhasePlaying }

// mover is whose turn it is.
func (v RulingView) mover() string { return v.Game.NameOf(v.Game.View.Turn.Seat) }

func (v RulingView) device(seat int) TablePlayer {
	if seat < len(v.Devices) {
		return v.Devices[seat]
	}
	return TablePlayer{}
}

// poolWords is how much of the pool is left, where that is known.
func (v RulingView) poolWords(ctx context.Context) string {
	if v.Game.View.Physical {
		return T(ctx, "real.no_pool")
	}
	return T(ctx, "floor.pool", "n", v.Game.View.Pool)
}

// seatFacts is what an official should know of a seat in one line.
func (v RulingView) seatFacts(ctx context.Context, seat int) string {
	s := v.Game.View.Seats[seat]
	text := v.Game.seatDoes(ctx, seat)
	if !v.Game.View.Physical {
		text = T(ctx, "floor.tiles", "n", s.Tiles) + " · " + text
	}
	if s.Out {
		text += " · " + T(ctx, "sheet.out")
	}
	if s.Warnings > 0 {
		text += " · " + T(ctx, "sheet.warnings", "n", s.Warnings)
	}
	if s.Penalties > 0 {
		text += " · " + T(ctx, "floor.penalties", "n", s.Penalties)
	}
	return text
}

// RuledWords is a ruling in one sentence with its reason.
func (g Game) RuledWords(ctx context.Context, r engine.Ruling) string {
	return g.toldWords(ctx, r, toldKey(r))
}

// toldKey is the text that tells a ruling.
func toldKey(r engine.Ruling) string {
	switch {
	case r.Seconds != 0 && r.Seat < 0:
		return "told.start_moved"
	case r.Seconds < 0:
		return "told.time_taken"
	}
	return "told." + r.Kind
}

func (g Game) toldWords(ctx context.Context, r engine.Ruling, key string) string {
	return WithReason(ctx, T(ctx, key, "n", r.Tiles, "name", g.NameOf(r.Seat), "seconds", max(r.Seconds, -r.Seconds)), r.Reason)
}
