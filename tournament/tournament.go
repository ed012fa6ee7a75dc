package tournament

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/tournament/action"
	"meldhall/tournament/format"
	"meldhall/tournament/organization"
	"meldhall/tournament/preset"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/rosterfile"
	"meldhall/tournament/spelling"
	"meldhall/tournament/store"
)

const tournamentNameMost = 120 // characters

// The states of a tournament. It runs from its first published round to the last confirmed result.
const (
	StatusDraft    = "draft"
	StatusRunning  = "running"
	StatusFinished = "finished"
)

// Who runs the desk of a rehearsal: bots run everything, or the organizer does and bots only play. In a training
// (package training) the official rules, and no players take part.
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
	// Rehearses is the tournament that this one rehearses, 0 for a real one. RehearsedBy is how bots take part, EndsBy
	// the latest end. RemovedAt is set for a removed rehearsal, or if the organization is being deleted.
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
}

// Rules decodes the tournament's rule set.
func (t Tournament) Rules() (engine.Ruleset, error) {
	rules, err := engine.ParseRuleset(engine.Ruleset{}, []byte(t.RulesJSON))
	if err != nil {
		return engine.Ruleset{}, fmt.Errorf("rules of tournament %d: %w", t.ID, err)
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
func (t Tournament) Plan() (f format.Format, rules engine.Ruleset, err error) {
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

func (t Tournament) about() action.About { return action.About{Name: t.Name} }

func (t Tournament) subject() string { return fmt.Sprintf("tournament %d (%s)", t.ID, t.Name) }

// CreateTournament creates a tournament, together with the players of a roster file if given. It stores its own copies
// of the format and the rules.
type CreateTournament struct {
	Name   string         `json:"name"`
	Place  string         `json:"place,omitempty"`
	Format format.Format  `json:"format"`
	Rules  engine.Ruleset `json:"rules"`
	Tiles  string         `json:"tiles,omitempty"` // DigitalTiles or RealTiles; empty: digital
	Roster string         `json:"roster,omitempty"`

	roster rosterfile.Roster
}

var _ = action.NewKind[CreateTournament](action.Kind{Name: "tournament.create", Right: rights.MayCreateTournament,
	Changes: []action.What{action.TopicSettings}, Details: action.Keep[created]})

// created is the audit record of a new tournament.
type created struct {
	Format        string `json:"format"`
	FormatVersion int    `json:"format_version"`
	Rules         string `json:"rules"`
	RulesVersion  int    `json:"rules_version"`
}

// After names the format and the rules.
func (c created) After() []action.Phrase {
	return []action.Phrase{action.Tell([]action.Phrase{action.Tell(action.Named{Key: "format.", Name: c.Format}),
		action.Tell(action.Named{Key: "rules.", Name: c.Rules})})}
}

func (n CreateTournament) Plan(ctx context.Context, _ *action.Desk, _ rights.Actor) (_ action.Action, err error) {
	if n.Roster != "" {
		n.roster, err = rosterfile.Parse(ctx, strings.NewReader(n.Roster))
	}
	return n, err
}

func (n CreateTournament) Do(tx *action.Tx) (Tournament, error) {
	t, err := n.New()
	if err != nil {
		return Tournament{}, err
	}
	t.CreatedAt, t.OrganizationID = tx.Now(), tx.Actor.Organization
	if err := organization.RoomForEvent(tx.DB, t.OrganizationID); err != nil {
		return t, err
	}
	if err := tx.Create(&t).Error; err != nil {
		return t, err
	}
	tx.Made(t.ID)
	tx.Record(action.Entry{Event: t.ID, On: t.about(), Is: created{n.Format.Name, n.Format.Version, n.Rules.Name,
		n.Rules.Version}})
	if n.Roster == "" {
		return t, nil
	}
	if err := tx.Authorize(rights.Place{Tournament: t.ID, Seat: -1}, rights.MayEditRoster); err != nil {
		return t, err
	}
	return t, enterRoster(tx, t.ID, n.roster)
}

// New returns the validated tournament without storing it.
func (n CreateTournament) New() (Tournament, error) {
	t := Tournament{Name: spelling.Clean(n.Name), Place: spelling.Clean(n.Place), Status: StatusDraft,
		Tiles: cmp.Or(n.Tiles, DigitalTiles)}
	if t.Tiles != DigitalTiles && t.Tiles != RealTiles {
		return Tournament{}, refuse.Invalid("err_tiles", "tiles", t.Tiles)
	}
	if t.Name == "" || utf8.RuneCountInString(t.Name) > tournamentNameMost ||
		utf8.RuneCountInString(t.Place) > tournamentNameMost {
		return Tournament{}, refuse.Invalid("err_tournament_name", "most", tournamentNameMost)
	}
	if err := n.Format.Validate(); err != nil {
		return Tournament{}, preset.AsRefusal(err)
	}
	if err := n.Rules.Validate(); err != nil {
		return Tournament{}, preset.AsRefusal(err)
	}
	if err := CheckRules(n.Format, n.Rules); err != nil {
		return Tournament{}, err
	}
	if err := t.Keep(n.Format, n.Rules); err != nil {
		return Tournament{}, err
	}
	return t, nil
}

// Tournaments returns all tournaments, newest first, without practice tables and rehearsals.
func Tournaments(ctx context.Context, s *store.DB) ([]Tournament, error) {
	return store.All[Tournament](s.Read.WithContext(ctx).Where("practice = '' AND rehearses = 0 AND removed_at = 0").Order("id DESC"))
}

// TournamentsOf returns an organization's tournaments, newest first; 0 is the server's owner.
func TournamentsOf(ctx context.Context, s *store.DB, organization int64) ([]Tournament, error) {
	return store.All[Tournament](s.Read.WithContext(ctx).Where("practice = '' AND rehearses = 0 AND removed_at = 0 AND organization_id = ?", organization).Order("id DESC"))
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

func FindTournament(db *gorm.DB, id int64) (Tournament, error) {
	return store.ByID[Tournament](db.Where("removed_at = 0"), "tournament", id)
}
