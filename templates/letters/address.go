package letters

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"strings"
)

// Path is the prefix of the addresses of the style sheets and fonts.
const Path = "/assets/letters/"

// The names of the two files for a list of letters.
const (
	SheetName = "names.css"
	FontName  = "names.ttf"
)

// Sheet is the style sheet for any list of letters, whose font is beside it. A font of the device comes first.
const Sheet = `@font-face{font-family:Names;font-display:swap;src:local("Noto Sans CJK SC"),` +
	`local("NotoSansCJKjp-Regular"),local("PingFang SC"),local("Microsoft YaHei"),url(names.ttf) format("truetype");` +
	`unicode-range:U+3000-30FF,U+3400-9FFF,U+F900-FAFF,U+FF01-FFEF}
@font-face{font-family:Names;font-display:swap;src:local("Noto Sans CJK KR"),` +
	`local("NotoSansCJKjp-Regular"),local("Apple SD Gothic Neo"),local("Malgun Gothic"),` +
	`url(names.ttf) format("truetype");unicode-range:U+AC00-D7A3}
`

// File returns a style sheet or a font by its address below Path. It returns false if no page links the address.
func File(address string) (data []byte, ok bool) {
	version, rest, _ := strings.Cut(address, "/")
	code, name, _ := strings.Cut(rest, "/")
	letters, err := decode(code)
	if err != nil || version != eastFont().version {
		return nil, false
	}
	switch name {
	case SheetName:
		return []byte(Sheet), true
	case FontName:
		return cut(letters), true
	}
	return nil, false
}

// encode writes letters in ascending order as the differences between them.
func encode(letters []rune) string {
	var code []byte
	last := rune(0)
	for _, r := range letters {
		code = binary.AppendUvarint(code, uint64(r-last))
		last = r
	}
	return base64.RawURLEncoding.EncodeToString(code)
}

// errCode is the error for an address that Linked never writes.
var errCode = errors.New("no list of letters")

// decode reads the letters that encode wrote. It accepts each list in one form only.
func decode(text string) (letters []rune, err error) {
	glyphOf := eastFont().glyphs()
	code, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil || len(text) == 0 || len(text) > 4*most {
		return nil, errCode
	}
	last := uint64(0)
	for len(code) > 0 {
		gap, n := binary.Uvarint(code)
		if n <= 0 || gap == 0 || gap > 0xFFFF || len(letters) == most {
			return nil, errCode
		}
		code, last = code[n:], last+gap
		if r := rune(last); !eastern(r) || glyphOf(r) == 0 {
			return nil, errCode
		}
		letters = append(letters, rune(last))
	}
	if encode(letters) != text {
		return nil, errCode
	}
	return letters, nil
}
