package pagetest

import (
	"slices"
	"strings"
	"testing"

	"meldhall/engine/score"
	"meldhall/engine/tile"
	"meldhall/templates/locale"
	"meldhall/templates/public"

	"meldhall/templates/part"
)

func TestDrawnTilesAreMarkedOnce(t *testing.T) {
	for _, c := range []struct{ rack, drawn, want string }{
		{"R1 R5 R5 B9", "R5", "..x."},
		{"R1 R5 R5 B9", "R5 R5", ".xx."},
		{"R1 R5 R5 B9", "B9 R1", "x..x"},
		{"R1 R5", "", ".."},
	} {
		rack, err := tile.ParseFaces(c.rack)
		if err != nil {
			t.Fatal(err)
		}
		drawn, err := tile.ParseFaces(c.drawn)
		if err != nil {
			t.Fatal(err)
		}
		want := make([]bool, len(c.want))
		for i := range want {
			want[i] = c.want[i] == 'x'
		}
		if got := part.DrawnNow(rack, drawn); !slices.Equal(got, want) {
			t.Errorf("%s of %s: got %v, want %s", c.drawn, c.rack, got, c.want)
		}
	}
}

// TestAWinIsToldOnce checks that a win is mentioned once beside the points of a game.
func TestAWinIsToldOnce(t *testing.T) {
	ctx := locale.WithLanguage(t.Context(), "en")
	var out strings.Builder
	if err := public.PastPoints(score.Whole(25), score.Whole(1), false).Render(ctx, &out); err != nil ||
		strings.Count(out.String(), "1 win") != 1 {
		t.Errorf("%v: %s", err, out.String())
	}
}
