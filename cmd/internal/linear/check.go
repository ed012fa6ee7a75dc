package linear

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/anishathalye/porcupine"
)

// Figures counts the games and the calls that were checked, and the calls by outcome.
type Figures struct {
	Games, Calls                  int
	Done, Again, Refused, Unknown int
	Races                         int // two devices of one player sent a move in the same turn
}

// Add adds the counts of another check.
func (f *Figures) Add(more Figures) {
	f.Games += more.Games
	f.Calls += more.Calls
	f.Done += more.Done
	f.Again += more.Again
	f.Refused += more.Refused
	f.Unknown += more.Unknown
	f.Races += more.Races
}

// String returns the counts as text.
func (f Figures) String() string {
	return fmt.Sprintf("%d games, %d calls: %d done, %d repeated, %d refused, %d without a response; %d races",
		f.Games, f.Calls, f.Done, f.Again, f.Refused, f.Unknown, f.Races)
}

// checkMost limits the search for an order of one game's calls. It usually takes milliseconds.
const checkMost = 30 * time.Second

// Check verifies, game by game, that there is an order of the calls in which a single log would give all their answers.
// It returns an error that lists the games without such an order.
func (r *Recorder) Check() (f Figures, err error) {
	r.twins.Wait()
	r.mu.Lock()
	defer r.mu.Unlock()
	games := map[int64][]call{}
	for _, c := range r.calls {
		games[c.game] = append(games[c.game], c)
		f.Calls++
		switch {
		case c.answer == unknown:
			f.Unknown++
		case c.answer == refused:
			f.Refused++
		case c.again:
			f.Again++
		default:
			f.Done++
		}
	}
	f.Games, f.Races = len(games), r.races
	var faults []error
	for _, game := range slices.Sorted(maps.Keys(games)) {
		if err := check(games[game]); err != nil {
			faults = append(faults, fmt.Errorf("game %d: %w", game, err))
		}
	}
	return f, errors.Join(faults...)
}

// check returns an error unless it finds an order of one game's calls that explains all their answers.
func check(calls []call) error {
	calls = settled(calls)
	operations := make([]porcupine.Operation, len(calls))
	for i, c := range calls {
		operations[i] = porcupine.Operation{ClientId: i, Input: c, Output: c, Call: int64(c.called),
			Return: int64(c.end)}
	}
	result, info := porcupine.CheckOperationsVerbose(theLog, operations, checkMost)
	switch result {
	case porcupine.Ok:
		return nil
	case porcupine.Unknown:
		return fmt.Errorf("the search for an order of %d calls did not finish within %v", len(calls), checkMost)
	}
	fits := 0 // length of the longest partial order
	placed := map[int]bool{}
	for _, partition := range info.PartialLinearizations() {
		for _, order := range partition {
			if len(order) > fits {
				fits = len(order)
				clear(placed)
				for _, i := range order {
					placed[i] = true
				}
			}
		}
	}
	slices.SortStableFunc(calls, func(a, b call) int { return cmp.Compare(a.called, b.called) })
	text := fmt.Sprintf("no order of %d calls explains their responses, only of %d of them; all of them:",
		len(calls), fits)
	for _, c := range calls {
		text += "\n\t" + c.String()
	}
	return errors.New(text)
}

// settled drops the calls without an answer. If the same command was later reported as already done, a lost call must
// have done it by then, and settled adds that call. Otherwise a lost call does not matter: its effect is just another
// event that the model does not cover.
func settled(calls []call) (all []call) {
	type fate struct {
		fresh, lost bool
		since, by   time.Duration // first lost call; first report that it was done
		as          call
	}
	keys := map[string]*fate{}
	for _, c := range calls {
		f := keys[c.key]
		if f == nil {
			f = &fate{}
			keys[c.key] = f
		}
		switch {
		case c.answer == unknown:
			if !f.lost || c.called < f.since {
				f.lost, f.since = true, c.called
			}
			continue
		case c.answer == done && !c.again:
			f.fresh = true
		case c.answer == done:
			if f.by == 0 || c.end < f.by {
				f.by, f.as = c.end, c
			}
		}
		all = append(all, c)
	}
	for _, f := range keys {
		if f.lost && !f.fresh && f.by != 0 {
			c := f.as
			c.again, c.called, c.end = false, f.since, f.by
			all = append(all, c)
		}
	}
	return all
}

// log is the model's state of a game's log: the version if it is known, the lowest turn that can still be played, and
// the call that was done for each key.
type log struct {
	version, turn int
	keys          map[string]call
}

// theLog is the model of a single log. Events that the recorder did not see, such as those of the clock, may come
// between any two calls.
var theLog = porcupine.Model{
	Init:  func() any { return log{} },
	Step:  func(state, input, _ any) (bool, any) { return state.(log).step(input.(call)) },
	Equal: func(a, b any) bool { return a.(log).same(b.(log)) },
	DescribeOperation: func(input, _ any) string {
		return input.(call).String()
	},
}

// step reports whether a log in this state could have given c's answer, and returns the state after it.
func (l log) step(c call) (bool, log) {
	before, known := l.keys[c.key]
	switch {
	case c.answer == refused:
		if known || c.seq != 0 && c.seq < l.version {
			return false, l
		}
		l.version = max(l.version, c.seq)
		return true, l
	case c.again:
		return known && before.seq == c.seq && before.outcome == c.outcome, l
	case known || c.seq <= l.version || c.turn != 0 && c.turn < l.turn:
		return false, l
	}
	l.version = c.seq
	if c.turn != 0 {
		l.turn = c.turn + 1
	}
	l.keys = maps.Clone(l.keys)
	if l.keys == nil {
		l.keys = map[string]call{}
	}
	l.keys[c.key] = c
	return true, l
}

func (l log) same(other log) bool {
	return l.version == other.version && l.turn == other.turn && maps.Equal(l.keys, other.keys)
}
