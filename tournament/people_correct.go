package tournament

import (
	"meldhall/tournament/door"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/rosterfile"
	"meldhall/tournament/spelling"
	"meldhall/tournament/storage"
)

// CorrectPlayer writes a player's name, country and club as those of the one entry. What was drawn and played stays.
type CorrectPlayer struct {
	Tournament int64                    `json:"tournament"`
	Player     int64                    `json:"player"`
	Entries    []rosterfile.PlayerEntry `json:"entries"`
	Why        string                   `json:"why,omitempty"`
}

var correctPlayerKind = peopleKind[CorrectPlayer](PeopleCorrect, rights.MayEditRoster, func() door.Details { return &door.Value{} })

func (CorrectPlayer) Kind() *door.Kind { return correctPlayerKind }

func (c CorrectPlayer) Do(tx *door.Tx) (PeopleOutcome, error) {
	entries, err := cleanEntries(c.Entries)
	if err != nil {
		return PeopleOutcome{}, err
	}
	if len(entries) != 1 {
		return PeopleOutcome{}, refuse.Invalid("err_player_no_name", "field", "name")
	}
	who := playerWho{entries[0].Name, entries[0].Country, entries[0].Club}
	w := peopleWork{event: c.Tournament, name: PeopleCorrect, player: c.Player, why: c.Why}
	return changePlayer(tx, w, func(tx *peopleTx, p Player) error { return tx.setWho(p.ID, who) })
}

// setWho writes a player's name, country and club otherwise.
func (tx *peopleTx) setWho(id int64, w playerWho) error {
	err := tx.Model(&Player{}).Where("id = ?", id).Updates(map[string]any{"name": w.Name, "name_key": spelling.Fold(w.Name), "country": w.Country,
		"country_key": spelling.Fold(w.Country), "club": w.Club}).Error
	return storage.Clash(err, "err_player_entered", "name", w.Name)
}
