package tournament

import (
	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/tournament/action"
	"meldhall/tournament/pairing"
	"meldhall/tournament/refuse"
	"meldhall/tournament/store"
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
	Replanned int           // round whose manual swaps caused a new plan; 0: none
	Note      string        // reason for the redraw
	Draws     int           // number of draws
	Changes   int           // number of manual changes
	CheckedAt engine.Millis // approval after the last change; 0: none
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

// Unseal makes a tournament's seeds public. Call it only when no planned round depends on them any more.
func Unseal(tx *gorm.DB, tournamentID int64) error {
	return tx.Model(&Round{}).Where("tournament_id = ? AND sealed <> 0", tournamentID).Update("sealed", false).Error
}

// Underway reports whether the round is published and not finished.
func (r Round) Underway() bool { return r.Status == RoundPublished || r.Status == RoundRunning }

// Ahead returns how many later rounds are already seated by the round's plan or file.
func (r Round) Ahead() int { return len(r.PlannedRounds()) }

// About names the round in a record.
func (r Round) About() action.About { return action.About{Round: r.Number} }

// MayStart rejects a round that is unpublished or finished.
func (r Round) MayStart() error {
	switch r.Status {
	case RoundDraft:
		return refuse.Conflict("err_round_not_published", "round", r.Number)
	case RoundFinished:
		return refuse.Conflict("err_round_over", "round", r.Number)
	}
	return nil
}

// Started reports whether a table of a round was started, alone or with the round. Its games must be loaded.
func (t Table) Started(r Round) bool {
	return r.StartedAt != 0 || len(t.Games) > 0 && t.Games[0].StartedAt != 0
}

// TablesOf returns the players at a round's tables, in seat order.
func TablesOf(db *gorm.DB, roundID int64) ([][]int64, error) {
	var seats []Seat
	err := db.Select("seats.table_id, seats.player_id").Joins("JOIN tables ON tables.id = seats.table_id").
		Where("seats.round_id = ?", roundID).Order("tables.number, seats.seat").Find(&seats).Error
	var tables [][]int64
	last := int64(0)
	for _, seat := range seats {
		if seat.TableID != last {
			tables, last = append(tables, nil), seat.TableID
		}
		tables[len(tables)-1] = append(tables[len(tables)-1], seat.PlayerID)
	}
	return tables, err
}

// FindRound returns a round, or NotFound.
func FindRound(db *gorm.DB, id int64) (Round, error) {
	return store.ByID[Round](db.Where(notGoing), "round", id)
}

// The kinds of records for rounds and tournaments that end automatically.
var (
	FinishRoundKind = action.RecordKind(action.Kind{Name: "round.finish",
		Changes: []action.What{action.TopicSeats, action.TopicStandings}, Details: action.Steps("status.")})
	FinishEventKind = action.RecordKind(action.Kind{Name: "tournament.finish",
		Changes: []action.What{action.TopicSeats, action.TopicStandings}, Details: action.Steps("status.")})
)

// SeatedByHand reports whether a round is a draft seated by hand, so that changes need no reason.
func (r Round) SeatedByHand() bool { return r.Status == RoundDraft && r.Method == pairing.Manual }
