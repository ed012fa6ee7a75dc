package referee

import (
	"context"
	"strings"

	"github.com/a-h/templ"

	"meldhall/engine"
	"meldhall/templates/locale"
	"meldhall/templates/part"
)

// ConfirmView previews a ruling, with its effects and the buttons to give it or go back. Effects is empty if the ruling
// is not possible, as Problem explains, or if Unknown is set: the page was then built without the server.
type ConfirmView struct {
	part.Page
	Event   int64
	TableID int64 // 0: a ruling for all tables of a round
	Table   int
	Action  string
	Title   string
	Effects []string
	Problem string
	Fields  []part.FormField
	Key     string
	Seen    int
	Game    int64
	Again   string // address that shows the same ruling for the latest state
	Back    templ.SafeURL
	Post    templ.SafeURL

	Reasons []ReasonChoice
	Reason  string // free text
	Amount  *Amount
	Text    *TextField
	Since   []RulingLine // rulings by other officials since the state that was viewed
	Ruling  []string     // other officials who have the sheet open
	Tables  RoundOutcome
	Unknown bool

	StartsHeld bool // resume would start a table that waits for players without a tablet
}

// ReasonChoice is a canned reason that can be chosen.
type ReasonChoice struct {
	engine.RulingReason
	Chosen bool
}

// Amount is a number that can be changed before the ruling is given.
type Amount struct {
	Name, Label        string
	Value, Least, Most int
}

// TextField is a longer text that can be changed before the ruling is given.
type TextField struct {
	Name, Label, Hint, Value string
}

// RoundOutcome counts the tables of a round at which a ruling is possible, and lists those at which it is not.
type RoundOutcome struct {
	Held, Of int
	Not      []NotHeld
}

// NotHeld explains why a ruling is not possible at some tables. Many is the number of these tables; Tables lists them,
// such as 1-3, 7.
type NotHeld struct {
	Many        int
	Tables, Why string
}

// Where names the tables, such as "Tables 1-3, 7".
func (n NotHeld) Where(ctx context.Context) string {
	return locale.T(ctx, "tables.numbered", "n", n.Many, "tables", locale.Isolate(n.Tables))
}

// given returns the text of the button that gives the ruling.
func (v ConfirmView) given(ctx context.Context) string {
	if len(v.Since) > 0 {
		return locale.T(ctx, "confirm.anew")
	}
	if v.StartsHeld {
		return locale.T(ctx, "act.start_anyway")
	}
	if v.Action == "rewind" {
		return v.Title // names the turn
	}
	return locale.T(ctx, "confirm."+v.Action)
}

func (v ConfirmView) blocked() bool {
	return v.Problem != "" || v.TableID == 0 && v.Tables.Held == 0 && !v.Unknown
}

// ruledWords describes one official's ruling for the next official.
func ruledWords(ctx context.Context, r RulingLine) string {
	return locale.T(ctx, "confirm.ruled", "name", locale.Isolate(r.By), "time", locale.ClockTime(ctx, r.At), "ruling",
		strings.TrimSpace(r.Text))
}
