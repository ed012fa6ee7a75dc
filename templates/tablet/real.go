// Package tablet renders the pages of players: joining, the waiting room, the table with digital or real tiles,
// practice, and a referee's ruling at the player's tablet.
package tablet

import (
	"context"
	"fmt"

	"meldhall/engine"
	"meldhall/engine/ruleset"
	"meldhall/templates"
	"meldhall/templates/locale"
	"meldhall/templates/play"
)

// stage returns which of the four screens the tablet shows.
func (r Real) stage() string {
	v := r.Game.View
	switch {
	case v.Phase == engine.PhaseOver:
		return "over"
	case v.Counting != "":
		return "count"
	case v.Phase == engine.PhasePlaying:
		return "turns"
	}
	return "start"
}

// staff reports whether an official follows the table on their own device.
func (r Real) staff() bool { return r.Event != 0 }

// at returns the base address of the page's buttons. They post to it followed by the game's ID.
func (r Real) at() string {
	if r.staff() {
		return string(templates.ClockGamesPath(r.Event))
	}
	return string(templates.GamePath)
}

// room returns the page to go to when the game at the table has ended.
func (r Real) room() string {
	if r.staff() {
		return string(templates.RulingPath(r.Event, r.TableID))
	}
	return string(templates.PlayPath)
}

// enter returns the page for a device that has lost its seat or its sign-in.
func (r Real) enter() string {
	if r.staff() {
		return string(templates.SignInPath)
	}
	return string(templates.JoinPath)
}

// acts reports whether the current turn can be ended on this tablet.
func (r Real) acts() bool {
	v := r.Game.View
	return r.stage() == "turns" && v.Paused == nil && (r.Table || v.Turn.Seat == v.Seat)
}

func (r Real) lastKind() string {
	if r.Game.View.Last == nil {
		return ""
	}
	return r.Game.View.Last.Kind
}

// phase returns the game's phase for the scripts. For them the game is over once counting begins.
func (r Real) phase() string {
	if r.stage() == "count" {
		return string(engine.PhaseOver)
	}
	return string(r.Game.View.Phase)
}

// wonBy announces which player emptied the rack. It returns "" if the game did not end that way.
func (r Real) wonBy(ctx context.Context) string {
	v := r.Game.View
	if v.Counting != ruleset.EndedEmptied {
		return ""
	}
	if !r.Table && v.Turn.Seat == v.Seat {
		return locale.T(ctx, "moment.you")
	}
	return locale.T(ctx, "moment.other", "name", r.Game.NameOf(v.Turn.Seat))
}

// seatWords describes what a seat is doing.
func (r Real) seatWords(ctx context.Context, seat int) string {
	v := r.Game.View
	switch s := v.Seats[seat]; {
	case r.stage() == "turns":
		return r.Game.SeatState(ctx, seat)
	case r.stage() == "start" && s.Ready:
		return locale.T(ctx, "seat.ready")
	case r.stage() == "start":
		return ""
	case s.Opened:
		return locale.T(ctx, "seat.opened")
	}
	return locale.T(ctx, "seat.not_opened")
}

// expired reports whether the last event was a time-out.
func (r Real) expired() bool { return r.lastKind() == engine.TurnExpired{}.Kind() }

func (r Real) whose(ctx context.Context) string {
	v := r.Game.View
	if !r.Table && v.Turn.Seat == v.Seat {
		return locale.T(ctx, "real.your_turn")
	}
	return locale.T(ctx, "real.turn_of", "name", r.Game.NameOf(v.Turn.Seat))
}

// lastWords returns one sentence about the last action. It returns "" if there was none, or if it is shown as a ruling.
func (r Real) lastWords(ctx context.Context) string {
	if r.Game.Ruled() {
		return ""
	}
	return r.Game.RealLast(ctx)
}

func (r Real) agreed(seat int) bool {
	yes, _ := r.Game.Agrees(seat)
	return yes
}

func (r Real) sheet() play.SheetView {
	return play.SheetView{Game: r.Game, At: fmt.Sprintf("%s/%d", r.at(), r.Game.ID)}
}
