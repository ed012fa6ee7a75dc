package web

import (
	"context"

	"github.com/gin-gonic/gin"

	"meldhall/templates"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/web/page"
	"meldhall/web/view"
)

// partlyStarted reports whether only single tables of a running round were started.
func partlyStarted(r tournament.Round) bool {
	return r.Status == tournament.RoundRunning && r.StartedAt == 0
}

// startedWords describes how many tables were started while only some are, or returns "".
func (s *views) startedWords(ctx context.Context, r tournament.Round) (string, error) {
	if !partlyStarted(r) {
		return "", nil
	}
	counts, err := tournament.RoundCounts(ctx, s.View.Store, r.TournamentID)
	return startedText(ctx, counts[r.ID].Started, counts[r.ID].Tables), err
}

// partlyNow returns the number of the tournament's round if only single tables of it were started, and a text about
// them, or -1 if there is none.
func (s *views) partlyNow(ctx context.Context, tournamentID int64) (number int, words string, err error) {
	rounds, err := tournament.Rounds(ctx, s.View.Store, tournamentID)
	if err != nil {
		return -1, "", err
	}
	round, ok := view.CurrentRound(rounds)
	if !ok || !partlyStarted(round) {
		return -1, "", nil
	}
	words, err = s.startedWords(ctx, round)
	return round.Number, words, err
}

func startedText(ctx context.Context, started, of int) string {
	return templates.T(ctx, "round.tables_started", "n", started, "of", of)
}

// beginPost publishes a draft and starts it at once.
func (s *deskPages) beginPost(c *gin.Context) error {
	at := roundOf(c)
	return s.server.Page.Post(c, tournament.StartRound{Round: at.round, Publish: true},
		s.server.Page.At(templates.RoundPath(at.tournamentID, at.round)), templates.RealHallPath(at.tournamentID),
		"done.round.start")
}

// sheetStartPost starts only the table of a sheet.
func (s *refereePages) sheetStartPost(c *gin.Context) error {
	tournamentID, table := page.ID(c, "event"), page.ID(c, "table")
	began, err := s.server.startTable(s.server.Request.Language(c), s.server.Request.Staff(c), tournamentID, table)
	if err != nil {
		return s.server.Page.Again(c, err, s.server.Page.At(templates.RulingPath(tournamentID, table)))
	}
	done := "done.table.start"
	if !began {
		done = "round.table_started_before"
	}
	return s.server.Page.SeeOther(c, templates.RulingPath(tournamentID, table), done)
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
func (s *Server) startTable(ctx context.Context, actor rights.Actor, tournamentID, table int64) (began bool,
	err error) {
	at, err := tournament.TableByID(ctx, s.View.Store, table)
	if err != nil {
		return false, err
	}
	if at.TournamentID != tournamentID {
		return false, refuse.NotFound("err_table_not_found", "id", table)
	}
	return action.Do(ctx, s.Request.Desk, actor, tournament.StartTable{Table: table})
}

// addTiles adds the kind of tiles of a round's tables, and which tables share one device.
func (s *views) addTiles(ctx context.Context, view *templates.RoundView, t tournament.Tournament,
	tables []tournament.Table) error {
	devices, err := tournament.TableDevices(ctx, s.View.Store, t.ID)
	if err != nil {
		return err
	}
	view.Tiles = t.Tiles
	for i, table := range tables {
		row := &view.Tables[i]
		row.Tiles, row.Own = tournament.DigitalTiles, table.Tiles != ""
		if t.Physical(table) {
			row.Tiles, row.Device = tournament.RealTiles, devices[table.Number] != ""
		}
	}
	return nil
}
