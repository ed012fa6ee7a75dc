package textrecord

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"meldhall/engine"
	"meldhall/engine/exact"
	"meldhall/engine/ruleset"
	"meldhall/tournament/export"
)

// replay is the game up to a line. Reader and writer follow the same replay, so the writer sees what a line means.
type replay struct {
	players  []int64
	rules    ruleset.Ruleset
	state    engine.State
	starts   map[int]engine.State // by turn: the state at its start
	at       engine.Millis        // time of the last event
	seq      int
	unknown  bool // a full form led to a position that no rule describes
	lost     bool // a full form could not be followed
	official string
	device   string // of a table with real tiles
}

func newReplay(g export.Game) *replay {
	return &replay{players: g.Players, rules: g.Rules, starts: map[int]engine.State{}, official: "referee:referee",
		device: "table:" + strconv.Itoa(g.Table)}
}

// group is the events of one line.
type group struct {
	rows    []export.Event
	events  []engine.Event // nil for data that is no event
	derived bool           // by the rules alone, so that the position stays known
	by      who
}

// move is what a line says happened.
type move struct {
	at        engine.Millis
	kind      string // of the first event
	by        who
	seat      int // of a player's actor
	command   engine.Command
	disturbed bool
	amend     func([]engine.Event) *Error
	start     word
}

// read returns the events of a statement. It does not change r.
func (r *replay) read(st statement) (group, error) {
	c := &cursor{words: st.words, end: st.end}
	if c.take("!") {
		return r.full(c)
	}
	notes := cutNotes(c)
	turns := r.prefix(c)
	m := move{at: c.time(r.at), start: c.peek()}
	name := c.next()
	act, known := acts[name.text]
	switch {
	case c.err != nil:
	case !known:
		c.expected(name, "what happened, such as draw")
	case act.turn != turns && act.turn:
		c.expected(st.words[0], fmt.Sprintf("the turn and its seat, such as 12. S1, before %s", name.text))
	case act.turn != turns:
		c.expected(st.words[0], fmt.Sprintf("- before %s", name.text))
	case r.lost || r.unknown:
		c.fail(name.fault("expected a full form: the position is unknown since the last one"))
	}
	if c.err == nil {
		m.kind, m.by = act.kind, act.by
		act.read(r, c, &m)
		c.done()
	}
	if c.err != nil {
		return group{}, c.err
	}
	g, err := r.derive(m, notes)
	if err != nil {
		return group{}, err
	}
	return g, nil
}

// prefix reads the dash, or the number and the seat of the turn. It reports which it was.
func (r *replay) prefix(c *cursor) (turn bool) {
	w := c.next()
	if w.text == "-" {
		return false
	}
	text, dot := strings.CutSuffix(w.text, ".")
	n, ok := numberIn(text)
	if !dot || !ok {
		c.expected(w, "a turn such as 12., a tag, - or !")
		return false
	}
	at := c.peek()
	seat := c.seat()
	switch {
	case c.err != nil || r.lost || r.unknown:
	case n != r.state.Turn.Number:
		c.fail(w.fault("this is turn %d, not %d", r.state.Turn.Number, n))
	case seat != r.state.Turn.Seat:
		c.fail(at.fault("turn %d is of %s, not of %s", n, seatText(r.state.Turn.Seat), at.text))
	}
	return true
}

// notes are the annotations at the end of a line.
type notes struct {
	actor   *word
	salts   []word
	patches []word
}

var saltForm = regexp.MustCompile(`^#[A-Za-z0-9=,+/_-]+$`)

// cutNotes cuts the annotations off the end of a line.
func cutNotes(c *cursor) (n notes) {
	i := len(c.words)
	for i > 0 && strings.IndexByte("@#{", c.words[i-1].text[0]) >= 0 {
		i--
	}
	for _, w := range c.words[i:] {
		switch {
		case w.text[0] == '{':
			n.patches = append(n.patches, w)
		case len(n.patches) > 0:
			c.expected(w, "members in {} only")
		case w.text[0] == '#' && saltForm.MatchString(w.text):
			n.salts = append(n.salts, w)
		case w.text[0] == '@' && n.actor == nil && len(n.salts) == 0:
			n.actor = &w
		default:
			c.expected(w, "one @actor, then #salts, then members in {}")
		}
	}
	if c.words = c.words[:i]; i < len(c.words) {
		c.end = c.words[i]
	}
	return n
}

