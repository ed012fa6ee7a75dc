// Package listfile reads lists as people have them: CSV with any separator and encoding, and workbooks. It finds the
// table in a file, names its columns, and tells what it leaves out. It is the only reader of lists that people upload.
package listfile

import (
	"context"
	"errors"
	"slices"
	"strings"

	"meldhall/tournament/refuse"
	"meldhall/tournament/spelling"
)

// Reading is how a list is read, as its user chose. Its zero value leaves every choice to the reader.
type Reading struct {
	Encoding string         `json:"encoding,omitempty"` // one of Encodings
	Sheet    string         `json:"sheet,omitempty"`    // of a workbook
	Header   int            `json:"header,omitempty"`   // line of the column names; NoHeader: none
	Columns  map[int]string `json:"columns,omitempty"`  // field by column, from 1; Ignored: none
	Ignore   bool           `json:"ignore,omitempty"`   // leave out columns that are not recognized
	Hidden   bool           `json:"hidden,omitempty"`   // read hidden rows and columns as well
}

// NoHeader is the Header of a list without column names.
const NoHeader = -1

// Ignored is the field of a column that is left out.
const Ignored = "-"

// List is a table found in a file. Each row has a cell for each column.
type List struct {
	Columns  []Column
	Rows     []Row
	Header   int   // line of the column names; NoHeader: none
	Top      []Row // the first lines, any of which may be the header; their cells are those of the file
	Encoding string
	Guessed  bool // the encoding is not certain
	Sheet    string
	Sheets   []string // of a workbook with several
	Left     []Left
}

// Column is a column of the file. Field is empty if the header does not tell what it holds.
type Column struct {
	Number int // from 1
	Title  string
	Field  string
	Sample string
}

// Row is a line of the list. A quotation mark that is never closed makes it Broken.
type Row struct {
	Line   int
	Cells  []string
	Broken bool
}

// Left is something that is not read: the key of its name, where it is, and its texts.
type Left struct {
	What  string
	At    []string
	Texts []string
}

// What is left out of a list, and rows that are shorter than the header.
const (
	LeftTitle         = "title"
	LeftRepeated      = "repeated"
	LeftEmpty         = "empty"
	LeftNotes         = "notes"
	LeftHiddenRows    = "hidden_rows"
	LeftHiddenColumns = "hidden_columns"
	LeftSheets        = "sheets"
	LeftShort         = "short"
)

// grid is a file's rows with text.
type grid struct {
	rows          []gridRow
	hiddenColumns []int // from 0
	csv           bool
}

type gridRow struct {
	Row
	hidden bool
}

// Read reads a list whose rows have some of the fields; the first one is required. Faults of the file as a whole are
// errors of package refuse; several are joined.
func Read(ctx context.Context, file string, fields []string, how Reading) (List, error) {
	l := List{}
	var g grid
	var err error
	if isBook(file) {
		g, err = l.readBook(ctx, file, how)
	} else if len(file) > Bytes {
		err = refuse.Invalid("err_roster_too_big", "line", 0, "field", "", "most", Bytes>>20)
	} else {
		g, err = l.readText(ctx, file, how.Encoding)
	}
	if err != nil {
		return l, err
	}
	return l, l.find(g, fields, how)
}

// Errors returns the errors that an error joins.
func Errors(err error) (all []*refuse.Error) {
	var one *refuse.Error
	if many, ok := err.(interface{ Unwrap() []error }); ok {
		for _, each := range many.Unwrap() {
			all = append(all, Errors(each)...)
		}
	} else if errors.As(err, &one) {
		all = append(all, one)
	}
	return all
}

// At returns the cell of a row in the column of a field, cleaned, or "" if there is no such column.
func (l List) At(row Row, field string) string {
	for i, c := range l.Columns {
		if c.Field == field {
			return spelling.Clean(row.Cells[i])
		}
	}
	return ""
}

// Has reports whether a column holds a field.
func (l List) Has(field string) bool {
	return slices.ContainsFunc(l.Columns, func(c Column) bool { return c.Field == field })
}

// Unknown returns the columns that are neither recognized nor left out.
func (l List) Unknown() []Column {
	return slices.DeleteFunc(slices.Clone(l.Columns), func(c Column) bool { return c.Field != "" })
}

// Label returns a column's title, or its letter if it has none.
func (c Column) Label() string {
	if c.Title != "" {
		return c.Title
	}
	return columnName(c.Number - 1)
}

// leave adds something that is left out, together with earlier ones of the kind.
func (l *List) leave(what, at, text string) {
	i := slices.IndexFunc(l.Left, func(left Left) bool { return left.What == what })
	if i < 0 {
		l.Left = append(l.Left, Left{What: what})
		i = len(l.Left) - 1
	}
	l.Left[i].At = append(l.Left[i].At, at)
	if text != "" {
		l.Left[i].Texts = append(l.Left[i].Texts, text)
	}
}

// told joins the cells of a row with text.
func told(cells []string) string {
	var texts []string
	for _, cell := range cells {
		if text := spelling.Clean(cell); text != "" {
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, " · ")
}
