// Package ruleset holds the rules as data: everything on which the rule texts differ.
package ruleset

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"

	"meldhall/engine/exact"
)

// A Ruleset holds everything on which the rule texts differ (engine/RULES.md section 7). The first event of a game
// fixes it. Times are in seconds except GraceMillis, penalties in tiles, points in whole points.
type Ruleset struct {
	Name    string `json:"name"`
	Version int    `json:"version"`

	TurnSeconds  int `json:"turn_seconds"`  // 0: no limit
	StartSeconds int `json:"start_seconds"` // time to look at the racks and ask for a redeal before the first turn
	GraceMillis  int `json:"grace_ms"`      // uniform arrival grace after each deadline, 0–2000

	TimeoutTiles int    `json:"timeout_tiles"` // drawn at time-out with the table disturbed
	IdleTiles    int    `json:"idle_tiles"`    // drawn at time-out with the table as it was
	IllegalPlay  string `json:"illegal_play"`  // reject | penalty
	IllegalTiles int    `json:"illegal_tiles"`
	Leftovers    string `json:"leftovers"`           // to_rack | to_pool
	Penalties    string `json:"penalties,omitempty"` // automatic (also when empty) | proposed: an official decides

	MeldPoints       int    `json:"meld_points"`
	LastToOpenRelief bool   `json:"last_to_open_relief"` // all others opened: two sets at once may be below meld_points
	JokerRelease     string `json:"joker_release"`       // anywhere | with_rack_tile
	JokerReplace     string `json:"joker_replace"`       // free | table_or_rack | rack
	JokerPoints      int    `json:"joker_points"`

	NoMeldUnable int    `json:"no_meld_unable"`
	NoMeldAble   int    `json:"no_meld_able"`
	NoMeldCounts string `json:"no_meld_counts"` // instead | added | higher
	AbleWhen     string `json:"able_when"`      // at_end | any_turn

	Redeal  string `json:"redeal"`  // before_start | own_first_turn | off
	Starter string `json:"starter"` // draw | rotate

	Exhausted       string `json:"exhausted"`        // last_lap | until_stuck
	ExhaustedWinner string `json:"exhausted_winner"` // zero | collects
	WinnerScores    string `json:"winner_scores"`    // collects | zero
	WinBonus        int    `json:"win_bonus"`        // added to the winner's points, shared among tied winners
	Points          string `json:"points"`           // plus_minus | penalty

	Standings string `json:"standings"` // wins_points | points | lowest_points
	EndsAt    int    `json:"ends_at"`   // lowest_points: the total that ends the tournament; 0: never

	SeatsMin int `json:"seats_min"`
	SeatsMax int `json:"seats_max"`

	Assist string `json:"assist,omitempty"` // none (also when empty) | on: a player sees which tiles fit (engine.Fits)
}

// The values of the fields that hold words, and the limits of the other fields.
const (
	Reject          = "reject"
	Penalty         = "penalty"
	ToRack          = "to_rack"
	ToPool          = "to_pool"
	Automatic       = "automatic"
	Proposed        = "proposed"
	Anywhere        = "anywhere"
	WithRackTile    = "with_rack_tile"
	Free            = "free"
	TableOrRack     = "table_or_rack"
	FromRack        = "rack"
	Instead         = "instead"
	Added           = "added"
	Higher          = "higher"
	AtEnd           = "at_end"
	AnyTurn         = "any_turn"
	BeforeStart     = "before_start"
	OwnFirstTurn    = "own_first_turn"
	Off             = "off"
	DrawStarter     = "draw"
	Rotate          = "rotate"
	LastLap         = "last_lap"
	UntilStuck      = "until_stuck"
	WinnerZero      = "zero"
	Collects        = "collects"
	PlusMinus       = "plus_minus"
	WinsThenPoints  = "wins_points"
	ByPoints        = "points"
	LowestPoints    = "lowest_points"
	None            = "none"
	On              = "on"
	MaxSeats        = 4
	HandTiles       = 14
	maxGraceMillis  = 2000
	MaxTurnSeconds  = 3600
	maxPoints       = 1000
	MaxPenaltyTiles = 20
)

// FieldError names an invalid field of a rule set and says why it is invalid.
type FieldError struct {
	Field string `json:"field"`
	Why   string `json:"why"`
}

// Error returns the message, with the field first.
func (e *FieldError) Error() string { return fmt.Sprintf("rules: field %q: %s", e.Field, e.Why) }

// With returns r with some fields changed, named as in JSON. The stages of a format use it. Its errors are those of
// ParseRuleset.
func (r Ruleset) With(fields map[string]any) (Ruleset, error) {
	if len(fields) == 0 {
		return r, nil
	}
	text, err := json.Marshal(fields)
	if err != nil {
		return Ruleset{}, err
	}
	return ParseRuleset(r, text)
}

