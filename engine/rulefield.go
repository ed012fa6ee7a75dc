package engine

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// RuleField is a field of a rule set and what it may hold: one of Words, a number from Lo to Hi, or with neither true or false.
type RuleField struct {
	Name   string
	Lo, Hi int
	Words  []string
}

type numberField struct {
	RuleField
	value int
}

type wordField struct {
	RuleField
	value string
}

// RuleFields are the fields that an event or a stage may change, by name.
func RuleFields() []RuleField {
	fields := []RuleField{{Name: "last_to_open_relief"}}
	loosest := Ruleset{SeatsMin: 2}
	for _, f := range loosest.numbers() {
		if f.Name != "version" {
			fields = append(fields, f.RuleField)
		}
	}
	for _, f := range loosest.words() {
		fields = append(fields, f.RuleField)
	}
	slices.SortFunc(fields, func(a, b RuleField) int { return strings.Compare(a.Name, b.Name) })
	return fields
}

// Allows tells whether a value, as JSON or a form gives it, may stand in the field.
func (f RuleField) Allows(value any) bool {
	switch v := value.(type) {
	case float64:
		return v == math.Trunc(v) && f.Allows(int(v))
	case int:
		return f.Hi > 0 && v >= f.Lo && v <= f.Hi
	case string:
		return slices.Contains(f.Words, v)
	case bool:
		return f.Hi == 0 && len(f.Words) == 0
	}
	return false
}

// Allowed is what the field may hold, as it is written: 0–3600; draw, rotate; true, false.
func (f RuleField) Allowed() string {
	switch {
	case len(f.Words) > 0:
		return strings.Join(slices.DeleteFunc(slices.Clone(f.Words), func(word string) bool { return word == "" }), ", ")
	case f.Hi > 0:
		return fmt.Sprintf("%d–%d", f.Lo, f.Hi)
	}
	return "true, false"
}

// numbers are the fields that hold a number.
func (r Ruleset) numbers() []numberField {
	return []numberField{
		{RuleField{Name: "version", Lo: 1, Hi: 1 << 30}, r.Version},
		{RuleField{Name: "turn_seconds", Lo: 0, Hi: maxTurnSeconds}, r.TurnSeconds},
		{RuleField{Name: "start_seconds", Lo: 0, Hi: maxTurnSeconds}, r.StartSeconds},
		{RuleField{Name: "grace_ms", Lo: 0, Hi: maxGraceMillis}, r.GraceMillis},
		{RuleField{Name: "timeout_tiles", Lo: 0, Hi: maxPenaltyTiles}, r.TimeoutTiles},
		{RuleField{Name: "idle_tiles", Lo: 0, Hi: maxPenaltyTiles}, r.IdleTiles},
		{RuleField{Name: "illegal_tiles", Lo: 0, Hi: maxPenaltyTiles}, r.IllegalTiles},
		{RuleField{Name: "meld_points", Lo: 0, Hi: 200}, r.MeldPoints},
		{RuleField{Name: "joker_points", Lo: 0, Hi: maxPoints}, r.JokerPoints},
		{RuleField{Name: "no_meld_unable", Lo: 0, Hi: maxPoints}, r.NoMeldUnable},
		{RuleField{Name: "no_meld_able", Lo: 0, Hi: maxPoints}, r.NoMeldAble},
		{RuleField{Name: "win_bonus", Lo: 0, Hi: maxPoints}, r.WinBonus},
		{RuleField{Name: "ends_at", Lo: 0, Hi: 1_000_000}, r.EndsAt},
		{RuleField{Name: "seats_min", Lo: 2, Hi: MaxSeats}, r.SeatsMin},
		{RuleField{Name: "seats_max", Lo: r.SeatsMin, Hi: MaxSeats}, r.SeatsMax},
	}
}

// words are the fields that hold one of some words.
func (r Ruleset) words() []wordField {
	return []wordField{
		{RuleField{Name: "illegal_play", Words: []string{Reject, Penalty}}, r.IllegalPlay},
		{RuleField{Name: "leftovers", Words: []string{ToRack, ToPool}}, r.Leftovers},
		{RuleField{Name: "penalties", Words: []string{Automatic, Proposed, ""}}, r.Penalties},
		{RuleField{Name: "joker_release", Words: []string{Anywhere, WithRackTile}}, r.JokerRelease},
		{RuleField{Name: "joker_replace", Words: []string{Free, TableOrRack, FromRack}}, r.JokerReplace},
		{RuleField{Name: "no_meld_counts", Words: []string{Instead, Added, Higher}}, r.NoMeldCounts},
		{RuleField{Name: "able_when", Words: []string{AtEnd, AnyTurn}}, r.AbleWhen},
		{RuleField{Name: "redeal", Words: []string{BeforeStart, OwnFirstTurn, Off}}, r.Redeal},
		{RuleField{Name: "starter", Words: []string{DrawStarter, Rotate}}, r.Starter},
		{RuleField{Name: "exhausted", Words: []string{LastLap, UntilStuck}}, r.Exhausted},
		{RuleField{Name: "exhausted_winner", Words: []string{WinnerZero, Collects}}, r.ExhaustedWinner},
		{RuleField{Name: "winner_scores", Words: []string{WinnerZero, Collects}}, r.WinnerScores},
		{RuleField{Name: "points", Words: []string{PlusMinus, Penalty}}, r.Points},
		{RuleField{Name: "standings", Words: []string{WinsThenPoints, ByPoints, LowestPoints}}, r.Standings},
	}
}
