package referee

import (
	"context"

	"github.com/a-h/templ"
	"github.com/gin-gonic/gin"

	"meldhall/templates"
	"meldhall/tournament"
	"meldhall/web/page"
)

// rulingOf returns the address of the sheet of the requested table.
func rulingOf(c *gin.Context) templ.SafeURL {
	return templates.RulingPath(page.ID(c, "event"), page.ID(c, "table"))
}

// tableStarted confirms on a table's sheet that the table has started; began is false if it had already started.
func (s *Pages) tableStarted(c *gin.Context, began bool) error {
	if !began {
		return s.Page.SeeOther(c, rulingOf(c), "round.table_started_before")
	}
	return s.Page.SeeOther(c, rulingOf(c), "done.table.start")
}

// missingAt returns the number of players without a tablet at a table, or 0 if it plays with real tiles.
func (s *views) missingAt(ctx context.Context, table tournament.Table) (int, error) {
	t, err := tournament.TournamentByID(ctx, s.View.Store, table.TournamentID)
	if err != nil {
		return 0, err
	}
	if t.Physical(table) {
		return 0, nil
	}
	missing := 0
	for _, seat := range table.Seats {
		if !seat.Player.Joined() {
			missing++
		}
	}
	return missing, nil
}
