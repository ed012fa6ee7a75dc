package draw

import (
	"context"

	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/game"
	"meldhall/tournament/rights"
)

// StartRound starts the games of a published round, or the remaining ones if only some tables were started. A round
// already started does not change. With Publish a draft is published and started in one step.
type StartRound struct {
	Round   int64 `json:"round,omitempty" path:"id" minimum:"1"`
	Publish bool  `json:"publish,omitempty" query:"publish" doc:"publish a draft first"`
}

var _ = action.NewKind[StartRound](action.Kind{Name: "round.start", Right: rights.MayStartRound,
	Changes: []action.What{action.TopicSeats},
	Details: action.Steps("status.")})

func (s StartRound) Do(tx *action.Tx) (tournament.Round, error) {
	round, err := tournament.FindRound(tx.DB, s.Round)
	if err != nil {
		return round, err
	}
	if s.Publish {
		if err := tx.Authorize(rights.Place{Tournament: round.TournamentID, Seat: -1},
			rights.MayPublishRound); err != nil {
			return round, err
		}
	}
	if s.Publish && round.Status == tournament.RoundDraft {
		if round, err = publish(tx, round); err != nil {
			return round, err
		}
	}
	tx.Then(func(ctx context.Context, g *game.Games) error { return g.StartWaiting(ctx, 0) })
	if err := round.MayStart(); err != nil || round.StartedAt != 0 {
		return round, err
	}
	before := round.Status
	if before == tournament.RoundRunning { // only some tables were started
		before = ""
	}
	round.Status, round.StartedAt = tournament.RoundRunning, tx.Now()
	tx.Record(action.Entry{Event: round.TournamentID, On: round.About(),
		Is: action.Step{Was: before, Is: tournament.RoundRunning}})
	return round, tx.Model(&round).Select("status", "started_at").Updates(&round).Error
}

// StartTable starts the games of one table of a published round before the others. The round is then running and its
// seating is final; the others start with StartRound or one by one. The outcome reports whether this call started the
// table; a table already started does not change.
type StartTable struct {
	Table int64 `json:"table,omitempty" path:"id" minimum:"1"`
}

var _ = action.NewKind[StartTable](action.Kind{Name: "table.start", Right: rights.MayStartRound,
	Changes: []action.What{action.TopicSeats},
	Details: action.Steps("status.")})

func (s StartTable) Do(tx *action.Tx) (began bool, err error) {
	table, err := tournament.FindTable(tx.DB, s.Table)
	if err != nil {
		return false, err
	}
	round, err := tournament.FindRound(tx.DB, table.RoundID)
	if err != nil {
		return false, err
	}
	tx.Then(func(ctx context.Context, g *game.Games) error { return g.StartWaiting(ctx, s.Table) })
	if err := round.MayStart(); err != nil || table.Started(round) {
		return false, err
	}
	if err := tx.Model(&tournament.Game{}).Where("id = ?", table.Games[0].ID).Update("started_at",
		tx.Now()).Error; err != nil {
		return false, err
	}
	var left int64
	if err := tx.Model(&tournament.Game{}).Joins("JOIN tables t ON t.id = games.table_id").
		Where("t.round_id = ? AND games.number = 1 AND games.started_at = 0", round.ID).Count(&left).Error; err != nil {
		return false, err
	}
	round.Status = tournament.RoundRunning
	if left == 0 {
		round.StartedAt = tx.Now()
	}
	tx.Record(action.Entry{Event: round.TournamentID, On: action.About{Round: round.Number, Table: table.Number},
		Is:     action.Step{Was: game.Waiting, Is: game.Running},
		Topics: []action.Topic{{What: action.TopicTable, ID: table.ID}}})
	return true, tx.Model(&round).Select("status", "started_at").Updates(&round).Error
}
