package templates

import (
	"fmt"
	"strings"

	"rsc.io/qr"
)

// qrPath draws the code of a text as one SVG path of horizontal bars, with the quiet zone of 4 modules
// around it, and gives the length of its side in modules. A text too long for any code gives "".
func qrPath(text string) (path string, side int) {
	code, err := qr.Encode(text, qr.M)
	if err != nil {
		return "", 0
	}
	const quiet = 4
	var d strings.Builder
	for y := range code.Size {
		for x := 0; x < code.Size; x++ {
			if !code.Black(x, y) {
				continue
			}
			from := x
			for x < code.Size && code.Black(x, y) {
				x++
			}
			fmt.Fprintf(&d, "M%d %dh%dv1h-%dz", from+quiet, y+quiet, x-from, x-from)
		}
	}
	return d.String(), code.Size + 2*quiet
}
