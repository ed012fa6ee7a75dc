package api

import (
	"context"

	"meldhall/engine"
	"meldhall/tournament/security"
)

// SecurityInput selects a part of the security log.
type SecurityInput struct {
	Kind   string `query:"kind" enum:"sign_in,refused,throttled,foreign,forged,denied,input,rights"`
	Before int64  `query:"before" minimum:"0" doc:"only entries older than this id"`
}

// SecurityView is a part of the security log, the newest entries first.
type SecurityView struct {
	More    bool                `json:"more" doc:"there are older entries; pass the id of the last one as before to get them"`
	Entries []SecurityEntryView `json:"entries"`
}

// SecurityEntryView is an event in the security log, with its number of occurrences from At to Last.
type SecurityEntryView struct {
	ID      int64         `json:"id"`
	At      engine.Millis `json:"at"`
	Last    engine.Millis `json:"last"`
	Times   int           `json:"times"`
	Kind    string        `json:"kind" enum:"sign_in,refused,throttled,foreign,forged,denied,input,rights"`
	Name    string        `json:"name,omitempty" doc:"the official's name"`
	Address string        `json:"address,omitempty"`
	What    string        `json:"what" doc:"the kind of secret, the URL, or the kind of action"`
	About   string        `json:"about,omitempty" doc:"the account an action concerns"`
}

// securityMost is the largest number of entries in a response.
const securityMost = 200

func (a *api) apiSecurity(ctx context.Context, in *SecurityInput) (*with[SecurityView], error) {
	list, more, err := security.Entries(ctx, a.View.Store, a.Request.Staff(requestOf(ctx)), security.Kind(in.Kind),
		in.Before,
		securityMost)
	if err != nil {
		return nil, err
	}
	view := SecurityView{More: more, Entries: viewsOf(list, func(e security.Entry) SecurityEntryView {
		return SecurityEntryView{e.ID, e.At, e.Last, e.Times, string(e.Kind), e.Name, e.Address, e.What, e.About}
	})}
	return answer(view, nil)
}
