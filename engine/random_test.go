package engine

import (
	"encoding/binary"
	"math/rand"
	"strings"

	"pgregory.net/rapid"

	"meldhall/engine/ruleset"
	"meldhall/engine/tile"
)

// chooser makes the choices of a random game. pick returns a number from 0 to n-1, or 0 if no choices are left.
type chooser interface {
	pick(n int, what string) int
	spent() bool
}

// seeded chooses by a seed, so that a game can be repeated.
type seeded struct{ *rand.Rand }

func (c seeded) pick(n int, _ string) int { return c.Intn(n) }

func (c seeded) spent() bool { return false }

// drawn lets rapid choose, so that rapid can shrink a failing game.
type drawn struct{ t *rapid.T }

func (c drawn) pick(n int, what string) int { return rapid.IntRange(0, n-1).Draw(c.t, what) }

func (c drawn) spent() bool { return false }

// fed chooses by the bytes of a fuzzer. The game ends when they are used up.
type fed struct{ data []byte }

func (c *fed) pick(n int, _ string) int {
	if n > 256 && len(c.data) >= 4 {
		v := binary.LittleEndian.Uint32(c.data)
		c.data = c.data[4:]
		return int(v) % n
	}
	if len(c.data) == 0 {
		return 0
	}
	v := c.data[0]
	c.data = c.data[1:]
	return int(v) % n
}

func (c *fed) spent() bool { return len(c.data) == 0 }

func oneOf[T any](c chooser, what string, from ...T) T { return from[c.pick(len(from), what)] }

func chance(c chooser, percent int, what string) bool { return c.pick(100, what) >= 100-percent }

// randomRules changes fields of a preset at random.
func randomRules(c chooser, presets []ruleset.Ruleset) ruleset.Ruleset {
	r := presets[c.pick(len(presets), "preset")]
	if !chance(c, 60, "rules changed") {
		return r
	}
	change := func(field *string, values ...string) {
		if chance(c, 30, "field") {
			*field = oneOf(c, "value", values...)
		}
	}
	number := func(field *int, values ...int) {
		if chance(c, 30, "field") {
			*field = oneOf(c, "value", values...)
		}
	}
	number(&r.TurnSeconds, 0, 1, 40, 60, 3600)
	number(&r.StartSeconds, 0, 20)
	number(&r.GraceMillis, 0, 1, 1000, 2000)
	number(&r.TimeoutTiles, 0, 1, 3, 20)
	number(&r.IdleTiles, 0, 1, 3)
	change(&r.IllegalPlay, ruleset.Reject, ruleset.Penalty)
	number(&r.IllegalTiles, 0, 3, 20)
	change(&r.Penalties, ruleset.Proposed, ruleset.Automatic, "")
	change(&r.Leftovers, ruleset.ToRack, ruleset.ToPool)
	number(&r.MeldPoints, 0, 30, 50)
	r.LastToOpenRelief = chance(c, 20, "relief")
	change(&r.JokerRelease, ruleset.Anywhere, ruleset.WithRackTile)
	change(&r.JokerReplace, ruleset.Free, ruleset.TableOrRack, ruleset.FromRack)
	number(&r.JokerPoints, 0, 25, 30, 50, 100)
	number(&r.NoMeldUnable, 0, 100)
	number(&r.NoMeldAble, 0, 200)
	change(&r.NoMeldCounts, ruleset.Instead, ruleset.Added, ruleset.Higher)
	change(&r.AbleWhen, ruleset.AtEnd, ruleset.AnyTurn)
	change(&r.Redeal, ruleset.BeforeStart, ruleset.OwnFirstTurn, ruleset.Off)
	change(&r.Exhausted, ruleset.LastLap, ruleset.UntilStuck)
	change(&r.ExhaustedWinner, ruleset.WinnerZero, ruleset.Collects)
	change(&r.WinnerScores, ruleset.WinnerZero, ruleset.Collects)
	number(&r.WinBonus, 0, 100)
	change(&r.Points, ruleset.PlusMinus, ruleset.Penalty)
	return r
}

func randomOrder(c chooser) tile.List {
	order := tile.List(tile.All())
	rand.New(rand.NewSource(int64(c.pick(1<<31-1, "shuffle")))).Shuffle(len(order), func(i, j int) {
		order[i], order[j] = order[j], order[i]
	})
	return order
}

