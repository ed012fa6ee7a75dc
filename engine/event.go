package engine

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"

	"meldhall/engine/tile"
)

// Event is something that happened in a game. Every event names its time and carries every outcome
// that Apply needs. Kinds are for ever: fields are added, never renamed or reused.
type Event interface {
	// Kind is the name that the log keeps.
	Kind() string
	// When is the time of the event.
	When() Millis
}

// Stamp is the time of an event.
type Stamp struct {
	At Millis `json:"at"`
}

// When is the time of the event.
func (s Stamp) When() Millis { return s.At }

// Drawn is one tile drawn for the start; Round counts from 1, ties draw again in the next one.
type Drawn struct {
	Round int       `json:"round"`
	Seat  int       `json:"seat"`
	Tile  tile.Face `json:"tile"`
}

// The events of a game.
type (
	// GameStarted pins the rules and says who begins.
	GameStarted struct {
		Stamp
		Rules   Ruleset `json:"rules"`
		Seats   int     `json:"seats"`
		Draws   []Drawn `json:"draws,omitempty"`
		Starter int     `json:"starter"`
		Extra   []int   `json:"extra_seconds,omitempty"`
		// Physical is a game with real tiles: nothing is dealt; Starter may be NoStarter.
		Physical bool `json:"physical,omitempty"`
		// Edition is that of the engine that decides the game; see Edition.
		Edition int `json:"edition,omitempty"`
	}
	// TilesDealt is a new shuffle: the first one, or a redeal. Order is the whole pool as shuffled.
	TilesDealt struct {
		Stamp
		Order      tile.List `json:"order"`
		Pool       tile.List `json:"pool"`
		Racks      tileLists `json:"racks"`
		MayRedeal  []bool    `json:"may_redeal"`
		Commitment string    `json:"commitment"`
		Deal       Deal      `json:"deal"`
		Turn       Turn      `json:"turn"`
	}
	// RedealAsked is a seat's use of its right to a redeal; TilesDealt follows.
	RedealAsked struct {
		Stamp
		Seat int `json:"seat"`
	}
	// SeatReady is a seat that needs no further time before the first turn.
	SeatReady struct {
		Stamp
		Seat int `json:"seat"`
	}
	// PlayBegan is the start of the first turn.
	PlayBegan struct {
		Stamp
		Turn      Turn   `json:"turn"`
		MayRedeal []bool `json:"may_redeal"`
	}
	// TilesPlayed is a legal play. Points are those of an opening. Late is how long after the
	// deadline it arrived, within the grace.
	TilesPlayed struct {
		Stamp
		Seat   int       `json:"seat"`
		Table  Table     `json:"table"`
		Played tile.List `json:"played"`
		Rack   tile.List `json:"rack"`
		Points int       `json:"points,omitempty"`
		Late   Millis    `json:"late,omitempty"`
		Turn   Turn      `json:"turn"`
	}
	// TileDrawn is a turn that ended with a draw.
	TileDrawn struct {
		Stamp
		Seat int       `json:"seat"`
		Tile tile.List `json:"tile"`
		Late Millis    `json:"late,omitempty"`
		Turn Turn      `json:"turn"`
	}
	// TurnPassed is a turn that ended with nothing, the pool being empty.
	TurnPassed struct {
		Stamp
		Seat int    `json:"seat"`
		Late Millis `json:"late,omitempty"`
		Turn Turn   `json:"turn"`
	}
	// TurnExpired is a time-out: the table as it was, penalty tiles drawn. Late is how long after
	// the deadline and its grace the expiry was decided.
	TurnExpired struct {
		Stamp
		Seat      int       `json:"seat"`
		Disturbed bool      `json:"disturbed"`
		Tiles     tile.List `json:"tiles"`
		Count     int       `json:"count,omitempty"` // physical: tiles drawn by hand
		Late      Millis    `json:"late,omitempty"`
		Turn      Turn      `json:"turn"`
	}
	// IllegalPlayed is an illegal submission under illegal_play: penalty.
	IllegalPlayed struct {
		Stamp
		Seat  int         `json:"seat"`
		Code  string      `json:"code"`
		Table []LaidFaces `json:"table"`
		Tiles tile.List   `json:"tiles"`
		Turn  Turn        `json:"turn"`
	}
	// RefereeCalled, CallAcknowledged and CallAnswered are a seat's call for the referee.
	RefereeCalled struct {
		Stamp
		Seat int `json:"seat"`
	}
	// CallAcknowledged says that an official, By name, is on the way.
	CallAcknowledged struct {
		Stamp
		Seat int    `json:"seat"`
		By   string `json:"by"`
	}
	// CallAnswered ends a call: an official is there.
	CallAnswered struct {
		Stamp
		Seat int    `json:"seat"`
		By   string `json:"by,omitempty"`
	}
	// GameEnded is the end, with the racks as they were counted.
	GameEnded struct {
		Stamp
		End End `json:"end"`
	}
)

