package tournament

import (
	"context"
	"encoding/json"
	"fmt"
	"unicode/utf8"

	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/engine/ruleset"
	"meldhall/tournament/action"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/spelling"
	"meldhall/tournament/store"
)

// OwnRules is a rule set that an organizer saved from a tournament, to be chosen for new ones. It is shared like an
// OwnFormat. Tournaments keep their own copy.
type OwnRules struct {
	ID        int64
	Name      string
	NameKey   string
	JSON      string `gorm:"column:rules"`
	Actor     string
	ChangedAt engine.Millis

	OrganizationID int64
}

// TableName returns "rule_presets".
func (OwnRules) TableName() string { return "rule_presets" }

// Rules decodes the rule set.
func (o OwnRules) Rules() (ruleset.Ruleset, error) {
	rules, err := ruleset.ParseRuleset(ruleset.Ruleset{}, []byte(o.JSON))
	if err != nil {
		return rules, fmt.Errorf("rule preset %d: %w", o.ID, err)
	}
	return rules, nil
}

// AllOwnRules returns the organizers' rule sets, sorted by name.
func AllOwnRules(ctx context.Context, s *store.DB, actor rights.Actor) ([]OwnRules, error) {
	if err := rights.Authorize(actor, rights.Place{}, rights.MayShareFormats); err != nil {
		return nil, err
	}
	return store.All[OwnRules](s.Read.WithContext(ctx).Where("organization_id = ?", actor.Organization).
		Order("name_key"))
}

// FindOwnRules returns one rule set, or NotFound.
func FindOwnRules(ctx context.Context, s *store.DB, actor rights.Actor, id int64) (OwnRules, error) {
	if err := rights.Authorize(actor, rights.Place{}, rights.MayShareFormats); err != nil {
		return OwnRules{}, err
	}
	return findRules(s.Read.WithContext(ctx), actor, id)
}

func findRules(db *gorm.DB, actor rights.Actor, id int64) (OwnRules, error) {
	return store.ByID[OwnRules](db.Where("organization_id = ?", actor.Organization), "rules", id)
}

// SaveRules stores a tournament's rules under a name, replacing the rules saved under it before.
type SaveRules struct {
	Tournament int64  `json:"tournament,omitempty" path:"id" minimum:"1"`
	Name       string `json:"name" maxLength:"300"`
}

var _ = action.NewKind[SaveRules](action.Kind{Name: "rules.save", Right: rights.MayShareFormats})

// ownRulesMost limits the length of the name of saved rules, in characters.
const ownRulesMost = 60

func (s SaveRules) Do(tx *action.Tx) (own OwnRules, err error) {
	t, err := FindTournament(tx.DB, s.Tournament)
	if err != nil {
		return own, err
	}
	rules, err := t.Rules()
	if err != nil {
		return own, err
	}
	rules.Name, rules.Version = spelling.Clean(s.Name), 1
	if n := utf8.RuneCountInString(rules.Name); n < 1 || n > ownRulesMost {
		return own, refuse.Invalid("err_rules_name", "field", "name", "most", ownRulesMost)
	}
	key := formatKey(tx.Actor.Organization, rules.Name)
	own, found, err := store.First[OwnRules](tx.Where("name_key = ?", key))
	if err != nil {
		return own, err
	}
	if found {
		was, err := own.Rules()
		if err != nil {
			return own, err
		}
		rules.Version = was.Version + 1
	}
	text, err := json.Marshal(rules)
	if err != nil {
		return own, err
	}
	own = OwnRules{ID: own.ID, Name: rules.Name, NameKey: key, JSON: string(text), Actor: tx.Actor.String(),
		ChangedAt: tx.Now(), OrganizationID: tx.Actor.Organization}
	tx.Record(action.Entry{Event: t.ID, On: action.About{Name: own.Name}})
	return own, tx.Save(&own).Error
}

// RemoveRules deletes saved rules. Tournaments created with them keep their copy.
type RemoveRules struct {
	ID int64 `json:"id,omitempty" path:"id" minimum:"1"`
}

var _ = action.NewKind[RemoveRules](action.Kind{Name: "rules.remove", Right: rights.MayShareFormats, Final: true})

func (r RemoveRules) Do(tx *action.Tx) (OwnRules, error) {
	own, err := findRules(tx.DB, tx.Actor, r.ID)
	if err != nil {
		return own, err
	}
	tx.Record(action.Entry{On: action.About{Number: own.ID, Name: own.Name}})
	return own, tx.Delete(&OwnRules{}, r.ID).Error
}
