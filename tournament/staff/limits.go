package staff

import (
	"fmt"
	"slices"

	"gorm.io/gorm"

	"meldhall/tournament/door"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/storage"
)

// Where an official's rights end: at the events that the account serves, and at the tables of its zone.

// SetEvents limits an official to events, by their numbers; none: every event. The last organizer of all events stays one.
type SetEvents struct {
	Account int64   `json:"account,omitempty" path:"id" minimum:"1"`
	Events  []int64 `json:"events" maxItems:"1000" doc:"the tournaments that the account serves; none: every one"`
}

var _ = door.NewKind[SetEvents](door.Kind{Name: "account.events", Right: rights.MayManageAccounts, Details: door.Keep[served]})

// served is what a record keeps of the events that an official serves: their names as they were then.
type served struct {
	Was []string `json:"was,omitempty"`
	Is  []string `json:"is,omitempty"`
}

// Before tells the events so far.
func (s served) Before() []door.Phrase { return tellEvents(s.Was) }

// After tells the events from now on.
func (s served) After() []door.Phrase { return tellEvents(s.Is) }

func tellEvents(names []string) []door.Phrase {
	if len(names) == 0 {
		return []door.Phrase{door.Say("log.is.every_event")}
	}
	phrases := make([]door.Phrase, len(names))
	for i, name := range names {
		phrases[i] = door.Typed(name)[0]
	}
	return phrases
}

func (e SetEvents) Do(tx *door.Tx) (Account, error) {
	account, err := administered(tx.DB, tx.Actor, e.Account)
	if err != nil {
		return account, err
	}
	var events []int64 // nil for none, which is stored as NULL
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

// eventNames gives the names of events by their numbers, NotFound for one that is not there, or is another's than the organization's.
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

// kept are the roles that an event may keep to their zones.
var kept = []rights.Role{rights.RoleReferee, rights.RoleScorekeeper}

// limitsOf gives where an account's rights end, nil for nowhere.
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
		zones, err := storage.All[zone](db.Table("zones").Select("tournament_id", "tables").
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

// Who asks is looked at with every request: these are answered by the index of organizations' events alone, however many practice tables lie
// beside them.
const (
	ofOrganization  = `SELECT id FROM tournaments WHERE organization_id = ? AND organization_id <> 0 ORDER BY id`
	ofOrganizations = `SELECT id FROM tournaments WHERE organization_id <> 0 ORDER BY organization_id, id`
)

// limitEvents finds the events at which an account's rights end, with their rehearsals: those that it is limited to, else those of its
// organization; the house's organizers, who run the server, go everywhere, its other officials to no organization's event.
func limitEvents(db *gorm.DB, a Account, limits *rights.Limits) error {
	switch {
	case len(a.Events) > 0:
		var there []int64
		q := db.Table("tournaments").Where("(id IN ? OR rehearses IN ?)", a.Events, a.Events)
		if a.OrganizationID != 0 {
			q = q.Where("organization_id = ?", a.OrganizationID)
		}
		err := q.Order("id").Pluck("id", &there).Error
		if len(there) > 0 { // else none of them is there, which is not the same as all
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
