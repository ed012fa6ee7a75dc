// Package format describes a tournament's stages: how many rounds and games, how many players enter, how they are
// seated, what carries over and how they are ranked. It is pure.
package format

import (
	"fmt"
	"slices"

	"meldhall/engine/exact"
)

// A Format is a tournament's plan. All players enter the first stage, and the best of each stage enter the next one.
// The formats of real tournaments are in data/formats.
type Format struct {
	Name    string `json:"name"`
	Version int    `json:"version"`
	Source  string `json:"source"` // readable origin of the plan

	PlayersMin  int `json:"players_min,omitempty"`  // 0: as few as can be seated
	PlayersMax  int `json:"players_max,omitempty"`  // 0: no limit
	PlayersStep int `json:"players_step,omitempty"` // 4: entries only in blocks of four

	Divisions     []string       `json:"divisions,omitempty"` // also ranked separately, such as junior and senior
	Qualification Qualification  `json:"qualification,omitzero"`
	Rules         map[string]any `json:"rules,omitempty"` // rule set fields that the format overrides
	Scoring       Scoring        `json:"scoring,omitzero"`
	Stages        []Stage        `json:"stages"`
}

// A Stage is one part of the plan.
type Stage struct {
	Name   string `json:"name"` // a key of the locale files, or an organizer's own name
	Kind   string `json:"kind"` // preliminary | semi | final
	Rounds int    `json:"rounds"`
	// wins | points: ends when a player has UntilAt; Rounds is the maximum
	Until         string `json:"until,omitempty"`
	UntilAt       int    `json:"until_at,omitempty"` // whole wins or points
	GamesPerRound int    `json:"games_per_round"`
	RoundMinutes  int    `json:"round_minutes,omitempty"` // length of a round's slot; 0: no limit
	BreakMinutes  *int   `json:"break_minutes,omitempty"` // after each round; 0: none, nil: not specified
	// how many players enter; 0: all, in the first stage only
	Cut int `json:"cut"`
	// the best of each table of the previous stage, instead of Cut, or before the others who fill Cut places
	PerTable     int    `json:"per_table,omitempty"`
	Fill         string `json:"fill,omitempty"`          // who these others are: one of Fills
	TableSize    int    `json:"table_size,omitempty"`    // 2: tables of two; 0: tables of four and three
	FirstSeating string `json:"first_seating,omitempty"` // of the stage's first round, if different
	Seating      string `json:"seating"`                 // one of Seatings
	SeatChange   string `json:"seat_change"`             // every_round | keep
	CarryOver    string `json:"carry_over"`              // all | none | half: what counts from earlier stages
	// last stage: top places that a play-off or lot must separate
	Decide  int            `json:"decide,omitempty"`
	Scoring *Scoring       `json:"scoring,omitempty"` // nil: the format's scoring
	Rules   map[string]any `json:"rules,omitempty"`   // rule set fields that differ in this stage
}

// Scoring says how results become places. TieBreaks are applied in order; players still tied after the last one share
// the place.
type Scoring struct {
	Ranking string `json:"ranking,omitempty"`  // one of Rankings; empty: as in the rule set
	FirstTo int    `json:"first_to,omitempty"` // the wins for first_to
	// by place and table size: [[4,3,1,0],[4,2,1]]; ties share the average
	TablePoints    [][]int `json:"table_points,omitempty"`
	TablePointsPer string  `json:"table_points_per,omitempty"` // game | round
	WinBonus       int     `json:"win_bonus,omitempty"`        // points for each win, split if the win is shared
	SecondBonus    int     `json:"second_bonus,omitempty"`     // points for second place in each game
	LossMost       int     `json:"loss_most,omitempty"`        // limit of points lost in a game; 0: none
	GainMost       int     `json:"gain_most,omitempty"`        // limit of points won in a game; 0: none
	// only winners score, also shared wins; not if the lowest total wins
	WinnerOnly bool     `json:"winner_only,omitempty"`
	MinGames   int      `json:"min_games,omitempty"`  // players with fewer games rank behind
	TieBreaks  []string `json:"tie_breaks,omitempty"` // some of TieBreaks
}

