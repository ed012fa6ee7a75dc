package request

import (
	"context"
	"encoding/json"

	"github.com/gin-gonic/gin"

	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/people"
	"meldhall/tournament/rights"
	"meldhall/tournament/rosterfile"
	"meldhall/web/guard"
)

// PeopleBody is an action on the people of a tournament.
type PeopleBody struct {
	Kind     string                       `json:"kind" doc:"enter, check_in, check_out, all_here, remove_absent, leave, no_show, back, move_up, substitute, return, fix_table, close_table, open_table, missed, correct or settings"`
	Player   int64                        `json:"player,omitempty"`
	Other    int64                        `json:"other,omitempty" doc:"substitute: a player on the waiting list"`
	Number   int                          `json:"number,omitempty" doc:"fix_table, close_table, open_table: the table's number; missed: the round's number"`
	Points   int                          `json:"points,omitempty" doc:"missed: the points charged to the player for the round"`
	Now      bool                         `json:"now,omitempty" doc:"leave: give up the seat in the running game"`
	Keep     string                       `json:"keep,omitempty" doc:"substitute: entry (the results stay with the entry, the default) or person"`
	Settings *tournament.PeopleSettingsOf `json:"settings,omitempty"`
	Why      string                       `json:"why,omitempty" maxLength:"500"`
	Preview  bool                         `json:"preview,omitempty" doc:"return the effects without changing anything"`

	Entries []EntryBody `json:"entries,omitempty" maxItems:"5000" doc:"enter: new players; substitute, correct: one"`
}

// EntryBody is a person who enters.
type EntryBody struct {
	Name    string `json:"name" maxLength:"500"`
	Country string `json:"country,omitempty" maxLength:"500"`
	Club    string `json:"club,omitempty" maxLength:"500"`
	Email   string `json:"email,omitempty" maxLength:"500"`

	Division string `json:"division,omitempty" maxLength:"500" doc:"set by organizers; ignored in a registration"`
	Family   string `json:"family,omitempty" maxLength:"500" doc:"players with the same value are kept apart; visible to organizers only"`
	Mark     string `json:"mark,omitempty" maxLength:"500" doc:"distinguishes players with the same name and country, at most 24 characters; shown after the name"`

	FederationNumber string `json:"federation_number,omitempty" maxLength:"500" doc:"number in a federation's register"`
}

// action returns the action that a body requests in a tournament. Fields that the action does not have are ignored.
func (b PeopleBody) action(tournamentID int64) (action.ActionOf[people.PeopleOutcome], error) {
	fields, err := json.Marshal(struct {
		PeopleBody
		Tournament int64 `json:"tournament"`
	}{b, tournamentID})
	if err != nil {
		return nil, err
	}
	return people.PeopleAction(b.Kind, fields)
}

// PeopleDo performs an action on people, or previews it.
func PeopleDo(ctx context.Context, desk *action.Desk, actor rights.Actor, tournamentID int64,
	b PeopleBody) (people.PeopleOutcome, error) {
	if !people.IsPeopleKind(b.Kind) { // unauthorized callers do not learn which kinds exist
		if err := rights.Authorize(actor, rights.Place{Tournament: tournamentID}, rights.MayEditRoster); err != nil {
			return people.PeopleOutcome{}, err
		}
	}
	a, err := b.action(tournamentID)
	if err != nil {
		return people.PeopleOutcome{}, err
	}
	return DoOr(ctx, desk, actor, b.Preview, a)
}

// Entry returns the player's entry in the body.
func (b EntryBody) Entry() rosterfile.PlayerEntry {
	return rosterfile.PlayerEntry{Name: b.Name, Country: b.Country, Club: b.Club, Email: b.Email, Division: b.Division,
		Family: b.Family, Mark: b.Mark, FederationNumber: b.FederationNumber}
}

// Register enters a player. The number of entries from one address is limited to a few per minute.
func (s *Base) Register(c *gin.Context, tournamentID int64, entry rosterfile.PlayerEntry) (tournament.Player, error) {
	if err := s.entries.Spend("address " + guard.Network(c.ClientIP())); err != nil {
		return tournament.Player{}, err
	}
	return action.Do(c.Request.Context(), s.Desk, s.Staff(c),
		people.Register{Tournament: tournamentID, PlayerEntry: entry})
}
