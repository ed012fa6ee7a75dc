package templates

import (
	"context"
	"fmt"

	"github.com/a-h/templ"

	"meldhall/engine"
	"meldhall/engine/tile"
)

// CardView is the ruling card: all that is known of one turn. Stops are the tables that one can step through, the first
// one as the turn began; Shown is the one on the page.
type CardView struct {
	Page
	Event   int64
	TableID int64
	Game    Game
	Number  int
	Of      int
	Seat    int
	Running bool
	Started engine.Millis
	Ended   engine.Millis
	Limit   int // seconds; 0: none
	Lines   []CardLine
	Stops   []CardStop
	Shown   int
	Strip   CardStrip
	Earlier []CardRuling
	Calls   []LogLine
	Cited   []string // articles that the turn's refusals are about
}

// CardLine is one line of the timeline. Stop is the table that it leads to, -1 for none.
type CardLine struct {
	At   engine.Millis
	Left string // to the deadline, as LeftText writes it; empty where there is no limit
	Late bool   // after the deadline
	Kind string // of its mark: mute, bad, wait, hand, now, good
	Text string
	Laid []tile.Face // what the movement laid, took back, and moved
	Back []tile.Face
	Over []tile.Face
	Stop int
}

// CardStop is a table on the way from the start of the turn to its end.
type CardStop struct {
	Text  string
	Left  string
	Table []engine.LaidView
	Fault int    // the set at fault, -1: none
	Why   string // what is wrong with it
}

// CardRuling is an earlier ruling on the player.
type CardRuling struct {
	At        engine.Millis
	Round     int
	Table     int
	Text      string
	Rule      string
	Cancelled bool
}

// CardStrip is the turn as a line from 0 to 1000.
type CardStrip struct {
	Deadline int // -1: outside, or none
	End      int // where the turn ended, or now
	Moves    []int
	Refused  []int
	Gaps     []StripBar
	Pauses   []StripBar
}

// StripBar is a part of a strip.
type StripBar struct{ From, Width int }

// LeftText writes what is left to a deadline as 0:43.120; after it with a plus sign.
func LeftText(left engine.Millis) string {
	sign := ""
	if left < 0 {
		sign, left = "+", -left
	}
	return fmt.Sprintf("\u2066%s%d:%02d.%03d\u2069", sign, left/60_000, left/1000%60, left%1000)
}

func (v CardView) stop() CardStop { return v.Stops[v.Shown] }

func (v CardView) last() int { return len(v.Stops) - 1 }

func (v CardView) at(stop int) templ.SafeURL {
	return CardPath(v.Event, v.Game.ID, v.Number) + templ.SafeURL("?at="+num(stop)+"#table-then")
}

// when says how the turn began and ended.
func (v CardView) when(ctx context.Context) string {
	if v.Running {
		return T(ctx, "card.running", "began", clockTime(v.Started))
	}
	return T(ctx, "card.ended", "began", clockTime(v.Started), "ended", clockTime(v.Ended), "took", LeftText(v.Ended-v.Started))
}

// CardPath is the ruling card of one turn of a game; turn 0 is the one in which the referee is called, else the running one.
func CardPath(event, game int64, turn int) templ.SafeURL {
	return path("/referee/%d/games/%d/turns/%d", event, game, turn)
}

// ProtocolPath is the protocol of a game.
func ProtocolPath(event, game int64) templ.SafeURL {
	return path("/referee/%d/games/%d/protocol", event, game)
}