// ParseRuleset reads a JSON object of fields over base: fields that are not named keep base's value. An unknown field,
// a wrong type or a value out of range is a *FieldError.
func ParseRuleset(base Ruleset, data []byte) (Ruleset, error) {
	rules := base
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&rules); err != nil {
		return Ruleset{}, ruleFieldError(data, err)
	}
	if _, err := dec.Token(); err != io.EOF {
		return Ruleset{}, &FieldError{"", "more than one JSON value"}
	}
	if err := new(exact.Names).Check(data, reflect.TypeFor[Ruleset](), true); err != nil {
		var wrong *exact.NameError
		errors.As(err, &wrong)
		return Ruleset{}, &FieldError{wrong.Field(), wrong.Why}
	}
	if err := rules.Validate(); err != nil {
		return Ruleset{}, err
	}
	return rules, nil
}

// ruleFieldError finds the field that the decoder rejected, by decoding the fields one by one.
func ruleFieldError(data []byte, err error) error {
	var fields map[string]json.RawMessage
	if json.Unmarshal(data, &fields) != nil {
		return &FieldError{"", "not a JSON object of fields: " + err.Error()}
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		one, _ := json.Marshal(map[string]json.RawMessage{name: fields[name]})
		dec := json.NewDecoder(bytes.NewReader(one))
		dec.DisallowUnknownFields()
		var r Ruleset
		if e := dec.Decode(&r); e != nil {
			var wrong *json.UnmarshalTypeError
			if errors.As(e, &wrong) {
				return &FieldError{name, "must be of type " + wrong.Type.String() + ", not " + wrong.Value}
			}
			return &FieldError{name, "unknown field"}
		}
	}
	return &FieldError{"", err.Error()}
}

// Validate checks the range of every field. It returns a *FieldError for the first invalid one.
func (r Ruleset) Validate() error {
	for _, f := range r.numbers() {
		if f.value < f.Lo || f.value > f.Hi {
			return &FieldError{f.Name, fmt.Sprintf("%d is not between %d and %d", f.value, f.Lo, f.Hi)}
		}
	}
	for _, f := range r.words() {
		if !slices.Contains(f.Words, f.value) {
			return &FieldError{f.Name, fmt.Sprintf("%q must be one of %q", f.value, f.Words)}
		}
	}
	return nil
}

// RuleField is a field of a rule set with its allowed values: one of Words, a number from Lo to Hi, or, if it has
// neither, true or false.
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

// RuleFields returns the fields that a tournament or a stage may change, sorted by name.
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

// RuleFieldNamed returns the field with a name, or the zero RuleField.
func RuleFieldNamed(name string) RuleField {
	fields := RuleFields()
	if i := slices.IndexFunc(fields, func(f RuleField) bool { return f.Name == name }); i >= 0 {
		return fields[i]
	}
	return RuleField{}
}

// Allows reports whether the field may hold a value from JSON or from a form.
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

// Allowed returns the allowed values as text: "0–3600", "draw, rotate" or "true, false".
func (f RuleField) Allowed() string {
	switch {
	case len(f.Words) > 0:
		return strings.Join(slices.DeleteFunc(slices.Clone(f.Words), func(word string) bool { return word == "" }),
			", ")
	case f.Hi > 0:
		return fmt.Sprintf("%d–%d", f.Lo, f.Hi)
	}
	return "true, false"
}

// numbers returns the fields that hold a number.
func (r Ruleset) numbers() []numberField {
	return []numberField{
		{RuleField{Name: "version", Lo: 1, Hi: 1 << 30}, r.Version},
		{RuleField{Name: "turn_seconds", Lo: 0, Hi: MaxTurnSeconds}, r.TurnSeconds},
		{RuleField{Name: "start_seconds", Lo: 0, Hi: MaxTurnSeconds}, r.StartSeconds},
		{RuleField{Name: "grace_ms", Lo: 0, Hi: maxGraceMillis}, r.GraceMillis},
		{RuleField{Name: "timeout_tiles", Lo: 0, Hi: MaxPenaltyTiles}, r.TimeoutTiles},
		{RuleField{Name: "idle_tiles", Lo: 0, Hi: MaxPenaltyTiles}, r.IdleTiles},
		{RuleField{Name: "illegal_tiles", Lo: 0, Hi: MaxPenaltyTiles}, r.IllegalTiles},
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

// words returns the fields that hold a word.
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
		{RuleField{Name: "assist", Words: []string{None, On, ""}}, r.Assist},
	}
}

// The ways a game ends.
const (
	EndedEmptied    = "emptied"
	EndedLastLap    = "last_lap"
	EndedStuck      = "stuck"
	EndedTimeCalled = "time_called"
	EndedForfeit    = "forfeit"
)

// Endings returns the ways a game ends.
func Endings() []string {
	return []string{EndedEmptied, EndedLastLap, EndedStuck, EndedTimeCalled, EndedForfeit}
}
