package engine

import (
	"reflect"
	"strings"

	"meldhall/engine/tile"
)

// Ruling is a ruling by an official. Kind is the kind of its event, Seq its place in the log.
type Ruling struct {
	Seq       int    `json:"seq"`
	Kind      string `json:"kind" doc:"the kind of event: game_paused, time_given, penalty_given, notice_given, warning_given, turn_skipped, …"`
	At        Millis `json:"at"`
	Turn      int    `json:"turn" doc:"the number of its turn"`
	Seat      int    `json:"seat" doc:"the seat it concerns; -1: the whole table"`
	Tiles     int    `json:"tiles,omitempty" doc:"penalty tiles drawn, or tiles removed from the table"`
	Seconds   int    `json:"seconds,omitempty" doc:"seconds added; negative: removed"`
	To        int    `json:"to,omitempty" doc:"rewound: the number of the turn the game went back to"`
	Of        int    `json:"of,omitempty" doc:"ruling_cancelled: the seq of the cancelled ruling"`
	Reason    string `json:"reason,omitempty" doc:"as the official wrote it"`
	Rule      string `json:"rule,omitempty" doc:"the article of the regulations"`
	By        string `json:"by,omitempty" doc:"the official's name"`
	Cancelled int    `json:"cancelled,omitempty" doc:"the seq of the event that cancelled it"`
}

// ruled is a ruling as the state stores it, with the data needed to cancel it.
type ruled struct {
	Ruling
	Deal     int       // the deal in which it was given
	Drawn    tile.List // penalty tiles, as drawn
	Asked    int       // penalty tiles asked for
	Proposal int       // the seq of the proposal that it decides
	Moved    Millis    // time given to or taken from the current turn
	Room     Millis    // time that could still be taken from the turn then
	Before   *interrupted
}

// Grounds holds the reason for a ruling, the article that it rests on and the official who gives it. The command of
// every ruling has it.
type Grounds struct {
	// Seen is the seq of the state that the official looked at. The ruling is refused if another ruling was given after
	// it. 0 means no check.
	Seen   int
	Rule   string // the article of the regulations, empty for none
	Reason string
	By     string // the official's name
}

func (g Grounds) grounds() Grounds { return g }

// said returns the grounds in the form of the ruling's event.
func (g Grounds) said() Said { return Said{strings.TrimSpace(g.Reason), g.Rule, g.By} }

// Said holds the grounds as a ruling's event records them: the reason, the article of the regulations, and the
// official.
type Said struct {
	Reason string `json:"reason"`
	Rule   string `json:"rule,omitempty"`
	By     string `json:"by,omitempty"`
}

func (s Said) said() Said { return s }

// grounds returns the Grounds of the command behind the event.
func (s Said) grounds() Grounds { return Grounds{Reason: s.Reason, Rule: s.Rule, By: s.By} }

// atSeat is the part of a ruling's event that gives its time and seat, for events that need no more.
type atSeat struct {
	Stamp
	Seat int `json:"seat"`
}

func (e atSeat) tell(r *ruled, _ State) bool {
	r.Seat = e.Seat
	return true
}

const wholeTable = -1

// RulingOf returns the ruling that an event records, for display. Kind is empty for other events. Seq and Turn are not
// valid.
func RulingOf(e Event) Ruling {
	if one, ok := e.(rulingEvent); ok {
		return rulingIn(State{}, one).Ruling
	}
	return Ruling{}
}

// rulingIn returns the ruling that an event records. Kind is empty if the clock or a player caused the event. before is
// the state before the event.
func rulingIn(before State, e rulingEvent) ruled {
	said := e.said()
	r := ruled{Ruling: Ruling{Kind: e.Kind(), At: e.When(), Seq: before.Seq + 1, Seat: wholeTable,
		Turn:   before.Turn.Number,
		Reason: said.Reason, Rule: said.Rule, By: said.By}, Deal: before.Deal}
	if !e.tell(&r, before) {
		return ruled{}
	}
	return r
}

// ReasonMost is the maximum number of characters in any reason that an official writes.
const ReasonMost = 500

// kindOf returns the kind of the ruling that a command gives.
func kindOf(c Command) RulingKind { return kindsByCommand[reflect.TypeOf(c)] }
