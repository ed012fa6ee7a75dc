package api

import (
	"context"

	"meldhall/engine/score"
	"meldhall/tournament"
	"meldhall/tournament/game"
	"meldhall/tournament/ranking"
	"meldhall/tournament/result"
	"meldhall/web/request"
)

// Corrected describes what a correction changed, or would change in a preview, and the rounds that were drawn from the
// earlier result.
type Corrected struct {
	Done    bool               `json:"done" doc:"false for a preview and while a second official must confirm it"`
	Waits   bool               `json:"waits" doc:"a second official must confirm it: POST /sanctions/{id}/second"`
	Changes []StandingChange   `json:"standings" doc:"all players whose wins, points or place change, by new place"`
	Cuts    []CutChange        `json:"cuts" doc:"cuts and qualifications with a different outcome"`
	Seated  []SeatedBefore     `json:"rounds_seated_before" doc:"rounds already seated, which do not change"`
	Sum     *result.Unbalanced `json:"unbalanced,omitempty" doc:"a warning: the game's points do not add up as its scoring requires; the result is entered anyway"`
}

// StandingChange is one player's standing before and after a correction.
type StandingChange struct {
	Player int64        `json:"player"`
	Name   string       `json:"name"`
	Before StandingPart `json:"before"`
	After  StandingPart `json:"after"`
}

// StandingPart is a player's place in the standings.
type StandingPart struct {
	Place int           `json:"place"`
	Games int           `json:"games"`
	Wins  score.Twelfth `json:"wins"`
	Total score.Twelfth `json:"total" doc:"the total used for ranking"`
}

// CutChange lists the players who now make a cut and those who no longer do.
type CutChange struct {
	Stage int         `json:"stage,omitempty" doc:"counted from 1; left out for the qualification list"`
	Name  string      `json:"name,omitempty"`
	Drawn bool        `json:"drawn" doc:"the stage was drawn before the correction and does not change"`
	In    []NamedPart `json:"in"`
	Out   []NamedPart `json:"out"`
	Tied  []NamedPart `json:"tied" doc:"players tied for the last places"`
}

// NamedPart is a player by name.
type NamedPart struct {
	Player int64  `json:"player"`
	Name   string `json:"name"`
}

// SeatedBefore is a round that was drawn before a correction.
type SeatedBefore struct {
	RoundView
	ByPlaces bool `json:"drawn_by_places"`
	Moved    int  `json:"moved" doc:"number of its players who would have had a different rank when it was drawn"`
}

func (a *api) correctOperations() {
	operation(a, forReferee, "POST /games/{id}/replay",
		"Order a replay: the game no longer counts, and the table plays another one; or preview the changes",
		a.apiOrderReplay)
	operation(a, forReferee, "POST /games/{id}/correct",
		"Replace a result by a new, confirmed revision, or preview the changes", a.apiCorrect,
		describe("Rounds drawn since then never change by themselves; the response lists them. Use recount to "+
			"correct the racks."))
	operation(a, forReferee, "POST /games/{id}/recount",
		"Recompute a result from the racks, or preview the changes", a.apiRecount)
	shows[result.SetSecondOver](a, forOrganizer, "POST /tournaments/{id}/second-over",
		"Set how far a confirmed result may change, in points, without a second official", a.tournamentView)
}

// RecountBody is a correction of a result by the racks.
type RecountBody struct {
	result.RecountResult

	Preview bool `json:"preview,omitempty" doc:"return the effects without changing anything"`
}

func (a *api) apiRecount(ctx context.Context, in *idWith[RecountBody]) (*with[Corrected], error) {
	b := in.Body
	b.Game = in.ID
	effect, err := request.DoOr(ctx, a.Request.Desk, a.Request.Staff(requestOf(ctx)), b.Preview, b.RecountResult)
	return answer(corrected(effect, !b.Preview), err)
}

func (a *api) apiOrderReplay(ctx context.Context, in *idWith[ReplayBody]) (*with[Corrected], error) {
	b := in.Body
	effect, err := request.DoOr(ctx, a.Request.Desk, a.Request.Staff(requestOf(ctx)), b.Preview,
		result.OrderReplay{Game: in.ID, Rev: b.Rev, Why: b.Why})
	return answer(corrected(effect, !b.Preview), err)
}

func (a *api) apiCorrect(ctx context.Context, in *idWith[CorrectBody]) (*with[Corrected], error) {
	b := in.Body
	correction := result.Correction{Ending: b.Ending, Why: b.Why}
	for _, l := range b.Lines {
		correction.Lines = append(correction.Lines, game.ResultLine{Seat: l.Seat, Points: l.Points, Wins: l.Wins,
			Charge: l.Charge, Reason: l.Reason, Tiles: l.Tiles, Opened: l.Opened})
	}
	effect, err := request.DoOr(ctx, a.Request.Desk, a.Request.Staff(requestOf(ctx)), b.Preview,
		result.CorrectResult{Game: in.ID, Rev: b.Rev, Correction: correction})
	return answer(corrected(effect, !b.Preview), err)
}

func corrected(e result.CorrectionEffect, done bool) Corrected {
	view := Corrected{Done: done && !e.Second, Waits: e.Second, Sum: e.Unbalanced,
		Changes: make([]StandingChange, len(e.Moves)), Cuts: make([]CutChange, len(e.Cuts)),
		Seated: make([]SeatedBefore, len(e.Rounds))}
	part := func(r ranking.StandingsRow) StandingPart { return StandingPart{r.Place, r.Games, r.Wins, r.Total} }
	for i, m := range e.Moves {
		view.Changes[i] = StandingChange{m.After.Player, m.After.Name, part(m.Before), part(m.After)}
	}
	for i, m := range e.Cuts {
		view.Cuts[i] = CutChange{Name: m.Name, Drawn: m.Drawn, In: namedParts(m.In), Out: namedParts(m.Out),
			Tied: namedParts(m.Tied)}
		if m.Stage != result.Qualifying {
			view.Cuts[i].Stage = m.Stage + 1
		}
	}
	for i, r := range e.Rounds {
		view.Seated[i] = SeatedBefore{roundView(r.Round), r.ByPlaces, r.Moved}
	}
	return view
}

func namedParts(players []tournament.Player) []NamedPart {
	return viewsOf(players, func(p tournament.Player) NamedPart { return NamedPart{p.ID, p.Name} })
}
