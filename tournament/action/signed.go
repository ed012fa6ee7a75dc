package action

import (
	"context"
	"slices"

	"meldhall/tournament/rights"
	"meldhall/tournament/signing"
)

// SignedKind is the kind of records with an official's signature. Such a record is about the record before it in its
// event, or about the event Seq in the log of its game.
var SignedKind = NewKind[signRuling](Kind{Name: "device.signed", Right: rights.MaySeeDesk, Own: true, Guarded: true,
	Details: func() Details { return new(SignedBy) }})

// SignedBy is an official's signature as the detail of a record.
type SignedBy signing.Ruled

// After returns the key.
func (s SignedBy) After() []Phrase { return Typed(s.Key) }

type signatureKey struct{}

type signature struct {
	event int64
	by    signing.Ruled
}

// WithSignature returns a context whose actions in an event are recorded with an official's signature, which must hold.
func WithSignature(ctx context.Context, event int64, by signing.Ruled) context.Context {
	return context.WithValue(ctx, signatureKey{}, signature{event, by})
}

// sign adds the record of the context's signature after the action's first record in the signature's event.
func (tx *Tx) sign(ctx context.Context) {
	s, ok := ctx.Value(signatureKey{}).(signature)
	if !ok || tx.kind == SignedKind || !slices.Contains(rights.OfficialRoles, tx.Actor.Role) {
		return
	}
	at := slices.IndexFunc(tx.entries, func(e Entry) bool { return e.Event == s.event })
	if at >= 0 {
		on := About{Game: tx.entries[at].On.Game}
		tx.entries = slices.Insert(tx.entries, at+1,
			Entry{Kind: SignedKind, Event: s.event, On: on, Is: SignedBy(s.by)})
	}
}

// Ruled records the context's signature of a ruling, whose first event in the log of a game of an event has this seq.
// Without a signature it does nothing.
func (d *Desk) Ruled(ctx context.Context, actor rights.Actor, event, game int64, seq int) error {
	s, ok := ctx.Value(signatureKey{}).(signature)
	if !ok || s.event != event || !slices.Contains(rights.OfficialRoles, actor.Role) {
		return nil
	}
	s.by.Seq = seq
	_, err := d.Do(ctx, actor, signRuling{event, game, s.by})
	return err
}

// signRuling records the signature of a ruling.
type signRuling struct {
	event, game int64
	by          signing.Ruled
}

func (s signRuling) Do(tx *Tx) (none struct{}, err error) {
	tx.Own()
	tx.entries = append(tx.entries, Entry{Event: s.event, On: About{Game: s.game}, Is: SignedBy(s.by)})
	return none, nil
}
