package paper

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"meldhall/engine/testmode"
	"meldhall/templates/locale"
	"meldhall/templates/pdf"
	"meldhall/templates/pdf/pdftest"
)

// TestNamesAreOnEverySheet checks that every sheet contains every name and embeds its fonts.
func TestNamesAreOnEverySheet(t *testing.T) {
	ctx := locale.WithLanguage(t.Context(), "he")
	for kind, sheet := range sheets(len(people)) {
		want := people
		switch kind {
		case "blank", "going-on":
			want = nil
		case "podium":
			want = people[:3]
		case "record":
			want = people[:4]
		}
		t.Run(kind, func(t *testing.T) {
			out := document(t, ctx, pdf.Letter, sheet)
			pdftest.Embedded(t, out)
			text := pdftest.Text(t, out)
			for _, p := range want {
				for _, word := range pdftest.Words(p.Name) {
					if !strings.Contains(text, word) {
						t.Errorf("%s of %s is not found", word, p.Name)
					}
				}
			}
			for _, faulty := range []string{"paper.", "{{", "%!", "<no value>"} {
				if strings.Contains(text, faulty) {
					t.Errorf("%q is on it: %s", faulty, text)
				}
			}
		})
	}
}

// TestCodesAreRead checks that the codes on cards, tickets and score sheets can be read, each as often as it appears.
func TestCodesAreRead(t *testing.T) {
	testmode.SkipUnlessLong(t)
	const players = 7
	at := tables(players)
	var cards, slips, tickets []string
	for i, table := range at {
		cards = append(cards, table.URL)
		slips = append(slips, table.Sheet, table.Sheet)
		for j := range table.Seats {
			cards = append(cards, table.Seats[j].URL)
			tickets = append(tickets, fmt.Sprintf("http://192.168.1.10:8080/ticket/T%04d", i*4+j))
		}
	}
	all := sheets(players)
	for kind, want := range map[string][]string{"cards": cards, "scores": slips, "tickets": tickets, "blank": nil} {
		slices.Sort(want)
		if got := pdftest.Codes(t, document(t, t.Context(), pdf.A4, all[kind])); !slices.Equal(got, want) {
			t.Errorf("%s: read %q, want %q", kind, got, want)
		}
	}
}

// TestNoCodeWhereNoneIs checks that a card has no code if its seat is taken, and that a blank sheet has none.
func TestNoCodeWhereNoneIs(t *testing.T) {
	at := tables(4)
	at[0].Code, at[0].URL = "", ""
	for i := range at[0].Seats {
		at[0].Seats[i].Code, at[0].Seats[i].URL = "", ""
	}
	out := document(t, t.Context(), pdf.A4, SeatCards{about, "http://192.168.1.10:8080/join", at})
	if codes := pdftest.Codes(t, out); len(codes) != 0 {
		t.Errorf("codes: %q", codes)
	}
	if text := pdftest.Text(t, out); strings.Contains(text, "/join") || !strings.Contains(text, "Święcicki") &&
		!strings.Contains(text, "山田太郎") {
		t.Errorf("the cards say: %s", text)
	}
}

// TestMarginsStayWhite checks that sheets leave the printer's margin of four millimetres white, except for cutting
// lines.
func TestMarginsStayWhite(t *testing.T) {
	testmode.SkipUnlessLong(t)
	for kind, sheet := range sheets(11) {
		for _, size := range pdf.Sizes {
			page := pdftest.Pictures(t, document(t, locale.WithLanguage(t.Context(), "he"), size, sheet), "50")[0]
			w, h := page.Bounds().Dx(), page.Bounds().Dy()
			for x := range w {
				for y := range h {
					if x > 7 && x < w-8 && y > 7 && y < h-8 {
						continue
					}
					if r, _, _, _ := page.At(x, y).RGBA(); r < 0x8000 {
						t.Fatalf("%s, %s: ink at %d, %d of %d, %d", kind, size.Name, x, y, w, h)
					}
				}
			}
		}
	}
}

// BenchmarkPack renders the packs of 200 and 400 players. The time per player should not grow.
func BenchmarkPack(b *testing.B) {
	for _, players := range []int{200, 400} {
		b.Run(fmt.Sprint(players), func(b *testing.B) {
			all := sheets(players)
			var size int
			for b.Loop() {
				size = len(document(b, b.Context(), pdf.A4, all["going-on"], all["names"], all["tables"],
					all["standings"], all["cards"], all["scores"], all["blank"]))
			}
			b.ReportMetric(float64(size), "bytes")
		})
	}
}
