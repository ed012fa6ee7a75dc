package tournament

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"meldhall/engine"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
)

// What a table is played with.
const (
	DigitalTiles = "digital" // the tiles are on the tablets
	RealTiles    = "real"    // the tablet is the clock, the penalty book and the score sheet
)

// TableDevice is the one device that serves all seats of a physical table.
type TableDevice struct {
	TournamentID int64 `gorm:"primaryKey"`
	Number       int   `gorm:"primaryKey"`
	TokenHash    string
	At           engine.Millis
}

// Physical tells whether a table of the event is played with real tiles.
func (t Tournament) Physical(table Table) bool {
	return table.Tiles == RealTiles || table.Tiles == "" && t.Tiles == RealTiles
}

// SetTiles says what an event is played with: all its tables that have no setting of their own and whose first game
// has not begun.
func (s *Store) SetTiles(ctx context.Context, actor rights.Actor, tournamentID int64, tiles string) (Tournament, error) {
	var t Tournament
	err := s.Tx(ctx, func(tx *gorm.DB) (err error) {
		if t, err = findTournament(tx, tournamentID); err != nil {
			return err
		}
		if err := rights.Authorize(actor, rights.Place{Tournament: tournamentID}, rights.MaySeatRound); err != nil {
			return err
		}
		if tiles != DigitalTiles && tiles != RealTiles {
			return refuse.Invalid("err_tiles", "tiles", tiles)
		}
		before := t.Tiles
		t.Tiles = tiles
		if err := tx.Model(&t).Update("tiles", tiles).Error; err != nil {
			return err
		}
		return s.audit(tx, actor, change{tournament: t.ID, action: "tournament.tiles", subject: t.subject(), before: before, after: tiles})
	})
	return t, err
}

// SetTableTiles says what one table of a round is played with, empty: what the event is. Once its first game has begun
// it is a Conflict. The table of that number in later rounds is played so too.
func (s *Store) SetTableTiles(ctx context.Context, actor rights.Actor, tableID int64, tiles string) (Table, error) {
	var table Table
	err := s.Tx(ctx, func(tx *gorm.DB) (err error) {
		if table, err = findTable(tx, tableID); err != nil {
			return err
		}
		if err := rights.Authorize(actor, rights.Place{Tournament: table.TournamentID, Table: tableID, Seat: -1}, rights.MayStartRound); err != nil {
			return err
		}
		if tiles != "" && tiles != DigitalTiles && tiles != RealTiles {
			return refuse.Invalid("err_tiles", "tiles", tiles)
		}
		for _, g := range table.Games {
			if g.Status != GameWaiting || g.StartedAt != 0 {
				return refuse.Conflict("err_table_started", "table", table.Number)
			}
		}
		before := table.Tiles
		table.Tiles = tiles
		if err := tx.Model(&Table{}).Where("id = ?", tableID).Update("tiles", tiles).Error; err != nil {
			return err
		}
		return s.audit(tx, actor, change{tournament: table.TournamentID, action: "table.tiles", subject: fmt.Sprintf("table %d", table.Number), before: before, after: tiles})
	})
	tables := []Table{table}
	hideCodes(tables)
	return tables[0], err
}

// sameTiles lets the tables of a draft be played as those of their numbers were in the round before.
func sameTiles(tx *gorm.DB, round Round, tables []Table) error {
	var before []Table
	err := tx.Where(`tiles <> '' AND round_id = (SELECT id FROM rounds WHERE tournament_id = ? AND number < ? ORDER BY number DESC LIMIT 1)`,
		round.TournamentID, round.Number).Find(&before).Error
	for _, b := range before {
		if b.Number <= len(tables) {
			tables[b.Number-1].Tiles = b.Tiles
		}
	}
	return err
}

