package web

import (
	"cmp"
	"context"
	"net/http"
	"strconv"
	"strings"

	"github.com/a-h/templ"
	"github.com/gin-gonic/gin"

	"meldhall/engine"
	"meldhall/templates"
	"meldhall/tournament"
	"meldhall/tournament/rights"
	"meldhall/web/live"
)

func (s *refereePages) penaltiesPage(c *gin.Context) error {
	player, _ := strconv.ParseInt(c.Query("player"), 10, 64)
	game, _ := strconv.ParseInt(c.Query("game"), 10, 64)
	return s.showPenalties(c, http.StatusOK, "", templates.SanctionForm{Player: player, Game: game, Back: c.Query("back"), Open: player != 0})
}

func (s *refereePages) showPenalties(c *gin.Context, status int, problem string, form templates.SanctionForm) error {
	event, err := idParam(c, "event")
	if err != nil {
		return err
	}
	ctx := s.language(c)
	view, err := s.penaltiesView(ctx, s.staff(c), event)
	if err != nil {
		return err
	}
	t, err := s.store.TournamentByID(ctx, event)
	if err != nil {
		return err
	}
	view.Add = form
	view.Page = refusing(streamed(s.newPage(c, templates.T(ctx, "penalties.title"), &t), templates.PenaltiesPath(event)+"/live"), problem)
	return s.show(c, status, templates.PenaltiesPage(view))
}

func (s *refereePages) penaltiesLive(c *gin.Context) error {
	event, err := idParam(c, "event")
	if err != nil {
		return err
	}
	return s.streamRegion(c, func(ctx context.Context, actor rights.Actor) (templ.Component, error) {
		view, err := s.penaltiesView(ctx, actor, event)
		return templates.PenaltiesRegion(view), err
	}, live.SeatingTopic(event))
}

func (s *views) penaltiesView(ctx context.Context, actor rights.Actor, event int64) (view templates.PenaltiesView, err error) {
	all, err := s.store.Sanctions(ctx, actor, event)
	if err != nil {
		return view, err
	}
	players, err := s.store.Players(ctx, event)
	if err != nil {
		return view, err
	}
	may := func(action rights.Right) bool {
		return rights.Authorize(actor, rights.Place{Tournament: event}, action) == nil
	}
	view = templates.PenaltiesView{Event: event, MayRule: may(rights.MayRule), MayRuleHeavily: may(rights.MayRuleHeavily)}
	for _, p := range players {
		view.Options = append(view.Options, templates.PlayerOption{ID: p.ID, Number: p.Number, Name: p.Name})
	}
	for _, one := range all {
		view.Seen = max(view.Seen, one.ID)
		row := newSanctionRow(ctx, one)
		row.Own = one.ProposedBy(actor)
		row.MayCancel = one.Cancelled == nil && (one.Kind == tournament.SanctionPoints && view.MayRule || view.MayRuleHeavily)
		row.MaySecond = one.State() == tournament.SanctionProposed && view.MayRuleHeavily && !row.Own
		view.Rows = append(view.Rows, row)
	}
	return view, nil
}

func newSanctionRow(ctx context.Context, one tournament.Sanction) templates.SanctionRow {
	row := templates.SanctionRow{ID: one.ID, Player: one.PlayerID, Number: one.Player.Number, Name: one.Player.Name, Kind: one.Kind,
		Points: one.Points, Rule: one.Rule, Reason: templates.ReasonWords(ctx, one.Reason), Round: one.Round, By: actorWords(ctx, one.Actor), At: one.At, State: one.State()}
	if d := one.Seconded; d != nil {
		row.SecondedBy, row.SecondedAt = actorWords(ctx, d.Actor), d.At
	}
	if d := one.Cancelled; d != nil {
		row.CancelledBy, row.CancelledAt, row.Why = actorWords(ctx, d.Actor), d.At, templates.ReasonWords(ctx, d.Why)
	}
	return row
}

// penaltiesPost gives a player points off the total, or proposes to disqualify the player.
func (s *refereePages) penaltiesPost(c *gin.Context) error {
	event, err := idParam(c, "event")
	if err != nil {
		return err
	}
	if err := readForm(c); err != nil {
		return err
	}
	number := func(name string) int64 {
		n, _ := strconv.ParseInt(strings.TrimSpace(c.PostForm(name)), 10, 64)
		return n
	}
	canned := c.PostForm("canned")
	given := tournament.NewSanction{Player: number("player"), Game: number("game"), Kind: c.PostForm("kind"),
		Rule: cmp.Or(strings.TrimSpace(c.PostForm("rule")), templates.SanctionRule(canned)), Reason: templates.PackReason(canned, c.PostForm("reason")), Seen: number("seen")}
	if given.Kind == tournament.SanctionPoints {
		given.Points = int(max(min(number("points"), 1<<20), -1)) // what is no number is refused with the bounds
	}
	one, err := s.giveSanction(c.Request.Context(), s.staff(c), event, given)
	if err != nil {
		text, status, err := s.problem(c, err)
		if err != nil {
			return err
		}
		return s.showPenalties(c, status, text, templates.SanctionForm{Player: given.Player, Game: given.Game, Kind: given.Kind,
			Points: c.PostForm("points"), Rule: c.PostForm("rule"), Canned: canned, Reason: c.PostForm("reason"), Back: c.PostForm("back"), Open: true})
	}
	done := "penalties.given"
	if one.State() == tournament.SanctionProposed {
		done = "penalties.proposed"
	}
	return s.seeOther(c, safePath(c.PostForm("back"), templates.PenaltiesPath(event)), done, "name", one.Player.Name)
}

