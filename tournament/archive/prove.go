package archive

import (
	"errors"
	"fmt"

	"golang.org/x/mod/sumdb/note"

	"meldhall/tournament/transparency"
)

// Proven is what a proof on paper shows.
type Proven struct {
	transparency.Statement
	transparency.Checkpoint
	Server    string
	Witnesses []string // the trusted ones that have cosigned the checkpoint
}

// Prove checks a proof on paper against a policy, which must name the server.
func (p Policy) Prove(text string) (proven Proven, err error) {
	if p.Need > len(p.Witnesses) {
		return proven, errTrust
	}
	proof, err := transparency.ParseProof(text)
	if err != nil {
		return proven, err
	}
	err = errors.New("the policy names no server")
	for _, vkey := range p.Logs {
		key, bad := note.NewVerifier(vkey)
		if bad != nil {
			return proven, fmt.Errorf("the policy's server %.100q: %w", vkey, bad)
		}
		if proven.Statement, proven.Checkpoint, err = proof.Open(key); err == nil {
			proven.Server = key.Name()
			proven.Witnesses, err = p.cosigned(proven.Checkpoint, proof.Checkpoint)
			break
		}
	}
	return proven, err
}
