package web

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"

	"meldhall/templates"
	"meldhall/tournament"
	"meldhall/tournament/pairing"
)

// swapPage shows what an exchange of two players of a draft would change.
func (s *deskPages) swapPage(c *gin.Context) error { return s.showSwap(c, http.StatusOK, "") }

func (s *deskPages) showSwap(c *gin.Context, status int, problem string) error {
	at := roundOf(c)
	a, b := queryID(c, "a"), queryID(c, "b")
	if c.Request.Method == http.MethodPost {
		a, b = formID(c, "a"), formID(c, "b")
	}
	ctx := s.language(c)
	swap, err := tournament.Preview(ctx, s.desk, s.staff(c), tournament.SwapSeats{Round: at.round, A: a, B: b})
	if err != nil {
		return s.again(c, err, s.showRound)
	}
	round, err := tournament.RoundByID(ctx, s.store, at.round)
	if err != nil {
		return err
	}
	tables, err := tournament.Tables(ctx, s.store, at.round)
	if err != nil {
		return err
	}
	names := drawNames(tables)
	view := templates.SwapView{Event: at.event, Round: at.round, Number: round.Number,
		A: a, B: b, NameA: names[a], NameB: names[b], TableA: swap.Tables[0], TableB: swap.Tables[1], Changes: swapChanges(ctx, swap), NeedsWhy: !round.SeatedByHand(), Problem: problem}
	for i, table := range tables {
		if table.Number == swap.Tables[0] {
			view.WhyA = whyLines(ctx, swap.After.Why[0][i], names)
		}
		if table.Number == swap.Tables[1] {
			view.WhyB = whyLines(ctx, swap.After.Why[0][i], names)
		}
	}
	return showEvent(s.Server, c, status, templates.T(ctx, "draw.swap"), &view, &view.Page, templates.SwapPage)
}

// swapChanges says what a swap costs or gains, field by field, the weightiest first. Requests are shown as pairs who share a
// table, by what they share; by their weight only where no such number moves.
func swapChanges(ctx context.Context, swap tournament.SeatSwap) []templates.DrawFact {
	c, pairs := swap.Cost, map[string]int64{}
	together(swap.After, func(why string) { pairs[why]++ })
	together(swap.Before, func(why string) { pairs[why]-- })
	wishes := c.Wishes
	if slices.ContainsFunc(slices.Collect(maps.Values(pairs)), func(n int64) bool { return n != 0 }) {
		wishes = 0
	}
	var facts []templates.DrawFact
	for _, f := range []struct {
		field string
		n     int64
	}{{"consecutive", c.Consecutive}, {"repeats", int64(swap.After.Extra - swap.Before.Extra)},
		{"apart", pairs["apart"]}, {"family", pairs["family"]}, {"club", pairs["club"]}, {"country", pairs["country"]}, {"wishes", wishes},
		{"threes", c.Threes}, {"starts", c.Starts}, {"seats", c.Seats}, {"neighbours", c.Neighbours / 2}, {"rank_gap", c.RankGap}} {
		if f.n != 0 {
			facts = append(facts, templates.DrawFact{Name: templates.T(ctx, "draw.cost."+f.field), Value: strings.Replace(fmt.Sprintf("%+d", f.n), "-", "\u2212", 1), Bad: f.n > 0})
		}
	}
	return facts
}

// together tells of each pair that sits at one table in spite of a wish why they should not.
func together(rep pairing.Report, tell func(why string)) {
	for _, tables := range rep.Why {
		for _, table := range tables {
			for _, pair := range table.Together {
				tell(pair.Why)
			}
		}
	}
}

func (s *deskPages) swapPost(c *gin.Context) error {
	at := roundOf(c)
	swap := tournament.SwapSeats{Round: at.round, A: formID(c, "a"), B: formID(c, "b"), Why: c.PostForm("why")}
	return s.post(c, swap, s.showSwap, templates.RoundPath(at.event, at.round), "draw.swapped")
}
