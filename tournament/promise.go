package tournament

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"meldhall/engine"
	"meldhall/tournament/action"
	"meldhall/tournament/pairing"
)

// A SeedPromise commits to the seed of a round's draw, or of the tournament's nth lot, before the draw. Hash is the
// SHA-256 of Text. Text is shown once the lot is drawn, or once the round and all rounds planned with it are published.
// A lot whose seed was not promised has no SeedPromise. Method is the promised method; empty means the one that would
// be used anyway.
type SeedPromise struct {
	TournamentID int64
	Round        int // 0 for a lot
	Lot          int // 0 for a round
	Method       string
	Seed         int64
	Salt         string
	Hash         string
	Actor        string
	At           engine.Millis
}

// TableName returns "seed_promises".
func (SeedPromise) TableName() string { return "seed_promises" }

// Text returns the text whose SHA-256 is Hash.
func (p SeedPromise) Text() string {
	if p.Lot != 0 {
		return fmt.Sprintf("meldhall lot %d, seed %d, salt %s", p.Lot, p.Seed, p.Salt)
	}
	if p.Method != "" {
		return fmt.Sprintf("meldhall draw, round %d, method %s, seed %d, salt %s", p.Round, p.Method, p.Seed, p.Salt)
	}
	return fmt.Sprintf("meldhall draw, round %d, seed %d, salt %s", p.Round, p.Seed, p.Salt)
}

// Bound is the audit record of a promise. It omits the seed, which is not public yet. Was is the text of the replaced
// promise, which is public.
type Bound struct {
	Method string `json:"method,omitempty"`
	Hash   string `json:"hash"`
	Was    string `json:"was,omitempty"`
}

// Before returns the replaced promise.
func (b Bound) Before() []action.Phrase {
	if b.Was == "" {
		return nil
	}
	return []action.Phrase{action.Tell(b.Was)}
}

// After returns the hash, and the method if it was promised too.
func (b Bound) After() []action.Phrase {
	return []action.Phrase{action.Tell(append(action.SayWord("method.", b.Method), action.Tell(b.Hash)))}
}

// Bind sets the promise's seed, a random salt and the hash, and the actor and the time of tx.
func (p *SeedPromise) Bind(tx *action.Tx, seed int64) {
	salt := make([]byte, 16)
	rand.Read(salt) // never fails
	p.Seed, p.Salt, p.Actor, p.At = seed, hex.EncodeToString(salt), tx.Actor.String(), tx.Now()
	sum := sha256.Sum256([]byte(p.Text()))
	p.Hash = hex.EncodeToString(sum[:])
}

// The outcomes of a promise once its round is published.
const (
	PromiseKept    = "kept"    // drawn with the promised seed
	PromiseChanged = "changed" // drawn with the promised seed, then changed by hand
	PromiseBroken  = "broken"  // drawn with another seed
)

// ToldPromise is a promise as the public sees it. Kept is set once the round is published or the lot drawn. Text and
// Seed are then set too, unless later rounds are planned with the seed.
type ToldPromise struct {
	Round   int           `json:"round" doc:"0 for a lot"`
	Lot     int           `json:"lot,omitempty" doc:"the number of the lot, from 1; 0 for a round"`
	Method  string        `json:"method,omitempty" doc:"the seating method, if it is part of the commitment"`
	At      engine.Millis `json:"-"`
	Hash    string        `json:"hash" doc:"SHA-256 of the text, in hexadecimal"`
	Text    string        `json:"text,omitempty"`
	Seed    int64         `json:"seed,omitempty"`
	Kept    string        `json:"kept,omitempty" enum:"kept,changed,broken" doc:"changed: drawn with this seed, then changed by hand; broken: drawn with another one"`
	Changes int           `json:"-"` // by hand, after the draw
}

// Told returns the public view of a promise; a lot is treated as not drawn yet. drawn is the promised round, or Round{}
// if it is not drawn yet.
func (p SeedPromise) Told(drawn Round) ToldPromise {
	told := ToldPromise{Round: p.Round, Lot: p.Lot, Method: p.Method, At: p.At, Hash: p.Hash}
	if p.Round == 0 || drawn.Number != p.Round || drawn.Status == RoundDraft {
		return told
	}
	told.Changes, told.Kept = drawn.Changes, p.KeptBy(drawn)
	if !drawn.Sealed {
		told.Text, told.Seed = p.Text(), p.Seed
	}
	return told
}

// KeptBy returns whether a round was drawn as promised: PromiseKept, PromiseChanged or PromiseBroken.
func (p SeedPromise) KeptBy(r Round) string {
	switch {
	case p.Seed != r.Seed, p.Method != "" && p.Method != r.Method, !slices.Contains(pairing.Automatic, r.Method):
		return PromiseBroken
	case r.Changes > 0:
		return PromiseChanged
	}
	return PromiseKept
}

// SpentOn reports whether the promise was made before seats of the draft were published and withdrawn.
func (p SeedPromise) SpentOn(draft Round) bool { return draft.ChangedAt != 0 && p.At < draft.ChangedAt }
