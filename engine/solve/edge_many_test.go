package solve_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"meldhall/engine/solve"
	"meldhall/engine/tile"
)

// manyCode decodes a position as decodePosition does from all but the first three bytes. These three then add jokers,
// copies of a face and table sets, possibly more than the game has.
func manyCode(code []byte) (p solve.Position, q solve.Question) {
	code = append(code, make([]byte, max(0, 3-len(code)))...)
	p, q = decodePosition(code[3:])
	if code[0] >= 128 {
		p.Rules.WithRackTile, p.Rules.Replace = false, solve.Free
	}
	if code[0]&64 > 0 {
		p.Rack = tile.Counts{}
	}
	if code[0]&48 == 48 {
		p.Table = append(p.Table, p.Table...)
	}
	p.Rack[tile.Joker] += code[0] % 8
	if f := tile.Face(code[1] % uint8(tile.Joker)); code[2] < 128 {
		p.Rack[f] += code[2] % 16
	} else {
		p.Rack[f] += code[2]
	}
	q.Limit = 5000
	return p, q
}

// checkMany fails the test if an answer is not a legal play, or if it is not proven for a searchable position. Jokers
// alone do not change an optimum: a table without them that plays as many tiles is as good.
func checkMany(t testing.TB, code []byte) (jokers int, searched bool) {
	p, q := manyCode(code)
	all := tile.CountFaces(p.Table...)
	most, onTable := 0, slices.Max(all[:tile.Joker])
	for f := range p.Rack {
		if all[f] += p.Rack[f]; tile.Face(f) < tile.Joker {
			most = max(most, int(all[f]), int(p.Rack[f]))
		}
	}
	jokers = int(all[tile.Joker])
	searched = most <= 4 && onTable <= 2 && (jokers <= 2 || jokers <= 4 && !p.Rules.WithRackTile &&
		p.Rules.Replace == solve.Free)
	for name, best := range map[string]func(solve.Position, solve.Question) solve.Play{"listed": solve.Best,
		"by numbers": solve.BestUnlisted} {
		play := best(p, q)
		if fault := playFault(p, play); fault != "" {
			t.Errorf("%x: %s: %s: %s: %s", code, positionText(p, q), name, fault, layoutText(play.Table))
		}
		can, proven := solve.CanPlay(p, q.Limit)
		if play.Tiles > 0 && proven && !can || play.Proven && can && play.Tiles == 0 && q.Aim == solve.MostTiles {
			t.Errorf("%x: %s: %s: %d tiles, but can play: %v", code, positionText(p, q), name, play.Tiles, can)
		}
		if !searched && (play.Tiles > 0 || play.Proven || can || proven) || searched && !play.Proven &&
			play.Work < q.Limit {
			t.Errorf("%x: %s: %s: searched %v: %d tiles, proven %v, can play %v, %v", code, positionText(p, q), name,
				searched, play.Tiles, play.Proven, can, proven)
		}
	}
	return jokers, searched
}

// TestMoreJokersAndCopiesThanTheGameHas checks that the answer is a legal play or none, however many jokers or copies
// of a face a position has. It is never jokers alone, and never a panic.
func TestMoreJokersAndCopiesThanTheGameHas(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(31, 7))
	byJokers := map[int]int{}
	for range 2 * positionsToCompare(t) {
		code := randomCode(random)
		code = append([]byte{byte(random.Uint32()), byte(random.Uint32()), byte(random.IntN(3) * random.IntN(128))},
			code...)
		if jokers, searched := checkMany(t, code); searched {
			byJokers[jokers]++
		}
		if t.Failed() {
			t.FailNow()
		}
	}
	if byJokers[3] < 50 || byJokers[4] < 50 {
		t.Errorf("positions searched, by jokers: %v: too few", byJokers)
	}
}

func TestJokersAloneAreNotLaid(t *testing.T) {
	for _, row := range []struct {
		table, rack string
		tiles       int
	}{
		{"", "J J J", 0}, {"", "J J J J", 0}, {"", "R7 J J J", 4}, {"", "R13 J J J J", 5}, {"R7 B7 K7", "J J J", 3},
		{"R7 B7 K7 O7", "J J J", 3},
		{"R7 B7 K7 O7", "J J J J", 4}, {"R7 B7 J", "J J J", 3}, {"R1 R2 R3", "J J J J", 4},
		{"R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12 R13", "J J J J", 4}, {"R12 R13 J / O1 B1 K1 J", "J J", 2},
	} {
		p := solve.Position{Rules: solve.Rules{JokerPoints: 30}, Table: layout(t, row.table), Rack: rackOf(t, row.rack)}
		for _, aim := range []solve.Aim{solve.MostTiles, solve.MostValue} {
			for _, keep := range []bool{false, true} {
				play := solve.Best(p, solve.Question{Aim: aim, Keep: keep})
				if fault := playFault(p, play); fault != "" || play.Tiles != row.tiles || !play.Proven {
					t.Errorf("%s | %s: %d tiles, proven %v: %s: %s", row.table, row.rack, play.Tiles, play.Proven,
						layoutText(play.Table), fault)
				}
			}
		}
		if can, proven := solve.CanPlay(p, 0); can != (row.tiles > 0) || !proven {
			t.Errorf("%s | %s: can play %v, proven %v", row.table, row.rack, can, proven)
		}
	}
}

func FuzzMany(f *testing.F) {
	for _, seed := range []string{"", "\xc3\x00\x00", "\xc4\x00\x00", "\x00\x00\x08", "\x80\x10\x0c", "\x07\x05\x0f",
		"\x00\x20\xff", "\x30\x00\x00"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, code []byte) { checkMany(t, code) })
}
