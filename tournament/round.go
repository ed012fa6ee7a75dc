package tournament

import (
	"context"

	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/tournament/door"
	"meldhall/tournament/game"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
)

// The life of a round. A draft may be drawn again; a published round is what everybody sees; its
// games start when it runs, or as long as it has no StartedAt those of the tables that were started alone; it is finished when
// every game's result is confirmed.
const (
	RoundDraft     = "draft"
	RoundPublished = "published"
	RoundRunning   = "running"
	RoundFinished  = "finished"
)

// Round is one seating of the players for Games games at each table. Number counts from 1 in the
// tournament, StageRound from 1 in the stage, Stage from 0 in the format. PlayOff is 0, or which play-off of its stage it is:
// a round of players who tie, whose results only order them. Times are 0 until they come; StartedAt is when all tables of it
// were started.
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
	Sealed       bool          // rounds to come are planned with the seed, which is not told before
	CreatedAt    engine.Millis `gorm:"autoCreateTime:false"`
	PublishedAt  engine.Millis
	StartedAt    engine.Millis
	FinishedAt   engine.Millis

	Report    string        // JSON of pairing.Report: what is to be said of the draw
	Plan      string        // JSON of the rounds that a plan of the whole stage has for later
	Planned   string        // JSON of this round's seats as they were drawn, where there is such a plan
	Replanned int           // the round after whose swaps by hand this one and the rest were planned again; 0: they were not
	Note      string        // why it was drawn again
	Draws     int           // how often it was drawn
	Changes   int           // how many seats were exchanged by hand
	CheckedAt engine.Millis // after the last change; 0: nobody has
	CheckedBy string
	ChangedAt engine.Millis // its seats, or that they were taken back, after people had seen them; 0: they were not
	Duplicate bool          // all tables get the same deal
}

// ToldSeed is the seed as it may be shown to who may see the round: 0 while seats of a later one can be computed from it.
func (r Round) ToldSeed() int64 {
	if r.Sealed {
		return 0
	}
	return r.Seed
}

// unseal lets an event's seeds be told: nothing is planned any more that follows from them.
func unseal(tx *gorm.DB, tournamentID int64) error {
	return tx.Model(&Round{}).Where("tournament_id = ? AND sealed <> 0", tournamentID).Update("sealed", false).Error
}

// Underway tells whether people sit at the round's tables: it is published, and not over.
func (r Round) Underway() bool { return r.Status == RoundPublished || r.Status == RoundRunning }

// Ahead is how many rounds after this one are seated already, by its plan or its file.
func (r Round) Ahead() int { return len(r.plan()) }

func (r Round) about() door.About { return door.About{Round: r.Number} }

// StartRound lets the games of a published round begin, and those of a round of which single tables were started that wait
// yet. A round that runs as a whole already stays as it is. With Publish a draft is published and started: both, or nothing.
type StartRound struct {
	Round   int64 `json:"round,omitempty" path:"id" minimum:"1"`
	Publish bool  `json:"publish,omitempty" query:"publish" doc:"publish a draft first"`
}

var _ = door.NewKind[StartRound](door.Kind{Name: "round.start", Right: rights.MayStartRound, Changes: []door.What{door.TopicSeats},
	Details: door.Steps("status.")})

func (s StartRound) Do(tx *door.Tx) (Round, error) {
	round, err := FindRound(tx.DB, s.Round)
	if err != nil {
		return round, err
	}
	if s.Publish {
		if err := tx.Authorize(rights.Place{Tournament: round.TournamentID, Seat: -1}, rights.MayPublishRound); err != nil {
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
	Table int64 `json:"table,omitempty" path:"id" minimum:"1"`
}

var _ = door.NewKind[StartTable](door.Kind{Name: "table.start", Right: rights.MayStartRound, Changes: []door.What{door.TopicSeats},
	Details: door.Steps("status.")})

func (s StartTable) Do(tx *door.Tx) (began bool, err error) {
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
	tx.Record(door.Entry{Event: round.TournamentID, On: door.About{Round: round.Number, Table: table.Number}, Is: door.Step{Was: game.Waiting, Is: game.Running},
		Topics: []door.Topic{{What: door.TopicTable, ID: table.ID}}})
	return true, tx.Model(&round).Select("status", "started_at").Updates(&round).Error
}

// Started tells whether a table of a round was started: alone, or with the round. Its games must be filled in.
func (t Table) Started(r Round) bool {
	return r.StartedAt != 0 || len(t.Games) > 0 && t.Games[0].StartedAt != 0
}
