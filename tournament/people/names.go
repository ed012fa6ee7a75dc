package people

import (
	"strconv"
	"unicode/utf8"

	"gorm.io/gorm"

	"meldhall/tournament"
	"meldhall/tournament/rosterfile"
	"meldhall/tournament/spelling"
	"meldhall/tournament/store"
)

// tellApart stores the suffixes that distinguish players with the same name: the mark, club or country, in this order,
// if it is short enough and no other of these players has it, else the start number.
func tellApart(db *gorm.DB, tournamentID int64) error {
	players, err := store.All[tournament.Player](db.Select("id", "number", "name_key", "country", "club", "mark",
		"told").Where("tournament_id = ?", tournamentID).Order("number"))
	if err != nil {
		return err
	}
	named := map[string][]tournament.Player{}
	for _, p := range players {
		named[p.NameKey] = append(named[p.NameKey], p)
	}
	for _, p := range players {
		if told := toldAmong(named[p.NameKey], p); told != p.Told {
			if err := db.Model(&tournament.Player{}).Where("id = ?", p.ID).Update("told", told).Error; err != nil {
				return err
			}
		}
	}
	return nil
}

// toldAmong returns the suffix that distinguishes a player from others with the same name, or "" if there are none.
func toldAmong(same []tournament.Player, p tournament.Player) string {
	if len(same) == 1 {
		return ""
	}
	for _, of := range []func(tournament.Player) string{func(p tournament.Player) string { return p.Mark },
		func(p tournament.Player) string { return p.Club }, func(p tournament.Player) string { return p.Country }} {
		if text := of(p); text != "" && utf8.RuneCountInString(text) <= rosterfile.MarkMost && only(same, p, text) {
			return text
		}
	}
	return "#" + strconv.Itoa(p.Number)
}

// only reports whether no other player has text as mark, club or country.
func only(same []tournament.Player, p tournament.Player, text string) bool {
	text = spelling.Fold(text)
	for _, o := range same {
		if o.ID != p.ID && (spelling.Fold(o.Mark) == text || spelling.Fold(o.Club) == text ||
			spelling.Fold(o.Country) == text) {
			return false
		}
	}
	return true
}
