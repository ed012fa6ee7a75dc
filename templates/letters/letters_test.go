package letters

import (
	"context"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/a-h/templ"
	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// written returns what Linked renders for parts, each within the one before it.
func written(t *testing.T, parts ...string) string {
	t.Helper()
	var page templ.Component = templ.NopComponent
	for _, text := range slices.Backward(parts) {
		inner := page
		page = templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
			if _, err := io.WriteString(w, text); err != nil {
				return err
			}
			return inner.Render(ctx, w)
		})
		child := page
		page = templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
			return Linked().Render(templ.WithChildren(ctx, child), w)
		})
	}
	var html strings.Builder
	if err := page.Render(t.Context(), &html); err != nil {
		t.Fatal(err)
	}
	return html.String()
}

var linked = regexp.MustCompile(`<link rel="stylesheet" href="` + Path + `([^"]+)">`)

// addresses returns the addresses of the linked style sheets, and for each of them its letters.
func addresses(t *testing.T, html string) (list, letters []string) {
	t.Helper()
	for _, m := range linked.FindAllStringSubmatch(html, -1) {
		found, err := decode(strings.Split(m[1], "/")[1])
		if err != nil {
			t.Fatal(err)
		}
		list, letters = append(list, m[1]), append(letters, string(found))
	}
	return list, letters
}

func TestAPageLinksItsLetters(t *testing.T) {
	for _, row := range []struct {
		name  string
		parts []string
		want  []string
	}{
		{"none of them", []string{"Zoë, Ελένη, Щербакова, אברהם, عبد ’…"}, nil},
		{"the languages' own names", []string{"日本語 한국어 繁體中文"}, nil},
		{"each once, in order", []string{"<b>山本さくら</b> 山 김 日"}, []string{"くさら山日本김"}},
		{"a nested part links its own", []string{"山 김", "<i>김박</i>"}, []string{"김박", "山"}},
		{"a letter that the font lacks", []string{"山\uF8FF㐀\uFAD9"}, []string{"山"}},
	} {
		if _, got := addresses(t, written(t, row.parts...)); !slices.Equal(got, row.want) {
			t.Errorf("%s: got %q, want %q", row.name, got, row.want)
		}
	}
	region := []byte("<p>山本さくら</p>")
	if got, want := string(After(region)), written(t, string(region)); got != want {
		t.Errorf("a region gets %q, a page %q", got, want)
	}
	if html := written(t, manyLetters()); len(linked.FindAllString(html, -1)) != 3 {
		t.Errorf("%d style sheets for %d letters", len(linked.FindAllString(html, -1)), len(manyLetters())/3)
	}
}

// manyLetters returns 2.5 times the letters of one font.
func manyLetters() string {
	var text strings.Builder
	for r := range rune(most * 5 / 2) {
		text.WriteRune(0x4E00 + r)
	}
	return text.String()
}

// TestAFontHasItsLetters checks that each letter keeps its width and its outline, with those of its parts.
func TestAFontHasItsLetters(t *testing.T) {
	names := "髙橋さくら・ヴァレンティーナ 김쀼뷁 햏욱 欧阳慕容司马诸葛 歐陽龍鳳 ５　①"
	list, letters := addresses(t, written(t, names+manyLetters()))
	whole, buffer := eastFont().parsed, new(sfnt.Buffer)
	for i, address := range list {
		ttf, ok := File(strings.TrimSuffix(address, SheetName) + FontName)
		if !ok {
			t.Fatal(address)
		}
		part, err := sfnt.Parse(ttf)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range letters[i] {
			var shapes [2]sfnt.Segments
			var widths [2]fixed.Int26_6
			for k, f := range []*sfnt.Font{whole, part} {
				glyph, err := f.GlyphIndex(buffer, r)
				if err != nil || glyph == 0 {
					t.Fatalf("%c: glyph %d, %v", r, glyph, err)
				}
				loaded, err := f.LoadGlyph(buffer, glyph, fixed.I(1000), nil)
				if err != nil {
					t.Fatalf("%c: %v", r, err)
				}
				shapes[k] = slices.Clone(loaded)
				if widths[k], err = f.GlyphAdvance(buffer, glyph, fixed.I(1000), font.HintingNone); err != nil {
					t.Fatalf("%c: %v", r, err)
				}
			}
			if !slices.Equal(shapes[0], shapes[1]) || widths[0] != widths[1] {
				t.Errorf("%c is another shape or width", r)
			}
		}
	}
}

func TestOnlyLinkedAddressesAreServed(t *testing.T) {
	list, _ := addresses(t, written(t, "山本さくら"))
	if sheet, ok := File(list[0]); !ok || string(sheet) != Sheet {
		t.Errorf("the style sheet is %q", sheet)
	}
	version, code := eastFont().version, strings.Split(list[0], "/")[1]
	tooMany := []rune(manyLetters())[:most+1]
	for _, address := range []string{"", "/", version, version + "//" + FontName, version + "/" + code,
		"00000000/" + code + "/" + FontName, version + "/" + code + "/other.ttf",
		version + "/" + code + "/x/" + FontName, version + "/" + code + "=/" + FontName,
		version + "/" + code + "A/" + FontName, version + "/" + encode([]rune{'a'}) + "/" + FontName,
		version + "/" + encode([]rune{0xFAD9}) + "/" + FontName,
		version + "/" + encode([]rune{0x1F600}) + "/" + FontName,
		version + "/" + encode([]rune{'山', '山'}) + "/" + FontName,
		version + "/" + encode(tooMany) + "/" + FontName,
		version + "/" + strings.Repeat("A", 1<<16) + "/" + FontName} {
		if _, ok := File(address); ok {
			t.Errorf("%.80q is served", address)
		}
	}
}

// FuzzFile checks that no address makes the server fail.
func FuzzFile(f *testing.F) {
	version := eastFont().version
	f.Add(encode([]rune("さ山김")))
	f.Add("z2AGNBgCIwQiBwEIjjpBSg")
	f.Fuzz(func(t *testing.T, code string) {
		ttf, ok := File(version + "/" + code + "/" + FontName)
		if !ok {
			return
		}
		if _, err := sfnt.Parse(ttf); err != nil {
			t.Errorf("%q: %v", code, err)
		}
	})
}

func BenchmarkCut(b *testing.B) {
	letters := []rune(manyLetters())[:most]
	for b.Loop() {
		cut(letters)
	}
}

func BenchmarkLinked(b *testing.B) {
	row := `<li class="row"><bdi>山本さくら</bdi></li>` + strings.Repeat("<b>text</b>", 30)
	page := []byte(strings.Repeat(row, 100))
	b.SetBytes(int64(len(page)))
	for b.Loop() {
		After(page)
	}
}
