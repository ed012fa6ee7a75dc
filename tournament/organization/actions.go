package organization

import (
	"meldhall/tournament/action"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/store"
)

// Create creates an organization. Its first official is created by account.create, or invited.
type Create struct {
	Slug string `json:"slug" maxLength:"100" doc:"lower-case letters, digits and hyphens; used in URLs and officials' names, can't be changed"`
	Texts
	Limits
}

var _ = action.NewKind[Create](action.Kind{Name: "organization.create", Right: rights.MayHost,
	Details: action.Keep[bounds]})

func (c Create) Do(tx *action.Tx) (o Organization, err error) {
	if !slugForm.MatchString(c.Slug) {
		return o, refuse.Invalid("err_organization_slug")
	}
	texts, err := c.Texts.clean()
	if err != nil {
		return o, err
	}
	if err := c.Limits.check(); err != nil {
		return o, err
	}
	if err := notAlike(tx.DB, 0, texts.Name); err != nil {
		return o, err
	}
	var named int64 // accounts with names like its officials'
	if err := tx.Table("accounts").Where("name_key LIKE ?", "%@"+c.Slug).Count(&named).Error; err != nil {
		return o, err
	}
	if named > 0 {
		return o, refuse.Conflict("err_organization_slug_taken", "slug", c.Slug)
	}
	o = Organization{Slug: c.Slug, Limits: c.Limits, CreatedAt: tx.Now()}
	o.Name, o.Welcome, o.Contact, o.Imprint = texts.Name, texts.Welcome, texts.Contact, texts.Imprint
	if err := tx.DB.Create(&o).Error; err != nil {
		return o, store.Clash(err, "err_organization_slug_taken", "slug", c.Slug)
	}
	tx.Record(o.entry(bounds{Is: c.Limits}))
	return o, nil
}

// entry returns a record about an organization. The record is deleted with the organization.
func (o Organization) entry(is action.Details) action.Entry {
	return action.Entry{On: action.About{Name: o.Name, Number: o.ID}, Organization: o.ID, Is: is}
}

// bounds is the record of a change of an organization's limits.
type bounds struct {
	Was Limits `json:"was,omitzero"`
	Is  Limits `json:"is"`
}

// Before describes the previous limits.
func (b bounds) Before() []action.Phrase { return b.Was.tell() }

// After describes the new limits.
func (b bounds) After() []action.Phrase { return b.Is.tell() }

func (l Limits) tell() (said []action.Phrase) {
	for _, one := range []struct {
		key string
		n   int
	}{{"hosting.events_most", l.Events}, {"hosting.players_most", l.Players}, {"hosting.streams_most", l.Streams}} {
		if one.n > 0 {
			said = append(said, action.Say(one.key, "n", one.n))
		}
	}
	return said
}

// SetLimits changes an organization's limits. Existing tournaments and players that exceed them are kept.
type SetLimits struct {
	Organization int64 `json:"organization,omitempty" path:"id" minimum:"1"`
	Limits
}

var _ = action.NewKind[SetLimits](action.Kind{Name: "organization.limits", Right: rights.MayHost,
	Details: action.Keep[bounds]})

func (s SetLimits) Do(tx *action.Tx) (Organization, error) {
	o, err := find(tx.DB, s.Organization)
	if err != nil || o.Limits == s.Limits {
		return o, err
	}
	if err := s.Limits.check(); err != nil {
		return o, err
	}
	tx.Record(o.entry(bounds{o.Limits, s.Limits}))
	o.Limits = s.Limits
	return o, tx.Model(&o).Select("events", "players", "streams").Updates(&o).Error
}

// SetTexts changes the public texts of an organization. Only its own organizers and the server's may do so.
type SetTexts struct {
	Organization int64 `json:"organization,omitempty" path:"id" minimum:"1"`
	Texts
}

var _ = action.NewKind[SetTexts](action.Kind{Name: "organization.texts", Right: rights.MayManageAccounts,
	Details: action.Keep[action.Value]})

func (s SetTexts) Do(tx *action.Tx) (o Organization, err error) {
	if err := Within(tx.Actor, s.Organization); err != nil {
		return o, err
	}
	if o, err = find(tx.DB, s.Organization); err != nil {
		return o, err
	}
	if s.Texts, err = s.Texts.clean(); err != nil || s.Texts == o.Texts() {
		return o, err
	}
	if err := notAlike(tx.DB, o.ID, s.Name); err != nil {
		return o, err
	}
	tx.Record(o.entry(action.Value{Was: o.Texts().line(), Is: s.Texts.line()}))
	o.Name, o.Welcome, o.Contact, o.Imprint = s.Name, s.Welcome, s.Contact, s.Imprint
	return o, tx.Model(&o).Select("name", "welcome", "contact", "imprint").Updates(&o).Error
}
