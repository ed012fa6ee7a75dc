package web

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"meldhall/engine"
	"meldhall/templates"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/web/live"
	"meldhall/web/page"
	"meldhall/web/request"
	"meldhall/web/view"
)

func (s *refereePages) penaltiesPage(c *gin.Context) error {
	player, err := page.Optional(c.Query, "player")
	game, wrong := page.Optional(c.Query, "game")
	if err := errors.Join(err, wrong); err != nil {
		return err
	}
	return s.showPenalties(c, templates.PenaltyForm{Player: player, Game: game, Back: c.Query("back"),
		Open: player != 0})
}

func (s *refereePages) showPenalties(c *gin.Context, form templates.PenaltyForm) error {
	tournamentID := page.ID(c, "event")
	ctx := s.server.Request.Language(c)
	view, err := s.server.penaltiesView(ctx, s.server.Request.Staff(c), tournamentID)
	if err != nil {
		return err
	}
	view.Add = form
	return page.ShowLive(s.server.Page, c, templates.T(ctx, "penalties.title"),
		templates.PenaltiesPath(tournamentID)+"/live",
		&view, &view.Page, templates.PenaltiesPage)
}

func (s *refereePages) penaltiesLive(c *gin.Context) error {
	return s.server.Page.StreamRegion(c, page.RegionOf(c, s.server.penaltiesView, templates.PenaltiesRegion),
		live.Topics(page.ID(c, "event"), action.TopicStandings, action.TopicPeople, action.TopicSeats)...)
}

func (s *Server) penaltiesView(ctx context.Context, actor rights.Actor,
	tournamentID int64) (view templates.PenaltiesView, err error) {
	all, err := tournament.Penalties(ctx, s.View.Store, actor, tournamentID)
	if err != nil {
		return view, err
	}
	players, err := tournament.Players(ctx, s.View.Store, tournamentID)
	if err != nil {
		return view, err
	}
	may := func(action rights.Right) bool {
		return rights.Authorize(actor, rights.Place{Tournament: tournamentID}, action) == nil
	}
	view = templates.PenaltiesView{Event: tournamentID, MayRule: may(rights.MayRule),
		MayRuleHeavily: may(rights.MayRuleHeavily)}
	if view.MayRuleHeavily {
		if view.Second, err = s.Views.secondWay(ctx, actor, tournamentID); err != nil {
			return view, err
		}
	}
	for _, p := range players {
		view.Options = append(view.Options, templates.PlayerOption{ID: p.ID, Number: p.Number, Name: p.Name})
	}
	for _, one := range all {
		view.Seen = max(view.Seen, one.ID)
		row := newPenaltyRow(ctx, one)
		row.Own = one.ProposedBy(actor)
		if one.Kind == tournament.CorrectedResult {
			if row.Name, err = s.Views.gameWords(ctx, *one.GameID); err != nil {
				return view, err
			}
			row.See, row.MayCancel = secondPath(tournamentID, one, view.MayRuleHeavily && !row.Own &&
				one.State() == tournament.PenaltyProposed), one.State() == tournament.PenaltyProposed &&
				view.MayRuleHeavily
			view.Rows = append(view.Rows, row)
			continue
		}
		row.MayCancel = one.Cancelled == nil && (one.Kind == tournament.PointPenalty && view.MayRule ||
			view.MayRuleHeavily)
		if one.State() == tournament.PenaltyProposed && view.MayRuleHeavily && !row.Own {
			if row.Effects, row.Blocked, err = s.secondEffects(ctx, actor, one.ID); err != nil {
				return view, err
			}
			row.MaySecond = row.Blocked == ""
		}
		view.Rows = append(view.Rows, row)
	}
	return view, nil
}

// seconds returns the alerts for officials on every page: open protests, and disqualifications and corrections that
// need a second official. Officials who may confirm get a key.
func (s *views) seconds(ctx context.Context, actor rights.Actor, tournamentID int64) ([]templates.Alert, error) {
	waiting, err := tournament.WaitingPenalties(ctx, s.View.Store, tournamentID)
	may := rights.Authorize(actor, rights.Place{Tournament: tournamentID}, rights.MayRuleHeavily) == nil
	alerts := make([]templates.Alert, len(waiting))
	for i, one := range waiting {
		name, waits, asks := one.Player.Name, "sanction.waits_second", "sanction.asks_you"
		if one.Kind == tournament.CorrectedResult {
			waits, asks = "correct.waits_second", "correct.asks_you"
			if name, err = s.gameWords(ctx, *one.GameID); err != nil {
				return nil, err
			}
		}
		second := may && !one.ProposedBy(actor)
		alerts[i] = templates.Alert{Kind: "second", Text: templates.T(ctx, waits, "name", templates.Isolate(name)),
			URL: secondPath(tournamentID, one, second)}
		if second {
			alerts[i].Key, alerts[i].Text = fmt.Sprintf("second-%d", one.ID),
				templates.T(ctx, asks, "name", templates.Isolate(name))
		}
	}
	protests, wrong := s.openProtests(ctx, actor, tournamentID)
	return append(protests, alerts...), cmp.Or(err, wrong)
}

// secondEffects returns how confirming a disqualification would change the seating. blocked is the reason why the
// official cannot confirm it, or "".
func (s *Server) secondEffects(ctx context.Context, actor rights.Actor, id int64) (effects []string, blocked string,
	err error) {
	would, err := action.Preview(ctx, s.Request.Desk, actor, tournament.SecondPenalty{ID: id})
	var refused *refuse.Error
	if errors.As(err, &refused) {
		return nil, request.FailureOf(ctx, "", err).Message, nil
	}
	return effectTexts(ctx, would.Effects), "", err
}

