// Package organization manages the organizations that use this server for their tournaments. It covers the ownership of
// tournaments, accounts and formats, the limits of an organization, its public texts, and its deletion with everything
// it has. See README.md.
package organization

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/spelling"
	"meldhall/tournament/store"
)

// Organization uses this server for its tournaments. Tournaments, accounts and formats refer to it by its ID. ID 0
// stands for the server itself and has no row.
type Organization struct {
	ID   int64
	Slug string // its permanent part of addresses and of its officials' names
	Name string
	// Welcome, Contact and Imprint appear on its public pages: a greeting, how to contact it, and the legal notice.
	Welcome, Contact, Imprint string
	Limits
	CreatedAt engine.Millis `gorm:"autoCreateTime:false"`
	Deleting  bool          // it is being deleted and is hidden
}

// Limits are the limits of an organization; 0 means no limit.
type Limits struct {
	Events  int `json:"events,omitempty" doc:"number of events it may have; 0: unlimited"`
	Players int `json:"players,omitempty" doc:"players of one event, including the waiting list; 0: unlimited"`
	Streams int `json:"streams,omitempty" doc:"streams that viewers of its events may have open at once, per node; 0: unlimited"`
}

// Texts are the public texts of an organization.
type Texts struct {
	Name    string `json:"name" maxLength:"300"`
	Welcome string `json:"welcome,omitempty" maxLength:"2000" doc:"a line at the top of its pages"`
	Contact string `json:"contact,omitempty" maxLength:"2000" doc:"contact details"`
	Imprint string `json:"imprint,omitempty" maxLength:"4000" doc:"the legal notice of the organizer"`
}

// The maximum lengths of the texts, in characters.
const (
	nameMost    = 80
	lineMost    = 300
	imprintMost = 1000
	limitMost   = 100_000
)

var slugForm = regexp.MustCompile(`^[a-z0-9](?:[a-z0-9-]{0,28}[a-z0-9])$`)

// clean returns the texts in the form in which they are stored, or an error if a text is too long or the name is empty.
func (t Texts) clean() (Texts, error) {
	for _, f := range []struct {
		field string
		text  *string
		most  int
	}{{"name", &t.Name, nameMost}, {"welcome", &t.Welcome, lineMost}, {"contact", &t.Contact, lineMost},
		{"imprint", &t.Imprint, imprintMost}} {
		if *f.text = spelling.Clean(*f.text); utf8.RuneCountInString(*f.text) > f.most {
			return t, refuse.Invalid("err_organization_text", "field", f.field, "most", f.most)
		}
	}
	if t.Name == "" {
		return t, refuse.Invalid("err_organization_name", "most", nameMost)
	}
	return t, nil
}

// notAlike rejects a name that looks like another organization's.
func notAlike(db *gorm.DB, id int64, name string) error {
	others, err := store.All[Organization](db.Where(there).Where("id <> ?", id).Select("name"))
	for _, other := range others {
		if spelling.Skeleton(other.Name) == spelling.Skeleton(name) {
			return refuse.Conflict("err_name_alike", "name", name, "other", other.Name)
		}
	}
	return err
}

func (l Limits) check() error {
	for _, one := range []struct {
		field string
		n     int
	}{{"events", l.Events}, {"players", l.Players}, {"streams", l.Streams}} {
		if one.n < 0 || one.n > limitMost {
			return refuse.Invalid("err_organization_limit", "field", one.field, "most", limitMost)
		}
	}
	return nil
}

// Texts returns the organization's texts.
func (o Organization) Texts() Texts { return Texts{o.Name, o.Welcome, o.Contact, o.Imprint} }

// find returns an organization, or NotFound.
func find(db *gorm.DB, id int64) (Organization, error) {
	return store.ByID[Organization](db.Where(there), "organization", id)
}

// there is the condition that an organization is not being deleted.
const there = "deleting = 0"

// Held is an organization with the number of its tournaments and accounts.
type Held struct {
	Organization
	HasEvents, HasAccounts int
}

// All returns all organizations by name, with the number of their tournaments and accounts. Only the server's
// organizers may call it.
func All(ctx context.Context, s *store.DB, actor rights.Actor) ([]Held, error) {
	if err := rights.Authorize(actor, rights.Place{}, rights.MayHost); err != nil {
		return nil, err
	}
	return store.All[Held](s.Read.WithContext(ctx).Table("organizations").Select(held).Where(there).Order("name, id"))
}

