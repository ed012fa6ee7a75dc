package tournament

import (
	"encoding/json"
	"fmt"

	"meldhall/engine"
	"meldhall/tournament/format"
)

// The life of a tournament. It runs from its first published round to the last confirmed result.
const (
	StatusDraft    = "draft"
	StatusRunning  = "running"
	StatusFinished = "finished"
)

// Tournament is one event. FormatJSON and RulesJSON are the format and the rules as they were when it was made.
type Tournament struct {
	ID         int64
	Name       string
	Place      string
	Status     string
	FormatJSON string `gorm:"column:format"`
	RulesJSON  string `gorm:"column:rules"`
	Seed       int64
	CreatedAt  engine.Millis `gorm:"autoCreateTime:false"`
	// Practice is empty for an event. A practice table is a tournament of its own, with one round, one table and
	// one game; it then says how strong its bots are.
	Practice string
	// How people come into the event, see PeopleSettingsOf.
	RegistrationOpen bool
	Capacity         int
	CheckInOpen      bool
	NoShowMinutes    int `gorm:"default:10"`
	MissedCharge     int
	// Tiles is what the event is played with: DigitalTiles or RealTiles.
	Tiles string
	// Rehearses is the event that this one is a rehearsal of, 0 for an event; RehearsedBy how the bots play, and EndsBy when
	// it ends at the latest. RemovedAt is when a rehearsal was taken out of everything.
	Rehearses   int64
	RehearsedBy string
	EndsBy      engine.Millis
	RemovedAt   engine.Millis
}

// Rules is the rule set that the tournament is played by.
func (t Tournament) Rules() (engine.Ruleset, error) {
	rules, err := engine.ParseRuleset(engine.Ruleset{}, []byte(t.RulesJSON))
	if err != nil {
		return engine.Ruleset{}, fmt.Errorf("rules of tournament %d: %w", t.ID, err)
	}
	return rules, nil
}

// Format is the format that the tournament follows.
func (t Tournament) Format() (format.Format, error) {
	var f format.Format
	if err := json.Unmarshal([]byte(t.FormatJSON), &f); err != nil {
		return format.Format{}, fmt.Errorf("format of tournament %d: %w", t.ID, err)
	}
	return f, nil
}

func (t Tournament) about() About { return About{Name: t.Name} }

func (t Tournament) subject() string { return fmt.Sprintf("tournament %d (%s)", t.ID, t.Name) }
