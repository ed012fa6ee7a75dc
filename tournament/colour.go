package tournament

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// contrastLeast is the least contrast of a text with its background (WCAG 2, 1.4.3).
const contrastLeast = 4.5

// The inks of a text on a tournament's colour. One of them always reaches contrastLeast.
const (
	inkLight = "#ffffff"
	inkDark  = "#000000"
)

// IsColour reports whether text is a colour in the form #rrggbb.
func IsColour(text string) bool {
	_, err := strconv.ParseUint(strings.TrimPrefix(text, "#"), 16, 32)
	return err == nil && len(text) == len("#rrggbb") && text[0] == '#'
}

// RGB returns the colour as red, green and blue from 0 to 255, black if there is none.
func (d Details) RGB() (rgb [3]int) { return rgbOf(d.Colour) }

// Contrast returns the colour's contrast with white paper, from 1 to 21, as WCAG 2 defines it.
func (d Details) Contrast() float64 { return contrast(d.Colour, inkLight) }

// Legible reports whether a text in the colour can be read on white paper.
func (d Details) Legible() bool { return d.Contrast() >= contrastLeast }

// InkOn returns the colour of a text on a background, both as #rrggbb: white where it is legible, otherwise black. The
// contrast is at least 4.5.
func InkOn(background string) string {
	if contrast(background, inkLight) >= contrastLeast {
		return inkLight
	}
	return inkDark
}

// Dimmed returns a colour for the dark theme: the colour itself if white is legible on it, otherwise a darker shade.
func Dimmed(colour string) string {
	for rgb := rgbOf(colour); contrast(colour, inkLight) < contrastLeast; {
		for i := range rgb {
			rgb[i] = rgb[i] * 15 / 16
		}
		colour = fmt.Sprintf("#%02x%02x%02x", rgb[0], rgb[1], rgb[2])
	}
	return colour
}

func rgbOf(colour string) (rgb [3]int) {
	n, _ := strconv.ParseUint(strings.TrimPrefix(colour, "#"), 16, 32)
	return [3]int{int(n >> 16 & 0xff), int(n >> 8 & 0xff), int(n & 0xff)}
}

// contrast returns the contrast of two colours, from 1 to 21, as WCAG 2 defines it.
func contrast(a, b string) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// luminance returns a colour's relative luminance, from 0 to 1, as WCAG 2 defines it.
func luminance(colour string) (sum float64) {
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		c := float64(rgbOf(colour)[i]) / 255
		if c <= 0.04045 {
			c /= 12.92
		} else {
			c = math.Pow((c+0.055)/1.055, 2.4)
		}
		sum += weight * c
	}
	return sum
}
