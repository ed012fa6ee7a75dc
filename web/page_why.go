package web

import (
	"context"
	"net/http"

	"github.com/gin-gonic/gin"

	"meldhall/templates"
	"meldhall/tournament"
	"meldhall/tournament/standing"
)

// whyPage explains an event's standings: what decides, in order, and what parts each two neighbours.
func (s *publicPages) whyPage(c *gin.Context) error {
	event := idIn(c, "event")
	ctx := s.language(c)
	standings, err := tournament.StandingsOf(ctx, s.store, event)
	if err != nil {
		return err
	}
	t := standings.Tournament
	view := templates.WhyView{Page: s.newPage(c, templates.T(ctx, "why.title")+" · "+t.Name, &t), Event: t.ID, Name: t.Name}
	for _, tie := range standings.Order {
		view.Order = append(view.Order, templates.TieRow{Name: templates.T(ctx, "tie."+tie), Parts: standings.Used[tie]})
	}
	if played(standings) {
		for i, r := range standings.Rows {
			view.Rows = append(view.Rows, templates.WhyRow{Player: r.Player, Rank: rankText(standings.Rows, i), Name: r.Name, Why: whyText(ctx, standings.Rows, i)})
		}
	}
	return s.show(c, http.StatusOK, templates.WhyPage(view))
}

// played tells whether any result counts.
func played(standings tournament.Standings) bool {
	for _, r := range standings.Rows {
		if r.Games > 0 {
			return true
		}
	}
	return false
}

// whyText is one sentence on what parts a row from the one above.
func whyText(ctx context.Context, rows []tournament.StandingsRow, i int) string {
	if i == 0 {
		return templates.T(ctx, "why.first")
	}
	return reasonText(ctx, rows[i].Reason, rows[i-1].Name)
}

// reasonText is a reason as a sentence about the lower of two players; other is the upper one.
func reasonText(ctx context.Context, r standing.Reason, other string) string {
	return templates.T(ctx, "why."+r.Key, "other", "\u2068"+other+"\u2069", "above", r.Above.String(), "below", r.Below.String(), "nth", max(r.Nth, 1))
}

// orderText is what decides, as a line: wins, then points.
func orderText(ctx context.Context, order []string) string {
	if len(order) == 0 {
		return ""
	}
	list := templates.T(ctx, "tie."+order[0])
	for _, tie := range order[1:] {
		list = templates.T(ctx, "order.then", "list", list, "next", templates.T(ctx, "tie."+tie))
	}
	return templates.T(ctx, "order.by", "list", list)
}
