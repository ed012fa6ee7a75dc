package tournament

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"

	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/tournament/door"
	"meldhall/tournament/format"
	"meldhall/tournament/preset"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/spelling"
	"meldhall/tournament/storage"
)

// OwnFormat is a format that an organizer made: a copy of another one with fields changed. Events keep their own copy. It is shared within
// the house, or within the organization that made it.
type OwnFormat struct {
	ID        int64
	Name      string
	NameKey   string
	JSON      string `gorm:"column:format"`
	Actor     string
	ChangedAt engine.Millis

	OrganizationID int64
}

// TableName is formats.
func (OwnFormat) TableName() string { return "formats" }

// Format is the format itself.
func (o OwnFormat) Format() (format.Format, error) {
	var f format.Format
	if err := json.Unmarshal([]byte(o.JSON), &f); err != nil {
		return f, fmt.Errorf("format %d: %w", o.ID, err)
	}
	return f, nil
}

func (o OwnFormat) about() door.About { return door.About{Number: o.ID, Name: o.Name} }

// OwnFormats gives the organizers' formats by name.
func OwnFormats(ctx context.Context, s *storage.DB, actor rights.Actor) ([]OwnFormat, error) {
	if err := rights.Authorize(actor, rights.Place{}, rights.MayShareFormats); err != nil {
		return nil, err
	}
	return storage.All[OwnFormat](s.Read.WithContext(ctx).Where("organization_id = ?", actor.Organization).Order("name_key"))
}

// FindOwnFormat gives one, or NotFound.
func FindOwnFormat(ctx context.Context, s *storage.DB, actor rights.Actor, id int64) (OwnFormat, error) {
	if err := rights.Authorize(actor, rights.Place{}, rights.MayShareFormats); err != nil {
		return OwnFormat{}, err
	}
	return findFormat(s.Read.WithContext(ctx), actor, id)
}

func findFormat(db *gorm.DB, actor rights.Actor, id int64) (OwnFormat, error) {
	return storage.ByID[OwnFormat](db.Where("organization_id = ?", actor.Organization), "format", id)
}

// formatStep is what a record keeps of a format: as it was and as it is; nil where there was, or is, none.
type formatStep struct {
	Was *format.Format `json:"was,omitempty"`
	Is  *format.Format `json:"is,omitempty"`
}

// Before tells the format as it was.
func (f formatStep) Before() []door.Phrase { return tellFormat(f.Was) }

// After tells the format as it is.
func (f formatStep) After() []door.Phrase { return tellFormat(f.Is) }

func tellFormat(f *format.Format) []door.Phrase {
	if f == nil {
		return nil
	}
	return []door.Phrase{door.Tell(*f)}
}

// SaveFormat stores a format as a new one (id 0) or in place of one, with the next version. Two do not have the same name.
type SaveFormat struct {
	ID     int64         `json:"id,omitempty"`
	Format format.Format `json:"format"`
}

var _ = door.NewKind[SaveFormat](door.Kind{Name: "format.save", Right: rights.MayShareFormats, Details: door.Keep[formatStep]})

func (s SaveFormat) Do(tx *door.Tx) (OwnFormat, error) {
	f := s.Format
	f.Name = spelling.Clean(f.Name)
	if err := f.Validate(); err != nil {
		return OwnFormat{}, preset.AsRefusal(err)
	}
	f.Version = 1
	is := formatStep{Is: &f}
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
	own := OwnFormat{ID: s.ID, Name: f.Name, NameKey: formatKey(tx.Actor.Organization, f.Name), JSON: string(text), Actor: tx.Actor.String(), ChangedAt: tx.Now(),
		OrganizationID: tx.Actor.Organization}
	if err := tx.Save(&own).Error; err != nil {
		return OwnFormat{}, storage.Clash(err, "err_format_name_taken", "name", f.Name)
	}
	tx.Record(door.Entry{On: own.about(), Is: is})
	return own, nil
}

// formatKey is what two formats do not have in common: of an organization's, with whose it is, which no name can have.
func formatKey(organization int64, name string) string {
	if organization == 0 {
		return spelling.Fold(name)
	}
	return fmt.Sprintf("%s\x1f%d", spelling.Fold(name), organization)
}

