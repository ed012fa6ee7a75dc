// Package privacy is what an event does with what it holds of people: how they are called in public, what is handed to who asks for
// it, what is taken out again, and when.
package privacy

import (
	"slices"

	"meldhall/tournament"
	"meldhall/tournament/door"
	"meldhall/tournament/naming"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/storage"
)

// NamePlayer says how a player is called in public: everywhere but before the officials and those at the player's own tables.
type NamePlayer struct {
	Player int64  `json:"player,omitempty" path:"id" minimum:"1"`
	Way    string `json:"way" doc:"whole, short or number: Anna Berg, Anna B. or № 17"`
}

var _ = door.NewKind[NamePlayer](door.Kind{Name: "player.naming", Right: rights.MayEditRoster, Changes: changes, Details: door.Steps("naming.")})

var changes = []door.What{door.TopicPeople, door.TopicSeats, door.TopicStandings}

func (n NamePlayer) Do(tx *door.Tx) (tournament.Player, error) {
	player, err := storage.ByID[tournament.Player](tx.Omit("email"), "player", n.Player)
	if err != nil {
		return player, err
	}
	return name(tx, player, n.Way)
}

// NameOwn is NamePlayer for who has the player's ticket.
type NameOwn struct {
	Ticket string `json:"ticket,omitempty" path:"ticket"`
	Way    string `json:"way" doc:"whole, short or number: Anna Berg, Anna B. or № 17"`
}

var _ = door.NewKind[NameOwn](door.Kind{Name: "player.naming_own", Right: rights.MayEditRoster, Own: true, Guarded: true, Changes: changes, Details: door.Steps("naming.")})

func (n NameOwn) Do(tx *door.Tx) (tournament.Player, error) {
	player, ok, err := storage.First[tournament.Player](tx.Omit("email").Where("ticket = ?", n.Ticket))
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

func name(tx *door.Tx, player tournament.Player, way string) (tournament.Player, error) {
	if !slices.Contains(naming.Ways, way) {
		return player, refuse.Invalid("err_naming_way", "way", way)
	}
	if player.Public == way {
		return player, nil
	}
	tx.Record(door.Entry{Event: player.TournamentID, On: door.About{Player: player.Number, Name: player.Name}, Is: door.Step{Was: player.Public, Is: way}})
	player.Public = way
	return player, tx.Model(&player).Update("public", way).Error
}
