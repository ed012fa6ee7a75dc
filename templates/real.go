package templates

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"meldhall/engine"
	"meldhall/engine/tile"
)

// stage is which of its four faces the tablet of a table with real tiles shows.
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

// staff tells whether an official follows the table on a device of their own.
func (r Real) staff() bool { return r.Event != 0 }

// at is where the page's keys send what they do, below the game's number.
func (r Real) at() string {
	if r.staff() {
		return string(ClockGamesPath(r.Event))
	}
	return string(GamePath)
}

// room is where the device belongs once there is no such game at its table.
func (r Real) room() string {
	if r.staff() {
		return string(RulingPath(r.Event, r.TableID))
	}
	return string(PlayPath)
}

// enter is where a device goes that has lost its seat, or its sign-in.
func (r Real) enter() string {
	if r.staff() {
		return string(SignInPath)
	}
	return string(JoinPath)
}

// acts tells whether the running turn may be ended on this tablet.
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

// phase is the game's for the scripts: the play is over when a rack is empty, not when it was counted.
func (r Real) phase() string {
	if r.stage() == "count" {
		return string(engine.PhaseOver)
	}
	return string(r.Game.View.Phase)
}

// wonBy says who emptied the rack, for the moment in which it happens.
func (r Real) wonBy(ctx context.Context) string {
	v := r.Game.View
	if v.Counting != engine.EndedEmptied {
		return ""
	}
	if !r.Table && v.Turn.Seat == v.Seat {
		return T(ctx, "moment.you")
	}
	return T(ctx, "moment.other", "name", r.Game.NameOf(v.Turn.Seat))
}

// seatWords is what a seat does, in words.
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

// expired tells whether the last thing that happened was a time-out.
func (r Real) expired() bool { return r.lastKind() == engine.TurnExpired{}.Kind() }

func (r Real) whose(ctx context.Context) string {
	v := r.Game.View
	if !r.Table && v.Turn.Seat == v.Seat {
		return T(ctx, "real.your_turn")
	}
	return T(ctx, "real.turn_of", "name", r.Game.NameOf(v.Turn.Seat))
}

// lastWords is one sentence about the last action; empty when there was none, or when it is told as a ruling.
func (r Real) lastWords(ctx context.Context) string {
	if r.Game.ruled() {
		return ""
	}
	return r.Game.realLast(ctx)
}

// tilesKnown tells whether anybody knows how many tiles are on the racks: of a game with real tiles once they were counted.
func (g Game) tilesKnown() bool {
	return !g.View.Physical || slices.ContainsFunc(g.View.Seats, func(s engine.SeatView) bool { return s.Tiles > 0 })
}

// realNow is what goes on at a table with real tiles.
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

// realLast is one sentence about the last action at a table with real tiles.
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

// endings are the ways that the rules know for a game to end.
func endings(g Game) []string {
	return engine.WaysToEnd(g.View.Exhausted, g.View.Counting == engine.EndedForfeit)
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

// sheetFaces are the faces in four colours of thirteen, then the joker.
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
