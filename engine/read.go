package engine

import "bytes"

// readEvent parses what appendEvent writes, without reflection, because each of several nodes reads what the others
// wrote. ok is false for all other text, which is left to encoding/json and its errors.
func readEvent(kind string, data []byte) (e Event, ok bool) {
	r := reader{rest: data}
	at, seat := Stamp{Millis(r.number(`{"at":`))}, int(r.number(`,"seat":`))
	switch kind {
	case TilesPlayed{}.Kind():
		p := TilesPlayed{Stamp: at, Seat: seat}
		r.text(`,"table":"`, &p.Table)
		r.text(`,"played":"`, &p.Played)
		r.text(`,"rack":"`, &p.Rack)
		p.Points, p.Late = int(r.some(`,"points":`)), Millis(r.some(`,"late":`))
		p.Turn = r.turn()
		e = p
	case TileDrawn{}.Kind():
		d := TileDrawn{Stamp: at, Seat: seat}
		r.text(`,"tile":"`, &d.Tile)
		d.Late = Millis(r.some(`,"late":`))
		d.Turn = r.turn()
		e = d
	case TurnPassed{}.Kind():
		p := TurnPassed{Stamp: at, Seat: seat, Late: Millis(r.some(`,"late":`))}
		p.Turn = r.turn()
		e = p
	default:
		return nil, false
	}
	r.takes(`}`)
	return e, !r.other && len(r.rest) == 0
}

// reader reads JSON whose fields are in the order in which this package writes them.
type reader struct {
	rest  []byte
	other bool // the text has another form
}

// takes reads required text.
func (r *reader) takes(text string) {
	if !r.has(text) {
		r.other = true
	}
}

// has reads optional text and reports whether it was there.
func (r *reader) has(text string) bool {
	if len(r.rest) < len(text) || string(r.rest[:len(text)]) != text {
		return false
	}
	r.rest = r.rest[len(text):]
	return true
}

const digitsMost = 18 // of a number; any number of 18 digits fits in an int64

func (r *reader) number(name string) (n int64) {
	r.takes(name)
	sign := int64(1)
	if r.has(`-`) {
		sign = -1
	}
	digits := 0
	for digits < len(r.rest) && r.rest[digits] >= '0' && r.rest[digits] <= '9' {
		n = 10*n + int64(r.rest[digits]-'0')
		digits++
	}
	if digits == 0 || digits > digitsMost || r.rest[0] == '0' && digits > 1 {
		r.other = true
	}
	r.rest = r.rest[min(digits, len(r.rest)):]
	return sign * n
}

// some reads a number that is left out when it is 0.
func (r *reader) some(name string) int64 {
	if !bytes.HasPrefix(r.rest, []byte(name)) {
		return 0
	}
	return r.number(name)
}

// text reads a string without escapes.
func (r *reader) text(name string, to interface{ UnmarshalText([]byte) error }) {
	r.takes(name)
	text, rest, ended := bytes.Cut(r.rest, []byte{'"'})
	if !ended || !plain(string(text)) || to.UnmarshalText(text) != nil {
		r.other = true
	}
	r.rest = rest
}

func (r *reader) turn() (t Turn) {
	t.Number, t.Seat = int(r.number(`,"turn":{"number":`)), int(r.number(`,"seat":`))
	t.Started, t.Due = Millis(r.number(`,"started":`)), Millis(r.some(`,"due":`))
	t.Left, t.Passes = int(r.some(`,"left":`)), int(r.some(`,"passes":`))
	t.Able = r.has(`,"able":true`)
	r.takes(`}`)
	return t
}
