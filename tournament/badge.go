package tournament

import (
	"context"

	"meldhall/tournament/door"
	"meldhall/tournament/rights"
	"meldhall/tournament/staff"
)

// ShowPIN shows an official's number or name and PIN on the tablet of a player who does it, to rule in the player's game there. The
// outcome is the official.
type ShowPIN struct {
	Game int64  `json:"game"`
	Who  string `json:"who"`
	PIN  string `json:"pin"`

	official rights.Actor
}

var _ = door.NewKind[ShowPIN](door.Kind{Name: "badge.show", Right: rights.MayPlay, Guarded: true, Own: true})

func (p ShowPIN) Plan(ctx context.Context, d *door.Desk, me rights.Actor) (_ door.Action, err error) {
	if err := rights.Authorize(me, rights.Place{Tournament: me.Tournament, Table: me.Table, Seat: me.Seat}, rights.MayPlay); err != nil {
		return nil, err // a PIN is tried at a table alone
	}
	p.official, err = staff.ByPIN(ctx, d.DB, p.Who, p.PIN)
	return p, err
}

func (p ShowPIN) Do(tx *door.Tx) (rights.Actor, error) {
	game, err := findGame(tx.DB, p.Game)
	if err != nil {
		return rights.Actor{}, err
	}
	me := tx.Actor
	if err := tx.Authorize(rights.Place{Tournament: game.TournamentID, Table: game.TableID, Seat: me.Seat}, rights.MayPlay); err != nil {
		return rights.Actor{}, err
	}
	on, names, err := aboutGame(tx.DB, game.ID)
	if err != nil {
		return rights.Actor{}, err
	}
	if me.Seat >= 0 && me.Seat < len(names) {
		on.Player, on.Name = on.Players[me.Seat], names[me.Seat]
	}
	tx.Actor = p.official
	tx.Record(door.Entry{Event: game.TournamentID, On: on})
	return p.official, nil
}
