package pdf

import (
	"bytes"
	"image"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"meldhall/data"
	"meldhall/templates/pdf/pdftest"
)

// names are names in the scripts that people enter them in, most of them with at most thirty letters.
var names = []string{"Maximiliane von Hohenstein-Wittgenstein", "דנה כהן", "שרה-לאה אברהמי בן ציון",
	"محمد عبد الرحمن الأندلسي", "پریسا رضایی", "山田太郎", "佐藤さくら",
	"ナカムラ", "김민준 박서연", "王小明", "陳怡君", "欧阳震华", "Παναγιώτης Παπαδόπουλος", "Александра Преображенская",
	"Nguyễn Thị Hồng Nhung", "Łukasz Święcicki", "Þórður Ægisson",
	"İsmet Çağlar", "דָּנָה לֵוִי", "გიორგი ბერიძე", "Արամ Խաչատրյան"}

func drawn(t *testing.T, rtl bool, draw func(*Doc)) []byte {
	t.Helper()
	d := New(A4, "en", rtl, "Names", time.Unix(1_000_000_000, 0))
	d.Begin(Head{Event: "Event", Title: "Names"}, func(page, of int) (string, string) { return "foot", "1" })
	draw(d)
	var document bytes.Buffer
	if err := d.Write(&document); err != nil {
		t.Fatal(err)
	}
	return document.Bytes()
}

// TestLettersAreSeen checks that every letter of every name is visible: it is not blank, not the placeholder box of a
// letter missing from the font, and not a question mark.
func TestLettersAreSeen(t *testing.T) {
	const side, perRow, inside = 8.0, 20, 0.02 // slightly inside a pixel, so that all fall on one alike
	letters := map[rune]bool{}
	for _, r := range strings.Join(names, "") {
		for _, shown := range printable(string(r)) {
			letters[shown] = shown != ' '
		}
	}
	delete(letters, ' ')
	all := slices.Sorted(maps.Keys(letters))
	for _, bold := range []bool{false, true} {
		at := func(i int) (x, y float64) {
			return Margin + float64(i%perRow)*side + inside, 40 + float64(i/perRow)*side + inside
		}
		document := drawn(t, false, func(d *Doc) {
			for i, r := range append([]rune{'?'}, all...) {
				x, y := at(i + len(faces().regular))
				d.Fill(x, y, side, side, string(r), Style{Size: 16, Bold: bold})
			}
			for i, f := range faces().of(bold) {
				x, y := at(i)
				d.use(f, 16)
				d.f.Text(x, y+(side-16*point)/2+16*point*(ascent+0.1), "\uE000") // the position that Fill uses
			}
		})
		page := pdftest.Pictures(t, document, "127")[0]
		cell := func(i int) map[image.Point]bool {
			x, y := at(i)
			return ink(page, x, y, side)
		}
		for i, r := range all {
			picture := cell(i + len(faces().regular) + 1)
			if len(picture) == 0 {
				t.Errorf("%q (%U) is not seen, bold %v", r, r, bold)
			}
			for bad := range len(faces().regular) + 1 {
				if alike(picture, cell(bad)) {
					t.Errorf("%q (%U) is a box or a question mark, bold %v", r, r, bold)
				}
			}
		}
	}
}

// alike reports whether two images are the same except for rounding at edges.
func alike(a, b map[image.Point]bool) bool {
	differ := 0
	for _, pair := range [2][2]map[image.Point]bool{{a, b}, {b, a}} {
		for dot := range pair[0] {
			if !pair[1][dot] {
				differ++
			}
		}
	}
	return differ*8 < len(b)
}

// ink returns the drawn pixels in a part of a page.
func ink(page image.Image, x, y, side float64) map[image.Point]bool {
	const dots = 5 // per millimetre at 127 dpi, so that every cell starts at a pixel
	drawn := map[image.Point]bool{}
	for row := range int(side * dots) {
		for column := range int(side * dots) {
			if r, _, _, _ := page.At(int(x*dots)+column, int(y*dots)+row).RGBA(); r < 0x9000 {
				drawn[image.Point{X: column, Y: row}] = true
			}
		}
	}
	return drawn
}

