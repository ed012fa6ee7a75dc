// Package rosterfile reads and writes files of players, for entering them and for spreadsheets.
package rosterfile

import (
	"net/mail"
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
	MarkMost     = 24
	emailMost    = 254
	ratingMost   = 100_000
	problemsMax  = 200
)

// PlayerEntry is a player as a roster or a form gives one. Only the name must be there. Country is a code of ISO 3166-1 where the
// text names a country, else as it was written. Mark tells the player from another of the same name.
type PlayerEntry struct {
	Name     string `json:"name"`
	Country  string `json:"country,omitempty"`
	Club     string `json:"club,omitempty"`
	Rating   *int   `json:"rating,omitempty"`
	Email    string `json:"email,omitempty"`
	Division string `json:"division,omitempty"`
	Family   string `json:"family,omitempty"`
	Drawn    int    `json:"drawn,omitempty" doc:"the number drawn in the hall, for the number chart"` // 0: none
	Mark     string `json:"mark,omitempty" doc:"what tells the player from another of the same name: the club, the country, a number"`
}

// Row is one player of a roster, on the line where the row begins. Cells are the texts by column, as they were written or mended.
type Row struct {
	Line int `json:"line"`
	PlayerEntry
	Cells map[string]string `json:"-"`
}

// Problem is why a roster cannot be taken. Line 0 is the file as a whole. Err has the key and
// the arguments.
type Problem struct {
	Line  int
	Field string
	Err   *refuse.Error
}

// Roster is a roster file as it was read: every row that could be read, every one that is left out, and every problem.
type Roster struct {
	Rows     []Row
	Out      []Row
	Problems []Problem
}

// Mend is what somebody made of one line of a file on seeing it: the line is left out, or has these texts by column. Columns that
// are not named stay as they are written.
type Mend struct {
	Line  int               `json:"line"`
	Out   bool              `json:"out,omitempty"`
	Cells map[string]string `json:"cells,omitempty"`
}

// Clean takes out of the fields what nobody meant to type.
func (e PlayerEntry) Clean() PlayerEntry {
	e.Name, e.Club, e.Mark = spelling.Clean(e.Name), spelling.Clean(e.Club), spelling.Clean(e.Mark)
	e.Country, _ = spelling.Country(e.Country)
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
		{"division", e.Division, DivisionMost}, {"family", e.Family, FamilyMost}, {"mark", e.Mark, MarkMost}} {
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
func (e PlayerEntry) Key() string { return spelling.Fold(e.Name) + "\x00" + e.Apart() }

// Apart is what an entry has beside the name by which it is another than those of the same name.
func (e PlayerEntry) Apart() string {
	if mark := spelling.Fold(e.Mark); mark != "" {
		return spelling.SameCountry(e.Country) + "\x00" + mark
	}
	return spelling.SameCountry(e.Country)
}

func flatten(args refuse.Args) (nameValues []any) {
	for name, value := range args {
		if name != "field" {
			nameValues = append(nameValues, name, value)
		}
	}
	return nameValues
}
