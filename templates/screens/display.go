// Package screens renders what the screens of a hall show: boards, the display of a table, and overlays for a
// broadcast.
package screens

import (
	"cmp"
	"context"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/a-h/templ"

	"meldhall/engine"
	"meldhall/engine/ruleset"
	"meldhall/templates/locale"
	"meldhall/templates/play"
	"meldhall/templates/public"
)

// DisplayView is a public screen on a wall or in the middle of a table. It follows the table with the given Number from
// game to game and from round to round. Game.View must be a spectator's view.
type DisplayView struct {
	Event   int64
	Name    string // name of the tournament
	Number  int
	Round   int  // round in which the table plays; 0: none
	HasGame bool // false: not dealt yet; Game holds place and players, if any
	Game    play.Game
	Turns   []TurnLine // latest turns, the newest last
	Hidden  bool       // the table is hidden because other tables play the same tiles
	Laying  int        // tiles the player to move has laid but not submitted
	News    string     // about the seats of the next round
	Closed  bool       // the game is over and its result is hidden; HasGame is false
	Note    public.ShownNote
	Build   string // program version; a page from another version reloads
}

// TurnLine is one completed turn, shown as a line.
type TurnLine struct {
	Number int
	Name   string
	Did    public.Deed
}

// lineName is the most runes of a name that stands in full in a line with other turns.
const lineName = 18

// shortName returns a name for a line with others: a long one is its first word and the initial of its last.
func shortName(name string) string {
	words := strings.Fields(name)
	if utf8.RuneCountInString(name) <= lineName || len(words) < 2 {
		return name
	}
	last := []rune(words[len(words)-1])
	return words[0] + " " + string(last[:1]) + "."
}

// DisplaySettings are stored in the page's address, so that a kiosk keeps them.
type DisplaySettings struct {
	Sides int    // 2: the header is repeated upside down at the opposite edge
	Turn  int    // 180: everything is upside down
	Theme string // dark | light | auto
	Lang  string // language tag; "" for the browser's language
}

// Query returns the settings that differ from the defaults as a query string with its question mark, or "" if there are
// none.
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

// class returns the style sheet's classes for the settings.
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

// choices returns the links that change the settings, one setting each.
func (s DisplaySettings) choices(ctx context.Context, at templ.SafeURL) []settingLink {
	link := func(key string, on bool, change func(*DisplaySettings)) settingLink {
		other := s
		change(&other)
		return settingLink{locale.T(ctx, key), at + templ.SafeURL(other.Query()), on}
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

// class returns the style sheet's classes for the state of the display.
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

// turn reports whether it is a seat's turn. While the game is paused, it is no one's.
func (v DisplayView) turn(seat int) bool {
	view := v.Game.View
	return v.HasGame && view.Phase == engine.PhasePlaying && view.Turn.Seat == seat && view.Paused == nil
}

// seatState describes what a seat is doing.
func (v DisplayView) seatState(ctx context.Context, seat int) string {
	g := v.Game
	if g.View.Paused != nil {
		g.View.Turn.Seat = engine.Spectator
	}
	return g.SeatState(ctx, seat)
}

// ruling describes, in the reader's language, the reason why the clock is stopped, or else the latest ruling. It
// returns "" if there is neither, and after the game.
func (v DisplayView) ruling(ctx context.Context) string {
	view := v.Game.View
	if view.Phase == engine.PhaseOver {
		return ""
	}
	if p := view.Paused; p != nil && p.Reason != "" {
		return locale.Isolate(play.Sentence(play.ReasonWords(ctx, p.Reason)))
	}
	r := view.Ruling
	if r == nil || view.Paused != nil && r.Kind == (engine.GamePaused{}).Kind() {
		return ""
	}
	switch r.Kind {
	case engine.PenaltyGiven{}.Kind():
		return play.WithReason(ctx, locale.T(ctx, "last.penalty_given", "name", v.Game.NameOf(r.Seat), "n", r.Tiles),
			r.Reason)
	case engine.LeftoversRuled{}.Kind():
		return play.WithReason(ctx, locale.T(ctx, "last.leftovers_ruled", "n", r.Tiles), r.Reason)
	case engine.TimeGiven{}.Kind():
		return play.WithReason(ctx, locale.T(ctx, "log.time_given", "seconds", r.Seconds), r.Reason)
	case engine.TimeCalled{}.Kind():
		return play.WithReason(ctx, locale.T(ctx, "log.time_called"), r.Reason)
	case engine.GamePaused{}.Kind(), engine.GameResumed{}.Kind(), engine.ResumeSet{}.Kind():
		return locale.T(ctx, "log.resumed")
	}
	return play.WithReason(ctx, locale.T(ctx, "told."+r.Kind, "n", r.Tiles, "name", v.Game.NameOf(r.Seat)), r.Reason)
}

// now returns the display's single status sentence with its sign.
func (v DisplayView) now(ctx context.Context) (sign, text string) {
	g := v.Game
	switch {
	case g.View.Phase == engine.PhaseOver:
		return "good", v.nextWords(ctx)
	case g.View.Counting != "":
		return "wait", locale.T(ctx, "real.racks_counted")
	case g.View.Paused != nil:
		return "pause", play.PausedWords(ctx, g)
	case g.View.Physical && g.View.Starter < 0:
		return "wait", locale.T(ctx, "real.at_start")
	case g.View.Phase == engine.PhasePlaying && g.View.TimeOver:
		return "go", locale.T(ctx, "turn.last_lap", "name", g.NameOf(g.View.Turn.Seat))
	case g.View.Phase == engine.PhasePlaying:
		return "go", locale.T(ctx, "turn.other", "name", g.NameOf(g.View.Turn.Seat))
	case g.View.Phase == engine.PhaseDealt:
		return "go", g.StartWords(ctx)
	}
	return "wait", v.nextWords(ctx)
}

// nextWords describes what comes next while no game is in progress.
func (v DisplayView) nextWords(ctx context.Context) string {
	p := v.Game.Place
	switch {
	case v.News != "":
		return v.News
	case v.Round == 0:
		return locale.T(ctx, "display.no_round")
	case p.Number == 0:
		return locale.T(ctx, "display.unused", "round", v.Round)
	case v.Closed:
		return locale.T(ctx, "publish.result_held")
	case !v.HasGame:
		return locale.T(ctx, "display.next_game", "number", p.Number, "of", p.Of)
	case !v.Game.Counted:
		return locale.T(ctx, "display.count")
	case p.Number == p.Of:
		return locale.T(ctx, "display.round_over", "round", p.Round)
	}
	return locale.T(ctx, "display.next_game", "number", p.Number+1, "of", p.Of)
}

// order returns the seats of an ended game, by points with the highest first.
func (v DisplayView) order() []int {
	r := v.Game.View.Result
	seats := v.Game.Order()
	slices.SortStableFunc(seats, func(a, b int) int { return cmp.Compare(r.Points[b], r.Points[a]) })
	return seats
}

// emptied reports whether the game ended because a player emptied the rack.
func (v DisplayView) emptied() bool {
	r := v.Game.View.Result
	return r != nil && r.Why == ruleset.EndedEmptied
}
