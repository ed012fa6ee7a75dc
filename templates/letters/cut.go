package letters

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math/bits"
	"sync"

	"golang.org/x/image/font/sfnt"

	"meldhall/templates/pdf"
)

// source is the font with all letters: TrueType outlines without hints and layout tables.
type source struct {
	parsed  *sfnt.Font
	tables  map[string][]byte
	version string
}

var eastFont = sync.OnceValue(func() source {
	ttf := pdf.Font("eastern")
	parsed, err := sfnt.Parse(ttf)
	if err != nil {
		panic(err) // cannot happen: the file is embedded and tested
	}
	sum := sha256.Sum256(ttf)
	s := source{parsed, map[string][]byte{}, hex.EncodeToString(sum[:4])}
	for record := range int(binary.BigEndian.Uint16(ttf[4:])) {
		at := ttf[12+16*record:]
		from := binary.BigEndian.Uint32(at[8:])
		s.tables[string(at[:4])] = ttf[from : from+binary.BigEndian.Uint32(at[12:])]
	}
	return s
})

// glyphs returns a function that returns the number of a letter's glyph, 0 if the font has none.
func (s source) glyphs() func(rune) uint16 {
	buffer := new(sfnt.Buffer)
	return func(r rune) uint16 {
		glyph, err := s.parsed.GlyphIndex(buffer, r)
		if err != nil {
			return 0
		}
		return uint16(glyph)
	}
}

// outline returns the data of a glyph; empty for a blank.
func (s source) outline(glyph uint16) []byte {
	loca := s.tables["loca"][4*int(glyph):]
	return s.tables["glyf"][binary.BigEndian.Uint32(loca):binary.BigEndian.Uint32(loca[4:])]
}

// metric returns the advance width and the left bearing of a glyph.
func (s source) metric(glyph uint16) (width, bearing []byte) {
	hmtx, long := s.tables["hmtx"], binary.BigEndian.Uint16(s.tables["hhea"][34:])
	if glyph < long {
		return hmtx[4*int(glyph):][:2], hmtx[4*int(glyph)+2:][:2]
	}
	return hmtx[4*int(long)-4:][:2], hmtx[4*int(long)+2*int(glyph-long):][:2]
}

// The flags of a composite glyph's components (OpenType, table glyf).
const (
	wordArguments = 1 << 0
	scaled        = 1 << 3
	moreFollow    = 1 << 5
	scaledByAxis  = 1 << 6
	transformed   = 1 << 7
)

// components calls use for each place in a composite glyph that holds the number of another glyph.
func components(outline []byte, use func(number []byte)) {
	if len(outline) == 0 || int16(binary.BigEndian.Uint16(outline)) >= 0 {
		return
	}
	for at := 10; ; {
		flags := binary.BigEndian.Uint16(outline[at:])
		use(outline[at+2 : at+4])
		at += 6
		if flags&wordArguments != 0 {
			at += 2
		}
		switch {
		case flags&scaled != 0:
			at += 2
		case flags&scaledByAxis != 0:
			at += 4
		case flags&transformed != 0:
			at += 8
		}
		if flags&moreFollow == 0 {
			return
		}
	}
}

// cut returns a TrueType font with only the given letters, which must be in ascending order and in the font.
func cut(letters []rune) []byte {
	s := eastFont()
	glyphs := []uint16{0} // by new number
	glyphOf := s.glyphs()
	for _, r := range letters {
		glyphs = append(glyphs, glyphOf(r))
	}
	renumbered := map[uint16]uint16{}
	var glyf, loca, hmtx []byte
	for n := 0; n < len(glyphs); n++ { // components are appended to glyphs
		outline := append([]byte(nil), s.outline(glyphs[n])...)
		components(outline, func(number []byte) {
			old := binary.BigEndian.Uint16(number)
			if _, known := renumbered[old]; !known {
				renumbered[old] = uint16(len(glyphs))
				glyphs = append(glyphs, old)
			}
			binary.BigEndian.PutUint16(number, renumbered[old])
		})
		loca = binary.BigEndian.AppendUint32(loca, uint32(len(glyf)))
		glyf = append(glyf, outline...)
		for len(glyf)%4 != 0 {
			glyf = append(glyf, 0)
		}
		width, bearing := s.metric(glyphs[n])
		hmtx = append(append(hmtx, width...), bearing...)
	}
	loca = binary.BigEndian.AppendUint32(loca, uint32(len(glyf)))
	return assemble([]table{{"OS/2", s.tables["OS/2"]}, {"cmap", cmap(letters)}, {"glyf", glyf},
		{"head", s.tables["head"]}, {"hhea", with(s.tables["hhea"], 34, len(glyphs))}, {"hmtx", hmtx}, {"loca", loca},
		{"maxp", with(s.tables["maxp"], 4, len(glyphs))}, {"name", s.tables["name"]}, {"post", s.tables["post"]}})
}

// cmap maps the letters to the glyphs 1, 2, … in order.
func cmap(letters []rune) []byte {
	b := []byte{0, 0, 0, 1, 0, 3, 0, 10, 0, 0, 0, 12} // one table, for all of Unicode
	b = append(b, 0, 12, 0, 0)                        // format 12: groups of 12 bytes
	for _, n := range []int{16 + 12*len(letters), 0, len(letters)} {
		b = binary.BigEndian.AppendUint32(b, uint32(n))
	}
	for i, r := range letters {
		for _, n := range []int{int(r), int(r), i + 1} {
			b = binary.BigEndian.AppendUint32(b, uint32(n))
		}
	}
	return b
}

// with returns a copy of a table with another 16-bit number at an offset.
func with(table []byte, at, number int) []byte {
	table = append([]byte(nil), table...)
	binary.BigEndian.PutUint16(table[at:], uint16(number))
	return table
}

type table struct {
	tag  string
	data []byte
}

// assemble writes a font file of tables, which must be in the order of their tags.
func assemble(tables []table) []byte {
	const headSum = 8 // the offset in table head of the checksum of the whole file
	power := 1
	for power*2 <= len(tables) {
		power *= 2
	}
	file := []byte{0, 1, 0, 0}
	for _, n := range []int{len(tables), 16 * power, bits.Len(uint(power)) - 1, 16 * (len(tables) - power)} {
		file = binary.BigEndian.AppendUint16(file, uint16(n))
	}
	var body []byte
	start, head := 12+16*len(tables), 0
	for _, t := range tables {
		data := append([]byte(nil), t.data...)
		if t.tag == "head" {
			clear(data[headSum : headSum+4])
			head = start + len(body) + headSum
		}
		file = append(file, t.tag...)
		for len(data)%4 != 0 {
			data = append(data, 0)
		}
		for _, n := range []uint32{checksum(data), uint32(start + len(body)), uint32(len(t.data))} {
			file = binary.BigEndian.AppendUint32(file, n)
		}
		body = append(body, data...)
	}
	file = append(file, body...)
	binary.BigEndian.PutUint32(file[head:], 0xB1B0AFBA-checksum(file))
	return file
}

// checksum adds the 32-bit numbers of data, whose length is a multiple of four.
func checksum(data []byte) (sum uint32) {
	for ; len(data) > 0; data = data[4:] {
		sum += binary.BigEndian.Uint32(data)
	}
	return sum
}
