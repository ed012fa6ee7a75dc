package rosterfile

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"meldhall/tournament/refuse"
	"meldhall/tournament/spelling"
)

// Parse parses a roster: a workbook (see Text) or CSV. The header line names its columns (name, country, club, rating,
// email, division, family, drawn, mark, in any order; only name is required). Columns are separated by comma, semicolon
// or tab. Errors in the file are returned in Problems, by line; a line with a mend is parsed as mended. The error is
// non-nil if reading fails or ctx ends.
func Parse(ctx context.Context, r io.Reader, mends ...Mend) (Roster, error) {
	data, err := io.ReadAll(io.LimitReader(r, Bytes+1))
	if err != nil {
		return Roster{}, fmt.Errorf("read roster: %w", err)
	}
	p := rosterParser{mends: map[int]Mend{}}
	for _, m := range mends {
		p.mends[m.Line] = m
	}
	if len(data) > Bytes {
		p.Problem(0, "", "err_roster_too_big", "most", Bytes>>20)
		return p.Roster, nil
	}
	text, err := Text(ctx, string(data))
	if ctx.Err() != nil {
		return Roster{}, ctx.Err()
	}
	if err != nil {
		p.unread(err)
		return p.Roster, nil
	}
	data = []byte(text)
	if bytes.HasPrefix(data, []byte{0xff, 0xfe}) || bytes.HasPrefix(data, []byte{0xfe, 0xff}) {
		p.Problem(0, "", "err_roster_not_utf8")
		return p.Roster, nil
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	p.read(ctx, bytes.ToValidUTF8(data, []byte("\ufffd")))
	p.findDoubles()
	slices.SortStableFunc(p.Problems, func(a, b Problem) int { return a.Line - b.Line })
	return p.Roster, ctx.Err()
}

// unread adds the problems of an unreadable workbook.
func (r *Roster) unread(err error) {
	var problem *refuse.Error
	if many, ok := err.(interface{ Unwrap() []error }); ok {
		for _, one := range many.Unwrap() {
			r.unread(one)
		}
	} else if errors.As(err, &problem) {
		r.Problems = append(r.Problems, Problem{Err: problem})
	}
}

type rosterParser struct {
	Roster
	columns []string // field names in the order of the file
	mends   map[int]Mend
}

// Problem adds a problem with a line, a field, and the key and arguments of its error. It does nothing once there are
// problemsMax problems.
func (r *Roster) Problem(line int, field, key string, nameValues ...any) {
	if len(r.Problems) < problemsMax {
		nameValues = append([]any{"line", line, "field", field}, nameValues...)
		r.Problems = append(r.Problems, Problem{line, field, refuse.Invalid(key, nameValues...)})
	}
}

// mended reports whether a line was changed by a mend. A form sends back every line that it shows, and an unchanged
// line keeps its problems.
func (p *rosterParser) mended(line int, cells map[string]string) bool {
	m, ok := p.mends[line]
	if !ok {
		return false
	}
	same := !m.Out
	for column, text := range m.Cells {
		same = same && spelling.Clean(text) == spelling.Clean(cells[column])
	}
	if same {
		delete(p.mends, line)
	}
	return !same
}

// checkCoding adds a problem if letters were lost in the encoding.
func (p *rosterParser) checkCoding(line int, cells map[string]string) {
	for _, text := range cells {
		if strings.ContainsRune(text, utf8.RuneError) {
			p.Problem(line, "", "err_roster_line_not_utf8")
			return
		}
	}
}

// brokenMost limits how often parsing restarts after a line with unclosed quotes.
const brokenMost = 50

func (p *rosterParser) read(ctx context.Context, data []byte) {
	comma, before := separatorOf(data), 0
	if bytes.Count(data, []byte(string(comma))) > cellsMost {
		p.Problem(0, "", "err_roster_cells", "most", cellsMost)
		return
	}
	for n := 0; ; n++ {
		broken := p.readFrom(ctx, data, comma, before)
		if broken == 0 {
			break
		}
		if n == brokenMost { // later lines are not parsed, so this problem cannot be mended
			p.Problem(broken, "", "err_roster_quotes")
			break
		}
		for ; before < broken; before++ { // a broken line must not affect others
			text, rest, _ := bytes.Cut(data, []byte("\n"))
			if data = rest; before == broken-1 {
				cells := map[string]string{"name": string(text)}
				if !p.mended(broken, cells) {
					p.Problem(broken, "", "err_roster_quotes")
				}
				if p.columns != nil {
					p.cells(broken, cells)
				}
			}
		}
	}
	if p.columns == nil || len(p.Rows) == 0 && len(p.Problems) == 0 {
		p.Problem(0, "", "err_roster_empty")
	}
}

// readFrom parses rows; before is the number of lines before them in the file. It returns the line at which it had to
// stop, or 0.
func (p *rosterParser) readFrom(ctx context.Context, data []byte, comma rune, before int) (broken int) {
	reader := csv.NewReader(bytes.NewReader(data))
	reader.Comma = comma
	reader.FieldsPerRecord = -1
	reader.TrimLeadingSpace = comma != '\t'
	for {
		record, err := reader.Read()
		if errors.Is(err, io.EOF) || ctx.Err() != nil {
			return 0
		}
		var wrong *csv.ParseError
		if errors.As(err, &wrong) {
			return before + wrong.StartLine
		}
		line, _ := reader.FieldPos(0)
		line += before
		if isBlank(record) {
			continue
		}
		if p.columns == nil {
			if !p.header(line, record) {
				return 0
			}
			continue
		}
		if len(p.Rows) == Rows {
			p.Problem(line, "", "err_roster_too_many", "most", Rows)
			return 0
		}
		p.row(line, record)
	}
}

// Columns returns the columns of a roster file.
func Columns() []string {
	return []string{"name", "country", "club", "rating", "email", "division", "family", "drawn", "mark"}
}

func columnNamed(cell string) string {
	return strings.ReplaceAll(spelling.Fold(cell), "e-mail", "email")
}

// header parses the first line. It reports whether parsing can continue: the line needs a name column and must not have
// too many columns.
func (p *rosterParser) header(line int, record []string) bool {
	if p.columns = []string{}; len(record) > columnsMost {
		p.Problem(line, "", "err_roster_columns", "have", len(record), "most", columnsMost)
		return false
	}
	p.columns = make([]string, len(record))
	for i, cell := range record {
		column := columnNamed(cell)
		switch {
		case !slices.Contains(Columns(), column):
			p.Problem(line, spelling.Clean(cell), "err_roster_column_unknown", "column", spelling.Clean(cell))
		case slices.Contains(p.columns[:i], column):
			p.Problem(line, column, "err_roster_column_twice", "column", column)
		}
		p.columns[i] = column
	}
	if !slices.Contains(p.columns, "name") {
		p.Problem(line, "name", "err_roster_no_name_column")
		return false
	}
	return true
}

func (p *rosterParser) row(line int, record []string) {
	cells := map[string]string{}
	for i, cell := range record[:min(len(record), len(p.columns))] {
		cells[p.columns[i]] = unguardCell(cell)
	}
	if !p.mended(line, cells) {
		p.checkCoding(line, cells)
		if len(record) != len(p.columns) {
			p.Problem(line, "", "err_roster_field_count", "have", len(record), "want", len(p.columns))
		}
	}
	p.cells(line, cells)
}

// cells adds a row from its texts by column, after applying mends.
func (p *rosterParser) cells(line int, cells map[string]string) {
	mend := p.mends[line]
	maps.Copy(cells, mend.Cells)
	row := Row{Line: line, Cells: cells, PlayerEntry: PlayerEntry{Name: cells["name"], Country: cells["country"],
		Club:  cells["club"],
		Email: cells["email"], Division: cells["division"], Family: cells["family"], Mark: cells["mark"]}.Clean()}
	if mend.Out {
		p.Out = append(p.Out, row)
		return
	}
	if drawn := spelling.Clean(cells["drawn"]); drawn != "" {
		n, err := strconv.Atoi(drawn)
		if err != nil {
			n = -1 // rejected by the range check
		}
		row.Drawn = n
	}
	if rating := spelling.Clean(cells["rating"]); rating != "" {
		n, err := strconv.Atoi(rating)
		if row.Rating = &n; err != nil {
			row.Rating = nil
			p.Problem(line, "rating", "err_player_rating", "value", rating, "most", ratingMost)
		}
	}
	for _, e := range row.PlayerEntry.Check() {
		field, _ := e.Args["field"].(string)
		p.Problem(line, field, e.Key, flatten(e.Args)...)
	}
	p.Rows = append(p.Rows, row)
}

// findDoubles adds a problem for each duplicate player, with the first line, and for each drawn number used twice.
func (p *rosterParser) findDoubles() {
	first, drawn := map[string]int{}, map[int]Row{}
	for _, row := range p.Rows {
		if other, ok := drawn[row.Drawn]; ok && row.Drawn > 0 {
			p.Problem(row.Line, "drawn", "err_drawn_taken", "number", row.Drawn, "player", row.Name, "holder",
				other.Name)
		}
		drawn[row.Drawn] = row
		if row.Name == "" {
			continue
		}
		key := row.Key()
		if line, ok := first[key]; ok {
			p.Problem(row.Line, "mark", "err_roster_double", "name", row.Name, "first", line)
			continue
		}
		first[key] = row.Line
	}
}

func isBlank(record []string) bool {
	return !slices.ContainsFunc(record, func(cell string) bool { return strings.TrimSpace(cell) != "" })
}

// separatorOf returns the most frequent separator of the first line with text.
func separatorOf(data []byte) rune {
	var header []byte
	for line := range bytes.Lines(data) {
		if header = bytes.TrimSpace(line); len(header) > 0 {
			break
		}
	}
	best := ','
	for _, c := range ";\t" {
		if bytes.ContainsRune(header, c) && bytes.Count(header, []byte(string(c))) > bytes.Count(header,
			[]byte(string(best))) {
			best = c
		}
	}
	return best
}
