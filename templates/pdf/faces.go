package pdf

import (
	"embed"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

//go:embed fonts/*.ttf
var fontFiles embed.FS

// face is a font of the program with how wide each of its letters is.
type face struct {
	name    string // of its file
	ttf     []byte
	widths  []uint16 // by letter, in thousandths of the size; none where the face has not got it
	thicken bool     // it has no bold of its own: its strokes are drawn over
}

const none = 0xFFFF

func (f *face) has(r rune) bool { return int(r) < len(f.widths) && f.widths[r] != none }

// weights are the faces of a weight, in the order in which a letter looks for one that has it.
type weights struct{ regular, bold []*face }

// faces are all faces. Their letters are looked up once.
var faces = sync.OnceValue(func() weights {
	eastern := load("eastern")
	thick := *eastern
	thick.thicken = true
	return weights{
		regular: []*face{load("latin-regular"), load("hebrew-regular"), load("arabic-regular"), eastern},
		bold:    []*face{load("latin-bold"), load("hebrew-bold"), load("arabic-bold"), &thick},
	}
})

func (w weights) of(bold bool) []*face {
	if bold {
		return w.bold
	}
	return w.regular
}

// Font is the file of a face that the program carries; that it can be read is tested.
func Font(name string) []byte {
	ttf, err := fontFiles.ReadFile("fonts/" + name + ".ttf")
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

// Lacks are the letters of a text that no face has: they are printed as question marks.
func Lacks(text string) (lacks []rune) {
	for _, r := range printable(text) {
		if faceOf(faces().regular, r) == nil && !invisible(r) {
			lacks = append(lacks, r)
		}
	}
	return lacks
}

func faceOf(among []*face, r rune) *face {
	for _, f := range among {
		if f.has(r) {
			return f
		}
	}
	return nil
}
