package view

import (
	"meldhall/templates/play"
	"meldhall/tournament/game"
	"meldhall/tournament/rights"
)

// NewSign returns what a player's device needs to sign its next command, or nil for other devices. Practice tables keep
// no records that anyone would check.
func NewSign(me rights.Actor, snap *game.Snapshot) *play.Sign {
	if me.Role != rights.RolePlayer || me.Practice || me.Seat < 0 || snap.State.Physical {
		return nil
	}
	last := snap.SignedBy(me.Seat)
	return &play.Sign{Player: me.Player, Key: me.Key, Seen: snap.State.Seq, History: snap.History(),
		Last: last.Key, Statement: last.Statement}
}
