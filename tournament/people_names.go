package tournament

import (
	"strconv"
	"unicode/utf8"

	"gorm.io/gorm"

	"meldhall/tournament/refuse"
	"meldhall/tournament/rosterfile"
	"meldhall/tournament/spelling"
	"meldhall/tournament/store"
)

// checkApart rejects entries that equal an existing one or each other, ignoring the player without. Two players with
// the same name and country need a mark.
func checkApart(db *gorm.DB, tournamentID, without int64, entries ...rosterfile.PlayerEntry) error {
	have, err := enteredKeys(db, tournamentID, without)
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

// enteredKeys maps the keys of a tournament's entries to start numbers, leaving out one player.
func enteredKeys(db *gorm.DB, tournamentID, without int64) (map[string]int, error) {
	entered, err := store.All[Player](db.Where("tournament_id = ? AND id <> ?", tournamentID, without))
	numbers := map[string]int{}
	for i, e := range EntriesOf(entered) {
		numbers[e.Key()] = entered[i].Number
	}
	return numbers, err
}

// tellApart stores the suffixes that distinguish players with the same name: the mark, else the club or country if no
// other of them has it, else the start number.
func tellApart(db *gorm.DB, tournamentID int64) error {
	players, err := store.All[Player](db.Select("id", "number", "name_key", "country", "club", "mark",
		"told").Where("tournament_id = ?", tournamentID).Order("number"))
	if err != nil {
		return err
	}
	named := map[string][]Player{}
	for _, p := range players {
		named[p.NameKey] = append(named[p.NameKey], p)
	}
	for _, p := range players {
		if told := toldAmong(named[p.NameKey], p); told != p.Told {
			if err := db.Model(&Player{}).Where("id = ?", p.ID).Update("told", told).Error; err != nil {
				return err
			}
		}
	}
	return nil
}

// toldAmong returns the suffix that distinguishes a player from others with the same name, or "" if there are none.
func toldAmong(same []Player, p Player) string {
	if len(same) == 1 {
		return ""
	}
	for _, of := range []func(Player) string{func(p Player) string { return p.Mark },
		func(p Player) string { return p.Club }, func(p Player) string { return p.Country }} {
		if text := of(p); text != "" && utf8.RuneCountInString(text) <= rosterfile.MarkMost && only(same, p, text) {
			return text
		}
	}
	return "#" + strconv.Itoa(p.Number)
}

// only reports whether no other player has text as mark, club or country.
func only(same []Player, p Player, text string) bool {
	text = spelling.Fold(text)
	for _, o := range same {
		if o.ID != p.ID && (spelling.Fold(o.Mark) == text || spelling.Fold(o.Club) == text ||
			spelling.Fold(o.Country) == text) {
			return false
		}
	}
	return true
}
