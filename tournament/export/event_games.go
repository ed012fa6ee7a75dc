package export

import (
	"fmt"

	"gorm.io/gorm"

	"meldhall/engine/ruleset"
	"meldhall/tournament"
	"meldhall/tournament/game"
)

// GamesIn returns all games of a tournament that have a log, in any state, in ID order, each as OfGame returns it; see
// Game.Over. A few queries read the whole tournament as of the moment of db.
func GamesIn(db *gorm.DB, t tournament.Tournament) ([]Game, error) {
	var found []struct {
		ID, TableID, RoundID        int64
		Number, Table, Round, Stage int
	}
	err := db.Raw(`SELECT g.id, g.table_id, t.round_id, g.number, t.number AS "table", r.number AS round, r.stage FROM games g
		JOIN tables t ON t.id = g.table_id JOIN rounds r ON r.id = t.round_id
		WHERE g.tournament_id = ? AND EXISTS (SELECT 1 FROM game_events e WHERE e.game_id = g.id) ORDER BY g.id`, t.ID).Scan(&found).Error
	if err != nil {
		return nil, fmt.Errorf("export the games of event %d: %w", t.ID, err)
	}
	players, err := playersIn(db, t.ID)
	if err != nil {
		return nil, err
	}
	results, err := resultsIn(db, t.ID)
	if err != nil {
		return nil, err
	}
	rules := map[int]ruleset.Ruleset{}
	all := make([]Game, len(found))
	for i, g := range found {
		if _, known := rules[g.Round]; !known {
			if rules[g.Round], err = t.RulesIn(g.Stage, g.Round); err != nil {
				return nil, err
			}
		}
		all[i] = Game{Version: Version, Game: g.ID, TournamentID: t.ID, RoundID: g.RoundID, Table: g.Table,
			Number:  g.Number,
			Players: players[g.TableID], Rules: rules[g.Round], Results: results[g.ID]}
		if all[i].Results == nil {
			all[i].Results = []Result{}
		}
	}
	return all, addEvents(db, t.ID, all)
}

// playersIn returns the players at each table of a tournament, in seat order.
func playersIn(db *gorm.DB, tournamentID int64) (map[int64][]int64, error) {
	var seats []struct{ TableID, PlayerID int64 }
	err := db.Raw(`SELECT s.table_id, s.player_id FROM seats s JOIN tables t ON t.id = s.table_id WHERE t.tournament_id = ? ORDER BY s.table_id, s.seat`, tournamentID).
		Scan(&seats).Error
	at := map[int64][]int64{}
	for _, s := range seats {
		at[s.TableID] = append(at[s.TableID], s.PlayerID)
	}
	return at, err
}

// resultsIn returns the revisions of all results of a tournament, by game.
func resultsIn(db *gorm.DB, tournamentID int64) (map[int64][]Result, error) {
	var all []game.Result
	var lines []game.ResultLine
	const of = `FROM results r JOIN games g ON g.id = r.game_id`
	if err := db.Raw(`SELECT r.* `+of+` WHERE g.tournament_id = ? ORDER BY r.game_id, r.rev`,
		tournamentID).Scan(&all).Error; err != nil {
		return nil, err
	}
	err := db.Raw(`SELECT l.* `+of+` JOIN result_lines l ON l.result_id = r.id WHERE g.tournament_id = ? ORDER BY l.result_id, l.seat`, tournamentID).Scan(&lines).Error
	lineOf := map[int64][]ResultLine{}
	for _, l := range lines {
		lineOf[l.ResultID] = append(lineOf[l.ResultID], ResultLine{l.Seat, l.PlayerID, l.Points, l.Wins, l.Charge,
			l.Reason, l.Tiles, l.Opened})
	}
	results := map[int64][]Result{}
	for _, r := range all {
		results[r.GameID] = append(results[r.GameID], Result{r.Rev, r.Status, r.Ending, r.Actor, r.Why, r.At,
			lineOf[r.ID]})
	}
	return results, err
}

// addEvents adds the logs to games, which must be in ID order.
func addEvents(db *gorm.DB, tournamentID int64, games []Game) error {
	rows, err := db.Raw(`SELECT e.game_id, `+eventColumns+` FROM game_events e JOIN games g ON g.id = e.game_id
		WHERE g.tournament_id = ? ORDER BY e.game_id, e.seq`, tournamentID).Rows()
	if err != nil {
		return err
	}
	defer rows.Close()
	at := 0
	for rows.Next() {
		var id int64
		var e Event
		if err := rows.Scan(append([]any{&id}, e.columns()...)...); err != nil {
			return err
		}
		for games[at].Game != id {
			at++
		}
		games[at].Events = append(games[at].Events, e)
	}
	for i := range games {
		games[i].fault = games[i].setHead()
	}
	return rows.Err()
}
