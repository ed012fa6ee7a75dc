package paper

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"meldhall/templates/locale"
	"meldhall/templates/pdf"
	"meldhall/templates/pdf/pdftest"
)

// emblem returns a round logo with transparent corners.
func emblem(t *testing.T) []byte {
	t.Helper()
	const side = 300
	picture := image.NewNRGBA(image.Rect(0, 0, side, side))
	for x := range side {
		for y := range side {
			if dx, dy := x-side/2, y-side/2; dx*dx+dy*dy < side*side/4 {
				picture.Set(x, y, color.NRGBA{R: 190, G: uint8(40 + y/4), B: 50, A: 255})
			}
		}
	}
	var out bytes.Buffer
	if err := png.Encode(&out, picture); err != nil {
		t.Fatal(err)
	}
	logo, err := pdf.Logo(out.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return logo
}

// TestCertificates checks what a certificate says: the place in words, also a shared one, the event, its place and
// days, and both signers with their functions, in the language of the sheet. Long names stay whole.
func TestCertificates(t *testing.T) {
	rows := ranks(5)
	rows[1].Rank, rows[2].Rank = "=2", "=2"
	rows[4].Rank = "12"
	s := Certificates{About: about, Rows: rows}
	s.Logo = emblem(t)
	for tag, want := range map[string][]string{
		"en": {"Certificate", "awarded to", "First place", "Shared second place", "Place 4", "Place 12",
			"For the organizer", "Chief referee"},
		"it": {"Attestato", "Primo posto", "Secondo posto a pari merito", "12o posto", "Arbitro principale"},
		"he": {"תעודה", "מקום ראשון", "מקום שני משותף", "שופט ראשי"},
	} {
		out := document(t, locale.WithLanguage(t.Context(), tag), pdf.A4, s)
		if *look != "" {
			if err := os.WriteFile(filepath.Join(*look, "certificate-"+tag+".pdf"), out, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		text := strings.Join(strings.Fields(pdftest.Text(t, out)), " ")
		for _, want := range append(want, "Maximiliane von Hohenstein-Wit", "Meisterschaft von Neuötting", "Stadthalle",
			"Spielkreis Neuötting e. V.", "Dr. Friederike Mayer-Lindenberg") {
			if !strings.Contains(text, want) {
				t.Errorf("%s: %q is not found in %s", tag, want, text)
			}
		}
		if pages := strings.Count(pdftest.Structure(t, out), "Figure"); pages != len(rows) {
			t.Errorf("%s: %d logos", tag, pages)
		}
	}
	s.Organizer, s.Referee = "", ""
	if text := pdftest.Text(t, document(t, t.Context(), pdf.Letter, s)); strings.Contains(text, "Neuötting e. V.") ||
		!strings.Contains(text, "Chief referee") {
		t.Errorf("without names: %s", text)
	}
}
