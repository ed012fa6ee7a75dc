package preview

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/image/font"
	"golang.org/x/image/math/fixed"
)

// names are long names in the scripts that people enter them in, most of them with at most thirty letters.
var names = []string{"Maximiliane Hohenstein-Wittgens", "Александра Константинопольская",
	"שרה-לאה אברהמי בן ציון הלוי כהן", "欧阳修远司马相如诸葛孔明上官婉儿慕容复独孤求败令狐冲西门吹雪",
	"さくらナカムラ山田太郎佐藤花子鈴木一郎高橋みなみ田中けんじ", "김민준박서연이도윤최지우정하준강서현조은우윤지호임수아한예준", "محمد عبد الرحمن الأندلسي",
	"Παναγιώτης Παπαδόπουλος", "Nguyễn Thị Hồng Nhung",
	"Łukasz Święcicki", "Þórður Ægisson", "דָּנָה לֵוִי"}

// ofNames returns a card with a name in each row and long texts everywhere else.
func ofNames(rtl bool, names ...string) Card {
	c := Card{RTL: rtl, Over: names[0] + " " + names[0], Title: names[0] + " " + names[1%len(names)],
		Under: "Standings · Final, round 12", Footer: strings.Repeat(names[0]+" ", 3)}
	for i := range RowsMost {
		c.Rows = append(c.Rows, Row{Mark: "=10", Name: names[i%len(names)], Note: "12 wins · provisional",
			Value: "+1245½"})
	}
	return c
}

