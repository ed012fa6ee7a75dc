package engine

import (
	"errors"
	"math/rand"
	"testing"

	"meldhall/engine/ruleset"
	"meldhall/engine/score"
	"meldhall/engine/tile"
)

// scoreSheet returns a sheet with the given charges; the lowest wins. unopened names the seats that have not
// opened.
func scoreSheet(t *testing.T, s State, why string, charges []int, unopened ...int) CountRacks {
	t.Helper()
	sums := make([]SummedRack, len(charges))
	for seat, charge := range charges {
		sums[seat] = SummedRack{charge, true}
	}
	for _, seat := range unopened {
		sums[seat].Opened = false
	}
	c, err := s.CountOf(why, sums)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestACountThatCannotBe checks that a score sheet is refused if no 106 tiles add up to it, and that one at the limit
// is accepted.
func TestACountThatCannotBe(t *testing.T) {
	wrc, club, family := presetRules(t, "wrc"), presetRules(t, "club"), presetRules(t, "family")
	higher, added := wrc, wrc
	higher.NoMeldCounts, added.NoMeldCounts = ruleset.Higher, ruleset.Added
	dear := wrc
	dear.JokerPoints = 1000
	for _, c := range []struct {
		name     string
		rules    ruleset.Ruleset
		why      string
		charges  []int
		unopened []int
		want     string // empty if the count is possible
	}{
		{"all tiles and both jokers on one rack", wrc, ruleset.EndedEmptied, []int{0, 728 + 200, 5, 5}, nil,
			RefusedCountTiles},
		{"more than all tiles", wrc, ruleset.EndedEmptied, []int{0, 929, 5, 5}, nil, RefusedCountRack},
		{"five thousand points", wrc, ruleset.EndedEmptied, []int{0, 5000, 5, 5}, nil, RefusedCountRack},
		{"both jokers and much else", wrc, ruleset.EndedEmptied, []int{0, 200 + 650, 5, 5}, nil, ""},
		{"more than all tiles together", wrc, ruleset.EndedEmptied, []int{0, 400, 400, 400}, nil, RefusedCountTiles},
		{"jokers for three racks", dear, ruleset.EndedEmptied, []int{0, 1001, 1001, 1001}, nil, RefusedCountTiles},
		{"jokers for two racks", dear, ruleset.EndedEmptied, []int{0, 1001, 1001, 5}, nil, ""},
		{"a joker more than there are", dear, ruleset.EndedEmptied, []int{0, 3005, 5, 5}, nil, RefusedCountRack},
		{"between no joker and one", dear, ruleset.EndedEmptied, []int{0, 900, 5, 5}, nil, RefusedCountRack},
		{"fourteen tiles that come to 5", family, ruleset.EndedEmptied, []int{0, 5, 5, 5}, []int{1}, RefusedCountRack},
		{"the fourteen lowest tiles", family, ruleset.EndedEmptied, []int{0, 20, 5, 5}, []int{1}, ""},
		{"the fourteen lowest tiles twice", family, ruleset.EndedEmptied, []int{0, 20, 20, 5}, []int{1, 2}, ""},
		{"added to the charge, too little", added, ruleset.EndedEmptied, []int{0, 110, 5, 5}, []int{1},
			RefusedCountRack},
		{"added to the charge", added, ruleset.EndedEmptied, []int{0, 120, 5, 5}, []int{1}, ""},
		{"the higher of both", higher, ruleset.EndedEmptied, []int{0, 150, 5, 5}, []int{1}, ""},
		{"the higher of both, too much", higher, ruleset.EndedEmptied, []int{0, 990, 5, 5}, []int{1}, RefusedCountRack},
		{"nobody has opened and time was called", wrc, ruleset.EndedTimeCalled, []int{100, 200, 200, 200},
			[]int{0, 1, 2, 3},
			""},
		{"a winner's rack that cannot be", club, ruleset.EndedTimeCalled, []int{790, 800, 800, 800}, nil,
			RefusedCountRack},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := handGame(t, c.rules)
			count := scoreSheet(t, s, c.why, c.charges, c.unopened...)
			if got := refusedCount(s, count); got != c.want {
				t.Fatalf("got %q, want %q: %+v", got, c.want, count)
			}
			if c.want != "" {
				if got := refusedBy(t, s, count, noon); got != c.want {
					t.Errorf("handed in: %q", got)
				}
				return
			}
			s = do(t, s, count, noon)
			if _, err := s.Recount("", nil, []SummedRack{{0, true}, {5000, true}, {5, true}, {5, true}}); err == nil {
				t.Error("corrected to 5000 points")
			}
		})
	}
}

