package engine

import (
	"fmt"
	"time"

	"meldhall/engine/ruleset"
	"meldhall/engine/score"
	"meldhall/engine/shuffle"
	"meldhall/engine/tile"
)

// Millis is a moment in milliseconds since the Unix epoch, or a duration in milliseconds.
type Millis int64

// MillisOf converts a time.
func MillisOf(t time.Time) Millis { return Millis(t.UnixMilli()) }

// Phase is the phase of a game.
type Phase string

// The phases of a game: not started, racks dealt with the redeal window open, turns being played, over.
const (
	PhaseNew     Phase = ""
	PhaseDealt   Phase = "dealt"
	PhasePlaying Phase = "playing"
	PhaseOver    Phase = "over"
)

// Turn is one player's turn or, before the first one, the time to look at the racks. Number is the version that
// commands name. It grows whenever the table or the player to move changes.
type Turn struct {
	Number  int    `json:"number"`
	Seat    int    `json:"seat"`
	Started Millis `json:"started"`
	Due     Millis `json:"due,omitempty"`    // the deadline; 0: no limit
	Left    int    `json:"left,omitempty"`   // set in a View (State.TurnsLeft) and in older logs, never in a State
	Passes  int    `json:"passes,omitempty"` // turns in a row without a tile laid, with an empty pool
	Able    bool   `json:"able,omitempty"`   // not opened, but could with this rack (only for able_when any_turn)
}

// Pause is a stopped clock. Left is what the current turn had left. ResumeAt is set if the pause ends automatically.
type Pause struct {
	Left     Millis `json:"left"`
	ResumeAt Millis `json:"resume_at,omitempty"`
	Why      string `json:"why"` // referee | outage | players
	Reason   string `json:"reason,omitempty"`
	Absent   []int  `json:"absent,omitempty" doc:"with why players: the seats without a device when the game was dealt"`
}

// The reasons for a stopped clock.
const (
	PausedByReferee = "referee"
	PausedByOutage  = "outage"
	HeldForPlayers  = "players" // before the first turn, until the absent players are ready
)

// State is a game at one moment. It is a value: Decide and Apply never change a State that other code holds. So slices
// are replaced, never written to.
type State struct {
	Seq     int    // events applied
	Edition int    // edition of the engine that began the game; 0: before editions
	At      Millis // time of the last event
	Phase   Phase
	Rules   ruleset.Ruleset
	Seats   int
	Extra   [ruleset.MaxSeats]int // extra seconds for each turn, for players who need them

	Draws      []Drawn // the draw for the start
	Starter    int
	Deal       int // deals so far; 2 after one redeal
	Commitment string
	Salt       string
	Order      tile.List      // the pool as shuffled, racks included
	DrawOrder  tile.List      // the tiles as shuffled for the draw for the start
	Joint      *shuffle.Joint // what the order follows from; nil if the server shuffled alone

	Pool      tile.List // next tile first
	Racks     [ruleset.MaxSeats]tile.List
	Table     tile.Table
	Opened    [ruleset.MaxSeats]bool
	Able      [ruleset.MaxSeats]bool // could have opened at the start of one of its turns
	Doubles   [ruleset.MaxSeats]bool // three doubles in this deal; see MayRedeal
	Ready     [ruleset.MaxSeats]bool
	Calls     Calls
	Out       [ruleset.MaxSeats]bool // out of the game: forfeited or disqualified
	Turn      Turn
	Press     Press // the last key held down near a deadline
	Had       Had   // turns so far
	Paused    *Pause
	TimeOver  bool // time was called: the current lap is the last
	PoolSince int  // seq of the event that changed the pool last
	Actions   Actions
	Rulings   Rulings
	End       *End

	Physical  bool     // played with real tiles (physical.go): no tile is known before the count
	PoolEmpty bool     // physical: the last tile has been drawn
	Ending    string   // physical: why play has ended (the racks are to be counted), or ""
	Book      []Booked // physical: the penalty book
}

// End is how a game ended. Outcome is per seat.
type End struct {
	Why     string        `json:"why"` // emptied | last_lap | stuck | time_called | forfeit
	Outcome score.Outcome `json:"outcome"`
	Racks   tileLists     `json:"racks"`
}

type tileLists []tile.List

// Check returns the first broken invariant of a state, or nil: each tile is in one place, the table has only valid
// sets, and the seat to move exists (laws 2 and 6).
func Check(s State) error {
	if s.Phase == PhaseNew {
		return nil
	}
	if s.Seats < 2 || s.Seats > ruleset.MaxSeats {
		return fmt.Errorf("%d seats", s.Seats)
	}
	if s.Turn.Seat < 0 || s.Turn.Seat >= s.Seats {
		return fmt.Errorf("turn of seat %d of %d", s.Turn.Seat, s.Seats)
	}
	if (s.Phase == PhaseOver) != (s.End != nil) {
		return fmt.Errorf("phase %q with end %v", s.Phase, s.End)
	}
	if err := s.Table.Check(); err != nil {
		return err
	}
	if s.Physical {
		return checkPhysical(&s)
	}
	return checkTiles(&s)
}

func checkTiles(s *State) error {
	var where [tile.Count]string
	put := func(place string, tiles tile.List) error {
		for _, t := range tiles {
			if int(t) >= tile.Count || where[t] != "" {
				return fmt.Errorf("tile %v is in both %s and %s", t, where[t], place)
			}
			where[t] = place
		}
		return nil
	}
	if err := put("the pool", s.Pool); err != nil {
		return err
	}
	for seat := range ruleset.MaxSeats {
		if err := put(fmt.Sprintf("rack %d", seat), s.Racks[seat]); err != nil {
			return err
		}
	}
	for _, laid := range s.Table {
		if err := put("the table", laid.Tiles); err != nil {
			return err
		}
	}
	for t, place := range where {
		if place == "" {
			return fmt.Errorf("tile %v is missing", tile.Tile(t))
		}
	}
	return nil
}
