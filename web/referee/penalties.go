package referee

import (
	"cmp"
	"context"
	"errors"

	"github.com/gin-gonic/gin"

	"meldhall/templates"
	"meldhall/templates/locale"
	"meldhall/templates/play"
	"meldhall/templates/referee"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/refuse"
	"meldhall/tournament/result"
	"meldhall/tournament/rights"
	"meldhall/tournament/spelling"
	"meldhall/web/live"
	"meldhall/web/page"
	"meldhall/web/request"
	"meldhall/web/view"
)

func (s *Pages) penaltiesPage(c *gin.Context) error {
	player, err := page.Optional(c.Query, "player")
	game, wrong := page.Optional(c.Query, "game")
	if err := errors.Join(err, wrong); err != nil {
		return err
	}
	return s.showPenalties(c, referee.PenaltyForm{Player: player, Game: game, Back: c.Query("back"),
		Open: player != 0})
}

func (s *Pages) showPenalties(c *gin.Context, form referee.PenaltyForm) error {
	tournamentID := page.ID(c, "event")
	ctx := s.Page.Request.Language(c)
	view, err := s.penaltiesView(ctx, s.Page.Request.Staff(c), tournamentID)
	if err != nil {
		return err
	}
	view.Add = form
	return page.ShowLive(s.Page, c, locale.T(ctx, "penalties.title"),
		templates.PenaltiesPath(tournamentID)+"/live",
		&view, &view.Page, referee.PenaltiesPage)
}

func (s *Pages) penaltiesLive(c *gin.Context) error {
	return s.Page.StreamRegion(c, page.RegionOf(c, s.penaltiesView, referee.PenaltiesRegion),
		live.Topics(page.ID(c, "event"), action.TopicStandings, action.TopicPeople, action.TopicSeats)...)
}

func (s *Pages) penaltiesView(ctx context.Context, actor rights.Actor,
	tournamentID int64) (shown referee.PenaltiesView, err error) {
	all, err := result.Penalties(ctx, s.View.Store, actor, tournamentID)
	if err != nil {
		return shown, err
	}
	players, err := tournament.Players(ctx, s.View.Store, tournamentID)
	if err != nil {
		return shown, err
	}
	may := func(action rights.Right) bool {
		return rights.Authorize(actor, rights.Place{Tournament: tournamentID}, action) == nil
	}
	shown = referee.PenaltiesView{Event: tournamentID, MayRule: may(rights.MayRule),
		MayRuleHeavily: may(rights.MayRuleHeavily)}
	if shown.MayRuleHeavily {
		if shown.Second, err = s.View.SecondWay(ctx, actor, tournamentID); err != nil {
			return shown, err
		}
	}
	for _, p := range players {
		shown.Options = append(shown.Options, referee.PlayerOption{ID: p.ID, Number: p.Number, Name: p.Name})
	}
	for _, one := range all {
		shown.Seen = max(shown.Seen, one.ID)
		row := view.NewPenaltyRow(ctx, one)
		row.Own = one.ProposedBy(actor)
		if one.Kind == result.CorrectedResult {
			if row.Name, err = s.View.GameWords(ctx, *one.GameID); err != nil {
				return shown, err
			}
			row.See, row.MayCancel = view.SecondPath(tournamentID, one, shown.MayRuleHeavily && !row.Own &&
				one.State() == result.PenaltyProposed), one.State() == result.PenaltyProposed &&
				shown.MayRuleHeavily
			shown.Rows = append(shown.Rows, row)
			continue
		}
		row.MayCancel = one.Cancelled == nil && (one.Kind == result.PointPenalty && shown.MayRule ||
			shown.MayRuleHeavily)
		if one.State() == result.PenaltyProposed && shown.MayRuleHeavily && !row.Own {
			if row.Effects, row.Blocked, err = s.secondEffects(ctx, actor, one.ID); err != nil {
				return shown, err
			}
			row.MaySecond = row.Blocked == ""
		}
		shown.Rows = append(shown.Rows, row)
	}
	return shown, nil
}

// secondEffects returns how confirming a disqualification would change the seating. blocked is the reason why the
// official cannot confirm it, or "".
func (s *Pages) secondEffects(ctx context.Context, actor rights.Actor, id int64) (effects []string, blocked string,
	err error) {
	would, err := action.Preview(ctx, s.Page.Request.Desk, actor, result.SecondPenalty{ID: id})
	var refused *refuse.Error
	if errors.As(err, &refused) {
		return nil, request.FailureOf(ctx, "", err).Message, nil
	}
	return view.EffectTexts(ctx, would.Effects), "", err
}

// penaltiesPost deducts points from a player's total, or proposes to disqualify the player.
func (s *Pages) penaltiesPost(c *gin.Context) error {
	tournamentID := page.ID(c, "event")
	var wrong error
	number := func(name string) int64 {
		n, err := page.Optional(c.PostForm, name)
		wrong = errors.Join(wrong, err)
		return n
	}
	form := referee.PenaltyForm{Player: number("player"), Game: number("game"), Kind: c.PostForm("kind"),
		Points: c.PostForm("points"), Rule: c.PostForm("rule"), Canned: c.PostForm("canned"),
		Reason: c.PostForm("reason"), Back: c.PostForm("back"), Open: true}
	again := func(c *gin.Context, status int, problem string) error {
		page.Saying(c, status, problem)
		return s.showPenalties(c, form)
	}
	points, seen := 0, number("seen")
	if form.Kind == result.PointPenalty {
		points = int(number("points"))
	}
	if wrong != nil {
		return s.Page.Again(c, wrong, again)
	}
	one, err := s.givePenalty(c.Request.Context(), s.Page.Request.Staff(c), form.Kind, points,
		result.PenaltyGrounds{
			Tournament: tournamentID, Player: form.Player, Game: form.Game, Seen: seen,
			Rule:   cmp.Or(spelling.Clean(form.Rule), referee.PenaltyRule(form.Canned)),
			Reason: play.PackReason(form.Canned, form.Reason)})
	if err != nil {
		return s.Page.Again(c, err, again)
	}
	done := "penalties.given"
	if one.State() == result.PenaltyProposed {
		done = "penalties.proposed"
	}
	return s.Page.SeeOther(c, page.SafePath(c.PostForm("back"), templates.PenaltiesPath(tournamentID)), done,
		"name",
		one.Player.Name)
}

// givePenalty gives a penalty of a kind; points matters only for kinds that have points.
func (s *Pages) givePenalty(ctx context.Context, actor rights.Actor, kind string, points int,
	grounds result.PenaltyGrounds) (result.Penalty, error) {
	given, err := result.NewPenalty(kind, points, grounds)
	if err != nil {
		return result.Penalty{}, err
	}
	return action.Do(ctx, s.Page.Request.Desk, actor, given)
}
