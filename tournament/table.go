package tournament

import "meldhall/engine"

// Table is one table of a round. Number counts from 1. Code opens it at /join/CODE while a seat is
// free; it is empty once all seats are taken or the round is over.
type Table struct {
	ID           int64
	TournamentID int64
	RoundID      int64
	Number       int
	Code         string
	CodeHash     *string
	Tiles        string // digital or real; empty: what the event is

	Seats []Seat `gorm:"-"` // in seat order, filled by the readers that say so
	Games []Game `gorm:"-"` // in playing order, likewise
}

// Seat is a player's place at a table, 0 to 3 in playing order. Code is the seat's one-time code,
// readable until it is used or the round is over. CodeReused counts tries to use it again.
type Seat struct {
	ID          int64
	RoundID     int64
	TableID     int64
	Seat        int
	PlayerID    int64
	Code        string
	CodeHash    *string
	CodeExpires engine.Millis
	CodeUsedAt  engine.Millis
	CodeReused  int

	Player Player `gorm:"-"` // filled by the readers that fill Table.Seats
}

// Game is one game at a table; Number counts from 1. What happens in it is in game_events alone. StartedAt is when it was
// dealt; before that, of the first game of a table that was started alone, when that was.
type Game struct {
	ID           int64
	TournamentID int64
	TableID      int64
	Number       int
	Status       string
	StartedAt    engine.Millis
	FinishedAt   engine.Millis
}

// RoundCount is what the tables and games of a round have come to.
type RoundCount struct {
	Tables    int
	Seats     int
	Started   int // tables
	Waiting   int // games, this and all that follow
	Running   int
	Finished  int // ended, the result not confirmed
	Confirmed int
}
