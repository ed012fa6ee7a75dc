package solve_test

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"meldhall/engine/solve"
	"meldhall/engine/testmode"
	"meldhall/engine/tile"
)

// failer holds the methods that *testing.T and *rapid.T share.
type failer interface {
	Fatalf(format string, args ...any)
}

// best answers a question. It fails the test if the answer is not a legal play, miscounts, is not proven, or changes
// the question.
func best(t failer, p solve.Position, q solve.Question) solve.Play {
	before := layoutText(p.Table)
	play := solve.Best(p, q)
	if fault := playFault(p, play); fault != "" {
		t.Fatalf("%s: %s", positionText(p, q), fault)
	}
	if !play.Proven && q.Limit == 0 {
		t.Fatalf("%s: not proven without a limit", positionText(p, q))
	}
	if layoutText(p.Table) != before {
		t.Fatalf("%s: the table given was %s", positionText(p, q), before)
	}
	return play
}

// worse reports whether a is a worse result than b by aim.
func worse(a, b solve.Play, aim solve.Aim) bool {
	if aim == solve.MostValue {
		return a.Value < b.Value || a.Value == b.Value && a.Tiles < b.Tiles
	}
	return a.Tiles < b.Tiles || a.Tiles == b.Tiles && a.Value < b.Value
}

// TestColoursAndOrderDoNotMatter checks that permuting the colours and the order of the sets does not change the
// result.
func TestColoursAndOrderDoNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, q := middlePositions().Draw(t, "position"), questions().Draw(t, "question")
		colours := rapid.Permutation([]tile.Colour{0, 1, 2, 3}).Draw(t, "colours")
		turned := turn(p, func(f tile.Face) tile.Face { return tile.NewFace(colours[f.Colour()], f.Number()) })
		turned.Table = rapid.Permutation(turned.Table).Draw(t, "order")
		for _, set := range turned.Table {
			if _, group := tile.AsGroup(set); group && len(set) > 3 {
				set[0], set[1], set[2], set[3] = set[2], set[0], set[3], set[1]
			}
		}
		a, b := best(t, p, q), best(t, turned, q)
		if a.Tiles != b.Tiles || a.Value != b.Value || q.Keep && a.Kept != b.Kept {
			t.Fatalf("%s: %d tiles, %d, %d kept; turned %d, %d, %d", positionText(p, q), a.Tiles, a.Value, a.Kept,
				b.Tiles, b.Value, b.Kept)
		}
	})
}

// TestMirroredNumbersKeepTheMostTiles checks that mirroring the numbers does not change the most tiles.
func TestMirroredNumbersKeepTheMostTiles(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := middlePositions().Draw(t, "position")
		mirrored := turn(p, func(f tile.Face) tile.Face { return tile.NewFace(f.Colour(), 14-f.Number()) })
		for _, set := range mirrored.Table {
			slices.Reverse(set)
		}
		a, b := best(t, p, solve.Question{}), best(t, mirrored, solve.Question{})
		if a.Tiles != b.Tiles {
			t.Fatalf("%s: %d tiles, mirrored %d", positionText(p, solve.Question{}), a.Tiles, b.Tiles)
		}
	})
}

// TestOneTileMoreIsNeverWorse checks that one more tile on the rack never makes the result worse.
func TestOneTileMoreIsNeverWorse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, q := middlePositions().Draw(t, "position"), questions().Draw(t, "question")
		if p.Rack.Total() == 0 {
			return // no tile to take away
		}
		less := p
		less.Rack[rapid.SampledFrom(p.Rack.List()).Draw(t, "without")]--
		a, b := best(t, less, q), best(t, p, q)
		if worse(b, a, q.Aim) {
			t.Fatalf("%s: %d tiles, %d; with one tile less %d, %d", positionText(p, q), b.Tiles, b.Value, a.Tiles,
				a.Value)
		}
	})
}

// TestNothingIsLeftToDoAfterTheAnswer checks that no more tiles can be laid after the best play, if released jokers are
// free.
func TestNothingIsLeftToDoAfterTheAnswer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, q := middlePositions().Draw(t, "position"), questions().Draw(t, "question")
		p.Rules.WithRackTile, p.Rules.Replace = false, solve.Free
		play := best(t, p, q)
		p.Table, p.Rack = play.Table, p.Rack.Minus(play.Played)
		if rest := best(t, p, q); rest.Tiles > 0 && (q.Aim == solve.MostTiles || rest.Value > 0) {
			t.Fatalf("%s: %d tiles more", positionText(p, q), rest.Tiles)
		}
		if can, proven := solve.CanPlay(p, 0); q.Aim == solve.MostTiles && can || !proven {
			t.Fatalf("%s: can play %v, proven %v", positionText(p, q), can, proven)
		}
	})
}

