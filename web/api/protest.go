package api

import (
	"context"

	"meldhall/engine"
	"meldhall/templates/referee"
	"meldhall/templates/regulations"
	"meldhall/tournament/action"
	"meldhall/tournament/export"
	"meldhall/tournament/game"
	"meldhall/tournament/result"
	"meldhall/web/view"
)

// ProtestView is a protest with its decision.
type ProtestView struct {
	ID      int64         `json:"id"`
	Game    int64         `json:"game_id"`
	Rev     int           `json:"rev" doc:"the result's revision when the protest was made"`
	Seat    int           `json:"seat"`
	Player  int64         `json:"player_id"`
	Text    string        `json:"text"`
	At      engine.Millis `json:"at"`
	Outcome string        `json:"outcome,omitempty" doc:"rejected or upheld; missing while it is open"`
	Reason  string        `json:"reason,omitempty"`
	By      string        `json:"by,omitempty"`
	Decided engine.Millis `json:"decided_at,omitempty"`
}

// ProtestsOfGame contains the protests of a game.
type ProtestsOfGame struct {
	Protests []ProtestView `json:"protests"`
	Closed   bool          `json:"closed" doc:"the deadline for protests has passed"`
}

func protestView(p result.Protest) ProtestView {
	view := ProtestView{ID: p.ID, Game: p.GameID, Rev: p.Rev, Seat: p.Seat, Player: p.PlayerID, Text: p.Text, At: p.At}
	if p.Decision != nil {
		view.Outcome, view.Reason, view.By, view.Decided = p.Decision.Outcome, p.Decision.Reason, p.Decision.Actor,
			p.Decision.At
	}
	return view
}

func (a *api) protestOperations() {
	operation(a, forPlayer, "POST /games/{id}/protest", "Protest against the count of an ended game, or a ruling in it",
		a.apiProtest,
		describe("Possible until all players have agreed to the count or the round is finished; then 409 "+
			"err_protest_closed. The result stays provisional until the head referee decides."))
	operation(a, forPlayer, "GET /games/{id}/protests", "The protests of a game, for its players and the officials",
		a.apiProtests)
	operation(a, forPlayer, "GET /games/{id}/protocol", "The full protocol of a game, in the language of "+
		"Accept-Language",
		a.apiProtocol,
		describe("For officials at any time, but without racks while the game runs; for its players once it is over."))
	lists(a, forReferee, "GET /tournaments/{id}/protests", "All protests, open ones first",
		result.TournamentProtests, protestView)
	does[result.DecideProtest](a, forReferee, "POST /protests/{id}/decide",
		"Decide on a protest, as the head referee", protestView,
		describe("If the protest is upheld, the result must be corrected or the game replayed; the current result "+
			"can't be confirmed."))
}

func (a *api) apiProtest(ctx context.Context, in *idWith[result.MakeProtest]) (*with[ProtestView], error) {
	p, err := action.Do(ctx, a.Request.Desk, a.Request.Player(requestOf(ctx)), in.action())
	return answer(protestView(p), err)
}

func (a *api) apiProtests(ctx context.Context, in *IDPath) (*with[ProtestsOfGame], error) {
	protests, err := result.ProtestsIn(ctx, a.View.Games, a.Request.Player(requestOf(ctx)), in.ID)
	return answer(ProtestsOfGame{viewsOf(protests.All, protestView), protests.Closed}, err)
}

// ProtocolView is a protocol with the proofs of its charges.
type ProtocolView struct {
	referee.Protocol
	Protests []ProtestView       `json:"protests,omitempty"`
	Openings []game.OpeningProof `json:"openings,omitempty" doc:"the proofs behind the charges of players who never opened"`
}

func (a *api) apiProtocol(ctx context.Context, in *IDPath) (*with[ProtocolView], error) {
	p, err := export.ProtocolOf(ctx, a.View.Games, a.Request.Staff(requestOf(ctx)), in.ID)
	if err != nil {
		return nil, err
	}
	view, _, err := a.View.Protocol(ctx, p)
	return answer(ProtocolView{view, viewsOf(p.Protests, protestView), p.Openings}, err)
}

// RegulationsQuery requests a tournament's regulations.
type RegulationsQuery struct {
	ID       int64  `path:"id"`
	Question string `query:"q" maxLength:"200" doc:"only articles that contain all these words"`
}

// RegulationsView contains a tournament's regulations in the language of Accept-Language.
type RegulationsView struct {
	Chapters []regulations.Chapter `json:"chapters"`
}

func (a *api) apiRegulations(ctx context.Context, in *RegulationsQuery) (*with[RegulationsView], error) {
	chapters, err := a.View.Regulations(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	return answer(RegulationsView{viewsOf(view.SearchArticles(chapters, view.Question(in.Question)), same)}, nil)
}
