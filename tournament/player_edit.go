package tournament

import (
	"unicode/utf8"

	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
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

var extraTimeKind = action[SetExtraTime, Player](ActionKind{Name: "player.extra_time", Right: rights.MayEditRoster, Changes: []What{TopicPeople},
	details: func() Details { return &extraTime{} }})

func (SetExtraTime) kind() *ActionKind { return extraTimeKind }

// extraTime is seconds on top of each turn that became others.
type extraTime struct {
	Was int `json:"was"`
	Is  int `json:"is"`
}

// Before says how many it was.
func (e extraTime) Before() []Phrase { return []Phrase{Say("roster.time_is", "n", e.Was)} }

// After says how many it is.
func (e extraTime) After() []Phrase { return []Phrase{Say("roster.time_is", "n", e.Is)} }

func (s SetExtraTime) do(tx *Tx) (Player, error) {
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
	tx.record(entry{event: player.TournamentID, on: player.about(), is: extraTime{player.ExtraSeconds, s.Seconds}, why: s.Why})
	player.ExtraSeconds = s.Seconds
	return player, tx.Model(&player).Update("extra_seconds", s.Seconds).Error
}

// SetFamily writes down which family a player is of, or with an empty name that there is none. Draws from now on keep a family
// apart; rounds that are drawn stay. Officials read the log too: it says that a family was set, not which.
type SetFamily struct {
	Player int64  `json:"player"`
	Family string `json:"family"`
}

var familyKind = action[SetFamily, Player](ActionKind{Name: "player.family", Right: rights.MayEditRoster, Changes: []What{TopicPeople}, details: steps("log.is.")})

func (SetFamily) kind() *ActionKind { return familyKind }

func (s SetFamily) do(tx *Tx) (Player, error) {
	family, err := cleanField("family", s.Family, familyMost)
	if err != nil {
		return Player{}, err
	}
	player, err := findPlayer(tx.DB, s.Player)
	if err != nil || player.Family == family {
		return player, err
	}
	tx.record(entry{event: player.TournamentID, on: player.about(), is: step{Was: has(player.Family), Is: has(family)}})
	player.Family = family
	return player, tx.Model(&player).Update("family", family).Error
}

// divisionMost is how long a division's name may be, in characters.
const divisionMost = 60

// SetDivision puts a player into a division, or with an empty name into none.
type SetDivision struct {
	Player   int64  `json:"player"`
	Division string `json:"division"`
}

var divisionKind = action[SetDivision, Player](ActionKind{Name: "player.division", Right: rights.MayEditRoster, Changes: []What{TopicPeople, TopicStandings},
	details: func() Details { return &value{} }})

func (SetDivision) kind() *ActionKind { return divisionKind }

func (s SetDivision) do(tx *Tx) (Player, error) {
	division, err := cleanField("division", s.Division, divisionMost)
	if err != nil {
		return Player{}, err
	}
	player, err := findPlayer(tx.DB, s.Player)
	if err != nil || player.Division == division {
		return player, err
	}
	tx.record(entry{event: player.TournamentID, on: player.about(), is: value{player.Division, division}})
	player.Division = division
	return player, tx.Model(&player).Update("division", division).Error
}

// cleanField is a text of a player as it is written.
func cleanField(field, text string, most int) (string, error) {
	text = cleanText(text)
	if n := utf8.RuneCountInString(text); n > most {
		return "", refuse.Invalid("err_player_field_long", "field", field, "have", n, "most", most)
	}
	return text, nil
}
