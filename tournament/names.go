package tournament

import (
	"gorm.io/gorm"

	"meldhall/tournament/refuse"
	"meldhall/tournament/rosterfile"
	"meldhall/tournament/store"
)

// CheckApart rejects entries that equal each other or an entry of the tournament. Two players with the same name and
// country need a mark. without is the ID of a player whose entry is ignored, or 0.
func CheckApart(db *gorm.DB, tournamentID, without int64, entries ...rosterfile.PlayerEntry) error {
	have, err := EnteredKeys(db, tournamentID, without)
	for _, e := range entries {
		number, ok := have[e.Key()]
		if ok && number == 0 {
			return refuse.Conflict("err_player_twice", "name", e.Name, "field", "mark")
		}
		if ok {
			return refuse.Conflict("err_player_entered", "name", e.Name, "number", number, "field", "mark")
		}
		have[e.Key()] = 0
	}
	return err
}

// EnteredKeys maps the keys of a tournament's entries to start numbers. without is the ID of a player whose entry is
// left out, or 0.
func EnteredKeys(db *gorm.DB, tournamentID, without int64) (map[string]int, error) {
	entered, err := store.All[Player](db.Where("tournament_id = ? AND id <> ?", tournamentID, without))
	numbers := map[string]int{}
	for i, e := range EntriesOf(entered) {
		numbers[e.Key()] = entered[i].Number
	}
	return numbers, err
}
