package referee

import (
	"context"
	"net/url"
	"strconv"

	"github.com/a-h/templ"

	"meldhall/engine"
	"meldhall/templates"
	"meldhall/templates/locale"
	"meldhall/templates/part"
	"meldhall/templates/play"
)

// RulingView is one table for an official. Game.View must be the referee's view, which has no racks before the end.
type RulingView struct {
	part.Page
	Event      int64
	TableID    int64
	Table      int
	Game       play.Game
	May        bool   // may give rulings here; other readers only look
	MayNot     string // why not
	MayHeavily bool   // may propose a disqualification
	HasGame    bool   // false: no game has been dealt at this table yet
	MayStart   bool   // may start the waiting table
	Sure       string // confirmation question for starting it
	Games      []play.RoundGame
	Turns      []SheetTurn  // latest turns, newest first
	Back       []SheetTurn  // turns that can be rewound, newest first
	Rulings    []RulingLine // rulings in this game, newest first
	Waiting    []Proposal   // proposed penalties awaiting a decision
	Devices    []play.TablePlayer
	Tablet     play.TablePlayer // state of the one tablet of a table with real tiles
	Ruling     []string         // other officials who have this sheet open
	Alerts     []part.Alert     // at other tables
	Code       string           // table code that led to this page, if any
	Illegal    int              // penalty tiles for an illegal play under the rules
	Dispute    *Dispute         // at a training table; otherwise nil
	Key        string           // idempotency key for actions on a call
	Used       map[string]int   // how often each ruling was given, by engine.RulingUse name
}

// SheetTurn is a completed turn. Turn is the number that a rewind refers to. Played reports whether tiles may have been
// laid, so that it can be ruled an illegal play.
type SheetTurn struct {
	Number, Turn int
	At           engine.Millis
	Text         string // in the reader's language
	Name         string // of the player
	Played       bool
}

// RulingLine is a ruling in this game. Seq identifies it; May reports whether it can still be cancelled.
type RulingLine struct {
	Seq       int
	At        engine.Millis
	Text      string // in the reader's language, with the reason
	By        string
	Rule      string
	Cancelled bool
	May       bool
}

// Proposal is a penalty that the server proposes, with its canned reason. Cause explains it in the reader's language.
type Proposal struct {
	engine.RulingReason
	Seq   int
	Seat  int
	Name  string
	Tiles int
	Cause string
	At    engine.Millis
}

// rule returns the address that previews a ruling; nameValues are the ruling's fields.
func (v RulingView) rule(action string, nameValues ...any) templ.SafeURL {
	q := url.Values{"game": {locale.Num64(v.Game.ID)}, "seen": {locale.Num(v.Game.View.Seq)}}
	for i := 0; i+1 < len(nameValues); i += 2 {
		name := nameValues[i].(string)
		switch value := nameValues[i+1].(type) {
		case int:
			q.Set(name, strconv.Itoa(value))
		case string:
			q.Set(name, value)
		}
	}
	return templates.RulePath(v.Event, v.TableID, action) + templ.SafeURL("?"+q.Encode())
}

// pointing lets point.js send where an official points on the table.
func (v RulingView) pointing() templ.Attributes {
	if !v.May || !v.playing() {
		return nil
	}
	return templ.Attributes{"data-point": string(templates.Below(templates.RulingPath(v.Event, v.TableID), "point"))}
}

// playing reports whether the game is in its playing phase.
func (v RulingView) playing() bool { return v.Game.View.Phase == engine.PhasePlaying }

// mover returns the name of the player whose turn it is.
func (v RulingView) mover() string { return v.Game.NameOf(v.Game.View.Turn.Seat) }

func (v RulingView) device(seat int) play.TablePlayer {
	if seat < len(v.Devices) {
		return v.Devices[seat]
	}
	return play.TablePlayer{}
}

// poolWords describes how much of the pool is left, if known.
func (v RulingView) poolWords(ctx context.Context) string {
	if v.Game.View.Physical {
		return locale.T(ctx, "real.no_pool")
	}
	return locale.T(ctx, "floor.pool", "n", v.Game.View.Pool)
}

// seatFacts summarizes a seat for an official in one line.
func (v RulingView) seatFacts(ctx context.Context, seat int) string {
	s := v.Game.View.Seats[seat]
	text := v.Game.SeatDoes(ctx, seat)
	if !v.Game.View.Physical {
		text = locale.T(ctx, "floor.tiles", "n", s.Tiles) + " · " + text
	}
	if s.Out {
		text += " · " + locale.T(ctx, "sheet.out")
	}
	if s.Warnings > 0 {
		text += " · " + locale.T(ctx, "sheet.warnings", "n", s.Warnings)
	}
	if s.Penalties > 0 {
		text += " · " + locale.T(ctx, "floor.penalties", "n", s.Penalties)
	}
	return text
}
