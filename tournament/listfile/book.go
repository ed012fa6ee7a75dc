package listfile

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

// book reads a workbook part by part, each part as a stream. Its memory depends on the cells' texts and on the limits,
// never on a number in the file.
type book struct {
	ctx     context.Context
	parts   map[string]*zip.File // by path, in lower case
	left    int                  // bytes that may still be unpacked
	sheets  []sheet
	strings []string
	looks   []look // by style
	cells   int
	letters int // bytes of the texts of all cells
	tokens  int
}

// sheet is a workbook's sheet: its rows with text, in order.
type sheet struct {
	name, part    string
	hidden        bool
	rows          []bookRow
	hiddenColumns []int // from 0
	merged        []string
}

type bookRow struct {
	at     int // from 1
	hidden bool
	cells  []cell
}

// width returns the number of columns up to the last cell with text.
func (r bookRow) width() (width int) {
	for _, c := range r.cells {
		width = max(width, c.column+1)
	}
	return width
}

type cell struct {
	column int // from 0
	text   string
}

var errBroken = refuse.Invalid("err_roster_book_broken")

func errBookLarge() error { return refuse.Invalid("err_roster_book_large", "most", unpackedMost>>20) }

// errFar returns the error of a cell or row beyond those that a roster needs.
func errFar(place string) error {
	return refuse.Invalid("err_roster_book_far", "place", place[:min(len(place), 30)], "rows", rowsMost, "columns",
		columnsMost)
}

// openBook reads the parts that the sheets of a workbook share.
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

// relation is a part that another part refers to.
type relation struct{ id, kind, part string }

// related returns the relations of a part; "" is the whole workbook.
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

// readBook reads the list of sheets, and the texts and styles that their cells refer to.
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
		if at := sheets[attr(e, "id")]; at != "" { // empty for another kind of sheet, such as a chart
			b.sheets = append(b.sheets, sheet{name: attr(e, "name"), part: at,
				hidden: strings.HasSuffix(strings.ToLower(attr(e, "state")), "hidden")})
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

// Limits of a workbook's XML.
const (
	nestedMost = 64        // elements inside each other
	tagMost    = 16 << 10  // bytes of one tag
	tokensMost = 2_000_000 // in all parts; a full roster has 400,000
)

// read calls each with every token of a part. It stops at an error or when the context ends.
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
	d := xml.NewDecoder(&tagReader{in: in, book: b})
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

// tagReader reads a part, up to the limit of unpacked bytes. It rejects long tags, because the XML decoder holds a
// whole tag in memory and uses a multiple of its length for the attributes.
type tagReader struct {
	in    io.Reader
	book  *book
	n     int  // bytes of the tag so far; 0 between tags
	quote byte // the open quote in the tag; 0: none
	bare  bool // a comment or an instruction, in which quotes mean nothing
}

func (t *tagReader) Read(p []byte) (int, error) {
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

// readStrings reads the shared strings, which cells refer to by number.
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

// readStyles reads how styles show numbers.
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
				b.looks = append(b.looks, lookOf(n, codes[id]))
			}
		case xml.EndElement:
			within = within && e.Name.Local != "cellXfs"
		}
		if max(len(codes), len(b.looks)) > 1<<16 {
			return errBroken
		}
		return nil
	})
}

// text collects the text of all runs in an element, without phonetic hints.
type text struct {
	strings.Builder
	in, spoken bool
}

// take reads a token and reports whether it ended the named element.
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

// escaped matches the escapes of workbooks for characters that XML cannot contain.
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
