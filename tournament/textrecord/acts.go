package textrecord

import (
	"meldhall/engine"
	"meldhall/engine/tile"
)

// act is a word for what happened: the kind of its first event, whether it ends a turn and so needs its number and
// seat, and how the rest of its line is read.
type act struct {
	kind string
	turn bool
	by   who
	read func(*replay, *cursor, *move)
}

// acts lists the words by name.
var acts = map[string]act{
	"start":   {"game_started", false, byProgram, readStart},
	"ready":   {"seat_ready", false, byPlayer, readReady},
	"begin":   {"play_began", false, byClock, readExpire},
	"running": {"game_resumed", false, byClock, readExpire},
	"outage":  {"game_paused", false, byClock, readOutage},
	"redeal":  {"redeal_asked", false, byPlayer, readRedeal},

	"play":    {"tiles_played", true, byPlayer, readPlay},
	"draw":    {"tile_drawn", true, byPlayer, readDraw},
	"pass":    {"turn_passed", true, byPlayer, readPass},
	"timeout": {"turn_expired", true, byClock, readTimeout},
	"illegal": {"illegal_played", true, byPlayer, readIllegal},
	"press":   {"key_pressed", false, byPlayer, readPress},

	"call":   {"referee_called", false, byPlayer, readCall},
	"uncall": {"call_withdrawn", false, byPlayer, readUncall},
	"coming": {"call_acknowledged", false, byOfficial, readComing},
	"came":   {"call_answered", false, byOfficial, readCame},

	"starter": {"starter_chosen", false, byDevice, readStarter},
	"end":     {"turn_ended", true, byDevice, readEnd},
	"empty":   {"pool_emptied", false, byDevice, readEmpty},
	"count":   {"racks_counted", false, byDevice, readCount},

	"pause":         {"game_paused", false, byOfficial, readRuling(readPause)},
	"resume":        {"resume_set", false, byOfficial, readRuling(readResume)},
	"time":          {"time_given", false, byOfficial, readRuling(readTime)},
	"call-time":     {"time_called", false, byOfficial, readRuling(readCallTime)},
	"penalty":       {"penalty_given", false, byOfficial, readRuling(readPenalty)},
	"notice":        {"notice_given", false, byOfficial, readRuling(readNotice)},
	"waive":         {"penalty_waived", false, byOfficial, readRuling(readWaive)},
	"warn":          {"warning_given", false, byOfficial, readRuling(readWarn)},
	"skip":          {"turn_skipped", true, byOfficial, readRuling(readSkip)},
	"ruled-illegal": {"illegal_ruled", true, byOfficial, readRuling(readRuledIllegal)},
	"leftovers":     {"leftovers_ruled", false, byOfficial, readRuling(readLeftovers)},
	"grant-redeal":  {"redeal_granted", false, byOfficial, readRuling(readGrantRedeal)},
	"refuse-redeal": {"redeal_refused", false, byOfficial, readRuling(readRefuseRedeal)},
	"forfeit":       {"seat_forfeited", false, byOfficial, readRuling(readForfeit)},
	"cancel":        {"ruling_cancelled", false, byOfficial, readRuling(readCancel)},
	"rewind":        {"rewound", false, byOfficial, readRuling(readRewind)},
	"position":      {"position_set", false, byOfficial, readRuling(readPosition)},
}

func readReady(r *replay, c *cursor, m *move) {
	if r.state.Physical && c.take("all") {
		m.command = engine.Ready{Seat: engine.Everybody, Turn: r.state.Turn.Number}
		return
	}
	m.seat = c.seat()
	m.command = engine.Ready{Seat: m.seat, Turn: r.state.Turn.Number}
}

func readExpire(_ *replay, _ *cursor, m *move) { m.command = engine.Expire{} }

// readOutage reads the time that the turn has left after an outage.
func readOutage(r *replay, c *cursor, m *move) {
	w := c.next()
	if !secondsForm.MatchString(w.text) {
		c.expected(w, "the seconds that the turn has left, such as 15s")
		return
	}
	m.command = engine.Outage{Since: r.state.Turn.Due - millisIn(w.text)}
}

// toMove sets the seat of a move to the seat whose turn it is.
func (r *replay) toMove(m *move) (seat, turn int) {
	m.seat = r.state.Turn.Seat
	return m.seat, r.state.Turn.Number
}

