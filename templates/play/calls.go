package play

import (
	"context"
	"slices"
	"strings"

	"github.com/a-h/templ"

	"meldhall/engine"
	"meldhall/engine/tile"
	"meldhall/templates/locale"
)

// SeatCall is a seat's call for the referee, and the clock meanwhile.
type SeatCall struct {
	call  engine.Call // zero if there is none
	clock TurnClock
}

// Call returns a seat's call. The public's view contains no calls.
func (g Game) Call(seat int) SeatCall {
	for _, c := range g.View.Calls {
		if c.Seat == seat {
			return SeatCall{c.Call, g.Clock()}
		}
	}
	return SeatCall{}
}

// OwnCall returns the call of the viewer's own seat.
func (g Game) OwnCall() SeatCall { return g.Call(g.View.Seat) }

// Open reports whether the seat is calling the referee.
func (c SeatCall) Open() bool { return c.call.Open() }

// Waits reports whether no official is on the way yet, so that the seat may take the call back.
func (c SeatCall) Waits() bool { return c.Open() && c.call.Coming == 0 }

// State describes an open call: whether the referee is coming.
func (c SeatCall) State(ctx context.Context) string {
	if c.call.Coming != 0 {
		return locale.T(ctx, "status.coming")
	}
	return locale.T(ctx, "seat.called")
}

// KeyWords returns the label of the button that calls the referee or takes the call back.
func (c SeatCall) KeyWords(ctx context.Context) string {
	switch {
	case !c.Open():
		return locale.T(ctx, "game.call")
	case c.call.Coming != 0:
		return locale.T(ctx, "game.coming")
	}
	return locale.T(ctx, "game.withdraw")
}

// words returns the state of the call and what the clock does meanwhile, or "" if there is no call. A call does not
// stop the clock by itself under the rules; the referee stops it.
func (c SeatCall) words(ctx context.Context) string {
	call := c.call
	switch {
	case call.Since == 0:
		return ""
	case call.Answered != 0 && call.By == "":
		return locale.T(ctx, "call.answered")
	case call.Answered != 0:
		return locale.T(ctx, "call.answered_by", "name", locale.Isolate(call.By))
	case call.Coming != 0:
		return locale.T(ctx, "call.coming", "name", locale.Isolate(call.By)) + c.clockWords(ctx)
	}
	return locale.T(ctx, "call.called") + c.clockWords(ctx)
}

func (c SeatCall) clockWords(ctx context.Context) string {
	switch {
	case c.clock.Stopped:
		return " " + locale.T(ctx, "call.clock_stopped")
	case c.clock.Timed:
		return " " + locale.T(ctx, "call.clock_runs")
	}
	return ""
}

// rulingWords returns the latest ruling in one sentence with its reason. It returns "" when the ruling is no longer
// recent, and after the game.
func (g Game) rulingWords(ctx context.Context) string {
	r := g.View.Ruling
	if r == nil || g.View.Phase == engine.PhaseOver {
		return ""
	}
	key := toldKey(*r)
	if g.seated() && r.Seat == g.View.Seat && locale.HasText(key+".you") {
		key += ".you"
	}
	return g.toldWords(ctx, *r, key)
}

// pauseWords returns why the clock is stopped, with the referee's reason, once a later ruling is shown in its place.
func (g Game) pauseWords(ctx context.Context) string {
	v := g.View
	if v.Paused == nil || v.Paused.Reason == "" || v.Ruling != nil && v.Ruling.Kind == (engine.GamePaused{}).Kind() {
		return ""
	}
	return WithReason(ctx, PausedWords(ctx, g), v.Paused.Reason)
}

// lapWords announces that the end is near, and why. It returns "" until then.
func (g Game) lapWords(ctx context.Context) string {
	v := g.View
	switch {
	case v.Phase != engine.PhasePlaying, v.Counting != "":
		return ""
	case v.TimeOver && v.Turn.Left > 0:
		return locale.T(ctx, "lap.time", "n", v.Turn.Left)
	case v.Turn.Left > 0:
		return locale.T(ctx, "lap.pool", "n", v.Turn.Left)
	case g.PoolEmpty():
		return locale.T(ctx, "lap.stuck")
	}
	return ""
}

