// Package housekeeping changes what a tournament is called, when and where it is and how it looks, cancels it, takes it
// off the lists, and creates the next one like it.
package housekeeping

import (
	"unicode/utf8"

	"meldhall/engine"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/spelling"
)

// Describe replaces a tournament's name, place and details. Planned times stay the same moments in a new time zone.
type Describe struct {
	Tournament int64  `json:"tournament,omitempty" path:"id" minimum:"1"`
	Name       string `json:"name" maxLength:"500"`
	Place      string `json:"place,omitempty" maxLength:"500"`
	tournament.Details
}

var _ = action.NewKind[Describe](action.Kind{Name: "tournament.describe", Right: rights.MayPlanDay,
	Changes: []action.What{action.TopicSettings}, Details: action.Keep[action.Change[described]]})

// described holds the changed fields of a description, as they were or are.
type described struct {
	Name  string `json:"name,omitempty"`
	Place string `json:"place,omitempty"`
	tournament.Details
}

// fields returns the fields with the keys of their texts.
func (d *described) fields() []struct {
	key  string
	text *string
} {
	return []struct {
		key  string
		text *string
	}{{"events.name", &d.Name}, {"events.place", &d.Place}, {"details.first_day", &d.FirstDay},
		{"details.last_day", &d.LastDay}, {"details.time_zone", &d.TimeZone}, {"details.organizer", &d.Organizer},
		{"details.colour", &d.Colour}, {"details.federation", &d.Federation},
		{"details.referee", &d.Referee}}
}

// Phrases describes the fields that are set.
func (d described) Phrases() (told []action.Phrase) {
	for _, f := range d.fields() {
		if *f.text != "" {
			told = append(told, action.Say("log.is.asked", "what", action.Word(f.key), "is", *f.text))
		}
	}
	return told
}

func (d Describe) Do(tx *action.Tx) (tournament.Tournament, error) {
	t, err := tournament.FindTournament(tx.DB, d.Tournament)
	if err != nil {
		return t, err
	}
	was := described{t.Name, t.Place, t.Details}
	is := described{Name: spelling.Clean(d.Name), Place: spelling.Clean(d.Place)}
	if is.Details, err = d.Details.Cleaned(); err != nil {
		return t, err
	}
	if most := tournament.TournamentNameMost; is.Name == "" || utf8.RuneCountInString(is.Name) > most ||
		utf8.RuneCountInString(is.Place) > most {
		return t, refuse.Invalid("err_tournament_name", "most", most)
	}
	if was == is {
		return t, nil
	}
	t.Name, t.Place, t.Details = is.Name, is.Place, is.Details
	now := is.fields()
	for i, f := range was.fields() {
		if *f.text == *now[i].text {
			*f.text, *now[i].text = "", ""
		}
	}
	tx.Record(action.Entry{Event: t.ID, On: action.About{Name: t.Name},
		Is: action.Change[described]{Was: was, Is: is}})
	return t, tx.Model(&t).Select("name", "place", "first_day", "last_day", "time_zone", "organizer", "colour",
		"federation", "referee").Updates(&t).Error
}

// Cancel cancels a tournament, or takes that back. It stays public and is shown as cancelled.
type Cancel struct {
	Tournament int64  `json:"tournament,omitempty" path:"id" minimum:"1"`
	Undo       bool   `json:"undo,omitempty" doc:"take the cancellation back"`
	Why        string `json:"why,omitempty" maxLength:"500" doc:"the reason, for the log"`
}

var _ = action.NewKind[Cancel](action.Kind{Name: "tournament.cancel", Right: rights.MayPlanDay,
	Changes: []action.What{action.TopicSettings, action.TopicSeats}, Details: action.Steps("details.state.")})

func (c Cancel) Do(tx *action.Tx) (tournament.Tournament, error) {
	t, err := tournament.FindTournament(tx.DB, c.Tournament)
	if err != nil {
		return t, err
	}
	if t.Status == tournament.StatusFinished {
		return t, refuse.Conflict("err_tournament_finished")
	}
	why, err := action.CleanWhy(c.Why)
	if err != nil {
		return t, err
	}
	return t, mark(tx, t, "cancelled_at", &t.CancelledAt, action.Step{Was: "on", Is: "cancelled"}, c.Undo, why)
}

// Unlist takes a tournament off all lists, or puts it back. Its address stays.
type Unlist struct {
	Tournament int64 `json:"tournament,omitempty" path:"id" minimum:"1"`
	Undo       bool  `json:"undo,omitempty" doc:"list it again"`
}

var _ = action.NewKind[Unlist](action.Kind{Name: "tournament.unlist", Right: rights.MayPlanDay,
	Changes: []action.What{action.TopicSettings}, Details: action.Steps("details.state.")})

func (u Unlist) Do(tx *action.Tx) (tournament.Tournament, error) {
	t, err := tournament.FindTournament(tx.DB, u.Tournament)
	if err != nil {
		return t, err
	}
	return t, mark(tx, t, "unlisted_at", &t.UnlistedAt, action.Step{Was: "listed", Is: "unlisted"}, u.Undo, "")
}

// mark sets a column to the current time, or clears it if undo is set, and records the step. It does nothing if the
// column says so already.
func mark(tx *action.Tx, t tournament.Tournament, column string, at *engine.Millis, step action.Step, undo bool,
	why string) error {
	if undo == (*at == 0) {
		return nil
	}
	if *at = tx.Now(); undo {
		*at, step.Was, step.Is = 0, step.Is, step.Was
	}
	tx.Record(action.Entry{Event: t.ID, On: action.About{Name: t.Name}, Is: step, Why: why})
	return tx.Model(&tournament.Tournament{}).Where("id = ?", t.ID).Update(column, *at).Error
}