const held = `organizations.*, (SELECT count(*) FROM tournaments t WHERE t.organization_id = organizations.id AND t.practice = '' AND t.rehearses = 0) AS has_events,
	(SELECT count(*) FROM accounts a WHERE a.organization_id = organizations.id AND a.removed_at = 0) AS has_accounts`

// Find returns an organization with the number of its tournaments and accounts, or NotFound. Only its own organizers
// and the server's may call it.
func Find(ctx context.Context, s *store.DB, actor rights.Actor, id int64) (Held, error) {
	if err := rights.Authorize(actor, rights.Place{}, rights.MayManageAccounts); err != nil {
		return Held{}, err
	}
	if err := Within(actor, id); err != nil {
		return Held{}, err
	}
	o, ok, err := store.First[Held](s.Read.WithContext(ctx).Table("organizations").Select(held).Where(there).Where("id = ?", id))
	if err == nil && !ok {
		err = notFound(id)
	}
	return o, err
}

func notFound(id int64) error { return refuse.NotFound("err_organization_not_found", "id", id) }

// BySlug returns the organization with a slug, or NotFound. Anyone may call it.
func BySlug(ctx context.Context, s *store.DB, slug string) (Organization, error) {
	o, ok, err := store.First[Organization](s.Read.WithContext(ctx).Where(there).Where("slug = ?", slug))
	if err == nil && !ok {
		err = refuse.NotFound("err_hosted_unknown")
	}
	return o, err
}

// Public returns the organization with an ID, or NotFound. Anyone may call it.
func Public(ctx context.Context, s *store.DB, id int64) (Organization, error) {
	return find(s.Read.WithContext(ctx), id)
}

// ByNumber returns the organizations by ID, with only their ID, slug and name, for lists of tournaments of several
// organizations.
func ByNumber(ctx context.Context, s *store.DB) (map[int64]Organization, error) {
	all, err := store.All[Organization](s.Read.WithContext(ctx).Where(there).Select("id", "slug", "name"))
	return store.MapOf(all, func(o Organization) (int64, Organization) { return o.ID, o }), err
}

// Within returns NotFound if an organization's official acts on another organization. The error does not reveal whether
// that one exists. The server's officials may act on every organization.
func Within(actor rights.Actor, organization int64) error {
	if actor.Organization != 0 && actor.Organization != organization {
		return notFound(organization)
	}
	return nil
}

// Choose returns the organization for a new object: the one asked for or, for 0, the actor's. Only the server's
// officials may ask for any organization.
func Choose(actor rights.Actor, asked int64) (int64, error) {
	if asked == 0 {
		return actor.Organization, nil
	}
	return asked, Within(actor, asked)
}

// OfficialName returns an official's name as it is stored. In an organization, the name ends with an @ and the slug,
// which distinguishes officials of the same name in different organizations at sign-in and in every record.
func OfficialName(db *gorm.DB, organization int64, name string) (string, error) {
	if organization == 0 {
		_, part, has := cutLast(name)
		if !has {
			return name, nil
		}
		taken, err := hasSlug(db, spelling.Fold(part))
		if err == nil && taken {
			err = refuse.Invalid("err_account_of_organization", "name", name)
		}
		return name, err
	}
	o, err := find(db, organization)
	if first, part, has := cutLast(name); err == nil && has && spelling.Fold(part) == o.Slug {
		name = first
	}
	if name = spelling.Clean(name); err == nil && name == "" {
		err = refuse.Invalid("err_organization_official")
	}
	return name + "@" + o.Slug, err
}

// cutLast splits a name at its last @.
func cutLast(name string) (before, after string, found bool) {
	if i := strings.LastIndex(name, "@"); i >= 0 {
		return name[:i], name[i+1:], true
	}
	return name, "", false
}

func hasSlug(db *gorm.DB, slug string) (bool, error) {
	var n int64
	err := db.Model(&Organization{}).Where("slug = ?", slug).Count(&n).Error
	return n > 0, err
}

// line returns the texts in the form used in records.
func (t Texts) line() string {
	return strings.Join(slices.DeleteFunc([]string{t.Name, t.Welcome, t.Contact, t.Imprint},
		func(s string) bool { return s == "" }), " · ")
}
