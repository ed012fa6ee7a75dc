package web

import (
	"encoding/json"

	"meldhall/engine"
	"meldhall/tournament"
)

// LogEntry is one action.
type LogEntry struct {
	ID      int64         `json:"id"`
	At      engine.Millis `json:"at"`
	Who     string        `json:"who"`
	Action  string        `json:"action"`
	Subject string        `json:"subject"`
	Why     string        `json:"why,omitempty"`
	Before  string        `json:"before,omitempty"`
	After   string        `json:"after,omitempty"`

	Version int             `json:"version" doc:"of the fields in on and data; 0: of an older program, in sentences alone"`
	On      json.RawMessage `json:"on,omitempty" doc:"what it was done to: round, table, game, seat, player, … by their numbers and names"`
	Data    json.RawMessage `json:"data,omitempty" doc:"how it was and is, in the fields of the action"`
}

// logEntry is a record for programs.
func newLogEntry(words *logWriter, r tournament.Record) LogEntry {
	said := words.entry(r)
	return LogEntry{r.ID, r.At, r.Actor, r.Kind, plain(said.Subject), r.Why, plain(said.Before), plain(said.After),
		r.Version, raw(r.AboutJSON), raw(r.Data)}
}

// raw is stored JSON as a part of an answer; nothing where there is none.
func raw(text string) json.RawMessage {
	if text == "" {
		return nil
	}
	return json.RawMessage(text)
}
