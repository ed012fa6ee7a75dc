package desk

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/a-h/templ"
	"github.com/gin-gonic/gin"

	"meldhall/templates"
	"meldhall/templates/desk"
	"meldhall/templates/locale"
	"meldhall/templates/part"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/draw"
	"meldhall/tournament/pairing"
	"meldhall/tournament/people"
	"meldhall/tournament/spelling"
	"meldhall/web/page"
	"meldhall/web/view"
)

// showSwap previews swapping two players of a round.
func (s *Pages) showSwap(c *gin.Context, of people.SwapSeats, swap draw.SeatSwap) error {
	return s.showSeats(c, "draw.swap", desk.SwapView{A: of.A, B: of.B, TableA: swap.Tables[0],
		TableB: swap.Tables[1]}, swap.SeatsJudged)
}

// showMove previews moving a player of a round to another table.
func (s *Pages) showMove(c *gin.Context, of people.MoveSeat, move draw.SeatMove) error {
	return s.showSeats(c, "draw.move", desk.SwapView{A: of.Player, TableA: move.Tables[0], TableB: move.Tables[1],
		SeatB: move.Seat + 1}, move.SeatsJudged)
}

// showSeats previews changed seats of a round; title is a text key.
func (s *Pages) showSeats(c *gin.Context, title string, v desk.SwapView, judged draw.SeatsJudged) error {
	at, ctx := page.RoundOf(c), s.Page.Request.Language(c)
	round, err := draw.RoundByID(ctx, s.View.Store, at.Round)
	if err != nil {
		return err
	}
	tables, err := tournament.Tables(ctx, s.View.Store, at.Round)
	if err != nil {
		return err
	}
	names := view.DrawNames(tables)
	v.Event, v.Round, v.Number, v.NeedsWhy = at.TournamentID, at.Round, round.Number, !round.SeatedByHand()
	v.NameA, v.NameB, v.Changes = names[v.A], names[v.B], seatChanges(ctx, judged)
	for i, table := range tables {
		if table.Number == v.TableA {
			v.WhyA = view.WhyLines(ctx, judged.After.Why[0][i], names)
		}
		if table.Number == v.TableB {
			v.WhyB = view.WhyLines(ctx, judged.After.Why[0][i], names)
		}
	}
	return page.ShowEvent(s.Page, c, http.StatusOK, locale.T(ctx, title), &v, &v.Page, desk.SwapPage)
}

// seatChanges describes what changed seats cost or gain, field by field, the most important first. Wishes are counted
// as pairs at the same table, by what the two players share. Their weight is shown only if none of these numbers
// changes.
func seatChanges(ctx context.Context, swap draw.SeatsJudged) []desk.DrawFact {
	c, pairs := swap.Cost, map[string]int64{}
	together(swap.After, func(why string) { pairs[why]++ })
	together(swap.Before, func(why string) { pairs[why]-- })
	wishes := c.Wishes
	if slices.ContainsFunc(slices.Collect(maps.Values(pairs)), func(n int64) bool { return n != 0 }) {
		wishes = 0
	}
	var facts []desk.DrawFact
	for _, f := range []struct {
		field string
		n     int64
	}{{"consecutive", c.Consecutive}, {"repeats", int64(swap.After.Extra - swap.Before.Extra)},
		{"apart", pairs["apart"]}, {"family", pairs["family"]}, {"club", pairs["club"]}, {"country", pairs["country"]},
		{"wishes", wishes},
		{"threes", c.Threes}, {"starts", c.Starts}, {"seats", c.Seats}, {"neighbours", c.Neighbours / 2},
		{"rank_gap", c.RankGap}} {
		if f.n != 0 {
			facts = append(facts, desk.DrawFact{Name: locale.T(ctx, "draw.cost."+f.field),
				Value: strings.Replace(fmt.Sprintf("%+d", f.n), "-", "\u2212", 1), Bad: f.n > 0})
		}
	}
	return facts
}

// together calls tell for each pair that shares a table against a wish, with the reason for the wish.
func together(rep pairing.Report, tell func(why string)) {
	for _, tables := range rep.Why {
		for _, table := range tables {
			for _, pair := range table.Together {
				tell(pair.Why)
			}
		}
	}
}

// swapOf returns the address of the preview of the swap that a form requests.
func swapOf(c *gin.Context) templ.SafeURL {
	return templates.SwapPath(page.ID(c, "event"), page.ID(c, "round"), page.FormID(c, "a"), page.FormID(c, "b"))
}

// moveOf returns the address of the preview of the move that a form requests.
func moveOf(c *gin.Context) templ.SafeURL {
	return templates.MovePath(page.ID(c, "event"), page.ID(c, "round"), page.FormID(c, "player"),
		int(page.FormID(c, "table")))
}

