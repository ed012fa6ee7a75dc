package tournament

import (
	"context"

	"meldhall/tournament/door"
	"meldhall/tournament/game"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
)

// StartRound lets the games of a published round begin, and those of a round of which single tables were started that wait
// yet. A round that runs as a whole already stays as it is.
type StartRound struct {
	Round int64 `json:"round"`
}

var startRoundKind = door.NewKind[StartRound, Round](door.Kind{Name: "round.start", Right: rights.MayStartRound, Changes: []door.What{door.TopicSeats},
	Details: door.Steps("status.")})

func (StartRound) Kind() *door.Kind { return startRoundKind }

func (s StartRound) Do(tx *door.Tx) (Round, error) {
	round, err := findRound(tx.DB, s.Round)
	if err != nil {
		return round, err
	}
	tx.Then(func(ctx context.Context, g *game.Games) error { return g.StartWaiting(ctx, 0) })
	if err := round.mayStart(); err != nil || round.StartedAt != 0 {
		return round, err
	}
	before := round.Status
	if before == RoundRunning { // single tables of it
		before = ""
	}
	round.Status, round.StartedAt = RoundRunning, tx.Now()
	tx.Record(door.Entry{Event: round.TournamentID, On: round.about(), Is: door.Step{Was: before, Is: RoundRunning}})
	return round, tx.Model(&round).Select("status", "started_at").Updates(&round).Error
}

// mayStart refuses a round that is not published yet, or over.
func (r Round) mayStart() error {
	switch r.Status {
	case RoundDraft:
		return refuse.Conflict("err_round_not_published", "round", r.Number)
	case RoundFinished:
		return refuse.Conflict("err_round_over", "round", r.Number)
	}
	return nil
}

// StartTable lets the games of one table of a published round begin before the others: the round runs from then on, and its
// seating stays; the others begin with StartRound, or one by one. The outcome is whether it was this start: a table that was
// started already stays as it is.
type StartTable struct {
	Table int64 `json:"table"`
}

var startTableKind = door.NewKind[StartTable, bool](door.Kind{Name: "table.start", Right: rights.MayStartRound, Changes: []door.What{door.TopicSeats},
	Details: door.Steps("status.")})

func (StartTable) Kind() *door.Kind { return startTableKind }

func (s StartTable) Do(tx *door.Tx) (began bool, err error) {
	table, err := findTable(tx.DB, s.Table)
	if err != nil {
		return false, err
	}
	round, err := findRound(tx.DB, table.RoundID)
	if err != nil {
		return false, err
	}
	tx.Then(func(ctx context.Context, g *game.Games) error { return g.StartWaiting(ctx, s.Table) })
	if err := round.mayStart(); err != nil || table.Started(round) {
		return false, err
	}
	if err := tx.Model(&Game{}).Where("id = ?", table.Games[0].ID).Update("started_at", tx.Now()).Error; err != nil {
		return false, err
	}
	var left int64
	if err := tx.Raw(`SELECT count(*) FROM tables t JOIN games g ON g.table_id = t.id WHERE t.round_id = ? AND g.number = 1 AND g.started_at = 0`,
		round.ID).Scan(&left).Error; err != nil {
		return false, err
	}
	round.Status = RoundRunning
	if left == 0 {
		round.StartedAt = tx.Now()
	}
	tx.Record(door.Entry{Event: round.TournamentID, On: door.About{Round: round.Number, Table: table.Number}, Is: door.Step{Was: game.Waiting, Is: game.Running},
		Topics: []door.Topic{{What: door.TopicTable, ID: table.ID}}})
	return true, tx.Model(&round).Select("status", "started_at").Updates(&round).Error
}

// Started tells whether a table of a round was started: alone, or with the round. Its games must be filled in.
func (t Table) Started(r Round) bool {
	return r.StartedAt != 0 || len(t.Games) > 0 && t.Games[0].StartedAt != 0
}
