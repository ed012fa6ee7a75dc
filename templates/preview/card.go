// Package preview draws the link preview image for a tournament, a player, a table or a game. It supports the same
// scripts and uses the same fonts as printed sheets.
package preview

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image/color"
	"image/png"
	"strconv"
	"strings"
	"unicode"
)

// Width and Height are the dimensions recommended for link previews.
const (
	Width  = 1200
	Height = 630
)

// RowsMost is the maximum number of rows.
const RowsMost = 4

// Card is the content of an image, in the reader's language. A text that does not fit ends in an ellipsis.
type Card struct {
	RTL    bool   // reads from right to left
	Over   string // small text above the title
	Title  string
	Under  string // heading of the rows
	Rows   []Row
	Footer string
}

// Row is a line of a list: an optional place on a tile, a name, and a value with a note.
type Row struct {
	Mark  string // place; empty: no tile
	Name  string
	Note  string // small text beside the value
	Value string
}

// Words returns all texts of the image in reading order.
func (c Card) Words() []string {
	all := []string{c.Over, c.Title, c.Under}
	for _, r := range c.Rows {
		all = append(all, r.Mark, r.Name, r.Note, r.Value)
	}
	return append(all, c.Footer)
}

// Colours of the dark theme, and of the tiles' numbers.
var (
	felt    = color.RGBA{0x0F, 0x2A, 0x26, 0xFF}
	lane    = color.RGBA{0x17, 0x40, 0x3A, 0xFF}
	line    = color.RGBA{0x2C, 0x5A, 0x52, 0xFF}
	ivory   = color.RGBA{0xFB, 0xF6, 0xE9, 0xFF}
	side    = color.RGBA{0xC6, 0xBA, 0x94, 0xFF}
	pale    = color.RGBA{0xB4, 0xCD, 0xC5, 0xFF}
	gold    = color.RGBA{0xF3, 0xC9, 0x69, 0xFF}
	dark    = color.RGBA{0x15, 0x17, 0x1C, 0xFF}
	red     = color.RGBA{0x99, 0x00, 0x0D, 0xFF}
	blue    = color.RGBA{0x2B, 0x5B, 0xEE, 0xFF}
	orange  = color.RGBA{0xD9, 0x52, 0x08, 0xFF}
	markInk = [RowsMost]color.RGBA{red, blue, dark, orange}
)

// Layout in pixels.
const (
	margin   = 76
	topLine  = 62  // upper limit of the content
	footLine = 588 // baseline of the footer
	footTop  = 542
	rowMost  = 80
)

// Draw renders the image as a PNG, with its words as description for people who cannot see it.
func (c Card) Draw() ([]byte, error) {
	p := newPicture(c.RTL)
	p.rect(0, 0, Width, Height, felt)
	p.rect(0, footTop, Width, Height, lane)
	top := p.head(c)
	p.rows(c.Rows, top)
	p.brand(footLine)
	p.text(text{at: margin, y: footLine, wide: Width - 2*margin - 230, size: 28, ink: pale}, c.Footer)
	var out bytes.Buffer
	if err := png.Encode(&out, p.few()); err != nil {
		return nil, err
	}
	return described(out.Bytes(), strings.Join(c.Words(), "\n")), nil
}

// described adds a text to a PNG, directly after its header as the format requires.
func described(picture []byte, text string) []byte {
	const head = 8 + 25 // signature and IHDR chunk
	chunk := append([]byte("iTXtDescription\x00\x00\x00\x00\x00"), text...)
	var described []byte
	described = append(described, picture[:head]...)
	described = binary.BigEndian.AppendUint32(described, uint32(len(chunk)-4))
	described = append(described, chunk...)
	described = binary.BigEndian.AppendUint32(described, crc32.ChecksumIEEE(chunk))
	return append(described, picture[head:]...)
}

