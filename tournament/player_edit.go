package tournament

import (
	"unicode/utf8"

	"meldhall/tournament/door"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/rosterfile"
	"meldhall/tournament/spelling"
	"meldhall/tournament/staff"
)

// extraMost bounds the time that a player may be given on top of each turn, in seconds.
const extraMost = 600

// SetExtraTime gives a player more time in each own turn of the games that start from now on, in seconds: an
// accommodation that everybody at the table is told of (WCAG 2.2.1).
type SetExtraTime struct {
	Player  int64  `json:"player"`
	Seconds int    `json:"seconds"`
	Why     string `json:"why,omitempty"`
}

var extraTimeKind = door.NewKind[SetExtraTime, Player](door.Kind{Name: "player.extra_time", Right: rights.MayEditRoster, Changes: []door.What{door.TopicPeople},
	Details: func() door.Details { return &extraTime{} }})

func (SetExtraTime) Kind() *door.Kind { return extraTimeKind }

// extraTime is seconds on top of each turn that became others.
type extraTime struct {
	Was int `json:"was"`
	Is  int `json:"is"`
}

// Before says how many it was.
func (e extraTime) Before() []door.Phrase {
	return []door.Phrase{door.Say("roster.time_is", "n", e.Was)}
}

// After says how many it is.
func (e extraTime) After() []door.Phrase { return []door.Phrase{door.Say("roster.time_is", "n", e.Is)} }

func (s SetExtraTime) Do(tx *door.Tx) (Player, error) {
	player, err := findPlayer(tx.DB, s.Player)
	if err != nil {
		return player, err
	}
	if s.Seconds < 0 || s.Seconds > extraMost {
		return player, refuse.Invalid("err_extra_time", "seconds", s.Seconds, "most", extraMost)
	}
	if player.ExtraSeconds == s.Seconds {
		return player, nil
	}
	tx.Record(door.Entry{Event: player.TournamentID, On: player.about(), Is: extraTime{player.ExtraSeconds, s.Seconds}, Why: s.Why})
	player.ExtraSeconds = s.Seconds
	return player, tx.Model(&player).Update("extra_seconds", s.Seconds).Error
}

// SetFamily writes down which family a player is of, or with an empty name that there is none. Draws from now on keep a family
// apart; rounds that are drawn stay. Officials read the log too: it says that a family was set, not which.
type SetFamily struct {
	Player int64  `json:"player"`
	Family string `json:"family"`
}

var familyKind = door.NewKind[SetFamily, Player](door.Kind{Name: "player.family", Right: rights.MayEditRoster, Changes: []door.What{door.TopicPeople}, Details: door.Steps("log.is.")})

func (SetFamily) Kind() *door.Kind { return familyKind }

func (s SetFamily) Do(tx *door.Tx) (Player, error) {
	family, err := cleanField("family", s.Family, rosterfile.FamilyMost)
	if err != nil {
		return Player{}, err
	}
	player, err := findPlayer(tx.DB, s.Player)
	if err != nil || player.Family == family {
		return player, err
	}
	tx.Record(door.Entry{Event: player.TournamentID, On: player.about(), Is: door.Step{Was: staff.Has(player.Family), Is: staff.Has(family)}})
	player.Family = family
	return player, tx.Model(&player).Update("family", family).Error
}

// SetDivision puts a player into a division, or with an empty name into none.
type SetDivision struct {
	Player   int64  `json:"player"`
	Division string `json:"division"`
}

var divisionKind = door.NewKind[SetDivision, Player](door.Kind{Name: "player.division", Right: rights.MayEditRoster, Changes: []door.What{door.TopicPeople, door.TopicStandings},
	Details: func() door.Details { return &door.Value{} }})

func (SetDivision) Kind() *door.Kind { return divisionKind }

func (s SetDivision) Do(tx *door.Tx) (Player, error) {
	division, err := cleanField("division", s.Division, rosterfile.DivisionMost)
	if err != nil {
		return Player{}, err
	}
	player, err := findPlayer(tx.DB, s.Player)
	if err != nil || player.Division == division {
		return player, err
	}
	tx.Record(door.Entry{Event: player.TournamentID, On: player.about(), Is: door.Value{Was: player.Division, Is: division}})
	player.Division = division
	return player, tx.Model(&player).Update("division", division).Error
}

// cleanField is a text of a player as it is written.
func cleanField(field, text string, most int) (string, error) {
	text = spelling.Clean(text)
	if n := utf8.RuneCountInString(text); n > most {
		return "", refuse.Invalid("err_player_field_long", "field", field, "have", n, "most", most)
	}
	return text, nil
}
