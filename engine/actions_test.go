package engine

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"meldhall/engine/tile"
)

// did formats the actions that a seat is shown, such as "A tile_drawn 1".
func did(m Meanwhile) (lines []string) {
	for _, l := range m.Did {
		lines = append(lines, fmt.Sprintf("%c %s %d", 'A'+l.Seat, l.Kind, max(l.Drawn, len(l.Played))))
	}
	return lines
}

// marked returns the faces in some cells of the table, in the order of the cells.
func marked(s State, cells []int) (faces []tile.Face) {
	for _, at := range cells {
		for _, laid := range s.Table {
			if i := at - laid.At; i >= 0 && i < len(laid.Tiles) {
				faces = append(faces, laid.Tiles[i].Face())
			}
		}
	}
	return faces
}

func TestMeanwhile(t *testing.T) {
	s := board(t,
		"wrc turn 7 of A\ntable R4 R5 R6 R7\nA* K9 K1\nB* R8 O7 B7 B9 B1\nC* R9 K2 B4 O4\npool O1 O2 O3 O5 O6 O8 O9 O10")
	ask := func(c Command, at time.Duration) {
		t.Helper()
		events, err := asked(s, c, MillisOf(s.At.time().Add(at)))
		if err != nil {
			t.Fatal(err)
		}
		s = applyAll(s, events)
	}
	holds := func(seat int, lines []string, fresh, moved, drawn string) {
		t.Helper()
		m := MeanwhileOf(s, seat)
		if got := did(m); !slices.Equal(got, lines) {
			t.Errorf("%c: got %q, want %q", 'A'+seat, got, lines)
		}
		for what, c := range map[string]struct {
			got  []tile.Face
			want string
		}{"new": {marked(s, m.New), fresh}, "moved": {marked(s, m.Moved), moved}, "drawn": {m.Drawn, drawn}} {
			want, err := tile.ParseFaces(c.want)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(slices.Sorted(slices.Values(c.got)), slices.Sorted(slices.Values(want))) {
				t.Errorf("%c: %s is %v, want %s", 'A'+seat, what, c.got, c.want)
			}
		}
	}
	ask(disturbed{Expire{}}, 62*time.Second)
	holds(0, []string{"A turn_expired 3"}, "", "", "O1 O2 O3")
	ask(Play{1, s.Turn.Number, asLaid(t, "R4 R5 R6; R7 O7 B7")}, time.Second)
	holds(0, []string{"A turn_expired 3", "B tiles_played 2"}, "O7 B7", "R7", "O1 O2 O3")
	ask(Penalise{Grounds: Grounds{Reason: "shouting"}, Seat: 0, Tiles: 1}, time.Second)
	ask(Draw{2, s.Turn.Number}, time.Second)
	holds(0, []string{"A turn_expired 3", "B tiles_played 2", "A penalty_given 1", "C tile_drawn 1"}, "O7 B7", "R7",
		"O1 O2 O3 O5")
	holds(1, []string{"B tiles_played 2", "A penalty_given 1", "C tile_drawn 1"}, "", "", "")
	holds(2, []string{"C tile_drawn 1"}, "", "", "O6")
	ask(Draw{0, s.Turn.Number}, time.Second)
	holds(0, []string{"A tile_drawn 1"}, "", "", "O8")
}

// TestDeedsAreAsTheyWere checks that each seat is shown what happened since its own last turn, at most twelve actions,
// and that older Actions still show the same as before.
func TestDeedsAreAsTheyWere(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	type told struct {
		actions Actions
		want    [4][]Last
	}
	now, held := told{}, []told{}
	for n := range 2000 {
		now.actions.add(Last{Seat: r.IntN(4), Points: n}, 4)
		for seat := range now.want {
			list := append(slices.Clone(now.want[seat]), now.actions.Last())
			now.want[seat] = list[max(0, len(list)-didMost):]
		}
		switch seat := r.IntN(6); {
		case n%31 == 30:
			now.actions.restart(nil)
			now.want = [4][]Last{}
		case seat < 3: // the fourth has no turn for long
			now.actions.Since[seat] = Since{Did: 1}
			now.want[seat] = []Last{now.actions.Last()}
		}
		if held = append(held, now); len(held) > 40 {
			held = held[20:]
		}
		for _, was := range held {
			for seat, want := range was.want {
				if got := was.actions.of(seat); !slices.EqualFunc(got, want,
					func(a, b Last) bool { return a.Seat == b.Seat && a.Points == b.Points }) {
					t.Fatalf("after %d actions seat %d is told of %v, want %v", n+1, seat, got, want)
				}
			}
		}
	}
	if n := now.actions.Newest.n; n > didMost+didSpare {
		t.Errorf("%d actions are kept", n)
	}
}
