package record

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"meldhall/engine"
	"meldhall/engine/tile"
	"meldhall/tournament/game"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
)

// TurnCard collects everything about one turn for an official who rules on it. Number counts the game's turns from 1 in
// the order in which they began, including turns that a ruling undid later. Of is the number of turns, including the
// current one.
type TurnCard struct {
	Ref        game.Ref
	Number, Of int
	Seat       int
	Running    bool
	Started    engine.Millis
	Ended      engine.Millis // 0 while the turn runs
	Before     engine.State  // at the start of the turn
	After      engine.State  // at the end of the turn, or now
	Moments    []Moment      // in chronological order
	Gaps       []DeviceGap   // gaps of the seat's device that overlap the turn
	Earlier    []game.EarlierRuling
	Calls      []game.Entry // all calls of the game and how they were settled
	Now        engine.Millis
}

// A Moment is something that happened in a turn: an event of the log or a piece of evidence.
type Moment struct {
	At      engine.Millis
	Left    engine.Millis // until the deadline at that time; negative after it; only if Timed
	Timed   bool          // the turn has a time limit
	Kind    string        // kind of the event or evidence
	Seat    int
	Event   engine.Event // nil for evidence
	By      string       // who gave the command, as in the log; empty for evidence
	Table   []tile.LaidFaces
	Tried   *game.Submission // a submission that was refused or too late
	Battery *game.Battery
}

// A DeviceGap is a period without any sign of a device. Until is 0 while it lasts.
type DeviceGap struct {
	Since engine.Millis `json:"since"`
	Until engine.Millis `json:"until,omitempty"`
}

// A turnSpan is a turn within a log. Its entries lead to the end of the turn; unless it is running, the last entry
// ended it.
type turnSpan struct {
	states  []engine.State // before each entry, and after the last one
	entries []game.Entry
	running bool
}

func (s turnSpan) before() engine.State { return s.states[0] }

func (s turnSpan) after() engine.State { return s.states[len(s.states)-1] }

func (s turnSpan) ended() engine.Millis {
	if s.running {
		return 0
	}
	return s.entries[len(s.entries)-1].Event.When()
}

// tableAt returns the table when the log first gave the turn this number.
func (s turnSpan) tableAt(turn int) tile.Table {
	for _, state := range s.states {
		if state.Turn.Number >= turn {
			return state.Table
		}
	}
	return s.before().Table
}

// numbered reports whether the turn had this number in the log. A turn gets a new number when an official rules on its
// table.
func (s turnSpan) numbered(turn int) bool {
	last := s.after()
	if !s.running {
		last = s.states[len(s.states)-2]
	}
	return turn >= s.before().Turn.Number && turn <= last.Turn.Number
}

// turnSpans splits a log into its turns. A turn lasts as long as its seat and its start stay the same.
func turnSpans(entries []game.Entry) []turnSpan {
	var spans []turnSpan
	var s engine.State
	var open *turnSpan
	for _, e := range entries {
		before := s
		s = engine.Apply(s, e.Event)
		if _, over := e.Event.(engine.GameEnded); over && open != nil && len(open.entries) == 0 {
			open = nil // the turn's end ended the game: no new turn began
			continue
		}
		if open != nil {
			open.entries, open.states = append(open.entries, e), append(open.states, s)
			if sameTurn(before, s) {
				continue
			}
			spans, open = append(spans, *open), nil
		}
		if s.Phase == engine.PhasePlaying {
			open = &turnSpan{states: []engine.State{s}}
		}
	}
	if open != nil {
		open.running = true
		spans = append(spans, *open)
	}
	return spans
}

func sameTurn(a, b engine.State) bool {
	return a.Phase == b.Phase && a.Turn.Seat == b.Turn.Seat && a.Turn.Started == b.Turn.Started
}

