package account

import (
	"fmt"
	"slices"

	"gorm.io/gorm"

	"meldhall/tournament/action"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/store"
)

// Limits of an official's rights: the tournaments that the account serves, and the tables of its zone.

// SetEvents limits an official to tournaments, by ID; none means all. The last organizer of all tournaments can't be
// limited.
type SetEvents struct {
	Account int64   `json:"account,omitempty" path:"id" minimum:"1"`
	Events  []int64 `json:"events" maxItems:"1000" doc:"tournaments that the account may access; none: all"`
}

var _ = action.NewKind[SetEvents](action.Kind{Name: "account.events", Right: rights.MayManageAccounts,
	Details: action.Keep[served]})

// served is what a record keeps of the tournaments that an official serves: their names at the time.
type served struct {
	Was []string `json:"was,omitempty"`
	Is  []string `json:"is,omitempty"`
}

// Before describes the tournaments until then.
func (s served) Before() []action.Phrase { return tellEvents(s.Was) }

// After describes the tournaments from then on.
func (s served) After() []action.Phrase { return tellEvents(s.Is) }

func tellEvents(names []string) []action.Phrase {
	if len(names) == 0 {
		return []action.Phrase{action.Say("log.is.every_event")}
	}
	phrases := make([]action.Phrase, len(names))
	for i, name := range names {
		phrases[i] = action.Typed(name)[0]
	}
	return phrases
}

func (e SetEvents) Do(tx *action.Tx) (Account, error) {
	account, err := administered(tx.DB, tx.Actor, e.Account)
	if err != nil {
		return account, err
	}
	var events []int64 // nil if none, which is stored as NULL
	events = append(events, e.Events...)
	slices.Sort(events)
	if events = slices.Compact(events); slices.Equal(events, account.Events) {
		return account, nil
	}
	if len(events) > 0 {
		if err := anotherOrganizer(tx.DB, account); err != nil {
			return account, err
		}
	}
	is, err := eventNames(tx.DB, account.OrganizationID, events)
	if err != nil {
		return account, err
	}
	was, err := eventNames(tx.DB, account.OrganizationID, account.Events)
	if err != nil {
		return account, err
	}
	account.Events = events
	aboutAccount(tx, account, served{was, is})
	return account, tx.Model(&account).Select("events").Updates(&account).Error
}

// eventNames returns the names of tournaments by ID, or NotFound if one does not exist or does not belong to the
// organization.
func eventNames(db *gorm.DB, organization int64, events []int64) (names []string, err error) {
	for _, id := range events {
		var found []string
		q := db.Table("tournaments").Where("id = ? AND removed_at = 0 AND practice = ''", id)
		if organization != 0 {
			q = q.Where("organization_id = ?", organization)
		}
		if err := q.Pluck("name", &found).Error; err != nil {
			return nil, err
		}
		if len(found) == 0 {
			return nil, refuse.NotFound("err_tournament_not_found", "id", id)
		}
		names = append(names, found[0])
	}
	return names, nil
}

// kept are the roles that a tournament may limit to their zones.
var kept = []rights.Role{rights.RoleReferee, rights.RoleScorekeeper}

// limitsOf returns the limits of an account's rights, or nil if there are none.
func limitsOf(db *gorm.DB, a Account) (*rights.Limits, error) {
	limits := rights.Limits{Events: a.Events, Tables: map[int64][]int{}}
	if err := limitEvents(db, a, &limits); err != nil {
		return nil, err
	}
	if slices.Contains(kept, a.Role) {
		type zone struct {
			TournamentID int64
			Tables       string
		}
		zones, err := store.All[zone](db.Table("zones").Select("tournament_id", "tables").
			Where("account_id = ? AND tournament_id IN (SELECT id FROM tournaments WHERE zones_bind <> 0)", a.ID))
		if err != nil {
			return nil, err
		}
		for _, z := range zones {
			if limits.Tables[z.TournamentID], err = rights.ParseTables(z.Tables); err != nil {
				return nil, fmt.Errorf("zone of account %d in tournament %d: %w", a.ID, z.TournamentID, err)
			}
		}
	}
	if a.OrganizationID == 0 && len(a.Events) == 0 && len(limits.Tables) == 0 && len(limits.Apart) == 0 {
		return nil, nil
	}
	return &limits, nil
}

// Every request checks its actor. These queries use only the index of organizations' tournaments, regardless of the
// number of practice tables.
const (
	ofOrganization  = `SELECT id FROM tournaments WHERE organization_id = ? AND organization_id <> 0 ORDER BY id`
	ofOrganizations = `SELECT id FROM tournaments WHERE organization_id <> 0 ORDER BY organization_id, id`
)

// limitEvents finds the tournaments to which an account's rights are limited: those set for the account, with their
// rehearsals, or else those of its organization. Without such a limit, the server's organizers may access all
// tournaments, and its other officials all except those of organizations.
func limitEvents(db *gorm.DB, a Account, limits *rights.Limits) error {
	switch {
	case len(a.Events) > 0:
		var there []int64
		q := db.Table("tournaments").Where("(id IN ? OR rehearses IN ?)", a.Events, a.Events)
		if a.OrganizationID != 0 {
			q = q.Where("organization_id = ?", a.OrganizationID)
		}
		err := q.Order("id").Pluck("id", &there).Error
		if len(there) > 0 { // otherwise none of them exists, which does not mean all
			limits.Events = there
		}
		return err
	case a.OrganizationID != 0:
		limits.Whole = true
		return db.Raw(ofOrganization, a.OrganizationID).Scan(&limits.Events).Error
	case a.Role != rights.RoleOrganizer:
		return db.Raw(ofOrganizations).Scan(&limits.Apart).Error
	}
	return nil
}
