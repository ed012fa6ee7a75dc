package tournament

import (
	"context"

	"gorm.io/gorm"

	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/rosterfile"
	"meldhall/tournament/secret"
	"meldhall/tournament/spelling"
	"meldhall/tournament/storage"
)

// countedPlayers are the players of an event: neither who waits for a place nor who only stands in for another.
const countedPlayers = "state <> 'waiting' AND (state <> 'substituted' OR gone)"

// Players gives a tournament's players by start number, without those who wait for a place. E-mail addresses and
// families are for PlayersFull.
func Players(ctx context.Context, s *storage.DB, tournamentID int64) ([]Player, error) {
	var players []Player
	err := s.Read.WithContext(ctx).Omit("email", "ticket", "family").Where("tournament_id = ? AND "+countedPlayers, tournamentID).Order("number").Find(&players).Error
	return players, err
}

// Absent are the players of an event of whom nothing says that they are here: whom PeopleRemoveAbsent takes out.
func Absent(ctx context.Context, s *storage.DB, tournamentID int64) (map[int64]bool, error) {
	players, err := absentPlayers(s.Read.WithContext(ctx), tournamentID)
	absent := make(map[int64]bool, len(players))
	for _, p := range players {
		absent[p.ID] = true
	}
	return absent, err
}

// PlayersFull gives the players with all that was entered; for organizers.
func PlayersFull(ctx context.Context, s *storage.DB, actor rights.Actor, tournamentID int64) ([]Player, error) {
	if err := rights.Authorize(actor, rights.Place{Tournament: tournamentID}, rights.MaySeeRoster); err != nil {
		return nil, err
	}
	var players []Player
	err := s.Read.WithContext(ctx).Where("tournament_id = ?", tournamentID).Order("number").Find(&players).Error
	return players, err
}

// insertPlayers writes players with the next start numbers. A player who is entered already is a Conflict.
func insertPlayers(tx *gorm.DB, tournamentID int64, entries []rosterfile.PlayerEntry) ([]Player, error) {
	if _, err := FindTournament(tx, tournamentID); err != nil {
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
	if have.Count+len(entries) > rosterfile.Rows {
		return nil, refuse.Invalid("err_players_too_many", "players", have.Count+len(entries), "most", rosterfile.Rows)
	}
	players := make([]Player, len(entries))
	for i, e := range entries {
		players[i] = Player{TournamentID: tournamentID, Number: have.Last + 1 + i, Name: e.Name, NameKey: spelling.Fold(e.Name),
			Country: e.Country, CountryKey: spelling.Fold(e.Country), Club: e.Club, Rating: e.Rating, Email: e.Email, Division: e.Division, Family: e.Family, Drawn: e.Drawn,
			State: StateRegistered}
		ticket := secret.NewToken()
		players[i].Ticket = &ticket
	}
	if err := tx.CreateInBatches(players, 100).Error; err != nil {
		return nil, storage.Clash(err, "err_player_entered", "name", entries[0].Name)
	}
	return players, nil
}

func findPlayer(tx *gorm.DB, id int64) (Player, error) {
	var p Player
	if err := tx.Omit("email").Take(&p, id).Error; err != nil {
		return p, storage.Missing(err, "player", id)
	}
	return p, nil
}

// PlayerByID gives a player without the e-mail address, or NotFound.
func PlayerByID(ctx context.Context, s *storage.DB, id int64) (Player, error) {
	var p Player
	err := s.Read.WithContext(ctx).Omit("email").Take(&p, id).Error
	return p, storage.Missing(err, "player", id)
}
