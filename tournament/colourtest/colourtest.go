// Package colourtest measures colours for tests.
package colourtest

import (
	"fmt"
	"math"
	"testing"
)

// Contrast returns WCAG's contrast ratio of two colours in the form #rrggbb.
func Contrast(t *testing.T, a, b string) float64 {
	t.Helper()
	x, y := luminance(t, a), luminance(t, b)
	return (max(x, y) + .05) / (min(x, y) + .05)
}

func luminance(t *testing.T, colour string) float64 {
	t.Helper()
	var rgb [3]uint8
	if n, err := fmt.Sscanf(colour, "#%02x%02x%02x", &rgb[0], &rgb[1], &rgb[2]); n != 3 {
		t.Fatalf("%q is no colour #rrggbb: %v", colour, err)
	}
	sum := 0.0
	for i, weight := range [3]float64{.2126, .7152, .0722} {
		v := float64(rgb[i]) / 255
		if v <= .04045 {
			v /= 12.92
		} else {
			v = math.Pow((v+.055)/1.055, 2.4)
		}
		sum += weight * v
	}
	return sum
}
