package tournament

import (
	"meldhall/tournament/format"
	"meldhall/tournament/standing"
)

// Standings is who stands where, recomputed from the results that count at each reading.
type Standings struct {
	Tournament Tournament
	Stages     []format.Stage
	Stage      int // the last stage that has begun, from 0
	Rounds     int // published so far
	Rows       []StandingsRow
	Order      []string       // what decides in that stage, in order: format's tie-breaks and standing's
	Used       map[string]int // how often each of them parts two neighbours there
	Titles     []Title        // once the event is over
}

// StandingsRow is one player's standing, with the player.
type StandingsRow struct {
	standing.Row
	Name    string
	Country string
	Club    string
	Number  int

	Division string
}

// Title is who has won an event that is over, or a division of it: several share it when nothing that decides parts them.
type Title struct {
	Division  string // empty: the event
	Champions []StandingsRow
}

// Champions are those who have the titles of an event that is over.
func (s Standings) Champions() (all []StandingsRow) {
	for _, t := range s.Titles {
		all = append(all, t.Champions...)
	}
	return all
}

// ByPlayer are the rows by player.
func (s Standings) ByPlayer() map[int64]StandingsRow {
	rows := make(map[int64]StandingsRow, len(s.Rows))
	for _, r := range s.Rows {
		rows[r.Player] = r
	}
	return rows
}

// Cut is where the cut for a stage falls; with the number of stages as Stage, it is who has the first places at the end. Tied players share the line for Places places; Lot is what
// decides among them, nil until it is drawn.
type Cut struct {
	Stage  int
	Size   int
	In     []int64
	Tied   []int64
	Places int
	Lot    *Lot
	// PlayOff is who plays one more game against each other before anything else decides: the ties, each by itself.
	PlayOff [][]int64
}

// Through are the players who go on, by standing and then by lot; the tied only after a lot.
func (c Cut) Through() []int64 {
	through := append([]int64(nil), c.In...)
	if c.Lot != nil {
		through = append(through, c.Lot.Drawn[:c.Places]...)
	}
	return through
}

// Lot is a recorded lot among players who tied at the cut for a stage: Drawn is the order in which they
// came out, made from Seed alone.
type Lot struct {
	ID      int64
	Stage   int
	Players []int64
	Drawn   []int64
	Seed    int64
	Actor   string
}
