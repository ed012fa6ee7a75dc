package tournament

import (
	"context"
	"encoding/json"
	"fmt"

	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/engine/ruleset"
	"meldhall/tournament/action"
	"meldhall/tournament/format"
	"meldhall/tournament/store"
)

// TournamentNameMost limits the length of a tournament's name and of its place.
const TournamentNameMost = 120 // characters

// The states of a tournament. It runs from its first published round to the last confirmed result.
const (
	StatusDraft    = "draft"
	StatusRunning  = "running"
	StatusFinished = "finished"
)

// The values of Tournament.RehearsedBy. In a rehearsal, bots run everything, or the organizer runs the desk and bots
// only play. In a training (package training) an official practices rulings, and no players take part.
const (
	RehearsedAll      = "all"
	RehearsedTables   = "tables"
	RehearsedTraining = "training"
)

// A Tournament is one competition. FormatJSON and RulesJSON hold its own copies of the format and the rules.
type Tournament struct {
	ID         int64
	Name       string
	Place      string
	Status     string
	FormatJSON string `gorm:"column:format"`
	RulesJSON  string `gorm:"column:rules"`
	// RuleChangesJSON holds the rulings that change the rules from a round on, see RuleChanges.
	RuleChangesJSON string        `gorm:"column:rule_changes"`
	CreatedAt       engine.Millis `gorm:"autoCreateTime:false"`
	// Practice is empty for a real tournament. A practice table is a tournament of its own with one round, one table
	// and one game; Practice is then its bots' strength.
	Practice string
	// Entries and attendance, see PeopleSettingsOf.
	RegistrationOpen bool
	Capacity         int
	CheckInOpen      bool
	NoShowMinutes    int `gorm:"default:10"`
	MissedCharge     int
	// SecondOver is how many points a confirmed result may change before a second official must confirm it; 0 means
	// never.
	SecondOver int
	// Tiles is what the tournament is played with: DigitalTiles or RealTiles.
	Tiles string
	// Rehearses is the tournament that this one rehearses, 0 for a real one. RehearsedBy says how bots take part;
	// EndsBy is the time when the rehearsal ends at the latest. RemovedAt is set for a removed rehearsal, or if the
	// organization is being deleted.
	Rehearses   int64
	RehearsedBy string
	EndsBy      engine.Millis
	RemovedAt   engine.Millis
	// ArchiveHash is the SHA-256 of the last archive that an official exported, at ArchivedAt; empty before the first.
	ArchiveHash string
	ArchivedAt  engine.Millis
	// ZonesBind restricts referees and scorekeepers to rulings at tables of their zones.
	ZonesBind bool
	// OrganizationID is the organization that owns the tournament, see package organization; 0: the server's owner.
	OrganizationID int64
	// Details are what the tournament says about itself. CancelledAt is set while it is cancelled, UnlistedAt while no
	// list shows it.
	Details
	CancelledAt engine.Millis
	UnlistedAt  engine.Millis
}

// Rules decodes the tournament's rule set.
func (t Tournament) Rules() (ruleset.Ruleset, error) {
	rules, err := ruleset.ParseRuleset(ruleset.Ruleset{}, []byte(t.RulesJSON))
	if err != nil {
		return ruleset.Ruleset{}, fmt.Errorf("rules of tournament %d: %w", t.ID, err)
	}
	return rules, nil
}

// Format decodes the tournament's format.
func (t Tournament) Format() (format.Format, error) {
	var f format.Format
	if err := json.Unmarshal([]byte(t.FormatJSON), &f); err != nil {
		return format.Format{}, fmt.Errorf("format of tournament %d: %w", t.ID, err)
	}
	return f, nil
}

// Plan returns the format and the rules.
func (t Tournament) Plan() (f format.Format, rules ruleset.Ruleset, err error) {
	if f, err = t.Format(); err == nil {
		rules, err = t.Rules()
	}
	return f, rules, err
}

// Rehearsing reports whether bots are playing at the tables now.
func (t Tournament) Rehearsing(now engine.Millis) bool {
	return t.Rehearses != 0 && !t.Trains() && t.RemovedAt == 0 && t.Status != StatusFinished && now < t.EndsBy
}

// Trains reports whether the tournament is a training.
func (t Tournament) Trains() bool { return t.RehearsedBy == RehearsedTraining }

// About names the tournament in a record.
func (t Tournament) About() action.About { return action.About{Name: t.Name} }

// Subject names the tournament in a stored change.
func (t Tournament) Subject() string { return fmt.Sprintf("tournament %d (%s)", t.ID, t.Name) }

// Created is the audit record of a new tournament.
type Created struct {
	Format        string `json:"format"`
	FormatVersion int    `json:"format_version"`
	Rules         string `json:"rules"`
	RulesVersion  int    `json:"rules_version"`
}

// After names the format and the rules.
func (c Created) After() []action.Phrase {
	return []action.Phrase{action.Tell([]action.Phrase{action.Tell(action.Named{Key: "format.", Name: c.Format}),
		action.Tell(action.Named{Key: "rules.", Name: c.Rules})})}
}

// real selects tournaments that are neither practice tables nor rehearsals, and were not removed.
const real = "practice = '' AND rehearses = 0 AND removed_at = 0"

// Tournaments returns the tournaments of public lists, newest first: without practice tables, rehearsals and those that
// were taken off the lists.
func Tournaments(ctx context.Context, s *store.DB) ([]Tournament, error) {
	return store.All[Tournament](s.Read.WithContext(ctx).Where(real + " AND unlisted_at = 0").Order("id DESC"))
}

// Unlisted returns the tournaments that were taken off the lists, newest first.
func Unlisted(ctx context.Context, s *store.DB) ([]Tournament, error) {
	return store.All[Tournament](s.Read.WithContext(ctx).Where(real + " AND unlisted_at <> 0").Order("id DESC"))
}

// TournamentsOf returns an organization's listed tournaments, newest first; 0 is the server's owner.
func TournamentsOf(ctx context.Context, s *store.DB, organization int64) ([]Tournament, error) {
	return store.All[Tournament](s.Read.WithContext(ctx).
		Where(real+" AND unlisted_at = 0 AND organization_id = ?", organization).Order("id DESC"))
}

// notGoing excludes rows of tournaments whose organization is being deleted.
const notGoing = "NOT EXISTS (SELECT 1 FROM tournaments e JOIN organizations o ON o.id = e.organization_id WHERE e.id = tournament_id AND o.deleting <> 0)"

// TournamentByID returns one tournament, or NotFound.
func TournamentByID(ctx context.Context, s *store.DB, id int64) (Tournament, error) {
	return FindTournament(s.Read.WithContext(ctx), id)
}

// KeptTournament returns a tournament even if it was removed. The logs of an ended rehearsal stay in the database.
func KeptTournament(ctx context.Context, s *store.DB, id int64) (Tournament, error) {
	return store.ByID[Tournament](s.Read.WithContext(ctx), "tournament", id)
}

// FindTournament returns a tournament that is not removed, or NotFound.
func FindTournament(db *gorm.DB, id int64) (Tournament, error) {
	return store.ByID[Tournament](db.Where("removed_at = 0"), "tournament", id)
}
