package engine

import (
	"encoding/json"
	"math/rand"
	"testing"

	"meldhall/engine/judge"
	"meldhall/engine/tile"
)

// midGame plays a seeded four-seat game until ten sets lie on the table and the seat to move can play.
func midGame(b testing.TB) (State, Play, TilesPlayed) {
	b.Helper()
	rules := presetRules(b, "wrc-50")
	for seed := range int64(100) {
		c := seeded{rand.New(rand.NewSource(seed))}
		s := do(b, State{}, Start{rules, 4, 0, Deal{Pool: randomOrder(c), Salt: "0123456789abcdef"}, nil, false}, noon)
		for seat := range 4 {
			s = do(b, s, Ready{seat, 0}, noon)
		}
		var last TilesPlayed
		for s.Phase == PhasePlaying {
			p, ok := findPlay(s, func() bool { return false })
			if ok && s.Opened[s.Turn.Seat] && len(s.Table) >= 10 && last.Seat != s.Turn.Seat {
				return s, p, last
			}
			var c Command = Draw{s.Turn.Seat, s.Turn.Number}
			if ok {
				c = p
			} else if len(s.Pool) == 0 {
				c = Pass{s.Turn.Seat, s.Turn.Number}
			}
			events, err := Decide(&s, c, false, noon.time())
			if err != nil {
				b.Fatal(err)
			}
			if played, is := events[0].(TilesPlayed); is {
				last = played
			}
			s = applyAll(s, events)
		}
	}
	b.Fatal("no game came that far")
	return State{}, Play{}, TilesPlayed{}
}

func tilesOn(t tile.Table) (n int) {
	for _, laid := range t {
		n += len(laid.Tiles)
	}
	return n
}

func BenchmarkEngine(b *testing.B) {
	s, play, played := midGame(b)
	b.Logf("%d sets of %d tiles on the table, %d in the pool", len(s.Table), tilesOn(s.Table), len(s.Pool))
	draw := Draw{s.Turn.Seat, s.Turn.Number}
	drawn, err := Decide(&s, draw, false, noon.time())
	if err != nil {
		b.Fatal(err)
	}
	data, err := Encode(played)
	if err != nil {
		b.Fatal(err)
	}
	view, _ := json.Marshal(ViewFor(&s, 0))
	b.Logf("%d bytes of event, %d bytes of view", len(data), len(view))
	run := func(name string, f func()) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				f()
			}
		})
	}
	run("apply draw", func() { Apply(s, drawn[0]) })
	run("apply play", func() { Apply(s, played) })
	run("decide draw", func() { _, _ = Decide(&s, draw, false, noon.time()) })
	run("decide play", func() { _, _ = Decide(&s, play, false, noon.time()) })
	run("judge play", func() { JudgePlay(s, play) })
	run("view", func() { ViewFor(&s, 0) })
	run("view and JSON", func() { _, _ = json.Marshal(ViewFor(&s, 0)) })
	run("encode play", func() { _, _ = Encode(played) })
	run("decode play", func() { _, _ = Decode(played.Kind(), EventVersion, data) })
	run("check", func() { _ = Check(s) })
	run("stuck", func() { s.stuck() })
	run("can open", func() { judge.CanOpen(s.Rules, tile.CountFaces(tile.FacesOf(s.Racks[0])), false) })
}
