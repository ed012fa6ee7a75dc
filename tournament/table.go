package tournament

import (
	"context"
	"slices"

	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/storage"
)

// Table is one table of a round. Number counts from 1. Code opens it at /join/CODE while a seat is free, see Full: it is
// the same from the publication until the round is over, and empty then.
type Table struct {
	ID           int64
	TournamentID int64
	RoundID      int64
	Number       int
	Code         string
	CodeHash     *string
	Tiles        string // digital or real; empty: what the event is
	CodeReused   int    // tries at the code while another device serves the table, which has real tiles

	Seats []Seat // in seat order, filled by the readers that say so
	Games []Game // in playing order, likewise
}

// Seat is a player's place at a table, 0 to 3 in playing order. Code is the seat's one-time code,
// readable until it is used or the round is over. CodeReused counts tries to use it again.
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

	Player Player // filled by the readers that fill Table.Seats
}

// Game is one game at a table; Number counts from 1. What happens in it is in game_events alone. StartedAt is when it was
// dealt; before that, of the first game of a table that was started alone, when that was.
type Game struct {
	ID           int64
	TournamentID int64
	TableID      int64
	Number       int
	Status       string
	StartedAt    engine.Millis
	FinishedAt   engine.Millis
}

// RoundCount is what the tables and games of a round have come to.
type RoundCount struct {
	Tables    int
	Seats     int
	Started   int // tables
	Waiting   int // games, this and all that follow
	Running   int
	Finished  int // ended, the result not confirmed
	Confirmed int
}

// Tables gives a round's tables by number, with their seats, players and games. The codes are left out;
// officials get them of TableCodes.
func Tables(ctx context.Context, s *storage.DB, roundID int64) ([]Table, error) {
	tables, err := storage.Look(ctx, s, func(db *gorm.DB) ([]Table, error) { return FillTables(db, db.Where("round_id = ?", roundID)) })
	for i, t := range tables {
		tables[i] = t.withoutCodes()
	}
	return tables, err
}

// TableByID gives one table, filled as Tables does, or NotFound.
func TableByID(ctx context.Context, s *storage.DB, id int64) (Table, error) {
	table, err := findTable(s.Read.WithContext(ctx), id)
	return table.withoutCodes(), err
}

// TableCodes gives a round's tables with the codes that are still good, for printing; for officials.
func TableCodes(ctx context.Context, s *storage.DB, actor rights.Actor, roundID int64) ([]Table, error) {
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

// RoundCounts counts the tables and games of each of a tournament's rounds, by the round.
func RoundCounts(ctx context.Context, s *storage.DB, tournamentID int64) (map[int64]RoundCount, error) {
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
	return storage.MapOf(rows, func(r roundCountRow) (int64, RoundCount) { return r.RoundID, r.RoundCount }), err
}

func findGame(db *gorm.DB, id int64) (Game, error) {
	return storage.ByID[Game](db, "game", id)
}

func findTable(db *gorm.DB, id int64) (Table, error) {
	tables, err := FillTables(db, db.Where("id = ?", id).Where(notGoing))
	if err == nil && len(tables) == 0 {
		err = refuse.NotFound("err_table_not_found", "id", id)
	}
	if err != nil {
		return Table{}, err
	}
	return tables[0], nil
}

// fillTables reads the tables that where finds, with seats, players and games.
func FillTables(db, where *gorm.DB) ([]Table, error) {
	tables, err := storage.All[Table](where.Order("number").Preload("Seats", storage.InOrder("seat")).
		Preload("Seats.Player", storage.Without("email")).Preload("Games", storage.InOrder("number")))
	if err != nil || len(tables) == 0 {
		return nil, err
	}
	return tables, nameStandIns(db, tables)
}

// seatedTables are tables with nothing but their seats.
func seatedTables(_, where *gorm.DB) ([]Table, error) {
	return storage.All[Table](where.Order("number").Preload("Seats", storage.InOrder("seat")))
}

// Full tells whether every seat's player has a device: the table's code seats nobody until somebody else sits there.
func (t Table) Full() bool {
	return !slices.ContainsFunc(t.Seats, func(s Seat) bool { return !s.Player.Joined() })
}

func (t Table) withoutCodes() Table {
	t.Code, t.CodeHash = "", nil
	for i := range t.Seats {
		t.Seats[i].Code, t.Seats[i].CodeHash = "", nil
	}
	return t
}

// TableByNumber gives a round's table with the number, filled as Tables does; false when the round has none.
func TableByNumber(ctx context.Context, s *storage.DB, roundID int64, number int) (Table, bool, error) {
	db := s.Read.WithContext(ctx)
	tables, err := FillTables(db, db.Where("round_id = ? AND number = ?", roundID, number))
	if err != nil || len(tables) == 0 {
		return Table{}, false, err
	}
	return tables[0].withoutCodes(), true, nil
}
