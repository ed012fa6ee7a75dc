package tournament

import (
	"cmp"
	"math"
	"strconv"
	"strings"
	"time"
	_ "time/tzdata" // for machines without a zone database, such as Windows
	"unicode/utf8"

	"meldhall/tournament/refuse"
	"meldhall/tournament/spelling"
)

// Details are what a tournament says about itself besides its name and place. Days are ISO dates, empty if unknown.
// TimeZone is an IANA name, empty for the server's zone (time.Local). Colour is written #rrggbb. Federation is the ID
// that a federation gave the tournament.
type Details struct {
	FirstDay   string `json:"first_day,omitempty" doc:"ISO date; empty: not set"`
	LastDay    string `json:"last_day,omitempty" doc:"ISO date; empty: the first day"`
	TimeZone   string `json:"time_zone,omitempty" doc:"IANA name, such as Europe/Rome; empty: the server's zone"`
	Organizer  string `json:"organizer,omitempty" maxLength:"500"`
	Colour     string `json:"colour,omitempty" doc:"as #rrggbb"`
	Federation string `json:"federation,omitempty" maxLength:"300" doc:"the ID that a federation gave the event"`
}

// federationMost limits the length of a federation's ID, in characters.
const federationMost = 60

// Cleaned returns the details as they are stored, or the first problem.
func (d Details) Cleaned() (Details, error) {
	for _, text := range []*string{&d.FirstDay, &d.LastDay, &d.TimeZone, &d.Organizer, &d.Colour, &d.Federation} {
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
	if d.Colour = strings.ToLower(d.Colour); d.Colour != "" && !isColour(d.Colour) {
		return d, refuse.Invalid("err_colour", "field", "colour", "value", d.Colour)
	}
	if utf8.RuneCountInString(d.Organizer) > TournamentNameMost {
		return d, refuse.Invalid("err_text_long", "field", "organizer", "most", TournamentNameMost)
	}
	if utf8.RuneCountInString(d.Federation) > federationMost {
		return d, refuse.Invalid("err_text_long", "field", "federation", "most", federationMost)
	}
	return d, nil
}

// isColour reports whether text is a colour in the form #rrggbb.
func isColour(text string) bool {
	_, err := strconv.ParseUint(strings.TrimPrefix(text, "#"), 16, 32)
	return err == nil && len(text) == len("#rrggbb") && text[0] == '#'
}

// RGB returns the colour as red, green and blue from 0 to 255, black if there is none.
func (d Details) RGB() (rgb [3]int) {
	n, _ := strconv.ParseUint(strings.TrimPrefix(d.Colour, "#"), 16, 32)
	return [3]int{int(n >> 16 & 0xff), int(n >> 8 & 0xff), int(n & 0xff)}
}

// Contrast returns the colour's contrast with white paper, from 1 to 21, as WCAG 2 defines it.
func (d Details) Contrast() float64 {
	light := 0.0
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		c := float64(d.RGB()[i]) / 255
		if c <= 0.04045 {
			c /= 12.92
		} else {
			c = math.Pow((c+0.055)/1.055, 2.4)
		}
		light += weight * c
	}
	return 1.05 / (light + 0.05)
}

// contrastLeast is the least contrast of a text with its background (WCAG 2, 1.4.3).
const contrastLeast = 4.5

// Legible reports whether a text in the colour can be read on white paper.
func (d Details) Legible() bool { return d.Contrast() >= contrastLeast }

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
