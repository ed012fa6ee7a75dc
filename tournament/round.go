package tournament

import (
	"meldhall/engine"
	"meldhall/tournament/door"
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
	Duplicate bool // all tables get the same deal
}

// Ahead is how many rounds after this one are seated already, by its plan or its file.
func (r Round) Ahead() int { return len(r.plan()) }

func (r Round) about() door.About { return door.About{Round: r.Number} }
