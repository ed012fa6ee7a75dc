package referee

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
	"meldhall/engine/score"
	"meldhall/templates"
	"meldhall/templates/locale"
	"meldhall/templates/part"
	"meldhall/templates/play"
	"meldhall/templates/referee"
	"meldhall/tournament/game"
	"meldhall/tournament/ranking"
	"meldhall/tournament/refuse"
	"meldhall/tournament/result"
	"meldhall/tournament/rights"
	"meldhall/web/page"
	"meldhall/web/rulingform"
)

// penaltyOf reads a deduction from a total, or a proposed disqualification, from a form.
func penaltyOf(g rulingform.Form, ref game.Ref) (grounds result.PenaltyGrounds, points int, err error) {
	seat, err := g.Number("seat")
	if err == nil && (seat < 0 || seat >= len(ref.Players)) {
		err = refuse.NotFound("err_seat_not_found", "table", ref.TableNumber, "seat", seat+1)
	}
	if err != nil {
		return grounds, 0, err
	}
	why, err := g.Grounds()
	seen, wrong := page.Optional(g.Get, "sanctions")
	if err = errors.Join(err, wrong); err != nil {
		return grounds, 0, err
	}
	grounds = result.PenaltyGrounds{Tournament: ref.TournamentID, Player: ref.Players[seat], Game: ref.ID,
		Rule: why.Rule, Reason: why.Reason, Seen: seen}
	if _, counted := g.Kind.Field("points"); counted {
		points, err = g.Number("points")
	}
	return grounds, points, err
}

// penaltyEffect previews a penalty's effect on the player's total. It also adds the newest penalty's ID to the form,
// which identifies the previewed state.
func (s *views) penaltyEffect(ctx context.Context, actor rights.Actor, view *referee.ConfirmView, game play.Game,
	ref game.Ref, g rulingform.Form) error {
	grounds, points, err := penaltyOf(g, ref)
	if err != nil {
		return err
	}
	right := rights.MayRule
	if g.Kind.Heavy {
		right = rights.MayRuleHeavily
	}
	if err := rights.Authorize(actor, rights.Place{Tournament: view.Event}, right); err != nil {
		return err
	}
	all, err := result.Penalties(ctx, s.View.Store, actor, view.Event)
	if err != nil {
		return err
	}
	newest := int64(0)
	for _, have := range all {
		newest = max(newest, have.ID)
	}
	view.Fields = append(view.Fields, part.FormField{Name: "sanctions", Value: strconv.FormatInt(newest, 10)})
	seat, _ := g.Number("seat")
	name := game.NameOf(seat)
	if g.Kind.Heavy {
		way, err := s.View.SecondWay(ctx, actor, view.Event)
		view.Effects = []string{locale.T(ctx, "effect.second", "name", name), way,
			locale.T(ctx, "effect.out_when", "name", name)}
		return err
	}
	standings, err := ranking.StandingsOf(ctx, s.View.Store, view.Event)
	if err != nil {
		return err
	}
	for _, row := range standings.Rows {
		if row.Player == grounds.Player {
			view.Effects = []string{locale.T(ctx, "effect.points", "name", name, "points", points,
				"was", locale.AmountText(ctx, row.Total), "is",
				locale.AmountText(ctx, row.Total-score.Whole(points))), locale.T(ctx, "effect.apart")}
		}
	}
	return nil
}

// penaltyRuled gives a penalty from the sheet of a table.
func (s *Pages) penaltyRuled(c *gin.Context, tournamentID, table int64, g rulingform.Form, ref game.Ref) error {
	grounds, points, err := penaltyOf(g, ref)
	if err != nil {
		return s.ruleRefused(c, g.Kind.Name, err)
	}
	one, err := s.givePenalty(c.Request.Context(), s.Page.Request.Staff(c), g.Kind.Name, points, grounds)
	if err != nil {
		return s.ruleRefused(c, g.Kind.Name, err)
	}
	done := "penalties.given"
	if one.State() == result.PenaltyProposed {
		done = "penalties.proposed"
	}
	return s.saidSo(c, templates.RulingPath(tournamentID, table),
		locale.T(s.Page.Request.Language(c), done, "name", one.Player.Name), 0)
}

