package people

import (
	"context"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/game"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/secret"
)

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
	if err := tx.Model(&tournament.TableDevice{}).Where("tournament_id = ? AND number = ?", inv.Tournament.ID,
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
		return Joined{}, tx.Model(&tournament.Table{}).Where("id = ?", inv.Table.ID).Update("code_reused",
			gorm.Expr("code_reused + 1")).Error
	}
	token, err := DeviceToken(tx.DB, inv.Tournament.ID)
	if err != nil {
		return Joined{}, err
	}
	device := tournament.TableDevice{TournamentID: inv.Tournament.ID, Number: inv.Table.Number,
		TokenHash: secret.Hash(token),
		At:        tx.Now()}
	tx.Actor = tournament.TableActor(inv.Tournament.ID, inv.Table.Number, inv.Table.ID, device.TokenHash)
	tx.Record(action.Entry{Event: inv.Tournament.ID, On: action.About{Round: inv.Round.Number, Table: inv.Table.Number},
		Topics: []action.Topic{{What: action.TopicTable, ID: inv.Table.ID}}})
	return Joined{token, tx.Actor}, tx.Clauses(clause.OnConflict{UpdateAll: true}).Create(&device).Error
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
	t, err := tournament.FindTournament(tx.DB, table.TournamentID)
	if err != nil {
		return "", err
	}
	if !t.Physical(table) {
		return "", refuse.Conflict("err_table_digital", "table", table.Number)
	}
	if err := tx.Model(&tournament.Table{}).Where("id = ?", table.ID).Update("code_reused", 0).Error; err != nil {
		return "", err
	}
	if code = table.Code; code == "" {
		code = secret.NewCode()
		if err := tx.Model(&tournament.Table{}).Where("id = ?", table.ID).Updates(map[string]any{"code": code,
			"code_hash": secret.Hash(code)}).Error; err != nil {
			return "", err
		}
	}
	tx.Record(action.Entry{Event: t.ID, On: action.About{Round: round.Number, Table: table.Number},
		Topics: []action.Topic{{What: action.TopicTable, ID: table.ID},
			{What: action.TopicDevices, ID: tournament.TableDeviceID(t.ID, table.Number)}}})
	return code, tx.Where("tournament_id = ? AND number = ?", t.ID,
		table.Number).Delete(&tournament.TableDevice{}).Error
}
