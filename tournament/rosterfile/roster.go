// Package rosterfile reads and writes files of players, for entering them and for spreadsheets.
package rosterfile

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"net/mail"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"meldhall/tournament/refuse"
	"meldhall/tournament/spelling"
)

// Limits of a roster file and of its fields, in bytes, rows and characters.
const (
	Bytes        = 5 << 20
	Rows         = 5000
	nameMost     = 80
	countryMost  = 60
	clubMost     = 80
	FamilyMost   = 60
	DivisionMost = 60
	emailMost    = 254
	ratingMost   = 100_000
	problemsMax  = 200
)

// PlayerEntry is a player as a roster or a form gives one. Only the name must be there.
type PlayerEntry struct {
	Name     string `json:"name"`
	Country  string `json:"country,omitempty"`
	Club     string `json:"club,omitempty"`
	Rating   *int   `json:"rating,omitempty"`
	Email    string `json:"email,omitempty"`
	Division string `json:"division,omitempty"`
	Family   string `json:"family,omitempty"`
	Drawn    int    `json:"drawn,omitempty" doc:"the number drawn in the hall, for the number chart"` // 0: none
}

// Row is one player of a roster, on the line where the row begins.
type Row struct {
	Line int `json:"line"`
	PlayerEntry
}

// Problem is why a roster cannot be taken. Line 0 is the file as a whole. Err has the key and
// the arguments.
type Problem struct {
	Line  int
	Field string
	Err   *refuse.Error
}

// Roster is a roster file as it was read: every row that could be read, and every problem.
type Roster struct {
	Rows     []Row
	Problems []Problem
}

