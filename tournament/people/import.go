package people

import (
	"context"
	"strconv"
	"strings"

	"gorm.io/gorm"

	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/rosterfile"
	"meldhall/tournament/spelling"
	"meldhall/tournament/store"
)

// ImportRoster adds the players of a roster file who are not entered yet, or none if there is a problem: then the
// outcome lists the problems and the error is Invalid. Players who are entered already keep their data or, with Take,
// get the list's. A preview only lists the problems and the changes.
type ImportRoster struct {
	Tournament int64  `json:"tournament"`
	File       string `json:"file"`
	Take       bool   `json:"take,omitempty"`
	rosterfile.How

	roster rosterfile.Roster
}

var _ = action.NewKind[ImportRoster](action.Kind{Name: "people.import", Right: rights.MayEditRoster,
	Changes: []action.What{action.TopicPeople}, Details: action.Keep[action.Value]})

func (i ImportRoster) Plan(ctx context.Context, _ *action.Desk, _ rights.Actor) (_ action.Action, err error) {
	i.roster, err = rosterfile.Parse(ctx, i.File, i.How)
	return i, err
}

func (i ImportRoster) Do(tx *action.Tx) (rosterfile.Roster, error) {
	roster, err := againstEntered(tx.DB, i.Tournament, i.roster)
	if err != nil || tx.Preview {
		return roster, err
	}
	if err := enterRoster(tx, i.Tournament, roster); err != nil || !i.Take {
		return roster, err
	}
	return roster, takeRoster(tx, i.Tournament, roster.Entered)
}

// enterRoster adds all players of a roster, or none if there is a problem.
func enterRoster(tx *action.Tx, tournamentID int64, roster rosterfile.Roster) error {
	if n := len(roster.Problems); n > 0 {
		first := roster.Problems[0]
		return refuse.Invalid("err_roster_problems", "count", n, "line", first.Line, "first", first.Err)
	}
	if len(roster.Rows) == 0 {
		return nil
	}
	entries := make([]rosterfile.PlayerEntry, len(roster.Rows))
	for i, row := range roster.Rows {
		entries[i] = row.PlayerEntry
	}
	_, err := changePeople(tx, peopleWork{tournamentID: tournamentID, name: tournament.PeopleEnter},
		func(tx *peopleTx) error { return tx.enter(entries) })
	return err
}

// takeRoster gives entered players the values in which a list differs. Undoing it gives back who they were
// (PlayerWho).
func takeRoster(tx *action.Tx, tournamentID int64, entered []rosterfile.Entered) error {
	var was, is []string // ratings and divisions; e-mail addresses and families are not recorded
	for _, row := range entered {
		for _, c := range row.Changes {
			if c.Field == "rating" || c.Field == "division" {
				was, is = append(was, row.Name+": "+c.Was), append(is, row.Name+": "+c.Is)
			}
		}
	}
	if len(is) > 0 {
		tx.Record(action.Entry{Event: tournamentID,
			Is: action.Value{Was: strings.Join(was, "; "), Is: strings.Join(is, "; ")}})
	}
	_, err := changePeople(tx, peopleWork{tournamentID: tournamentID, name: tournament.PeopleCorrect},
		func(tx *peopleTx) error {
			for _, row := range entered {
				if err := tx.take(row); err != nil {
					return err
				}
			}
			return nil
		})
	return err
}

func (tx *peopleTx) take(row rosterfile.Entered) error {
	if len(row.Changes) == 0 {
		return nil
	}
	p, err := tx.player(row.Player)
	if err != nil {
		return err
	}
	who := p.Who()
	set := map[string]any{}
	for _, c := range row.Changes {
		switch c.Field {
		case "country":
			who.Country = row.Country
		case "club":
			who.Club = row.Club
		case "mark":
			who.Mark = row.Mark
		case "federation_number":
			who.FederationNumber = row.FederationNumber
		case "rating":
			set["rating"] = row.Rating
		case "drawn":
			set["drawn"] = row.Drawn
		default:
			set[c.Field] = c.Is
		}
	}
	if who != p.Who() {
		if err := tx.setWho(p.ID, who); err != nil {
			return err
		}
	}
	if len(set) == 0 {
		return nil
	}
	return store.Clash(tx.Model(&p).Updates(set).Error, "err_undo_changed")
}

