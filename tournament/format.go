package tournament

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"

	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/engine/ruleset"
	"meldhall/tournament/action"
	"meldhall/tournament/format"
	"meldhall/tournament/preset"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/spelling"
	"meldhall/tournament/store"
)

// An OwnFormat is a format made by an organizer: a changed copy of another one. It is shared within the organization
// that made it, or among the server's own organizers. Tournaments keep their own copy.
type OwnFormat struct {
	ID        int64
	Name      string
	NameKey   string
	JSON      string `gorm:"column:format"`
	Actor     string
	ChangedAt engine.Millis

	OrganizationID int64
}

// TableName returns "formats".
func (OwnFormat) TableName() string { return "formats" }

// Format decodes the format.
func (o OwnFormat) Format() (format.Format, error) {
	var f format.Format
	if err := json.Unmarshal([]byte(o.JSON), &f); err != nil {
		return f, fmt.Errorf("format %d: %w", o.ID, err)
	}
	return f, nil
}

func (o OwnFormat) about() action.About { return action.About{Number: o.ID, Name: o.Name} }

// OwnFormats returns the organizers' formats, sorted by name.
func OwnFormats(ctx context.Context, s *store.DB, actor rights.Actor) ([]OwnFormat, error) {
	if err := rights.Authorize(actor, rights.Place{}, rights.MayShareFormats); err != nil {
		return nil, err
	}
	return store.All[OwnFormat](s.Read.WithContext(ctx).Where("organization_id = ?",
		actor.Organization).Order("name_key"))
}

// FindOwnFormat returns one format, or NotFound.
func FindOwnFormat(ctx context.Context, s *store.DB, actor rights.Actor, id int64) (OwnFormat, error) {
	if err := rights.Authorize(actor, rights.Place{}, rights.MayShareFormats); err != nil {
		return OwnFormat{}, err
	}
	return findFormat(s.Read.WithContext(ctx), actor, id)
}

func findFormat(db *gorm.DB, actor rights.Actor, id int64) (OwnFormat, error) {
	return store.ByID[OwnFormat](db.Where("organization_id = ?", actor.Organization), "format", id)
}

// FormatStep is the audit record of a format change: the format before and after, nil if there was or is none.
type FormatStep struct {
	Was *format.Format `json:"was,omitempty"`
	Is  *format.Format `json:"is,omitempty"`
}

// Before describes the old format.
func (f FormatStep) Before() []action.Phrase { return tellFormat(f.Was) }

// After describes the new format.
func (f FormatStep) After() []action.Phrase { return tellFormat(f.Is) }

func tellFormat(f *format.Format) []action.Phrase {
	if f == nil {
		return nil
	}
	return []action.Phrase{action.Tell(*f)}
}

// SaveFormat stores a new format (ID 0) or replaces one, raising its version. Names are unique.
type SaveFormat struct {
	ID     int64         `json:"id,omitempty"`
	Format format.Format `json:"format"`
}

var _ = action.NewKind[SaveFormat](action.Kind{Name: "format.save", Right: rights.MayShareFormats,
	Details: action.Keep[FormatStep]})

func (s SaveFormat) Do(tx *action.Tx) (OwnFormat, error) {
	f := s.Format
	f.Name = spelling.Clean(f.Name)
	if err := f.Validate(); err != nil {
		return OwnFormat{}, preset.AsRefusal(err)
	}
	f.Version = 1
	is := FormatStep{Is: &f}
	if s.ID != 0 {
		was, err := findFormat(tx.DB, tx.Actor, s.ID)
		if err != nil {
			return OwnFormat{}, err
		}
		old, err := was.Format()
		if err != nil {
			return OwnFormat{}, err
		}
		is.Was, f.Version = &old, old.Version+1
	}
	text, err := json.Marshal(f)
	if err != nil {
		return OwnFormat{}, err
	}
	own := OwnFormat{ID: s.ID, Name: f.Name, NameKey: formatKey(tx.Actor.Organization, f.Name), JSON: string(text),
		Actor: tx.Actor.String(), ChangedAt: tx.Now(),
		OrganizationID: tx.Actor.Organization}
	if err := tx.Save(&own).Error; err != nil {
		return OwnFormat{}, store.Clash(err, "err_format_name_taken", "name", f.Name)
	}
	tx.Record(action.Entry{On: own.about(), Is: is})
	return own, nil
}

