package web

import (
	"context"
	"net/http"

	"github.com/gin-gonic/gin"

	"meldhall/templates"
	"meldhall/tournament"
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
