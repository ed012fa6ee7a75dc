// Package letters brings the East Asian letters of a page to devices that have no font with them. A page links a style
// sheet whose address contains the letters, and the sheet loads a font with only these. Both may be cached forever.
package letters

import (
	"bytes"
	"context"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/a-h/templ"
)

// most is the largest number of letters of one font. A page with more links several style sheets.
const most = 500

// inStyles lists the letters of the languages' own names, for which every page loads a font (languages.woff2). Alone,
// they need no other font.
const inStyles = "日本語한국어繁體中文"

// set is a set of the letters up to U+FFFF.
type set [1 << 10]uint64

func (s *set) add(r rune)      { s[r>>6] |= 1 << (r & 63) }
func (s *set) has(r rune) bool { return s[r>>6]&(1<<(r&63)) != 0 }

// eastern reports whether the font may have a letter: Han, kana, Hangul, and the marks used with them.
func eastern(r rune) bool {
	return 0x3000 <= r && r < 0x3100 || 0x3400 <= r && r < 0xA000 || 0xAC00 <= r && r < 0xD7A4 ||
		0xF900 <= r && r < 0xFB00 || 0xFF01 <= r && r < 0xFFF0
}

// in adds the East Asian letters of a text to s.
func (s *set) in(text []byte) {
	for i := 0; i < len(text); {
		if text[i] < 0xE3 { // the first byte of U+3000
			i++
			continue
		}
		r, size := utf8.DecodeRune(text[i:])
		if i += size; eastern(r) {
			s.add(r)
		}
	}
}

// linkedKey is the context key of the set of letters for which nested parts of the page have linked a font.
type linkedKey struct{}

// Linked renders its children, then links for the fonts with their East Asian letters and with those of more texts that
// scripts show. A nested Linked links its own.
func Linked(more ...string) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		var html bytes.Buffer
		var nested, shown set
		children := templ.GetChildren(ctx)
		err := children.Render(context.WithValue(templ.ClearChildren(ctx), linkedKey{}, &nested), &html)
		if err != nil {
			return err
		}
		shown.in(html.Bytes())
		for _, text := range more {
			shown.in([]byte(text))
		}
		if outer, ok := ctx.Value(linkedKey{}).(*set); ok {
			for i := range shown {
				outer[i] |= shown[i]
			}
		}
		for i := range shown {
			shown[i] &^= nested[i]
		}
		html.WriteString(links(&shown))
		_, err = w.Write(html.Bytes())
		return err
	})
}

// After returns a region with links for the fonts with its East Asian letters, as Linked renders it.
func After(region []byte) []byte {
	var shown set
	shown.in(region)
	if links := links(&shown); links != "" {
		return append(slices.Clip(region), links...)
	}
	return region
}

// links returns the elements that link the style sheets for the letters of s.
func links(s *set) string {
	if *s == (set{}) {
		return ""
	}
	var list []rune
	glyphOf := eastFont().glyphs()
	beyond := false
	for r := rune(0x3000); r <= 0xFFFF; r++ {
		if s[r>>6] == 0 {
			r |= 63
		} else if s.has(r) && glyphOf(r) != 0 {
			list, beyond = append(list, r), beyond || !strings.ContainsRune(inStyles, r)
		}
	}
	if !beyond {
		return ""
	}
	var links strings.Builder
	for part := range slices.Chunk(list, most) {
		address := Path + eastFont().version + "/" + encode(part) + "/" + SheetName
		links.WriteString(`<link rel="stylesheet" href="` + address + `">`)
	}
	return links.String()
}
