package people

import (
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/signing"
)

// BindKey says with which key the player's device signs commands from now on, see signing.ParseKey. The record shows
// everyone who checks the event when a player's key changed. An official who replaces a device removes its key too
// (ReissueCode); a change without one is allowed, because a browser may lose its data, and stands out in the records.
type BindKey struct {
	Key string `json:"key" minLength:"43" maxLength:"43" doc:"Ed25519 public key as data/record/signature.md writes it"`
}

// BoundKey is the detail of a record about a player's new key.
type BoundKey struct {
	Key string `json:"key"`
}

// After returns the key.
func (b BoundKey) After() []action.Phrase { return action.Typed(b.Key) }

// KeyKind is the kind of the records of BindKey.
var KeyKind = action.NewKind[BindKey](action.Kind{Name: "device.key", Right: rights.MayPlay, Guarded: true, Own: true,
	Changes: []action.What{action.TopicDevices}, Details: func() action.Details { return new(BoundKey) }})

// Do stores and records the key unless it is the player's current one.
func (b BindKey) Do(tx *action.Tx) (none struct{}, err error) {
	me := tx.Actor
	if err := tx.Authorize(rights.Place{Tournament: me.Tournament, Table: me.Table, Seat: me.Seat},
		rights.MayPlay); err != nil {
		return none, err
	}
	if _, err := signing.ParseKey(b.Key); err != nil {
		return none, refuse.Invalid("err_device_key", "why", err.Error())
	}
	player, err := tournament.FindPlayer(tx.DB, me.Player)
	if err != nil || player.DeviceKey == b.Key {
		return none, err
	}
	tx.Record(action.Entry{Event: me.Tournament, On: action.About{Player: player.Number, Name: player.Name},
		Is: BoundKey(b)})
	return none, tx.Model(&tournament.Player{}).Where("id = ?", me.Player).Update("device_key", b.Key).Error
}