// randomDeal sometimes deals seat 0 three doubles, or a hand that can go out in one turn.
func randomDeal(c chooser) Deal {
	pool := randomOrder(c)
	switch c.pick(4, "hand") {
	case 1, 3:
		bringToFront(pool, "K3 K3 R8 R8 O12 O12")
	case 2:
		bringToFront(pool, "R1 R2 R3 R4 R5 R6 R7 B7 B8 B9 B10 B11 B12 J")
	}
	return Deal{Pool: pool, Draws: randomOrder(c), Salt: strings.Repeat("salt", 4)}
}

// bringToFront swaps tiles with the given faces to the top of the pool.
func bringToFront(pool tile.List, text string) {
	faces, err := tile.ParseFaces(text)
	if err != nil {
		panic(err)
	}
	for i, f := range faces {
		for j := i; j < len(pool); j++ {
			if pool[j].Face() == f {
				pool[i], pool[j] = pool[j], pool[i]
				break
			}
		}
	}
}

// mood holds the percentages of the kinds of commands in a random game.
type mood struct{ sensible, plays, officials, callTime, holds int }

var moods = []mood{
	{sensible: 98, plays: 100, officials: 0, holds: 2},
	{sensible: 98, plays: 0, officials: 0}, // no seat ever lays a tile
	{sensible: 85, plays: 80, officials: 30},
	{sensible: 85, plays: 80, officials: 30, callTime: 20},
	{sensible: 50, plays: 70, officials: 20, callTime: 2},
	{sensible: 60, plays: 50, officials: 80},
}

// randomCommand returns a command, sensible or not, and its time.
func randomCommand(c chooser, m mood, s State) (Command, Millis) {
	now := randomTime(c, m, s)
	if s.Paused != nil && chance(c, 50, "resume") {
		return Resume{}, now
	}
	if m.holds > 0 && s.Phase == PhasePlaying && s.Turn.Due != 0 && chance(c, m.holds, "press") {
		return PressKey{s.Turn.Seat, s.Turn.Number}, s.Turn.Due - 700 + Millis(c.pick(1500, "early"))
	}
	if chance(c, m.sensible, "sensible") {
		if s.Phase == PhaseDealt {
			return startingCommand(c, s), now
		}
		if s.Phase == PhasePlaying {
			return turnCommand(c, m, s), now
		}
	}
	if chance(c, m.officials, "official") {
		return officialCommand(c, m, s), now
	}
	return wildCommand(c, s), now
}

func randomTime(c chooser, m mood, s State) Millis {
	if chance(c, 90, "soon") {
		return s.At + Millis(c.pick(900, "ms"))
	}
	due := max(Due(&s), s.At)
	return oneOf(c, "when", s.At-5000, s.At, s.Turn.Due, due, due+1, due+3_600_000)
}

func startingCommand(c chooser, s State) Command {
	for seat := range s.Seats {
		if s.MayRedeal(seat) && chance(c, 20, "refused") {
			return RefuseRedeal{Grounds{Reason: "asked too late"}, seat}
		}
		if s.MayRedeal(seat) && s.Deal < 4 && chance(c, 40, "redeal") {
			d := randomDeal(c)
			return Redeal{seat, s.Turn.Number, Deal{Pool: d.Pool[c.pick(10, "cut")/9:], Draws: d.Draws, Salt: d.Salt}}
		}
		if !s.Ready[seat] || chance(c, 10, "again") {
			return Ready{seat, s.Turn.Number}
		}
	}
	return Expire{}
}

func turnCommand(c chooser, m mood, s State) Command {
	for seat := range s.Seats {
		if s.MayRedeal(seat) && s.Deal < 4 && chance(c, 20, "redeal") {
			return Redeal{seat, s.Turn.Number, randomDeal(c)}
		}
	}
	if chance(c, m.plays, "play") {
		if p, ok := findPlay(s, func() bool { return chance(c, 5, "overlook") }); ok {
			return p
		}
	}
	if len(s.Pool) == 0 && chance(c, 95, "pass") {
		return Pass{s.Turn.Seat, s.Turn.Number}
	}
	return Draw{s.Turn.Seat, s.Turn.Number}
}