// Parse reads a roster: CSV with a header line that names its columns (name, country, club,
// rating, email, division, family, drawn, in any order, all but name optional), separated by comma, semicolon or tab. What is
// wrong with it is in the Problems, by line; the error is a failure to read at all.
func Parse(r io.Reader) (Roster, error) {
	data, err := io.ReadAll(io.LimitReader(r, Bytes+1))
	if err != nil {
		return Roster{}, fmt.Errorf("read roster: %w", err)
	}
	p := rosterParser{}
	if len(data) > Bytes {
		p.Problem(0, "", "err_roster_too_big", "most", Bytes>>20)
		return p.Roster, nil
	}
	if bytes.HasPrefix(data, []byte{0xff, 0xfe}) || bytes.HasPrefix(data, []byte{0xfe, 0xff}) {
		p.Problem(0, "", "err_roster_not_utf8")
		return p.Roster, nil
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	p.checkEncoding(data)
	p.read(data)
	p.findDoubles()
	slices.SortStableFunc(p.Problems, func(a, b Problem) int { return a.Line - b.Line })
	return p.Roster, nil
}

type rosterParser struct {
	Roster
	columns []string // the fields' names in the order of the file
}

// Problem adds a problem: its line, its field, and its error.
func (r *Roster) Problem(line int, field, key string, nameValues ...any) {
	if len(r.Problems) < problemsMax {
		nameValues = append([]any{"line", line, "field", field}, nameValues...)
		r.Problems = append(r.Problems, Problem{line, field, refuse.Invalid(key, nameValues...)})
	}
}

func (p *rosterParser) checkEncoding(data []byte) {
	if utf8.Valid(data) {
		return
	}
	for i, line := range bytes.Split(data, []byte("\n")) {
		if !utf8.Valid(line) {
			p.Problem(i+1, "", "err_roster_line_not_utf8")
		}
	}
}

func (p *rosterParser) read(data []byte) {
	reader := csv.NewReader(bytes.NewReader(bytes.ToValidUTF8(data, []byte("\ufffd"))))
	reader.Comma = separatorOf(data)
	reader.FieldsPerRecord = -1
	reader.TrimLeadingSpace = reader.Comma != '\t'
	for {
		record, err := reader.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		var broken *csv.ParseError
		if errors.As(err, &broken) {
			p.Problem(broken.StartLine, "", "err_roster_quotes")
			continue
		}
		line, _ := reader.FieldPos(0)
		if len(record) == 1 && strings.TrimSpace(record[0]) == "" || isBlank(record) {
			continue
		}
		if p.columns == nil {
			if !p.header(line, record) {
				return
			}
			continue
		}
		if len(p.Rows) == Rows {
			p.Problem(line, "", "err_roster_too_many", "most", Rows)
			return
		}
		p.row(line, record)
	}
	if p.columns == nil || len(p.Rows) == 0 && len(p.Problems) == 0 {
		p.Problem(0, "", "err_roster_empty")
	}
}

// rosterColumns are the columns of a roster file.
func rosterColumns() []string {
	return []string{"name", "country", "club", "rating", "email", "division", "family", "drawn"}
}

// header takes the first line. The file is not read on when it has no column name.
func (p *rosterParser) header(line int, record []string) bool {
	p.columns = make([]string, len(record))
	for i, cell := range record {
		column := strings.ReplaceAll(spelling.Fold(cell), "e-mail", "email")
		switch {
		case !slices.Contains(rosterColumns(), column):
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
	if len(record) != len(p.columns) {
		p.Problem(line, "", "err_roster_field_count", "have", len(record), "want", len(p.columns))
		return
	}
	row := Row{Line: line}
	texts := map[string]*string{"name": &row.Name, "country": &row.Country, "club": &row.Club, "email": &row.Email, "division": &row.Division,
		"family": &row.Family}
	for i, cell := range record {
		cell = unguardCell(cell)
		if text := texts[p.columns[i]]; text != nil {
			*text = cell
		}
		switch p.columns[i] {
		case "drawn":
			if cell = spelling.Clean(cell); cell != "" {
				n, err := strconv.Atoi(cell)
				if err != nil {
					n = -1 // refused with the bounds
				}
				row.Drawn = n
			}
		case "rating":
			if cell = spelling.Clean(cell); cell != "" {
				n, err := strconv.Atoi(cell)
				if err != nil {
					p.Problem(line, "rating", "err_player_rating", "value", cell, "most", ratingMost)
					continue
				}
				row.Rating = &n
			}
		}
	}
	row.PlayerEntry = row.PlayerEntry.Clean()
	for _, e := range row.PlayerEntry.Check() {
		field, _ := e.Args["field"].(string)
		p.Problem(line, field, e.Key, flatten(e.Args)...)
	}
	p.Rows = append(p.Rows, row)
}

// findDoubles names both lines of a player who is there twice, and of a drawn number.
func (p *rosterParser) findDoubles() {
	first, drawn := map[string]int{}, map[int]Row{}
	for _, row := range p.Rows {
		if other, ok := drawn[row.Drawn]; ok && row.Drawn > 0 {
			p.Problem(row.Line, "drawn", "err_drawn_taken", "number", row.Drawn, "player", row.Name, "holder", other.Name)
		}
		drawn[row.Drawn] = row
		if row.Name == "" {
			continue
		}
		key := row.Key()
		if line, ok := first[key]; ok {
			p.Problem(row.Line, "name", "err_roster_double", "name", row.Name, "first", line)
			continue
		}
		first[key] = row.Line
	}
}

// Clean takes out of the fields what nobody meant to type.
func (e PlayerEntry) Clean() PlayerEntry {
	e.Name, e.Country, e.Club = spelling.Clean(e.Name), spelling.Clean(e.Country), spelling.Clean(e.Club)
	e.Email, e.Division, e.Family = spelling.Clean(e.Email), spelling.Clean(e.Division), spelling.Clean(e.Family)
	return e
}

// Check gives all that is wrong with the fields; each error names its field.
func (e PlayerEntry) Check() (errs []*refuse.Error) {
	add := func(key, field string, nameValues ...any) {
		errs = append(errs, refuse.Invalid(key, append([]any{"field", field}, nameValues...)...))
	}
	if e.Name == "" {
		add("err_player_no_name", "name")
	}
	for _, f := range []struct {
		field, value string
		most         int
	}{{"name", e.Name, nameMost}, {"country", e.Country, countryMost}, {"club", e.Club, clubMost}, {"email", e.Email, emailMost},
		{"division", e.Division, DivisionMost}, {"family", e.Family, FamilyMost}} {
		if n := utf8.RuneCountInString(f.value); n > f.most {
			add("err_player_field_long", f.field, "have", n, "most", f.most)
		}
	}
	if e.Drawn < 0 || e.Drawn > Rows {
		add("err_drawn_range", "drawn", "player", e.Name, "number", e.Drawn, "most", Rows)
	}
	if e.Rating != nil && (*e.Rating < 0 || *e.Rating > ratingMost) {
		add("err_player_rating", "rating", "value", *e.Rating, "most", ratingMost)
	}
	if e.Email != "" {
		if a, err := mail.ParseAddress(e.Email); err != nil || a.Address != e.Email {
			add("err_player_email", "email", "value", e.Email)
		}
	}
	return errs
}

// Key is the same for two entries of one person.
func (e PlayerEntry) Key() string { return spelling.Fold(e.Name) + "\x00" + spelling.Fold(e.Country) }

func flatten(args refuse.Args) (nameValues []any) {
	for name, value := range args {
		if name != "field" {
			nameValues = append(nameValues, name, value)
		}
	}
	return nameValues
}

func isBlank(record []string) bool {
	return !slices.ContainsFunc(record, func(cell string) bool { return strings.TrimSpace(cell) != "" })
}

// separatorOf is the separator that the first line with text has most of.
func separatorOf(data []byte) rune {
	var header []byte
	for line := range bytes.Lines(data) {
		if header = bytes.TrimSpace(line); len(header) > 0 {
			break
		}
	}
	best := ','
	for _, c := range ";\t" {
		if bytes.ContainsRune(header, c) && bytes.Count(header, []byte(string(c))) > bytes.Count(header, []byte(string(best))) {
			best = c
		}
	}
	return best
}
