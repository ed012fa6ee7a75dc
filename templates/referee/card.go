package referee

import (
	"context"
	"fmt"

	"github.com/a-h/templ"

	"meldhall/engine"
	"meldhall/engine/tile"
	"meldhall/templates"
	"meldhall/templates/locale"
	"meldhall/templates/part"
	"meldhall/templates/play"
	"meldhall/templates/public"
)

// CardView is the ruling card: everything recorded about one turn. Stops holds the table positions to step through,
// beginning with the start of the turn. Shown is the index in Stops of the position on the page.
type CardView struct {
	part.Page
	Event   int64
	TableID int64
	Game    play.Game
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
	Calls   []public.LogLine
	Cited   []string // articles that the turn's refusals refer to
}

// CardLine is one line of the timeline. Stop is the index of the position that it links to, or -1 for none.
type CardLine struct {
	At   engine.Millis
	Left string // time to the deadline, as LeftText writes it; empty if no limit
	Late bool   // after the deadline
	Kind string // kind of its mark: mute, bad, wait, hand, now, good
	Text string
	Laid []tile.Face // tiles laid, taken back and moved
	Back []tile.Face
	Over []tile.Face
	Stop int
}

// CardStop is a table position between the start and the end of the turn.
type CardStop struct {
	Text  string
	Left  string
	Table []tile.LaidView
	Fault int    // index of the invalid set; -1: none
	Why   string // why that set is invalid
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

// CardStrip shows the turn as a time line. Its positions run from 0, the start of the turn, to 1000, the last moment
// shown.
type CardStrip struct {
	Deadline int // -1: not on the strip, or no deadline
	End      int // end of the turn, or now
	Moves    []int
	Refused  []int
	Gaps     []StripBar
	Pauses   []StripBar
}

// StripBar is an interval on a CardStrip.
type StripBar struct{ From, Width int }

// LeftText formats the time left before a deadline, such as 0:43.120; after the deadline it has a plus sign.
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
	return templates.CardPath(v.Event, v.Game.ID, v.Number) + templ.SafeURL("?at="+locale.Num(stop)+"#table-then")
}

// when describes when the turn began and, unless it is still running, when it ended and how long it took.
func (v CardView) when(ctx context.Context) string {
	if v.Running {
		return locale.T(ctx, "card.running", "began", locale.ClockTime(ctx, v.Started))
	}
	return locale.T(ctx, "card.ended", "began", locale.ClockTime(ctx, v.Started), "ended",
		locale.ClockTime(ctx, v.Ended), "took",
		LeftText(v.Ended-v.Started))
}
