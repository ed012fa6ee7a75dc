package web

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"meldhall/engine"
	"meldhall/templates"
	"meldhall/tournament"
	"meldhall/tournament/game"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/web/page"
)

// penaltyOf reads a deduction from a total, or a proposed disqualification, from a form.
func penaltyOf(g given, ref game.Ref) (grounds tournament.PenaltyGrounds, points int, err error) {
	seat, err := g.number("seat")
	if err == nil && (seat < 0 || seat >= len(ref.Players)) {
		err = refuse.NotFound("err_seat_not_found", "table", ref.TableNumber, "seat", seat+1)
	}
	if err != nil {
		return grounds, 0, err
	}
	why, err := g.grounds()
	seen, wrong := page.Optional(g.Get, "sanctions")
	if err = errors.Join(err, wrong); err != nil {
		return grounds, 0, err
	}
	grounds = tournament.PenaltyGrounds{Tournament: ref.TournamentID, Player: ref.Players[seat], Game: ref.ID,
		Rule: why.Rule, Reason: why.Reason, Seen: seen}
	if _, counted := g.kind.Field("points"); counted {
		points, err = g.number("points")
	}
	return grounds, points, err
}

// penaltyEffect previews a penalty's effect on the player's total, and adds the previewed state to the form.
func (s *views) penaltyEffect(ctx context.Context, actor rights.Actor, view *templates.ConfirmView, game templates.Game,
	ref game.Ref, g given) error {
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
	all, err := tournament.Penalties(ctx, s.View.Store, actor, view.Event)
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
		way, err := s.secondWay(ctx, actor, view.Event)
		view.Effects = []string{templates.T(ctx, "effect.second", "name", name), way,
			templates.T(ctx, "effect.out_when", "name", name)}
		return err
	}
	standings, err := tournament.StandingsOf(ctx, s.View.Store, view.Event)
	if err != nil {
		return err
	}
	for _, row := range standings.Rows {
		if row.Player == grounds.Player {
			view.Effects = []string{templates.T(ctx, "effect.points", "name", name, "points", points,
				"was", templates.AmountText(ctx, row.Total), "is",
				templates.AmountText(ctx, row.Total-engine.Whole(points))), templates.T(ctx, "effect.apart")}
		}
	}
	return nil
}

// penaltyRuled gives a penalty from the sheet of a table.
func (s *refereePages) penaltyRuled(c *gin.Context, tournamentID, table int64, g given, ref game.Ref) error {
	grounds, points, err := penaltyOf(g, ref)
	if err != nil {
		return s.ruleRefused(c, g.kind.Name, err)
	}
	one, err := s.server.givePenalty(c.Request.Context(), s.server.Request.Staff(c), g.kind.Name, points, grounds)
	if err != nil {
		return s.ruleRefused(c, g.kind.Name, err)
	}
	done := "penalties.given"
	if one.State() == tournament.PenaltyProposed {
		done = "penalties.proposed"
	}
	return s.saidSo(c, templates.RulingPath(tournamentID, table),
		templates.T(s.server.Request.Language(c), done, "name", one.Player.Name), 0)
}

// ruleAllPage previews at which tables of a round a ruling would apply.
func (s *refereePages) ruleAllPage(kind engine.RulingKind) func(*gin.Context) error {
	return func(c *gin.Context) error { return s.showRuleAll(c, http.StatusOK, kind, c.Request.URL.Query(), "") }
}

func (s *refereePages) showRuleAll(c *gin.Context, status int, kind engine.RulingKind, form url.Values,
	problem string) error {
	at := roundOf(c)
	ctx, actor := s.server.Request.Language(c), s.server.Request.Staff(c)
	view := templates.ConfirmView{Event: at.tournamentID, Action: kind.Name, Reason: form.Get("reason"),
		Problem: problem,
		Back:    templates.HallPath(at.tournamentID), Post: templates.RoundRulePath(at.tournamentID, at.round,
			kind.Name)}
	form.Set("canned", chosenReason(&view, kind, nil, form))
	g := s.server.Views.given(form, kind, actor, engine.State{})
	view.Fields = g.carried()
	command, err := g.command()
	if err != nil {
		return err
	}
	tables, err := s.server.View.Games.PreviewAll(ctx, actor, at.round, command)
	if err != nil {
		return err
	}
	seconds, _ := g.number("seconds")
	view.Title = templates.T(ctx, "say.all."+kind.Name, "seconds", seconds)
	view.Tables = s.outcome(c, tables)
	view.Key = fmt.Sprintf("all-%d-%s-%d-%x", at.round, kind.Name, seconds, s.server.View.Store.Now().UnixMilli())
	if c.GetHeader(partHeader) != "" {
		return s.server.Page.Show(c, status, templates.Confirm(view))
	}
	return page.ShowEvent(s.server.Page, c, status, view.Title, &view, &view.Page, templates.ConfirmPage)
}

// outcome returns, in the reader's language, at how many tables a ruling applies and why it does not at the others.
func (s *refereePages) outcome(c *gin.Context, tables []game.TableRuling) templates.RoundOutcome {
	o, not := templates.RoundOutcome{Of: len(tables)}, map[string][]int{}
	for _, t := range tables {
		if t.Err == nil {
			o.Held++
			continue
		}
		why := s.server.Request.Failed(c, t.Err).Message
		not[why] = append(not[why], t.TableNumber)
	}
	for why, at := range not {
		slices.Sort(at)
		o.Not = append(o.Not, templates.NotHeld{Many: len(at), Tables: rights.FormatTables(at), Why: why})
	}
	slices.SortFunc(o.Not, func(a, b templates.NotHeld) int { return cmp.Compare(not[a.Why][0], not[b.Why][0]) })
	return o
}

// ruleAllPost makes a ruling at all tables of a round and reports where it does not apply.
func (s *refereePages) ruleAllPost(kind engine.RulingKind) func(*gin.Context) error {
	return func(c *gin.Context) error {
		at := roundOf(c)
		ctx, actor, form := s.server.Request.Language(c), s.server.Request.Staff(c), c.Request.PostForm
		command, err := s.server.Views.given(form, kind, actor, engine.State{}).command()
		if err != nil {
			return err
		}
		if len(form.Get("key")) < 8 {
			return refuse.Invalid("err_key_length", "least", 8, "most", 64)
		}
		tables, err := s.server.View.Games.RuleAll(ctx, actor, at.round, form.Get("key"), command)
		if err != nil {
			return err
		}
		o := s.outcome(c, tables)
		text := []string{templates.T(ctx, "ruled."+kind.Name), templates.T(ctx, "all.held", "n", o.Held, "of", o.Of)}
		for _, n := range o.Not {
			text = append(text, n.Where(ctx)+": "+n.Why)
		}
		if wantsJSON(c) {
			c.JSON(http.StatusOK, Said{Said: strings.Join(text, " ")})
			return nil
		}
		s.server.Page.Flash(c, strings.Join(text, " "))
		return s.server.Page.SeeOther(c, templates.HallPath(at.tournamentID), "")
	}
}
