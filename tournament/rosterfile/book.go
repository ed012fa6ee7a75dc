package rosterfile

import (
	"archive/zip"
	"context"
	"encoding/xml"
	"errors"
	"io"
	"path"
	"regexp"
	"strconv"
	"strings"

	"meldhall/tournament/refuse"
)

// book is a workbook that is read part by part, each part from its beginning to its end. Its memory follows from the texts of its cells
// and from the limits, never from a number that is written in the file.
type book struct {
	ctx     context.Context
	parts   map[string]*zip.File // by path, in lower case
	left    int                  // bytes that may still be unpacked
	sheets  []sheet
	strings []string
	dates   []bool // by style: it shows a number as a date or a time
	cells   int
	letters int // bytes of the texts of all cells
	tokens  int
}

// sheet is a sheet of a workbook: its rows with text, in order.
type sheet struct {
	name, part string
	rows       []bookRow
	faults     map[string][]string // cells by what is wrong with them
}

type bookRow struct {
	at    int // from 1
	cells []cell
}

// width is the number of columns up to the last cell with text.
func (r bookRow) width() (width int) {
	for _, c := range r.cells {
		width = max(width, c.column+1)
	}
	return width
}

type cell struct {
	column int // from 0
	text   string
	fault  string // the key of what is wrong with it
	number bool
}

// note adds a cell to those that have something that a roster cannot have.
func (s *sheet) note(key, cell string) {
	if s.faults == nil {
		s.faults = map[string][]string{}
	}
	if len(s.faults[key]) <= namedMost {
		s.faults[key] = append(s.faults[key], cell)
	}
}

var errBroken = refuse.Invalid("err_roster_book_broken")

func errBookLarge() error { return refuse.Invalid("err_roster_book_large", "most", unpackedMost>>20) }

// far refuses a place that no roster needs.
func far(place string) error {
	return refuse.Invalid("err_roster_book_far", "place", place[:min(len(place), 30)], "rows", rowsMost, "columns", columnsMost)
}

