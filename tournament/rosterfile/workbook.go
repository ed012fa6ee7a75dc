package rosterfile

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/xuri/excelize/v2"

	"meldhall/tournament/refuse"
)

// What a workbook may hold: a roster of 5000 players with all its columns unpacks to 5 MB and has 45,000 cells.
const (
	unpackedMost = 16 << 20
	cellsMost    = 250_000
	namedMost    = 8 // cells that a problem names
)

// The first bytes of files: of a ZIP, which a workbook is, and of what Office wrote before or writes with a password.
const (
	zipStart = "PK\x03\x04"
	oleStart = "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
)

// Text is a roster file as the text that Parse reads: of a workbook (XLSX) its one sheet as CSV, each row on the line of its number; any
// other file as it is. What in a workbook cannot be a roster, or would be another thing than people see there, is an error, of several
// kinds joined.
func Text(file string) (string, error) {
	switch {
	case strings.HasPrefix(file, oleStart):
		if strings.Contains(file, "E\x00n\x00c\x00r\x00y\x00p\x00t\x00e\x00d\x00P\x00a\x00c\x00k\x00a\x00g\x00e\x00") {
			return "", refuse.Invalid("err_roster_book_locked")
		}
		return "", refuse.Invalid("err_roster_book_old")
	case !strings.HasPrefix(file, zipStart):
		return file, nil
	case len(file) > Bytes:
		return "", refuse.Invalid("err_roster_too_big", "most", Bytes>>20)
	}
	b, err := openBook(file)
	if err != nil {
		return "", err
	}
	defer b.file.Close()
	return b.text()
}

// book is a workbook that is read.
type book struct {
	file   *excelize.File
	sheet  string
	dates  map[int]bool // styles that show a number as a date or a time
	name   int          // the column of the names, from 0; -1 until it is known
	faults map[string][]string
}

func openBook(file string) (*book, error) {
	archive, err := zip.NewReader(strings.NewReader(file), int64(len(file)))
	if err != nil {
		return nil, refuse.Invalid("err_roster_book_broken")
	}
	unpacked := uint64(0)
	for _, f := range archive.File {
		if unpacked += f.UncompressedSize64; unpacked > unpackedMost || f.UncompressedSize64 > unpackedMost {
			return nil, refuse.Invalid("err_roster_book_large", "most", unpackedMost>>20)
		}
	}
	if !slices.ContainsFunc(archive.File, func(f *zip.File) bool { return f.Name == "[Content_Types].xml" }) {
		return nil, refuse.Invalid("err_roster_book_broken")
	}
	f, err := excelize.OpenReader(strings.NewReader(file), excelize.Options{RawCellValue: true, UnzipSizeLimit: unpackedMost, UnzipXMLSizeLimit: unpackedMost})
	if err != nil {
		return nil, refuse.Invalid("err_roster_book_broken")
	}
	return &book{file: f, name: -1, dates: map[int]bool{}, faults: map[string][]string{}}, nil
}

// text is the one sheet that has anything.
func (b *book) text() (string, error) {
	var with []string
	var rows [][]string
	for _, name := range b.file.GetSheetList() {
		found, err := b.rows(name)
		if err != nil {
			return "", err
		}
		if len(found) > 0 {
			b.sheet, rows, with = name, found, append(with, name)
		}
	}
	switch len(with) {
	case 0:
		return "", refuse.Invalid("err_roster_empty", "line", 0, "field", "")
	case 1:
	default:
		return "", refuse.Invalid("err_roster_book_sheets", "sheets", strings.Join(with, ", "))
	}
	merged, err := b.file.GetMergeCells(b.sheet, true)
	if err != nil {
		return "", refuse.Invalid("err_roster_book_broken")
	}
	for _, m := range merged {
		b.cellFault("err_roster_book_merged", m.GetStartAxis()+":"+m.GetEndAxis())
	}
	if err := b.check(rows); err != nil {
		return "", err
	}
	return csvOf(rows)
}

// rows are the cells of a sheet, row by row, without the empty ones behind.
func (b *book) rows(sheet string) (rows [][]string, err error) {
	all, err := b.file.Rows(sheet)
	if err != nil {
		return nil, nil // a sheet of another kind, such as a chart
	}
	defer all.Close()
	filled, cells := 0, 0
	for at := 1; all.Next(); at++ {
		row, err := all.Columns(excelize.Options{RawCellValue: true})
		if err != nil {
			return nil, refuse.Invalid("err_roster_book_broken")
		}
		if cells += len(row); cells > cellsMost {
			return nil, refuse.Invalid("err_roster_book_cells", "sheet", sheet, "most", cellsMost)
		}
		if isBlank(row) {
			continue
		}
		if filled++; filled > Rows+1 {
			return nil, refuse.Invalid("err_roster_too_many", "line", at, "field", "", "most", Rows)
		}
		for len(rows) < at-1 {
			rows = append(rows, nil)
		}
		rows = append(rows, row)
	}
	if all.Error() != nil {
		return nil, refuse.Invalid("err_roster_book_broken")
	}
	return rows, nil
}

