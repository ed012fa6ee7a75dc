package engine

import (
	"reflect"
	"strings"

	"meldhall/engine/tile"
)

// Ruling is what an official ruled: Kind is that of its event, Seq its place in the log.
type Ruling struct {
	Seq       int    `json:"seq"`
	Kind      string `json:"kind" doc:"the kind of its event: game_paused, time_given, penalty_given, notice_given, warning_given, turn_skipped, …"`
	At        Millis `json:"at"`
	Turn      int    `json:"turn" doc:"the number of the turn that it came in"`
	Seat      int    `json:"seat" doc:"whom it is about, -1: the whole table"`
	Tiles     int    `json:"tiles,omitempty" doc:"penalty tiles drawn, or tiles taken off the table"`
	Seconds   int    `json:"seconds,omitempty" doc:"time given; negative: taken"`
	To        int    `json:"to,omitempty" doc:"rewound: the number of the turn that was gone back to"`
	Of        int    `json:"of,omitempty" doc:"ruling_cancelled: the seq of the ruling that it takes back"`
	Reason    string `json:"reason,omitempty" doc:"as the official wrote it"`
	Rule      string `json:"rule,omitempty" doc:"the article of the regulations"`
	By        string `json:"by,omitempty" doc:"the official's name"`
	Cancelled int    `json:"cancelled,omitempty" doc:"the seq of what took it back"`
}

// ruled is a ruling as the state keeps it, with what is needed to take it back.
type ruled struct {
	Ruling
	Deal     int       // in which it came
	Drawn    tile.List // penalty tiles, as drawn
	Asked    int       // penalty tiles asked for
	Proposal int       // the seq of the proposal that it decides
	Moved    Millis    // of the running turn's time: given, or taken
	Room     Millis    // what could still be taken of it then
	Before   *interrupted
}

// Grounds is what every official's ruling says of itself.
type Grounds struct {
	// Seen is the seq of the state that the official looked at. If another ruling came after it, this one is refused.
	// 0 accepts any state.
	Seen   int
	Rule   string // the article of the regulations, empty for none
	Reason string
	By     string // the official's name
}

func (g Grounds) grounds() Grounds { return g }

// said is what the event of the ruling says of itself.
func (g Grounds) said() Said { return Said{strings.TrimSpace(g.Reason), g.Rule, g.By} }

// Said is what an official's event says of itself: why, by which article of the regulations, and who.
type Said struct {
	Reason string `json:"reason"`
	Rule   string `json:"rule,omitempty"`
	By     string `json:"by,omitempty"`
}

func (s Said) said() Said { return s }

// grounds are those of the command that said so.
func (s Said) grounds() Grounds { return Grounds{Reason: s.Reason, Rule: s.Rule, By: s.By} }

// atSeat is the part of an event that tells when and of which seat it is, where there is no more to tell.
type atSeat struct {
	Stamp
	Seat int `json:"seat"`
}

func (e atSeat) tell(r *ruled, _ State) bool {
	r.Seat = e.Seat
	return true
}

// rulingTurns is how many turns end until a ruling is no longer told: the one that it was given in, and the next.
const rulingTurns = 2

const wholeTable = -1

// RulingOf gives the ruling that an event is, for telling it; Kind is empty for other events. Seq and Turn are not known.
func RulingOf(e Event) Ruling { return rulingOf(State{}, e).Ruling }

// rulingOf gives the ruling that an event is; Kind is empty for what the clock or a player brought about. before is
// the state that the event came upon.
func rulingOf(before State, e Event) ruled {
	one, ok := e.(rulingEvent)
	if !ok {
		return ruled{}
	}
	return rulingIn(before, one)
}

func rulingIn(before State, e rulingEvent) ruled {
	said := e.said()
	r := ruled{Ruling: Ruling{Kind: e.Kind(), At: e.When(), Seq: before.Seq + 1, Seat: wholeTable, Turn: before.Turn.Number,
		Reason: said.Reason, Rule: said.Rule, By: said.By}, Deal: before.Deal}
	if !e.tell(&r, before) {
		return ruled{}
	}
	return r
}

// told is the ruling that the table is told of: the last one, until the turn after the one that it was given in is over.
func (s *State) told() *Ruling {
	if len(s.Rulings) == 0 || s.TurnsSince >= rulingTurns {
		return nil
	}
	return &s.Rulings[len(s.Rulings)-1].Ruling
}

// ruling gives the ruling with a seq; ok is false where there is none.
func (s *State) ruling(seq int) (r ruled, ok bool) {
	for _, r := range s.Rulings {
		if r.Seq == seq {
			return r, true
		}
	}
	return ruled{}, false
}

// amend gives the rulings with one of them changed; the list that others hold stays as it is.
func (s *State) amend(seq int, change func(*ruled)) {
	rulings := append([]ruled(nil), s.Rulings...)
	for i := range rulings {
		if rulings[i].Seq == seq {
			change(&rulings[i])
		}
	}
	s.Rulings = rulings
}

// ReasonMost is how many characters a reason may have that an official writes, of whatever it is.
const ReasonMost = 500

// checkRuling refuses a ruling without a reason, and a ruling by an official who had not yet seen the latest ruling.
// Otherwise two officials could overwrite each other's rulings without noticing.
func (s *State) checkRuling(c ruling) error {
	g := c.grounds()
	if n := len(s.Rulings); g.Seen != 0 && n > 0 && s.Rulings[n-1].Seq > g.Seen {
		return refuse(RefusedRuledSince, "%s, seq %d, came after seq %d", s.Rulings[n-1].Kind, s.Rulings[n-1].Seq, g.Seen)
	}
	if g.said().Reason == "" && !kindOf(c).Unreasoned {
		return refuse(RefusedReason, "a ruling needs a reason")
	}
	return nil
}

// kindOf is the kind of the ruling that a command gives.
func kindOf(c Command) RulingKind { return kindsByCommand[reflect.TypeOf(c)] }
