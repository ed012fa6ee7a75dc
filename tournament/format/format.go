// Package format is the stages of a tournament: how many rounds and games, how many players each
// stage takes, how they are seated and what they carry with them. It is pure.
package format

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Format is an event's plan. The first stage takes everybody; each later one the best of the stage before.
type Format struct {
	Name    string  `json:"name"`
	Version int     `json:"version"`
	Source  string  `json:"source"` // where the plan comes from, for people
	Stages  []Stage `json:"stages"`
}

// Stage is one part of the plan.
type Stage struct {
	Name          string `json:"name"` // a key of the locale files
	Kind          string `json:"kind"` // preliminary | semi | final
	Rounds        int    `json:"rounds"`
	GamesPerRound int    `json:"games_per_round"`
	Cut           int    `json:"cut"`         // how many players enter; 0: everybody, in the first stage only
	Seating       string `json:"seating"`     // random | standings | snake
	SeatChange    string `json:"seat_change"` // every_round | keep
	CarryOver     string `json:"carry_over"`  // all | none: what of the earlier stages counts in this one's standings
}

// The values of the fields that are words.
const (
	Preliminary = "preliminary"
	Semi        = "semi"
	Final       = "final"
	Random      = "random"
	ByStandings = "standings"
	Snake       = "snake"
	EveryRound  = "every_round"
	Keep        = "keep"
	CarryAll    = "all"
	CarryNone   = "none"
)

// Problem is why a format cannot stand, or cannot work for a number of players: a key of the locale
// files and its arguments. Field names the field, as stages[1].cut.
type Problem struct {
	Key   string
	Field string
	Args  map[string]any
	Text  string
}

// Error is the English text.
func (p *Problem) Error() string {
	if p.Field == "" {
		return "format: " + p.Text
	}
	return fmt.Sprintf("format: field %q: %s", p.Field, p.Text)
}

// Parse reads a format. An unknown field or a value out of range is a *Problem.
func Parse(data []byte) (Format, error) {
	var f Format
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&f); err != nil {
		return Format{}, &Problem{Key: "err_format_unreadable", Text: err.Error(), Args: map[string]any{"detail": err.Error()}}
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		const text = "more than one JSON value"
		return Format{}, &Problem{Key: "err_format_unreadable", Text: text, Args: map[string]any{"detail": text}}
	}
	if err := f.Validate(); err != nil {
		return Format{}, err
	}
	return f, nil
}