// RemoveFormat deletes an organizer's format. Events made with it keep their copy.
type RemoveFormat struct {
	ID int64 `json:"id,omitempty" path:"id" minimum:"1"`
}

var _ = door.NewKind[RemoveFormat](door.Kind{Name: "format.remove", Right: rights.MayShareFormats, Final: true, Details: door.Keep[formatStep]})

func (r RemoveFormat) Do(tx *door.Tx) (OwnFormat, error) {
	own, err := findFormat(tx.DB, tx.Actor, r.ID)
	if err != nil {
		return own, err
	}
	was, err := own.Format()
	if err != nil {
		return own, err
	}
	tx.Record(door.Entry{On: own.about(), Is: formatStep{Was: &was}})
	return own, tx.Delete(&OwnFormat{}, r.ID).Error
}

// ChangeFormat changes an event's own copy of its format. What has been played stays as it is: of a stage that has begun,
// and of the way of ranking, nothing changes but the names, the times, how it is seated and how many rounds it has, not
// fewer than were drawn. A draft must be discarded first.
type ChangeFormat struct {
	Tournament int64         `json:"tournament"`
	Format     format.Format `json:"format"`
	Why        string        `json:"why,omitempty"`
}

var _ = door.NewKind[ChangeFormat](door.Kind{Name: "tournament.format", Right: rights.MayEditFormats,
	Changes: []door.What{door.TopicSettings, door.TopicSeats}, Details: door.Keep[formatStep]})

func (c ChangeFormat) Do(tx *door.Tx) (t Tournament, err error) {
	c.Format.Name = spelling.Clean(c.Format.Name)
	f, err := asStored(c.Format)
	if err != nil {
		return t, err
	}
	if t, err = FindTournament(tx.DB, c.Tournament); err != nil {
		return t, err
	}
	old, rules, err := t.Plan()
	if err != nil {
		return t, err
	}
	f.Version = old.Version + 1
	rounds, err := checkBegun(tx.DB, t, old, f)
	if err != nil {
		return t, err
	}
	if rounds == 0 {
		if rules, err = preset.WithRules(rules, newRules(old.Rules, f.Rules)); err != nil {
			return t, err
		}
	}
	if err := CheckRules(f, rules); err != nil {
		return t, err
	}
	tx.Record(door.Entry{Event: c.Tournament, On: t.about(), Is: formatStep{&old, &f}, Why: spelling.Clean(c.Why)})
	if err := t.Follow(tx.DB, f, rules); err != nil || rounds == 0 {
		return t, err
	}
	return t, promiseLot(tx, t.ID)
}

// newRules are the rules that a format says otherwise than it did: what was changed of the event's since stays as it is.
func newRules(was, is map[string]any) map[string]any {
	fields := maps.Clone(is)
	maps.DeleteFunc(fields, func(name string, value any) bool { return was[name] == value })
	return fields
}

// Follow lets the event go by a format and rules from now on.
func (t *Tournament) Follow(tx *gorm.DB, f format.Format, rules engine.Ruleset) error {
	if err := t.Keep(f, rules); err != nil {
		return err
	}
	return tx.Model(t).Select("format", "rules").Updates(t).Error
}

// asStored is a format as it comes back from the database, so that two can be compared.
func asStored(f format.Format) (format.Format, error) {
	text, err := json.Marshal(f)
	if err != nil {
		return f, err
	}
	return preset.ParseFormat(text)
}

// Keep stores a format and rules in the event.
func (t *Tournament) Keep(f format.Format, rules engine.Ruleset) error {
	formatJSON, err := json.Marshal(f)
	if err != nil {
		return err
	}
	rulesJSON, err := json.Marshal(rules)
	t.FormatJSON, t.RulesJSON = string(formatJSON), string(rulesJSON)
	return err
}

// checkBegun refuses a change of what has been played, and tells how many rounds there are.
func checkBegun(tx *gorm.DB, t Tournament, old, f format.Format) (int, error) {
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

// sameStage compares what may not change of a stage that has begun.
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