func TestAStricterRuleIsNeverBetter(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p, q := middlePositions().Draw(t, "position"), questions().Draw(t, "question")
		var plays [6]solve.Play
		for i := range plays {
			p.Rules.WithRackTile, p.Rules.Replace = i >= 3, solve.Replace(i%3)
			plays[i] = best(t, p, q)
			for _, milder := range [][]int{{}, {0}, {1}, {0}, {1, 3}, {2, 4}}[i] {
				if worse(plays[milder], plays[i], q.Aim) {
					t.Fatalf("%s: %d tiles, %d; under a milder rule %d, %d", positionText(p, q), plays[i].Tiles,
						plays[i].Value, plays[milder].Tiles, plays[milder].Value)
				}
			}
		}
		noPlayBeats(t, p, q, plays)
		own, _ := solve.Meld{Aim: q.Aim, JokerPoints: p.Rules.JokerPoints}.Best(p.Rack)
		if worse(plays[5], solve.Play{Tiles: own.Tiles, Value: own.Value}, q.Aim) {
			t.Fatalf("%s: %d tiles, %d; beside the table go %d, %d", positionText(p, q), plays[5].Tiles, plays[5].Value,
				own.Tiles, own.Value)
		}
	})
}

// TestNoPlayBeatsTheAnswer checks noPlayBeats for full tables.
func TestNoPlayBeatsTheAnswer(t *testing.T) {
	t.Parallel()
	for i, c := range sharedCases(t) {
		if i%4 > 0 || !testmode.Long && i > 8 {
			continue
		}
		p := c.position(t, solve.Free, 30)
		q := solve.Question{Aim: []solve.Aim{solve.MostTiles, solve.MostValue}[i%2], Keep: i/2%2 == 0}
		var plays [6]solve.Play
		for i := range plays {
			p.Rules.WithRackTile, p.Rules.Replace = i >= 3, solve.Replace(i%3)
			plays[i] = best(t, p, q)
		}
		noPlayBeats(t, p, q, plays)
	}
}

// noPlayBeats judges answers found under one rule, for either aim, with and without sets kept, by all the other rules.
// If an answer is legal under another rule, the answer under that rule must be as good.
func noPlayBeats(t failer, p solve.Position, q solve.Question, plays [6]solve.Play) {
	for i := range 24 {
		p.Rules.WithRackTile, p.Rules.Replace = i%6 >= 3, solve.Replace(i%3)
		other := solve.Best(p, solve.Question{Aim: []solve.Aim{solve.MostTiles, solve.MostValue}[i/6%2],
			Keep: i/12 == 1})
		for j, play := range plays {
			p.Rules.WithRackTile, p.Rules.Replace = j >= 3, solve.Replace(j%3)
			better := worse(play, other, q.Aim) || q.Keep && !worse(other, play, q.Aim) && other.Kept > play.Kept
			if better && playFault(p, other) == "" {
				t.Fatalf("%s: %d tiles, %d, %d kept; legal too %d, %d, %d: %s", positionText(p, q), play.Tiles,
					play.Value, play.Kept,
					other.Tiles, other.Value, other.Kept, layoutText(other.Table))
			}
		}
	}
}

func TestKeepingSetsCostsNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, q := middlePositions().Draw(t, "position"), questions().Draw(t, "question")
		q.Keep = false
		a := best(t, p, q)
		q.Keep = true
		b := best(t, p, q)
		if a.Tiles != b.Tiles || a.Value != b.Value || a.Kept > b.Kept {
			t.Fatalf("%s: %d tiles, %d, %d kept; without keeping %d, %d, %d", positionText(p, q), b.Tiles, b.Value,
				b.Kept, a.Tiles, a.Value, a.Kept)
		}
		if own := (solve.Meld{Aim: q.Aim, JokerPoints: p.Rules.JokerPoints}); b.Kept < len(p.Table) {
			if o, _ := own.Best(p.Rack); o.Tiles == b.Tiles && o.Value == b.Value {
				t.Fatalf("%s: %d of %d sets kept, but the tiles go beside the table", positionText(p, q), b.Kept,
					len(p.Table))
			}
		}
		for i, set := range b.Table[:min(b.Kept, len(b.Table))] {
			if !slices.ContainsFunc(p.Table, func(old []tile.Face) bool { return asItLies(old) == asItLies(set) }) {
				t.Fatalf("%s: set %d of %s was not on the table, %d are kept", positionText(p, q), i,
					layoutText(b.Table), b.Kept)
			}
		}
	})
}

