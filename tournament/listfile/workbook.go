package listfile

import (
	"context"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"meldhall/tournament/refuse"
)

// Limits of a list. A roster of 5000 players with all columns unpacks to 5 MB and has 45,000 cells.
const (
	Bytes        = 5 << 20
	unpackedMost = 16 << 20 // bytes of all parts of a workbook, and of the texts of all cells
	cellsMost    = 250_000  // cells, shared strings, and separators of a CSV file
	columnsMost  = 256
	rowsMost     = 20_000
	sheetsMost   = 256
)

// Magic numbers: ZIP, for workbooks; OLE, for older Office files and those with a password.
const (
	zipStart = "PK\x03\x04"
	oleStart = "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
)

func isBook(file string) bool {
	return strings.HasPrefix(file, oleStart) || strings.HasPrefix(file, zipStart)
}

// readBook reads the chosen sheet of a workbook, or the first one with content that a person sees.
func (l *List) readBook(ctx context.Context, file string, how Reading) (g grid, err error) {
	switch {
	case strings.HasPrefix(file, zipStart) && len(file) > Bytes:
		return g, refuse.Invalid("err_roster_too_big", "most", Bytes>>20)
	case strings.Contains(file, "E\x00n\x00c\x00r\x00y\x00p\x00t\x00e\x00d\x00P\x00a\x00c\x00k\x00a\x00g\x00e\x00"):
		return g, refuse.Invalid("err_roster_book_locked")
	case strings.HasPrefix(file, oleStart):
		return g, refuse.Invalid("err_roster_book_old")
	}
	b, err := openBook(ctx, file)
	if err != nil {
		return g, err
	}
	var found *sheet
	for i := range b.sheets {
		s := &b.sheets[i]
		if err := b.readSheet(s); err != nil {
			return g, err
		}
		if len(s.rows) == 0 {
			continue
		}
		l.Sheets = append(l.Sheets, s.name)
		if s.name == how.Sheet || found == nil || how.Sheet == "" && found.hidden && !s.hidden {
			found = s
		}
	}
	if found == nil {
		return g, refuse.Invalid("err_roster_empty", "line", 0, "field", "")
	}
	for _, name := range l.Sheets {
		if l.Sheet = found.name; name != found.name {
			l.leave(LeftSheets, name, "")
		}
	}
	found.fill()
	for _, row := range found.rows {
		cells := make([]string, row.width())
		for _, c := range row.cells {
			cells[c.column] = c.text
		}
		g.rows = append(g.rows, gridRow{Row{Line: row.at, Cells: cells}, row.hidden})
	}
	g.hiddenColumns = found.hiddenColumns
	return g, nil
}

// fill repeats the text of cells that are merged down, which a person sees in each of the rows.
func (s *sheet) fill() {
	for _, ref := range s.merged {
		from, to, _ := strings.Cut(ref, ":")
		column, ok := columnOf(from)
		last, ok2 := columnOf(to)
		top, err := strconv.Atoi(strings.TrimLeft(from, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
		bottom, err2 := strconv.Atoi(strings.TrimLeft(to, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
		if !ok || !ok2 || err != nil || err2 != nil || column != last || top >= bottom || column >= columnsMost {
			continue
		}
		text := ""
		for i := range s.rows {
			row := &s.rows[i]
			if row.at < top || row.at > bottom {
				continue
			}
			at := slices.IndexFunc(row.cells, func(c cell) bool { return c.column == column })
			switch {
			case row.at == top && at >= 0:
				text = row.cells[at].text
			case at < 0 && text != "":
				row.cells = append(row.cells, cell{column: column, text: text})
			}
		}
	}
}

// look is how a style shows a number.
type look struct {
	date     bool
	time     bool
	decimals int // -1: as many as it has
	digits   int // at least as many before the decimal point, as in 007
}

// dateStyles are the ranges of the built-in date and time formats.
var dateStyles = [][2]int{{14, 22}, {27, 36}, {45, 47}, {50, 58}}

// dateParts are the letters of a date or time format, after removing quoted text, colours and conditions.
var (
	dateParts  = regexp.MustCompile(`(?i)[dmy]`)
	timeParts  = regexp.MustCompile(`(?i)[hs]`)
	notParts   = regexp.MustCompile(`(?i)"[^"]*"|\\.|\[[^\]]*\]|_.|\*.|general`)
	plainStyle = regexp.MustCompile(`^[#,]*(0+)(\.0+)?$`)
)

// lookOf returns how a number format shows a number. code is empty for a built-in format.
func lookOf(id int, code string) look {
	if code == "" {
		code = map[int]string{1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 22: "d h"}[id]
		if code == "" && slices.ContainsFunc(dateStyles, func(r [2]int) bool { return id >= r[0] && id <= r[1] }) {
			code = "d"
			if id >= 18 && id <= 21 || id >= 45 && id <= 47 {
				code = "h"
			}
		}
	}
	code, _, _ = strings.Cut(notParts.ReplaceAllString(code, ""), ";")
	if parts := plainStyle.FindStringSubmatch(strings.TrimSpace(code)); parts != nil {
		return look{decimals: max(len(parts[2])-1, 0), digits: len(parts[1])}
	}
	return look{
		date: dateParts.MatchString(code) && (!timeParts.MatchString(code) || strings.ContainsAny(code, "dyDY")),
		time: timeParts.MatchString(code), decimals: -1}
}

// shown returns a number as a person sees it.
func (k look) shown(text string) string {
	n, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	switch {
	case err != nil:
		return text
	case k.date || k.time:
		at := time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC).Add(time.Duration(math.Round(n*86400)) * time.Second)
		switch {
		case !k.time:
			return at.Format(time.DateOnly)
		case !k.date:
			return at.Format(time.TimeOnly)
		}
		return at.Format(time.DateTime)
	case k.decimals < 0:
		n, _ = strconv.ParseFloat(strconv.FormatFloat(n, 'g', 11, 64), 64) // a cell shows at most 11 digits
	}
	text = strconv.FormatFloat(n, 'f', k.decimals, 64)
	if whole, _, _ := strings.Cut(text, "."); len(whole) < k.digits && n >= 0 {
		text = strings.Repeat("0", k.digits-len(whole)) + text
	}
	return text
}