// cellFault notes that a cell has something that a roster cannot have.
func (b *book) cellFault(key, cell string) {
	if len(b.faults[key]) <= namedMost {
		b.faults[key] = append(b.faults[key], cell)
	}
}

// check looks for cells whose text is not what people see in them, or not what anybody typed.
func (b *book) check(rows [][]string) error {
	for i, row := range rows {
		for j, text := range row {
			if strings.TrimSpace(text) == "" {
				continue
			}
			cell, err := excelize.CoordinatesToCellName(j+1, i+1)
			if err != nil {
				return refuse.Invalid("err_roster_book_broken")
			}
			key, err := b.wrong(cell, j == b.name)
			if err != nil {
				return refuse.Invalid("err_roster_book_broken")
			}
			if key != "" {
				b.cellFault(key, cell)
			}
		}
		if i == firstFilled(rows) {
			b.name = slices.IndexFunc(row, func(cell string) bool { return columnNamed(cell) == "name" })
		}
	}
	var errs []error
	for _, key := range []string{"err_roster_book_merged", "err_roster_book_formula", "err_roster_book_date", "err_roster_book_number", "err_roster_book_error"} {
		if cells := b.faults[key]; len(cells) > namedMost {
			errs = append(errs, refuse.Invalid(key, "cells", strings.Join(cells[:namedMost], ", ")+", …"))
		} else if len(cells) > 0 {
			errs = append(errs, refuse.Invalid(key, "cells", strings.Join(cells, ", ")))
		}
	}
	return errors.Join(errs...)
}

// wrong is the key of what is wrong with a cell that has a value; empty for nothing.
func (b *book) wrong(cell string, name bool) (string, error) {
	kind, err := b.file.GetCellType(b.sheet, cell)
	if err != nil {
		return "", err
	}
	if formula, err := b.file.GetCellFormula(b.sheet, cell); err != nil || formula != "" {
		return "err_roster_book_formula", err
	}
	switch kind {
	case excelize.CellTypeSharedString, excelize.CellTypeInlineString, excelize.CellTypeFormula: // the last: any text beside a formula's place
		return "", nil
	case excelize.CellTypeError:
		return "err_roster_book_error", nil
	case excelize.CellTypeDate:
		return "err_roster_book_date", nil
	case excelize.CellTypeBool:
		return "err_roster_book_number", nil
	}
	date, err := b.isDate(cell)
	if err != nil {
		return "", err
	}
	switch {
	case date:
		return "err_roster_book_date", nil
	case name: // made by the spreadsheet: of 007 it has kept 7
		return "err_roster_book_number", nil
	}
	return "", nil
}

// dateStyles are the formats of dates and times that every workbook has, by number.
var dateStyles = [][2]int{{14, 22}, {27, 36}, {45, 47}, {50, 58}}

// dateParts are the letters of a format that shows a date or a time; quoted text, colours and conditions are taken out before.
var (
	dateParts = regexp.MustCompile(`(?i)[dmyhs]`)
	notParts  = regexp.MustCompile(`(?i)"[^"]*"|\\.|\[[^\]]*\]|_.|\*.|general`)
)

// isDate tells whether the number in a cell is shown as a date or a time.
func (b *book) isDate(cell string) (bool, error) {
	id, err := b.file.GetCellStyle(b.sheet, cell)
	if err != nil {
		return false, err
	}
	if is, known := b.dates[id]; known {
		return is, nil
	}
	style, err := b.file.GetStyle(id)
	if err != nil {
		return false, err
	}
	is := slices.ContainsFunc(dateStyles, func(r [2]int) bool { return style.NumFmt >= r[0] && style.NumFmt <= r[1] })
	if style.CustomNumFmt != nil {
		is = dateParts.MatchString(notParts.ReplaceAllString(*style.CustomNumFmt, ""))
	}
	b.dates[id] = is
	return is, nil
}

// csvOf writes rows as CSV, each on one line.
func csvOf(rows [][]string) (string, error) {
	var text bytes.Buffer
	out := csv.NewWriter(&text)
	first := rows[firstFilled(rows)]
	for _, row := range rows {
		out.Flush()
		if isBlank(row) {
			text.WriteString("\n") // the writer would make a row of one cell of it
			continue
		}
		cells := make([]string, len(first))
		for i, cell := range row {
			if i == len(cells) {
				cells = append(cells, "")
			}
			cells[i] = GuardCell(whole(strings.Join(strings.Fields(cell), " ")))
		}
		if err := out.Write(cells); err != nil {
			return "", err
		}
	}
	out.Flush()
	return text.String(), out.Error()
}

func firstFilled(rows [][]string) int {
	return slices.IndexFunc(rows, func(row []string) bool { return !isBlank(row) })
}

// aPower is a number as programs write large ones: 1.5E3.
var aPower = regexp.MustCompile(`^[0-9.]+E[+-]?[0-9]+$`)

func whole(text string) string {
	if f, err := strconv.ParseFloat(text, 64); err == nil && aPower.MatchString(text) {
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	return text
}
