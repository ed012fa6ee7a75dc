package textrecord

import "strconv"

// who is the kind of actor that causes an event unless a line names another.
type who int

const (
	byPlayer   who = iota // the player at the seat or, with real tiles, the table's device
	byDevice              // the device of a table with real tiles
	byClock               // the program's clock
	byProgram             // the program, as it starts a game
	byOfficial            // the last official
)

// usual returns the actor of a move if the line names none. It is empty if there is none.
func (r *replay) usual(m *move) string {
	if m.by == byPlayer && r.state.Physical {
		m.by = byDevice
	}
	switch m.by {
	case byDevice:
		return r.device
	case byClock:
		return "program:clock"
	case byProgram:
		return "program:event"
	case byOfficial:
		return r.official
	}
	if m.seat < 0 || m.seat >= len(r.players) {
		return ""
	}
	return "player:" + strconv.FormatInt(r.players[m.seat], 10)
}

// actor returns the actor of a move.
func (r *replay) actor(m *move, n notes) (string, *Error) {
	usual := r.usual(m)
	if n.actor == nil {
		if usual == "" {
			return "", m.start.fault("expected @actor: the table has no player at %s", seatText(m.seat))
		}
		return usual, nil
	}
	c := cursor{}
	text := c.unquote(*n.actor, n.actor.text[1:])
	return text, c.err
}
