package preview

import (
	"image"
	"image/color"
	"image/draw"
	"sync"
	"unicode"

	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"

	"meldhall/templates/pdf"
)

// picture is the canvas of a card. Positions are measured from the side on which reading starts.
type picture struct {
	dots  *image.RGBA
	rtl   bool
	faces map[faceAt]font.Face
}

type faceAt struct {
	name string
	size int
}

func newPicture(rtl bool) *picture {
	return &picture{dots: image.NewRGBA(image.Rect(0, 0, Width, Height)), rtl: rtl, faces: map[faceAt]font.Face{}}
}

// fonts caches the parsed font files.
var fonts sync.Map // by name, of *opentype.Font

// face returns a font in a size. Tests check that every font can be parsed.
func (p *picture) face(name string, size int) font.Face {
	key := faceAt{name, size}
	if f, ok := p.faces[key]; ok {
		return f
	}
	parsed, ok := fonts.Load(name)
	if !ok {
		read, err := opentype.Parse(pdf.Font(name))
		if err != nil {
			panic(err)
		}
		parsed, _ = fonts.LoadOrStore(name, read)
	}
	f, err := opentype.NewFace(parsed.(*opentype.Font), &opentype.FaceOptions{Size: float64(size), DPI: 72,
		Hinting: font.HintingNone})
	if err != nil {
		panic(err)
	}
	p.faces[key] = f
	return f
}

// text is how a line is written: at a distance from the side on which reading starts or, with end, from the other side,
// on a baseline and within a width. A text that does not fit is shrunk, down to least, before it is cut.
type text struct {
	at, y, wide, size, least int
	ink                      color.RGBA
	bold, end                bool
}

func (p *picture) text(t text, words string) {
	for t.size > t.least && t.least > 0 && p.width(words, t.size, t.bold) > t.wide {
		t.size -= 2
	}
	words = p.fitted(words, t.wide, t.size, t.bold)
	left := t.at
	if t.end != p.rtl {
		left = Width - t.at - p.width(words, t.size, t.bold)
	}
	p.write(left, t.y, t.size, t.ink, t.bold, words)
}

// write draws a line from left to right.
func (p *picture) write(left, y, size int, ink color.RGBA, bold bool, words string) {
	dot := fixed.P(left, y)
	for _, piece := range pdf.Line(words, p.rtl, bold) {
		face := p.face(piece.Font, size)
		times := 1
		if piece.Thicken {
			times = 3
		}
		var end fixed.Point26_6
		for i := range times {
			d := font.Drawer{Dst: p.dots, Src: image.NewUniform(ink), Face: face,
				Dot: dot.Add(fixed.Point26_6{X: fixed.Int26_6(i * size)})}
			d.DrawString(piece.Text)
			end = d.Dot
		}
		dot = end
	}
}

// width returns the width of a line.
func (p *picture) width(words string, size int, bold bool) int {
	var sum fixed.Int26_6
	for _, piece := range pdf.Line(words, p.rtl, bold) {
		sum += font.MeasureString(p.face(piece.Font, size), piece.Text)
		if piece.Thicken {
			sum += fixed.Int26_6(2 * size)
		}
	}
	return sum.Ceil()
}

// fitted returns as much of a line as fits, with an ellipsis for the rest.
func (p *picture) fitted(words string, wide, size int, bold bool) string {
	if p.width(words, size, bold) <= wide {
		return words
	}
	runes := []rune(words)
	for len(runes) > 1 {
		runes = runes[:len(runes)-1]
		for len(runes) > 1 && (unicode.IsSpace(runes[len(runes)-1]) || unicode.Is(unicode.M, runes[len(runes)-1])) {
			runes = runes[:len(runes)-1]
		}
		if short := string(runes) + "…"; p.width(short, size, bold) <= wide {
			return short
		}
	}
	return "…"
}

func (p *picture) rect(x0, y0, x1, y1 int, c color.RGBA) {
	draw.Draw(p.dots, image.Rect(x0, y0, x1, y1), image.NewUniform(c), image.Point{}, draw.Src)
}

// band draws a bar at a distance from the side on which reading starts.
func (p *picture) band(at, y, wide, high int, c color.RGBA) {
	if p.rtl {
		at = Width - at - wide
	}
	p.rect(at, y, at+wide, y+high, c)
}

// tile draws a tile with a number on it.
func (p *picture) tile(at, y, wide, high int, number string, ink color.RGBA) {
	if p.rtl {
		at = Width - at - wide
	}
	p.rounded(at, y+(high+8)/16, wide, high, side)
	p.rounded(at, y, wide, high, ivory)
	size := high * 60 / 100
	for size > 8 && p.width(number, size, true) > wide*84/100 {
		size--
	}
	left := at + (wide-p.width(number, size, true))/2
	p.write(left, y+high/2+size*36/100, size, ink, true, number)
}

// rounded draws a rectangle with rounded corners.
func (p *picture) rounded(left, top, wide, high int, c color.RGBA) {
	const bend = 0.5523 // length of a quarter circle's Bézier handles
	r := vector.NewRasterizer(wide, high)
	w, h := float32(wide), float32(high)
	round := w * 0.16
	k := round * (1 - bend)
	r.MoveTo(round, 0)
	r.LineTo(w-round, 0)
	r.CubeTo(w-k, 0, w, k, w, round)
	r.LineTo(w, h-round)
	r.CubeTo(w, h-k, w-k, h, w-round, h)
	r.LineTo(round, h)
	r.CubeTo(k, h, 0, h-k, 0, h-round)
	r.LineTo(0, round)
	r.CubeTo(0, k, k, 0, round, 0)
	r.ClosePath()
	r.Draw(p.dots, image.Rect(left, top, left+wide, top+high), image.NewUniform(c), image.Point{})
}

// palette holds the colours of a card and, for each text colour, the shades between it and its backgrounds, for the
// edges.
var palette = func() (all color.Palette) {
	const steps = 15
	for _, pair := range [][]color.RGBA{{felt, ivory, gold, pale, line, side}, {lane, ivory, pale, side, felt},
		{ivory, red, blue, dark, orange, side}} {
		for _, ink := range pair[1:] {
			for i := range steps {
				all = append(all, color.RGBA{between(pair[0].R, ink.R, i, steps), between(pair[0].G, ink.G, i, steps),
					between(pair[0].B, ink.B, i, steps), 0xFF})
			}
		}
	}
	return append(all, ivory, gold, pale, line, side, felt, red, blue, dark, orange)
}()

func between(from, to uint8, step, steps int) uint8 {
	return uint8(int(from) + (int(to)-int(from))*step/steps)
}

// few converts the image to the palette. The difference is not visible, and the file is half the size.
func (p *picture) few() image.Image {
	few := image.NewPaletted(p.dots.Bounds(), palette)
	known := map[color.RGBA]uint8{}
	for y := range Height {
		for x := range Width {
			c := p.dots.RGBAAt(x, y)
			at, ok := known[c]
			if !ok {
				at = uint8(palette.Index(c))
				known[c] = at
			}
			few.Pix[y*few.Stride+x] = at
		}
	}
	return few
}
