package tournament_test

import (
	"fmt"
	"testing"

	"meldhall/tournament"
	"meldhall/tournament/colourtest"
)

// TestInkOnColours checks that a text is legible on every colour of a tournament, and in the dark theme on its shade,
// over which white is written. The contrast is computed anew, as WCAG 2 defines it.
func TestInkOnColours(t *testing.T) {
	for _, row := range [][2]string{{"#ffffff", "#000000"}, {"#000000", "#ffffff"}, {"#0e4d86", "#ffffff"},
		{"#ffcc00", "#000000"}, {"#777777", "#000000"}, {"#767676", "#ffffff"}, {"#e00000", "#ffffff"}} {
		if got := tournament.InkOn(row[0]); got != row[1] {
			t.Errorf("on %s: got %s, want %s", row[0], got, row[1])
		}
	}
	least, dim := 21.0, 21.0
	for n := 0; n < 1<<24; n += 0x030507 {
		colour := fmt.Sprintf("#%06x", n)
		shade := tournament.Dimmed(colour)
		least = min(least, colourtest.Contrast(t, colour, tournament.InkOn(colour)))
		dim = min(dim, colourtest.Contrast(t, shade, tournament.InkOn(shade)))
		if tournament.InkOn(shade) != "#ffffff" {
			t.Errorf("%s: the shade %s takes no white text", colour, shade)
		}
	}
	if least < 4.5 || dim < 4.5 {
		t.Errorf("the least contrasts are %.2f and %.2f, want 4.5", least, dim)
	}
}
