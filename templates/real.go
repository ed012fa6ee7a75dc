package templates

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"meldhall/engine"
	"meldhall/engine/ruleset"
	"meldhall/engine/tile"
)

// stage returns which of its four screens the tablet of a table with real tiles shows.
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

// at returns the base address to which the page's buttons post, followed by the game's ID.
func (r Real) at() string {
	if r.staff() {
		return string(ClockGamesPath(r.Event))
	}
	return string(GamePath)
}

// room returns the page to go to when the game at the table has ended.
func (r Real) room() string {
	if r.staff() {
		return string(RulingPath(r.Event, r.TableID))
	}
	return string(PlayPath)
}

// enter returns the page for a device that has lost its seat or its sign-in.
func (r Real) enter() string {
	if r.staff() {
		return string(SignInPath)
	}
	return string(JoinPath)
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
		return T(ctx, "moment.you")
	}
	return T(ctx, "moment.other", "name", r.Game.NameOf(v.Turn.Seat))
}

// seatWords describes what a seat is doing.
func (r Real) seatWords(ctx context.Context, seat int) string {
	v := r.Game.View
	switch s := v.Seats[seat]; {
	case r.stage() == "turns":
		return r.Game.seatState(ctx, seat)
	case r.stage() == "start" && s.Ready:
		return T(ctx, "seat.ready")
	case r.stage() == "start":
		return ""
	case s.Opened:
		return T(ctx, "seat.opened")
	}
	return T(ctx, "seat.not_opened")
}

// expired reports whether the last event was a time-out.
func (r Real) expired() bool { return r.lastKind() == engine.TurnExpired{}.Kind() }

func (r Real) whose(ctx context.Context) string {
	v := r.Game.View
	if !r.Table && v.Turn.Seat == v.Seat {
		return T(ctx, "real.your_turn")
	}
	return T(ctx, "real.turn_of", "name", r.Game.NameOf(v.Turn.Seat))
}

// lastWords returns one sentence about the last action. It returns "" if there was none, or if it is shown as a ruling.
func (r Real) lastWords(ctx context.Context) string {
	if r.Game.ruled() {
		return ""
	}
	return r.Game.realLast(ctx)
}

// tilesKnown reports whether the numbers of tiles on the racks are available. With real tiles, they are available only
// after the count.
func (g Game) tilesKnown() bool {
	return !g.View.Physical || slices.ContainsFunc(g.View.Seats, func(s engine.SeatView) bool { return s.Tiles > 0 })
}

// realNow describes the current step at a table with real tiles.
func (g Game) realNow(ctx context.Context) string {
	switch v := g.View; {
	case v.Counting != "":
		return T(ctx, "real.racks_counted")
	case v.Phase == engine.PhasePlaying:
		return T(ctx, "real.turn_of", "name", g.NameOf(v.Turn.Seat))
	}
	if v := g.View; v.Starter >= 0 {
		return T(ctx, "real.begins", "name", g.NameOf(v.Starter))
	}
	return T(ctx, "real.at_start")
}

// realLast returns one sentence about the last action at a table with real tiles.
func (g Game) realLast(ctx context.Context) string {
	l := g.View.Last
	if l == nil {
		return ""
	}
	key := "real.last." + l.Kind
	if l.Drawn == 0 && HasText(key+".none") {
		key += ".none"
	}
	if !HasText(key) {
		return ""
	}
	text := T(ctx, key, "n", l.Drawn, "name", g.NameOf(l.Seat))
	if lost(l.Kind) && l.Drawn == 0 {
		text += " " + noneWords(ctx, *l)
	}
	return text
}

func (r Real) agreed(seat int) bool {
	yes, _ := r.Game.agrees(seat)
	return yes
}

func (r Real) sheet() SheetView {
	return SheetView{Game: r.Game, At: fmt.Sprintf("%s/%d", r.at(), r.Game.ID)}
}

// endings returns the ways in which a game can end under its rules.
func endings(g Game) []string {
	return engine.WaysToEnd(g.View.Exhausted, g.View.Counting == ruleset.EndedForfeit)
}

func openedText(v engine.View) string {
	flags := make([]string, len(v.Seats))
	for i, s := range v.Seats {
		flags[i] = "0"
		if s.Opened {
			flags[i] = "1"
		}
	}
	return strings.Join(flags, " ")
}

// sheetFaces returns all faces: four colours of thirteen, then the joker.
func sheetFaces() []tile.Face {
	faces := make([]tile.Face, tile.Faces)
	for i := range faces {
		faces[i] = tile.Face(i)
	}
	return faces
}

func newestFirst(book []engine.Booked) []engine.Booked {
	list := slices.Clone(book)
	slices.Reverse(list)
	return list
}
