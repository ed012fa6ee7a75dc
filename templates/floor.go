package templates

import (
	"context"
	"strings"

	"meldhall/engine"
)

// FloorRow is one table for the officials: what it needs, the most urgent first, and who looks after it just now.
type FloorRow struct {
	TableRow
	Needs  []FloorNeed
	Ruling []string // officials who have the table's sheet open, besides the reader
	Alerts []Alert
	Last   bool // time was called: the running lap is the last
}

// FloorNeed is one thing that a table needs. Kind is a status word; Note says who, in the reader's language.
type FloorNeed struct {
	Kind  string
	Note  string
	Since engine.Millis
}

// Urgency orders what tables need: those that wait for an official first.
func Urgency(need string) int {
	for i, kind := range []string{"called", "broken", "offline", "protest", "proposal", "hurry", "count", "coming", "paused", "expired", "running", "waiting"} {
		if kind == need {
			return i
		}
	}
	return 99
}

// FloorView is the officials' list of tables.
type FloorView struct {
	Page
	Event   int64
	Round   int
	RoundID int64
	Status  string // of the round
	Started string // how many tables were started while only some are, in words
	Stage   string
	Tables  []FloorRow
	May     bool // rule at these tables; others look on
	All     bool // all tables, also those of others
	Zones   bool // the reader has tables of his own: he may choose
	Others  int  // tables that are not shown
	Late    LateLine
}

func needs(tables []FloorRow) int {
	n := 0
	for _, t := range tables {
		if len(t.Needs) > 0 && Urgency(t.Needs[0].Kind) <= Urgency("count") {
			n++
		}
	}
	return n
}

func names(list []string) string {
	all := make([]string, len(list))
	for i, n := range list {
		all[i] = isolate(n)
	}
	return strings.Join(all, ", ")
}

// rulingNowWords says who rules on a table just now; empty for nobody.
func rulingNowWords(ctx context.Context, table int, who []string) string {
	switch len(who) {
	case 0:
		return ""
	case 1:
		return T(ctx, "desk.rules_now", "name", isolate(who[0]), "table", table)
	}
	return T(ctx, "desk.rule_now", "names", names(who), "table", table)
}

// Isolate keeps a name's direction from the sentence that it stands in.
func Isolate(name string) string { return isolate(name) }
