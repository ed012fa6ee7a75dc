package tournament

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"meldhall/engine"
	"meldhall/tournament/action"
	"meldhall/tournament/game"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/secret"
	"meldhall/tournament/store"
)

// What a table is played with.
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

// sameTiles copies the kind of tiles from the previous round: its table n sets the nth of tables.
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

// JoinTable lets a device serve all seats of a table with real tiles, by the table's code. If another device serves the
// table, an official must remove it first (ReissueTableCode). JoinTable returns the token once and stores only its
// hash. It counts and records attempts to use the code while another device serves the table.
type JoinTable struct {
	Code string `json:"code" minLength:"1" maxLength:"64" doc:"the table's code"`
}

var _ = action.NewKind[JoinTable](action.Kind{Name: "table.join", Right: rights.MayJoin, Guarded: true,
	Changes: []action.What{action.TopicDevices}})

func (j JoinTable) Do(tx *action.Tx) (Joined, error) {
	inv, err := invitation(tx.DB, j.Code, tx.Now())
	if err != nil {
		return Joined{}, err
	}
	if inv.Seat >= 0 || !inv.Tournament.Physical(inv.Table) {
		return Joined{}, refuse.Conflict("err_table_digital", "table", inv.Table.Number)
	}
	var held int64
	if err := tx.Model(&TableDevice{}).Where("tournament_id = ? AND number = ?", inv.Tournament.ID,
		inv.Table.Number).Count(&held).Error; err != nil {
		return Joined{}, err
	}
	if held > 0 {
		used := refuse.Conflict("err_code_used", "table", inv.Table.Number, "seat", 0)
		// refuse after the commit, so that the count stays
		tx.Then(func(context.Context, *game.Games) error { return used })
		tx.Record(action.Entry{Kind: codeReusedKind, Event: inv.Tournament.ID,
			On:     action.About{Round: inv.Round.Number, Table: inv.Table.Number},
			Topics: []action.Topic{{What: action.TopicTable, ID: inv.Table.ID}}})
		return Joined{}, tx.Model(&Table{}).Where("id = ?", inv.Table.ID).Update("code_reused",
			gorm.Expr("code_reused + 1")).Error
	}
	token, err := deviceToken(tx.DB, inv.Tournament.ID)
	if err != nil {
		return Joined{}, err
	}
	device := TableDevice{TournamentID: inv.Tournament.ID, Number: inv.Table.Number, TokenHash: secret.Hash(token),
		At: tx.Now()}
	tx.Actor = tableActor(inv.Tournament.ID, inv.Table.Number, inv.Table.ID, device.TokenHash)
	tx.Record(action.Entry{Event: inv.Tournament.ID, On: action.About{Round: inv.Round.Number, Table: inv.Table.Number},
		Topics: []action.Topic{{What: action.TopicTable, ID: inv.Table.ID}}})
	return Joined{token, tx.Actor}, tx.Clauses(clause.OnConflict{UpdateAll: true}).Create(&device).Error
}

// tableActor returns the actor of a table's device with this token hash. Its Player is not a player's ID and is the
// same in every round.
func tableActor(tournament int64, number int, table int64, hash string) rights.Actor {
	return rights.Actor{Name: fmt.Sprint(number), Role: rights.RoleTable, Tournament: tournament,
		Player: TableDeviceID(tournament, number), Table: table, Seat: -1, Device: secret.DeviceName(hash)}
}

// TableDeviceID returns the ID of a table's device, used in place of a player's ID.
func TableDeviceID(tournament int64, number int) int64 { return -(tournament<<12 + int64(number)) }

// tableByToken returns the table whose device holds the token with this hash, in the published or running round.
func tableByToken(ctx context.Context, s *store.DB, hash string) (rights.Actor, error) {
	var tournament, table int64
	var number int
	err := s.ReadSQL.QueryRowContext(ctx, `
		SELECT d.tournament_id, d.number, coalesce(t.id, 0) FROM table_devices d
		LEFT JOIN rounds r ON r.tournament_id = d.tournament_id AND r.status IN ('published', 'running')
		LEFT JOIN tables t ON t.round_id = r.id AND t.number = d.number
		WHERE d.token_hash = ? AND NOT EXISTS (SELECT 1 FROM tournaments e JOIN organizations o ON o.id = e.organization_id WHERE e.id = d.tournament_id AND o.deleting <> 0)`, hash).Scan(&tournament, &number, &table)
	if errors.Is(err, sql.ErrNoRows) {
		return rights.Actor{}, refuse.Unauthenticated("err_token_unknown")
	}
	if err != nil {
		return rights.Actor{}, fmt.Errorf("find the device's table: %w", err)
	}
	return tableActor(tournament, number, table, hash), nil
}

// ReissueTableCode removes the device of a table with real tiles at once and returns the code for its replacement: the
// table's own code, valid as long as the round, or a new one if that is used up.
type ReissueTableCode struct {
	Table int64 `json:"table"`
}

var _ = action.NewKind[ReissueTableCode](action.Kind{Name: "table.reissue", Right: rights.MayIssueCode,
	Changes: []action.What{action.TopicDevices}})

func (r ReissueTableCode) Do(tx *action.Tx) (code string, err error) {
	table, round, err := codedTable(tx.DB, r.Table)
	if err != nil {
		return "", err
	}
	t, err := FindTournament(tx.DB, table.TournamentID)
	if err != nil {
		return "", err
	}
	if !t.Physical(table) {
		return "", refuse.Conflict("err_table_digital", "table", table.Number)
	}
	if err := tx.Model(&Table{}).Where("id = ?", table.ID).Update("code_reused", 0).Error; err != nil {
		return "", err
	}
	if code = table.Code; code == "" {
		code = secret.NewCode()
		if err := tx.Model(&Table{}).Where("id = ?", table.ID).Updates(map[string]any{"code": code,
			"code_hash": secret.Hash(code)}).Error; err != nil {
			return "", err
		}
	}
	tx.Record(action.Entry{Event: t.ID, On: action.About{Round: round.Number, Table: table.Number},
		Topics: []action.Topic{{What: action.TopicTable, ID: table.ID},
			{What: action.TopicDevices, ID: TableDeviceID(t.ID, table.Number)}}})
	return code, tx.Where("tournament_id = ? AND number = ?", t.ID, table.Number).Delete(&TableDevice{}).Error
}

// TableDevices returns the names of the devices that serve a whole table, by table number.
func TableDevices(ctx context.Context, s *store.DB, tournamentID int64) (map[int]string, error) {
	all, err := store.All[TableDevice](s.Read.WithContext(ctx).Where("tournament_id = ?", tournamentID))
	return store.MapOf(all, func(d TableDevice) (int, string) { return d.Number, secret.DeviceName(d.TokenHash) }), err
}
