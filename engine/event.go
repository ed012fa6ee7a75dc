package engine

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"

	"meldhall/engine/ruleset"
	"meldhall/engine/tile"
)

// An Event is something that happened in a game. Every event carries its time and every outcome that Apply needs. Kinds
// are permanent: fields are added, never renamed or reused.
type Event interface {
	// Kind returns the event's name in the log.
	Kind() string
	// When returns the time of the event.
	When() Millis
}

// Stamp is the time of an event.
type Stamp struct {
	At Millis `json:"at"`
}

// When returns the time of the event.
func (s Stamp) When() Millis { return s.At }

// Drawn is one tile drawn for the start. Round counts from 1; seats that tie draw again in the next round.
type Drawn struct {
	Round int       `json:"round"`
	Seat  int       `json:"seat"`
	Tile  tile.Face `json:"tile"`
}

// The events of a game.
type (
	// GameStarted fixes the rules and the starter.
	GameStarted struct {
		Stamp
		Rules   ruleset.Ruleset `json:"rules"`
		Seats   int             `json:"seats"`
		Draws   []Drawn         `json:"draws,omitempty"`
		Starter int             `json:"starter"`
		Extra   []int           `json:"extra_seconds,omitempty"`
		// Physical marks a game with real tiles: nothing is dealt, and Starter may be NoStarter.
		Physical bool `json:"physical,omitempty"`
		// Edition is the edition of the engine that decides the game; see the constant Edition.
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
	// SeatReady says that a seat needs no more time before the first turn.
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
	// TilesPlayed is a legal play. Points is set for an opening only. Late is how long after the deadline the play
	// arrived, within the grace.
	TilesPlayed struct {
		Stamp
		Seat   int        `json:"seat"`
		Table  tile.Table `json:"table"`
		Played tile.List  `json:"played"`
		Rack   tile.List  `json:"rack"`
		Points int        `json:"points,omitempty"`
		Late   Millis     `json:"late,omitempty"`
		Turn   Turn       `json:"turn"`
	}
	// TileDrawn is a turn that ended with a draw.
	TileDrawn struct {
		Stamp
		Seat int       `json:"seat"`
		Tile tile.List `json:"tile"`
		Late Millis    `json:"late,omitempty"`
		Turn Turn      `json:"turn"`
	}
	// TurnPassed is a turn passed with an empty pool.
	TurnPassed struct {
		Stamp
		Seat int    `json:"seat"`
		Late Millis `json:"late,omitempty"`
		Turn Turn   `json:"turn"`
	}
	// KeyPressed is the arrival of a press close to the deadline: see PressKey.
	KeyPressed struct {
		Stamp
		Seat int `json:"seat"`
	}
	// TurnExpired is a time-out: the table stays as it was, and penalty tiles are drawn. Late is how long after the
	// deadline and its grace the expiry was decided.
	TurnExpired struct {
		Stamp
		Seat      int       `json:"seat"`
		Disturbed bool      `json:"disturbed"`
		Tiles     tile.List `json:"tiles"`
		Count     int       `json:"count,omitempty"` // physical: tiles drawn by hand
		Late      Millis    `json:"late,omitempty"`
		Turn      Turn      `json:"turn"`
	}
	// IllegalPlayed is an illegal play under illegal_play: penalty.
	IllegalPlayed struct {
		Stamp
		Seat  int              `json:"seat"`
		Code  string           `json:"code"`
		Table []tile.LaidFaces `json:"table"`
		Tiles tile.List        `json:"tiles"`
		Turn  Turn             `json:"turn"`
	}
	// RefereeCalled is a seat's call for the referee.
	RefereeCalled struct {
		Stamp
		Seat int `json:"seat"`
	}
	// CallWithdrawn takes a seat's call back.
	CallWithdrawn struct {
		Stamp
		Seat int `json:"seat"`
	}
	// CallAcknowledged says that the official named By is on the way.
	CallAcknowledged struct {
		Stamp
		Seat int    `json:"seat"`
		By   string `json:"by"`
	}
	// CallAnswered ends a call: an official has arrived.
	CallAnswered struct {
		Stamp
		Seat int    `json:"seat"`
		By   string `json:"by,omitempty"`
	}
	// GameEnded is the end of a game, with the racks as counted.
	GameEnded struct {
		Stamp
		End End `json:"end"`
	}
)

// Kind returns the event's name in the log.
func (GameStarted) Kind() string { return "game_started" }

func (TilesDealt) Kind() string { return "tiles_dealt" }

func (RedealAsked) Kind() string { return "redeal_asked" }

func (SeatReady) Kind() string { return "seat_ready" }

func (PlayBegan) Kind() string { return "play_began" }

func (TilesPlayed) Kind() string { return "tiles_played" }

func (TileDrawn) Kind() string { return "tile_drawn" }

func (TurnPassed) Kind() string { return "turn_passed" }

func (KeyPressed) Kind() string { return "key_pressed" }

func (TurnExpired) Kind() string { return "turn_expired" }

func (IllegalPlayed) Kind() string { return "illegal_played" }

func (RefereeCalled) Kind() string { return "referee_called" }

func (CallWithdrawn) Kind() string { return "call_withdrawn" }

func (CallAcknowledged) Kind() string { return "call_acknowledged" }

func (CallAnswered) Kind() string { return "call_answered" }

func (GameEnded) Kind() string { return "game_ended" }

// turnEnds lists the kinds of the events that always end a turn.
var turnEnds = slices.Concat([]string{TilesPlayed{}.Kind(), TileDrawn{}.Kind(), TurnPassed{}.Kind(),
	TurnExpired{}.Kind(), IllegalPlayed{}.Kind(), TurnEnded{}.Kind()},
	RulingEvents(func(k RulingKind) bool { return k.EndsTurn }))

// TurnEnds returns the kinds of the events that end a turn. A forfeit is not among them, although it ends the seat's
// own turn.
func TurnEnds() []string { return slices.Clone(turnEnds) }

// EndsTurn reports whether e is one of TurnEnds.
func EndsTurn(e Event) bool { return slices.Contains(turnEnds, e.Kind()) }

// Edition is the edition of this engine. A log stores the edition that decided it, and is decided again by the rules of
// that edition. Logs without an edition come from engines that counted down the turns left.
const Edition = 2

// reliefCharges is the first edition whose charges count a player as able who could have opened under
// last_to_open_relief.
const reliefCharges = 2

// countsFit is the first edition that checks the count of a table with real tiles against the 106 tiles that exist.
const countsFit = 2

// redrawnOnTop is the first edition that puts a cancelled penalty back on top of the pool if a rewind had drawn it
// again.
const redrawnOnTop = 2

// EventVersion is stored with every event. Decode rejects any other version.
const EventVersion = 1

var kinds = register(slices.Concat([]Event{
	GameStarted{}, TilesDealt{}, RedealAsked{}, SeatReady{}, PlayBegan{}, TilesPlayed{}, TileDrawn{}, TurnPassed{},
	KeyPressed{}, TurnExpired{}, IllegalPlayed{}, RefereeCalled{}, CallWithdrawn{}, CallAcknowledged{}, CallAnswered{},
	PenaltyProposed{}, GameEnded{}, StarterChosen{}, TurnEnded{}, PoolRanOut{}, PlayEnded{}, RacksCounted{},
}, rulingZeros()))

// rulingZeros returns the zero events of all kinds of rulings.
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

// Encode returns the JSON of an event for the log, which stores it with the event's kind and EventVersion.
func Encode(e Event) ([]byte, error) {
	data, err := json.Marshal(e)
	if err != nil {
		return nil, fmt.Errorf("encode %s: %w", e.Kind(), err)
	}
	return data, nil
}

// Decode parses an event of the log. An unknown kind or another version is an error.
func Decode(kind string, version int, data []byte) (Event, error) {
	t, ok := kinds[kind]
	if !ok {
		return nil, fmt.Errorf("decode event: unknown kind %q", kind)
	}
	if version != EventVersion {
		return nil, fmt.Errorf("decode %s: version %d, this program reads %d", kind, version, EventVersion)
	}
	p := reflect.New(t)
	if err := json.Unmarshal(data, p.Interface()); err != nil {
		return nil, fmt.Errorf("decode %s: %w", kind, err)
	}
	return p.Elem().Interface().(Event), nil
}
