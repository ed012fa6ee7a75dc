package signing

import (
	"fmt"
	"slices"

	"meldhall/engine"
)

// Run is a longest sequence of signed commands of one seat with the same key, as the record of a game holds it.
type Run struct {
	Seat      int         `json:"seat" doc:"from 0"`
	Key       string      `json:"key" doc:"Ed25519 public key, 32 bytes"`
	From      int         `json:"from" doc:"seq of the first signed event"`
	To        int         `json:"to" doc:"seq of the last signed event"`
	Unsigned  []int       `json:"unsigned,omitempty" doc:"seqs of the seat's unsigned commands in between"`
	Behind    map[int]int `json:"behind,omitempty" doc:"by seq: how many events before it the device had not seen"`
	Signature string      `json:"signature" doc:"of the last statement, 64 bytes"`
}

// Event is an event of a game's log, with its actor and its hash. Signed is how its command was signed, as the database
// of the event's server keeps it.
type Event struct {
	Event  engine.Event
	Actor  string
	Chain  string
	Signed Signed
}

// Game is the log of a game, beginning with seq 1. Players holds the players' IDs by seat.
type Game struct {
	ID      int64
	Players []int64
	Log     []Event
}

// own returns the seat of a player's own command that an event came from.
func (g Game) own(e Event) (seat int, ok bool) {
	_, seat, ok = Content(e.Event, 0)
	return seat, ok && seat >= 0 && seat < len(g.Players) && e.Actor == fmt.Sprint("player:", g.Players[seat])
}

// Runs returns the runs of signed commands, in order of their first event.
func (g Game) Runs() (runs []Run) {
	last := map[int]int{} // by seat: the index of its run
	skipped := map[int][]int{}
	for i, e := range g.Log {
		seat, ok := g.own(e)
		if !ok {
			continue
		}
		at, begun := last[seat]
		switch {
		case e.Signed.Key == "":
			skipped[seat] = append(skipped[seat], i+1)
			continue
		case !begun || runs[at].Key != e.Signed.Key:
			at = len(runs)
			last[seat] = at
			runs = append(runs, Run{Seat: seat, Key: e.Signed.Key, From: i + 1})
		default:
			runs[at].Unsigned = append(runs[at].Unsigned, skipped[seat]...)
		}
		skipped[seat] = nil
		runs[at].To, runs[at].Signature = i+1, e.Signed.Signature
		if behind := i - e.Signed.Seen; behind > 0 {
			if runs[at].Behind == nil {
				runs[at].Behind = map[int]int{}
			}
			runs[at].Behind[i+1] = behind
		}
	}
	return runs
}

// Fault is a run whose signature does not hold. The log may have been changed from the seq and the turn From on.
type Fault struct {
	Run      Run
	From     int
	FromTurn int
	ToTurn   int // of the run's last command
	Why      string
}

// Error returns the fault in English.
func (f Fault) Error() string {
	return fmt.Sprintf("turns %d to %d, seq %d to %d: the signature of seat %d, which covers its commands up to "+
		"there, does not hold: %s", f.FromTurn, f.ToTurn, f.From, f.Run.To, f.Run.Seat+1, f.Why)
}

// position is what a command depends on besides the log itself: by seq, the number of the turn before the event, and
// the salt of the deal after it.
type position struct {
	turns []int
	salts []string
}

// positions stops at an event that the engine cannot follow.
func (g Game) positions() (p position) {
	var s engine.State
	p.turns, p.salts = make([]int, len(g.Log)+1), make([]string, len(g.Log)+1)
	defer func() { _ = recover() }()
	for i, e := range g.Log {
		p.turns[i+1] = s.Turn.Number
		s = engine.Apply(s, e.Event)
		p.salts[i+1] = s.Salt
	}
	return p
}

// Check returns the signed commands of the runs by seq, each with its statement but only the last of a run with its
// signature. The error is a Fault that names the first run that does not hold. The engine must have accepted the log.
func (g Game) Check(runs []Run) (signed map[int]Signed, err error) {
	signed = map[int]Signed{}
	at := g.positions()
	proven := 0
	var fault *Fault
	for _, run := range runs {
		seen, why := g.follow(run, at, signed)
		switch {
		case why == "":
			proven = max(proven, seen)
		case fault == nil:
			fault = &Fault{Run: run, Why: why}
		}
	}
	if fault != nil {
		to := min(max(fault.Run.To, 1), len(g.Log))
		fault.From = min(proven+1, to)
		fault.FromTurn, fault.ToTurn = at.turns[fault.From], at.turns[to]
		return nil, *fault
	}
	return signed, nil
}

// follow computes the statements of a run. It returns the seq that the device had seen before its last command, or why
// the run does not hold.
func (g Game) follow(run Run, at position, signed map[int]Signed) (seen int, why string) {
	if run.Seat < 0 || run.Seat >= len(g.Players) || run.From < 1 || run.To > len(g.Log) || run.From > run.To {
		return 0, "there are no such events"
	}
	last := Signed{Key: run.Key, Signature: "-"}
	for seq := run.From; seq <= run.To; seq++ {
		e := g.Log[seq-1]
		seat, own := g.own(e)
		if !own || seat != run.Seat || slices.Contains(run.Unsigned, seq) {
			continue
		}
		if signed[seq].Key != "" {
			return 0, fmt.Sprintf("seq %d is in two runs", seq)
		}
		if last.Seen = seq - 1 - run.Behind[seq]; last.Seen < 0 || last.Seen >= seq {
			return 0, fmt.Sprintf("seq %d cannot be behind by %d", seq, run.Behind[seq])
		}
		chain := ""
		if last.Seen > 0 {
			chain = g.Log[last.Seen-1].Chain
		}
		content, _, _ := Content(e.Event, at.turns[seq])
		last.Statement = Statement(last.Statement, g.ID, run.Seat, last.Seen,
			History(at.salts[last.Seen], chain), content)
		signed[seq] = last
	}
	if signed[run.From].Key == "" || signed[run.To].Key == "" {
		return 0, "its first or last event is not a command of this seat"
	}
	if last.Signature = run.Signature; !last.Holds() {
		return 0, "the log is not the one that was signed"
	}
	signed[run.To] = last
	return last.Seen, ""
}

// Command is a command of a player's own device. Key is that of the run that holds it; it is empty for a command that
// is not signed.
type Command struct {
	Seq, Seat, Turn int
	Key             string
}

// Commands returns all commands of the players' own devices, in order. In a log that the engine refuses, turns may be missing.
func (g Game) Commands(runs []Run) (all []Command) {
	at := g.positions()
	for i, e := range g.Log {
		seat, ok := g.own(e)
		if !ok {
			continue
		}
		c := Command{Seq: i + 1, Seat: seat, Turn: at.turns[i+1]}
		for _, run := range runs {
			if run.Seat == seat && run.From <= c.Seq && c.Seq <= run.To && !slices.Contains(run.Unsigned, c.Seq) {
				c.Key = run.Key
			}
		}
		all = append(all, c)
	}
	return all
}
