// Package format is the stages of a tournament: how many rounds and games, how many players each
// stage takes, how they are seated, what they carry with them and how they are ranked. It is pure.
package format

import (
	"fmt"
	"slices"

	"meldhall/engine/exact"
)

// Format is an event's plan. The first stage takes everybody; each later one the best of the stage before. The formats of
// real events are in data/formats.
type Format struct {
	Name    string `json:"name"`
	Version int    `json:"version"`
	Source  string `json:"source"` // where the plan comes from, for people

	PlayersMin  int `json:"players_min,omitempty"`  // 0: as few as can be seated
	PlayersMax  int `json:"players_max,omitempty"`  // 0: no limit
	PlayersStep int `json:"players_step,omitempty"` // 4: entries in blocks of four only

	Divisions     []string       `json:"divisions,omitempty"` // ranked apart as well, such as junior and senior
	Qualification Qualification  `json:"qualification,omitzero"`
	Rules         map[string]any `json:"rules,omitempty"` // the fields of the rule set that the format needs otherwise
	Scoring       Scoring        `json:"scoring,omitzero"`
	Stages        []Stage        `json:"stages"`
}

// Stage is one part of the plan.
type Stage struct {
	Name          string         `json:"name"` // a key of the locale files, or a name of the organizer's own
	Kind          string         `json:"kind"` // preliminary | semi | final
	Rounds        int            `json:"rounds"`
	Until         string         `json:"until,omitempty"`    // wins | points: ends with the round in which somebody has UntilAt; Rounds is the most then
	UntilAt       int            `json:"until_at,omitempty"` // whole wins or points
	GamesPerRound int            `json:"games_per_round"`
	RoundMinutes  int            `json:"round_minutes,omitempty"` // a round's slot; 0: no limit
	BreakMinutes  *int           `json:"break_minutes,omitempty"` // after each round; 0: none, nil: not said
	Cut           int            `json:"cut"`                     // how many players enter; 0: everybody, in the first stage only
	PerTable      int            `json:"per_table,omitempty"`     // in place of Cut: this many of the best of each table of the previous stage
	TableSize     int            `json:"table_size,omitempty"`    // 2: tables of two; 0: of four, and three
	FirstSeating  string         `json:"first_seating,omitempty"` // of the stage's first round, where it is another one
	Seating       string         `json:"seating"`                 // one of Seatings
	SeatChange    string         `json:"seat_change"`             // every_round | keep
	CarryOver     string         `json:"carry_over"`              // all | none | half: what of the earlier stages counts in this one's standings
	Decide        int            `json:"decide,omitempty"`        // of the last stage: this many top places do not stay shared where a tie-break decides by play-off or lot
	Scoring       *Scoring       `json:"scoring,omitempty"`       // nil: the format's
	Rules         map[string]any `json:"rules,omitempty"`         // the fields of the rule set that differ in this stage
}

// Scoring is how results make places. Ties in the ranking are broken by TieBreaks, in order; what ties after the last one
// shares the place.
type Scoring struct {
	Ranking        string   `json:"ranking,omitempty"`          // one of Rankings; empty: as the rule set says
	FirstTo        int      `json:"first_to,omitempty"`         // of first_to: the wins
	TablePoints    [][]int  `json:"table_points,omitempty"`     // by place at a table of as many: [[4,3,1,0],[4,2,1]]; ties share the average
	TablePointsPer string   `json:"table_points_per,omitempty"` // game | round
	WinBonus       int      `json:"win_bonus,omitempty"`        // points for each game won, shared among who share the win
	SecondBonus    int      `json:"second_bonus,omitempty"`     // points for the second place of each game
	LossMost       int      `json:"loss_most,omitempty"`        // more points lost in a game do not count; 0: all do
	GainMost       int      `json:"gain_most,omitempty"`        // more points won in a game do not count; 0: all do
	WinnerOnly     bool     `json:"winner_only,omitempty"`      // points count for who wins the game alone, also where several share it; not where the lowest total wins
	MinGames       int      `json:"min_games,omitempty"`        // those who have played fewer rank behind
	TieBreaks      []string `json:"tie_breaks,omitempty"`       // some of TieBreaks
}

