package tournament

import (
	"context"
	"strconv"
	"strings"
	"unicode/utf8"

	"gorm.io/gorm"

	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
)

// ImportRoster enters all players of a roster file, or none when there is any problem: then the outcome holds the problems and the
// error is Invalid. A preview only tells the problems.
type ImportRoster struct {
	Tournament int64  `json:"tournament"`
	File       string `json:"file"`

	roster Roster
}

var importRosterKind = action[ImportRoster, Roster](ActionKind{Name: "people.import", Right: rights.MayEditRoster, Changes: []What{TopicPeople}})

func (ImportRoster) kind() *ActionKind { return importRosterKind }

func (i ImportRoster) plan(context.Context, *Desk, rights.Actor) (_ Action, err error) {
	i.roster, err = ParseRoster(strings.NewReader(i.File))
	return i, err
}

func (i ImportRoster) do(tx *Tx) (Roster, error) {
	roster, err := againstEntered(tx.DB, i.Tournament, i.roster)
	if err != nil || tx.preview {
		return roster, err
	}
	if n := len(roster.Problems); n > 0 {
		first := roster.Problems[0]
		return roster, refuse.Invalid("err_roster_problems", "count", n, "line", first.Line, "first", first.Err)
	}
	entries := make([]PlayerEntry, len(roster.Rows))
	for i, row := range roster.Rows {
		entries[i] = row.PlayerEntry
	}
	_, err = changePeople(tx, peopleWork{event: i.Tournament, name: PeopleEnter}, func(tx *peopleTx) error { return tx.enter(entries) })
	return roster, err
}

// extraMost bounds the time that a player may be given on top of each turn, in seconds.
const extraMost = 600

// SetExtraTime gives a player more time in each own turn of the games that start from now on, in seconds: an
// accommodation that everybody at the table is told of (WCAG 2.2.1).
func (s *Store) SetExtraTime(ctx context.Context, actor rights.Actor, playerID int64, seconds int, why string) (Player, error) {
	var player Player
	err := s.Tx(ctx, func(tx *gorm.DB) error {
		if err := tx.Take(&player, playerID).Error; err != nil {
			return missing(err, "player", playerID)
		}
		if err := rights.Authorize(actor, rights.Place{Tournament: player.TournamentID}, rights.MayEditRoster); err != nil {
			return err
		}
		if seconds < 0 || seconds > extraMost {
			return refuse.Invalid("err_extra_time", "seconds", seconds, "most", extraMost)
		}
		before := player.ExtraSeconds
		if before == seconds {
			return nil
		}
		player.ExtraSeconds = seconds
		if err := tx.Model(&player).Update("extra_seconds", seconds).Error; err != nil {
			return err
		}
		return s.audit(tx, actor, change{tournament: player.TournamentID, action: "player.extra_time", subject: player.subject(),
			before: strconv.Itoa(before), after: strconv.Itoa(seconds), because: why})
	})
	return player, err
}

// SetFamily writes down which family a player is of, or with an empty name that there is none. Draws from now on keep a family
// apart; rounds that are drawn stay. Officials read the log too: it says that a family was set, not which.
func (s *Store) SetFamily(ctx context.Context, actor rights.Actor, playerID int64, family string) (Player, error) {
	if err := rights.Authorize(actor, rights.Place{}, rights.MayEditRoster); err != nil {
		return Player{}, err
	}
	family = cleanText(family)
	if n := utf8.RuneCountInString(family); n > familyMost {
		return Player{}, refuse.Invalid("err_player_field_long", "field", "family", "have", n, "most", familyMost)
	}
	var player Player
	err := s.Tx(ctx, func(tx *gorm.DB) (err error) {
		if player, err = findPlayer(tx, playerID); err != nil || player.Family == family {
			return err
		}
		before := player.Family
		player.Family = family
		if err := tx.Model(&Player{}).Where("id = ?", player.ID).Update("family", family).Error; err != nil {
			return err
		}
		return s.audit(tx, actor, change{tournament: player.TournamentID, action: "player.family", subject: player.subject(), before: has(before), after: has(family)})
	})
	return player, err
}

// countedPlayers are the players of an event: neither who waits for a place nor who only stands in for another.
const countedPlayers = "state <> 'waiting' AND (state <> 'substituted' OR gone)"

