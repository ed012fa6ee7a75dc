package templates

import (
	"cmp"
	"context"
	"net/url"
	"slices"
	"strings"

	"github.com/a-h/templ"

	"meldhall/engine"
)

// DisplayView is a screen on the wall or in the middle of a table, for everybody: it follows the table that has
// the number, from game to game and from round to round. Game.View must be a spectator's.
type DisplayView struct {
	Event   int64
	Name    string // of the event
	Number  int
	Round   int  // that the table plays in; 0: none does
	HasGame bool // false: nothing is dealt here yet; Game holds the place and who sits there, if anybody does
	Game    Game
	Turns   []TurnLine // the last ones, the newest last
	Hidden  bool       // what lies on the table is held back: the same tiles lie at other tables
	Laying  int        // tiles that the player to move has put on the table and not submitted
	News    string     // of the seats of the round to come
	Closed  bool       // the game is over and how it ended is not shown: HasGame is false
	Note    ShownNote
	Build   string // of the program: a page of another one loads itself again
}

// TurnLine is one ended turn in a line.
type TurnLine struct {
	Number int
	Name   string
	Did    Deed
}

// DisplaySettings stand in the address, so that a kiosk keeps them.
type DisplaySettings struct {
	Sides int    // 2: the head is repeated at the other edge, turned round
	Turn  int    // 180: everything is turned round
	Theme string // dark | light | auto
	Lang  string // a language's tag; "" for the browser's
}

// Query writes the settings that differ from the usual ones, with the question mark; "" for none.
func (s DisplaySettings) Query() string {
	q := url.Values{}
	if s.Sides == 2 {
		q.Set("sides", "2")
	}
	if s.Turn == 180 {
		q.Set("turn", "180")
	}
	if s.Theme == "light" || s.Theme == "auto" {
		q.Set("theme", s.Theme)
	}
	if s.Lang != "" {
		q.Set("lang", s.Lang)
	}
	if len(q) == 0 {
		return ""
	}
	return "?" + q.Encode()
}

// class is what the style sheet needs to know of the settings.
func (s DisplaySettings) class() string {
	class := "stage"
	if s.Sides == 2 {
		class += " two-sides"
	}
	if s.Turn == 180 {
		class += " turned"
	}
	return class
}

// choices are the links of the settings: each changes one of them.
func (s DisplaySettings) choices(ctx context.Context, at templ.SafeURL) []settingLink {
	link := func(key string, on bool, change func(*DisplaySettings)) settingLink {
		other := s
		change(&other)
		return settingLink{T(ctx, key), at + templ.SafeURL(other.Query()), on}
	}
	return []settingLink{
		link("display.sides_1", s.Sides != 2, func(o *DisplaySettings) { o.Sides = 1 }),
		link("display.sides_2", s.Sides == 2, func(o *DisplaySettings) { o.Sides = 2 }),
		link("display.turn_0", s.Turn != 180, func(o *DisplaySettings) { o.Turn = 0 }),
		link("display.turn_180", s.Turn == 180, func(o *DisplaySettings) { o.Turn = 180 }),
		link("look.dark", s.Theme != "light" && s.Theme != "auto", func(o *DisplaySettings) { o.Theme = "dark" }),
		link("look.light", s.Theme == "light", func(o *DisplaySettings) { o.Theme = "light" }),
	}
}

type settingLink struct {
	text string
	url  templ.SafeURL
	on   bool
}

// class names the display's state for the style sheet.
func (v DisplayView) class() string {
	parts := []string{"display", "phase-" + string(v.Game.View.Phase)}
	if v.Game.View.Paused != nil {
		parts = append(parts, "paused")
	}
	if v.HasGame && v.Game.View.Phase != engine.PhaseOver && (v.Game.View.Paused != nil || v.Game.View.Ruling != nil) {
		parts = append(parts, "ruled")
	}
	if v.Laying > 0 {
		parts = append(parts, "laying")
	}
	return strings.Join(parts, " ")
}

func (v DisplayView) seats() int {
	if v.HasGame {
		return len(v.Game.View.Seats)
	}
	return len(v.Game.Seats)
}

