package paper

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode/utf16"

	"meldhall/templates/locale"
	"meldhall/templates/pdf"
	"meldhall/templates/pdf/pdftest"
)

var isTagged = regexp.MustCompile(`Tagged: +yes`)

// TestSheetsAreTagged checks that a program for blind readers finds the title and the language of every sheet, its
// heading, and all its texts in reading order: tables with header cells, steps as a list, QR codes with their address.
func TestSheetsAreTagged(t *testing.T) {
	all := sheets(5)
	for kind, parts := range map[string][]string{
		"standings": {"H1", `"Standings"`, "Table", "TR", "TH", "/Scope /Column", `"Player"`, "TD", `"山田太郎`},
		"names":     {"H1", "Table", "TH", `"Seat"`, "TD", `"山田太郎"`},
		"tables":    {"H1", "H2", `"Table"`, `"1"`, "P (block)", `"Maximiliane von Hohenstein-Wit"`},
		"going-on":  {"H1", "P (block)", "L (block)", "LI", "Lbl", `"1"`, "LBody"},
		"pairing":   {"H1", "L (block)", "H2", "Table", "TH", "/ColSpan 4", "TD"},
		"check-in":  {"H1", "Table", "TH", "TD"},
		"cards":     {"Sect", "Figure", "/BBox", "P (block)", `"Table 1"`},
		"prizes":    {"H1", "Table", "TH", `"Prize"`, "TD", `"2 players share these prizes"`},
		"receipts":  {"Sect", "H2", `"Receipt 1"`, "P (block)", `"Received from"`},
	} {
		out := document(t, t.Context(), pdf.A4, all[kind])
		if facts := pdftest.Facts(t, out); !strings.Contains(facts, " · Meisterschaft von Neuötting") ||
			!isTagged.MatchString(facts) {
			t.Errorf("%s: %s", kind, facts)
		}
		if !strings.Contains(string(out), "/Lang (en)") || !strings.Contains(string(out), "/DisplayDocTitle true") {
			t.Errorf("%s: it has no language, or viewers do not show its title", kind)
		}
		rest := pdftest.Structure(t, out)
		for _, part := range parts {
			_, after, found := strings.Cut(rest, part)
			if !found {
				t.Errorf("%s: %s does not follow in\n%s", kind, part, rest)
				break
			}
			rest = after
		}
	}
	if objects := pdftest.Objects(t, document(t, t.Context(), pdf.A4, all["cards"])); !strings.Contains(objects,
		"/Alt"+hexText("http://192.168.1.10:8080/join/SEAT0000")) {
		t.Error("a code on a card has no address for readers")
	}
}

// TestReadersHearTheOrderOfSpeech checks that texts that are drawn from right to left, on several lines or with a sign
// for a letter carry the text as it is written.
func TestReadersHearTheOrderOfSpeech(t *testing.T) {
	ctx := locale.WithLanguage(t.Context(), "he")
	one := Standings{About: about, Rows: ranks(3)}
	one.Rows[0].Name = "Anna 🎲 Rossi"
	objects := pdftest.Objects(t, document(t, ctx, pdf.A4, one))
	for _, text := range []string{"Anna 🎲 Rossi", "דנה כהן-אברהמי בן ציון", "محمد عبد الرحمن الأندلسي",
		locale.T(ctx, "nav.leaderboard")} {
		if !strings.Contains(objects, strings.TrimSuffix(strings.TrimPrefix(hexText(text), "<feff"), ">")) {
			t.Errorf("%s is not in the structure as it is written", text)
		}
	}
}

// TestStructureOfAReusedStamp checks that each score sheet of a table is read, though their common part is drawn once.
func TestStructureOfAReusedStamp(t *testing.T) {
	structure := pdftest.Structure(t, document(t, t.Context(), pdf.A4, sheets(4)["scores"]))
	if got := strings.Count(structure, "Maximiliane"); got != 2 {
		t.Errorf("the first player is read %d times in two sheets:\n%s", got, structure)
	}
}

// hexText returns a text as the string of a PDF.
func hexText(text string) string {
	out := "<feff"
	for _, unit := range utf16.Encode([]rune(text)) {
		out += fmt.Sprintf("%04x", unit)
	}
	return out + ">"
}
