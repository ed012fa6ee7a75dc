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

// sanctionOf reads points off a total, or the proposal to disqualify, from a form.
func sanctionOf(g given, ref tournament.GameRef) (tournament.NewSanction, error) {
	seat, err := g.number("seat")
	if err == nil && (seat < 0 || seat >= len(ref.Players)) {
		err = refuse.NotFound("err_seat_not_found", "table", ref.TableNumber, "seat", seat+1)
	}
	if err != nil {
		return tournament.NewSanction{}, err
	}
	grounds := g.grounds()
	seen, _ := strconv.ParseInt(g.Get("sanctions"), 10, 64)
	one := tournament.NewSanction{Player: ref.Players[seat], Game: ref.ID, Kind: g.kind.Name, Rule: grounds.Rule, Reason: grounds.Reason, Seen: seen}
	if _, counted := g.kind.Field("points"); counted {
		one.Points, err = g.number("points")
	}
	return one, err
}

// sanctionEffect says what a sanction does to the player's total, and adds to the form what was seen.
func (s *views) sanctionEffect(ctx context.Context, actor rights.Actor, view *templates.ConfirmView, game templates.Game, ref tournament.GameRef, g given) error {
	one, err := sanctionOf(g, ref)
	if err != nil {
		return err
	}
	action := rights.MayRule
	if g.kind.Heavy {
		action = rights.MayRuleHeavily
	}
	if err := rights.Authorize(actor, rights.Place{Tournament: view.Event}, action); err != nil {
		return err
	}
	all, err := s.store.Sanctions(ctx, actor, view.Event)
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
	standings, err := s.store.Standings(ctx, view.Event)
	if err != nil {
		return err
	}
	for _, row := range standings.Rows {
		if row.Player == one.Player {
			view.Effects = []string{templates.T(ctx, "effect.points", "name", name, "points", one.Points,
				"was", row.Total.String(), "is", (row.Total - engine.Whole(one.Points)).String()), templates.T(ctx, "effect.apart")}
		}
	}
	return nil
}

// sanctionRuled gives a sanction from the sheet of a table.
func (s *refereePages) sanctionRuled(c *gin.Context, event, table int64, g given, ref tournament.GameRef) error {
	given, err := sanctionOf(g, ref)
	if err != nil {
		return s.ruleRefused(c, g.kind.Name, err)
	}
	one, err := s.giveSanction(c.Request.Context(), s.staff(c), event, given)
	if err != nil {
		return s.ruleRefused(c, g.kind.Name, err)
	}
	done := "penalties.given"
	if one.State() == tournament.SanctionProposed {
		done = "penalties.proposed"
	}
	return s.saidSo(c, templates.RulingPath(event, table), templates.T(s.language(c), done, "name", one.Player.Name), 0)
}
