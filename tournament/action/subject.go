package action

import (
	"reflect"

	"gorm.io/gorm"

	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
)

// tableOf maps the first field of an action, an ID, to its database table. For other fields, the tag "of" names the
// table.
var tableOf = map[string]string{"Tournament": "tournaments", "Round": "rounds", "Table": "tables", "Player": "players",
	"Game": "games"}

// Subject returns the subject of an action as a database table and the ID of a row, or "" and 0 if the action belongs
// to no tournament.
func Subject(a Action) (table string, id int64) {
	v := reflect.ValueOf(a)
	for _, f := range reflect.VisibleFields(v.Type()) {
		if table = f.Tag.Get("of"); table == "" && (f.Name == "Tournament" || f.Index[0] == 0) &&
			f.Type.Kind() == reflect.Int64 {
			table = tableOf[f.Name]
		}
		if table != "" {
			return table, v.FieldByIndex(f.Index).Int()
		}
	}
	return "", 0
}

// EventOf returns the tournament of an action, or 0 if it has none or its subject does not exist.
func EventOf(db *gorm.DB, a Action) (tournamentID int64, err error) {
	table, id := Subject(a)
	switch table {
	case "":
		return 0, nil
	case "tournaments":
		return id, nil
	case "protests":
		err = db.Raw("SELECT g.tournament_id FROM protests p JOIN games g ON g.id = p.game_id WHERE p.id = ?",
			id).Scan(&tournamentID).Error
	default:
		err = db.Table(table).Select("tournament_id").Where("id = ?", id).Scan(&tournamentID).Error
	}
	return tournamentID, err
}

// serves rejects an official who does not serve the tournament of an action, before revealing anything about it.
func serves(db *gorm.DB, actor rights.Actor, a Action) error {
	if actor.Limits == nil {
		return nil
	}
	if table, id := Subject(a); table == "tournaments" && id == 0 && actor.Organization != 0 {
		return refuse.Forbidden("err_of_house") // without a tournament it concerns the whole server
	}
	tournamentID, err := EventOf(db, a)
	if err == nil && !actor.Serves(tournamentID) {
		err = refuse.Forbidden("err_not_your_event")
	}
	return err
}
