package tournament

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"

	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/tournament/format"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
)

// OwnFormat is a format that an organizer made: a copy of another one with fields changed. Events keep their own copy.
type OwnFormat struct {
	ID        int64
	Name      string
	NameKey   string
	JSON      string `gorm:"column:format"`
	Actor     string
	ChangedAt engine.Millis
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

func (o OwnFormat) subject() string { return fmt.Sprintf("format %d (%s)", o.ID, o.Name) }

// OwnFormats gives the organizers' formats by name.
func (s *Store) OwnFormats(ctx context.Context, actor rights.Actor) ([]OwnFormat, error) {
	if err := rights.Authorize(actor, rights.Place{}, rights.MayEditFormats); err != nil {
		return nil, err
	}
	var all []OwnFormat
	err := s.Read.WithContext(ctx).Order("name_key").Find(&all).Error
	return all, err
}

// OwnFormat gives one, or NotFound.
func (s *Store) OwnFormat(ctx context.Context, actor rights.Actor, id int64) (OwnFormat, error) {
	if err := rights.Authorize(actor, rights.Place{}, rights.MayEditFormats); err != nil {
		return OwnFormat{}, err
	}
	return findFormat(s.Read.WithContext(ctx), id)
}

func findFormat(db *gorm.DB, id int64) (OwnFormat, error) {
	var o OwnFormat
	if err := db.Take(&o, id).Error; err != nil {
		return OwnFormat{}, missing(err, "format", id)
	}
	return o, nil
}

// SaveFormat stores a format as a new one (id 0) or in place of one, with the next version. Two do not have the same name.
func (s *Store) SaveFormat(ctx context.Context, actor rights.Actor, id int64, f format.Format) (OwnFormat, error) {
	if err := rights.Authorize(actor, rights.Place{}, rights.MayEditFormats); err != nil {
		return OwnFormat{}, err
	}
	f.Name = cleanText(f.Name)
	if err := f.Validate(); err != nil {
		return OwnFormat{}, asError(err)
	}
	own := OwnFormat{ID: id, Name: f.Name, NameKey: foldText(f.Name), Actor: actor.String(), ChangedAt: s.now()}
	err := s.Tx(ctx, func(tx *gorm.DB) error {
		before := ""
		f.Version = 1
		if id != 0 {
			was, err := findFormat(tx, id)
			if err != nil {
				return err
			}
			old, err := was.Format()
			if err != nil {
				return err
			}
			before, f.Version = fmt.Sprintf("version %d", old.Version), old.Version+1
		}
		text, err := json.Marshal(f)
		if err != nil {
			return err
		}
		own.JSON = string(text)
		if err := tx.Save(&own).Error; err != nil {
			return clash(err, "err_format_name_taken", "name", f.Name)
		}
		return s.audit(tx, actor, change{action: "format.save", subject: own.subject(), before: before, after: own.JSON})
	})
	return own, err
}

// RemoveFormat deletes an organizer's format. Events made with it keep their copy.
func (s *Store) RemoveFormat(ctx context.Context, actor rights.Actor, id int64) error {
	if err := rights.Authorize(actor, rights.Place{}, rights.MayEditFormats); err != nil {
		return err
	}
	return s.Tx(ctx, func(tx *gorm.DB) error {
		own, err := findFormat(tx, id)
		if err != nil {
			return err
		}
		if err := tx.Delete(&OwnFormat{}, id).Error; err != nil {
			return err
		}
		return s.audit(tx, actor, change{action: "format.remove", subject: own.subject(), before: own.JSON})
	})
}

// ChangeFormat changes an event's own copy of its format. What has been played stays as it is: of a stage that has begun,
// and of the way of ranking, nothing changes but the names, the times, how it is seated and how many rounds it has, not
// fewer than were drawn. A draft must be discarded first.
func (s *Store) ChangeFormat(ctx context.Context, actor rights.Actor, event int64, f format.Format, why string) (Tournament, error) {
	if err := rights.Authorize(actor, rights.Place{Tournament: event}, rights.MayEditFormats); err != nil {
		return Tournament{}, err
	}
	f.Name, why = cleanText(f.Name), cleanText(why)
	f, err := asStored(f)
	if err != nil {
		return Tournament{}, err
	}
	var t Tournament
	err = s.Tx(ctx, func(tx *gorm.DB) (err error) {
		if t, err = findTournament(tx, event); err != nil {
			return err
		}
		old, err := t.Format()
		if err != nil {
			return err
		}
		f.Version = old.Version + 1
		rounds, err := checkBegun(tx, t, old, f)
		if err != nil {
			return err
		}
		rules, err := t.Rules()
		if err != nil {
			return err
		}
		if rounds == 0 {
			if rules, err = withRules(rules, f.Rules); err != nil {
				return err
			}
		}
		if err := checkRules(f, rules); err != nil {
			return err
		}
		before := t.FormatJSON
		if err := t.keep(f, rules); err != nil {
			return err
		}
		if err := tx.Model(&t).Select("format", "rules").Updates(&t).Error; err != nil {
			return err
		}
		return s.audit(tx, actor, change{tournament: event, action: "tournament.format", subject: t.subject(), before: before, after: t.FormatJSON, because: why})
	})
	return t, err
}

// asStored is a format as it comes back from the database, so that two can be compared.
func asStored(f format.Format) (format.Format, error) {
	text, err := json.Marshal(f)
	if err != nil {
		return f, err
	}
	return ParseFormat(text)
}

// keep stores a format and rules in the event.
func (t *Tournament) keep(f format.Format, rules engine.Ruleset) error {
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