// keep writes a card to the folder in MELDHALL_PICTURES, for viewing.
func keep(t *testing.T, name string, picture []byte) {
	t.Helper()
	if dir := os.Getenv("MELDHALL_PICTURES"); dir != "" {
		if err := os.WriteFile(filepath.Join(dir, "card-"+name+".png"), picture, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestCardsAreSmall checks that a card with thirty-letter names in any script is 1200×630 pixels and at most 150 KB,
// and that drawing it again gives identical bytes.
func TestCardsAreSmall(t *testing.T) {
	most := 0
	for i, name := range names {
		for _, rtl := range []bool{false, true} {
			c := ofNames(rtl, name, names[(i+1)%len(names)], names[(i+2)%len(names)], names[(i+3)%len(names)])
			picture, err := c.Draw()
			if err != nil {
				t.Fatal(err)
			}
			if again, _ := c.Draw(); !bytes.Equal(picture, again) {
				t.Errorf("%s is drawn otherwise the second time", name)
			}
			config, err := png.DecodeConfig(bytes.NewReader(picture))
			if err != nil || config.Width != 1200 || config.Height != 630 || len(picture) > 150_000 {
				t.Errorf("%s: %d × %d, %d bytes, %v", name, config.Width, config.Height, len(picture), err)
			}
			most = max(most, len(picture))
		}
	}
	t.Logf("at most %d bytes", most)
	for name, c := range map[string]Card{"names": ofNames(false, names[0], names[1], names[2], names[3]),
		"names-he": ofNames(true, names[2], names[0], names[3], names[5]),
		"empty":    {Title: "Cup", Footer: "Bern"}, "empty-he": {RTL: true, Title: "גביע", Footer: "חיפה"},
		"nothing": {}} {
		picture, err := c.Draw()
		if err != nil {
			t.Fatal(err)
		}
		keep(t, name, picture)
	}
}

// inked returns the pixels of a text that is drawn alone.
func inked(words string, bold bool) map[image.Point]bool {
	p := newPicture(false)
	p.write(40, 80, 40, ivory, bold, words)
	return p.ink()
}

func (p *picture) ink() map[image.Point]bool {
	drawn := map[image.Point]bool{}
	for y := range 120 {
		for x := range Width {
			if p.dots.RGBAAt(x, y).A > 0x80 {
				drawn[image.Point{X: x, Y: y}] = true
			}
		}
	}
	return drawn
}

// TestLettersAreSeen checks that every letter of every name is visible: it is not blank, not the placeholder box of a
// letter missing from the font, and not a question mark.
func TestLettersAreSeen(t *testing.T) {
	letters := map[rune]bool{}
	for _, r := range strings.Join(append(names, "…"), "") {
		letters[r] = true
	}
	delete(letters, ' ')
	for r := rune(0x5B0); r < 0x5C8; r++ {
		delete(letters, r) // vowel points, which names are readable without
	}
	for _, bold := range []bool{false, true} {
		bad := []map[image.Point]bool{inked("?", bold)}
		for _, name := range []string{"latin-regular", "latin-bold", "hebrew-regular", "hebrew-bold", "arabic-regular",
			"arabic-bold", "eastern"} {
			p := newPicture(false)
			d := font.Drawer{Dst: p.dots, Src: image.NewUniform(ivory), Face: p.face(name, 40), Dot: fixed.P(40, 80)}
			d.DrawString("\uE000")
			bad = append(bad, p.ink())
		}
		for _, r := range slices.Sorted(maps.Keys(letters)) {
			picture := inked(string(r), bold)
			if len(picture) == 0 || slices.ContainsFunc(bad,
				func(b map[image.Point]bool) bool { return maps.Equal(b, picture) }) {
				t.Errorf("%q (%U) is not seen, bold %v", r, r, bold)
			}
		}
	}
	if !maps.Equal(inked("𠮷", false), inked("□", false)) {
		t.Error("a letter that no face has is no square")
	}
}

// TestHebrewIsReadFromRight checks that a Hebrew name is drawn in its reading direction even in a left-to-right card,
// and that the number beside it is not reversed.
func TestHebrewIsReadFromRight(t *testing.T) {
	for _, rtl := range []bool{false, true} {
		p, want := newPicture(rtl), newPicture(rtl)
		p.write(40, 80, 40, ivory, false, own("דנה 12"))
		d := font.Drawer{Dst: want.dots, Src: image.NewUniform(ivory), Face: want.face("latin-regular", 40),
			Dot: fixed.P(40, 80)}
		d.DrawString("12 ")
		d.Face = want.face("hebrew-regular", 40)
		d.DrawString("הנד")
		if !maps.Equal(p.ink(), want.ink()) {
			t.Errorf("right to left %v: it is not 12, he, nun, dalet from left to right", rtl)
		}
	}
	p := newPicture(true)
	p.text(text{at: margin, y: 80, wide: 600, size: 40, ink: ivory}, own("דנה"))
	for dot := range p.ink() {
		if dot.X < Width/2 {
			t.Fatal("a name begins on the left of a card that is read from right to left")
		}
	}
}

// TestWhatHasNoRoomEndsInAnEllipsis checks that a text that does not fit ends in an ellipsis and stays within its
// width, in any script, and that a text that fits is not cut.
func TestWhatHasNoRoomEndsInAnEllipsis(t *testing.T) {
	for _, rtl := range []bool{false, true} {
		p := newPicture(rtl)
		for _, name := range names {
			got := p.fitted(own(name), 100, 40, true)
			if !strings.HasSuffix(got, "…") || p.width(got, 40, true) > 100 ||
				!strings.HasPrefix(own(name), strings.TrimSuffix(got, "…")) {
				t.Errorf("%q became %q, %d wide", name, got, p.width(got, 40, true))
			}
			if got := p.fitted(own(name), 1200, 24, true); got != own(name) {
				t.Errorf("%q was cut to %q", name, got)
			}
		}
	}
	// No name overlaps its neighbours.
	for _, rtl := range []bool{false, true} {
		c := ofNames(rtl, strings.Repeat("Wittgenstein", 9))
		p := newPicture(rtl)
		p.rows(c.Rows, 200)
		for x := 0; x < margin-1; x++ {
			for _, at := range []int{x, Width - 1 - x} {
				for y := range Height {
					if p.dots.RGBAAt(at, y) != (color.RGBA{}) {
						t.Fatalf("right to left %v: something is drawn at %d, %d", rtl, at, y)
					}
				}
			}
		}
	}
}

// TestWords checks that Words returns every text of a card, and that the image has these texts as its description.
func TestWords(t *testing.T) {
	c := Card{Over: "a", Title: "b", Under: "c", Rows: []Row{{"d", "e", "f", "g"}}, Footer: "ö"}
	if got := strings.Join(c.Words(), ""); got != "abcdefgö" {
		t.Errorf("got %q", got)
	}
	picture, err := c.Draw()
	if _, bad := png.Decode(bytes.NewReader(picture)); err != nil || bad != nil ||
		!bytes.Contains(picture, []byte("Description\x00\x00\x00\x00\x00a\nb\nc\nd\ne\nf\ng\nö")) {
		t.Errorf("%v %v: %q", err, bad, picture[:90])
	}
}
