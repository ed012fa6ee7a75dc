package engine

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"

	"meldhall/engine/ruleset"
	"meldhall/engine/score"
	"meldhall/engine/tile"
)

// failer holds the methods that *testing.T and *rapid.T share.
type failer interface {
	Helper()
	Fatalf(format string, args ...any)
}

// trial is one random game under the eight laws of doc.go.
type trial struct {
	failer
	choose chooser
	seen   map[string]int // counts of event kinds, endings, refusals and laws tested
	state  State
	folded State // the same game, replayed from decoded log lines
	log    []Event
	past   []keptState
}

// keptState is a state with its text when it was new. Both must still agree when the game is over.
type keptState struct {
	state State
	text  string
}

func (g *trial) saw(what string) { g.seen[what]++ }

// playGame plays one game of at most steps commands and checks it against the laws after each of them.
func playGame(t failer, c chooser, presets []ruleset.Ruleset, seen map[string]int, steps int) *trial {
	g := &trial{failer: t, choose: c, seen: seen}
	m := moods[c.pick(len(moods), "mood")]
	rules := randomRules(c, presets)
	first := DrawForStart
	seats := 2 + c.pick(3, "seats")
	if chance(c, 30, "rotate") {
		first = c.pick(seats, "first")
	}
	if chance(c, 10, "called early") {
		g.command(CallReferee{c.pick(seats, "seat")}, noon)
	}
	var extra []int
	if chance(c, 20, "more time") {
		extra = make([]int, seats)
		extra[c.pick(seats, "seat")] = c.pick(90, "seconds")
	}
	g.command(Start{Rules: rules, Seats: seats, First: first, Deal: randomDeal(c), Extra: extra}, noon)
	for i := 0; i < steps && !c.spent(); i++ {
		cmd, now := randomCommand(c, m, g.state)
		if g.state.Phase == PhaseOver && i%2 == 0 {
			g.command(wildCommand(c, g.state), now)
			g.command(CallReferee{c.pick(seats, "seat")}, now)
			break
		}
		if chance(c, m.officials/15, "rewind") {
			cmd = g.rewind()
		}
		g.command(cmd, now)
	}
	g.finish()
	return g
}

// rewind returns a ruling back to the start of a recent turn, or to one that does not exist.
func (g *trial) rewind() Command {
	to := Rewind{Grounds: Grounds{Reason: "a wrong tile", By: "Ben"},
		Turn: g.state.Turn.Number - g.choose.pick(6, "turns back") + 1}
	to.To = TurnStart(g.log, to.Turn)
	return to
}

// command sends one command to the game and checks laws 1, 3 and 7, then each event. After an expiry it sends the
// command again.
func (g *trial) command(c Command, now Millis) {
	g.Helper()
	s := g.state
	guarded, guard := roomy(s)
	text := g.text(s)
	disturbed := s.Seq%2 == 1
	events, err := Decide(&guarded, c, disturbed, now.time())
	if got := g.text(guarded); got != text || !guard.whole() {
		g.Fatalf("law 1: %T changed its state\nwas %s\nis  %s", c, text, got)
	}
	again, errAgain := Decide(&s, c, disturbed, now.time())
	if !reflect.DeepEqual(events, again) || fmt.Sprint(err) != fmt.Sprint(errAgain) {
		g.Fatalf("law 1: %T is decided in two ways: %v, %v and %v, %v", c, tellAll(events), err, tellAll(again),
			errAgain)
	}
	if (len(events) > 0) == (err != nil) {
		g.Fatalf("law 3: %T gave events %v and error %v", c, tellAll(events), err)
	}
	if err != nil {
		g.saw("refused " + err.(*Refusal).Code)
		return
	}
	g.expiryFirst(c, disturbed, now, events)
	for _, e := range events {
		g.event(e)
	}
	if _, expire := c.(Expire); ByClock(events) && !expire && g.state.Phase != PhaseOver {
		g.command(c, now) // asks again, as a player would
	}
}

// expiryFirst checks law 7 with its own reading of the clock. Start and Outage are exceptions: Start begins the game,
// and Outage says that the clock was not kept.
func (g *trial) expiryFirst(c Command, disturbed bool, now Millis, events []Event) {
	s := g.state
	deadline, kind := s.Turn.Due+Millis(s.Rules.GraceMillis), TurnExpired{}.Kind()
	if s.Phase == PhaseDealt {
		kind = PlayBegan{}.Kind()
	}
	if s.Phase == PhasePlaying && s.Press.Turn == s.Turn.Number && s.Press.At > s.Turn.Due-500 {
		deadline += 500 - max(0, s.Turn.Due-s.Press.At) // the key was held down that late
		g.saw("law 7: held key")
	}
	running := s.Turn.Due != 0 && (s.Phase == PhasePlaying || s.Phase == PhaseDealt)
	if s.Paused != nil {
		deadline, kind = s.Paused.ResumeAt, GameResumed{}.Kind()
		running = s.Paused.ResumeAt != 0 && s.Phase != PhaseOver
	}
	if _, outage := c.(Outage); !outage && running && max(now, s.At) > deadline {
		g.saw("law 7: late " + kind)
		if events[0].Kind() != kind || !ByClock(events) {
			g.Fatalf("law 7: %T at %d, after %d: %v", c, now, deadline, tellAll(events))
		}
		if e, ok := events[0].(TurnExpired); ok && e.Disturbed != disturbed {
			if play, ok := c.(Play); !ok || !e.Disturbed || tile.SameSets(s.Table, play.Table) {
				g.Fatalf("law 7: %T with the table disturbed %t: %v", c, disturbed, tellAll(events))
			}
		}
		for _, e := range events[1:] {
			if !slices.Contains([]string{PenaltyProposed{}.Kind(), PlayEnded{}.Kind(), GameEnded{}.Kind()}, e.Kind()) {
				g.Fatalf("law 7: %T does more than expire: %v", c, tellAll(events))
			}
		}
		return
	}
	if ByClock(events) || slices.ContainsFunc(events, func(e Event) bool { return e.Kind() == TurnExpired{}.Kind() }) {
		g.Fatalf("law 7: %T at %d, not after %d: %v", c, now, deadline, tellAll(events))
	}
}

