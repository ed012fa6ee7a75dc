package referee

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"github.com/gin-gonic/gin"

	"meldhall/engine"
	"meldhall/templates"
	"meldhall/templates/locale"
	"meldhall/templates/play"
	"meldhall/templates/referee"
	"meldhall/tournament/refuse"
	"meldhall/web/page"
)

// proposalsPage shows all proposed penalties of one player at a table, and what confirming or waiving them together
// would do.
func (s *Pages) proposalsPage(c *gin.Context) error {
	return s.showProposals(c, http.StatusOK, c.Request.URL.Query(), "")
}

func (s *Pages) showProposals(c *gin.Context, status int, form url.Values, problem string) error {
	tournamentID, table := page.ID(c, "event"), page.ID(c, "table")
	ctx, actor := s.Page.Request.Language(c), s.Page.Request.Staff(c)
	shown, snap, err := s.views.ruledGame(ctx, actor, tournamentID, table, form)
	if err != nil {
		return err
	}
	seat, err := seatIn(c, shown)
	if err != nil {
		return err
	}
	waiting := waitingFor(snap.State, seat)
	if len(waiting) == 0 {
		return refuse.Conflict("err_no_proposals", "name", shown.NameOf(seat))
	}
	kind, _ := engine.RulingKindNamed("waive")
	view := referee.ProposalsView{Event: tournamentID, TableID: table, Table: shown.Place.Table, Game: shown.ID,
		Seat: seat, Seen: snap.State.Seq,
		Words: waiting.Words(ctx, shown.Seats[seat].Name), Waive: form.Get("waive") != "" || form.Get("do") == "waive",
		Problem: problem, List: waits(ctx, shown, waiting)}
	for _, r := range kind.Reasons {
		view.Reasons = append(view.Reasons, referee.ReasonChoice{RulingReason: r})
	}
	var commands []engine.Command
	for _, p := range waiting {
		commands = append(commands, decides(p, view.Waive, kind.Reasons[0].Code, actor.Name))
	}
	effect, err := s.View.Games.Preview(ctx, actor, shown.ID, commands...)
	if err != nil {
		return err
	}
	view.Effects = play.EffectWords(ctx, shown, effect.Before, effect.After)
	s.View.Attention.Looks(tournamentID, table, actor)
	return page.ShowEvent(s.Page, c, status, view.Words, &view, &view.Page, referee.ProposalsPage)
}

// seatIn returns the seat that the address names, or NotFound if the game has no such seat.
func seatIn(c *gin.Context, shown play.Game) (int, error) {
	seat, err := strconv.Atoi(c.Param("seat"))
	if err != nil || seat < 0 || seat >= len(shown.Seats) {
		return 0, refuse.NotFound("err_seat_not_found", "table", shown.Place.Table, "seat", c.Param("seat"))
	}
	return seat, nil
}

// waitingFor returns the proposed penalties of a seat, or nil if there are none.
func waitingFor(state engine.State, seat int) referee.ProposedFor {
	for _, group := range referee.ProposedBySeat(state.Rulings.Undecided()) {
		if group.Seat() == seat {
			return group
		}
	}
	return nil
}

// waits returns the views of proposed penalties.
func waits(ctx context.Context, shown play.Game, waiting []engine.Proposal) (list []referee.Proposal) {
	for _, p := range waiting {
		list = append(list, referee.Proposal{Seq: p.Seq, Seat: p.Seat, Name: shown.Seats[p.Seat].Name, Tiles: p.Tiles,
			Cause: locale.T(ctx, "cause."+p.Cause), RulingReason: p.Reason(), At: p.At})
	}
	return list
}

// decides returns the command that gives a proposed penalty with the proposal's reason or, if waive is set, waives it
// with the canned reason.
func decides(p engine.Proposal, waive bool, canned, by string) engine.Command {
	kind, _ := engine.RulingKindNamed("waive")
	if waive {
		return engine.WaivePenalty{Grounds: engine.Grounds{Rule: kind.Article(canned),
			Reason: play.PackReason(canned, ""), By: by}, Proposal: p.Seq}
	}
	why := p.Reason()
	return engine.Penalise{Grounds: engine.Grounds{Rule: why.Rule, Reason: play.PackReason(why.Code, ""), By: by},
		Seat: p.Seat, Tiles: p.Tiles, Proposal: p.Seq}
}

// proposalsPost decides on the proposals that were shown; it skips those decided meanwhile.
func (s *Pages) proposalsPost(c *gin.Context) error {
	tournamentID, table := page.ID(c, "event"), page.ID(c, "table")
	ctx, actor, form := s.Page.Request.Language(c), s.Page.Request.Staff(c), c.Request.PostForm
	shown, snap, err := s.views.ruledGame(ctx, actor, tournamentID, table, form)
	if err != nil {
		return err
	}
	seat, err := seatIn(c, shown)
	if err != nil {
		return err
	}
	do, waive := form.Get("do"), form.Get("do") == "waive"
	if !waive && do != "penalty" {
		return refuse.Invalid("err_action_not_found", "kind", do)
	}
	done, tiles := 0, 0
	for _, p := range waitingFor(snap.State, seat) {
		if !slices.Contains(form["proposal"], strconv.Itoa(p.Seq)) {
			continue
		}
		answer, err := s.View.Games.Submit(ctx, actor, shown.ID, fmt.Sprintf("proposal-%d-%s", p.Seq, do),
			decides(p, waive, form.Get("canned"), actor.Name))
		if err == nil {
			err = s.Page.Signed(ctx, actor, tournamentID, shown.ID, answer)
		}
		var refusal *engine.Refusal
		switch {
		case errors.As(err, &refusal) && refusal.Code == engine.RefusedNoProposal:
		case err != nil:
			return s.Page.Again(c, err, func(c *gin.Context, status int, problem string) error {
				return s.showProposals(c, status, form, problem)
			})
		default:
			done, tiles = done+1, tiles+p.Tiles
		}
	}
	if done == 0 {
		return refuse.Conflict("err_no_proposals", "name", shown.NameOf(seat))
	}
	key := "proposal.given"
	if waive {
		key = "proposal.waived"
	}
	return s.Page.SeeOther(c, templates.RulingPath(tournamentID, table), key, "n", done, "tiles", tiles, "name",
		shown.NameOf(seat))
}
