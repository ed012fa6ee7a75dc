package pdf

import (
	"fmt"
	"math"
	"strings"
	"unicode"

	"rsc.io/qr"
)

// Align is the horizontal position of a text in its box, relative to the reading direction.
type Align int

// Positions of a text in its box.
const (
	Start Align = iota
	Centre
	End
)

// Style is how a text is written. Size is the maximum size in points; a text that does not fit is written smaller.
type Style struct {
	Size  float64
	Bold  bool
	Serif bool // for titles of certificates; has no bold variant
	Grey  bool
	Ink   [3]int // red, green and blue, 0 to 255; zero: black
	Align Align
	Top   bool // at the top of its box instead of vertically centred
}

func (s Style) faces() []*face {
	if s.Serif {
		return faces().serif
	}
	return faces().of(s.Bold)
}

const (
	point    = 25.4 / 72 // millimetres
	leading  = 1.22      // distance between two lines, relative to the size
	smallest = 3.5       // points
	ascent   = 0.74      // above the baseline, relative to the size, to look centred
	shrink   = 0.96
)

// Fill writes a text into a box, on as many lines as needed. It uses the largest size that fits, up to the style's.
func (d *Doc) Fill(x, y, w, h float64, text string, style Style) {
	if text == "" {
		return
	}
	size := style.Size
	lines := d.lines(text, w, size, style.faces(), false)
	for (lines == nil || float64(len(lines)) > d.fitting(h, size)) && size*shrink > smallest {
		size *= shrink
		lines = d.lines(text, w, size, style.faces(), false)
	}
	if lines == nil {
		lines = d.lines(text, w, size, style.faces(), true)
	}
	down := y
	if !style.Top {
		down += (h - size*point*(leading*float64(len(lines)-1)+1)) / 2
	}
	d.mark(d.holder(text, len(lines)), func() {
		for i, line := range lines {
			d.line(x, down+size*point*(leading*float64(i)+ascent+0.1), w, line, size, style)
		}
	})
}

// fitting returns how many lines fit in a height.
func (d *Doc) fitting(h, size float64) float64 {
	return math.Max(1, math.Floor((h/(size*point)-1)/leading+1.02))
}

// Flow writes a text down the page in its style's size, continuing on the next page if necessary.
func (d *Doc) Flow(x, w float64, text string, style Style) {
	step := style.Size * point * leading
	lines := d.lines(text, w, style.Size, style.faces(), true)
	e := d.holder(text, len(lines))
	for _, line := range lines {
		d.Room(step)
		d.mark(e, func() { d.line(x, d.Y+style.Size*point*(ascent+0.1), w, line, style.Size, style) })
		d.Y += step
	}
}

// Height returns the height of a text in a given width.
func (d *Doc) Height(w float64, text string, style Style) float64 {
	return float64(len(d.lines(text, w, style.Size, style.faces(), true))) * style.Size * point * leading
}

// lines breaks a text at permitted places so that each line fits. If a word does not fit, it returns nil or, with
// force, breaks the word anywhere.
func (d *Doc) lines(text string, w, size float64, among []*face, force bool) (lines []string) {
	most := w/(size*point)*1000 + 0.5
	has := func(s string) bool { return float64(measure(s, among)) <= most }
	line := ""
	for _, piece := range pieces(text) {
		if has(strings.TrimRight(line+piece, " ")) {
			line += piece
			continue
		}
		if line != "" {
			lines = append(lines, line)
			line = ""
		}
		if !has(strings.TrimRight(piece, " ")) {
			if !force {
				return nil
			}
			for _, r := range piece {
				if line != "" && !has(line+string(r)) {
					lines = append(lines, line)
					line = ""
				}
				line += string(r)
			}
			continue
		}
		line = piece
	}
	return isolatesKept(append(lines, line))
}

// pieces splits a text where a line may be broken: after words with their spaces, and between Han characters and kana.
func pieces(text string) (all []string) {
	piece := ""
	for _, r := range printable(text) {
		eastern := unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana)
		if piece != "" && (eastern && !invisible([]rune(piece)[len([]rune(piece))-1]) ||
			strings.HasSuffix(piece, " ") && r != ' ') {
			all, piece = append(all, piece), ""
		}
		piece += string(r)
	}
	return append(all, piece)
}

// isolatesKept reopens in each line the isolates that were open at the end of the previous line.
func isolatesKept(lines []string) []string {
	open := ""
	for i, line := range lines {
		lines[i] = open + strings.TrimRight(line, " ")
		for _, r := range line {
			switch {
			case r == pdi && open != "":
				open = open[:len(open)-len(string(fsi))]
			case r >= lri && r <= fsi:
				open += string(r)
			}
		}
	}
	return lines
}

// line draws one line; y is its baseline.
func (d *Doc) line(x, y, w float64, text string, size float64, style Style) {
	parts := runs(text, d.rtl, style.faces())
	wide := float64(width(parts)) * size * point / 1000
	at := d.left(x, w)
	switch align := style.Align; {
	case align == Centre:
		at += (w - wide) / 2
	case (align == End) != d.rtl:
		at += w - wide
	}
	ink := 0
	if style.Grey {
		ink = 90
	}
	d.f.SetTextColor(style.Ink[0]+ink, style.Ink[1]+ink, style.Ink[2]+ink)
	for _, part := range parts {
		d.use(part.face, size)
		if part.face.thicken {
			d.f.SetDrawColor(ink, ink, ink)
			d.f.SetLineWidth(size * point * 0.028)
			d.f.SetTextRenderingMode(2)
		}
		d.f.Text(at, y, part.text)
		if part.face.thicken {
			d.f.SetTextRenderingMode(0)
		}
		at += float64(width([]run{part})) * size * point / 1000
	}
}

// quiet is the white margin that a QR code needs, in modules.
const quiet = 4

// QR draws a text as a QR code, whose white margin is part of side. A text too long for a QR code is not drawn.
func (d *Doc) QR(x, y, side float64, text string) { d.code(x, y, side, text, qr.M, text) }

// LongQR is QR for a long text: less error correction leaves larger modules. It draws the white margin, and describes
// the code with alt.
func (d *Doc) LongQR(x, y, side float64, text, alt string) { d.code(x, y, side, text, qr.L, alt) }

func (d *Doc) code(x, y, side float64, text string, level qr.Level, alt string) {
	code, err := qr.Encode(text, level)
	if err != nil {
		return
	}
	module := side / float64(code.Size+2*quiet)
	unit := module / point
	var path strings.Builder // in modules, as numbers in points would take three times the space
	fmt.Fprintf(&path, "q 0 g %.4f 0 0 %.4f %.4f %.4f cm", unit, -unit, d.left(x, side)/point+quiet*unit,
		(d.h-y)/point-quiet*unit)
	if level == qr.L {
		fmt.Fprintf(&path, "\n1 g %d %d %d %d re f 0 g", -quiet, -quiet, code.Size+2*quiet, code.Size+2*quiet)
	}
	for row := range code.Size {
		for from := 0; from < code.Size; from++ {
			if !code.Black(from, row) {
				continue
			}
			to := from
			for to < code.Size && code.Black(to, row) {
				to++
			}
			fmt.Fprintf(&path, "\n%d %d %d 1 re", from, row, to-from)
			from = to
		}
	}
	d.pictured(alt, x, y, side, side, func() { d.f.RawWriteStr(path.String() + "\nf Q") })
}
