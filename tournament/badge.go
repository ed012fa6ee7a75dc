package tournament

import (
	"context"

	"meldhall/tournament/rights"
)

// ShowPIN shows an official's number or name and PIN on the tablet of a player who does it, to rule in the player's game there. The
// outcome is the official.
type ShowPIN struct {
	Game int64  `json:"game"`
	Who  string `json:"who"`
	PIN  string `json:"pin"`

	official rights.Actor
}

var showPINKind = action[ShowPIN, rights.Actor](ActionKind{Name: "badge.show", Right: rights.MayPlay, Guarded: true, Own: true})

func (ShowPIN) kind() *ActionKind { return showPINKind }

func (p ShowPIN) plan(ctx context.Context, d *Desk, me rights.Actor) (_ Action, err error) {
	if err := rights.Authorize(me, rights.Place{Tournament: me.Tournament, Table: me.Table, Seat: me.Seat}, rights.MayPlay); err != nil {
		return nil, err // a PIN is tried at a table alone
	}
	p.official, err = byPIN(ctx, d.DB, p.Who, p.PIN)
	return p, err
}

func (p ShowPIN) do(tx *Tx) (rights.Actor, error) {
	var game Game
	if err := tx.Take(&game, p.Game).Error; err != nil {
		return rights.Actor{}, missing(err, "game", p.Game)
	}
	me := tx.Actor
	if err := tx.authorize(rights.Place{Tournament: game.TournamentID, Table: game.TableID, Seat: me.Seat}, rights.MayPlay); err != nil {
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
	tx.record(entry{event: game.TournamentID, on: on})
	return p.official, nil
}