// TestNamesAreFound checks that every name can be found in a document, and that the fonts of all letters are embedded.
func TestNamesAreFound(t *testing.T) {
	for _, rtl := range []bool{false, true} {
		document := drawn(t, rtl, func(d *Doc) {
			for _, name := range names {
				d.Flow(Margin, d.Wide(), "\u2068"+name+"\u2069", Style{Size: 12, Bold: true})
				d.Flow(Margin, d.Wide(), "\u2068"+name+"\u2069", Style{Size: 12})
			}
		})
		pdftest.Embedded(t, document)
		text := pdftest.Text(t, document)
		for _, name := range names {
			for _, word := range pdftest.Words(name) {
				if strings.Count(text, word) < 2 {
					t.Errorf("%s of %s is not found, right to left %v", word, name, rtl)
				}
			}
		}
	}
}

// TestTextsHaveLetters checks that every letter of the program's texts can be printed.
func TestTextsHaveLetters(t *testing.T) {
	for _, tag := range []string{"en", "it", "he"} {
		texts, err := data.Locales.ReadFile("locales/" + tag + ".json")
		if err != nil {
			t.Fatal(err)
		}
		if lacks := Lacks(string(texts)); len(lacks) > 0 {
			t.Errorf("%s: %q", tag, lacks)
		}
	}
	if got := string(Lacks("a𠮷b\u2068ג\u2069")); got != "𠮷" {
		t.Errorf("a letter that no face has: %q", got)
	}
}

// TestSameBytes checks that equal content gives identical bytes.
func TestSameBytes(t *testing.T) {
	draw := func(d *Doc) {
		for _, name := range names {
			d.Flow(Margin, d.Wide(), name, Style{Size: 12})
		}
	}
	first := drawn(t, false, draw)
	if again := drawn(t, false, draw); !bytes.Equal(first, again) {
		t.Error("two documents of the same differ")
	}
}

// TestCodeIsRead checks that a QR code can be read back next to other content, and that a text too long for one is left
// out.
func TestCodeIsRead(t *testing.T) {
	const address = "http://192.168.178.120:8080/join/ABCD-EFGH"
	document := drawn(t, true, func(d *Doc) {
		d.QR(Margin, d.Y, 30, address)
		d.QR(Margin+40, d.Y, 30, strings.Repeat("x", 5000))
	})
	if got := pdftest.Codes(t, document); !slices.Equal(got, []string{address}) {
		t.Errorf("read: %q", got)
	}
}

// TestTextsStayInTheirBoxes checks that a text stays in its box: it shrinks, and breaks where permitted or, if
// necessary, anywhere.
func TestTextsStayInTheirBoxes(t *testing.T) {
	d := New(A4, "en", false, "Boxes", time.Unix(0, 0))
	for _, c := range []struct {
		text  string
		width float64
		lines int
	}{
		{"Anna Rossi", 40, 1}, {"Anna Rossi", 15, 2}, {"山田太郎山田太郎", 20, 2}, {"Wwwwwwwwwwwwwwwwwwwwwwwwwwwwww", 30, 4},
		{"", 10, 1},
	} {
		lines := d.lines(c.text, c.width, 12, faces().regular, true)
		if len(lines) != c.lines {
			t.Errorf("%q in %v mm: %q, want %d lines", c.text, c.width, lines, c.lines)
		}
		for _, line := range lines {
			if wide := float64(width(runs(line, false, faces().regular))) * 12 * point / 1000; wide > c.width+0.1 {
				t.Errorf("%q is %.1f mm wide of %v", line, wide, c.width)
			}
		}
		if got := strings.Join(lines, ""); strings.ReplaceAll(got, " ", "") != strings.ReplaceAll(c.text, " ", "") {
			t.Errorf("of %q is left %q", c.text, got)
		}
	}
	got := d.lines("\u2068Anna Maria\u2069 and Bob", 20, 12, faces().regular, true)
	if len(got) < 2 || got[1][:3] != "\u2068" {
		t.Errorf("an isolate over two lines: %+q", got)
	}
}