func officialCommand(c chooser, m mood, s State) Command {
	if chance(c, m.callTime, "time") {
		return CallTime{Grounds{Reason: "the slot is over"}}
	}
	if chance(c, 60, "more") {
		return heavyCommand(c, s)
	}
	switch c.pick(8, "ruling") {
	case 0:
		return PauseClock{Grounds{Reason: "a question"}}
	case 1:
		return Resume{}
	case 2:
		return GiveTime{Grounds: Grounds{Reason: "slow tablet"},
			Seconds: oneOf(c, "seconds", 30, -30, 1, -3600, 0, 100000)}
	case 3, 4:
		return Penalise{Grounds: Grounds{Reason: oneOf(c, "reason", "shouting", "")}, Seat: c.pick(5, "seat"),
			Tiles: oneOf(c, "tiles", 20, 1, 3, 0, 21, -1), Proposal: someProposal(c, s)}
	case 5:
		return randomLeftovers(c, s)
	case 6:
		for seat, call := range s.Calls {
			if call.Open() {
				return oneOf[Command](c, "call", AcknowledgeCall{seat, "Ben"}, AnswerCall{seat, "Ben"},
					WithdrawCall{seat})
			}
		}
		return CallReferee{c.pick(s.Seats, "seat")}
	}
	return Outage{s.At - Millis(c.pick(100_000, "since"))}
}

// someProposal returns the seq of a waiting proposal, sometimes a wrong seq, or 0.
func someProposal(c chooser, s State) int {
	waiting := s.Rulings.Undecided()
	if len(waiting) == 0 || chance(c, 30, "no proposal") {
		return 0
	}
	return waiting[c.pick(len(waiting), "proposal")].Seq + c.pick(12, "wrong")/11
}

// heavyCommand returns a ruling that takes a turn, a deal or a seat, or cancels a ruling.
func heavyCommand(c chooser, s State) Command {
	g := Grounds{Reason: oneOf(c, "reason", "as seen", "as seen", "as seen", ""), Rule: "4.2", By: "Anna",
		Seen: oneOf(c, "seen", 0, 0, s.Seq, 1)}
	seat, turn := c.pick(s.Seats, "seat"), s.Turn.Number-c.pick(10, "stale")/9
	if waiting := s.Rulings.Undecided(); len(waiting) > 0 && chance(c, 60, "decide") {
		return oneOf[Command](c, "waive", WaivePenalty{g, someProposal(c, s)},
			Penalise{g, waiting[0].Seat, 2, waiting[0].Seq})
	}
	for out := range s.Seats {
		if s.Out[out] && chance(c, 60, "again") {
			return ForfeitSeat{g, out, false}
		}
	}
	switch c.pick(12, "heavy") {
	case 0:
		return WaivePenalty{g, someProposal(c, s)}
	case 1:
		return Warn{g, seat}
	case 2:
		return SkipTurn{g, turn}
	case 3:
		return RuleIllegal{g, turn, oneOf(c, "tiles", 3, 0, 21), nil}
	case 4:
		return GrantRedeal{g, seat, randomDeal(c)}
	case 5:
		return RefuseRedeal{g, seat}
	case 6:
		if s.playing() < 3 && chance(c, 70, "not yet") {
			return Warn{g, seat}
		}
		return ForfeitSeat{g, seat, chance(c, 30, "disqualified")}
	case 7:
		return randomPosition(c, s, g)
	}
	if len(s.Rulings.All) == 0 {
		return CancelRuling{g, s.Seq}
	}
	return CancelRuling{g, s.Rulings.All[c.pick(len(s.Rulings.All), "of")].Seq}
}

// randomPosition returns a position with one set less, or with another rack. Some of them are impossible.
func randomPosition(c chooser, s State, g Grounds) Command {
	p := SetPosition{Grounds: g, Seat: c.pick(s.Seats, "to move"), Table: s.Table.Laid(),
		Racks: make([][]tile.Face, s.Seats)}
	if n := len(p.Table); n > 0 && chance(c, 60, "a set less") {
		p.Table = p.Table[:n-1]
	}
	seat := c.pick(s.Seats, "whose rack")
	rack := tile.FacesOf(s.Racks[seat])
	switch c.pick(4, "rack") {
	case 0:
		p.Racks[seat] = rack
	case 1:
		p.Racks[seat] = append(rack[:max(len(rack)-1, 0):max(len(rack)-1, 0)], tile.Face(c.pick(tile.Faces, "face")))
	case 2:
		p.Racks[seat] = append(rack, tile.Face(c.pick(tile.Faces, "face")))
	}
	return p
}

