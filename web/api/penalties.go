package api

import (
	"context"

	"meldhall/engine"
	"meldhall/engine/score"
	"meldhall/tournament/action"
	"meldhall/tournament/result"
)

// SanctionBody is the request to give a player a penalty that belongs to no table.
type SanctionBody struct {
	result.PenaltyGrounds
	Kind   string `json:"kind" enum:"points,disqualification"`
	Points int    `json:"points,omitempty" doc:"whole points off the tournament total"`
}

// SanctionView is a penalty with the later decisions about it. Penalties and decisions are never changed or deleted.
type SanctionView struct {
	ID        int64         `json:"id"`
	Player    PlayerView    `json:"player"`
	Game      int64         `json:"game_id,omitempty"`
	Round     int           `json:"round" doc:"the current round; 0: before the first"`
	Kind      string        `json:"kind" enum:"points,disqualification,correction"`
	Points    score.Twelfth `json:"points,omitempty"`
	Rule      string        `json:"rule,omitempty"`
	Reason    string        `json:"reason"`
	State     string        `json:"state" enum:"proposed,in_force,cancelled"`
	By        string        `json:"by,omitempty"`
	At        engine.Millis `json:"at"`
	Seconded  *DecisionView `json:"seconded,omitempty"`
	Cancelled *DecisionView `json:"cancelled,omitempty"`
}

// DecisionView is a decision about a penalty, and who made it.
type DecisionView struct {
	By  string        `json:"by,omitempty"`
	At  engine.Millis `json:"at"`
	Why string        `json:"why,omitempty"`
}

func (a *api) penaltyOperations() {
	lists(a, forReferee, "GET /tournaments/{id}/sanctions",
		"Point penalties, disqualifications, and result corrections that need a second official, newest first",
		result.Penalties, penaltyView)
	operation(a, forReferee, "POST /tournaments/{id}/sanctions",
		"Take points off a player's total, or propose to disqualify the player", a.apiPenaltyGive,
		describe("Points count immediately. Only head referees and organizers may propose a disqualification; it "+
			"counts once another of them confirms it."))
	does[result.SecondPenalty](a, forReferee, "POST /sanctions/{id}/second",
		"Confirm a disqualification, or a correction of a result, that another official proposed", penaltyView)
	does[result.CancelPenalty](a, forReferee, "POST /sanctions/{id}/cancel",
		"Cancel a penalty; it stays on record", penaltyView)
	operation(a, forPlayer, "GET /seat/sanctions", "Your own penalties, newest first", a.apiOwnPenalties)
}

func penaltyView(one result.Penalty) SanctionView {
	view := SanctionView{ID: one.ID, Player: playerView(one.Player), Round: one.Round, Kind: one.Kind,
		Points: one.Points, Rule: one.Rule,
		Reason: one.Reason, State: one.State(), By: one.Actor, At: one.At}
	if one.GameID != nil {
		view.Game = *one.GameID
	}
	if d := one.Seconded; d != nil {
		view.Seconded = &DecisionView{d.Actor, d.At, ""}
	}
	if d := one.Cancelled; d != nil {
		view.Cancelled = &DecisionView{d.Actor, d.At, d.Why}
	}
	return view
}

func (a *api) apiOwnPenalties(ctx context.Context, _ *nothing) (*listOf[SanctionView], error) {
	me, err := a.Request.Seats.Holder(requestOf(ctx))
	if err != nil {
		return nil, err
	}
	return listed(penaltyView)(result.PenaltiesOf(ctx, a.View.Store, me.Player))
}

func (a *api) apiPenaltyGive(ctx context.Context, in *idWith[SanctionBody]) (*with[SanctionView], error) {
	in.Body.Tournament = in.ID
	given, err := result.NewPenalty(in.Body.Kind, in.Body.Points, in.Body.PenaltyGrounds)
	if err != nil {
		return nil, err
	}
	one, err := action.Do(ctx, a.Request.Desk, a.Request.Staff(requestOf(ctx)), given)
	return answer(penaltyView(one), err)
}
