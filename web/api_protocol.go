package web

import (
	"context"

	"meldhall/templates"
	"meldhall/tournament"
)

// ProtocolView is a protocol with the proofs of its charges.
type ProtocolView struct {
	templates.Protocol
	Protests []ProtestView             `json:"protests,omitempty"`
	Openings []tournament.OpeningProof `json:"openings,omitempty" doc:"why those who never opened are charged so"`
}

func (a *api) apiProtocol(ctx context.Context, in *IDPath) (*with[ProtocolView], error) {
	p, err := tournament.ProtocolOf(ctx, a.games, a.staff(requestOf(ctx)), in.ID)
	if err != nil {
		return nil, err
	}
	view, _, err := a.protocol(ctx, p)
	return answer(ProtocolView{view, viewsOf(p.Protests, protestView), p.Openings}, err)
}
