package templates

import (
	"context"
	"strings"

	"github.com/a-h/templ"

	"meldhall/engine"
)

// ConfirmView is a ruling that has not been given yet: what it would do, and the two keys. Of Action, Title, Fields and
// Effects the last are empty where Problem says why the ruling cannot hold, or where Unknown: the page was put together
// without the server.
type ConfirmView struct {
	Page
	Event   int64
	TableID int64 // 0: a ruling for all tables of a round
	Table   int
	Action  string
	Title   string
	Effects []string
	Problem string
	Fields  []FormField
	Key     string
	Seen    int
	Game    int64
	Again   string // the address that shows the same ruling on the newest state
	Back    templ.SafeURL
	Post    templ.SafeURL

	Reasons []ReasonChoice
	Reason  string // free text
	Amount  *Amount
	Text    *TextField
	Since   []RulingLine // what other officials ruled since the state that was looked at
	Ruling  []string     // who else has the sheet open
	Tables  RoundOutcome
	Unknown bool

	StartsHeld bool // the ruling resume starts a table that waits for players without a tablet
}

// FormField is a hidden part of a form.
type FormField struct{ Name, Value string }

// ReasonChoice is a canned reason that may be chosen.
type ReasonChoice struct {
	engine.RulingReason
	Chosen bool
}

// Amount is a number that may be changed before the ruling is given.
type Amount struct {
	Name, Label        string
	Value, Least, Most int
}

// TextField is a longer text that may be changed before the ruling is given.
type TextField struct {
	Name, Label, Hint, Value string
}

// RoundOutcome is at how many of a round's tables a ruling holds, and where it does not.
type RoundOutcome struct {
	Held, Of int
	Not      []NotHeld
}

// NotHeld is why a ruling does not hold at so many tables: 1-3, 7.
type NotHeld struct {
	Many        int
	Tables, Why string
}

// Where names the tables: Tables 1-3, 7.
func (n NotHeld) Where(ctx context.Context) string {
	return T(ctx, "tables.numbered", "n", n.Many, "tables", isolate(n.Tables))
}

// given is the button's text: what happens when it is pressed.
func (v ConfirmView) given(ctx context.Context) string {
	if len(v.Since) > 0 {
		return T(ctx, "confirm.anew")
	}
	if v.StartsHeld {
		return T(ctx, "act.start_anyway")
	}
	return T(ctx, "confirm."+v.Action)
}

func (v ConfirmView) blocked() bool {
	return v.Problem != "" || v.TableID == 0 && v.Tables.Held == 0 && !v.Unknown
}

// ruledWords is one official's ruling in words for the next official.
func ruledWords(ctx context.Context, r RulingLine) string {
	return T(ctx, "confirm.ruled", "name", isolate(r.By), "time", clockTime(r.At), "ruling", strings.TrimSpace(r.Text))
}
