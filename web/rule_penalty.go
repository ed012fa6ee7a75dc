package web

import (
	"context"
	"strconv"

	"github.com/gin-gonic/gin"

	"meldhall/engine"
	"meldhall/templates"
	"meldhall/tournament"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
)

// penaltyOf reads points off a total, or the proposal to disqualify, from a form.
func penaltyOf(g given, ref tournament.GameRef) (grounds tournament.PenaltyGrounds, points int, err error) {
	seat, err := g.number("seat")
	if err == nil && (seat < 0 || seat >= len(ref.Players)) {
		err = refuse.NotFound("err_seat_not_found", "table", ref.TableNumber, "seat", seat+1)
	}
	if err != nil {
		return grounds, 0, err
	}
	why := g.grounds()
	seen, _ := strconv.ParseInt(g.Get("sanctions"), 10, 64)
	grounds = tournament.PenaltyGrounds{Tournament: ref.TournamentID, Player: ref.Players[seat], Game: ref.ID, Rule: why.Rule, Reason: why.Reason, Seen: seen}
	if _, counted := g.kind.Field("points"); counted {
		points, err = g.number("points")
	}
	return grounds, points, err
}

// penaltyEffect says what a penalty does to the player's total, and adds to the form what was seen.
func (s *views) penaltyEffect(ctx context.Context, actor rights.Actor, view *templates.ConfirmView, game templates.Game, ref tournament.GameRef, g given) error {
	grounds, points, err := penaltyOf(g, ref)
	if err != nil {
		return err
	}
	right := rights.MayRule
	if g.kind.Heavy {
		right = rights.MayRuleHeavily
	}
	if err := rights.Authorize(actor, rights.Place{Tournament: view.Event}, right); err != nil {
		return err
	}
	all, err := tournament.Penalties(ctx, s.store, actor, view.Event)
	if err != nil {
		return err
	}
	newest := int64(0)
	for _, have := range all {
		newest = max(newest, have.ID)
	}
	view.Fields = append(view.Fields, templates.FormField{Name: "sanctions", Value: strconv.FormatInt(newest, 10)})
	seat, _ := g.number("seat")
	name := game.NameOf(seat)
	if g.kind.Heavy {
		view.Effects = []string{templates.T(ctx, "effect.second", "name", name), templates.T(ctx, "effect.out_when", "name", name)}
		return nil
	}
	standings, err := tournament.StandingsOf(ctx, s.store, view.Event)
	if err != nil {
		return err
	}
	for _, row := range standings.Rows {
		if row.Player == grounds.Player {
			view.Effects = []string{templates.T(ctx, "effect.points", "name", name, "points", points,
				"was", row.Total.String(), "is", (row.Total - engine.Whole(points)).String()), templates.T(ctx, "effect.apart")}
		}
	}
	return nil
}

// penaltyRuled gives a penalty from the sheet of a table.
func (s *refereePages) penaltyRuled(c *gin.Context, event, table int64, g given, ref tournament.GameRef) error {
	grounds, points, err := penaltyOf(g, ref)
	if err != nil {
		return s.ruleRefused(c, g.kind.Name, err)
	}
	one, err := s.givePenalty(c.Request.Context(), s.staff(c), g.kind.Name, points, grounds)
	if err != nil {
		return s.ruleRefused(c, g.kind.Name, err)
	}
	done := "penalties.given"
	if one.State() == tournament.PenaltyProposed {
		done = "penalties.proposed"
	}
	return s.saidSo(c, templates.RulingPath(event, table), templates.T(s.language(c), done, "name", one.Player.Name), 0)
}
