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
	"meldhall/tournament/door"
	"meldhall/tournament/format"
	"meldhall/tournament/hosting"
	"meldhall/tournament/preset"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/rosterfile"
	"meldhall/tournament/spelling"
	"meldhall/tournament/storage"
)

const tournamentNameMost = 120 // characters

// The life of a tournament. It runs from its first published round to the last confirmed result.
const (
	StatusDraft    = "draft"
	StatusRunning  = "running"
	StatusFinished = "finished"
)

// Who runs the desk of a rehearsal: bots all of it, or the organizer, and bots the tables alone; of a training (package training)
// the official who rules, and nobody plays.
const (
	RehearsedAll      = "all"
	RehearsedTables   = "tables"
	RehearsedTraining = "training"
)

// Tournament is one event. FormatJSON and RulesJSON are the format and the rules as they were when it was made.
type Tournament struct {
	ID         int64
	Name       string
	Place      string
	Status     string
	FormatJSON string `gorm:"column:format"`
	RulesJSON  string `gorm:"column:rules"`
	// RuleChangesJSON are the rulings that it goes by other rules from a round on, see RuleChanges.
	RuleChangesJSON string        `gorm:"column:rule_changes"`
	CreatedAt       engine.Millis `gorm:"autoCreateTime:false"`
	// Practice is empty for an event. A practice table is a tournament of its own, with one round, one table and
	// one game; it then says how strong its bots are.
	Practice string
	// How people come into the event, see PeopleSettingsOf.
	RegistrationOpen bool
	Capacity         int
	CheckInOpen      bool
	NoShowMinutes    int `gorm:"default:10"`
	MissedCharge     int
	// SecondOver is by how many points a confirmed result may change before a second official has to confirm that, 0: never.
	SecondOver int
	// Tiles is what the event is played with: DigitalTiles or RealTiles.
	Tiles string
	// Rehearses is the event that this one is a rehearsal of, 0 for an event; RehearsedBy how the bots play, and EndsBy when
	// it ends at the latest. RemovedAt is when a rehearsal was taken out of everything, or an event whose organization is being deleted.
	Rehearses   int64
	RehearsedBy string
	EndsBy      engine.Millis
	RemovedAt   engine.Millis
	// ArchiveHash is the SHA-256 of the last archive that an official exported, at ArchivedAt; empty before the first.
	ArchiveHash string
	ArchivedAt  engine.Millis
	// ZonesBind says that referees and scorekeepers rule at the tables of their zones alone.
	ZonesBind bool
	// OrganizationID is the organization whose event it is, see package hosting; 0: the house's.
	OrganizationID int64
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

// Plan is the format with the rules.
func (t Tournament) Plan() (f format.Format, rules engine.Ruleset, err error) {
	if f, err = t.Format(); err == nil {
		rules, err = t.Rules()
	}
	return f, rules, err
}

// Rehearsing tells whether bots play at the event's tables now.
func (t Tournament) Rehearsing(now engine.Millis) bool {
	return t.Rehearses != 0 && !t.Trains() && t.RemovedAt == 0 && t.Status != StatusFinished && now < t.EndsBy
}

// Trains tells whether the event is a training.
func (t Tournament) Trains() bool { return t.RehearsedBy == RehearsedTraining }

func (t Tournament) about() door.About { return door.About{Name: t.Name} }

func (t Tournament) subject() string { return fmt.Sprintf("tournament %d (%s)", t.ID, t.Name) }

// CreateTournament makes a tournament, with the players of a roster file where one is given: both, or nothing. The format and the
// rules are stored in it as they are given here.
type CreateTournament struct {
	Name   string         `json:"name"`
	Place  string         `json:"place,omitempty"`
	Format format.Format  `json:"format"`
	Rules  engine.Ruleset `json:"rules"`
	Tiles  string         `json:"tiles,omitempty"` // DigitalTiles or RealTiles; empty: digital
	Roster string         `json:"roster,omitempty"`

	roster rosterfile.Roster
}

var _ = door.NewKind[CreateTournament](door.Kind{Name: "tournament.create", Right: rights.MayCreateTournament,
	Changes: []door.What{door.TopicSettings}, Details: door.Keep[created]})

// created is what a record of a new event keeps.
type created struct {
	Format        string `json:"format"`
	FormatVersion int    `json:"format_version"`
	Rules         string `json:"rules"`
	RulesVersion  int    `json:"rules_version"`
}

// After names the format and the rules.
func (c created) After() []door.Phrase {
	return []door.Phrase{door.Tell([]door.Phrase{door.Tell(door.Named{Key: "format.", Name: c.Format}), door.Tell(door.Named{Key: "rules.", Name: c.Rules})})}
}

func (n CreateTournament) Plan(ctx context.Context, _ *door.Desk, _ rights.Actor) (_ door.Action, err error) {
	if n.Roster != "" {
		n.roster, err = rosterfile.Parse(ctx, strings.NewReader(n.Roster))
	}
	return n, err
}

func (n CreateTournament) Do(tx *door.Tx) (Tournament, error) {
	t, err := n.New()
	if err != nil {
		return Tournament{}, err
	}
	t.CreatedAt, t.OrganizationID = tx.Now(), tx.Actor.Organization
	if err := hosting.RoomForEvent(tx.DB, t.OrganizationID); err != nil {
		return t, err
	}
	if err := tx.Create(&t).Error; err != nil {
		return t, err
	}
	tx.Made(t.ID)
	tx.Record(door.Entry{Event: t.ID, On: t.about(), Is: created{n.Format.Name, n.Format.Version, n.Rules.Name, n.Rules.Version}})
	if n.Roster == "" {
		return t, nil
	}
	if err := tx.Authorize(rights.Place{Tournament: t.ID, Seat: -1}, rights.MayEditRoster); err != nil {
		return t, err
	}
	return t, enterRoster(tx, t.ID, n.roster)
}

// New is the event that is to be made, before it is written.
func (n CreateTournament) New() (Tournament, error) {
	t := Tournament{Name: spelling.Clean(n.Name), Place: spelling.Clean(n.Place), Status: StatusDraft, Tiles: cmp.Or(n.Tiles, DigitalTiles)}
	if t.Tiles != DigitalTiles && t.Tiles != RealTiles {
		return Tournament{}, refuse.Invalid("err_tiles", "tiles", t.Tiles)
	}
	if t.Name == "" || utf8.RuneCountInString(t.Name) > tournamentNameMost || utf8.RuneCountInString(t.Place) > tournamentNameMost {
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

// Tournaments gives all tournaments, the newest first, without practice tables and rehearsals.
func Tournaments(ctx context.Context, s *storage.DB) ([]Tournament, error) {
	return storage.All[Tournament](s.Read.WithContext(ctx).Where("practice = '' AND rehearses = 0 AND removed_at = 0").Order("id DESC"))
}

// TournamentsOf gives the events of an organization, the newest first; of the house for 0.
func TournamentsOf(ctx context.Context, s *storage.DB, organization int64) ([]Tournament, error) {
	return storage.All[Tournament](s.Read.WithContext(ctx).Where("practice = '' AND rehearses = 0 AND removed_at = 0 AND organization_id = ?", organization).Order("id DESC"))
}

// notGoing are the rows of events but those whose organization is being deleted.
const notGoing = "NOT EXISTS (SELECT 1 FROM tournaments e JOIN organizations o ON o.id = e.organization_id WHERE e.id = tournament_id AND o.deleting <> 0)"

// TournamentByID gives one, or NotFound.
func TournamentByID(ctx context.Context, s *storage.DB, id int64) (Tournament, error) {
	return FindTournament(s.Read.WithContext(ctx), id)
}

// KeptTournament returns an event even if it was removed. The logs of an ended rehearsal stay in the database.
func KeptTournament(ctx context.Context, s *storage.DB, id int64) (Tournament, error) {
	return storage.ByID[Tournament](s.Read.WithContext(ctx), "tournament", id)
}

func FindTournament(db *gorm.DB, id int64) (Tournament, error) {
	return storage.ByID[Tournament](db.Where("removed_at = 0"), "tournament", id)
}
