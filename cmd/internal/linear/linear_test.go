package linear

import (
	"strings"
	"testing"
	"time"
)

// TestCheck checks that a history of a single log is accepted, and that each way in which several nodes could go wrong
// is found.
func TestCheck(t *testing.T) {
	at := func(called, end time.Duration, c call) call {
		c.called, c.end = called, end
		return c
	}
	move := func(key string, turn, seq int) call {
		return call{key: key, name: "draw", turn: turn, answer: done, outcome: "tile_drawn", seq: seq}
	}
	again := func(key string, turn, seq int) call {
		c := move(key, turn, seq)
		c.again = true
		return c
	}
	refusal := func(key string, turn, seq int) call {
		return call{key: key, name: "draw", turn: turn, answer: refused, seq: seq}
	}
	lost := func(key string, turn int) call { return call{key: key, name: "draw", turn: turn} }
	for name, c := range map[string]struct {
		calls []call
		fits  bool
	}{
		"one after the other": {[]call{at(1, 2, move("a", 1, 5)), at(3, 4, move("b", 2, 6)),
			at(5, 6, refusal("c", 2, 6)), at(7, 8, again("a", 1, 5))}, true},
		"two at once, the later first": {[]call{at(1, 9, move("b", 2, 6)), at(2, 3, move("a", 1, 5))}, true},
		"refused as others move":       {[]call{at(1, 9, refusal("b", 2, 4)), at(2, 3, move("a", 1, 5))}, true},
		"doubled, both at once":        {[]call{at(1, 5, again("a", 1, 5)), at(2, 6, move("a", 1, 5))}, true},
		"done without an answer": {[]call{at(1, 2, lost("a", 1)), at(3, 4, again("a", 1, 5)),
			at(5, 6, move("b", 2, 6))}, true},
		"never done": {[]call{at(1, 2, lost("a", 1)), at(3, 4, move("a", 1, 5))}, true},
		"a ruling in between": {[]call{at(1, 2, move("a", 1, 5)),
			at(3, 4, call{key: "r", name: "resume", answer: done, outcome: "game_resumed", seq: 8}),
			at(5, 6, move("b", 2, 9))}, true},

		"an acknowledged move is lost":    {[]call{at(1, 2, move("a", 1, 5)), at(3, 4, move("b", 1, 5))}, false},
		"the same turn is played twice":   {[]call{at(1, 2, move("a", 1, 5)), at(3, 4, move("b", 1, 6))}, false},
		"a command is done twice":         {[]call{at(1, 2, move("a", 1, 5)), at(3, 4, move("a", 2, 6))}, false},
		"the same key, another answer":    {[]call{at(1, 2, move("a", 1, 5)), at(3, 4, again("a", 1, 6))}, false},
		"refused on an old state":         {[]call{at(1, 2, move("a", 1, 5)), at(3, 4, refusal("b", 2, 4))}, false},
		"refused though it had been done": {[]call{at(1, 2, move("a", 1, 5)), at(3, 4, refusal("a", 1, 6))}, false},
		"done before, and by nobody":      {[]call{at(1, 2, again("a", 1, 5))}, false},
		"an answer ahead of its command":  {[]call{at(1, 2, again("a", 1, 5)), at(3, 4, move("a", 1, 5))}, false},
		"the log goes back":               {[]call{at(1, 2, move("a", 1, 5)), at(3, 4, move("b", 2, 4))}, false},
		"done before it was known to be so": {[]call{at(1, 2, move("b", 2, 6)), at(3, 4, lost("a", 1)),
			at(5, 6, again("a", 1, 5))}, false},
	} {
		t.Run(name, func(t *testing.T) {
			err := check(c.calls)
			if (err == nil) != c.fits {
				t.Errorf("it fits: %t, %v", c.fits, err)
			}
			if err != nil && !strings.Contains(err.Error(), "with key a") {
				t.Errorf("the calls are not told: %v", err)
			}
		})
	}
}