// randomLeftovers takes one set, or the end of a long set, off the table, or asks for something impossible.
func randomLeftovers(c chooser, s State) Command {
	ruling := RuleLeftovers{Grounds: Grounds{Reason: "the table fell over"}, Seat: c.pick(s.Seats, "seat"),
		Table: s.Table.Laid()}
	if len(ruling.Table) == 0 || chance(c, 20, "impossible") {
		ruling.Tiles = []tile.Face{tile.Face(c.pick(tile.Faces, "face"))}
		return ruling
	}
	i := c.pick(len(ruling.Table), "set")
	set := ruling.Table[i]
	if n := len(set.Faces); n > 3 && chance(c, 50, "end of a set") {
		ruling.Tiles, ruling.Table[i].Faces = set.Faces[n-1:], set.Faces[:n-1]
		return ruling
	}
	ruling.Tiles = set.Faces
	ruling.Table = append(ruling.Table[:i:i], ruling.Table[i+1:]...)
	return ruling
}

// wildCommand returns a player's command of any kind: for another seat's turn, for an old turn, with an invalid table,
// or for a game that has not started.
func wildCommand(c chooser, s State) Command {
	seat := oneOf(c, "seat", s.Turn.Seat, s.Turn.Seat, c.pick(6, "other")-1)
	turn := s.Turn.Number + oneOf(c, "turn", 0, 0, 0, -1, 1)
	switch c.pick(13, "kind") {
	case 0, 1, 2, 10, 11:
		return Play{seat, turn, spoiled(c, s)}
	case 3:
		return Draw{seat, turn}
	case 4:
		return Pass{seat, turn}
	case 5:
		return Ready{seat, turn}
	case 6:
		d := randomDeal(c)
		return Redeal{seat, turn, d}
	case 7:
		return oneOf[Command](c, "call", CallReferee{seat}, WithdrawCall{seat})
	case 8:
		if chance(c, 50, "on the way") {
			return AcknowledgeCall{seat, "Anna"}
		}
		return AnswerCall{seat, oneOf(c, "by", "Anna", "")}
	case 9:
		return Start{Rules: s.Rules, Seats: s.Seats, First: 0, Deal: randomDeal(c)}
	}
	return Expire{}
}

// spoiled returns a table that usually breaks a rule.
func spoiled(c chooser, s State) []tile.LaidFaces {
	table := s.Table.Laid()
	if p, ok := findPlay(s, func() bool { return false }); ok && chance(c, 70, "from a play") {
		table = p.Table
	}
	have := tile.CountFaces(tile.FacesOf(s.Racks[s.Turn.Seat]))
	switch c.pick(4, "from the rack") {
	case 0: // one set, perhaps too little to open with
		if all := rackSets(have); len(all) > 0 {
			return append(s.Table.Laid(), tile.LaidFaces{At: tile.SomewhereFree, Faces: all[c.pick(len(all), "set")]})
		}
	case 1, 2: // the table extended, opened or not
		if longer := extend(s.Table.Laid(), have); !tile.SameSets(s.Table, longer) {
			return longer
		}
	}
	if len(table) == 0 {
		return threeInARow(c)
	}
	i := c.pick(len(table), "set")
	faces := append([]tile.Face(nil), table[i].Faces...)
	switch c.pick(6, "spoil") {
	case 0:
		faces = faces[1:]
	case 1:
		faces = append(faces, tile.Face(c.pick(tile.Faces, "face")))
	case 2:
		faces[0] = tile.Face(c.pick(tile.Faces, "face"))
	case 3:
		return append(table[:i:i], table[i+1:]...)
	case 4:
		for range 256 { // more tiles than a byte can count
			table = append(table, tile.LaidFaces{Faces: table[i].Faces})
		}
		return table
	}
	table[i].Faces = faces
	return table
}

func threeInARow(c chooser) []tile.LaidFaces {
	first := tile.NewFace(tile.Colour(c.pick(4, "colour")), 1+c.pick(11, "number"))
	return []tile.LaidFaces{{At: c.pick(tile.Cells, "at"), Faces: []tile.Face{first, first + 1, first + 2}}}
}
