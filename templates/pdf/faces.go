package pdf

import (
	"embed"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"

	"meldhall/templates/packed"
)

//go:embed fonts/*.ttf
var fontFiles embed.FS

// face is one of the program's fonts with the widths of its letters.
type face struct {
	name    string // file name
	ttf     []byte
	widths  []uint16 // by letter, in thousandths of the size; none if it has no such letter
	thicken bool     // has no bold variant: the outlines are drawn over
}

const none = 0xFFFF

func (f *face) has(r rune) bool { return int(r) < len(f.widths) && f.widths[r] != none }

// weights lists the faces of each weight, in the order in which they are searched for a letter.
type weights struct{ regular, bold, serif []*face }

// faces returns all faces, which are loaded once.
var faces = sync.OnceValue(func() weights {
	eastern := load("eastern")
	thick := *eastern
	thick.thicken = true
	var w weights
	for _, script := range []string{"latin", "hebrew", "arabic", "georgian", "armenian"} {
		w.regular = append(w.regular, load(script+"-regular"))
		w.bold = append(w.bold, load(script+"-bold"))
	}
	w.regular, w.bold = append(w.regular, eastern), append(w.bold, &thick)
	w.serif = append([]*face{load("serif"), load("serif-hebrew")}, w.regular...)
	return w
})

func (w weights) of(bold bool) []*face {
	if bold {
		return w.bold
	}
	return w.regular
}

// Font returns the file of one of the program's faces. It panics if there is no such file; tests check that all exist.
func Font(name string) []byte {
	ttf, err := fontFiles.ReadFile("fonts/" + name + ".ttf")
	if err == nil {
		ttf, err = packed.Read(ttf)
	}
	if err != nil {
		panic(err)
	}
	return ttf
}

func load(name string) *face {
	ttf := Font(name)
	parsed, err := sfnt.Parse(ttf)
	if err != nil {
		panic(err)
	}
	f := &face{name: name, ttf: ttf, widths: make([]uint16, 1<<16)}
	var buffer sfnt.Buffer
	for r := range f.widths {
		f.widths[r] = none
		glyph, err := parsed.GlyphIndex(&buffer, rune(r))
		if err != nil || glyph == 0 {
			continue
		}
		if width, err := parsed.GlyphAdvance(&buffer, glyph, fixed.I(1000), font.HintingNone); err == nil {
			f.widths[r] = uint16(width.Round())
		}
	}
	return f
}

func faceOf(among []*face, r rune) *face {
	for _, f := range among {
		if f.has(r) {
			return f
		}
	}
	return nil
}
