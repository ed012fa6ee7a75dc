package archive

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"meldhall/engine"
	"meldhall/tournament/export"
	"meldhall/tournament/game"
	"meldhall/tournament/rights"
)

// checkActors compares the actor of each log event with the seats of the table and the rights of officials.
func (f *facts) checkActors(log export.Game, events []engine.Event, place string) {
	turn, real := 0, realTiles(log)
	for i, e := range events {
		d := deed{f: f, log: log, real: real, row: log.Events[i], w: parseActor(log.Events[i].Actor)}
		if i > 0 {
			d.before, d.deal = log.Events[i-1].Actor, startsDeal(events[i-1])
		}
		if _, begins := e.(engine.PlayBegan); begins {
			turn++
		}
		if why := cmp.Or(d.unknown(), d.forbidden(e)); why != "" {
			f.fault(gameName(log.Game), "%s, turn %d, seq %d: %s by %s: %s", place, turn, i+1, e.Kind(), d.row.Actor,
				why)
		}
		if engine.EndsTurn(e) {
			turn++
		}
	}
}

// Actors returns the faults of one exported game: the log events that their actors cannot have caused. The tournament's
// officials are unknown here, and at a practice table the program may rule.
func Actors(log export.Game) []*Fault {
	f := &facts{alone: true}
	if events, err := export.Log(log); err == nil {
		f.checkActors(log, events, fmt.Sprintf("game %d", log.Game))
	}
	return f.Faults
}

// startsDeal reports whether a deal by the same actor follows the event.
func startsDeal(e engine.Event) bool {
	switch e.(type) {
	case engine.GameStarted, engine.RedealAsked, engine.RedealGranted:
		return true
	}
	return false
}

// deed is a log event with its actor.
type deed struct {
	f      *facts
	log    export.Game
	real   bool // the game is played with real tiles
	row    export.Event
	w      actor
	before string // actor of the previous event
	deal   bool   // startsDeal for the previous event
}

// unknown returns why the actor is neither at the table nor an official in office, or "".
func (d *deed) unknown() string {
	switch d.w.role {
	case rights.RolePlayer:
		if d.w.seat = slices.Index(d.log.Players, d.w.player); d.w.seat < 0 {
			return "the player does not sit at the table"
		}
	case rights.RoleTable:
		if d.w.name != strconv.Itoa(d.log.Table) {
			return "it is another table's device"
		}
	case rights.RoleProgram:
	default:
		if !slices.Contains(rights.OfficialRoles, d.w.role) {
			return "it is not an actor of the event"
		}
		return d.f.notInOffice(d.w, d.row.At)
	}
	return ""
}

// own returns why the actor is neither the player at a seat nor the device of a table with real tiles, or "".
func (d *deed) own(seat int) string {
	switch {
	case seat < 0 || seat >= len(d.log.Players):
		return "there is no such seat"
	case d.real && d.w.role == rights.RoleTable, d.w.role == rights.RolePlayer && d.w.seat == seat:
		return ""
	}
	return fmt.Sprintf("it was the turn or the right of the player at seat %d, %s", seat+1,
		d.f.player(d.log.Players[seat]))
}

// follows returns why the actor is not that of the previous event, or "".
func (d *deed) follows() string {
	if d.row.Actor == d.before {
		return ""
	}
	return "it follows from what " + d.before + " did"
}

func oneOf(may ...bool) string {
	if slices.Contains(may, true) {
		return ""
	}
	return "their role does not allow that"
}

// forbidden returns why the actor cannot have caused an event, or "".
func (d *deed) forbidden(e engine.Event) string {
	program, atTable := d.w.role == rights.RoleProgram, d.w.role == rights.RolePlayer || d.w.role == rights.RoleTable
	referees := d.w.may(rights.MayRule) || d.f.alone && d.row.Actor == game.PracticeActor.String()
	switch e := e.(type) {
	case engine.TilesPlayed:
		return d.own(e.Seat)
	case engine.TileDrawn:
		return d.own(e.Seat)
	case engine.TurnPassed:
		return d.own(e.Seat)
	case engine.KeyPressed:
		return d.own(e.Seat)
	case engine.IllegalPlayed:
		return d.own(e.Seat)
	case engine.RedealAsked:
		return d.own(e.Seat)
	case engine.RefereeCalled:
		return d.calls(e.Seat)
	case engine.CallWithdrawn:
		return d.calls(e.Seat)
	case engine.SeatReady: // at real tiles the device or an official confirms for the whole table
		if d.real {
			return oneOf(atTable, referees)
		}
		return d.own(e.Seat)
	case engine.TurnEnded:
		if referees {
			return ""
		}
		return d.own(e.Seat)
	case engine.TilesDealt:
		if d.deal {
			return d.follows()
		}
		return oneOf(program)
	case engine.GameStarted:
		return oneOf(program)
	case engine.TurnExpired, engine.PlayBegan, engine.GameResumed:
		return oneOf(program, atTable, referees)
	case engine.StarterChosen, engine.PoolRanOut:
		return oneOf(atTable, referees)
	case engine.RacksCounted:
		return oneOf(atTable, d.w.may(rights.MayCount))
	case engine.PlayEnded, engine.GameEnded, engine.PenaltyProposed:
		return d.follows()
	case engine.CallAcknowledged, engine.CallAnswered:
		return oneOf(referees)
	case engine.GamePaused, engine.ResumeSet, engine.TimeGiven: // by the program after an outage
		return cmp.Or(oneOf(program, referees), namesAnother(d.row, d.w))
	}
	return cmp.Or(oneOf(referees), namesAnother(d.row, d.w))
}

// calls returns why the actor cannot have made or withdrawn a seat's call, or "". A table's device may call for all of
// its seats.
func (d *deed) calls(seat int) string {
	if d.w.role == rights.RoleTable {
		return ""
	}
	return d.own(seat)
}

// realTiles reports whether a game was played with real tiles.
func realTiles(log export.Game) bool {
	e, err := engine.Decode(log.Events[0].Kind, log.Events[0].Version, log.Events[0].Data)
	began, ok := e.(engine.GameStarted)
	if err == nil && !ok { // a call came before the deal
		dealt := (engine.TilesDealt{}).Kind()
		return !slices.ContainsFunc(log.Events, func(e export.Event) bool { return e.Kind == dealt })
	}
	return ok && began.Physical
}

// namesAnother returns a fault if a ruling names an official other than the one of its row, or "".
func namesAnother(at export.Event, w actor) string {
	var said struct{ By string }
	if json.Unmarshal(at.Data, &said) != nil || said.By == "" || said.By == w.name || w.role == rights.RoleProgram {
		return ""
	}
	return "the ruling itself says that it is by " + said.By
}