// event applies one event and checks laws 1, 2, 4, 5, 6 and 8.
func (g *trial) event(e Event) {
	g.Helper()
	g.saw(e.Kind())
	before := g.state
	guarded, guard := roomy(before)
	after := Apply(guarded, e)
	if !guard.whole() || g.text(guarded) != g.text(before) {
		g.Fatalf("law 1: Apply of %s wrote into the state before it", e.Kind())
	}
	g.state = Apply(before, e)
	text := g.text(g.state)
	if g.text(after) != text {
		g.Fatalf("Apply of %s gives two states", e.Kind())
	}
	g.log = append(g.log, e)
	g.past = append(g.past, keptState{g.state, text})
	if g.state.Deal > 0 || g.state.Physical { // before that there are no tiles
		if err := Check(g.state); err != nil {
			g.Fatalf("law 2: after %s: %v", tell(e), err)
		}
	}
	if g.state.Deal > 0 {
		g.everyTileOnce()
	}
	if g.state.At < before.At || g.state.Turn.Number < before.Turn.Number || g.state.Seq != before.Seq+1 {
		g.Fatalf("after %s time, turn or sequence ran backwards", tell(e))
	}
	g.folded = Apply(g.folded, g.throughCodec(e))
	if got := g.text(g.folded); got != text {
		g.Fatalf("laws 4 and 5: after %s\nlive   %s\nreplay %s", e.Kind(), text, got)
	}
	g.sharedAsJSON()
	g.blind()
	if ended, ok := e.(GameEnded); ok {
		g.ended(ended)
	}
}

func (g *trial) throughCodec(e Event) Event {
	data, err := Encode(e)
	if err != nil {
		g.Fatalf("law 5: %v", err)
	}
	read, err := Decode(e.Kind(), EventVersion, data)
	if err != nil {
		g.Fatalf("law 5: %v", err)
	}
	again, err := Encode(read)
	if err != nil || !bytes.Equal(data, again) || reflect.TypeOf(read) != reflect.TypeOf(e) {
		g.Fatalf("law 5: %s reads back as %s, %v", data, again, err)
	}
	return read
}

// everyTileOnce checks law 6 without Check.
func (g *trial) everyTileOnce() {
	all := slices.Clone(g.state.Pool)
	for _, rack := range g.state.Racks {
		all = append(all, rack...)
	}
	for _, laid := range g.state.Table {
		all = append(all, laid.Tiles...)
	}
	slices.Sort(all)
	if !slices.Equal(all, tile.List(tile.All())) {
		g.Fatalf("law 6: the tiles are %v", all)
	}
}

func (g *trial) ended(e GameEnded) {
	g.saw("ended " + e.End.Why)
	g.saw("ended under " + g.state.Rules.Exhausted + " " + e.End.Why)
	r := g.state.Rules
	var sum, wins score.Twelfth
	for seat := range g.state.Seats {
		sum += e.End.Outcome.Points[seat]
		wins += e.End.Outcome.Wins[seat]
	}
	if wins != 12 {
		g.Fatalf("the wins of a game add up to %d twelfths", wins)
	}
	collects := r.WinnerScores == ruleset.Collects && (e.End.Why == ruleset.EndedEmptied ||
		r.ExhaustedWinner == ruleset.Collects)
	if r.Points == ruleset.PlusMinus && r.WinBonus == 0 && collects && sum != 0 {
		g.Fatalf("points add up to %d twelfths", sum)
	}
}

// blind checks law 8: for every viewer, it swaps two tiles that the viewer cannot see.
func (g *trial) blind() {
	s := g.state
	for _, viewer := range []int{Spectator, Referee, g.choose.pick(max(s.Seats, 1), "viewer")} {
		unseen := hidden(s, viewer)
		if len(unseen) < 2 {
			continue
		}
		a, b := unseen[g.choose.pick(len(unseen), "a")], unseen[g.choose.pick(len(unseen), "b")]
		was, is := g.view(s, viewer), g.view(swapped(s, viewer, a, b), viewer)
		if !bytes.Equal(was, is) {
			g.Fatalf("law 8: viewer %d sees that %v and %v changed places\nwas %s\nis  %s", viewer, a, b, was, is)
		}
		if a.Face() != b.Face() {
			g.saw("law 8: viewer " + strconv.Itoa(viewer))
		}
	}
}

