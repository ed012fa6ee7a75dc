package tournament

import (
	"context"
	"slices"

	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/secret"
	"meldhall/tournament/store"
)

// A Table is one table of a round. Number counts from 1. Code gives access to it at /join/CODE while a seat is free
// (see Full). The code is the same from the publication until the round is over, and then empty.
type Table struct {
	ID           int64
	TournamentID int64
	RoundID      int64
	Number       int
	Code         string
	CodeHash     *string
	Tiles        string // digital or real; empty: as the tournament
	CodeReused   int    // attempts to use the code while another device serves the table

	Seats []Seat // in seat order, if the reader loads them
	Games []Game // in playing order, if the reader loads them
}

// A Seat is a player's place at a table, 0 to 3 in playing order. Code is the seat's one-time code, readable until it
// is used or the round is over. CodeReused counts attempts to use it again.
type Seat struct {
	ID          int64
	RoundID     int64
	TableID     int64
	Seat        int
	PlayerID    int64
	Code        string
	CodeHash    *string
	CodeExpires engine.Millis
	CodeUsedAt  engine.Millis
	CodeReused  int

	Player Player // loaded together with Table.Seats
}

// A Game is one game at a table; Number counts from 1. Its play is stored only in game_events. StartedAt is the time of
// the deal. Before the deal, on the first game of a table started individually, it is the time of that start.
type Game struct {
	ID           int64
	TournamentID int64
	TableID      int64
	Number       int
	Status       string
	StartedAt    engine.Millis
	FinishedAt   engine.Millis
}

// RoundCount counts the tables and games of a round by state.
type RoundCount struct {
	Tables    int
	Seats     int
	Started   int // tables
	Waiting   int // games; Running, Finished and Confirmed count games too
	Running   int
	Finished  int // ended but not confirmed
	Confirmed int
}

// Tables returns a round's tables by number, with seats, players and games. Codes are left out; officials get them from
// TableCodes.
func Tables(ctx context.Context, s *store.DB, roundID int64) ([]Table, error) {
	tables, err := store.Look(ctx, s, func(db *gorm.DB) ([]Table,
		error) {
		return FillTables(db, db.Where("round_id = ?", roundID))
	})
	for i, t := range tables {
		tables[i] = t.WithoutCodes()
	}
	return tables, err
}

// TableByID returns one table, filled as in Tables, or NotFound.
func TableByID(ctx context.Context, s *store.DB, id int64) (Table, error) {
	table, err := FindTable(s.Read.WithContext(ctx), id)
	return table.WithoutCodes(), err
}

// TableCodes returns a round's tables with their valid codes, for printing by officials.
func TableCodes(ctx context.Context, s *store.DB, actor rights.Actor, roundID int64) ([]Table, error) {
	db := s.Read.WithContext(ctx)
	round, err := FindRound(db, roundID)
	if err != nil {
		return nil, err
	}
	if err := rights.Authorize(actor, rights.Place{Tournament: round.TournamentID}, rights.MaySeeCodes); err != nil {
		return nil, err
	}
	return FillTables(db, db.Where("round_id = ?", roundID))
}

// RoundCounts counts the tables and games of a tournament's rounds, by round ID.
func RoundCounts(ctx context.Context, s *store.DB, tournamentID int64) (map[int64]RoundCount, error) {
	type roundCountRow struct {
		RoundID int64
		RoundCount
	}
	var rows []roundCountRow
	err := s.Read.WithContext(ctx).Raw(`SELECT t.round_id, count(DISTINCT t.id) AS tables,
			(SELECT count(*) FROM seats s JOIN tables o ON o.id = s.table_id WHERE o.round_id = t.round_id) AS seats,
			count(DISTINCT CASE WHEN r.started_at <> 0 OR g.number = 1 AND g.started_at <> 0 THEN t.id END) AS started,
			count(x.id) AS confirmed, count(CASE WHEN x.id IS NULL AND g.status = 'finished' THEN 1 END) AS finished,
			count(CASE WHEN x.id IS NULL AND g.status = 'running' THEN 1 END) AS running, count(CASE WHEN x.id IS NULL AND g.status = 'waiting' THEN 1 END) AS waiting
		FROM rounds r JOIN tables t ON t.round_id = r.id LEFT JOIN games g ON g.table_id = t.id
		LEFT JOIN results x ON x.game_id = g.id AND x.status = 'confirmed' AND x.rev = (SELECT max(rev) FROM results l WHERE l.game_id = g.id)
		WHERE r.tournament_id = ? GROUP BY t.round_id`, tournamentID).Scan(&rows).Error
	return store.MapOf(rows, func(r roundCountRow) (int64, RoundCount) { return r.RoundID, r.RoundCount }), err
}

// FindGame returns a game, or NotFound.
func FindGame(db *gorm.DB, id int64) (Game, error) {
	return store.ByID[Game](db, "game", id)
}

// FindTable returns a table with its seats and games, or NotFound.
func FindTable(db *gorm.DB, id int64) (Table, error) {
	tables, err := FillTables(db, db.Where("id = ?", id).Where(notGoing))
	if err == nil && len(tables) == 0 {
		err = refuse.NotFound("err_table_not_found", "id", id)
	}
	if err != nil {
		return Table{}, err
	}
	return tables[0], nil
}

// FillTables returns the tables selected by where, with seats, players and games.
func FillTables(db, where *gorm.DB) ([]Table, error) {
	tables, err := store.All[Table](where.Order("number").Preload("Seats", store.InOrder("seat")).
		Preload("Seats.Player", store.Without("email")).Preload("Games", store.InOrder("number")))
	if err != nil || len(tables) == 0 {
		return nil, err
	}
	return tables, nameStandIns(db, tables)
}

// SeatedTables returns the tables selected by where, with their seats only.
func SeatedTables(_, where *gorm.DB) ([]Table, error) {
	return store.All[Table](where.Order("number").Preload("Seats", store.InOrder("seat")))
}

// Full reports whether every seat's player has a device. The table's code then seats no player until a seat changes
// hands.
func (t Table) Full() bool {
	return !slices.ContainsFunc(t.Seats, func(s Seat) bool { return !s.Player.Joined() })
}

// WithoutCodes returns the table without its codes and those of its seats.
func (t Table) WithoutCodes() Table {
	t.Code, t.CodeHash = "", nil
	for i := range t.Seats {
		t.Seats[i].Code, t.Seats[i].CodeHash = "", nil
	}
	return t
}

// TableByNumber returns the round's table with a number, filled as in Tables, and whether it exists.
func TableByNumber(ctx context.Context, s *store.DB, roundID int64, number int) (Table, bool, error) {
	db := s.Read.WithContext(ctx)
	tables, err := FillTables(db, db.Where("round_id = ? AND number = ?", roundID, number))
	if err != nil || len(tables) == 0 {
		return Table{}, false, err
	}
	return tables[0].WithoutCodes(), true, nil
}

// SetCode gives the seat a new one-time code.
func (s *Seat) SetCode(code string) {
	s.Code = code
	hash := secret.Hash(s.Code)
	s.CodeHash, s.CodeExpires, s.CodeUsedAt, s.CodeReused = &hash, 0, 0, 0
}
