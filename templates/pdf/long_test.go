package pdf

import (
	"strings"
	"testing"

	"meldhall/templates/pdf/pdftest"
)

// TestLongCodeIsRead checks that a code on a certificate can be read with as long a text as the proof of one of 1,000
// players in a log of a million leaves with two witnesses. Printers have at least 300 dots per inch.
func TestLongCodeIsRead(t *testing.T) {
	text := strings.Repeat("— witness/club 9Y3KdAAAAABrDc4HaMkG66IMCXEN7r\n", 100)[:1899] + "\n"
	document := drawn(t, false, func(d *Doc) { d.LongQR(20, 40, 44, text, "a proof") })
	if got := pdftest.LongCode(t, document, "300")[0]; got != text+"\n" {
		t.Errorf("read %d of %d bytes", len(got), len(text))
	}
}