// secondPost confirms a disqualification that another official proposed.
func (s *refereePages) secondPost(c *gin.Context) error {
	return s.sanctionPost(c, "penalties.seconded", func(id int64) (tournament.Sanction, error) {
		return s.secondSanction(c.Request.Context(), s.staff(c), id)
	})
}

// cancelPost takes a penalty back.
func (s *refereePages) cancelPost(c *gin.Context) error {
	return s.sanctionPost(c, "penalties.cancelled", func(id int64) (tournament.Sanction, error) {
		return s.cancelSanction(c.Request.Context(), s.staff(c), id, c.PostForm("why"))
	})
}

func (s *refereePages) sanctionPost(c *gin.Context, done string, do func(int64) (tournament.Sanction, error)) error {
	event, err := idParam(c, "event")
	if err != nil {
		return err
	}
	id, err := idParam(c, "sanction")
	if err != nil {
		return err
	}
	if err := readForm(c); err != nil {
		return err
	}
	one, err := do(id)
	if err != nil {
		text, status, err := s.problem(c, err)
		if err != nil {
			return err
		}
		return s.showPenalties(c, status, text, templates.SanctionForm{})
	}
	return s.seeOther(c, templates.PenaltiesPath(event), done, "name", one.Player.Name)
}

// giveSanction gives a sanction and tells everybody whom it concerns: the standings, the player, the officials.
func (s *Server) giveSanction(ctx context.Context, actor rights.Actor, event int64, given tournament.NewSanction) (tournament.Sanction, error) {
	return s.sanctioned(s.store.GiveSanction(ctx, actor, event, given))
}

func (s *Server) secondSanction(ctx context.Context, actor rights.Actor, id int64) (tournament.Sanction, error) {
	return s.sanctioned(s.games.SecondSanction(ctx, actor, id))
}

func (s *Server) cancelSanction(ctx context.Context, actor rights.Actor, id int64, why string) (tournament.Sanction, error) {
	return s.sanctioned(s.games.CancelSanction(ctx, actor, id, why))
}

func (s *Server) sanctioned(one tournament.Sanction, err error) (tournament.Sanction, error) {
	if err == nil {
		s.sanctions.Add(1)
		s.seated(one.TournamentID)
	}
	return one, err
}

// ownSanctions are a player's penalties as the player is told of them, the newest first.
func (s *views) ownSanctions(ctx context.Context, player int64) ([]templates.OwnSanction, error) {
	all, err := s.store.SanctionsOf(ctx, player)
	own := make([]templates.OwnSanction, len(all))
	for i, one := range all {
		own[i] = templates.OwnSanction{ID: one.ID, Kind: one.Kind, Points: one.Points, Rule: one.Rule, Reason: templates.ReasonWords(ctx, one.Reason), At: one.At}
		if d := one.Seconded; d != nil {
			own[i].At = d.At
		}
		if d := one.Cancelled; d != nil {
			own[i].Cancelled, own[i].Why, own[i].At = true, templates.ReasonWords(ctx, d.Why), d.At
		}
	}
	return own, err
}

// ownReader keeps a player's penalties for a stream, which asks for them at every message: they are read anew when any
// were given or cancelled since.
type ownReader struct {
	read bool
	mark uint64
	own  []templates.OwnSanction
}

func (o *ownReader) sanctions(ctx context.Context, s *Server, player int64) ([]templates.OwnSanction, error) {
	mark := s.sanctions.Load() // before the query: what is older than the answer is asked again
	if o.read && o.mark == mark {
		return o.own, nil
	}
	own, err := s.ownSanctions(ctx, player)
	if err == nil {
		o.read, o.mark, o.own = true, mark, own
	}
	return own, err
}

// sanctionNews is how long a player is told of a penalty during games; the waiting room tells all of them.
const sanctionNews = engine.Millis(10 * 60_000)

// newSanctions are the penalties that are still news.
func newSanctions(own []templates.OwnSanction, now engine.Millis) (news []templates.OwnSanction) {
	for _, one := range own {
		if now-one.At < sanctionNews {
			news = append(news, one)
		}
	}
	return news
}

// ownID names what a player is told of the own penalties, for the id of what is shown.
func ownID(own []templates.OwnSanction) string {
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
