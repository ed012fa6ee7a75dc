package action

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/tournament/rights"
	"meldhall/tournament/spelling"
	"meldhall/tournament/store"
)

// LogSearch is a search in the records of a tournament. Empty fields match everything. Who matches any part of the
// actor, ignoring case. Round, Table and Player are numbers within the tournament, 0 for any. From and Until limit the
// time, including From and excluding Until; 0 for no limit. Before is the ID of a record: the page starts with the next
// older match. Match, if not nil, reports whether a record, as its reader sees it, contains the search text.
type LogSearch struct {
	Kind   string
	Who    string
	Round  int
	Table  int
	Player int
	From   engine.Millis
	Until  engine.Millis
	Before int64
	Limit  int
	Match  func(Record) bool
}

// LogPage is a page of the log, newest records first, with the total number of matching records. More reports whether
// older ones follow.
type LogPage struct {
	Entries []Record
	Total   int
	More    bool
}

// logMost is the maximum number of records per response.
const logMost = 200

// Records returns the newest records of a tournament, newest first, at most limit. For tournament 0 it returns the
// records of the actor's organization that belong to no tournament.
func Records(ctx context.Context, s *store.DB, actor rights.Actor, tournamentID int64, limit int) ([]Record, error) {
	if err := rights.Authorize(actor, rights.Place{Tournament: tournamentID}, rights.MaySeeAudit); err != nil {
		return nil, err
	}
	var records []Record
	q := s.Read.WithContext(ctx).Where("tournament_id = ?", tournamentID)
	if tournamentID == 0 {
		q = s.Read.WithContext(ctx).Where("tournament_id IS NULL AND organization_id = ?", actor.Organization)
	}
	err := q.Order("id DESC").Limit(limit).Find(&records).Error
	return records, err
}

// SearchRecords returns the records of a tournament that match q. A Limit outside 1 to 200 means 200.
func SearchRecords(ctx context.Context, s *store.DB, actor rights.Actor, tournamentID int64, q LogSearch) (page LogPage,
	err error) {
	if err := rights.Authorize(actor, rights.Place{Tournament: tournamentID}, rights.MaySeeAudit); err != nil {
		return page, err
	}
	if q.Limit < 1 || q.Limit > logMost {
		q.Limit = logMost
	}
	db := s.Read.WithContext(ctx)
	if q.Match == nil && q.Round == 0 && q.Table == 0 && q.Player == 0 {
		return q.newest(db, tournamentID)
	}
	at, err := readPlaces(db, tournamentID, q)
	if err != nil {
		return page, err
	}
	var all []Record
	if err := q.found(db, tournamentID).Order("id DESC").Find(&all).Error; err != nil {
		return page, fmt.Errorf("search the log: %w", err)
	}
	for _, r := range all {
		if !at.concerns(r) || q.Match != nil && !q.Match(r) {
			continue
		}
		page.Total++
		switch {
		case q.Before > 0 && r.ID >= q.Before:
		case len(page.Entries) == q.Limit:
			page.More = true
		default:
			page.Entries = append(page.Entries, r)
		}
	}
	return page, nil
}

// found returns the query for the criteria that are columns of every record.
func (q LogSearch) found(db *gorm.DB, tournamentID int64) *gorm.DB {
	found := db.Where("tournament_id = ?", tournamentID)
	if who := spelling.Search(q.Who); who != "" {
		var actors []string
		found.AddError(db.Model(&Record{}).Where("tournament_id = ?", tournamentID).Distinct().
			Pluck("actor", &actors).Error)
		found = found.Where("actor IN ?", slices.DeleteFunc(actors, func(actor string) bool {
			return !strings.Contains(spelling.Search(actor), who)
		}))
	}
	if q.Kind != "" {
		found = found.Where("action = ?", q.Kind)
	}
	if q.From != 0 {
		found = found.Where("at >= ?", q.From)
	}
	if q.Until != 0 {
		found = found.Where("at < ?", q.Until)
	}
	return found
}