// Qualification is how many players qualify for something else by their places, such as a national final. PerDivision gives
// each division all of it for itself; the first places that a stage's Decide counts are each division's own then, too. Who is
// in no division takes no place then.
type Qualification struct {
	Berths      int  `json:"berths,omitempty"`
	PerPlayers  int  `json:"per_players,omitempty"` // in place of Berths: one for every this many players
	Reserves    int  `json:"reserves,omitempty"`
	PerDivision bool `json:"per_division,omitempty"`
}

// Places is how many players qualify out of n; where there is one for every k players, the remainder gives none.
func (q Qualification) Places(n int) int {
	if q.PerPlayers > 0 {
		return n / q.PerPlayers
	}
	return q.Berths
}

// The values of the fields that are words.
const (
	Preliminary = "preliminary"
	Semi        = "semi"
	Final       = "final"

	UntilWins   = "wins"
	UntilPoints = "points"

	Random      = "random"    // by lot
	ByStandings = "standings" // the leaders at table 1
	Snake       = "snake"     // the leaders spread: 1-8-9-16, 2-7-10-15, …
	Interval    = "interval"  // the leaders spread in order: 1-3-5-7, 2-4-6-8
	Plan        = "plan"      // the whole stage planned at once: nobody meets twice as far as can be
	Chart       = "chart"     // by start number on a chart that is the same at every event
	Winners     = "winners"   // who had the same place at their tables sit together
	Script      = "script"    // as a file says
	Manual      = "manual"    // as the organizer seats them

	EveryRound = "every_round"
	Keep       = "keep"

	CarryAll  = "all"
	CarryNone = "none"
	CarryHalf = "half" // half the points, rounded up

	WinsPoints     = "wins_points"
	WinsOnly       = "wins"
	PointsOnly     = "points"
	LowestPoints   = "lowest_points"
	ByTablePoints  = "table_points"
	FirstTo        = "first_to"
	PerGame        = "game"
	PerRound       = "round"
	TieWins        = "wins"
	TiePoints      = "points"
	TieTablePoints = "table_points"
	TieBestGame    = "best_game" // the best single game, then the second best, …
	TieOpponents   = "opponents" // what the opponents have: wins, or points where only those count
	TieTurnOrder   = "turn_order"
	TiePlayOff     = "play_off"
	TieLot         = "lot"
)

// The words that some fields allow.
var (
	Seatings  = []string{Random, Plan, ByStandings, Snake, Interval, Winners, Chart, Script, Manual}
	Carries   = []string{CarryAll, CarryHalf, CarryNone}
	Rankings  = []string{WinsPoints, WinsOnly, PointsOnly, LowestPoints, ByTablePoints, FirstTo}
	TieBreaks = []string{TieWins, TiePoints, TieTablePoints, TieBestGame, TieOpponents, TieTurnOrder, TiePlayOff, TieLot}
)

// PlayOffsMost is how many play-offs a stage has at most; those who still tie after the last one are separated by the next tie-break.
const PlayOffsMost = 3

// ScoringOf is how a stage is ranked. Ranking is empty where the rule set says it.
func (f Format) ScoringOf(stage int) Scoring {
	if own := f.Stages[stage].Scoring; own != nil {
		return *own
	}
	return f.Scoring
}

// SeatingOf is how a round of the stage is seated, the first one being 1.
func (s Stage) SeatingOf(round int) string {
	if round == 1 && s.FirstSeating != "" {
		return s.FirstSeating
	}
	return s.Seating
}

// Has tells whether a tie-break is among those of the scoring.
func (s Scoring) Has(tieBreak string) bool { return slices.Contains(s.TieBreaks, tieBreak) }

// Problem is why a format cannot stand, or cannot work for a number of players: a key of the locale
// files and its arguments. Field names the field, as stages[1].cut.
type Problem struct {
	Key   string
	Field string
	Args  map[string]any
}

// Error is the key with the field and the arguments, for logs; the text is the edge's.
func (p *Problem) Error() string { return fmt.Sprintf("%s at %q: %v", p.Key, p.Field, p.Args) }

// Parse reads a format. An unknown field or a value out of range is a *Problem.
func Parse(data []byte) (Format, error) {
	var f Format
	if err := exact.Unmarshal(data, &f); err != nil {
		return Format{}, &Problem{Key: "err_format_unreadable", Args: map[string]any{"detail": err.Error()}}
	}
	if err := f.Validate(); err != nil {
		return Format{}, err
	}
	return f, nil
}
