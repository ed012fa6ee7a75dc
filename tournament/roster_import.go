package tournament

import (
	"context"
	"strings"

	"gorm.io/gorm"

	"meldhall/tournament/door"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/rosterfile"
)

// ImportRoster enters all players of a roster file, or none when there is any problem: then the outcome holds the problems and the
// error is Invalid. A preview only tells the problems.
type ImportRoster struct {
	Tournament int64  `json:"tournament"`
	File       string `json:"file"`

	roster rosterfile.Roster
}

var importRosterKind = door.NewKind[ImportRoster, rosterfile.Roster](door.Kind{Name: "people.import", Right: rights.MayEditRoster, Changes: []door.What{door.TopicPeople}})

func (ImportRoster) Kind() *door.Kind { return importRosterKind }

func (i ImportRoster) Plan(context.Context, *door.Desk, rights.Actor) (_ door.Action, err error) {
	i.roster, err = rosterfile.Parse(strings.NewReader(i.File))
	return i, err
}

func (i ImportRoster) Do(tx *door.Tx) (rosterfile.Roster, error) {
	roster, err := againstEntered(tx.DB, i.Tournament, i.roster)
	if err != nil || tx.Preview {
		return roster, err
	}
	if n := len(roster.Problems); n > 0 {
		first := roster.Problems[0]
		return roster, refuse.Invalid("err_roster_problems", "count", n, "line", first.Line, "first", first.Err)
	}
	entries := make([]rosterfile.PlayerEntry, len(roster.Rows))
	for i, row := range roster.Rows {
		entries[i] = row.PlayerEntry
	}
	_, err = changePeople(tx, peopleWork{event: i.Tournament, name: PeopleEnter}, func(tx *peopleTx) error { return tx.enter(entries) })
	return roster, err
}

// againstEntered adds a problem for each row whose player is entered already.
func againstEntered(db *gorm.DB, tournamentID int64, roster rosterfile.Roster) (rosterfile.Roster, error) {
	if _, err := FindTournament(db, tournamentID); err != nil {
		return rosterfile.Roster{}, err
	}
	var entered []Player
	if err := db.Where("tournament_id = ?", tournamentID).Find(&entered).Error; err != nil {
		return rosterfile.Roster{}, err
	}
	numbers, drawn := map[string]int{}, map[int]string{}
	for _, p := range entered {
		drawn[p.Drawn] = p.Name
		numbers[p.NameKey+"\x00"+p.CountryKey] = p.Number
	}
	for _, row := range roster.Rows {
		if holder, ok := drawn[row.Drawn]; ok && row.Drawn > 0 {
			roster.Problem(row.Line, "drawn", "err_drawn_taken", "number", row.Drawn, "player", row.Name, "holder", holder)
		}
		if number, ok := numbers[row.Key()]; ok {
			roster.Problem(row.Line, "name", "err_roster_entered", "name", row.Name, "number", number)
		}
	}
	return roster, nil
}
