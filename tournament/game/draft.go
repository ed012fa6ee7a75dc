package game

import (
	"context"

	"meldhall/engine"
	"meldhall/tournament/rights"
)

// Draft is the working table of a turn: what a player has moved and not submitted. It is no event; it
// is shown live to the table and thrown away with the turn.
type Draft struct {
	Turn      int                `json:"turn"`
	Seat      int                `json:"seat"`
	Table     []engine.LaidFaces `json:"table"`
	Disturbed bool               `json:"disturbed"`
	Number    int                `json:"number"` // grows with every change, over the whole game
	From      Sender             `json:"-"`
}

// Sender is the device that a draft comes from, with that device's own count, which grows: of two drafts of one device the
// one with the greater count is the newer, in whatever order a bad network brings them. The zero Sender is always newest.
type Sender struct {
	Device string `json:"device,omitempty" maxLength:"64" doc:"a name that the device has made for itself"`
	Count  int64  `json:"count,omitempty" doc:"grows with every draft of the device"`
}

func (s Sender) before(newest *Draft, turn int) bool {
	return s.Device != "" && newest != nil && newest.Turn == turn && newest.From.Device == s.Device && s.Count < newest.From.Count
}

// DraftAnswer is the engine's verdict on a draft, with the game as it then stands; a refusal comes with the one that it was
// decided on.
type DraftAnswer struct {
	engine.Verdict
	Snapshot *Snapshot
}

// SetDraft keeps what a player has moved in the running turn and gives the engine's verdict on it. One that comes after a
// newer one of the same device is judged and not kept.
func (g *Games) SetDraft(ctx context.Context, actor rights.Actor, game int64, turn int, table []engine.LaidFaces, from Sender) (DraftAnswer, error) {
	r, err := g.find(ctx, game)
	if err != nil {
		return DraftAnswer{}, err
	}
	play := engine.Play{Seat: actor.Seat, Turn: turn, Table: table}
	if err := authorizeCommand(actor, r.now.Load().Ref, play); err != nil {
		return DraftAnswer{}, err
	}
	if err := checkSize(table); err != nil {
		return DraftAnswer{}, err
	}
	for {
		old := r.now.Load()
		snap := *old
		if snap.State.Phase != engine.PhasePlaying || snap.State.Turn.Seat != play.Seat || snap.State.Turn.Number != turn {
			return DraftAnswer{Snapshot: old}, &engine.Refusal{Code: engine.RefusedStaleTurn, Set: -1}
		}
		if from.before(old.Draft, turn) {
			return DraftAnswer{engine.JudgePlay(old.State, play), old}, nil
		}
		snap.DraftNumber++
		snap.Draft = &Draft{Turn: turn, Seat: play.Seat, Table: table, Number: snap.DraftNumber, From: from}
		snap.Draft.Disturbed = !engine.SameSets(snap.State.Table, table)
		if r.now.CompareAndSwap(old, &snap) {
			g.noteDraft(old, &snap)
			g.Moved(snap.Ref)
			return DraftAnswer{engine.JudgePlay(snap.State, play), &snap}, nil
		}
	}
}

func (s *Snapshot) disturbed() bool {
	return s.Draft != nil && s.Draft.Turn == s.State.Turn.Number && s.Draft.Disturbed
}