func TestALimitIsHonest(t *testing.T) {
	unproven := 0
	rapid.Check(t, func(t *rapid.T) {
		p, q := middlePositions().Draw(t, "position"), questions().Draw(t, "question")
		full := best(t, p, q)
		q.Limit = rapid.IntRange(1, 2000).Draw(t, "limit")
		play := best(t, p, q)
		if worse(full, play, q.Aim) || play.Proven && (play.Tiles != full.Tiles || play.Value != full.Value) {
			t.Fatalf("%s: limit %d: %d tiles, %d, proven %v; without a limit %d, %d", positionText(p, q), q.Limit,
				play.Tiles, play.Value, play.Proven, full.Tiles, full.Value)
		}
		if !play.Proven {
			unproven++
		}
		can, proven := solve.CanPlay(p, q.Limit)
		if proven != (can || proven) || proven && q.Aim == solve.MostTiles && can != (full.Tiles > 0) {
			t.Fatalf("%s: limit %d: can play %v, proven %v, %d tiles", positionText(p, q), q.Limit, can, proven,
				full.Tiles)
		}
	})
	if unproven == 0 {
		t.Error("no limit was ever reached")
	}
}

// TestAFullTableWithATinyLimit checks full tables with a small limit. The answer is a legal play, and says that it is
// not proven.
func TestAFullTableWithATinyLimit(t *testing.T) {
	t.Parallel()
	unproven := 0
	for _, c := range sharedCases(t) {
		p := c.position(t, solve.Free, 30)
		for _, limit := range []int{1, 20, 400} {
			play := solve.Best(p, solve.Question{Limit: limit})
			if fault := playFault(p, play); fault != "" {
				t.Errorf("%s, limit %d: %s", c.ID, limit, fault)
			}
			if play.Proven && (play.Tiles != c.Club[0] || play.Value != c.Club[1]) {
				t.Errorf("%s, limit %d: %d tiles, %d taken for proven, the optimum is %v", c.ID, limit, play.Tiles,
					play.Value, c.Club)
			}
			if !play.Proven {
				unproven++
			}
		}
	}
	if unproven == 0 {
		t.Error("no limit was ever reached")
	}
}

// TestAnswersAreAFunctionOfTheQuestion checks that a question always has the same answer, whatever was asked before and
// from however many goroutines.
func TestAnswersAreAFunctionOfTheQuestion(t *testing.T) {
	t.Parallel()
	type question struct {
		solve.Position
		solve.Question
	}
	var asked []question
	for i, c := range sharedCases(t) {
		p := c.position(t, solve.Replace(i%3), 30)
		p.Rules.WithRackTile = i%2 == 1
		asked = append(asked, question{p, solve.Question{Aim: []solve.Aim{solve.MostTiles, solve.MostValue}[i/6%2],
			Keep: i/2%2 == 0, Limit: []int{0, 500}[i/4%2]}})
	}
	random := rand.New(rand.NewPCG(4, 4))
	for range 400 {
		p, q := densePosition(random)
		asked = append(asked, question{p, q})
	}
	if !testmode.Long {
		asked = append(asked[:20], asked[100:250]...)
	}
	want := make([]solve.Play, len(asked))
	for i, q := range asked {
		want[i] = solve.Best(q.Position, q.Question)
	}
	var all sync.WaitGroup
	for g := range uint64(4) {
		all.Go(func() {
			for _, i := range rand.New(rand.NewPCG(g, g)).Perm(len(asked)) {
				q := asked[i]
				if got := solve.Best(q.Position, q.Question); !reflect.DeepEqual(got, want[i]) {
					t.Errorf("%s: %+v, before %+v", positionText(q.Position, q.Question), got, want[i])
				}
			}
		})
	}
	all.Wait()
}