// TurnCard returns everything about a turn, for officials. Number 0 is the turn of the last referee call that is still
// open; without one, it is the current turn or the last one. TurnCard returns NotFound for a turn that has not begun.
func (g *Reader) TurnCard(ctx context.Context, actor rights.Actor, id int64, number int) (TurnCard, error) {
	kept, err := g.Games.Notes.Of(ctx, actor, id)
	if err != nil {
		return TurnCard{}, err
	}
	snap, err := g.Games.Look(ctx, id)
	if err != nil {
		return TurnCard{}, err
	}
	entries, err := g.Games.Log.Tail(ctx, id, 0)
	if err != nil {
		return TurnCard{}, err
	}
	spans := turnSpans(entries)
	if number == 0 {
		number = calledIn(spans)
	}
	if number < 1 || number > len(spans) {
		return TurnCard{}, refuse.NotFound("err_turn_not_found", "turn", number, "game", id)
	}
	span := spans[number-1]
	c := TurnCard{Ref: snap.Ref, Number: number, Of: len(spans), Seat: span.before().Turn.Seat, Running: span.running,
		Started: span.before().Turn.Started, Ended: span.ended(), Before: span.before(), After: span.after(),
		Now: engine.MillisOf(g.Games.DB.Now())}
	if err := c.tell(span, kept); err != nil {
		return TurnCard{}, fmt.Errorf("turn %d of game %d: %w", number, id, err)
	}
	for _, e := range entries {
		switch e.Event.(type) {
		case engine.RefereeCalled, engine.CallWithdrawn, engine.CallAcknowledged, engine.CallAnswered:
			c.Calls = append(c.Calls, e)
		}
	}
	c.Earlier, err = game.RulingsOn(ctx, g.Games.DB, snap.Ref, c.Seat, c.Started)
	return c, err
}

// calledIn returns the number of the turn that TurnCard returns for number 0, or 0 if there are no turns.
func calledIn(spans []turnSpan) int {
	if len(spans) == 0 {
		return 0
	}
	called := 0
	last := spans[len(spans)-1].after()
	for i, span := range spans {
		for _, e := range span.entries {
			if call, ok := e.Event.(engine.RefereeCalled); ok && last.Calls[call.Seat].Open() {
				called = i + 1
			}
		}
	}
	return cmp.Or(called, len(spans))
}

// tell fills in the card's moments and gaps from the turn and the evidence.
func (c *TurnCard) tell(span turnSpan, kept []game.Evidence) error {
	for i, e := range span.entries {
		m := Moment{At: e.Event.When(), Kind: e.Event.Kind(), Seat: c.Seat, Event: e.Event, By: e.Actor}
		m.Left, m.Timed = left(span.states[i], m.At)
		if !tile.SameSets(span.states[i].Table, span.states[i+1].Table.Laid()) {
			m.Table = span.states[i+1].Table.Laid()
		}
		c.Moments = append(c.Moments, m)
	}
	var drawn []tile.LaidFaces
	turn := -1
	for _, e := range kept {
		if !c.holds(span, e) {
			continue
		}
		if e.Kind == game.EvidenceDraft && e.Turn != turn { // a ruling on the table starts a new draft
			turn, drawn = e.Turn, span.tableAt(e.Turn).Laid()
		}
		m := Moment{At: e.At, Kind: e.Kind, Seat: e.Seat}
		m.Left, m.Timed = left(span.at(e.At), e.At)
		if err := m.read(e, &drawn); err != nil {
			return err
		}
		c.Moments = append(c.Moments, m)
	}
	slices.SortStableFunc(c.Moments, func(a, b Moment) int { return cmp.Compare(a.At, b.At) })
	c.Gaps = gapsOf(kept, c.Seat, c.Started, cmp.Or(c.Ended, c.Now))
	return nil
}