// Players gives a tournament's players by start number, without those who wait for a place. E-mail addresses and
// families are for PlayersFull.
func (s *Store) Players(ctx context.Context, tournamentID int64) ([]Player, error) {
	var players []Player
	err := s.Read.WithContext(ctx).Omit("email", "ticket", "family").Where("tournament_id = ? AND "+countedPlayers, tournamentID).Order("number").Find(&players).Error
	return players, err
}

// Absent are the players of an event of whom nothing says that they are here: whom PeopleRemoveAbsent takes out.
func (s *Store) Absent(ctx context.Context, tournamentID int64) (map[int64]bool, error) {
	players, err := absentPlayers(s.Read.WithContext(ctx), tournamentID)
	absent := make(map[int64]bool, len(players))
	for _, p := range players {
		absent[p.ID] = true
	}
	return absent, err
}

// PlayersFull gives the players with all that was entered; for organizers.
func (s *Store) PlayersFull(ctx context.Context, actor rights.Actor, tournamentID int64) ([]Player, error) {
	if err := rights.Authorize(actor, rights.Place{Tournament: tournamentID}, rights.MaySeeRoster); err != nil {
		return nil, err
	}
	var players []Player
	err := s.Read.WithContext(ctx).Where("tournament_id = ?", tournamentID).Order("number").Find(&players).Error
	return players, err
}

// insertPlayers writes players with the next start numbers. A player who is entered already is a Conflict.
func insertPlayers(tx *gorm.DB, tournamentID int64, entries []PlayerEntry) ([]Player, error) {
	if _, err := findTournament(tx, tournamentID); err != nil {
		return nil, err
	}
	var stage int
	if err := tx.Model(&Round{}).Where("tournament_id = ?", tournamentID).Select("coalesce(max(stage), 0)").Scan(&stage).Error; err != nil {
		return nil, err
	}
	if stage > 0 {
		return nil, refuse.Conflict("err_entries_closed")
	}
	var have struct{ Last, Count int }
	if err := tx.Model(&Player{}).Where("tournament_id = ?", tournamentID).Select("coalesce(max(number), 0) AS last, count(*) AS count").Scan(&have).Error; err != nil {
		return nil, err
	}
	if have.Count+len(entries) > RosterRows {
		return nil, refuse.Invalid("err_players_too_many", "players", have.Count+len(entries), "most", RosterRows)
	}
	players := make([]Player, len(entries))
	for i, e := range entries {
		players[i] = Player{TournamentID: tournamentID, Number: have.Last + 1 + i, Name: e.Name, NameKey: foldText(e.Name),
			Country: e.Country, CountryKey: foldText(e.Country), Club: e.Club, Rating: e.Rating, Email: e.Email, Division: e.Division, Family: e.Family, Drawn: e.Drawn,
			State: StateRegistered}
		ticket := newToken()
		players[i].Ticket = &ticket
	}
	if err := tx.CreateInBatches(players, 100).Error; err != nil {
		return nil, clash(err, "err_player_entered", "name", entries[0].Name)
	}
	return players, nil
}

// againstEntered adds a problem for each row whose player is entered already.
func againstEntered(db *gorm.DB, tournamentID int64, roster Roster) (Roster, error) {
	if _, err := findTournament(db, tournamentID); err != nil {
		return Roster{}, err
	}
	var entered []Player
	if err := db.Where("tournament_id = ?", tournamentID).Find(&entered).Error; err != nil {
		return Roster{}, err
	}
	numbers, drawn := map[string]int{}, map[int]string{}
	for _, p := range entered {
		drawn[p.Drawn] = p.Name
		numbers[p.NameKey+"\x00"+p.CountryKey] = p.Number
	}
	parser := rosterParser{Roster: roster}
	for _, row := range roster.Rows {
		if holder, ok := drawn[row.Drawn]; ok && row.Drawn > 0 {
			parser.problem(row.Line, "drawn", "err_drawn_taken", "number", row.Drawn, "player", row.Name, "holder", holder)
		}
		if number, ok := numbers[row.key()]; ok {
			parser.problem(row.Line, "name", "err_roster_entered", "name", row.Name, "number", number)
		}
	}
	return parser.Roster, nil
}
