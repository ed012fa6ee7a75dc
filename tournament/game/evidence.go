package game

import (
	"fmt"

	"meldhall/engine"
)

// Evidence is a fact about a turn in addition to its events. It is kept for officials and does not affect the game. It
// is not part of the log: it is written up to a second later, and a crash may lose some of it. Turn is the log's number
// of the current turn or, for a refused command, of the turn that it was for.
type Evidence struct {
	ID     int64
	GameID int64
	Turn   int
	Seat   int
	At     engine.Millis
	Kind   string
	Data   string // JSON; its type depends on Kind
}

// TableName returns the database table of evidence.
func (Evidence) TableName() string { return "evidence" }

// The kinds of evidence, with the type of their data.
const (
	EvidenceDraft   = "draft"   // tiles were moved: DraftChange
	EvidenceRefused = "refused" // a submission was refused: Submission
	EvidenceLate    = "late"    // a submission came too late and the turn expired: Submission
	EvidenceOffline = "offline" // the device is silent: Gap
	EvidenceBack    = "back"    // the device is back after a silence: Gap
	EvidenceOpened  = "opened"  // the seat's page was opened again: a reload or another page
	EvidenceTaken   = "taken"   // a page was still open after another one took its seat
	EvidenceJoined  = "joined"  // a device took the seat with a code
	EvidenceBattery = "battery" // Battery
	EvidenceLost    = "lost"    // more arrived than could be stored: Lost
)

// Submission is what a player submitted without success, and why it failed. Table has the format of DraftChange.All.
type Submission struct {
	Command string `json:"command" doc:"play, draw or pass"`
	Table   string `json:"table,omitempty" doc:"the whole submitted table as text: cell and tiles of each set"`
	Code    string `json:"code,omitempty" doc:"the code of the refusal"`
	Set     int    `json:"set" doc:"the set at fault, counted from 0 in the table; -1: none"`
	Points  int    `json:"points,omitempty"`
	Need    int    `json:"need,omitempty"`
	Detail  string `json:"detail,omitempty"`
}

// Gap is a period without any sign of a seat's device.
type Gap struct {
	Since engine.Millis `json:"since"`
}

// Battery is the charge of a seat's device.
type Battery struct {
	Charge int  `json:"charge" doc:"percent"`
	Low    bool `json:"low"`
}

// Lost counts evidence that could not be stored.
type Lost struct {
	Notes int `json:"notes"`
}

// submitted returns the note of a command that was refused or came too late.
func submitted(game int64, at engine.Millis, c engine.Command, refusal *engine.Refusal) note {
	row, s := submissionOf(c)
	row.GameID, row.At, row.Kind = game, at, EvidenceLate
	if refusal != nil {
		row.Kind = EvidenceRefused
		s.Code, s.Set, s.Points, s.Need, s.Detail = refusal.Code, refusal.Set, refusal.Points, refusal.Need,
			refusal.Detail
	}
	return note{row: row, data: s}
}

func submissionOf(c engine.Command) (Evidence, Submission) {
	switch c := c.(type) {
	case engine.Play:
		return Evidence{Turn: c.Turn, Seat: c.Seat}, Submission{Command: "play", Table: tableText(c.Table), Set: -1}
	case engine.Draw:
		return Evidence{Turn: c.Turn, Seat: c.Seat}, Submission{Command: "draw", Set: -1}
	case engine.Pass:
		return Evidence{Turn: c.Turn, Seat: c.Seat}, Submission{Command: "pass", Set: -1}
	}
	return Evidence{}, Submission{Command: fmt.Sprintf("%T", c), Set: -1}
}
