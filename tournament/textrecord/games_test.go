package textrecord

import (
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"meldhall/engine"
	"meldhall/engine/bot"
	"meldhall/engine/judge"
	"meldhall/engine/ruleset"
	"meldhall/engine/score"
	"meldhall/engine/tile"
	"meldhall/tournament/export"
)

func presets(t testing.TB) map[string]ruleset.Ruleset {
	t.Helper()
	all := map[string]ruleset.Ruleset{}
	for _, name := range []string{"wrc", "wrc-50", "club", "family", "casual"} {
		text, err := os.ReadFile("../../data/rules/" + name + ".json")
		if err != nil {
			t.Fatal(err)
		}
		if all[name], err = ruleset.ParseRuleset(ruleset.Ruleset{}, text); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// table is a random game being played.
type table struct {
	*rand.Rand
	record export.Game
	state  engine.State
	log    []engine.Event
	rulers int // percentage of commands that are rulings
	wild   int // percentage of commands that make little sense
	plays  int // percentage of turns in which a bot looks for a play
}

// randomGame plays a random game of at most steps commands and returns its record.
func randomGame(presets []ruleset.Ruleset, seed uint64, steps int) export.Game {
	g := &table{Rand: rand.New(rand.NewPCG(seed, 48))}
	mood := g.IntN(4)
	g.rulers, g.wild = []int{0, 2, 10, 40}[mood], []int{0, 3, 10, 20}[mood]
	g.plays = []int{100, 90, 50, 0}[g.IntN(4)]
	seats := 2 + g.IntN(3)
	g.record = export.Game{Version: export.Version, Game: 1 + g.Int64N(900), TournamentID: 1 + g.Int64N(9), RoundID: 3,
		Table: 1 + g.IntN(40), Number: 1 + g.IntN(3), Rules: g.rules(presets), Results: []export.Result{}}
	for seat := range seats {
		g.record.Players = append(g.record.Players, int64(10*seat)+1+g.Int64N(9))
	}
	now := engine.Millis(1_767_261_600_000) + engine.Millis(g.IntN(1_000_000_000))
	if g.chance(5) {
		g.do(engine.CallReferee{Seat: g.IntN(seats)}, now)
	}
	g.do(g.start(seats), now)
	for range steps {
		if g.state.Phase == engine.PhaseOver && !g.chance(30) {
			break
		}
		g.do(g.command(), g.time())
	}
	g.results()
	g.record.Head = g.record.ChainHead()
	return g.record
}

func (g *table) chance(percent int) bool { return g.IntN(100) < percent }

func (g *table) rules(presets []ruleset.Ruleset) ruleset.Ruleset {
	r := presets[g.IntN(len(presets))]
	fields := ruleset.RuleFields()
	for range g.IntN(2) * g.IntN(12) {
		f := fields[g.IntN(len(fields))]
		var value any = g.chance(50)
		switch {
		case f.Name == "seats_min" || f.Name == "seats_max" || f.Name == "name":
			continue
		case len(f.Words) > 0:
			value = f.Words[g.IntN(len(f.Words))]
		case f.Hi > 0:
			value = f.Lo + g.IntN(min(f.Hi-f.Lo, 60)+1)
		}
		if changed, err := r.With(map[string]any{f.Name: value}); err == nil {
			r = changed
		}
	}
	return r
}

func (g *table) deal() engine.Deal {
	d := engine.Deal{Pool: tile.List(tile.All()), Draws: tile.List(tile.All())}
	for _, list := range []tile.List{d.Pool, d.Draws} {
		g.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	}
	if g.chance(10) {
		slices.SortStableFunc(d.Pool, func(a, b tile.Tile) int { return int(a.Face()) - int(b.Face()) })
	}
	d.Salt = hex.EncodeToString(fmt.Appendf(nil, "%016x", g.Uint64()))
	return d
}

func (g *table) start(seats int) engine.Command {
	s := engine.Start{Rules: g.record.Rules, Seats: seats, First: engine.DrawForStart, Physical: g.chance(15)}
	if g.chance(40) {
		s.First = g.IntN(seats)
	}
	if g.chance(10) {
		s.Extra = []int{0, 30}
	}
	if s.Physical {
		return s
	}
	if s.Deal = g.deal(); g.chance(10) {
		return engine.StartHeld{Start: s, Absent: []int{g.IntN(seats)}}
	}
	return s
}

// time returns the time of the next command: usually soon, sometimes after the deadline.
func (g *table) time() engine.Millis {
	at := g.state.At
	switch g.IntN(20) {
	case 0:
		return max(at, engine.Due(&g.state)+1+engine.Millis(g.IntN(3000)))
	case 1:
		return max(at, g.state.Turn.Due-engine.Millis(g.IntN(600)))
	case 2, 3, 4:
		return at
	}
	return at + engine.Millis(g.IntN(9000))
}

// do sends a command and, after an expiry, sends it again.
func (g *table) do(c engine.Command, now engine.Millis) {
	for range 2 {
		events, err := engine.Decide(&g.state, c, g.chance(30), time.UnixMilli(int64(now)))
		if err != nil {
			return
		}
		actor := g.actor(c, engine.ByClock(events))
		for _, e := range events {
			g.add(e, actor)
		}
		if _, expires := c.(engine.Expire); expires || !engine.ByClock(events) {
			return
		}
	}
}

func (g *table) add(e engine.Event, actor string) {
	g.state.Follow(e)
	g.log = append(g.log, e)
	data, err := engine.Encode(e)
	if err != nil {
		panic(err)
	}
	row := export.Event{Seq: len(g.log), Kind: e.Kind(), Version: engine.EventVersion, At: e.When(), Actor: actor,
		Data: data}
	if hasReason(data) {
		row.Salt = strings.ToUpper(strconv.FormatUint(g.Uint64(), 36))
	}
	g.record.Events = append(g.record.Events, row)
}

func (g *table) actor(c engine.Command, byClock bool) string {
	seat := -1
	switch c := c.(type) {
	case engine.Start, engine.StartHeld:
		return "program:event"
	case engine.Expire, engine.Outage:
		return "program:clock"
	case engine.Play, engine.Draw, engine.Pass, engine.PressKey, engine.Redeal:
		seat = g.state.Turn.Seat
	case engine.Ready:
		seat = c.Seat
	case engine.CallReferee:
		seat = c.Seat
	}
	switch {
	case byClock && g.chance(80):
		return "program:clock"
	case g.state.Physical:
		return "table:" + strconv.Itoa(g.record.Table)
	case seat >= 0 && seat < len(g.record.Players):
		return "player:" + strconv.FormatInt(g.record.Players[seat], 10)
	}
	return []string{"referee:Ann", "referee:Bo \"B\" Lee", "organizer:Désirée"}[g.IntN(3)]
}

func (g *table) command() engine.Command {
	s := &g.state
	switch {
	case s.Paused != nil && g.chance(50):
		return engine.Resume{}
	case g.chance(3):
		return engine.Expire{}
	case g.chance(g.rulers):
		return g.ruling()
	case g.chance(g.wild):
		return g.wildCommand()
	case s.Physical:
		return g.realCommand()
	case s.Phase == engine.PhaseDealt:
		return g.beforePlay()
	}
	seat, turn := s.Turn.Seat, s.Turn.Number
	if g.chance(g.plays) {
		after, laid := bot.Choose(bot.Styles[g.IntN(2)], bot.Turn{Rules: s.Rules, Pool: len(s.Pool),
			Move: judge.Move{Opened: s.Opened[seat], Before: s.Table.Faces(), Rack: tile.FacesOf(s.Racks[seat])}})
		if laid > 0 {
			return engine.Play{Seat: seat, Turn: turn, Table: g.placed(after)}
		}
	}
	if len(s.Pool) == 0 {
		return engine.Pass{Seat: seat, Turn: turn}
	}
	return engine.Draw{Seat: seat, Turn: turn}
}

// placed gives the sets places as a tablet or as a bot does, sometimes any.
func (g *table) placed(after [][]tile.Face) []tile.LaidFaces {
	table := make([]tile.LaidFaces, len(after))
	for i, faces := range after {
		if table[i] = (tile.LaidFaces{At: tile.SomewhereFree, Faces: faces}); i < len(g.state.Table) && g.chance(60) {
			table[i].At = g.state.Table[i].At
		}
		if g.chance(10) {
			table[i].At = g.IntN(tile.Cells)
		}
	}
	if g.chance(10) {
		g.Shuffle(len(table), func(i, j int) { table[i], table[j] = table[j], table[i] })
	}
	return table
}

func (g *table) beforePlay() engine.Command {
	s := &g.state
	for seat := range s.Seats {
		if s.MayRedeal(seat) && s.Deal < 4 && g.chance(50) {
			return engine.Redeal{Seat: seat, Turn: s.Turn.Number, Deal: g.deal()}
		}
		if !s.Ready[seat] {
			return engine.Ready{Seat: seat, Turn: s.Turn.Number}
		}
	}
	return engine.Expire{}
}

func (g *table) wildCommand() engine.Command {
	s := &g.state
	seat, turn := g.IntN(max(s.Seats, 2)), s.Turn.Number
	switch g.IntN(9) {
	case 0:
		return engine.PressKey{Seat: s.Turn.Seat, Turn: turn}
	case 1:
		return engine.CallReferee{Seat: seat}
	case 2:
		return engine.WithdrawCall{Seat: seat}
	case 3:
		return engine.AcknowledgeCall{Seat: seat, By: "Ann"}
	case 4:
		return engine.AnswerCall{Seat: seat, By: []string{"", "Bo Lee"}[g.IntN(2)]}
	case 5:
		return engine.Outage{Since: s.At - engine.Millis(g.IntN(100_000))}
	case 6:
		return engine.Redeal{Seat: seat, Turn: turn, Deal: g.deal()}
	}
	table := s.Table.Laid()
	if n := len(table); n > 0 && g.chance(50) {
		table[g.IntN(n)].Faces = tile.FaceList{tile.Face(g.IntN(tile.Faces)), tile.Joker}
	} else {
		table = append(table, tile.LaidFaces{At: g.IntN(300) - 20, Faces: tile.FacesOf(s.Racks[s.Turn.Seat])})
	}
	return engine.Play{Seat: s.Turn.Seat, Turn: turn, Table: table}
}

func (g *table) realCommand() engine.Command {
	s := &g.state
	switch {
	case s.Phase == engine.PhaseDealt && s.Starter == engine.NoStarter:
		return engine.ChooseStarter{Seat: g.IntN(s.Seats)}
	case s.Phase == engine.PhaseDealt && g.chance(50):
		return engine.Ready{Seat: engine.Everybody, Turn: s.Turn.Number}
	case s.Phase == engine.PhaseDealt:
		return engine.Ready{Seat: g.IntN(s.Seats), Turn: s.Turn.Number}
	case s.Ending != "" || g.chance(1):
		return g.count()
	case !s.PoolEmpty && s.Turn.Number > 20 && g.chance(20):
		return engine.PoolEmptied{Seat: g.IntN(s.Seats)}
	}
	e := engine.EndTurn{Seat: s.Turn.Seat, Turn: s.Turn.Number, Opened: g.chance(20), Passed: s.PoolEmpty &&
		g.chance(70)}
	e.Opened, e.Out = e.Opened && !e.Passed, !e.Passed && s.Turn.Number > 12 && g.chance(8)
	return e
}

// count returns a count of the racks by faces or by sums.
func (g *table) count() engine.Command {
	why := g.state.Ending
	out := -1
	if why == ruleset.EndedEmptied {
		out = g.IntN(g.state.Seats)
	}
	if g.chance(40) {
		sums := make([]engine.SummedRack, g.state.Seats)
		for seat := range sums {
			if sums[seat] = (engine.SummedRack{Sum: 1 + g.IntN(90), Opened: true}); seat == out {
				sums[seat].Sum = 0
			}
		}
		c, _ := g.state.CountOf(why, sums)
		return c
	}
	c := engine.CountRacks{Why: why}
	pool := g.deal().Pool
	for seat := range g.state.Seats {
		n := 1 + g.IntN(20)
		if seat == out {
			n = 0
		}
		c.Racks = append(c.Racks, engine.CountedRack{Tiles: tile.FacesOf(pool[:n]), Opened: true,
			Able: g.chance(3)})
		pool = pool[n:]
	}
	return c
}

// results adds the revisions of the result of a game that has ended.
func (g *table) results() {
	s := &g.state
	if s.End == nil {
		return
	}
	r := newReplay(g.record)
	r.state = g.state
	first := export.Result{Rev: 1, Status: "provisional", Ending: s.End.Why, Actor: "engine", At: s.At,
		Lines: r.scored()}
	g.record.Results = append(g.record.Results, first)
	if g.chance(80) {
		first.Rev, first.Status, first.Actor, first.At = 2, "confirmed", "referee:Ann", s.At+60_000
		if g.chance(10) {
			first.Why = "counted <again>"
			first.Lines = slices.Clone(first.Lines)
			first.Lines[0].Points += score.Whole(1)
		}
		g.record.Results = append(g.record.Results, first)
	}
}
