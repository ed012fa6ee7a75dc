package part

import (
	"fmt"
	"strings"

	"rsc.io/qr"
)

// QrPath encodes a text as a QR code and returns it as one SVG path of horizontal bars with a quiet zone of 4 modules
// around it, and the side length in modules. If the text is too long for any code, path is "".
func QrPath(text string) (path string, side int) {
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
