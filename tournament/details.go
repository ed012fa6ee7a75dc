package tournament

import (
	"cmp"
	"strings"
	"time"
	_ "time/tzdata" // for machines without a zone database, such as Windows
	"unicode/utf8"

	"meldhall/tournament/refuse"
	"meldhall/tournament/spelling"
)

// Details are what a tournament says about itself besides its name and place. Days are ISO dates, empty if unknown.
// TimeZone is an IANA name, empty for the server's zone (time.Local). Colour is written #rrggbb. Federation is the ID
// that a federation gave the tournament. Referee is the chief referee as the public pages name them.
type Details struct {
	FirstDay   string `json:"first_day,omitempty" doc:"ISO date; empty: not set"`
	LastDay    string `json:"last_day,omitempty" doc:"ISO date; empty: the first day"`
	TimeZone   string `json:"time_zone,omitempty" doc:"IANA name, such as Europe/Rome; empty: the server's zone"`
	Organizer  string `json:"organizer,omitempty" maxLength:"500"`
	Colour     string `json:"colour,omitempty" doc:"as #rrggbb"`
	Federation string `json:"federation,omitempty" maxLength:"300" doc:"the ID that a federation gave the event"`
	Referee    string `json:"referee,omitempty" maxLength:"500" doc:"the chief referee, for the public pages"`
}

// federationMost limits the length of a federation's ID, in characters.
const federationMost = 60

// Cleaned returns the details as they are stored, or the first problem.
func (d Details) Cleaned() (Details, error) {
	for _, text := range []*string{&d.FirstDay, &d.LastDay, &d.TimeZone, &d.Organizer, &d.Colour, &d.Federation,
		&d.Referee} {
		*text = spelling.Clean(*text)
	}
	if _, err := LoadZone(d.TimeZone); err != nil {
		return d, err
	}
	for _, day := range []struct{ field, text string }{{"first_day", d.FirstDay}, {"last_day", d.LastDay}} {
		if _, err := time.Parse(time.DateOnly, day.text); err != nil && day.text != "" {
			return d, refuse.Invalid("err_day", "field", day.field, "value", day.text)
		}
	}
	if d.LastDay = cmp.Or(d.LastDay, d.FirstDay); d.LastDay < d.FirstDay || d.FirstDay == "" && d.LastDay != "" {
		return d, refuse.Invalid("err_days", "field", "last_day", "first", d.FirstDay, "last", d.LastDay)
	}
	if d.Colour = strings.ToLower(d.Colour); d.Colour != "" && !IsColour(d.Colour) {
		return d, refuse.Invalid("err_colour", "field", "colour", "value", d.Colour)
	}
	for _, text := range []struct {
		field, text string
		most        int
	}{{"organizer", d.Organizer, TournamentNameMost}, {"federation", d.Federation, federationMost},
		{"referee", d.Referee, TournamentNameMost}} {
		if utf8.RuneCountInString(text.text) > text.most {
			return d, refuse.Invalid("err_text_long", "field", text.field, "most", text.most)
		}
	}
	return d, nil
}

// LoadZone returns the time zone with an IANA name, or the server's for "". Other names are an error.
func LoadZone(name string) (*time.Location, error) {
	if name == "" {
		return time.Local, nil
	}
	zone, err := time.LoadLocation(name)
	if err != nil || name == "Local" {
		return nil, refuse.Invalid("err_time_zone", "field", "time_zone", "value", name)
	}
	return zone, nil
}

// Zone returns the tournament's time zone. It is the server's if this machine does not know the tournament's.
func (d Details) Zone() *time.Location {
	if zone, err := LoadZone(d.TimeZone); err == nil {
		return zone
	}
	return time.Local
}

// ServerZone returns the IANA name of the server's zone, or "" if only its offset is known.
func ServerZone() string {
	if name := time.Local.String(); name != "Local" {
		return name
	}
	return ""
}

// Days returns the tournament's first and last day, or ok false if they are unknown.
func (d Details) Days() (first, last time.Time, ok bool) {
	first, err := time.Parse(time.DateOnly, d.FirstDay)
	last, _ = time.Parse(time.DateOnly, d.LastDay)
	return first, last, err == nil
}
