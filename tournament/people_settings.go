package tournament

import (
	"maps"
	"strconv"
	"strings"

	"meldhall/tournament/action"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rosterfile"
)

// PeopleSettingsOf holds the settings for entries and attendance. Capacity 0 means no limit. A player who is not at the
// table NoShowMinutes after a round's start is listed as missing. MissedCharge is the number of whole points that each
// missed game costs.
type PeopleSettingsOf struct {
	RegistrationOpen bool `json:"registration_open"`
	Capacity         int  `json:"capacity" doc:"0: no limit"`
	CheckInOpen      bool `json:"check_in_open" doc:"players may check in with their ticket"`
	NoShowMinutes    int  `json:"no_show_minutes"`
	MissedCharge     int  `json:"missed_charge" doc:"whole points charged for a missed game"`
}

// PeopleOf returns the tournament's settings for entries and attendance.
func (t Tournament) PeopleOf() PeopleSettingsOf {
	return PeopleSettingsOf{t.RegistrationOpen, t.Capacity, t.CheckInOpen, t.NoShowMinutes, t.MissedCharge}
}

// Limits of the settings, in minutes and in whole points.
const (
	noShowMost = 240
	ChargeMost = 1000
)

// Check rejects settings out of range.
func (s PeopleSettingsOf) Check() error {
	switch {
	case s.Capacity < 0 || s.Capacity > rosterfile.Rows:
		return refuse.Invalid("err_capacity", "most", rosterfile.Rows)
	case s.NoShowMinutes < 1 || s.NoShowMinutes > noShowMost:
		return refuse.Invalid("err_no_show_minutes", "most", noShowMost)
	case s.MissedCharge < 0 || s.MissedCharge > ChargeMost:
		return refuse.Invalid("err_missed_charge", "most", ChargeMost)
	}
	return nil
}

// SettingsPart is the form of the settings in stored changes.
type SettingsPart struct {
	RegistrationOpen bool
	Capacity         int
	CheckInOpen      bool
	NoShowMinutes    int
	MissedCharge     int
}

// SettingsEffects returns the effects of changing settings a to b.
func SettingsEffects(a, b PeopleSettingsOf) []PeopleEffect {
	var list []PeopleEffect
	add := func(key string, nameValues ...any) {
		args := refuse.Args{} // never nil, because API clients get it too
		maps.Copy(args, refuse.ArgsOf(nameValues...))
		list = append(list, PeopleEffect{Key: key, Args: args})
	}
	if a.RegistrationOpen != b.RegistrationOpen {
		add(map[bool]string{true: "registration_opens", false: "registration_closes"}[b.RegistrationOpen])
	}
	if a.CheckInOpen != b.CheckInOpen {
		add(map[bool]string{true: "check_in_opens", false: "check_in_closes"}[b.CheckInOpen])
	}
	if a.Capacity != b.Capacity {
		if b.Capacity == 0 {
			add("capacity_none")
		} else {
			add("capacity", "n", b.Capacity)
		}
	}
	if a.NoShowMinutes != b.NoShowMinutes {
		add("deadline", "n", b.NoShowMinutes)
	}
	if a.MissedCharge != b.MissedCharge && b.MissedCharge == 0 {
		add("missed_charge_none")
	} else if a.MissedCharge != b.MissedCharge {
		add("missed_charge", "n", b.MissedCharge)
	}
	return list
}

// phrase describes how settings s differ from otherwise.
func (s PeopleSettingsOf) phrase(otherwise PeopleSettingsOf) action.Phrase {
	var said action.Sentences
	for _, e := range SettingsEffects(otherwise, s) {
		if !strings.HasSuffix(e.Key, "_opens") && !strings.HasSuffix(e.Key, "_closes") {
			said = append(said, action.Phrase{Key: "people.effect." + e.Key, Args: e.Args})
		}
	}
	asked := func(key string, is bool) {
		said = append(said, action.Say("log.is.asked", "what", action.Word(key), "is",
			action.Word("log.is."+strconv.FormatBool(is))))
	}
	if s.RegistrationOpen != otherwise.RegistrationOpen {
		asked("people.registration_open", s.RegistrationOpen)
	}
	if s.CheckInOpen != otherwise.CheckInOpen {
		asked("people.check_in_open", s.CheckInOpen)
	}
	return action.Tell(said)
}