// againstEntered moves the rows of players who are entered already to Entered, and adds a problem for each drawn number
// that is taken.
func againstEntered(db *gorm.DB, tournamentID int64, roster rosterfile.Roster) (rosterfile.Roster, error) {
	if _, err := tournament.FindTournament(db, tournamentID); err != nil {
		return rosterfile.Roster{}, err
	}
	players, err := store.All[tournament.Player](db.Where("tournament_id = ?", tournamentID))
	if err != nil {
		return roster, err
	}
	entries := tournament.EntriesOf(players)
	byKey, byName, drawn := map[string]int{}, map[string][]int{}, map[int]int{}
	for i, e := range entries {
		name := spelling.Fold(e.Name)
		byKey[e.Key()], byName[name] = i, append(byName[name], i)
		if e.Drawn > 0 {
			drawn[e.Drawn] = i
		}
	}
	lines := map[int]int{} // by player
	rows := roster.Rows
	roster.Rows = nil
	for _, row := range rows {
		at, entered := byKey[row.Key()]
		if named := byName[spelling.Fold(row.Name)]; !entered && len(named) == 1 {
			at = named[0]
			entered = maySame(row.PlayerEntry, entries[at])
		}
		if holder, taken := drawn[row.Drawn]; taken && (!entered || holder != at) {
			roster.Problem(row.Line, "drawn", "err_drawn_taken", "number", row.Drawn, "player", row.Name, "holder",
				players[holder].Name)
		}
		switch {
		case !entered:
			roster.Rows = append(roster.Rows, row)
		case lines[at] != 0:
			roster.Rows = append(roster.Rows, row)
			roster.Problem(row.Line, "mark", "err_roster_double", "name", row.Name, "first", lines[at])
		default:
			lines[at] = row.Line
			roster.Entered = append(roster.Entered, rosterfile.Entered{Row: row, Number: players[at].Number,
				Player: players[at].ID, Changes: changesOf(entries[at], row.PlayerEntry)})
		}
	}
	return roster, nil
}

// maySame reports whether a row without a country or a mark can be the only entered player of its name.
func maySame(row, entered rosterfile.PlayerEntry) bool {
	return (row.Country == "" || entered.Country == "" ||
		spelling.SameCountry(row.Country) == spelling.SameCountry(entered.Country)) &&
		(row.Mark == "" || entered.Mark == "" || spelling.Fold(row.Mark) == spelling.Fold(entered.Mark))
}

// changesOf returns the fields in which a list differs from an entered player. Fields that the list leaves empty stay.
func changesOf(was, is rosterfile.PlayerEntry) (changes []rosterfile.Change) {
	number := func(n *int) string {
		if n == nil {
			return ""
		}
		return strconv.Itoa(*n)
	}
	drawn := func(n int) string { return strings.TrimPrefix(strconv.Itoa(n), "0") }
	for _, f := range []struct{ field, was, is string }{
		{"country", was.Country, is.Country}, {"club", was.Club, is.Club}, {"mark", was.Mark, is.Mark},
		{"rating", number(was.Rating), number(is.Rating)}, {"email", was.Email, is.Email},
		{"division", was.Division, is.Division}, {"family", was.Family, is.Family},
		{"drawn", drawn(was.Drawn), drawn(is.Drawn)},
		{"federation_number", was.FederationNumber, is.FederationNumber}} {
		if f.is != "" && f.is != f.was {
			changes = append(changes, rosterfile.Change{Field: f.field, Was: f.was, Is: f.is})
		}
	}
	return changes
}
