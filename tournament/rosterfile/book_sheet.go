package rosterfile

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
)

// sheetReader reads a sheet's cells one after another.
type sheetReader struct {
	*book
	*sheet
	row  bookRow
	at   xml.StartElement // the current cell
	last int              // column of the previous cell; -1: none
	calc bool             // the cell has a formula
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
			return r.begin(attr(e, "r"))
		case "c":
			r.at, r.calc = e.Copy(), false
		case "f":
			r.calc = true
		case "mergeCell":
			ref := attr(e, "ref")
			r.note("err_roster_book_merged", ref[:min(len(ref), 30)])
		}
	case xml.EndElement:
		if e.Name.Local == "row" {
			return r.end()
		}
	}
	return nil
}

// begin starts the row with a number, or the next row if the number is empty.
func (r *sheetReader) begin(number string) error {
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
	r.row, r.last = bookRow{at: n}, -1
	return nil
}

// end keeps the row if it has any text.
func (r *sheetReader) end() error {
	if len(r.row.cells) == 0 {
		return nil
	}
	if len(r.rows) > Rows {
		return refuse.Invalid("err_roster_too_many", "line", r.row.at, "field", "", "most", Rows)
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

// typed sets a cell's text by its type, and its fault.
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
	case "e":
		c.fault = "err_roster_book_error"
	case "d":
		c.fault = "err_roster_book_date"
	case "b":
		c.fault = "err_roster_book_number"
	default:
		c.number = true
		if style, err := strconv.Atoi(attr(r.at, "s")); err == nil && style >= 0 && style < len(r.dates) &&
			r.dates[style] {
			c.fault = "err_roster_book_date"
		}
	}
	if r.calc {
		c.fault = "err_roster_book_formula"
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
