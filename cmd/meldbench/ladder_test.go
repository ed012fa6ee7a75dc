package main

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"meldhall/engine/bot"
)

func climbed(t *testing.T, c ladderCmd) string {
	t.Helper()
	var out bytes.Buffer
	if err := c.climb(t.Context(), &out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestLadder(t *testing.T) {
	c := ladderCmd{Games: 108, Rules: "wrc", Seed: 1, Workers: 1}
	first := climbed(t, c)
	if !strings.HasPrefix(first, "108 games, rules wrc, seed 1") || strings.Count(first, " : ") != 6 {
		t.Fatalf("not 108 games and six pairs:\n%s", first)
	}
	t.Run("any number of workers gives the same figures", func(t *testing.T) {
		c.Workers = 3
		timed := func(text string) string { return text[:strings.LastIndex(text, "\n\n")] }
		if again := climbed(t, c); timed(again) != timed(first) {
			t.Errorf("got\n%s\nwant\n%s", again, first)
		}
	})
	t.Run("too few games are refused", func(t *testing.T) {
		if err := (ladderCmd{Games: 35, Rules: "wrc", Workers: 1}).climb(t.Context(), &bytes.Buffer{}); err == nil ||
			!strings.Contains(err.Error(), "--games") {
			t.Errorf("got %v", err)
		}
	})
}

func TestLineupsAreFair(t *testing.T) {
	t.Run("in six mixed deals every style sits on every seat equally often", func(t *testing.T) {
		var sat [4][3]int
		for deal := range 6 {
			for _, lineup := range mixedLineups(deal) {
				for seat, style := range lineup {
					sat[seat][style]++
				}
			}
		}
		for seat := range sat {
			if sat[seat] != [3]int{8, 8, 8} {
				t.Errorf("seat %d: %v", seat, sat[seat])
			}
		}
	})
	t.Run("a pair plays each deal both ways round", func(t *testing.T) {
		both := pairContest(bot.Master, bot.Novice, 4, 1).lineups(0)
		for seat := range 4 {
			if both[0][seat] == both[1][seat] || both[0][seat] == both[0][(seat+1)%4] {
				t.Errorf("seat %d: %v", seat, both)
			}
		}
	})
}

func TestEstimate(t *testing.T) {
	var e estimate
	for _, x := range []float64{1, 0, 1, 1} {
		e.add(x)
	}
	if e.mean() != 0.75 || math.Abs(e.margin()-0.49) > 1e-9 { // standard deviation 0.5, n = 4
		t.Errorf("%v ± %v", e.mean(), e.margin())
	}
	var all estimate
	for range 20 {
		all.add(1)
	}
	if low, high := all.range95(2); low < 0.9 || low > 0.93 || high > 1+1e-9 {
		t.Errorf("40 wins of 40: %v to %v", low, high)
	}
	if elo(10.0/11) < 399 || elo(10.0/11) > 401 || elo(0.5) != 0 {
		t.Errorf("ten to one is %v", elo(10.0/11))
	}
}