// reseated returns the handler that follows a change of a round's seats: it redirects to the round with a message.
// draft and public are the message's text keys for a draft, which must then be checked again, and for a published
// round, where the change is public at once.
func reseated[O any](s *Pages, draft, public string) func(*gin.Context, O) error {
	return func(c *gin.Context, _ O) error {
		at, done := page.RoundOf(c), draft
		round, err := draw.RoundByID(c.Request.Context(), s.View.Store, at.Round)
		if err != nil {
			return err
		}
		if round.Status == tournament.RoundPublished {
			done = public
		}
		return s.Page.SeeOther(c, templates.RoundPath(at.TournamentID, at.Round), done)
	}
}

// addFreeChairs adds the tables to which the selected player of a round may move. There are none if the player's own
// table cannot spare a player.
func (s *views) addFreeChairs(ctx context.Context, d *desk.DrawView, r tournament.Round,
	tables []tournament.Table) error {
	t, err := tournament.TournamentByID(ctx, s.View.Store, r.TournamentID)
	if err != nil {
		return err
	}
	rules, err := t.RulesAt(r.Stage)
	if err != nil {
		return err
	}
	for _, table := range tables {
		sits := slices.ContainsFunc(table.Seats, func(seat tournament.Seat) bool { return seat.PlayerID == d.Chosen })
		if sits && len(table.Seats) <= rules.SeatsMin {
			d.Free = nil
			return nil
		}
		if !sits && len(table.Seats) < rules.SeatsMax {
			d.Free = append(d.Free, table.Number)
		}
	}
	return nil
}

// showWithdraw previews withdrawing a published round.
func (s *Pages) showWithdraw(c *gin.Context, _ draw.WithdrawRound, out draw.Withdrawn) error {
	at, ctx, again := page.RoundOf(c), s.Page.Request.Language(c), c.Query("again") != ""
	t := func(key string, nameValues ...any) string { return locale.T(ctx, key, nameValues...) }
	p := string(templates.WithdrawPath(at.TournamentID, at.Round))
	view := desk.PeopleConfirmView{ID: at.TournamentID,
		Title: t("round.withdraw_title", "number", out.Round.Number), Post: p, Go: t("round.withdraw"),
		Back: string(templates.RoundPath(at.TournamentID, at.Round)),
		Effects: []string{t("round.withdraw.draft", "number", out.Round.Number),
			t("round.withdraw.joined", "n", out.Joined, "of", out.Players), t("round.withdraw.codes", "n", out.Tables)}}
	if out.Seed != 0 {
		view.Effects = append(view.Effects, t("round.withdraw.seed", "seed", out.Seed))
	}
	if drawsAgain(out.Round) {
		view.Choices = []desk.PeopleChoice{{URL: p, Text: t("round.withdraw.keep"), Chosen: !again},
			{URL: p + "?again=yes", Text: t("round.withdraw.again"), Chosen: again}}
	}
	if again {
		view.Needs, view.Go, view.Fields = true, t("round.withdraw.again_go"),
			[]part.FormField{{Name: "again", Value: "yes"}}
		view.Effects = append(view.Effects, t("round.withdraw.drawn"))
	}
	return page.ShowEvent(s.Page, c, http.StatusOK, view.Title, &view, &view.Page, desk.PeopleConfirmPage)
}

// withdrawPost withdraws a published round, and redraws it if requested.
func (s *Pages) withdrawPost(c *gin.Context) error {
	at, why := page.RoundOf(c), c.PostForm("why")
	look := templates.WithdrawPath(at.TournamentID, at.Round)
	if c.PostForm("again") == "" {
		return s.Page.Post(c, draw.WithdrawRound{Round: at.Round, Why: why}, s.Page.At(look),
			templates.RoundPath(at.TournamentID, at.Round), "done.round.withdraw")
	}
	out, err := action.Preview(c.Request.Context(), s.Page.Request.Desk, s.Page.Request.Staff(c),
		draw.WithdrawRound{Round: at.Round, Why: why})
	if err == nil && spelling.Clean(why) == "" {
		err = draw.NoteMissing(out.Round)
	}
	if err == nil {
		out, err = action.Do(c.Request.Context(), s.Page.Request.Desk, s.Page.Request.Staff(c),
			draw.WithdrawRound{Round: at.Round, Why: why})
	}
	if err != nil {
		return s.Page.Again(c, err, s.Page.At(look+"?again=yes"))
	}
	drawn := draw.PairRound{Tournament: at.TournamentID,
		PairingOptions: draw.PairingOptions{Method: out.Round.Method, Note: why}}
	return s.drawPost(c, drawn, templates.RoundPath(at.TournamentID, at.Round))
}

// drawsAgain reports whether a round can be redrawn: its seats come from an automatic method, not from a file, by hand
// or from a play-off.
func drawsAgain(r tournament.Round) bool {
	return r.PlayOff == 0 && slices.Contains(pairing.Automatic, r.Method)
}