// formatKey returns the key that makes format names unique within an organization. The separator cannot occur in a
// name.
func formatKey(organization int64, name string) string {
	if organization == 0 {
		return spelling.Fold(name)
	}
	return fmt.Sprintf("%s\x1f%d", spelling.Fold(name), organization)
}

// RemoveFormat deletes an organizer's format. Tournaments created with it keep their copy.
type RemoveFormat struct {
	ID int64 `json:"id,omitempty" path:"id" minimum:"1"`
}

var _ = action.NewKind[RemoveFormat](action.Kind{Name: "format.remove", Right: rights.MayShareFormats, Final: true,
	Details: action.Keep[FormatStep]})

func (r RemoveFormat) Do(tx *action.Tx) (OwnFormat, error) {
	own, err := findFormat(tx.DB, tx.Actor, r.ID)
	if err != nil {
		return own, err
	}
	was, err := own.Format()
	if err != nil {
		return own, err
	}
	tx.Record(action.Entry{On: own.about(), Is: FormatStep{Was: &was}})
	return own, tx.Delete(&OwnFormat{}, r.ID).Error
}

// NewRules returns the rules of a new format (is) that differ from those of the old one (was). Rules that were changed
// only in the tournament stay.
func NewRules(was, is map[string]any) map[string]any {
	fields := maps.Clone(is)
	maps.DeleteFunc(fields, func(name string, value any) bool { return was[name] == value })
	return fields
}

// Follow saves a new format and rules in the tournament.
func (t *Tournament) Follow(tx *gorm.DB, f format.Format, rules ruleset.Ruleset) error {
	if err := t.Keep(f, rules); err != nil {
		return err
	}
	return tx.Model(t).Select("format", "rules").Updates(t).Error
}

// AsStored returns a format as it would be read back from the database, so that two formats can be compared.
func AsStored(f format.Format) (format.Format, error) {
	text, err := json.Marshal(f)
	if err != nil {
		return f, err
	}
	return preset.ParseFormat(text)
}

// Keep sets the tournament's format and rules without saving them.
func (t *Tournament) Keep(f format.Format, rules ruleset.Ruleset) error {
	formatJSON, err := json.Marshal(f)
	if err != nil {
		return err
	}
	rulesJSON, err := json.Marshal(rules)
	t.FormatJSON, t.RulesJSON = string(formatJSON), string(rulesJSON)
	return err
}

// CheckBegun returns the number of the tournament's rounds. It rejects the change of the format from old to f if the
// tournament is finished, if its last round is a draft, or if the change affects played rounds.
func CheckBegun(tx *gorm.DB, t Tournament, old, f format.Format) (int, error) {
	if t.Status == StatusFinished {
		return 0, refuse.Conflict("err_tournament_finished")
	}
	var rounds []Round
	if err := tx.Where("tournament_id = ?", t.ID).Order("number").Find(&rounds).Error; err != nil || len(rounds) == 0 {
		return 0, err
	}
	last := rounds[len(rounds)-1]
	if last.Status == RoundDraft {
		return 0, refuse.Conflict("err_format_draft", "round", last.Number)
	}
	if !reflect.DeepEqual(old.Scoring, f.Scoring) || !reflect.DeepEqual(old.Rules, f.Rules) {
		return 0, refuse.Conflict("err_format_begun", "field", "scoring")
	}
	for stage := 0; stage <= last.Stage; stage++ {
		field := fmt.Sprintf("stages[%d]", stage)
		if stage >= len(f.Stages) || !sameStage(old.Stages[stage], f.Stages[stage]) {
			return 0, refuse.Conflict("err_format_begun", "field", field)
		}
		drawn := 0
		for _, r := range rounds {
			if r.Stage == stage && r.PlayOff == 0 {
				drawn++
			}
		}
		if f.Stages[stage].Rounds < drawn || stage < last.Stage && f.Stages[stage].Rounds != old.Stages[stage].Rounds {
			return 0, refuse.Conflict("err_format_begun", "field", field+".rounds")
		}
	}
	return len(rounds), nil
}

// sameStage reports whether two stages agree in the fields that must not change once a stage has begun.
func sameStage(a, b format.Stage) bool {
	for _, s := range []*format.Stage{&a, &b} {
		s.Name, s.Kind, s.Rounds, s.Until, s.UntilAt, s.RoundMinutes, s.BreakMinutes = "", "", 0, "", 0, 0, nil
		s.Seating, s.FirstSeating, s.SeatChange, s.Decide = "", "", "", 0
		if len(s.Rules) == 0 {
			s.Rules = nil
		}
	}
	return reflect.DeepEqual(a, b)
}
