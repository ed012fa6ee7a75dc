package engine

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
)

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
func Encode(e Event) ([]byte, error) {
	data, err := json.Marshal(e)
	if err != nil {
		return nil, fmt.Errorf("encode %s: %w", e.Kind(), err)
	}
	return data, nil
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
	p := reflect.New(t)
	if err := json.Unmarshal(data, p.Interface()); err != nil {
		return nil, fmt.Errorf("decode %s: %w", kind, err)
	}
	return p.Elem().Interface().(Event), nil
}
