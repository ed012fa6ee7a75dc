package textrecord

import (
	"meldhall/engine"
	"meldhall/engine/tile"
)

// readRuling reads a ruling: what it needs besides its grounds, and then the grounds.
func readRuling(read func(*replay, *cursor, *move) ruling) func(*replay, *cursor, *move) {
	return func(r *replay, c *cursor, m *move) {
		command := read(r, c, m)
		m.command = command(c.grounds())
	}
}

func (c *cursor) grounds() (g engine.Grounds) {
	g.Reason, _ = c.value("reason")
	g.Rule, _ = c.value("rule")
	g.By, _ = c.value("by")
	return g
}

// groundsText writes the grounds of a ruling.
func groundsText(g engine.Said) (text string) {
	for _, part := range [][2]string{{" reason=", g.Reason}, {" rule=", g.Rule}, {" by=", g.By}} {
		if part[1] != "" {
			text += part[0] + quote(part[1])
		}
	}
	return text
}

// ruling returns the command of a ruling with its grounds.
type ruling func(engine.Grounds) engine.Command

func readPause(*replay, *cursor, *move) ruling {
	return func(g engine.Grounds) engine.Command { return engine.PauseClock{Grounds: g} }
}

func readResume(*replay, *cursor, *move) ruling {
	return func(g engine.Grounds) engine.Command { return engine.Resume{Grounds: g} }
}

func readTime(_ *replay, c *cursor, _ *move) ruling {
	seconds := c.number("the seconds by which the deadline moves")
	return func(g engine.Grounds) engine.Command { return engine.GiveTime{Grounds: g, Seconds: seconds} }
}

func readCallTime(*replay, *cursor, *move) ruling {
	return func(g engine.Grounds) engine.Command { return engine.CallTime{Grounds: g} }
}

func readPenalty(_ *replay, c *cursor, _ *move) ruling {
	seat, tiles := c.seat(), c.number("the number of penalty tiles")
	proposal := c.valueNumber("proposal", 0)
	return func(g engine.Grounds) engine.Command {
		return engine.Penalise{Grounds: g, Seat: seat, Tiles: tiles, Proposal: proposal}
	}
}

func readNotice(_ *replay, c *cursor, _ *move) ruling {
	seat, proposal := c.seat(), c.valueNumber("proposal", 0)
	return func(g engine.Grounds) engine.Command {
		return engine.Penalise{Grounds: g, Seat: seat, Proposal: proposal}
	}
}

func readWaive(_ *replay, c *cursor, _ *move) ruling {
	w := c.peek()
	proposal := c.valueNumber("proposal", 0)
	if proposal == 0 {
		c.expected(w, "proposal= with the seq of the proposed penalty")
	}
	return func(g engine.Grounds) engine.Command { return engine.WaivePenalty{Grounds: g, Proposal: proposal} }
}

func readWarn(_ *replay, c *cursor, _ *move) ruling {
	seat := c.seat()
	return func(g engine.Grounds) engine.Command { return engine.Warn{Grounds: g, Seat: seat} }
}

func readSkip(r *replay, _ *cursor, _ *move) ruling {
	turn := r.state.Turn.Number
	return func(g engine.Grounds) engine.Command { return engine.SkipTurn{Grounds: g, Turn: turn} }
}

func readRuledIllegal(r *replay, c *cursor, _ *move) ruling {
	tiles := c.number("the number of penalty tiles")
	turn := r.state.Turn.Number
	return func(g engine.Grounds) engine.Command { return engine.RuleIllegal{Grounds: g, Turn: turn, Tiles: tiles} }
}

// readLeftovers reads the tiles that go, and the sets that stay.
func readLeftovers(_ *replay, c *cursor, _ *move) ruling {
	seat := c.seat()
	tiles := tile.FacesOf(c.tiles())
	var stay []set
	if c.take("|") {
		stay = c.sets()
	}
	return func(g engine.Grounds) engine.Command {
		return engine.RuleLeftovers{Grounds: g, Seat: seat, Tiles: tiles, Table: laidFaces(stay)}
	}
}

func readGrantRedeal(_ *replay, c *cursor, m *move) ruling {
	seat := c.seat()
	grounds := c.grounds()
	deal := c.deal()
	return func(engine.Grounds) engine.Command {
		return engine.GrantRedeal{Grounds: grounds, Seat: seat, Deal: deal}
	}
}

func readRefuseRedeal(_ *replay, c *cursor, _ *move) ruling {
	seat := c.seat()
	return func(g engine.Grounds) engine.Command { return engine.RefuseRedeal{Grounds: g, Seat: seat} }
}

func readForfeit(_ *replay, c *cursor, _ *move) ruling {
	seat, disqualified := c.seat(), c.take("disqualified")
	return func(g engine.Grounds) engine.Command {
		return engine.ForfeitSeat{Grounds: g, Seat: seat, Disqualified: disqualified}
	}
}

func readCancel(_ *replay, c *cursor, _ *move) ruling {
	of := c.number("the seq of the ruling")
	return func(g engine.Grounds) engine.Command { return engine.CancelRuling{Grounds: g, Of: of} }
}

func readRewind(r *replay, c *cursor, _ *move) ruling {
	turn := c.number("the number of the turn to go back to")
	return func(g engine.Grounds) engine.Command {
		return engine.Rewind{Grounds: g, Turn: turn, To: r.starts[turn]}
	}
}

// readPosition reads the seat to move, the sets on the table, and the racks that change.
func readPosition(r *replay, c *cursor, _ *move) ruling {
	seat := c.seat()
	var table []set
	if c.take("|") {
		table = c.sets()
	}
	racks := make([][]tile.Face, r.state.Seats)
	for c.more() && c.peek().text == "rack" {
		c.next()
		w := c.peek()
		whose := c.seat()
		faces := tile.FacesOf(c.tiles())
		if whose >= len(racks) {
			c.expected(w, "a seat of this table")
			break
		}
		racks[whose] = faces
	}
	return func(g engine.Grounds) engine.Command {
		return engine.SetPosition{Grounds: g, Seat: seat, Table: laidFaces(table), Racks: racks}
	}
}
