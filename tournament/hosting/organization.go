// Package hosting is the organizations that have this server for their events: whose an event, an account and a format is, what bounds an
// organization, what is read of it in public, and how it is taken out with all that it has. See README.md.
package hosting

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
	"meldhall/tournament/storage"
)

// Organization is one that has this server for its events. Its number is what events, accounts and formats name it by; 0 is the house's,
// which runs the server and has no row.
type Organization struct {
	ID   int64
	Slug string // its part of addresses and of its officials' names, for good
	Name string
	// Welcome, Contact and Imprint are read on its public pages: a line, how it is reached, and what the law wants said.
	Welcome, Contact, Imprint string
	Limits
	CreatedAt engine.Millis `gorm:"autoCreateTime:false"`
	Deleting  bool          // what it has is being taken out; nobody sees it any more
}

// Limits bound an organization; 0: nothing does.
type Limits struct {
	Events  int `json:"events,omitempty" doc:"that it may have; 0: any number"`
	Players int `json:"players,omitempty" doc:"of one event, with those who wait for a place; 0: any number"`
	Streams int `json:"streams,omitempty" doc:"that readers of its events may have open at a time, at each node; 0: any number"`
}

// Texts are what is read of an organization.
type Texts struct {
	Name    string `json:"name" maxLength:"300"`
	Welcome string `json:"welcome,omitempty" maxLength:"2000" doc:"a line at the top of its pages"`
	Contact string `json:"contact,omitempty" maxLength:"2000" doc:"how it is reached"`
	Imprint string `json:"imprint,omitempty" maxLength:"4000" doc:"what has to be said of who runs its events"`
}

// How long the texts may be, in characters.
const (
	nameMost    = 80
	lineMost    = 300
	imprintMost = 1000
	limitMost   = 100_000
)

var slugForm = regexp.MustCompile(`^[a-z0-9](?:[a-z0-9-]{0,28}[a-z0-9])$`)

// clean is the texts as they are kept.
func (t Texts) clean() (Texts, error) {
	for _, f := range []struct {
		field string
		text  *string
		most  int
	}{{"name", &t.Name, nameMost}, {"welcome", &t.Welcome, lineMost}, {"contact", &t.Contact, lineMost}, {"imprint", &t.Imprint, imprintMost}} {
		if *f.text = spelling.Clean(*f.text); utf8.RuneCountInString(*f.text) > f.most {
			return t, refuse.Invalid("err_organization_text", "field", f.field, "most", f.most)
		}
	}
	if t.Name == "" {
		return t, refuse.Invalid("err_organization_name", "most", nameMost)
	}
	return t, nil
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

// Texts are those of an organization.
func (o Organization) Texts() Texts { return Texts{o.Name, o.Welcome, o.Contact, o.Imprint} }

// find gives an organization, or NotFound.
func find(db *gorm.DB, id int64) (Organization, error) {
	return storage.ByID[Organization](db.Where(there), "organization", id)
}

// there are the organizations that are not being taken out.
const there = "deleting = 0"

// Held is an organization and how much it has.
type Held struct {
	Organization
	HasEvents, HasAccounts int
}

// All gives the organizations by name, with what each has; for the house's organizers.
func All(ctx context.Context, s *storage.DB, actor rights.Actor) ([]Held, error) {
	if err := rights.Authorize(actor, rights.Place{}, rights.MayHost); err != nil {
		return nil, err
	}
	return storage.All[Held](s.Read.WithContext(ctx).Table("organizations").Select(held).Where(there).Order("name, id"))
}

const held = `organizations.*, (SELECT count(*) FROM tournaments t WHERE t.organization_id = organizations.id AND t.practice = '' AND t.rehearses = 0) AS has_events,
	(SELECT count(*) FROM accounts a WHERE a.organization_id = organizations.id AND a.removed_at = 0) AS has_accounts`

// Find gives an organization with what it has, or NotFound: to the house's organizers, and to its own.
func Find(ctx context.Context, s *storage.DB, actor rights.Actor, id int64) (Held, error) {
	if err := rights.Authorize(actor, rights.Place{}, rights.MayManageAccounts); err != nil {
		return Held{}, err
	}
	if err := Within(actor, id); err != nil {
		return Held{}, err
	}
	o, ok, err := storage.First[Held](s.Read.WithContext(ctx).Table("organizations").Select(held).Where(there).Where("id = ?", id))
	if err == nil && !ok {
		err = notFound(id)
	}
	return o, err
}

func notFound(id int64) error { return refuse.NotFound("err_organization_not_found", "id", id) }

// BySlug gives an organization to everybody, or NotFound.
func BySlug(ctx context.Context, s *storage.DB, slug string) (Organization, error) {
	o, ok, err := storage.First[Organization](s.Read.WithContext(ctx).Where(there).Where("slug = ?", slug))
	if err == nil && !ok {
		err = refuse.NotFound("err_hosted_unknown")
	}
	return o, err
}

// Public gives an organization to everybody, or NotFound.
func Public(ctx context.Context, s *storage.DB, id int64) (Organization, error) {
	return find(s.Read.WithContext(ctx), id)
}

// ByNumber are the organizations by their numbers, as everybody reads them where events of several are listed: short name and name.
func ByNumber(ctx context.Context, s *storage.DB) (map[int64]Organization, error) {
	all, err := storage.All[Organization](s.Read.WithContext(ctx).Where(there).Select("id", "slug", "name"))
	return storage.MapOf(all, func(o Organization) (int64, Organization) { return o.ID, o }), err
}

// Within lets the house's officials at every organization, those of one at their own; of others nobody is told whether they are there.
func Within(actor rights.Actor, organization int64) error {
	if actor.Organization != 0 && actor.Organization != organization {
		return notFound(organization)
	}
	return nil
}

// Choose is the organization of something new: the one that was asked for, by the house's officials alone, else that of who makes it.
func Choose(actor rights.Actor, asked int64) (int64, error) {
	if asked == 0 {
		return actor.Organization, nil
	}
	return asked, Within(actor, asked)
}

// OfficialName is the name of an official as it is kept: in an organization with its part after an @, by which two of a name in two of them are
// told apart at the sign-in and in every record.
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
	if name = strings.TrimSpace(name); err == nil && name == "" {
		err = refuse.Invalid("err_organization_official")
	}
	return name + "@" + o.Slug, err
}

// cutLast cuts a name at its last @.
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

// line is the texts as a record keeps them.
func (t Texts) line() string {
	return strings.Join(slices.DeleteFunc([]string{t.Name, t.Welcome, t.Contact, t.Imprint}, func(s string) bool { return s == "" }), " · ")
}
