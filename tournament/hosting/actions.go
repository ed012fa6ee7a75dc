package hosting

import (
	"meldhall/tournament/door"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/storage"
)

// Create makes an organization. Its first official is made by account.create, or invited.
type Create struct {
	Slug string `json:"slug" maxLength:"100" doc:"small letters, digits and hyphens: its part of addresses and of its officials' names, for good"`
	Texts
	Limits
}

var _ = door.NewKind[Create](door.Kind{Name: "organization.create", Right: rights.MayHost, Details: door.Keep[bounds]})

func (c Create) Do(tx *door.Tx) (o Organization, err error) {
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
	var named int64 // as its officials would be
	if err := tx.Table("accounts").Where("name_key LIKE ?", "%@"+c.Slug).Count(&named).Error; err != nil {
		return o, err
	}
	if named > 0 {
		return o, refuse.Conflict("err_organization_slug_taken", "slug", c.Slug)
	}
	o = Organization{Slug: c.Slug, Limits: c.Limits, CreatedAt: tx.Now()}
	o.Name, o.Welcome, o.Contact, o.Imprint = texts.Name, texts.Welcome, texts.Contact, texts.Imprint
	if err := tx.DB.Create(&o).Error; err != nil {
		return o, storage.Clash(err, "err_organization_slug_taken", "slug", c.Slug)
	}
	tx.Record(o.entry(bounds{Is: c.Limits}))
	return o, nil
}

// entry is a record of an organization, which goes with it.
func (o Organization) entry(is door.Details) door.Entry {
	return door.Entry{On: door.About{Name: o.Name, Number: o.ID}, Organization: o.ID, Is: is}
}

// bounds are what a record keeps of an organization's limits.
type bounds struct {
	Was Limits `json:"was,omitzero"`
	Is  Limits `json:"is"`
}

// Before tells the limits so far.
func (b bounds) Before() []door.Phrase { return b.Was.tell() }

// After tells the limits from now on.
func (b bounds) After() []door.Phrase { return b.Is.tell() }

func (l Limits) tell() (said []door.Phrase) {
	for _, one := range []struct {
		key string
		n   int
	}{{"hosting.events_most", l.Events}, {"hosting.players_most", l.Players}, {"hosting.streams_most", l.Streams}} {
		if one.n > 0 {
			said = append(said, door.Say(one.key, "n", one.n))
		}
	}
	return said
}

// SetLimits bounds an organization otherwise. What it has already stays.
type SetLimits struct {
	Organization int64 `json:"organization,omitempty" path:"id" minimum:"1"`
	Limits
}

var _ = door.NewKind[SetLimits](door.Kind{Name: "organization.limits", Right: rights.MayHost, Details: door.Keep[bounds]})

func (s SetLimits) Do(tx *door.Tx) (Organization, error) {
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

// SetTexts has other things read of an organization; for its own organizers, and the house's.
type SetTexts struct {
	Organization int64 `json:"organization,omitempty" path:"id" minimum:"1"`
	Texts
}

var _ = door.NewKind[SetTexts](door.Kind{Name: "organization.texts", Right: rights.MayManageAccounts, Details: door.Keep[door.Value]})

func (s SetTexts) Do(tx *door.Tx) (o Organization, err error) {
	if err := Within(tx.Actor, s.Organization); err != nil {
		return o, err
	}
	if o, err = find(tx.DB, s.Organization); err != nil {
		return o, err
	}
	if s.Texts, err = s.Texts.clean(); err != nil || s.Texts == o.Texts() {
		return o, err
	}
	tx.Record(o.entry(door.Value{Was: o.Texts().line(), Is: s.Texts.line()}))
	o.Name, o.Welcome, o.Contact, o.Imprint = s.Name, s.Welcome, s.Contact, s.Imprint
	return o, tx.Model(&o).Select("name", "welcome", "contact", "imprint").Updates(&o).Error
}