// holds reports whether a piece of evidence belongs on the card. Evidence about tiles is matched by turn number,
// evidence about the device by time.
func (c *TurnCard) holds(span turnSpan, e game.Evidence) bool {
	switch e.Kind {
	case game.EvidenceDraft, game.EvidenceLost:
		return span.numbered(e.Turn) && e.At >= c.Started && (c.Ended == 0 || e.At <= c.Ended)
	case game.EvidenceRefused, game.EvidenceLate:
		return span.numbered(e.Turn) && e.Seat == c.Seat && e.At >= c.Started
	case game.EvidenceOpened, game.EvidenceTaken, game.EvidenceJoined, game.EvidenceBattery:
		return e.Seat == c.Seat && e.At >= c.Started && (c.Ended == 0 || e.At <= c.Ended)
	}
	return false
}

// read fills in the data of a piece of evidence. drawn is the current draft, which read updates when tiles were moved.
func (m *Moment) read(e game.Evidence, drawn *[]tile.LaidFaces) (err error) {
	switch e.Kind {
	case game.EvidenceDraft:
		var change game.DraftChange
		if err := json.Unmarshal([]byte(e.Data), &change); err != nil {
			return err
		}
		*drawn, err = change.Apply(*drawn)
		m.Table = *drawn
	case game.EvidenceRefused, game.EvidenceLate:
		m.Tried = &game.Submission{}
		if err := json.Unmarshal([]byte(e.Data), m.Tried); err != nil {
			return err
		}
		if m.Tried.Table != "" {
			m.Table, err = game.ParseTable(m.Tried.Table)
		}
	case game.EvidenceBattery:
		m.Battery = &game.Battery{}
		err = json.Unmarshal([]byte(e.Data), m.Battery)
	}
	return err
}

// at returns the turn's state at a moment.
func (s turnSpan) at(when engine.Millis) engine.State {
	now := s.states[0]
	for i, e := range s.entries {
		if e.Event.When() > when || !s.running && i == len(s.entries)-1 {
			break
		}
		now = s.states[i+1]
	}
	return now
}

// left returns the time left in the turn at the time at, or false if the turn has no time limit.
func left(s engine.State, at engine.Millis) (engine.Millis, bool) {
	switch {
	case s.Turn.Due == 0:
		return 0, false
	case s.Paused != nil:
		return s.Paused.Left, true
	}
	return s.Turn.Due - at, true
}

// gapsOf returns the gaps of a seat's device that overlap a period, earliest first.
func gapsOf(kept []game.Evidence, seat int, from, to engine.Millis) []DeviceGap {
	bySince := map[engine.Millis]engine.Millis{}
	for _, e := range kept {
		var gap game.Gap
		if e.Seat != seat || e.Kind != game.EvidenceOffline && e.Kind != game.EvidenceBack ||
			json.Unmarshal([]byte(e.Data), &gap) != nil {
			continue
		}
		if until, ok := bySince[gap.Since]; !ok || until == 0 {
			bySince[gap.Since] = 0
			if e.Kind == game.EvidenceBack {
				bySince[gap.Since] = e.At
			}
		}
	}
	var gaps []DeviceGap
	for since, until := range bySince {
		if since < to && (until == 0 || until > from) {
			gaps = append(gaps, DeviceGap{since, until})
		}
	}
	slices.SortFunc(gaps, func(a, b DeviceGap) int { return cmp.Compare(a.Since, b.Since) })
	return gaps
}

// TurnsOf returns for every entry of a log the number of its turn (0 for none), whether the entry ended that turn, and
// when the turn began.
func TurnsOf(entries []game.Entry) (turns []int, ends []bool, started []engine.Millis) {
	turns, ends, started = make([]int, len(entries)), make([]bool, len(entries)), make([]engine.Millis, len(entries))
	bySeq := map[int]int{}
	for i, e := range entries {
		bySeq[e.Seq] = i
	}
	for n, span := range turnSpans(entries) {
		for j, e := range span.entries {
			i := bySeq[e.Seq]
			turns[i], started[i] = n+1, span.before().Turn.Started
			ends[i] = !span.running && j == len(span.entries)-1
		}
	}
	return turns, ends, started
}