func (g *trial) view(s State, viewer int) []byte {
	data, err := json.Marshal(ViewFor(&s, viewer))
	if err != nil {
		g.Fatalf("view of %d: %v", viewer, err)
	}
	return data
}

// hidden returns the tiles that a viewer cannot see: the pool, and all racks but the viewer's own. Tiles of the last
// play count as seen. When the game is over, the players and a referee see the racks.
func hidden(s State, viewer int) (tiles tile.List) {
	tiles = append(tiles, s.Pool...)
	for seat := range s.Seats {
		if seat != viewer && !(viewer != Spectator && s.Phase == PhaseOver) {
			tiles = append(tiles, s.Racks[seat]...)
		}
	}
	return slices.DeleteFunc(tiles, func(t tile.Tile) bool { return slices.Contains(s.Actions.Last().Played, t) })
}

// swapped returns the state with two tiles exchanged, and with the flags inverted that describe other racks.
func swapped(s State, viewer int, a, b tile.Tile) State {
	s, _ = roomy(s)
	lists := append([]tile.List{s.Pool, s.Actions.Last().Drawn}, s.Racks[:]...)
	if s.End != nil {
		lists = append(lists, s.End.Racks...)
	}
	for _, r := range s.Rulings.All {
		lists = append(lists, r.Drawn)
	}
	for _, list := range lists {
		for i, t := range list {
			switch t {
			case a:
				list[i] = b
			case b:
				list[i] = a
			}
		}
	}
	s.Turn.Able = !s.Turn.Able
	for seat := range s.Seats {
		s.Able[seat] = !s.Able[seat]
		if seat != viewer {
			s.Doubles[seat] = !s.Doubles[seat]
		}
	}
	return s
}

// finish checks that no earlier state was changed later, and law 4 for a random prefix and the whole log.
func (g *trial) finish() {
	if len(g.log) == 0 {
		g.Fatalf("the game did not start")
	}
	for i, kept := range g.past {
		if g.text(kept.state) != kept.text {
			g.Fatalf("law 1: the state after event %d was written to later", i+1)
		}
	}
	n := 1 + g.choose.pick(len(g.log), "prefix")
	for _, n := range []int{n, len(g.log)} {
		if got := g.text(Replay(g.log[:n])); got != g.past[n-1].text {
			g.Fatalf("law 4: replay of %d events\n%s\nlive\n%s", n, got, g.past[n-1].text)
		}
	}
	if err := SecondReferee(g.log); err != nil {
		g.Fatalf("the second referee: %v", err)
	}
	g.saw("games")
}

// text returns everything in a state as JSON. It treats nil and empty lists alike.
func (g *trial) text(s State) string {
	data, err := json.Marshal(s)
	if err != nil {
		g.Fatalf("state: %v", err)
	}
	return string(data)
}

// slack is the spare capacity behind the slices of a copied state. Code that appends to a slice of a State without
// copying it writes there.
type slack []tile.List

const sentinel tile.Tile = 255

func (sl slack) whole() bool {
	for _, list := range sl {
		if slices.ContainsFunc(list, func(t tile.Tile) bool { return t != sentinel }) {
			return false
		}
	}
	return true
}

// roomy copies a state deeply, with spare capacity behind every list of tiles.
func roomy(s State) (State, slack) {
	var room slack
	list := func(l tile.List) tile.List {
		if l == nil {
			return nil
		}
		c := make(tile.List, len(l)+8)
		copy(c, l)
		for i := len(l); i < len(c); i++ {
			c[i] = sentinel
		}
		room = append(room, c[len(l):])
		return c[:len(l)]
	}
	s.Draws, s.Book = slices.Clone(s.Draws), slices.Clone(s.Book)
	s.Order, s.Pool = list(s.Order), list(s.Pool)
	for seat := range s.Racks {
		s.Racks[seat] = list(s.Racks[seat])
	}
	s.Table = append(make(tile.Table, 0, len(s.Table)+4), s.Table...)
	for i := range s.Table {
		s.Table[i].Tiles = list(s.Table[i].Tiles)
	}
	if s.Actions.Newest != nil {
		last := s.Actions.Last()
		last.Played, last.Drawn = list(last.Played), list(last.Drawn)
		s.Actions.Newest = s.Actions.Newest.before.then(last)
	}
	s.Rulings.All, s.Rulings.Proposed = longer(s.Rulings.All), longer(s.Rulings.Proposed)
	for i := range s.Rulings.All {
		s.Rulings.All[i].Drawn = list(s.Rulings.All[i].Drawn)
	}
	if s.Paused != nil {
		pause := *s.Paused
		s.Paused = &pause
	}
	if s.End != nil {
		end := *s.End
		end.Racks = slices.Clone(end.Racks)
		for i := range end.Racks {
			end.Racks[i] = list(end.Racks[i])
		}
		s.End = &end
	}
	return s, room
}