// TestAWinnerWhoCannotHaveWon checks that a count is refused if the winner by an empty rack holds tiles or has
// forfeited, or if the racks leave too few tiles for the table.
func TestAWinnerWhoCannotHaveWon(t *testing.T) {
	s := handGame(t, presetRules(t, "wrc"))
	sheet := scoreSheet(t, s, ruleset.EndedEmptied, []int{0, 10, 20, 30})
	sheet.Lowest = 5
	if got := refusedBy(t, s, sheet, noon); got != RefusedCountLowest {
		t.Errorf("a winner with a rack: %q", got)
	}
	all := everyFace()
	most := CountRacks{Why: ruleset.EndedEmptied, Racks: []CountedRack{{Opened: true}, {Tiles: all[:30], Opened: true},
		{Tiles: all[30:60], Opened: true}, {Tiles: all[60:84], Opened: true}}}
	if got := refusedBy(t, s, most, noon); got != RefusedCountMany {
		t.Errorf("22 tiles are on a table of four players, one of whom laid 14: %q", got)
	}
	if most.Racks[3].Tiles = all[60:83]; refusedCount(s, most) != "" {
		t.Errorf("23 tiles on the table: %q", refusedCount(s, most))
	}
	s = do(t, s, ForfeitSeat{Grounds: Grounds{Reason: "x", By: "Ann"}, Seat: 0}, noon)
	sheet.Lowest = 0
	if got := refusedBy(t, s, sheet, noon); got != RefusedCountOut {
		t.Errorf("a winner who has forfeited: %q", got)
	}
	if got := refusedBy(t, s, CountRacks{Why: ruleset.EndedEmptied, Racks: racks(t, "", "R1", "R5", "R3")},
		noon); got != RefusedCountOut {
		t.Errorf("the rack of a player who has forfeited was emptied: %q", got)
	}
	left := CountRacks{Why: ruleset.EndedTimeCalled, Lowest: 9, Totals: totals(0, 0, -10, -20)}
	left.Totals[0].Won = false
	if got := refusedCount(s, left); got != "" {
		t.Errorf("a player who has forfeited holds less than the winner: %q", got)
	}
}

// TestEveryRealRackCanBeCounted checks that the score sheet of any real racks is accepted.
func TestEveryRealRackCanBeCounted(t *testing.T) {
	random := rand.New(rand.NewSource(43))
	for i := range 3000 {
		rules := presetRules(t, []string{"wrc", "wrc-50", "club", "family", "casual"}[i%5])
		if i%2 == 0 {
			rules.NoMeldUnable, rules.NoMeldAble = 100, 200
			rules.NoMeldCounts = []string{ruleset.Instead, ruleset.Added, ruleset.Higher}[i%3]
		}
		s := handGame(t, rules)
		tiles := everyFace()
		random.Shuffle(len(tiles), func(a, b int) { tiles[a], tiles[b] = tiles[b], tiles[a] })
		emptied := random.Intn(2) == 0
		why := map[bool]string{true: ruleset.EndedEmptied, false: ruleset.EndedTimeCalled}[emptied]
		sums := make([]SummedRack, s.Seats)
		for seat := range sums {
			n := 1 + random.Intn(21)
			opened := random.Intn(3) > 0
			if !opened {
				n = max(n, ruleset.HandTiles)
			}
			if emptied && seat == 0 {
				opened, n = true, 0
			}
			sums[seat] = SummedRack{score.ChargeOf(rules, score.Hand{Rack: tiles[:n], Opened: opened}, false).Points,
				opened}
			tiles = tiles[n:]
		}
		c, err := s.CountOf(why, sums)
		if err == nil {
			_, err = s.Count(c)
		}
		if err != nil {
			t.Fatalf("%s, %s: %+v: %v", rules.Name, why, sums, err)
		}
	}
}

// refusedCount returns the code of the refusal of a count, empty if it is accepted.
func refusedCount(s State, c CountRacks) string {
	_, err := s.Count(c)
	var refusal *Refusal
	if errors.As(err, &refusal) {
		return refusal.Code
	}
	return ""
}

func everyFace() (faces []tile.Face) {
	for t := range tile.Tile(tile.Count) {
		faces = append(faces, t.Face())
	}
	return faces
}
