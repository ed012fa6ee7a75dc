package web

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"meldhall/engine"
	"meldhall/templates"
	"meldhall/tournament"
	"meldhall/tournament/game"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/web/frame"
)

// penaltyOf reads points off a total, or the proposal to disqualify, from a form.
func penaltyOf(g given, ref game.Ref) (grounds tournament.PenaltyGrounds, points int, err error) {
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
func (s *views) penaltyEffect(ctx context.Context, actor rights.Actor, view *templates.ConfirmView, game templates.Game, ref game.Ref, g given) error {
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
	all, err := tournament.Penalties(ctx, s.Store, actor, view.Event)
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
	standings, err := tournament.StandingsOf(ctx, s.Store, view.Event)
	if err != nil {
		return err
	}
	for _, row := range standings.Rows {
		if row.Player == grounds.Player {
			view.Effects = []string{templates.T(ctx, "effect.points", "name", name, "points", points,
				"was", templates.AmountText(ctx, row.Total), "is", templates.AmountText(ctx, row.Total-engine.Whole(points))), templates.T(ctx, "effect.apart")}
		}
	}
	return nil
}

// penaltyRuled gives a penalty from the sheet of a table.
func (s *refereePages) penaltyRuled(c *gin.Context, event, table int64, g given, ref game.Ref) error {
	grounds, points, err := penaltyOf(g, ref)
	if err != nil {
		return s.ruleRefused(c, g.kind.Name, err)
	}
	one, err := s.givePenalty(c.Request.Context(), s.Staff(c), g.kind.Name, points, grounds)
	if err != nil {
		return s.ruleRefused(c, g.kind.Name, err)
	}
	done := "penalties.given"
	if one.State() == tournament.PenaltyProposed {
		done = "penalties.proposed"
	}
	return s.saidSo(c, templates.RulingPath(event, table), templates.T(s.Language(c), done, "name", one.Player.Name), 0)
}

// ruleAllPage shows at which tables of a round a ruling would hold.
func (s *refereePages) ruleAllPage(kind engine.RulingKind) func(*gin.Context) error {
	return func(c *gin.Context) error { return s.showRuleAll(c, http.StatusOK, kind, c.Request.URL.Query(), "") }
}

func (s *refereePages) showRuleAll(c *gin.Context, status int, kind engine.RulingKind, form url.Values, problem string) error {
	at := roundOf(c)
	ctx, actor := s.Language(c), s.Staff(c)
	view := templates.ConfirmView{Event: at.event, Action: kind.Name, Reason: form.Get("reason"), Problem: problem,
		Back: templates.HallPath(at.event), Post: templates.RoundRulePath(at.event, at.round, kind.Name)}
	form.Set("canned", chosenReason(&view, kind, nil, form))
	g := s.given(form, kind, actor, engine.State{})
	view.Fields = g.carried()
	command, err := g.command()
	if err != nil {
		return err
	}
	tables, err := s.Games.PreviewAll(ctx, actor, at.round, command)
	if err != nil {
		return err
	}
	seconds, _ := g.number("seconds")
	view.Title = templates.T(ctx, "say.all."+kind.Name, "seconds", seconds)
	view.Tables = s.outcomes(c, tables)
	view.Key = fmt.Sprintf("all-%d-%s-%d-%x", at.round, kind.Name, seconds, s.Store.Now().UnixMilli())
	if c.GetHeader(partHeader) != "" {
		return s.Show(c, status, templates.Confirm(view))
	}
	return frame.ShowEvent(s.Frame, c, status, view.Title, &view, &view.Page, templates.ConfirmPage)
}

// outcomes says for each table whether a ruling holds there, in the reader's language.
func (s *refereePages) outcomes(c *gin.Context, tables []game.TableRuling) []templates.TableOutcome {
	list := make([]templates.TableOutcome, len(tables))
	for i, t := range tables {
		list[i].Number = t.TableNumber
		if t.Err != nil {
			list[i].Why = s.Failed(c, t.Err).Message
		}
	}
	return list
}

// ruleAllPost gives a ruling at all tables of a round, and says where it does not hold.
func (s *refereePages) ruleAllPost(kind engine.RulingKind) func(*gin.Context) error {
	return func(c *gin.Context) error {
		at := roundOf(c)
		ctx, actor, form := s.Language(c), s.Staff(c), c.Request.PostForm
		command, err := s.given(form, kind, actor, engine.State{}).command()
		if err != nil {
			return err
		}
		if len(form.Get("key")) < 8 {
			return refuse.Invalid("err_key_length", "least", 8, "most", 64)
		}
		tables, err := s.Games.RuleAll(ctx, actor, at.round, form.Get("key"), command)
		if err != nil {
			return err
		}
		held, text := 0, []string{""}
		for _, t := range s.outcomes(c, tables) {
			if t.Why == "" {
				held++
			} else {
				text = append(text, templates.T(ctx, "table.title", "number", t.Number)+": "+t.Why)
			}
		}
		text[0] = templates.T(ctx, "ruled."+kind.Name) + " " + templates.T(ctx, "all.held", "n", held, "of", len(tables))
		if wantsJSON(c) {
			c.JSON(http.StatusOK, Said{Said: strings.Join(text, " ")})
			return nil
		}
		s.Flash(c, strings.Join(text, " "))
		return s.SeeOther(c, templates.HallPath(at.event), "")
	}
}
