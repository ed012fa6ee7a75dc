package engine

import (
	"math/rand"
	"os"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"meldhall/engine/judge"
	"meldhall/engine/ruleset"
)

func allPresets(t testing.TB) (all []ruleset.Ruleset) {
	t.Helper()
	for _, name := range []string{"wrc", "wrc-50", "club", "family", "casual"} {
		all = append(all, presetRules(t, name))
	}
	return all
}

// lawGames returns n, or the value of MELDHALL_LAW_GAMES if it is set.
func lawGames(t testing.TB, n int) int {
	if text := os.Getenv("MELDHALL_LAW_GAMES"); text != "" {
		more, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(err)
		}
		return more
	}
	return n
}

// TestLawsReachEverything plays the same seeded games on every run and counts what they met, so that no law holds only
// because nothing happened.
func TestLawsReachEverything(t *testing.T) {
	presets, seen := allPresets(t), map[string]int{}
	for seed := range lawGames(t, 120) {
		playGame(seedFailer{t, seed}, seeded{rand.New(rand.NewSource(int64(seed)))}, presets, seen, 260)
	}
	for seed := range lawGames(t, 100) {
		playPhysical(seedFailer{t, seed}, seeded{rand.New(rand.NewSource(int64(seed)))}, presets, seen, 200)
	}
	want := []string{"law 7: late turn_expired", "law 7: late play_began", "law 7: late game_resumed",
		"law 8: viewer -2", "law 8: viewer -1", "law 8: viewer 0", "law 8: viewer 3",
		"ended under last_lap " + ruleset.EndedLastLap, "ended under until_stuck " + ruleset.EndedStuck, "ended " +
			ruleset.EndedEmptied,
		"ended " + ruleset.EndedTimeCalled, "ended " + ruleset.EndedForfeit}
	for kind := range kinds {
		want = append(want, kind)
	}
	for _, code := range []string{judge.CodeInvalidSet, judge.CodeTileLost, judge.CodeNotOnRack,
		judge.CodeNothingPlayed, judge.CodeTableTouched,
		judge.CodeMeldShort,
		RefusedAlreadyStarted, RefusedNotBegun, RefusedGameOver, RefusedBadDeal, RefusedSeat, RefusedNotYourTurn,
		RefusedStaleTurn,
		RefusedPaused, RefusedNotPaused, RefusedPoolEmpty, RefusedPoolNotEmpty, RefusedRedealOff, RefusedRedealClosed,
		RefusedNoDoubles, RefusedAlreadyReady,
		RefusedAlreadyCalled, RefusedNotCalled, RefusedCallTaken, RefusedReason, RefusedAmount, RefusedNotDue,
		RefusedNoLimit, RefusedLeftovers,
		RefusedRuledSince, RefusedSeatOut, RefusedNoProposal, RefusedNoRuling, RefusedCancelLate, RefusedRewind,
		RefusedPosition, RefusedTilesLie,
		RefusedPhysical, RefusedNoStarter, RefusedCounting, RefusedCountSeats, RefusedCountEnding, RefusedCountFace,
		RefusedCountFew, RefusedCountMany, RefusedCountAble, RefusedCountEmpty, RefusedCountLoser, RefusedCountWinner,
		RefusedCountUnopened, RefusedCountSum,
		RefusedCountRack, RefusedCountTiles, RefusedCountOut, RefusedCountLowest} {
		want = append(want, "refused "+code)
	}
	for _, what := range want {
		if seen[what] == 0 {
			t.Errorf("never met: %s", what)
		}
	}
	if testing.Verbose() {
		t.Log(seen)
	}
}

// seedFailer adds the seed of the game to a failure.
type seedFailer struct {
	*testing.T
	seed int
}

func (f seedFailer) Fatalf(format string, args ...any) {
	f.T.Helper()
	f.T.Fatalf("seed %d: "+format, append([]any{f.seed}, args...)...)
}

// TestLaws checks the laws in random games, which rapid shrinks on failure. -rapid.checks asks for more games. Few of
// its games come to an end; those of TestLawsReachEverything do.
func TestLaws(t *testing.T) {
	presets, seen := allPresets(t), map[string]int{}
	rapid.Check(t, func(rt *rapid.T) {
		playGame(rt, drawn{rt}, presets, seen, rapid.IntRange(0, 80).Draw(rt, "steps"))
	})
	if seen["games"] == 0 || seen[TilesPlayed{}.Kind()] == 0 {
		t.Errorf("the games were empty: %v", seen)
	}
}

// FuzzLaws checks the laws in games chosen by the fuzzer's bytes: go test -fuzz FuzzLaws ./engine
func FuzzLaws(f *testing.F) {
	for seed := range 8 {
		data := make([]byte, 200<<seed/4)
		rand.New(rand.NewSource(int64(seed))).Read(data)
		f.Add(data)
	}
	presets := allPresets(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data)%8 == 0 {
			playPhysical(t, &fed{data}, presets, map[string]int{}, 300)
			return
		}
		playGame(t, &fed{data}, presets, map[string]int{}, 300)
	})
}
