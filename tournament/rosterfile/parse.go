package rosterfile

import (
	"cmp"
	"context"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"meldhall/tournament/listfile"
	"meldhall/tournament/refuse"
	"meldhall/tournament/spelling"
)

// Parse parses a roster: a workbook or CSV, see package listfile. Its columns are those of Columns, in any order; only
// the name is required, which may be in two columns. Errors in the file are returned in Problems, by line; a line with
// a mend is parsed as mended. The error is non-nil if ctx ends.
func Parse(ctx context.Context, file string, how How) (Roster, error) {
	p := rosterParser{mends: map[int]Mend{}, how: how}
	for _, m := range how.Mends {
		p.mends[m.Line] = m
	}
	var err error
	p.List, err = listfile.Read(ctx, file, append(Columns(), "first", "last"), how.Reading)
	if ctx.Err() != nil {
		return Roster{}, ctx.Err()
	}
	for _, one := range listfile.Errors(err) {
		line, _ := one.Args["line"].(int)
		p.Problems = append(p.Problems, Problem{Line: line, Err: one})
	}
	if err == nil && p.header() {
		p.read()
	}
	slices.SortStableFunc(p.Problems, func(a, b Problem) int { return a.Line - b.Line })
	return p.Roster, ctx.Err()
}

type rosterParser struct {
	Roster
	how   How
	mends map[int]Mend
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

// Columns returns the columns of a roster file.
func Columns() []string {
	return []string{"name", "country", "club", "rating", "email", "division", "family", "drawn", "mark",
		"federation_number"}
}

// header checks the columns. It reports whether the rows can be read: there must be a column of names.
func (p *rosterParser) header() bool {
	line := max(p.List.Header, 0)
	seen := map[string]bool{}
	for _, c := range p.List.Columns {
		switch {
		case c.Field == listfile.Ignored:
		case c.Field == "":
			p.Problem(line, c.Label(), "err_roster_column_unknown", "column", c.Label())
		case seen[c.Field]:
			p.Problem(line, c.Field, "err_roster_column_twice", "column", c.Label())
		}
		seen[c.Field] = true
	}
	if !seen["name"] && !seen["first"] && !seen["last"] {
		p.Problem(line, "name", "err_roster_no_name_column")
		return false
	}
	return true
}

func (p *rosterParser) read() {
	if n := len(p.List.Rows); n > Rows {
		p.Problem(p.List.Rows[Rows].Line, "", "err_roster_too_many", "most", Rows)
		p.List.Rows = p.List.Rows[:Rows]
	}
	for _, row := range p.List.Rows {
		p.row(row)
	}
	if len(p.Rows)+len(p.Out)+len(p.Problems) == 0 {
		p.Problem(0, "", "err_roster_empty")
	}
	p.findDoubles()
}

func (p *rosterParser) row(row listfile.Row) {
	cells := map[string]string{}
	for i, c := range p.List.Columns {
		if c.Field != "" && c.Field != listfile.Ignored && !row.Broken {
			cells[c.Field] = unguardCell(row.Cells[i])
		}
	}
	first, last := spelling.Clean(cells["first"]), spelling.Clean(cells["last"])
	if cells["name"] == "" || p.List.Has("first") || p.List.Has("last") {
		cells["name"] = spelling.Clean(strings.Join([]string{cells["name"], first, last}, " "))
	}
	if row.Broken {
		cells["name"] = strings.Join(row.Cells, " ")
	}
	delete(cells, "first")
	delete(cells, "last")
	if !p.mended(row.Line, cells) {
		if row.Broken {
			p.Problem(row.Line, "", "err_roster_quotes")
		}
		p.checkTexts(row.Line, cells)
	}
	p.cells(row.Line, cells)
}

// bookError matches a spreadsheet's error in place of a value.
var bookError = regexp.MustCompile(`^#(N/A|REF!|VALUE!|NAME\?|DIV/0!|NUM!|NULL!|SPILL!)$`)

// checkTexts adds a problem if letters were lost in the encoding, and for each spreadsheet error.
func (p *rosterParser) checkTexts(line int, cells map[string]string) {
	for _, column := range slices.Sorted(maps.Keys(cells)) {
		text := strings.TrimSpace(cells[column])
		if strings.ContainsRune(text, utf8.RuneError) {
			p.Problem(line, column, "err_roster_letters")
		} else if bookError.MatchString(text) {
			p.Problem(line, column, "err_roster_book_error", "value", text)
		}
	}
}

// cells adds a row from its texts by column, after applying mends.
func (p *rosterParser) cells(line int, cells map[string]string) {
	mend := p.mends[line]
	maps.Copy(cells, mend.Cells)
	country := spelling.Clean(cells["country"])
	row := Row{Line: line, Cells: cells, PlayerEntry: PlayerEntry{Name: cells["name"],
		Country: cmp.Or(p.how.Countries[country], country), Club: cells["club"], Email: cells["email"],
		Division: cells["division"], Family: cells["family"], Mark: cells["mark"],
		FederationNumber: cells["federation_number"]}.Clean()}
	if mend.Out {
		p.Out = append(p.Out, row)
		return
	}
	if drawn := cells["drawn"]; !isNone(drawn) {
		n, ok := spelling.Whole(drawn)
		if row.Drawn = n; !ok {
			row.Drawn = 0
			p.Problem(line, "drawn", "err_roster_drawn", "value", spelling.Clean(drawn))
		}
	}
	if rating := cells["rating"]; !isNone(rating) {
		if n, ok := p.ratingOf(rating); ok {
			row.Rating = &n
		} else {
			p.Problem(line, "rating", "err_player_rating", "value", spelling.Clean(rating), "most", ratingMost)
		}
	}
	for _, e := range row.PlayerEntry.Check() {
		field, _ := e.Args["field"].(string)
		p.Problem(line, field, e.Key, flatten(e.Args)...)
	}
	p.Rows = append(p.Rows, row)
}

// none lists how people write that there is no number.
var none = strings.Fields("- -- --- unr unrated n/a na nr none nessuno keine aucune sin")

func isNone(text string) bool {
	text = strings.Trim(spelling.Search(text), ". ")
	return text == "" || slices.Contains(none, text)
}

// thousands matches a number whose thousands are separated.
var thousands = regexp.MustCompile(`^[0-9]{1,3}(?:[.,' ][0-9]{3})+(?:[.,][0-9]{1,2})?$`)

// ratingOf parses a rating. With Cut its decimals are dropped, and a mark before three digits separates thousands.
func (p *rosterParser) ratingOf(text string) (n int, ok bool) {
	if n, ok = spelling.Whole(text); ok || !p.how.Cut {
		return n, ok
	}
	text = spelling.Fold(text)
	if thousands.MatchString(text) {
		whole, part := text, ""
		if i := strings.LastIndexAny(text, ".,"); len(text)-i <= 3 {
			whole, part = text[:i], text[i:]
		}
		text = strings.NewReplacer(".", "", ",", "", "'", "", " ", "").Replace(whole) + part
	}
	plain, ok := spelling.Number(text)
	plain, _, _ = strings.Cut(plain, ".")
	n, err := strconv.Atoi(plain)
	return n, ok && err == nil
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
