// Package privacy handles the personal data of a tournament: how players are named in public, which data a person may
// request, the erasure of a person, and how long data is retained.
package privacy

import (
	"slices"

	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/displayname"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/store"
)

// NamePlayer sets how a player is named in public, that is, for everyone except officials and the people at the
// player's own tables.
type NamePlayer struct {
	Player int64  `json:"player,omitempty" path:"id" minimum:"1"`
	Way    string `json:"way" doc:"whole, short or number: Anna Berg, Anna B. or № 17"`
}

var _ = action.NewKind[NamePlayer](action.Kind{Name: "player.naming", Right: rights.MayEditRoster, Changes: changes,
	Details: action.Steps("naming.")})

var changes = []action.What{action.TopicPeople, action.TopicSeats, action.TopicStandings}

func (n NamePlayer) Do(tx *action.Tx) (tournament.Player, error) {
	player, err := store.ByID[tournament.Player](tx.Omit("email"), "player", n.Player)
	if err != nil {
		return player, err
	}
	return name(tx, player, n.Way)
}

// NameOwn is NamePlayer for the holder of the player's ticket.
type NameOwn struct {
	Ticket string `json:"ticket,omitempty" path:"ticket"`
	Way    string `json:"way" doc:"whole, short or number: Anna Berg, Anna B. or № 17"`
}

var _ = action.NewKind[NameOwn](action.Kind{Name: "player.naming_own", Right: rights.MayEditRoster, Own: true,
	Guarded: true, Changes: changes, Details: action.Steps("naming.")})

func (n NameOwn) Do(tx *action.Tx) (tournament.Player, error) {
	player, ok, err := store.First[tournament.Player](tx.Omit("email").Where("ticket = ?", n.Ticket))
	if err == nil && (!ok || n.Ticket == "") {
		err = refuse.NotFound("err_ticket_wrong")
	}
	if err != nil {
		return player, err
	}
	if tx.Authorize(rights.Place{Tournament: player.TournamentID}, rights.MayEditRoster) != nil {
		tx.Actor = rights.Public()
	}
	return name(tx, player, n.Way)
}

func name(tx *action.Tx, player tournament.Player, way string) (tournament.Player, error) {
	if !slices.Contains(displayname.Ways, way) {
		return player, refuse.Invalid("err_naming_way", "way", way)
	}
	if player.Public == way {
		return player, nil
	}
	tx.Record(action.Entry{Event: player.TournamentID, On: action.About{Player: player.Number, Name: player.Name},
		Is: action.Step{Was: player.Public, Is: way}})
	player.Public = way
	return player, tx.Model(&player).Update("public", way).Error
}
