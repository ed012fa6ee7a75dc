package solve_test

import (
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"meldhall/engine/judge"
	"meldhall/engine/solve"
	"meldhall/engine/testmode"
	"meldhall/engine/tile"
)

// checkAgainstOracle compares every answer about a position with the oracle's, and returns the number of tiles of the
// best play.
func checkAgainstOracle(t testing.TB, p solve.Position, q solve.Question) int {
	o, ok := newOracle(p)
	if !ok {
		t.Fatal("too many faces for the oracle")
	}
	got, want := solve.Best(p, q), o.best(q.Aim, q.Keep)
	fail := func(format string, args ...any) {
		t.Errorf("%s: got %d tiles, %d, %d kept: %s; want %d, %d, %d: %s: %s", positionText(p, q), got.Tiles, got.Value,
			got.Kept, layoutText(got.Table),
			want.tiles, want.value, want.kept, layoutText(want.table), fmt.Sprintf(format, args...))
	}
	if got.Tiles != want.tiles || got.Value != want.value || q.Keep && got.Kept != want.kept {
		fail("not the optimum")
	}
	if !got.Proven {
		fail("not proven")
	}
	if fault := playFault(p, got); fault != "" {
		fail("%s", fault)
	}
	for _, turned := range []solve.Play{solve.BestUnlisted(p, q), solve.BestTurned(p, q),
		solve.BestInShortTurns(p, q)} {
		if turned.Tiles != want.tiles || turned.Value != want.value || q.Keep && turned.Kept != want.kept ||
			!turned.Proven {
			fail("in turns: %d tiles, %d, %d kept: %s", turned.Tiles, turned.Value, turned.Kept,
				layoutText(turned.Table))
		} else if fault := playFault(p, turned); fault != "" {
			fail("in turns: %s", fault)
		}
	}
	if can, proven := solve.CanPlay(p, 0); can != (want.tiles > 0) || !proven {
		fail("can play %v, proven %v", can, proven)
	}
	return want.tiles
}

// playFault returns the faults of an answer that are visible without the optimum. It returns "" for a legal play,
// or the unchanged table with no tile, if every number is right.
func playFault(p solve.Position, play solve.Play) string {
	value := 0
	for _, f := range play.Played.List() {
		if f == tile.Joker {
			value += p.Rules.JokerPoints
		} else {
			value += f.Number()
		}
	}
	before, after := tile.CountFaces(p.Table...), tile.CountFaces(play.Table...)
	switch {
	case play.Tiles != play.Played.Total() || play.Value != value:
		return fmt.Sprintf("counts %d tiles, %d, but played %v", play.Tiles, play.Value, play.Played.List())
	case !before.Within(after) || after.Minus(before) != play.Played:
		return fmt.Sprintf("tiles lost or from nowhere: played %v", play.Played.List())
	case play.Kept != countKept(p.Table, play.Table):
		return fmt.Sprintf("%d kept, by count %d", play.Kept, countKept(p.Table, play.Table))
	case play.Tiles == 0:
		if layoutText(p.Table) != layoutText(play.Table) {
			return "no tile laid, but the table changed: " + layoutText(play.Table)
		}
		return ""
	}
	if v := judge.Judge(oracleRules(p.Rules), judge.Move{Opened: true, Before: p.Table, Rack: p.Rack.List(),
		After: play.Table}); !v.Legal {
		return v.Code + ": " + v.Detail
	}
	return ""
}

// positionsToCompare returns how many small positions to compare: more in CI, or MELDHALL_POSITIONS if it is set.
func positionsToCompare(t *testing.T) int {
	text, ok := os.LookupEnv("MELDHALL_POSITIONS")
	switch n, err := strconv.Atoi(text); {
	case ok && err != nil:
		t.Fatal(err)
	case ok:
		return n
	case !testmode.Long:
		return 2_000
	}
	return 10_000
}

func TestBestAgreesWithTheOracle(t *testing.T) {
	t.Parallel()
	positions := positionsToCompare(t)
	random := rand.New(rand.NewPCG(20, uint64(positions)))
	laid, byTiles := 0, map[int]int{}
	for range positions {
		code := randomCode(random)
		p, q := decodePosition(code)
		tiles := checkAgainstOracle(t, p, q)
		laid += min(1, tiles)
		byTiles[tiles]++
		if t.Failed() {
			t.Fatalf("bytes %s", hex.EncodeToString(code))
		}
	}
	t.Logf("%d positions compared, of tiles laid: %v", positions, byTiles)
	if laid < positions/4 || laid > positions*19/20 {
		t.Errorf("in %d of %d positions a tile could be laid: too few or too many to compare well", laid, positions)
	}
}

// TestBestAgreesWithTheOracleOnDenseTables compares a hundredth as many positions, with up to 35 tiles of at most 21
// faces.
func TestBestAgreesWithTheOracleOnDenseTables(t *testing.T) {
	t.Parallel()
	positions := positionsToCompare(t) / 100
	random := rand.New(rand.NewPCG(21, uint64(positions)))
	for compared := 0; compared < positions && !t.Failed(); {
		p, q := densePosition(random)
		if _, ok := newOracle(p); ok {
			checkAgainstOracle(t, p, q)
			compared++
		}
	}
	t.Logf("%d positions compared", positions)
}

func FuzzBest(f *testing.F) {
	for _, code := range []string{
		"",
		"b0fce1ccfb6221e62c7ad6d80b7a5ea0fde7eb6a23fec4", // more under table_or_rack than under rack
		"ad8ac606ced631eea4a8dea95613ec33a0b68437fdbbfc", // the three of joker_replace all differ
		"6a33cf001c2740d73e13e054ec69786fdb167c6fe10fdd", // less under with_rack_tile
		"17a4499d219a5dba7edd87f0ff133aa173f2b00d97571f", // more under free
	} {
		bytes, err := hex.DecodeString(code)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(bytes)
	}
	f.Fuzz(func(t *testing.T, code []byte) {
		p, q := decodePosition(code)
		checkAgainstOracle(t, p, q)
	})
}

// TestAReleasedJokerIsHostedWhicheverWayTheSearchGoes checks that a released joker without a host is found too if the
// search goes from 13 down.
func TestAReleasedJokerIsHostedWhicheverWayTheSearchGoes(t *testing.T) {
	code, err := hex.DecodeString("ff1d5d7f575d1b22175c6a8848ede05ba6bf9b2cf3f9b5")
	if err != nil {
		t.Fatal(err)
	}
	p, q := decodePosition(code)
	checkAgainstOracle(t, p, q)
}
