package tournament

import (
	"strconv"
	"strings"

	"meldhall/tournament/door"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/rosterfile"
)

// PeopleSettingsOf is how people come into an event. Capacity 0 is none. NoShowMinutes after a round's start who is not at
// the table is missing. MissedCharge are whole points that each missed game costs.
type PeopleSettingsOf struct {
	RegistrationOpen bool `json:"registration_open"`
	Capacity         int  `json:"capacity"`
	CheckInOpen      bool `json:"check_in_open"`
	NoShowMinutes    int  `json:"no_show_minutes"`
	MissedCharge     int  `json:"missed_charge"`
}

// PeopleOf gives a tournament's settings about people.
func (t Tournament) PeopleOf() PeopleSettingsOf {
	return PeopleSettingsOf{t.RegistrationOpen, t.Capacity, t.CheckInOpen, t.NoShowMinutes, t.MissedCharge}
}

// Limits of the settings.
const (
	noShowMost = 240
	chargeMost = 1000
	missedMost = chargeMost * RoundGamesMost
)

func (s PeopleSettingsOf) check() error {
	switch {
	case s.Capacity < 0 || s.Capacity > rosterfile.Rows:
		return refuse.Invalid("err_capacity", "most", rosterfile.Rows)
	case s.NoShowMinutes < 1 || s.NoShowMinutes > noShowMost:
		return refuse.Invalid("err_no_show_minutes", "most", noShowMost)
	case s.MissedCharge < 0 || s.MissedCharge > chargeMost:
		return refuse.Invalid("err_missed_charge", "most", chargeMost)
	}
	return nil
}

// settingsPart is settings as stored changes have them.
type settingsPart struct {
	RegistrationOpen bool
	Capacity         int
	CheckInOpen      bool
	NoShowMinutes    int
	MissedCharge     int
}

// SetPeopleSettings says how people come into an event: registration, check-in, deadline, and what a missed game costs.
type SetPeopleSettings struct {
	Tournament int64            `json:"tournament"`
	Settings   PeopleSettingsOf `json:"settings"`
	Why        string           `json:"why,omitempty"`
}

var peopleSettingsKind = peopleKind[SetPeopleSettings](PeopleSettings, rights.MayEditRoster, peopleDetails)

func (SetPeopleSettings) Kind() *door.Kind { return peopleSettingsKind }

func (s SetPeopleSettings) Do(tx *door.Tx) (PeopleOutcome, error) {
	if err := s.Settings.check(); err != nil {
		return PeopleOutcome{}, err
	}
	return changePeople(tx, peopleWork{event: s.Tournament, name: PeopleSettings, why: s.Why}, func(tx *peopleTx) error { return tx.setSettings(s.Settings) })
}

func (tx *peopleTx) setSettings(set PeopleSettingsOf) error {
	return tx.Model(&Tournament{}).Where("id = ?", tx.event.ID).Updates(map[string]any{"registration_open": set.RegistrationOpen, "capacity": set.Capacity,
		"check_in_open": set.CheckInOpen, "no_show_minutes": set.NoShowMinutes, "missed_charge": set.MissedCharge}).Error
}

// settingsEffects say what is otherwise in settings than it was in others.
func settingsEffects(a, b PeopleSettingsOf) []PeopleEffect {
	w := effectWriter{}
	if a.RegistrationOpen != b.RegistrationOpen {
		w.add(0, map[bool]string{true: "registration_opens", false: "registration_closes"}[b.RegistrationOpen])
	}
	if a.CheckInOpen != b.CheckInOpen {
		w.add(0, map[bool]string{true: "check_in_opens", false: "check_in_closes"}[b.CheckInOpen])
	}
	if a.Capacity != b.Capacity {
		if b.Capacity == 0 {
			w.add(0, "capacity_none")
		} else {
			w.add(0, "capacity", "n", b.Capacity)
		}
	}
	if a.NoShowMinutes != b.NoShowMinutes {
		w.add(0, "deadline", "n", b.NoShowMinutes)
	}
	if a.MissedCharge != b.MissedCharge && b.MissedCharge == 0 {
		w.add(0, "missed_charge_none")
	} else if a.MissedCharge != b.MissedCharge {
		w.add(0, "missed_charge", "n", b.MissedCharge)
	}
	return w.list
}

// phrase says of settings what is otherwise in others.
func (s PeopleSettingsOf) phrase(otherwise PeopleSettingsOf) door.Phrase {
	var said door.Sentences
	for _, e := range settingsEffects(otherwise, s) {
		if !strings.HasSuffix(e.Key, "_opens") && !strings.HasSuffix(e.Key, "_closes") {
			said = append(said, door.Phrase{Key: "people.effect." + e.Key, Args: e.Args})
		}
	}
	asked := func(key string, is bool) {
		said = append(said, door.Say("log.is.asked", "what", door.Word(key), "is", door.Word("log.is."+strconv.FormatBool(is))))
	}
	if s.RegistrationOpen != otherwise.RegistrationOpen {
		asked("people.registration_open", s.RegistrationOpen)
	}
	if s.CheckInOpen != otherwise.CheckInOpen {
		asked("people.check_in_open", s.CheckInOpen)
	}
	return door.Tell(said)
}
