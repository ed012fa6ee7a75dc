package webtest

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"meldhall/engine"
)

// A trembling is a level of noise in a hand: how many px a finger moves in a tap, how many ms it stays at most, how often
// a tap comes twice, and whether another finger rests on the screen.
type trembling struct {
	Wobble float64 `json:"wobble"`
	Dwell  float64 `json:"dwell"`
	Twice  float64 `json:"twice"`
	Rest   bool    `json:"rest"`
}

var tremblings = []trembling{{3, 150, 0.02, false}, {6, 300, 0.1, false}, {10, 500, 0.2, true}, {16, 700, 0.3, true}}

// noisy are the results of turns played by a trembling hand. Clean counts the turns without a slip, Lost those that
// ended against the player's will.
type noisy struct {
	Taps   int            `json:"taps"`
	Taken  int            `json:"taken"`
	Turns  int            `json:"turns"`
	Clean  int            `json:"clean"`
	Lost   int            `json:"lost"`
	Missed map[string]int `json:"missed"`
}

// trembles opens an address on a tab whose clock the noise runs.
func (p *tab) trembles(address string, level trembling, seed int) {
	p.t.Helper()
	p.open(address)
	p.wait(`window.noise && document.readyState === "complete"`)
	eval[bool](p, fmt.Sprintf(`noise.start({wobble: %v, dwell: %v, twice: %v, rest: %v}, %d)`, level.Wobble, level.Dwell,
		level.Twice, level.Rest, seed))
}

// noisyTurns plays turns, some at a time.
func (p *tab) noisyTurns(turns int) noisy {
	p.t.Helper()
	all := noisy{Missed: map[string]int{}}
	for all.Turns < turns {
		some := eval[noisy](p, fmt.Sprintf(`noise.turns(%d)`, min(5, turns-all.Turns)))
		all.Taps, all.Taken, all.Turns = all.Taps+some.Taps, all.Taken+some.Taken, all.Turns+some.Turns
		all.Clean, all.Lost = all.Clean+some.Clean, some.Lost
		for name, n := range some.Missed {
			all.Missed[name] += n
		}
	}
	return all
}

// TestBrowserATremblingHand plays turns with a trembling hand, first with the usual settings and then with those that
// the check's game of taps proposed for that hand. With those, no turn may be lost and 98 % of the taps must be taken.
// -figures plays more of them.
func TestBrowserATremblingHand(t *testing.T) {
	noise, err := os.ReadFile("testdata/noise.js")
	if err != nil {
		t.Fatal(err)
	}
	b := startChromium(t)
	var table strings.Builder
	fmt.Fprintf(&table, "%-34s %-8s %6s %6s %8s %12s %6s\n", "hand", "settings", "turns", "taps", "taken", "slips/1,000",
		"lost")
	began, total := time.Now(), 0
	for i, level := range tremblings {
		e, game := newPreparedTable(t, preparedRacks...)
		e.start()
		e.readyBut(0, game)
		p := b.tab(t, 1280, 800)
		p.still()
		p.atStart(string(noise))
		p.seat(e.http.URL, e.at(0, 0).token)
		for _, fitted := range []bool{false, true} {
			turns := 3
			if fitted {
				turns = 12
				p.trembles(e.http.URL+"/check", level, 7+i)
				taps := eval[int](p, `noise.check()`)
				if taps < 10 {
					t.Fatalf("only %d taps in the game", taps)
				}
				p.until(`document.getElementById("hand-word").textContent !== ""`)
				eval[bool](p, `document.getElementById("hand-use").click(), true`)
				p.until(`document.getElementById("hand-kept").textContent !== ""`)
				p.picture(fmt.Sprintf("fitted-%d", i))
			}
			if *figures {
				turns = map[bool]int{false: 25, true: 125}[fitted]
			}
			p.trembles(e.http.URL+"/play/game", level, 100+i)
			p.until(`document.getElementById("game").dataset.mine === "true"`)
			eval[bool](p, `noise.pass(1000), true`)
			got := p.noisyTurns(turns)
			if turn := e.public().view(game).Turn.Number; turn != 1 {
				got.Lost = max(got.Lost, turn-1)
			}
			total += got.Taps
			name := map[bool]string{false: "usual", true: "fitted"}[fitted]
			taken := 100 * float64(got.Taken) / float64(got.Taps)
			fmt.Fprintf(&table, "%2.0f px, %3.0f ms, %2.0f %% twice, rests %-5v %-8s %6d %6d %6.1f %% %12.0f %6d  %v\n",
				level.Wobble, level.Dwell, 100*level.Twice, level.Rest, name, got.Turns, got.Taps, taken,
				1000*float64(got.Turns-got.Clean)/float64(got.Turns), got.Lost, got.Missed)
			if fitted && (got.Lost > 0 || taken < 98) {
				t.Errorf("%+v: %d turns lost, %.1f %% of the taps taken: %v", level, got.Lost, taken, got.Missed)
			}
			if got.Lost > 0 {
				break
			}
			if fitted {
				drawsTwice(t, e, p, game)
			}
		}
	}
	t.Logf("%d taps in %v\n%s", total, time.Since(began).Round(time.Second), table.String())
}

// drawsTwice presses Draw three times with a hand whose taps come twice, and checks that only one turn ends each time.
func drawsTwice(t *testing.T, e *event, p *tab, game int64) {
	t.Helper()
	for range 3 {
		p.until(`document.getElementById("game").dataset.mine === "true" && !document.getElementById("draw").disabled`)
		eval[bool](p, `noise.pass(1000), true`)
		was := e.public().view(game).Turn
		eval[bool](p, `noise.tap("#draw")`)
		p.until(`document.getElementById("game").dataset.mine === "false"`)
		for seat := 1; seat < 4; seat++ {
			e.draw(seat, game)
		}
		if now := e.public().view(game).Turn; now != (engine.Turn{Number: was.Number + 4, Seat: 0, Started: now.Started,
			Due: now.Due}) {
			t.Fatalf("one press of Draw in turn %d led to %+v", was.Number, now)
		}
	}
}

// until waits for a condition on a page whose clock stands still unless the test moves it.
func (p *tab) until(condition string) {
	p.t.Helper()
	for end := time.Now().Add(10 * time.Second); !eval[bool](p, `noise.settle().then(() => !!(`+condition+`))`); {
		if time.Now().After(end) {
			p.picture("failed")
			p.t.Fatalf("not reached: %s", condition)
		}
		eval[bool](p, `noise.pass(20), true`)
	}
}