// head draws everything above the rows and returns where the rows start.
func (p *picture) head(c Card) (top int) {
	y, wide := topLine, Width-2*margin
	if c.Over != "" {
		y += 18
		p.text(text{at: margin, y: y, wide: wide, size: 30, ink: gold}, own(c.Over))
		y += 25
	}
	size, lines := p.titleLines(c.Title, wide)
	for i, l := range lines {
		y += size * 76 / 100
		if i > 0 {
			y += size * 40 / 100
		}
		p.text(text{at: margin, y: y, wide: wide, size: size, ink: ivory, bold: true}, own(l))
	}
	if c.Under != "" {
		y += 52
		p.text(text{at: margin, y: y, wide: wide, size: 30, ink: pale}, c.Under)
	}
	return y + 30
}

// titleLines fits a title on one line in the largest possible size, or else on two lines.
func (p *picture) titleLines(title string, wide int) (size int, lines []string) {
	for _, size := range []int{72, 64, 56, 50} {
		if p.width(title, size, true) <= wide {
			return size, []string{title}
		}
	}
	const small = 46
	runes := []rune(title)
	at := 0
	for i := range runes {
		if p.width(string(runes[:i]), small, true) > wide {
			break
		}
		if i > 0 && (unicode.IsSpace(runes[i]) || unicode.In(runes[i], unicode.Han, unicode.Hiragana,
			unicode.Katakana)) {
			at = i
		}
	}
	if at == 0 {
		return small, []string{title}
	}
	return small, []string{string(runes[:at]), strings.TrimSpace(string(runes[at:]))}
}

// rows draws the list in the space above the footer.
func (p *picture) rows(rows []Row, top int) {
	if len(rows) == 0 {
		p.run(top)
		return
	}
	const bottom = footTop - 12
	high := min(rowMost, (bottom-top)/len(rows))
	tall := high * 72 / 100
	wide := tall * 76 / 100
	for _, r := range rows {
		if len(r.Mark) > 2 {
			wide = tall
		}
	}
	top += (bottom - top - high*len(rows)) / 2
	for i, r := range rows {
		y := top + i*high
		middle := y + high/2
		if i > 0 {
			p.band(margin, y, Width-2*margin, 2, line)
		}
		name := margin
		if r.Mark != "" {
			p.tile(margin, middle-tall/2-1, wide, tall, own(r.Mark), markInk[i%len(markInk)])
			name += wide + 26
		}
		base := middle + 14
		value := p.width(own(r.Value), 40, true)
		p.text(text{at: margin, y: base, wide: Width - 2*margin, size: 40, ink: gold, bold: true, end: true},
			own(r.Value))
		note := 0
		if r.Note != "" {
			note = min(p.width(own(r.Note), 28, false), 320)
			at := margin
			if r.Value != "" {
				at += value + 22
			}
			p.text(text{at: at, y: base, wide: note, size: 28, ink: pale, end: true}, own(r.Note))
			note += 22
		}
		p.text(text{at: name, y: base, wide: Width - margin - name - value - note - 24, size: 40, least: 32, ink: ivory,
			bold: r.Mark != ""}, own(r.Name))
	}
}

// run fills the space if there are no rows, with two sets of tiles: a run and a group. A run ascends from left to right
// in every reading direction.
func (p *picture) run(top int) {
	const high, wide, gap, apart = 136, 98, 12, 56
	y := top + (footTop-top-high)/2
	for i := range 5 {
		number := 9 + i
		if p.rtl {
			number = 13 - i
		}
		p.tile(margin+i*(wide+gap), y, wide, high, strconv.Itoa(number), blue)
	}
	for i, ink := range markInk {
		p.tile(margin+5*(wide+gap)+apart+i*(wide+gap), y, wide, high, "7", ink)
	}
}

// brand draws the program's logo and name at the end of the footer.
func (p *picture) brand(y int) {
	const name = "Meldhall"
	wide := p.width(name, 30, true)
	p.text(text{at: margin, y: y, wide: wide + 4, size: 30, ink: ivory, bold: true, end: true}, name)
	p.tile(Width-margin-wide-16-30, y-32, 30, 40, "M", dark)
}

// own isolates a text, so that it reads in the direction of its first letter.
func own(text string) string { return "\u2068" + text + "\u2069" }
