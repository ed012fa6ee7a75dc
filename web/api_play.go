package web

import (
	"context"

	"github.com/gin-gonic/gin"

	"meldhall/engine"
	"meldhall/tournament"
)

// These operations are what every turn costs, so gin serves them without huma; they stand in the same
// document, made from the same types.

// VerdictView says whether a draft could be submitted.
type VerdictView struct {
	Legal  bool            `json:"legal"`
	Code   string          `json:"code,omitempty" doc:"why not"`
	Points int             `json:"points,omitempty" doc:"worth of the new sets, when it is to open"`
	Set    int             `json:"set" doc:"index of the first set at fault, -1: none"`
	Played engine.RackView `json:"played,omitempty" doc:"what would leave the rack"`
	Detail string          `json:"detail,omitempty"`
}

func (a *api) playOperations() {
	about := describe("The same key gets the same answer. 409 stale_turn and the like carry the newest view. " +
		"A command that arrives after the deadline and its grace is answered with the turn_expired that it became.")
	a.plain(forPlayer, "POST /games/{id}/play", "End the turn by laying tiles", PlayRequest{}, CommandAnswer{}, jsonKind,
		a.command("play", a.answered), about)
	a.plain(forPlayer, "POST /games/{id}/draw", "End the turn by drawing a tile", TurnRequest{}, CommandAnswer{}, jsonKind,
		a.command("draw", a.answered), about)
	a.plain(forPlayer, "POST /games/{id}/pass", "End the turn with nothing, the pool being empty", TurnRequest{}, CommandAnswer{}, jsonKind,
		a.command("pass", a.answered), about)
	a.plain(forPlayer, "POST /games/{id}/ready", "Need no more time before the first turn", TurnRequest{}, CommandAnswer{}, jsonKind,
		a.command("ready", a.answered), about)
	a.plain(forPlayer, "POST /games/{id}/redeal", "Ask for a new start on three doubles", TurnRequest{}, CommandAnswer{}, jsonKind,
		a.command("redeal", a.answered), about)
	a.plain(forPlayer, "POST /games/{id}/call", "Call the referee", CallRequest{}, CommandAnswer{}, jsonKind,
		a.command("call", a.answered), about)
	operation(a, forPlayer, "POST /games/{id}/agree", "Say that the count of an ended game is right", a.apiAgree,
		describe("The one device of a physical table names the seat whose player agrees. Kept with the revision of the result, once for each player however often it is sent. A corrected result asks again: "+
			"409 err_result_changed tells the newest revision. The referee confirms with or without it."))
	a.plain(forPlayer, "POST /games/{id}/draft", "Show the table what is being laid, and hear whether it could be submitted",
		DraftRequest{}, VerdictView{}, jsonKind, a.draft)
}

// The commands of a player, with the key that the client made.

func (s *api) answered(c *gin.Context, answer tournament.Answer) error {
	return writeJSON(c, newCommandAnswer(answer))
}

func (s *api) draft(c *gin.Context) error {
	_, verdict, err := s.setDraft(c)
	if err != nil {
		return err
	}
	return writeJSON(c, VerdictView{verdict.Legal, verdict.Code, verdict.Points, verdict.Set, verdict.Played, verdict.Detail})
}

// AgreeBody names the revision that a player finds right.
type AgreeBody struct {
	Rev  int  `json:"rev" minimum:"1"`
	Seat *int `json:"seat,omitempty" minimum:"0" maximum:"3" doc:"of the one device of a physical table: whose player agrees"`
}

func (a *api) apiAgree(ctx context.Context, in *idWith[AgreeBody]) (*with[Done], error) {
	_, err := tournament.Do(ctx, a.desk, seatedAt(a.player(requestOf(ctx)), in.Body.Seat), tournament.Agree{Game: in.ID, Rev: in.Body.Rev})
	return done(err)
}