func (v DisplayView) turn(seat int) bool {
	view := v.Game.View
	return v.HasGame && view.Phase == engine.PhasePlaying && view.Turn.Seat == seat
}

// ruling is what the referee ruled last, or why the clock stands, in the reader's language; "" without.
func (v DisplayView) ruling(ctx context.Context) string {
	view := v.Game.View
	if view.Phase == engine.PhaseOver {
		return ""
	}
	if p := view.Paused; p != nil {
		return WithReason(ctx, pausedWords(ctx, v.Game), p.Reason)
	}
	r := view.Ruling
	if r == nil {
		return ""
	}
	switch r.Kind {
	case engine.PenaltyGiven{}.Kind():
		return WithReason(ctx, T(ctx, "last.penalty_given", "name", v.Game.NameOf(r.Seat), "n", r.Tiles), r.Reason)
	case engine.LeftoversRuled{}.Kind():
		return WithReason(ctx, T(ctx, "last.leftovers_ruled", "n", r.Tiles), r.Reason)
	case engine.TimeGiven{}.Kind():
		return WithReason(ctx, T(ctx, "log.time_given", "seconds", r.Seconds), r.Reason)
	case engine.TimeCalled{}.Kind():
		return WithReason(ctx, T(ctx, "log.time_called"), r.Reason)
	case engine.GamePaused{}.Kind(), engine.GameResumed{}.Kind(), engine.ResumeSet{}.Kind():
		return T(ctx, "log.resumed")
	}
	return WithReason(ctx, T(ctx, "told."+r.Kind, "n", r.Tiles, "name", v.Game.NameOf(r.Seat)), r.Reason)
}

// now is the one sentence of the display, with its sign.
func (v DisplayView) now(ctx context.Context) (sign, text string) {
	g := v.Game
	switch {
	case g.View.Phase == engine.PhaseOver:
		return "good", v.nextWords(ctx)
	case g.View.Counting != "":
		return "wait", T(ctx, "real.racks_counted")
	case g.View.Physical && g.View.Starter < 0:
		return "wait", T(ctx, "real.at_start")
	case g.View.Phase == engine.PhasePlaying && g.View.TimeOver:
		return "go", T(ctx, "turn.last_lap", "name", g.NameOf(g.View.Turn.Seat))
	case g.View.Phase == engine.PhasePlaying:
		return "go", T(ctx, "turn.other", "name", g.NameOf(g.View.Turn.Seat))
	case g.View.Phase == engine.PhaseDealt:
		return "go", g.startWords(ctx)
	}
	return "wait", v.nextWords(ctx)
}

// nextWords is what comes next while nobody plays.
func (v DisplayView) nextWords(ctx context.Context) string {
	p := v.Game.Place
	switch {
	case v.News != "":
		return v.News
	case v.Round == 0:
		return T(ctx, "display.no_round")
	case p.Number == 0:
		return T(ctx, "display.unused", "round", v.Round)
	case v.Closed:
		return T(ctx, "publish.result_held")
	case !v.HasGame:
		return T(ctx, "display.next_game", "number", p.Number, "of", p.Of)
	case !v.Game.Counted:
		return T(ctx, "display.count")
	case p.Number == p.Of:
		return T(ctx, "display.round_over", "round", p.Round)
	}
	return T(ctx, "display.next_game", "number", p.Number+1, "of", p.Of)
}

// order are the seats of an ended game, the winner first, then by points.
func (v DisplayView) order() []int {
	r := v.Game.View.Result
	seats := v.Game.order()
	slices.SortStableFunc(seats, func(a, b int) int { return cmp.Compare(r.Points[b], r.Points[a]) })
	return seats
}

// emptied tells whether somebody has called Rummikub.
func (v DisplayView) emptied() bool {
	r := v.Game.View.Result
	return r != nil && r.Why == engine.EndedEmptied
}

// DisplayPath is a table's display; number is the one that people see on the table.
func DisplayPath(event int64, number int) templ.SafeURL {
	return path("/events/%d/display/%d", event, number)
}

// DisplayTurnPath is an earlier turn of the game that is on there, counted from 1.
func DisplayTurnPath(event int64, number, turn int) templ.SafeURL {
	return path("/events/%d/display/%d/turns/%d", event, number, turn)
}