// ruleAllPage previews at which tables of a round a ruling would apply.
func (s *Pages) ruleAllPage(kind engine.RulingKind) func(*gin.Context) error {
	return func(c *gin.Context) error { return s.showRuleAll(c, http.StatusOK, kind, c.Request.URL.Query(), "") }
}

func (s *Pages) showRuleAll(c *gin.Context, status int, kind engine.RulingKind, form url.Values,
	problem string) error {
	at := page.RoundOf(c)
	ctx, actor := s.Page.Request.Language(c), s.Page.Request.Staff(c)
	view := referee.ConfirmView{Event: at.TournamentID, Action: kind.Name, Reason: form.Get("reason"),
		Problem: problem,
		Back:    templates.HallPath(at.TournamentID), Post: templates.RoundRulePath(at.TournamentID, at.Round,
			kind.Name)}
	form.Set("canned", chosenReason(&view, kind, nil, form))
	g := rulingform.New(form, kind, actor, engine.State{})
	view.Fields = g.Carried()
	command, err := g.Command()
	if err != nil {
		return err
	}
	tables, err := s.View.Games.PreviewAll(ctx, actor, at.Round, command)
	if err != nil {
		return err
	}
	seconds, _ := g.Number("seconds")
	view.Title = locale.T(ctx, "say.all."+kind.Name, "seconds", seconds)
	view.Tables = s.outcome(c, tables)
	view.Key = fmt.Sprintf("all-%d-%s-%d-%x", at.Round, kind.Name, seconds, s.View.Store.Now().UnixMilli())
	if c.GetHeader(page.PartHeader) != "" {
		return s.Page.Show(c, status, referee.Confirm(view))
	}
	return page.ShowEvent(s.Page, c, status, view.Title, &view, &view.Page, referee.ConfirmPage)
}

// outcome returns at how many tables a ruling applies and, for the others, the reasons why it does not, in the reader's
// language.
func (s *Pages) outcome(c *gin.Context, tables []game.TableRuling) referee.RoundOutcome {
	o, not := referee.RoundOutcome{Of: len(tables)}, map[string][]int{}
	for _, t := range tables {
		if t.Err == nil {
			o.Held++
			continue
		}
		why := s.Page.Request.Failed(c, t.Err).Message
		not[why] = append(not[why], t.TableNumber)
	}
	for why, at := range not {
		slices.Sort(at)
		o.Not = append(o.Not, referee.NotHeld{Many: len(at), Tables: rights.FormatTables(at), Why: why})
	}
	slices.SortFunc(o.Not, func(a, b referee.NotHeld) int { return cmp.Compare(not[a.Why][0], not[b.Why][0]) })
	return o
}

// ruleAllPost makes a ruling at all tables of a round and reports at which tables it does not apply.
func (s *Pages) ruleAllPost(kind engine.RulingKind) func(*gin.Context) error {
	return func(c *gin.Context) error {
		at := page.RoundOf(c)
		ctx, actor, form := s.Page.Request.Language(c), s.Page.Request.Staff(c), c.Request.PostForm
		command, err := rulingform.New(form, kind, actor, engine.State{}).Command()
		if err != nil {
			return err
		}
		if len(form.Get("key")) < 8 {
			return refuse.Invalid("err_key_length", "least", 8, "most", 64)
		}
		tables, err := s.View.Games.RuleAll(ctx, actor, at.Round, form.Get("key"), command)
		if err != nil {
			return err
		}
		for _, t := range tables {
			if t.Err != nil {
				continue
			}
			if err := s.Page.Signed(ctx, actor, at.TournamentID, t.Game, t.Answer); err != nil {
				return err
			}
		}
		o := s.outcome(c, tables)
		text := []string{locale.T(ctx, "ruled."+kind.Name), locale.T(ctx, "all.held", "n", o.Held, "of", o.Of)}
		for _, n := range o.Not {
			text = append(text, n.Where(ctx)+": "+n.Why)
		}
		if wantsJSON(c) {
			c.JSON(http.StatusOK, Said{Said: strings.Join(text, " ")})
			return nil
		}
		s.Page.Flash(c, strings.Join(text, " "))
		return s.Page.SeeOther(c, templates.HallPath(at.TournamentID), "")
	}
}