// newest reads one page if the columns alone decide what matches.
func (q LogSearch) newest(db *gorm.DB, tournamentID int64) (page LogPage, err error) {
	var total int64
	if err := q.found(db.Model(&Record{}), tournamentID).Count(&total).Error; err != nil {
		return page, fmt.Errorf("search the log: %w", err)
	}
	page.Total = int(total)
	found := q.found(db, tournamentID)
	if q.Before > 0 {
		found = found.Where("id < ?", q.Before)
	}
	if err := found.Order("id DESC").Limit(q.Limit + 1).Find(&page.Entries).Error; err != nil {
		return page, fmt.Errorf("search the log: %w", err)
	}
	if page.More = len(page.Entries) > q.Limit; page.More {
		page.Entries = page.Entries[:q.Limit]
	}
	return page, nil
}

// searchedPlaces are the criteria of a search by round, table and player. actor is the player's name in Record.Actor;
// old holds the IDs of the matching records of version 0.
type searchedPlaces struct {
	LogSearch
	actor string
	old   map[int64]bool
}

// readPlaces reads the data for a search by place.
func readPlaces(db *gorm.DB, tournamentID int64, q LogSearch) (at searchedPlaces, err error) {
	at.LogSearch = q
	if q.Player > 0 {
		var id int64
		if err := db.Raw(`SELECT coalesce(max(id), 0) FROM players WHERE tournament_id = ? AND number = ?`,
			tournamentID, q.Player).Scan(&id).Error; err != nil {
			return at, err
		}
		at.actor = rights.Actor{Role: rights.RolePlayer, Player: id}.String()
	}
	at.old, err = oldRecordsAt(db, tournamentID, q)
	return at, err
}

func (at searchedPlaces) concerns(r Record) bool {
	if r.Version == 0 {
		return at.old[r.ID]
	}
	on := r.About()
	return (at.Round == 0 || on.Round == at.Round || slices.Contains(on.Rounds, at.Round)) &&
		(at.Table == 0 || on.Table == at.Table || slices.Contains(on.Tables, at.Table)) &&
		(at.Player == 0 || on.Player == at.Player || slices.Contains(on.Players, at.Player) || r.Actor == at.actor)
}

// oldRecordsAt returns the IDs of the records of version 0 that match the round, table and player of q. Their subjects
// are texts: "round 3", "round 3, table 2, seat 1 (Ann)", "game 17", "player 4 (Ann)".
func oldRecordsAt(db *gorm.DB, tournamentID int64, q LogSearch) (map[int64]bool, error) {
	found := db.Model(&Record{}).Where("tournament_id = ? AND version = 0", tournamentID)
	const gamesOf = ` OR subject IN (SELECT 'game ' || g.id FROM games g JOIN tables t ON t.id = g.table_id JOIN rounds r ON r.id = t.round_id WHERE `
	if q.Round > 0 {
		found = found.Where(`(subject = ? OR subject LIKE ? OR before LIKE ? OR after LIKE ?`+gamesOf+`r.tournament_id = ? AND r.number = ?))`,
			fmt.Sprintf("round %d", q.Round), fmt.Sprintf("round %d,%%", q.Round),
			fmt.Sprintf("%%round %d,%%", q.Round), fmt.Sprintf("%%round %d,%%", q.Round),
			tournamentID, q.Round)
	}
	if q.Table > 0 {
		found = found.Where(`(subject = ? OR subject LIKE ? OR before LIKE ? OR after LIKE ?`+gamesOf+`r.tournament_id = ? AND t.number = ?))`,
			fmt.Sprintf("table %d", q.Table), fmt.Sprintf("%%table %d,%%", q.Table),
			fmt.Sprintf("%%table %d:%%", q.Table), fmt.Sprintf("%%table %d:%%", q.Table),
			tournamentID, q.Table)
	}
	if q.Player > 0 {
		found = found.Where(`(subject LIKE ? OR actor IN (SELECT 'player:' || id FROM players WHERE tournament_id = ? AND number = ?)
			OR subject IN (SELECT 'game ' || g.id FROM games g JOIN seats e ON e.table_id = g.table_id JOIN players p ON p.id = e.player_id
				WHERE p.tournament_id = ? AND p.number = ?))`,
			fmt.Sprintf("%%player %d (%%", q.Player), tournamentID, q.Player, tournamentID, q.Player)
	}
	var ids []int64
	err := found.Pluck("id", &ids).Error
	return store.MapOf(ids, func(id int64) (int64, bool) { return id, true }), err
}
