package tournament

import (
	"context"

	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/tournament/action"
	"meldhall/tournament/game"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
)

// The states of a round. A draft can be drawn again; a published round is public. A running round's games can start; as
// long as StartedAt is 0, only those of tables started individually. A round is finished when every game's result is
// confirmed.
const (
	RoundDraft     = "draft"
	RoundPublished = "published"
	RoundRunning   = "running"
	RoundFinished  = "finished"
)

// A Round is one seating of the players, for Games games at each table. Number counts from 1 in the tournament,
// StageRound from 1 in the stage, Stage from 0 in the format. PlayOff is 0, or the number of the play-off in its stage:
// a round of tied players whose results only decide their order. Times are 0 until they happen; StartedAt is when all
// its tables were started.
type Round struct {
	ID           int64
	TournamentID int64
	Number       int
	Stage        int
	StageRound   int
	PlayOff      int
	Games        int
	Status       string
	Method       string
	Seed         int64
	Sealed       bool          // later rounds depend on the seed, so it stays secret
	CreatedAt    engine.Millis `gorm:"autoCreateTime:false"`
	PublishedAt  engine.Millis
	StartedAt    engine.Millis
	FinishedAt   engine.Millis

	Report    string        // JSON of RoundReport
	Plan      string        // JSON of the later rounds in the stage's plan
	Planned   string        // JSON of this round's seats as drawn, if it has a plan
	Replanned int           // round whose manual swaps made the plan be redone; 0: none
	Note      string        // reason for the redraw
	Draws     int           // number of draws
	Changes   int           // number of manual changes
	CheckedAt engine.Millis // after the last change; 0: not approved
	CheckedBy string
	ChangedAt engine.Millis // seats changed or withdrawn after publication; 0: never
	Duplicate bool          // all tables get the same deal
}

// ToldSeed returns the seed for people who may see the round: 0 while later seats could be computed from it.
func (r Round) ToldSeed() int64 {
	if r.Sealed {
		return 0
	}
	return r.Seed
}

// unseal makes a tournament's seeds public, when no planned round depends on them any more.
func unseal(tx *gorm.DB, tournamentID int64) error {
	return tx.Model(&Round{}).Where("tournament_id = ? AND sealed <> 0", tournamentID).Update("sealed", false).Error
}

// Underway reports whether the round is published and not finished.
func (r Round) Underway() bool { return r.Status == RoundPublished || r.Status == RoundRunning }

// Ahead returns how many later rounds are already seated by the round's plan or file.
func (r Round) Ahead() int { return len(r.plan()) }

func (r Round) about() action.About { return action.About{Round: r.Number} }

// StartRound starts the games of a published round, or the remaining ones if only some tables were started. A round
// already started does not change. With Publish a draft is published and started in one step.
type StartRound struct {
	Round   int64 `json:"round,omitempty" path:"id" minimum:"1"`
	Publish bool  `json:"publish,omitempty" query:"publish" doc:"publish a draft first"`
}

var _ = action.NewKind[StartRound](action.Kind{Name: "round.start", Right: rights.MayStartRound,
	Changes: []action.What{action.TopicSeats},
	Details: action.Steps("status.")})

func (s StartRound) Do(tx *action.Tx) (Round, error) {
	round, err := FindRound(tx.DB, s.Round)
	if err != nil {
		return round, err
	}
	if s.Publish {
		if err := tx.Authorize(rights.Place{Tournament: round.TournamentID, Seat: -1},
			rights.MayPublishRound); err != nil {
			return round, err
		}
	}
	if s.Publish && round.Status == RoundDraft {
		if round, err = publish(tx, round); err != nil {
			return round, err
		}
	}
	tx.Then(func(ctx context.Context, g *game.Games) error { return g.StartWaiting(ctx, 0) })
	if err := round.mayStart(); err != nil || round.StartedAt != 0 {
		return round, err
	}
	before := round.Status
	if before == RoundRunning { // only some tables were started
		before = ""
	}
	round.Status, round.StartedAt = RoundRunning, tx.Now()
	tx.Record(action.Entry{Event: round.TournamentID, On: round.about(),
		Is: action.Step{Was: before, Is: RoundRunning}})
	return round, tx.Model(&round).Select("status", "started_at").Updates(&round).Error
}

// mayStart rejects a round that is unpublished or finished.
func (r Round) mayStart() error {
	switch r.Status {
	case RoundDraft:
		return refuse.Conflict("err_round_not_published", "round", r.Number)
	case RoundFinished:
		return refuse.Conflict("err_round_over", "round", r.Number)
	}
	return nil
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
	table, err := findTable(tx.DB, s.Table)
	if err != nil {
		return false, err
	}
	round, err := FindRound(tx.DB, table.RoundID)
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
	tx.Record(action.Entry{Event: round.TournamentID, On: action.About{Round: round.Number, Table: table.Number},
		Is:     action.Step{Was: game.Waiting, Is: game.Running},
		Topics: []action.Topic{{What: action.TopicTable, ID: table.ID}}})
	return true, tx.Model(&round).Select("status", "started_at").Updates(&round).Error
}

// Started reports whether a table of a round was started, alone or with the round. Its games must be loaded.
func (t Table) Started(r Round) bool {
	return r.StartedAt != 0 || len(t.Games) > 0 && t.Games[0].StartedAt != 0
}
