package people

import (
	"context"

	"meldhall/tournament"
	"meldhall/tournament/account"
	"meldhall/tournament/action"
	"meldhall/tournament/rights"
)

// ShowPIN identifies an official by number or name and PIN on a player's tablet, so that the official can rule in that
// player's game. The outcome is the official.
type ShowPIN struct {
	Game int64  `json:"game"`
	Who  string `json:"who"`
	PIN  string `json:"pin"`

	official rights.Actor
}

var _ = action.NewKind[ShowPIN](action.Kind{Name: "badge.show", Right: rights.MayPlay, Guarded: true, Own: true})

func (p ShowPIN) Plan(ctx context.Context, d *action.Desk, me rights.Actor) (_ action.Action, err error) {
	if err := rights.Authorize(me, rights.Place{Tournament: me.Tournament, Table: me.Table, Seat: me.Seat},
		rights.MayPlay); err != nil {
		return nil, err // a PIN may be tried only at a table
	}
	p.official, err = account.ByPIN(ctx, d.DB, p.Who, p.PIN)
	return p, err
}

func (p ShowPIN) Do(tx *action.Tx) (rights.Actor, error) {
	game, err := tournament.FindGame(tx.DB, p.Game)
	if err != nil {
		return rights.Actor{}, err
	}
	me := tx.Actor
	if err := tx.Authorize(rights.Place{Tournament: game.TournamentID, Table: game.TableID, Seat: me.Seat},
		rights.MayPlay); err != nil {
		return rights.Actor{}, err
	}
	on, names, err := tournament.AboutGame(tx.DB, game.ID)
	if err != nil {
		return rights.Actor{}, err
	}
	if me.Seat >= 0 && me.Seat < len(names) {
		on.Player, on.Name = on.Players[me.Seat], names[me.Seat]
	}
	tx.Actor = p.official
	tx.Record(action.Entry{Event: game.TournamentID, On: on})
	return p.official, nil
}