// openBook reads what the sheets of a workbook share.
func openBook(ctx context.Context, file string) (*book, error) {
	archive, err := zip.NewReader(strings.NewReader(file), int64(len(file)))
	if err != nil {
		return nil, errBroken
	}
	b := &book{ctx: ctx, parts: map[string]*zip.File{}, left: unpackedMost}
	unpacked := uint64(0)
	for _, f := range archive.File {
		if unpacked += f.UncompressedSize64; unpacked > unpackedMost || f.UncompressedSize64 > unpackedMost {
			return nil, errBookLarge()
		}
		b.parts[strings.ToLower(strings.ReplaceAll(f.Name, `\`, "/"))] = f
	}
	main, err := b.related("")
	if err != nil {
		return nil, err
	}
	for _, at := range main {
		if at.kind == "officeDocument" {
			return b, b.readBook(at.part)
		}
	}
	return nil, errBroken
}

// relation is a part that another one names.
type relation struct{ id, kind, part string }

// related are the relations of a part; "" is the workbook as a whole.
func (b *book) related(part string) (all []relation, err error) {
	folder, name := path.Split(part)
	err = b.read(path.Join(folder, "_rels", name+".rels"), func(token xml.Token) error {
		if e, ok := token.(xml.StartElement); ok && e.Name.Local == "Relationship" {
			target := attr(e, "Target")
			if !strings.HasPrefix(target, "/") {
				target = path.Join(folder, target)
			}
			all = append(all, relation{attr(e, "Id"), path.Base(attr(e, "Type")), strings.TrimPrefix(target, "/")})
		}
		if len(all) > 4*sheetsMost {
			return errBroken
		}
		return nil
	})
	return all, err
}

// readBook reads the list of the sheets, and the texts and styles that their cells name.
func (b *book) readBook(part string) error {
	relations, err := b.related(part)
	if err != nil {
		return err
	}
	sheets := map[string]string{}
	for _, r := range relations {
		switch r.kind {
		case "worksheet":
			sheets[r.id] = r.part
		case "sharedStrings":
			err = b.readStrings(r.part)
		case "styles":
			err = b.readStyles(r.part)
		}
		if err != nil {
			return err
		}
	}
	return b.read(part, func(token xml.Token) error {
		e, ok := token.(xml.StartElement)
		if !ok || e.Name.Local != "sheet" {
			return nil
		}
		if at := sheets[attr(e, "id")]; at != "" { // else one of another kind, such as a chart
			b.sheets = append(b.sheets, sheet{name: attr(e, "name"), part: at})
		}
		if len(b.sheets) > sheetsMost {
			return errBroken
		}
		return nil
	})
}

func attr(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// The most of a workbook's XML: elements inside each other, bytes of one tag, and tokens of all parts, of which a full roster has 400,000.
const (
	nestedMost = 64
	tagMost    = 16 << 10
	tokensMost = 2_000_000
)

// read calls each with the tokens of a part, until the context ends.
func (b *book) read(part string, each func(xml.Token) error) error {
	f := b.parts[strings.ToLower(part)]
	if f == nil {
		return errBroken
	}
	in, err := f.Open()
	if err != nil {
		return errBroken
	}
	defer in.Close()
	d := xml.NewDecoder(&tags{in: in, book: b})
	for depth := 0; ; {
		token, err := d.RawToken()
		if refused := (*refuse.Error)(nil); errors.As(err, &refused) {
			return refused
		}
		switch token.(type) {
		case xml.StartElement:
			depth++
		case xml.EndElement:
			depth--
		}
		switch {
		case b.ctx.Err() != nil:
			return b.ctx.Err()
		case b.tokens == tokensMost:
			return errBookLarge()
		case err == io.EOF && depth == 0 && d.InputOffset() > 0:
			return nil
		case err != nil || depth > nestedMost:
			return errBroken
		}
		b.tokens++
		if err := each(token); err != nil {
			return err
		}
	}
}

// tags reads a part within what may be unpacked, and refuses a tag that is too long: the decoder holds it as a whole, with a multiple of
// its length for its attributes.
type tags struct {
	in    io.Reader
	book  *book
	n     int  // bytes of the tag so far; 0 outside
	quote byte // the quote that is open in it
	bare  bool // a tag in which quotes mean nothing: a comment or an instruction
}

func (t *tags) Read(p []byte) (int, error) {
	n, err := t.in.Read(p)
	if t.book.left -= n; t.book.left < 0 {
		return 0, errBookLarge()
	}
	for _, c := range p[:n] {
		switch {
		case t.n == 0:
			if c == '<' {
				t.n, t.quote, t.bare = 1, 0, false
			}
			continue
		case t.n == 1:
			t.bare = c == '!' || c == '?'
		case t.quote != 0:
			if c == t.quote {
				t.quote = 0
			}
		case !t.bare && (c == '"' || c == '\''):
			t.quote = c
		}
		if t.n++; c == '>' && t.quote == 0 {
			t.n = 0
		} else if t.n > tagMost {
			return 0, errBroken
		}
	}
	return n, err
}

// readStrings reads the texts that cells name by number.
func (b *book) readStrings(part string) error {
	var one text
	return b.read(part, func(token xml.Token) error {
		if whole := one.take(token, "si"); whole {
			if b.strings = append(b.strings, unescape(one.String())); len(b.strings) > cellsMost {
				return refuse.Invalid("err_roster_book_cells", "sheet", path.Base(part), "most", cellsMost)
			}
		}
		return nil
	})
}

// readStyles reads which styles show dates.
func (b *book) readStyles(part string) error {
	codes, within := map[string]string{}, false
	return b.read(part, func(token xml.Token) error {
		switch e := token.(type) {
		case xml.StartElement:
			id := attr(e, "numFmtId")
			switch {
			case e.Name.Local == "numFmt":
				codes[id] = attr(e, "formatCode")
			case e.Name.Local == "cellXfs":
				within = true
			case e.Name.Local == "xf" && within:
				n, err := strconv.Atoi(id)
				if err != nil && id != "" {
					return errBroken
				}
				b.dates = append(b.dates, isDate(n, codes[id]))
			}
		case xml.EndElement:
			within = within && e.Name.Local != "cellXfs"
		}
		if max(len(codes), len(b.dates)) > 1<<16 {
			return errBroken
		}
		return nil
	})
}

// text is the text inside an element: of all its runs, without what only says how it is spoken.
type text struct {
	strings.Builder
	in, spoken bool
}

// take reads a token, and reports whether it ended the element of this name.
func (t *text) take(token xml.Token, name string) bool {
	switch e := token.(type) {
	case xml.StartElement:
		switch e.Name.Local {
		case name:
			t.Reset()
			t.in, t.spoken = false, false
		case "rPh":
			t.spoken = true
		case "t", "v":
			t.in = !t.spoken
		}
	case xml.CharData:
		if t.in {
			t.Write(e)
		}
	case xml.EndElement:
		switch e.Name.Local {
		case name:
			return true
		case "rPh":
			t.spoken = false
		case "t", "v":
			t.in = false
		}
	}
	return false
}

// escaped is a character as workbooks write those that XML cannot have.
var escaped = regexp.MustCompile(`_x[0-9A-Fa-f]{4}_`)

func unescape(s string) string {
	return escaped.ReplaceAllStringFunc(s, func(code string) string {
		n, err := strconv.ParseUint(code[2:6], 16, 16)
		if err != nil || n >= 0xd800 && n < 0xe000 {
			return code
		}
		return string(rune(n))
	})
}