// OwedWords names the players who still have a turn in the last lap. It returns "" before and after it.
func (g Game) OwedWords(ctx context.Context) string {
	v := g.View
	switch {
	case v.Phase != engine.PhasePlaying, v.Counting != "", v.Turn.Left == 0:
		return ""
	case len(v.Owed) == 0:
		return locale.T(ctx, "lap.none")
	}
	return locale.T(ctx, "lap.owed", "names", g.namesOf(v.Owed))
}

// namesOf returns the names of the players at seats, in that order.
func (g Game) namesOf(seats []int) string {
	names := make([]string, len(seats))
	for i, seat := range seats {
		names[i] = g.NameOf(seat)
	}
	return strings.Join(names, ", ")
}

// Ruled reports whether the last action is the ruling that is already shown.
func (g Game) Ruled() bool {
	r, last := g.View.Ruling, g.View.Last
	return r != nil && last != nil && r.Kind == last.Kind && g.View.Phase != engine.PhaseOver
}

// tellsAttrs makes the area with messages focusable when there are any, so that it can be opened and scrolled with the
// keyboard.
func (g Game) tellsAttrs(ctx context.Context) templ.Attributes {
	words := g.rulingWords(ctx) + g.pauseWords(ctx) + g.OwnCall().words(ctx) + g.lapWords(ctx)
	if words == "" && len(g.Penalties) == 0 {
		return nil
	}
	return templ.Attributes{"tabindex": "0"}
}

// Readies counts the seats that are ready for the first turn.
func (g Game) Readies() (n int) {
	for _, s := range g.View.Seats {
		if s.Ready {
			n++
		}
	}
	return n
}

// whyWords explains why the starting player starts.
func (g Game) whyWords(ctx context.Context) string {
	if len(g.View.Draws) == 0 {
		return locale.T(ctx, "start.rotated")
	}
	drawn := g.Drawn(g.View.Starter)
	text := locale.T(ctx, "start.highest", "number", drawn[len(drawn)-1].Tile.Number())
	if slices.ContainsFunc(g.View.Draws, func(d engine.Drawn) bool { return d.Round > 1 }) {
		text += " " + locale.T(ctx, "start.tied")
	}
	if slices.ContainsFunc(g.View.Draws, func(d engine.Drawn) bool { return d.Tile == tile.Joker }) {
		text += " " + locale.T(ctx, "start.joker")
	}
	return text
}

// decisive reports whether d is the last tile that the seat drew to decide who starts.
func (g Game) decisive(seat int, d engine.Drawn) bool {
	drawn := g.Drawn(seat)
	return drawn[len(drawn)-1] == d
}

// doubles returns the pairs of a rack, one face for each. The two jokers do not count as a pair.
func doubles(rack []tile.Face) (pairs []tile.Face) {
	for f, n := range tile.CountFaces(rack) {
		if n == 2 && tile.Face(f) != tile.Joker {
			pairs = append(pairs, tile.Face(f))
		}
	}
	return pairs
}

// Agrees reports whether the player at a seat has confirmed the count; ok is false if the viewer may not see that.
func (g Game) Agrees(seat int) (yes, ok bool) {
	if seat < 0 || seat >= len(g.Agreed) {
		return false, false
	}
	return g.Agreed[seat], true
}

// Agreeing returns how many players have agreed to the result.
func (g Game) Agreeing() (n int) {
	for _, yes := range g.Agreed {
		if yes {
			n++
		}
	}
	return n
}

// CountWords returns the line beside the buttons after a game.
func (g Game) CountWords(ctx context.Context) string {
	mine, _ := g.Agrees(g.View.Seat)
	switch {
	case g.Counted:
		return locale.T(ctx, "result.counted")
	case mine:
		return locale.T(ctx, "agree.thanks")
	}
	return locale.T(ctx, "agree.ask")
}

// NextWords describes what follows this game: the table's next game or the next round.
func (g Game) NextWords(ctx context.Context) string {
	if g.Place.Number < g.Place.Of {
		return locale.T(ctx, "next.game", "number", g.Place.Number+1, "of", g.Place.Of)
	}
	return locale.T(ctx, "next.round")
}

// RankOf returns the reader's own rank in the standings, or "" if there is none.
func RankOf(rows []RankRow) string {
	for _, r := range rows {
		if r.Me {
			return r.Rank
		}
	}
	return ""
}
