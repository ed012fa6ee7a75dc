package engine

import "meldhall/engine/tile"

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
	Drawn tile.List // penalty tiles, as drawn
	Left  int       // time_called: Turn.Left before it
	Asked int       // penalty tiles asked for
}

// rulingTurns is how many turns end until a ruling is no longer told: the one that it was given in, and the next.
const rulingTurns = 2

const wholeTable = -1

// RulingOf gives the ruling that an event is, for telling it; Kind is empty for other events. Seq and Turn are not known.
func RulingOf(e Event) Ruling { return rulingOf(State{}, e).Ruling }

// rulingOf gives the ruling that an event is; Kind is empty for what the clock or a player brought about. before is
// the state that the event came upon.
func rulingOf(before State, e Event) ruled {
	r := ruled{Ruling: Ruling{Kind: e.Kind(), At: e.When(), Seq: before.Seq + 1, Seat: wholeTable, Turn: before.Turn.Number}}
	switch e := e.(type) {
	case GamePaused:
		if e.Pause.Why != PausedByReferee {
			return ruled{}
		}
		r.say(Said{e.Pause.Reason, e.Rule, e.By})
	case GameResumed: // by an official's word alone in games of before the countdown
		if before.Paused == nil || before.Paused.Why != PausedByReferee || before.Paused.ResumeAt != 0 {
			return ruled{}
		}
	case ResumeSet:
		r.say(e.Said)
	case TimeGiven:
		r.Seconds = e.Seconds
		if r.say(e.Said); before.Phase == PhasePlaying {
			r.Seat = e.Turn.Seat
		}
	case TimeCalled:
		r.Left = before.Turn.Left
		r.say(e.Said)
	case PenaltyGiven:
		r.Seat, r.Tiles, r.Drawn, r.Asked = e.Seat, len(e.Tiles)+e.Count, e.Tiles, max(e.Asked, len(e.Tiles))
		r.say(e.Said)
	case PenaltyWaived:
		r.Seat = e.Seat
		r.say(e.Said)
	case NoticeGiven:
		r.Seat = e.Seat
		r.say(e.Said)
	case WarningGiven:
		r.Seat = e.Seat
		r.say(e.Said)
	default:
		return rulingOfTurn(r, e)
	}
	return r
}

// rulingOfTurn is rulingOf for those that change whose turn it is, or what lies where.
func rulingOfTurn(r ruled, e Event) ruled {
	switch e := e.(type) {
	case TurnSkipped:
		r.Seat = e.Seat
		r.say(e.Said)
	case IllegalRuled:
		r.Seat, r.Tiles, r.Drawn = e.Seat, len(e.Tiles)+e.Count, e.Tiles
		r.say(e.Said)
	case LeftoversRuled:
		r.Seat, r.Tiles = e.Seat, len(e.Tiles)
		r.say(e.Said)
	case RedealGranted:
		r.Seat = e.Seat
		r.say(e.Said)
	case RedealRefused:
		r.Seat = e.Seat
		r.say(e.Said)
	case SeatForfeited:
		r.Seat = e.Seat
		r.say(e.Said)
	case RulingCancelled:
		r.Seat, r.Of, r.Tiles = e.Seat, e.Of, len(e.Tiles)
		r.say(e.Said)
	case Rewound:
		r.To = e.To
		r.say(e.Said)
	case PositionSet:
		r.say(e.Said)
	default:
		return ruled{}
	}
	return r
}

func (r *ruled) say(s Said) { r.Reason, r.Rule, r.By = s.Reason, s.Rule, s.By }

// told is the ruling that is told to the table: the last one, until the turn after the one that it was given in is over.
func (s State) told() *Ruling {
	if len(s.Rulings) == 0 || s.TurnsSince >= rulingTurns {
		return nil
	}
	return &s.Rulings[len(s.Rulings)-1].Ruling
}

// ruling gives the ruling with a seq; ok is false where there is none.
func (s State) ruling(seq int) (r ruled, ok bool) {
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

// countPenalties counts the penalty tiles of every seat anew.
func (s *State) countPenalties() {
	s.Penalties = [MaxSeats]int{}
	for _, r := range s.Rulings {
		if r.Kind == (PenaltyGiven{}).Kind() && r.Cancelled == 0 {
			s.Penalties[r.Seat] += r.Tiles
		}
	}
}