// JoinTable makes a device the one that serves all seats of a physical table, by the table's code, in the place of
// another one that did. The token is given out once and stored as a hash.
func (s *Store) JoinTable(ctx context.Context, code string) (token string, actor rights.Actor, err error) {
	err = s.Tx(ctx, func(tx *gorm.DB) error {
		inv, err := s.invitation(tx, code)
		if err != nil {
			return err
		}
		if inv.Seat >= 0 || !inv.Tournament.Physical(inv.Table) {
			return refuse.Conflict("err_table_digital", "table", inv.Table.Number)
		}
		if token, err = deviceToken(tx, inv.Tournament.ID); err != nil {
			return err
		}
		device := TableDevice{TournamentID: inv.Tournament.ID, Number: inv.Table.Number, TokenHash: hashSecret(token), At: s.now()}
		if err := tx.Clauses(clause.OnConflict{UpdateAll: true}).Create(&device).Error; err != nil {
			return err
		}
		actor = tableActor(inv.Tournament.ID, inv.Table.Number, inv.Table.ID, device.TokenHash)
		return s.audit(tx, actor, change{tournament: inv.Tournament.ID, action: "table.join",
			subject: fmt.Sprintf("round %d, table %d", inv.Round.Number, inv.Table.Number)})
	})
	if err != nil {
		return "", rights.Actor{}, err
	}
	return token, actor, nil
}

// tableActor is a table's device, whose token has that hash. Its Player is nobody's number, and the same in every round.
func tableActor(tournament int64, number int, table int64, hash string) rights.Actor {
	return rights.Actor{Name: fmt.Sprint(number), Role: rights.RoleTable, Tournament: tournament, Player: TableDeviceID(tournament, number), Table: table, Seat: -1, Device: deviceName(hash)}
}

// TableDeviceID stands for the device of a whole table where players' numbers do.
func TableDeviceID(tournament int64, number int) int64 { return -(tournament<<12 + int64(number)) }

// tableByToken gives the table whose device holds the token of a hash, in the published or running round.
func (s *Store) tableByToken(ctx context.Context, hash string) (rights.Actor, error) {
	var tournament, table int64
	var number int
	err := s.readSQL.QueryRowContext(ctx, `
		SELECT d.tournament_id, d.number, coalesce(t.id, 0) FROM table_devices d
		LEFT JOIN rounds r ON r.tournament_id = d.tournament_id AND r.status IN ('published', 'running')
		LEFT JOIN tables t ON t.round_id = r.id AND t.number = d.number
		WHERE d.token_hash = ?`, hash).Scan(&tournament, &number, &table)
	if errors.Is(err, sql.ErrNoRows) {
		return rights.Actor{}, refuse.Unauthenticated("err_token_unknown")
	}
	if err != nil {
		return rights.Actor{}, fmt.Errorf("find the device's table: %w", err)
	}
	return tableActor(tournament, number, table, hash), nil
}

// ReissueTableCode takes the one device of a physical table out at once and gives the code by which another one takes its
// place: the table's own, which is good as long as the round, or a new one where that is used up.
func (s *Store) ReissueTableCode(ctx context.Context, actor rights.Actor, tableID int64) (code string, err error) {
	err = s.Tx(ctx, func(tx *gorm.DB) error {
		table, err := findTable(tx, tableID)
		if err != nil {
			return err
		}
		if err := rights.Authorize(actor, rights.Place{Tournament: table.TournamentID, Table: tableID, Seat: -1}, rights.MayIssueCode); err != nil {
			return err
		}
		t, err := findTournament(tx, table.TournamentID)
		if err != nil {
			return err
		}
		if !t.Physical(table) {
			return refuse.Conflict("err_table_digital", "table", table.Number)
		}
		round, err := findRound(tx, table.RoundID)
		if err != nil {
			return err
		}
		if round.Status != RoundPublished && round.Status != RoundRunning {
			return refuse.Conflict("err_no_codes_now", "round", round.Number)
		}
		if code = table.Code; code == "" {
			code = newCode()
			if err := tx.Model(&Table{}).Where("id = ?", tableID).Updates(map[string]any{"code": code, "code_hash": hashSecret(code)}).Error; err != nil {
				return err
			}
		}
		if err := tx.Where("tournament_id = ? AND number = ?", t.ID, table.Number).Delete(&TableDevice{}).Error; err != nil {
			return err
		}
		return s.audit(tx, actor, change{tournament: t.ID, action: "table.reissue", subject: fmt.Sprintf("round %d, table %d", round.Number, table.Number)})
	})
	return code, err
}

// TableDevices gives the names of the devices that serve a whole table, by the table's number.
func (s *Store) TableDevices(ctx context.Context, tournamentID int64) (map[int]string, error) {
	var all []TableDevice
	err := s.Read.WithContext(ctx).Where("tournament_id = ?", tournamentID).Find(&all).Error
	names := make(map[int]string, len(all))
	for _, d := range all {
		names[d.Number] = deviceName(d.TokenHash)
	}
	return names, err
}