func newPenaltyRow(ctx context.Context, one tournament.Penalty) templates.PenaltyRow {
	row := templates.PenaltyRow{ID: one.ID, Player: one.PlayerID, Number: one.Player.Number, Name: one.Player.Name,
		Kind:   one.Kind,
		Points: one.Points, Rule: one.Rule, Reason: templates.ReasonWords(ctx, one.Reason), Round: one.Round,
		By: view.ActorWords(ctx, one.Actor), At: one.At, State: one.State()}
	if d := one.Seconded; d != nil {
		row.SecondedBy, row.SecondedAt = view.ActorWords(ctx, d.Actor), d.At
	}
	if d := one.Cancelled; d != nil {
		row.CancelledBy, row.CancelledAt, row.Why = view.ActorWords(ctx, d.Actor), d.At,
			templates.ReasonWords(ctx, d.Why)
	}
	return row
}

// penaltiesPost deducts points from a player's total, or proposes to disqualify the player.
func (s *refereePages) penaltiesPost(c *gin.Context) error {
	tournamentID := page.ID(c, "event")
	var wrong error
	number := func(name string) int64 {
		n, err := page.Optional(c.PostForm, name)
		wrong = errors.Join(wrong, err)
		return n
	}
	form := templates.PenaltyForm{Player: number("player"), Game: number("game"), Kind: c.PostForm("kind"),
		Points: c.PostForm("points"), Rule: c.PostForm("rule"), Canned: c.PostForm("canned"),
		Reason: c.PostForm("reason"), Back: c.PostForm("back"), Open: true}
	again := func(c *gin.Context, status int, problem string) error {
		page.Saying(c, status, problem)
		return s.showPenalties(c, form)
	}
	points, seen := 0, number("seen")
	if form.Kind == tournament.PointPenalty {
		points = int(number("points"))
	}
	if wrong != nil {
		return s.server.Page.Again(c, wrong, again)
	}
	one, err := s.server.givePenalty(c.Request.Context(), s.server.Request.Staff(c), form.Kind, points,
		tournament.PenaltyGrounds{
			Tournament: tournamentID, Player: form.Player, Game: form.Game, Seen: seen,
			Rule:   cmp.Or(strings.TrimSpace(form.Rule), templates.PenaltyRule(form.Canned)),
			Reason: templates.PackReason(form.Canned, form.Reason)})
	if err != nil {
		return s.server.Page.Again(c, err, again)
	}
	done := "penalties.given"
	if one.State() == tournament.PenaltyProposed {
		done = "penalties.proposed"
	}
	return s.server.Page.SeeOther(c, page.SafePath(c.PostForm("back"), templates.PenaltiesPath(tournamentID)), done,
		"name",
		one.Player.Name)
}

// ownPenalties returns a player's penalties as the player sees them, the newest first.
func (s *views) ownPenalties(ctx context.Context, player int64) ([]templates.OwnPenalty, error) {
	all, err := tournament.PenaltiesOf(ctx, s.View.Store, player)
	own := make([]templates.OwnPenalty, len(all))
	for i, one := range all {
		own[i] = templates.OwnPenalty{ID: one.ID, Kind: one.Kind, Points: one.Points, Rule: one.Rule,
			Reason: templates.ReasonWords(ctx, one.Reason), At: one.At}
		if d := one.Seconded; d != nil {
			own[i].At = d.At
		}
		if d := one.Cancelled; d != nil {
			own[i].Cancelled, own[i].Why, own[i].At = true, templates.ReasonWords(ctx, d.Why), d.At
		}
	}
	return own, err
}

// ownReader caches a player's penalties for a stream, which needs them for every message. It reads them again after any
// penalty was given or cancelled.
type ownReader struct {
	read bool
	mark uint64
	own  []templates.OwnPenalty
}

func (o *ownReader) penalties(ctx context.Context, s *Server, player int64) ([]templates.OwnPenalty, error) {
	mark := s.penalties.Load() // read first, so an outdated result is not reused
	if o.read && o.mark == mark {
		return o.own, nil
	}
	own, err := s.Views.ownPenalties(ctx, player)
	if err == nil {
		o.read, o.mark, o.own = true, mark, own
	}
	return own, err
}

// penaltyNews is how long a player sees a penalty during games; the waiting room shows all penalties.
const penaltyNews = engine.Millis(10 * 60_000)

// newPenalties returns the penalties that are still shown during games.
func newPenalties(own []templates.OwnPenalty, now engine.Millis) (news []templates.OwnPenalty) {
	for _, one := range own {
		if now-one.At < penaltyNews {
			news = append(news, one)
		}
	}
	return news
}

// ownID identifies the penalties that a player sees, for the id of the region.
func ownID(own []templates.OwnPenalty) string {
	if len(own) == 0 {
		return ""
	}
	cancelled := 0
	for _, one := range own {
		if one.Cancelled {
			cancelled++
		}
	}
	return "-s" + strconv.Itoa(len(own)) + "." + strconv.Itoa(cancelled)
}

// givePenalty gives a penalty of a kind; points matters only for kinds that have points.
func (s *Server) givePenalty(ctx context.Context, actor rights.Actor, kind string, points int,
	grounds tournament.PenaltyGrounds) (tournament.Penalty, error) {
	given, err := tournament.NewPenalty(kind, points, grounds)
	if err != nil {
		return tournament.Penalty{}, err
	}
	return action.Do(ctx, s.Request.Desk, actor, given)
}