// derive returns the events that a move causes by the rules, with its annotations.
func (r *replay) derive(m move, n notes) (g group, err *Error) {
	if m.at < r.state.At {
		return g, m.start.fault("the time is before that of the event before")
	}
	events, decideErr := r.decide(m)
	if decideErr != nil {
		return g, m.start.fault("%s cannot happen here: %v", shortened(m.start.text), decideErr)
	}
	if have := events[0].Kind(); have != m.kind {
		return g, m.start.fault("%s cannot happen here: the rules give %s", shortened(m.start.text), have)
	}
	if m.amend != nil {
		if err := m.amend(events); err != nil {
			return g, err
		}
	}
	actor, err := r.actor(&m, n)
	if err != nil {
		return g, err
	}
	g = group{events: events, derived: len(n.patches) == 0, by: m.by}
	if len(n.patches) > len(events) {
		return g, n.patches[len(events)].fault("expected members of %d events only", len(events))
	}
	for i, e := range events {
		data, encodeErr := engine.Encode(e)
		if encodeErr == nil && i < len(n.patches) {
			g.events[i], data, encodeErr = patched(e, data, n.patches[i].text)
		}
		if encodeErr != nil {
			return g, m.start.fault("%v", encodeErr)
		}
		g.rows = append(g.rows, export.Event{Seq: r.seq + 1 + i, Kind: e.Kind(), Version: engine.EventVersion,
			At: g.events[i].When(), Actor: actor, Data: data})
	}
	return g, g.salted(n.salts)
}

// decide returns the events of a move. A position from a full form may be one that the rules exclude, in which the
// engine panics.
func (r *replay) decide(m move) (events []engine.Event, err error) {
	defer func() {
		if recover() != nil {
			err = errors.New("the rules exclude this position")
		}
	}()
	return engine.Decide(&r.state, m.command, m.disturbed, time.UnixMilli(int64(m.at)))
}

// salted gives the salts to the events that have a reason.
func (g *group) salted(salts []word) *Error {
	given := 0
	for i := range g.rows {
		if given < len(salts) && hasReason(g.rows[i].Data) {
			g.rows[i].Salt = salts[given].text[1:]
			given++
		}
	}
	if given < len(salts) {
		return salts[given].fault("expected at most %d salts: a salt is for an event with a reason", given)
	}
	return nil
}

// hasReason reports whether the data of an event has a reason, which is salted even if it is empty.
func hasReason(data []byte) bool {
	if !bytes.Contains(data, []byte(`"reason":"`)) {
		return false
	}
	var said struct{ Reason *string }
	return json.Unmarshal(data, &said) == nil && said.Reason != nil
}

// patched returns an event with members of its data replaced.
func patched(e engine.Event, data []byte, patch string) (engine.Event, []byte, error) {
	var members, changes map[string]json.RawMessage
	if err := json.Unmarshal(data, &members); err != nil {
		return nil, nil, err
	}
	if err := json.Unmarshal([]byte(patch), &changes); err != nil {
		return nil, nil, fmt.Errorf("members: %w", err)
	}
	for name, value := range changes {
		members[name] = value
	}
	e, err := engine.Decode(e.Kind(), engine.EventVersion, marshal(members))
	if err != nil {
		return nil, nil, err
	}
	data, err = engine.Encode(e)
	return e, data, err
}

// full reads an event in full form.
func (r *replay) full(c *cursor) (g group, err error) {
	w := c.next()
	var row export.Event
	if c.done(); c.err != nil {
		return g, c.err
	}
	if err := exact.Unmarshal([]byte(w.text), &row); err != nil {
		return g, w.fault("expected an event as in the JSON record: %v", err)
	}
	if row.Data == nil {
		return g, w.fault("expected an event with its data")
	}
	e, decodeErr := engine.Decode(row.Kind, row.Version, row.Data)
	if decodeErr != nil {
		e = nil
	}
	return group{rows: []export.Event{row}, events: []engine.Event{e}}, nil
}

// accept follows the events of a line.
func (r *replay) accept(g group) {
	for i, e := range g.events {
		if g.derived {
			r.state.Follow(e)
		} else {
			r.lost = r.lost || e == nil || !r.follow(e)
			r.unknown = !sound(&r.state)
		}
		r.seq, r.at = g.rows[i].Seq, g.rows[i].At
	}
	switch g.by {
	case byOfficial:
		r.official = g.rows[0].Actor
	case byDevice:
		r.device = g.rows[0].Actor
	}
	if r.lost || r.unknown || r.state.Phase != engine.PhasePlaying {
		return
	}
	if _, met := r.starts[r.state.Turn.Number]; !met {
		r.starts[r.state.Turn.Number] = r.state
	}
}

// follow applies an event that the rules did not give. It reports whether the engine can follow it.
func (r *replay) follow(e engine.Event) (ok bool) {
	if back, is := e.(engine.Rewound); is && back.Had == nil { // edition 0: the engine steps through the seats
		t := back.Turn
		if t.Seat < 0 || t.Seat >= r.state.Seats || r.state.Out[t.Seat] || max(t.Left, t.Passes) > 1000 {
			return false
		}
	}
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	s := r.state
	s.Follow(e)
	r.state = s
	return true
}

// sound reports whether the rules can go on from a position that a full form led to.
func sound(s *engine.State) bool {
	if s.Phase == engine.PhaseNew {
		return true
	}
	if s.Rules.Validate() != nil || s.Deal == 0 && !s.Physical || engine.Check(*s) != nil {
		return false
	}
	return slices.Contains(s.Out[:s.Seats], false)
}
