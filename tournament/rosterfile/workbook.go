package rosterfile

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"meldhall/tournament/refuse"
)

// Limits of a workbook. A roster of 5000 players with all columns unpacks to 5 MB and has 45,000 cells.
const (
	unpackedMost = 16 << 20 // bytes of all its parts, and of the texts of all cells
	cellsMost    = 250_000  // cells, shared strings, and separators of a CSV file
	columnsMost  = 256
	rowsMost     = 20_000
	sheetsMost   = 256
	namedMost    = 8 // cells that a problem names
)

// Magic numbers: ZIP, for workbooks; OLE, for older Office files and those with a password.
const (
	zipStart = "PK\x03\x04"
	oleStart = "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
)

// Text converts a roster file to the text that Parse reads. The only non-empty sheet of a workbook (XLSX) becomes CSV,
// with each row on the line of its number; other files are returned unchanged. Text returns an error for workbook
// content that cannot be a roster, or that a spreadsheet shows differently. Several errors are joined.
func Text(ctx context.Context, file string) (string, error) {
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
	b, err := openBook(ctx, file)
	if err != nil {
		return "", err
	}
	return b.text()
}

// text returns the only non-empty sheet as CSV.
func (b *book) text() (string, error) {
	var with []string
	var found sheet
	for _, s := range b.sheets {
		if err := b.readSheet(&s); err != nil {
			return "", err
		}
		if len(s.rows) > 0 {
			found, with = s, append(with, s.name)
		}
	}
	switch len(with) {
	case 0:
		return "", refuse.Invalid("err_roster_empty", "line", 0, "field", "")
	case 1:
	default:
		return "", refuse.Invalid("err_roster_book_sheets", "sheets", strings.Join(with, ", "))
	}
	if err := found.check(); err != nil {
		return "", err
	}
	return found.csv()
}

// check rejects a sheet if a spreadsheet shows a cell's text differently, or may have changed the typed text.
func (s *sheet) check() error {
	name := slices.IndexFunc(s.rows[0].cells, func(c cell) bool { return columnNamed(c.text) == "name" })
	for i, row := range s.rows {
		for _, c := range row.cells {
			if i > 0 && name >= 0 && c.fault == "" && c.number && c.column == s.rows[0].cells[name].column {
				c.fault = "err_roster_book_number" // the spreadsheet may have changed the name, such as 007 to 7
			}
			if c.fault != "" {
				s.note(c.fault, columnName(c.column)+strconv.Itoa(row.at))
			}
		}
	}
	var errs []error
	for _, key := range []string{"err_roster_book_merged", "err_roster_book_formula", "err_roster_book_date",
		"err_roster_book_number", "err_roster_book_error"} {
		if cells := s.faults[key]; len(cells) > namedMost {
			errs = append(errs, refuse.Invalid(key, "cells", strings.Join(cells[:namedMost], ", ")+", …"))
		} else if len(cells) > 0 {
			errs = append(errs, refuse.Invalid(key, "cells", strings.Join(cells, ", ")))
		}
	}
	return errors.Join(errs...)
}

// csv encodes the rows as CSV, each on the line of its number.
func (s *sheet) csv() (string, error) {
	var text bytes.Buffer
	out := csv.NewWriter(&text)
	first, line := s.rows[0].width(), 1
	for _, row := range s.rows {
		for out.Flush(); line < row.at; line++ {
			text.WriteString("\n") // the CSV writer would write an empty row as one cell
		}
		cells := make([]string, max(first, row.width()))
		for _, c := range row.cells {
			cells[c.column] = GuardCell(whole(strings.Join(strings.Fields(c.text), " ")))
		}
		if err := out.Write(cells); err != nil {
			return "", err
		}
		line++
	}
	out.Flush()
	return text.String(), out.Error()
}

// dateStyles are the ranges of the built-in date and time formats.
var dateStyles = [][2]int{{14, 22}, {27, 36}, {45, 47}, {50, 58}}

// dateParts are the letters of a date or time format, after removing quoted text, colours and conditions.
var (
	dateParts = regexp.MustCompile(`(?i)[dmyhs]`)
	notParts  = regexp.MustCompile(`(?i)"[^"]*"|\\.|\[[^\]]*\]|_.|\*.|general`)
)

// isDate reports whether a number format shows a date or a time. code is empty for a built-in format.
func isDate(id int, code string) bool {
	if code != "" {
		return dateParts.MatchString(notParts.ReplaceAllString(code, ""))
	}
	return slices.ContainsFunc(dateStyles, func(r [2]int) bool { return id >= r[0] && id <= r[1] })
}

// aPower matches a number in scientific notation, such as 1.5E3.
var aPower = regexp.MustCompile(`^[0-9.]+E[+-]?[0-9]+$`)

func whole(text string) string {
	if f, err := strconv.ParseFloat(text, 64); err == nil && aPower.MatchString(text) {
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	return text
}