// Qualification is how many players qualify for something else, such as a national final. PerDivision gives each
// division all these places; the top places of a stage's Decide are then per division too. Players without a division
// then get no place.
type Qualification struct {
	Berths      int  `json:"berths,omitempty"`
	PerPlayers  int  `json:"per_players,omitempty"` // instead of Berths: one place per this many players
	Reserves    int  `json:"reserves,omitempty"`
	PerDivision bool `json:"per_division,omitempty"`
}

// Places returns how many of n players qualify. With one place per k players, a remainder gives none.
func (q Qualification) Places(n int) int {
	if q.PerPlayers > 0 {
		return n / q.PerPlayers
	}
	return q.Berths
}

// The values of the fields that hold words.
const (
	Preliminary = "preliminary"
	Semi        = "semi"
	Final       = "final"

	UntilWins   = "wins"
	UntilPoints = "points"

	Random      = "random"    // random seats
	ByStandings = "standings" // leaders at table 1
	Snake       = "snake"     // leaders spread: 1-8-9-16, 2-7-10-15, …
	Interval    = "interval"  // leaders spread in order: 1-3-5-7, 2-4-6-8
	Plan        = "plan"      // whole stage planned at once, with as few repeat meetings as possible
	Chart       = "chart"     // by start number on a chart that is the same at every tournament
	Winners     = "winners"   // players with the same place at their tables sit together
	Script      = "script"    // from a file
	Manual      = "manual"    // seated by the organizer

	EveryRound = "every_round"
	Keep       = "keep"

	FillOverall = "overall" // the best of all others
	FillNext    = "next"    // the best of those in the next place at their tables

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
	TieOpponents   = "opponents" // the opponents' wins, or points or table points if those rank
	TieTurnOrder   = "turn_order"
	TiePlayOff     = "play_off"
	TieLot         = "lot"
)

// The values allowed in some fields.
var (
	Seatings  = []string{Random, Plan, ByStandings, Snake, Interval, Winners, Chart, Script, Manual}
	Carries   = []string{CarryAll, CarryHalf, CarryNone}
	Fills     = []string{FillOverall, FillNext}
	Rankings  = []string{WinsPoints, WinsOnly, PointsOnly, LowestPoints, ByTablePoints, FirstTo}
	TieBreaks = []string{TieWins, TiePoints, TieTablePoints, TieBestGame, TieOpponents, TieTurnOrder, TiePlayOff,
		TieLot}
)

// PlayOffsMost is the maximum number of play-offs after a stage; the next tie-break separates players still tied after
// the last one.
const PlayOffsMost = 3

// ScoringOf returns the scoring of a stage. Ranking is empty if the rule set decides it.
func (f Format) ScoringOf(stage int) Scoring {
	if own := f.Stages[stage].Scoring; own != nil {
		return *own
	}
	return f.Scoring
}

// SeatingOf returns how a round of the stage, counted from 1, is seated.
func (s Stage) SeatingOf(round int) string {
	if round == 1 && s.FirstSeating != "" {
		return s.FirstSeating
	}
	return s.Seating
}

// Has reports whether the scoring uses a tie-break.
func (s Scoring) Has(tieBreak string) bool { return slices.Contains(s.TieBreaks, tieBreak) }

// A Problem is the reason why a format is invalid or does not work for a number of players: a key of the locale files
// and its arguments. Field names the field, such as stages[1].cut.
type Problem struct {
	Key   string
	Field string
	Args  map[string]any
}

// Error returns the key with the field and the arguments, for logs; the web package translates it for users.
func (p *Problem) Error() string { return fmt.Sprintf("%s at %q: %v", p.Key, p.Field, p.Args) }

// Parse decodes a format. Every error is a *Problem, for example for an unknown field or a value out of range.
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
