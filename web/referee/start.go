package referee

import (
	"context"

	"github.com/gin-gonic/gin"

	"meldhall/templates"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/draw"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/web/page"
)

// sheetStartPost starts only the table of a sheet.
func (s *Pages) sheetStartPost(c *gin.Context) error {
	tournamentID, table := page.ID(c, "event"), page.ID(c, "table")
	began, err := s.startTable(s.Page.Request.Language(c), s.Page.Request.Staff(c), tournamentID, table)
	if err != nil {
		return s.Page.Again(c, err, s.Page.At(templates.RulingPath(tournamentID, table)))
	}
	done := "done.table.start"
	if !began {
		done = "round.table_started_before"
	}
	return s.Page.SeeOther(c, templates.RulingPath(tournamentID, table), done)
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

// startTable starts one table of a tournament's round; began is false if it had already started.
func (s *Pages) startTable(ctx context.Context, actor rights.Actor, tournamentID, table int64) (began bool,
	err error) {
	at, err := tournament.TableByID(ctx, s.View.Store, table)
	if err != nil {
		return false, err
	}
	if at.TournamentID != tournamentID {
		return false, refuse.NotFound("err_table_not_found", "id", table)
	}
	return action.Do(ctx, s.Page.Request.Desk, actor, draw.StartTable{Table: table})
}
