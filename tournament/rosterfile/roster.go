// Package rosterfile reads and writes roster files, for entering players and for spreadsheets.
package rosterfile

import (
	"net/mail"
	"strings"
	"unicode/utf8"

	"meldhall/tournament/listfile"
	"meldhall/tournament/refuse"
	"meldhall/tournament/spelling"
)

// Limits of a roster file and of its fields, in rows and characters.
const (
	Rows         = 5000
	nameMost     = 80
	countryMost  = 60
	clubMost     = 80
	FamilyMost   = 60
	DivisionMost = 60
	MarkMost     = 24
	NumberMost   = 40 // of a federation number
	emailMost    = 254
	ratingMost   = 100_000
	problemsMax  = 200
)

// PlayerEntry is a player as given by a roster or a form. Only the name is required. Country is an ISO 3166-1 code if
// the text names a country, else the text as given. Mark distinguishes players with the same name.
type PlayerEntry struct {
	Name     string `json:"name"`
	Country  string `json:"country,omitempty"`
	Club     string `json:"club,omitempty"`
	Rating   *int   `json:"rating,omitempty"`
	Email    string `json:"email,omitempty"`
	Division string `json:"division,omitempty"`
	Family   string `json:"family,omitempty"`
	Drawn    int    `json:"drawn,omitempty" doc:"the number drawn in the hall, for the number chart"` // 0: none
	Mark     string `json:"mark,omitempty" doc:"distinguishes players with the same name: the club, the country, a number"`

	FederationNumber string `json:"federation_number,omitempty" doc:"the player's number in a federation's register"`
}

// Row is one player of a roster, on the line where the row begins. Cells holds the texts by column, as given or mended.
type Row struct {
	Line int `json:"line"`
	PlayerEntry
	Cells map[string]string `json:"-"`
}

// A Problem is the reason why a roster cannot be imported. Line 0 means the file as a whole. Err has the key and the
// arguments.
type Problem struct {
	Line  int
	Field string
	Err   *refuse.Error
}

// Roster is a parsed roster file: the readable rows, the rows left out, those of players who are entered already, and
// the problems. List is the file as it was read.
type Roster struct {
	Rows     []Row
	Out      []Row
	Entered  []Entered
	Problems []Problem
	List     listfile.List
}

// Entered is a row of a player who is entered already, with the fields in which the list differs.
type Entered struct {
	Row
	Number  int
	Player  int64
	Changes []Change
}

// Change is a field's value in the tournament and in a list.
type Change struct{ Field, Was, Is string }

// How is how a roster file is read, as its user chose.
type How struct {
	listfile.Reading
	Cut       bool              `json:"cut,omitempty"`       // ratings lose their decimals
	Countries map[string]string `json:"countries,omitempty"` // code by text, for texts that name several countries
	Mends     []Mend            `json:"mends,omitempty"`
}

// Mend is a user's correction of one line of a file: the line is left out, or these columns get new texts. Other
// columns do not change.
type Mend struct {
	Line  int               `json:"line"`
	Out   bool              `json:"out,omitempty"`
	Cells map[string]string `json:"cells,omitempty"`
}

// Clean returns the entry with normalized fields.
func (e PlayerEntry) Clean() PlayerEntry {
	e.Name, e.Club, e.Mark = spelling.Clean(e.Name), spelling.Clean(e.Club), spelling.Clean(e.Mark)
	e.Country, _ = spelling.Country(e.Country)
	e.Email, e.Division, e.Family = spelling.Clean(e.Email), spelling.Clean(e.Division), spelling.Clean(e.Family)
	e.FederationNumber = spelling.Clean(e.FederationNumber)
	return e
}

// Check returns all errors in the fields; each error names its field.
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
	}{{"name", e.Name, nameMost}, {"country", e.Country, countryMost}, {"club", e.Club, clubMost},
		{"email", e.Email, emailMost},
		{"division", e.Division, DivisionMost}, {"family", e.Family, FamilyMost}, {"mark", e.Mark, MarkMost},
		{"federation_number", e.FederationNumber, NumberMost}} {
		if n := utf8.RuneCountInString(f.value); n > f.most {
			add("err_player_field_long", f.field, "have", n, "most", f.most)
		}
	}
	if codes := spelling.Countries(e.Country); len(codes) > 1 {
		add("err_country_several", "country", "value", e.Country, "codes", strings.Join(codes, ", "))
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

// Key returns a key that is equal for two entries of the same person.
func (e PlayerEntry) Key() string { return spelling.Fold(e.Name) + "\x00" + e.Apart() }

// Apart returns what distinguishes an entry from others with the same name: the country and the mark.
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