func readPlay(r *replay, c *cursor, m *move) {
	seat, turn := r.toMove(m)
	sets := c.sets()
	if len(sets) == 0 {
		c.expected(c.peek(), "the sets of the play")
	}
	if c.err != nil {
		return
	}
	p := c.resolve(&r.state, seat, sets)
	if c.err != nil {
		return
	}
	m.command = engine.Play{Seat: seat, Turn: turn, Table: p.table.Laid()}
	m.amend = func(events []engine.Event) *Error {
		amendPlay(p, events)
		return nil
	}
}

// amendPlay names the tiles of a play, which the engine knows only by their faces.
func amendPlay(p play, events []engine.Event) {
	e := events[0].(engine.TilesPlayed)
	rack := make(tile.List, 0, len(e.Rack))
	var laid [tile.Count]bool
	for _, t := range p.played {
		laid[t] = true
	}
	for _, t := range p.before {
		if !laid[t] {
			rack = append(rack, t)
		}
	}
	e.Table, e.Played, e.Rack = p.table, p.played, rack
	events[0] = e
	for i, one := range events[1:] {
		if ended, ok := one.(engine.GameEnded); ok {
			ended.End.Racks = append(ended.End.Racks[:0:0], ended.End.Racks...)
			ended.End.Racks[e.Seat] = rack
			events[i+1] = ended
		}
	}
}

func readDraw(r *replay, c *cursor, m *move) {
	seat, turn := r.toMove(m)
	m.command = engine.Draw{Seat: seat, Turn: turn}
	c.drawn(m, func(e engine.Event) tile.List { return e.(engine.TileDrawn).Tile })
}

// drawn reads the tiles that were drawn. They follow from the pool; a line that names others is refused.
func (c *cursor) drawn(m *move, of func(engine.Event) tile.List) {
	first := c.peek()
	named := c.tiles()
	m.amend = func(events []engine.Event) *Error {
		drawn := of(events[0])
		if len(named) > 0 && !sameFaces(named, drawn) {
			if len(drawn) == 0 {
				return first.fault("expected no tiles, because none are drawn")
			}
			return first.fault("expected %s, the pool's next tiles", tilesText(drawn))
		}
		return nil
	}
}

func sameFaces(a, b tile.List) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].Face() != b[i].Face() {
			return false
		}
	}
	return true
}

func readPass(r *replay, _ *cursor, m *move) {
	seat, turn := r.toMove(m)
	m.command = engine.Pass{Seat: seat, Turn: turn}
}

func readPress(r *replay, _ *cursor, m *move) {
	seat, turn := r.toMove(m)
	m.command = engine.PressKey{Seat: seat, Turn: turn}
}

func readTimeout(_ *replay, c *cursor, m *move) {
	m.command, m.disturbed = engine.Expire{}, c.take("disturbed")
	c.drawn(m, func(e engine.Event) tile.List { return e.(engine.TurnExpired).Tiles })
}

// readIllegal reads the reason and the whole table of an illegal play, by faces.
func readIllegal(r *replay, c *cursor, m *move) {
	seat, turn := r.toMove(m)
	code := c.next()
	m.command = engine.Play{Seat: seat, Turn: turn, Table: laidFaces(c.sets())}
	m.amend = func(events []engine.Event) *Error {
		if why := events[0].(engine.IllegalPlayed).Code; why != code.text {
			return code.fault("expected %s, the reason why the play is illegal", why)
		}
		return nil
	}
}

func readCall(_ *replay, c *cursor, m *move) {
	m.seat = c.seat()
	m.command = engine.CallReferee{Seat: m.seat}
}

func readUncall(_ *replay, c *cursor, m *move) {
	m.seat = c.seat()
	m.command = engine.WithdrawCall{Seat: m.seat}
}

func readComing(_ *replay, c *cursor, m *move) {
	seat := c.seat()
	by, _ := c.value("by")
	m.command = engine.AcknowledgeCall{Seat: seat, By: by}
}

func readCame(_ *replay, c *cursor, m *move) {
	seat := c.seat()
	by, _ := c.value("by")
	m.command = engine.AnswerCall{Seat: seat, By: by}
}
