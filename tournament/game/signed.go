package game

import (
	"context"
	"fmt"

	"meldhall/engine"
	"meldhall/engine/ruleset"
	"meldhall/tournament/signing"
)

// Signature is a device's signature of a command. Seen is the seq of the last event that the device had seen. An empty
// Text means that the command is not signed.
type Signature struct {
	Seen int
	Text string
}

// submission is who submits a command, with the seat and the key of a player, the command's ID in the log and its
// signature.
type submission struct {
	actor, cmd, key string
	seat            int
	signature       Signature
}

// History returns what a device may know of the log so far, see signing.History.
func (s *Snapshot) History() string { return signing.History(s.State.Salt, s.Head) }

// signedBy returns how the command that caused an event was signed, or nothing if it was not, or if the signature does
// not fit.
func (r *runningGame) signedBy(ctx context.Context, snap *Snapshot, e engine.Event, by *submission) (*signing.Signed,
	error) {
	if by.signature.Text == "" || by.key == "" || snap.Ref.Practice != "" {
		return nil, nil
	}
	content, seat, ok := signing.Content(e, snap.State.Turn.Number)
	if !ok || seat != by.seat || by.signature.Seen > snap.State.Seq {
		return nil, nil
	}
	history := snap.History()
	if by.signature.Seen != snap.State.Seq {
		chain, err := r.games.Log.chainAt(ctx, snap.Ref.ID, by.signature.Seen)
		if err != nil {
			return nil, err
		}
		history = signing.History(snap.State.Salt, chain)
	}
	s := &signing.Signed{Key: by.key, Seen: by.signature.Seen, Signature: by.signature.Text,
		Statement: signing.Statement(snap.Statement(seat, by.key), snap.Ref.ID, seat, by.signature.Seen, history,
			content)}
	if !s.Holds() {
		return nil, nil
	}
	return s, nil
}

// Statement returns the statement that the seat's device signed last with a key; it is empty if the seat's last signed
// command has another key.
func (s *Snapshot) Statement(seat int, key string) string {
	if last := s.SignedBy(seat); last.Key == key {
		return last.Statement
	}
	return ""
}

// SignedBy returns the last signed command of a seat, or an empty one.
func (s *Snapshot) SignedBy(seat int) (last signing.Signed) {
	if seat < len(s.Signed) {
		last = s.Signed[seat]
	}
	return last
}

// note notes a signed command that caused an event. turn is the number of the turn before the event.
func (s *Snapshot) note(signed *signing.Signed, e engine.Event, turn int) {
	if signed == nil || signed.Key == "" {
		return
	}
	if _, seat, ok := signing.Content(e, turn); ok && seat < ruleset.MaxSeats {
		all := make([]signing.Signed, ruleset.MaxSeats)
		copy(all, s.Signed)
		all[seat] = *signed
		s.Signed = all
	}
}

// sign notes the signed commands of a tail of the log.
func (s *Snapshot) sign(tail []Entry) {
	for _, e := range tail {
		s.note(&e.Signed, e.Event, 0)
	}
}

// chainAt returns the hash of a game's event; it is empty if there is no such event.
func (l *Log) chainAt(ctx context.Context, game int64, seq int) (chain string, err error) {
	err = l.store.ReadSQL.QueryRowContext(ctx, `SELECT coalesce((SELECT chain FROM game_events
		WHERE game_id = $1 AND seq = $2), '')`, game, seq).Scan(&chain)
	if err != nil {
		return "", fmt.Errorf("read the hash of seq %d of game %d: %w", seq, game, err)
	}
	return chain, nil
}
