package tournament

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/secret"
	"meldhall/tournament/store"
)

// The kinds of tiles that a table is played with.
const (
	DigitalTiles = "digital" // the tiles are on the tablets
	RealTiles    = "real"    // the tablet is the clock, the penalty record and the score sheet
)

// TableDevice is the one device for all seats of a table with real tiles.
type TableDevice struct {
	TournamentID int64 `gorm:"primaryKey"`
	Number       int   `gorm:"primaryKey"`
	TokenHash    string
	At           engine.Millis
}

// Physical reports whether a table is played with real tiles.
func (t Tournament) Physical(table Table) bool {
	return table.Tiles == RealTiles || table.Tiles == "" && t.Tiles == RealTiles
}

// SameTiles gives each table of a new round the kind of tiles that was set for the table with the same number in the
// previous round, if one was set.
func SameTiles(tx *gorm.DB, round Round, tables []Table) error {
	before, err := store.All[Table](tx.Where(`tiles <> '' AND round_id = (SELECT id FROM rounds WHERE tournament_id = ?
		AND number < ? ORDER BY number DESC LIMIT 1)`, round.TournamentID, round.Number))
	set := store.MapOf(before, func(t Table) (int, string) { return t.Number, t.Tiles })
	for i := range tables {
		tables[i].Tiles = set[tables[i].Number]
	}
	return err
}

// TableActor returns the actor of a table's device with this token hash. Its Player is not a player's ID and is the
// same in every round.
func TableActor(tournament int64, number int, table int64, hash string) rights.Actor {
	return rights.Actor{Name: fmt.Sprint(number), Role: rights.RoleTable, Tournament: tournament,
		Player: TableDeviceID(tournament, number), Table: table, Seat: -1, Device: secret.DeviceName(hash)}
}

// TableDeviceID returns the ID of a table's device, used in place of a player's ID.
func TableDeviceID(tournament int64, number int) int64 { return -(tournament<<12 + int64(number)) }

// TableByToken returns the actor of the table device whose token has this hash. Its Table is the table in the published
// or running round, or 0. An unknown token is Unauthenticated.
func TableByToken(ctx context.Context, s *store.DB, hash string) (rights.Actor, error) {
	var tournament, table int64
	var number int
	err := s.ReadSQL.QueryRowContext(ctx, `
		SELECT d.tournament_id, d.number, coalesce(t.id, 0) FROM table_devices d
		LEFT JOIN rounds r ON r.tournament_id = d.tournament_id AND r.status IN ('published', 'running')
		LEFT JOIN tables t ON t.round_id = r.id AND t.number = d.number
		WHERE d.token_hash = $1 AND NOT EXISTS (SELECT 1 FROM tournaments e
			JOIN organizations o ON o.id = e.organization_id WHERE e.id = d.tournament_id
			AND o.deleting <> 0)`, hash).Scan(&tournament, &number, &table)
	if errors.Is(err, sql.ErrNoRows) {
		return rights.Actor{}, refuse.Unauthenticated("err_token_unknown")
	}
	if err != nil {
		return rights.Actor{}, fmt.Errorf("find the device's table: %w", err)
	}
	return TableActor(tournament, number, table, hash), nil
}

// TableDevices returns the names of the devices that serve a whole table, by table number.
func TableDevices(ctx context.Context, s *store.DB, tournamentID int64) (map[int]string, error) {
	all, err := store.All[TableDevice](s.Read.WithContext(ctx).Where("tournament_id = ?", tournamentID))
	return store.MapOf(all, func(d TableDevice) (int, string) { return d.Number, secret.DeviceName(d.TokenHash) }), err
}
