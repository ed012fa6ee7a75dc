package main

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"meldhall/engine/solve"
	"meldhall/engine/tile"
)

// TestHostilePositionsAreBred checks that the positions use the game's tiles and get harder, and that a seed is
// repeatable.
func TestHostilePositionsAreBred(t *testing.T) {
	var first, second bytes.Buffer
	for _, out := range []*bytes.Buffer{&first, &second} {
		b := &breeder{rng: rand.New(rand.NewPCG(7, 7))}
		for n := range 400 {
			p := b.next()
			shapeOf(t, p)
			all := tile.CountFaces(p.Table...)
			for f := range tile.Face(len(all)) {
				if all[f]+p.Rack[f] > 2 {
					t.Fatalf("%d of %v in position %d: table %v, rack %v", all[f]+p.Rack[f], f, n, p.Table,
						p.Rack.List())
				}
			}
			play := solve.Best(p, solve.Question{})
			if !play.Proven {
				t.Fatalf("position %d is not answered: table %v, rack %v", n, p.Table, p.Rack.List())
			}
			b.note(hard{p, play.Work})
			if n == 2*kept || n == 399 {
				out.WriteString(strings.Repeat("x", b.worst[0].work/10) + "\n")
			}
		}
		for i := 1; i < len(b.worst); i++ {
			if b.worst[i].work >= b.worst[i-1].work {
				t.Errorf("the %dth took %d states, the one before %d", i+1, b.worst[i].work, b.worst[i-1].work)
			}
		}
	}
	if first.String() != second.String() {
		t.Error("one seed finds different positions")
	}
	if early, late, _ := strings.Cut(first.String(), "\n"); len(late) <= len(early) {
		t.Errorf("after 400 positions the hardest takes %d states, after %d already %d", 10*len(late), 2*kept,
			10*len(early))
	}
}

func TestHostileSaysTheWorst(t *testing.T) {
	var out bytes.Buffer
	if err := run([]string{"-hostile", "60", "-seed", "3"}, &out, &out); err != nil {
		t.Fatal(err)
	}
	if text := out.String(); !strings.HasPrefix(text, "60 positions tried, seed 3") ||
		!strings.Contains(text, "\n10. ") || !strings.Contains(text, "The slowest, ") {
		t.Errorf("got %s", text)
	}
	if err := run([]string{"-hostile", "-1"}, &out, &out); err == nil {
		t.Error("-1 positions are tried")
	}
}