// Kind names, as the log keeps them.
func (GameStarted) Kind() string      { return "game_started" }
func (TilesDealt) Kind() string       { return "tiles_dealt" }
func (RedealAsked) Kind() string      { return "redeal_asked" }
func (SeatReady) Kind() string        { return "seat_ready" }
func (PlayBegan) Kind() string        { return "play_began" }
func (TilesPlayed) Kind() string      { return "tiles_played" }
func (TileDrawn) Kind() string        { return "tile_drawn" }
func (TurnPassed) Kind() string       { return "turn_passed" }
func (TurnExpired) Kind() string      { return "turn_expired" }
func (IllegalPlayed) Kind() string    { return "illegal_played" }
func (RefereeCalled) Kind() string    { return "referee_called" }
func (CallAcknowledged) Kind() string { return "call_acknowledged" }
func (CallAnswered) Kind() string     { return "call_answered" }
func (GameEnded) Kind() string        { return "game_ended" }

// turnEnds are the events that end a turn, whatever is ruled beside it.
var turnEnds = slices.Concat([]string{TilesPlayed{}.Kind(), TileDrawn{}.Kind(), TurnPassed{}.Kind(), TurnExpired{}.Kind(), IllegalPlayed{}.Kind(), TurnEnded{}.Kind()},
	RulingEvents(func(k RulingKind) bool { return k.EndsTurn }))

// TurnEnds are the kinds of the events that end a turn. A seat that forfeits ends its turn too, if the turn was its own.
func TurnEnds() []string { return slices.Clone(turnEnds) }

// EndsTurn tells whether an event is one of TurnEnds.
func EndsTurn(e Event) bool { return slices.Contains(turnEnds, e.Kind()) }

// Edition is that of this engine. A log keeps the edition that decided it, and is decided again by the rules of that
// edition. Logs without one are of engines that counted down the turns that were left.
const Edition = 2

// reliefCharges is the first edition that charges a player who could have opened under last_to_open_relief as able.
const reliefCharges = 2

// countsFit is the first edition that checks the count of a table with real tiles against the tiles of the set.
const countsFit = 2

// redrawnOnTop is the first edition in which a penalty that a rewind drew again is put back on top of the pool.
const redrawnOnTop = 2

// EventVersion is written beside every event; a reader that meets a higher one refuses the log.
const EventVersion = 1

var kinds = register(slices.Concat([]Event{
	GameStarted{}, TilesDealt{}, RedealAsked{}, SeatReady{}, PlayBegan{}, TilesPlayed{}, TileDrawn{}, TurnPassed{},
	TurnExpired{}, IllegalPlayed{}, RefereeCalled{}, CallAcknowledged{}, CallAnswered{}, PenaltyProposed{}, GameEnded{},
	StarterChosen{}, TurnEnded{}, PoolRanOut{}, PlayEnded{}, RacksCounted{},
}, rulingZeros()))

// rulingZeros are the events of all kinds of rulings.
func rulingZeros() (events []Event) {
	for _, k := range rulingKinds {
		events = append(events, k.Events...)
	}
	return events
}

func register(events []Event) map[string]reflect.Type {
	m := make(map[string]reflect.Type, len(events))
	for _, e := range events {
		m[e.Kind()] = reflect.TypeOf(e)
	}
	return m
}

// Encode gives the JSON of an event as the log keeps it, beside its kind and EventVersion.
func Encode(e Event) ([]byte, error) { return AppendEvent(nil, e) }

// AppendEvent appends what Encode gives to a text.
func AppendEvent(text []byte, e Event) ([]byte, error) {
	if data, ok := appendEvent(text, e); ok {
		return data, nil
	}
	data, err := json.Marshal(e)
	if err != nil {
		return nil, fmt.Errorf("encode %s: %w", e.Kind(), err)
	}
	return append(text, data...), nil
}

// Decode reads an event of the log. An unknown kind or a version from the future is an error.
func Decode(kind string, version int, data []byte) (Event, error) {
	t, ok := kinds[kind]
	if !ok {
		return nil, fmt.Errorf("decode event: unknown kind %q", kind)
	}
	if version != EventVersion {
		return nil, fmt.Errorf("decode %s: version %d, this program reads %d", kind, version, EventVersion)
	}
	if e, ok := readEvent(kind, data); ok {
		return e, nil
	}
	p := reflect.New(t)
	if err := json.Unmarshal(data, p.Interface()); err != nil {
		return nil, fmt.Errorf("decode %s: %w", kind, err)
	}
	return p.Elem().Interface().(Event), nil
}
