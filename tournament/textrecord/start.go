package textrecord

import (
	"encoding/json"
	"strings"

	"meldhall/engine"
	"meldhall/engine/ruleset"
	"meldhall/engine/tile"
)

// readStart reads the start of a game: seats, starter, and the deal.
func readStart(r *replay, c *cursor, m *move) {
	start := engine.Start{Rules: r.rules, Seats: c.valueNumber("seats", len(r.players)), First: 0}
	first := c.peek()
	who, given := c.value("first")
	start.Extra = c.list("extra", numberIn, "extra= with the seconds of each seat, such as extra=0,30")
	absent := c.list("absent", seatIn, "absent= with seats, such as absent=S1,S3")
	edition := c.peek()
	of := c.valueNumber("edition", engine.Edition)
	if of < 0 || of > engine.Edition {
		c.expected(edition, "an edition that this program knows")
	}
	if start.Physical = c.take("real"); !start.Physical {
		start.Deal = c.deal()
	}
	switch seat, ok := seatIn(who); {
	case ok:
		start.First = seat
	case who == "draw", !given && len(start.Deal.Draws) > 0:
		start.First = engine.DrawForStart
	case given:
		c.expected(first, "first= with a seat or draw")
	}
	m.command = start
	if absent != nil {
		m.command = engine.StartHeld{Start: start, Absent: absent}
	}
	m.amend = func(events []engine.Event) *Error {
		e := events[0].(engine.GameStarted)
		e.Edition = of
		events[0] = e
		return nil
	}
}

// list reads name=a,b with a value for some of the seats.
func (c *cursor) list(name string, parse func(string) (int, bool), what string) (list []int) {
	w := c.peek()
	text, ok := c.value(name)
	if !ok {
		return nil
	}
	for one := range strings.SplitSeq(text, ",") {
		n, ok := parse(one)
		if !ok || len(list) == ruleset.MaxSeats {
			c.expected(w, what)
			return nil
		}
		list = append(list, n)
	}
	return list
}

func startText(r *replay, e engine.GameStarted, next []engine.Event) string {
	var text strings.Builder
	text.WriteString("start")
	if e.Seats != len(r.players) {
		text.WriteString(" seats=" + itoa(e.Seats))
	}
	switch {
	case len(e.Draws) > 0 || e.Starter == engine.NoStarter:
		text.WriteString(" first=draw")
	default:
		text.WriteString(" first=" + seatText(e.Starter))
	}
	if len(e.Extra) > 0 {
		text.WriteString(" extra=" + joined(e.Extra, itoa))
	}
	if len(next) > 1 {
		if held, ok := next[1].(engine.GamePaused); ok && held.Pause.Held() && len(held.Pause.Absent) > 0 {
			text.WriteString(" absent=" + joined(held.Pause.Absent, seatText))
		}
	}
	text.WriteString(" edition=" + itoa(e.Edition))
	if e.Physical {
		return text.String() + " real"
	}
	return text.String() + dealText(next)
}

func joined(list []int, text func(int) string) string {
	parts := make([]string, len(list))
	for i, n := range list {
		parts[i] = text(n)
	}
	return strings.Join(parts, ",")
}

// deal reads a shuffle: the pool, the tiles for the draw, the salt, and the members of the deal that this notation has
// no words for.
func (c *cursor) deal() (d engine.Deal) {
	w := c.peek()
	if !c.take("pool") {
		c.expected(w, "pool and the 106 tiles as shuffled")
		return d
	}
	pool := c.wholePool()
	var draws tile.List
	if c.take("draws") {
		draws = c.wholePool()
	}
	if w = c.peek(); !c.take("salt") {
		c.expected(w, "salt and the salt of the deal")
		return d
	}
	w = c.next()
	salt := c.unquote(w, w.text)
	w = c.peek()
	if more, ok := c.value("with"); ok && json.Unmarshal([]byte(more), &d) != nil {
		c.expected(w, "with= and members of the deal as in JSON")
	}
	d.Pool, d.Draws, d.Salt = pool, draws, salt
	return d
}

// wholePool reads tiles, and fails at the place where they are not the 106 tiles.
func (c *cursor) wholePool() tile.List {
	var used [tile.Count]bool
	var list tile.List
	for c.more() {
		t, ok := tileIn(c.peek().text)
		if !ok {
			break
		}
		w := c.next()
		if used[t] {
			c.fail(w.fault("%s is named twice", w.text))
		}
		used[t] = true
		list = append(list, t)
	}
	if len(list) != tile.Count {
		c.expected(c.peek(), "a tile: "+itoa(len(list))+" of 106 are named")
	}
	return list
}

// dealText writes the deal in the first of the events on lines of its own. Without one it writes nothing.
func dealText(events []engine.Event) string {
	if len(events) == 0 {
		return ""
	}
	dealt, ok := events[0].(engine.TilesDealt)
	if !ok {
		return ""
	}
	text := "\n pool " + tilesText(dealt.Deal.Pool)
	if len(dealt.Deal.Draws) > 0 {
		text += "\n draws " + tilesText(dealt.Deal.Draws)
	}
	text += "\n salt " + quote(dealt.Deal.Salt)
	var members map[string]json.RawMessage
	if json.Unmarshal(marshal(dealt.Deal), &members) != nil {
		return text
	}
	for _, name := range []string{"pool", "draws", "salt"} {
		delete(members, name)
	}
	if len(members) > 0 {
		text += "\n with=" + string(marshal(members))
	}
	return text
}

func readRedeal(r *replay, c *cursor, m *move) {
	m.seat = c.seat()
	m.command = engine.Redeal{Seat: m.seat, Turn: r.state.Turn.Number, Deal: c.deal()}
}
