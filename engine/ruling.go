package engine

// Ruling is what an official ruled last, for telling it to the table: State keeps it until the turn after the one
// that it was given in is over. Kind is that of its event; "" is none.
type Ruling struct {
	Kind    string `json:"kind" doc:"game_paused, game_resumed, time_given, penalty_given, time_called or leftovers_ruled"`
	At      Millis `json:"at"`
	Seat    int    `json:"seat" doc:"whom it is about, -1: the whole table"`
	Tiles   int    `json:"tiles,omitempty" doc:"penalty tiles drawn, or tiles taken off the table"`
	Seconds int    `json:"seconds,omitempty" doc:"time given; negative: taken"`
	Reason  string `json:"reason,omitempty" doc:"as the official wrote it"`
	Ended   int    `json:"-"` // turns that have ended since
}

// rulingTurns is how many turns end until a ruling is no longer told: the one that it was given in, and the next.
const rulingTurns = 2

const wholeTable = -1

// rulingOf gives the ruling that an event is, none for what the clock or a player brought about. before is the
// state that the event came upon.
func rulingOf(before State, e Event) Ruling {
	r := Ruling{Kind: e.Kind(), At: e.When(), Seat: wholeTable}
	switch e := e.(type) {
	case GamePaused:
		if e.Pause.Why != PausedByReferee {
			return Ruling{}
		}
		r.Reason = e.Pause.Reason
	case GameResumed:
		if before.Paused == nil || before.Paused.Why != PausedByReferee {
			return Ruling{}
		}
	case TimeGiven:
		r.Seconds, r.Reason = e.Seconds, e.Reason
		if before.Phase == PhasePlaying {
			r.Seat = e.Turn.Seat
		}
	case PenaltyGiven:
		r.Seat, r.Tiles, r.Reason = e.Seat, len(e.Tiles)+e.Count, e.Reason
	case TimeCalled:
		r.Reason = e.Reason
	case LeftoversRuled:
		r.Seat, r.Tiles, r.Reason = e.Seat, len(e.Tiles), e.Reason
	default:
		return Ruling{}
	}
	return r
}

// turnOver is what a turn's end leaves of a ruling.
func (r Ruling) turnOver() Ruling {
	if r.Ended++; r.Kind == "" || r.Ended == rulingTurns {
		return Ruling{}
	}
	return r
}
