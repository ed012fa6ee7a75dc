package listfile

import (
	"encoding/xml"
	"slices"
	"strconv"
	"strings"

	"meldhall/tournament/refuse"
)

// The last row and column of a spreadsheet.
const (
	lastRow    = 1 << 20
	lastColumn = 1 << 14
	mergedMost = 2000 // merged areas that are filled
)

// sheetReader reads a sheet's cells one after another.
type sheetReader struct {
	*book
	*sheet
	row  bookRow
	at   xml.StartElement // the current cell
	last int              // column of the previous cell; -1: none
	text text
}

func (b *book) readSheet(s *sheet) error {
	r := sheetReader{book: b, sheet: s}
	return b.read(s.part, r.token)
}

func (r *sheetReader) token(token xml.Token) error {
	if r.text.take(token, "c") {
		return r.cell()
	}
	switch e := token.(type) {
	case xml.StartElement:
		switch e.Name.Local {
		case "row":
			return r.begin(attr(e, "r"), isSet(attr(e, "hidden")))
		case "col":
			r.hide(attr(e, "min"), attr(e, "max"), isSet(attr(e, "hidden")) || attr(e, "width") == "0")
		case "c":
			r.at = e.Copy()
		case "mergeCell":
			if ref := attr(e, "ref"); len(r.merged) < mergedMost && len(ref) < 30 {
				r.merged = append(r.merged, ref)
			}
		}
	case xml.EndElement:
		if e.Name.Local == "row" {
			return r.end()
		}
	}
	return nil
}

// begin starts the row with a number, or the next row if the number is empty.
func (r *sheetReader) begin(number string, hidden bool) error {
	n := r.row.at + 1
	if number != "" {
		var err error
		if n, err = strconv.Atoi(number); err != nil || n > lastRow {
			return errFar(number)
		}
	}
	if n <= r.row.at {
		return errBroken
	}
	if n > lastRow {
		return errFar(strconv.Itoa(n))
	}
	r.row, r.last = bookRow{at: n, hidden: hidden}, -1
	return nil
}

func isSet(value string) bool { return value == "1" || value == "true" }

// hide notes the hidden columns of a range, from 1.
func (r *sheetReader) hide(from, to string, hidden bool) {
	first, err := strconv.Atoi(from)
	last, err2 := strconv.Atoi(to)
	if !hidden || err != nil || err2 != nil {
		return
	}
	for i := max(first, 1); i <= min(last, columnsMost) && len(r.hiddenColumns) < columnsMost; i++ {
		r.hiddenColumns = append(r.hiddenColumns, i-1)
	}
}

// end keeps the row if it has any text.
func (r *sheetReader) end() error {
	if len(r.row.cells) == 0 {
		return nil
	}
	if len(r.rows) == rowsMost {
		return refuse.Invalid("err_roster_too_many", "line", r.row.at, "field", "", "most", rowsMost)
	}
	r.row.cells = slices.Clip(r.row.cells)
	r.rows = append(r.rows, r.row)
	return nil
}

// cell keeps the cell if it has any text.
func (r *sheetReader) cell() error {
	ref := attr(r.at, "r")
	column, ok := r.last+1, true
	if ref != "" {
		column, ok = columnOf(ref)
	}
	if !ok || column <= r.last || r.row.at == 0 {
		return errBroken
	}
	r.last = column
	if r.cells++; r.cells > cellsMost {
		return refuse.Invalid("err_roster_book_cells", "sheet", r.name, "most", cellsMost)
	}
	c := cell{column: column, text: r.text.String()}
	if err := r.typed(&c); err != nil || strings.TrimSpace(c.text) == "" {
		return err
	}
	if r.row.at > rowsMost || column >= columnsMost {
		return errFar(columnName(column) + strconv.Itoa(r.row.at))
	}
	if r.letters += len(c.text); r.letters > unpackedMost {
		return errBookLarge()
	}
	r.row.cells = append(r.row.cells, c)
	return nil
}

// typed sets a cell's text by its type, as a person sees it. A formula has its last result.
func (r *sheetReader) typed(c *cell) error {
	switch attr(r.at, "t") {
	case "s":
		n, err := strconv.Atoi(strings.TrimSpace(c.text))
		if c.text == "" {
			break
		}
		if err != nil || n < 0 || n >= len(r.strings) {
			return errBroken
		}
		c.text = r.strings[n]
	case "inlineStr", "str":
		c.text = unescape(c.text)
	case "b":
		c.text = strings.ToUpper(strconv.FormatBool(c.text == "1"))
	case "e", "d":
	default:
		as := look{decimals: -1}
		if style, err := strconv.Atoi(attr(r.at, "s")); err == nil && style >= 0 && style < len(r.looks) {
			as = r.looks[style]
		}
		c.text = as.shown(c.text)
	}
	return nil
}

// columnOf returns the column, from 0, of a cell's name such as AB12. ok is false if the name is invalid or beyond a
// spreadsheet's last column.
func columnOf(name string) (column int, ok bool) {
	letters := strings.TrimRight(name, "0123456789")
	if letters == "" || len(letters) > 3 || len(letters) == len(name) {
		return 0, false
	}
	for _, c := range strings.ToUpper(letters) {
		if c < 'A' || c > 'Z' {
			return 0, false
		}
		column = column*26 + int(c-'A') + 1
	}
	return column - 1, column <= lastColumn
}

func columnName(column int) string {
	name := ""
	for ; column >= 0; column = column/26 - 1 {
		name = string(rune('A'+column%26)) + name
	}
	return name
}
