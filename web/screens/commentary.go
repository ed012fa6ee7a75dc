package screens

import (
	"context"
	"errors"
	"net/http"
	"strconv"

	"github.com/a-h/templ"
	"github.com/gin-gonic/gin"

	"meldhall/engine"
	"meldhall/templates"
	"meldhall/templates/locale"
	"meldhall/templates/part"
	"meldhall/templates/public"
	"meldhall/templates/screens"
	"meldhall/tournament"
	"meldhall/tournament/game"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/web/live"
	"meldhall/web/page"
)

// commentaryPage shows the chosen table to a commentator.
func (s *Screens) commentaryPage(c *gin.Context) error {
	tournamentID := page.ID(c, "event")
	ctx := s.Page.Request.Language(c)
	t, err := tournament.TournamentByID(ctx, s.View.Store, tournamentID)
	if err != nil {
		return err
	}
	region, err := s.Page.DrawnFor(ctx, page.PublicReader(s.Page.Request.Staff(c), tournamentID),
		commentaryKey(tournamentID), s.commentary(tournamentID))
	if err != nil {
		return err
	}
	p := page.Streamed(s.Page.NewPage(c, locale.T(ctx, "overlay.commentary")+" · "+t.Name, &t),
		templates.CommentaryPath(tournamentID)+"/live")
	return s.Page.Show(c, http.StatusOK, part.RegionPage(p, region.Component()))
}

func (s *Screens) commentaryLive(c *gin.Context) error {
	tournamentID := page.ID(c, "event")
	return s.Page.StreamPublic(c, tournamentID, commentaryKey(tournamentID), s.commentary(tournamentID),
		live.TournamentTopic(tournamentID), live.DisplaysTopic())
}

func commentaryKey(tournamentID int64) string {
	return "commentary " + strconv.FormatInt(tournamentID, 10)
}

// commentary returns a function that renders the page for commentators. Officials see all tables without delay, but no
// rack either.
func (s *Screens) commentary(tournamentID int64) page.PublicDraw {
	return func(ctx context.Context, reader rights.Actor) (templ.Component, error) {
		v, err := s.commentaryView(ctx, tournamentID)
		if err != nil {
			return nil, err
		}
		_, tables, err := s.View.TablesNow(ctx, reader, tournamentID)
		for _, t := range tables {
			row := screens.CommentaryTable{Row: t.Row}
			for _, seat := range t.Seats {
				row.Ranks = append(row.Ranks, seat.Rank)
				row.Opened = append(row.Opened, seat.Opened)
				row.Countries = append(row.Countries, locale.Country(ctx, seat.Player.Country))
			}
			v.Tables = append(v.Tables, row)
		}
		return screens.CommentaryRegion(v), err
	}
}

// commentaryView returns the overlays' table with its turns, and the possible plays in finished games at that table.
// The possible plays of a running game would reveal a rack.
func (s *Screens) commentaryView(ctx context.Context, tournamentID int64) (view screens.CommentaryView, err error) {
	overlay, seen, err := s.overlayView(ctx, tournamentID, "table")
	if err != nil {
		return view, err
	}
	view.Overlay = overlay
	if view.Note, err = s.View.Sights.ShownNote(ctx, rights.Public(), tournamentID, tournament.PartTables,
		tournament.PartStandings); err != nil {
		return view, err
	}
	now, err := s.showingOf(ctx, board{tournamentID: tournamentID})
	if err != nil {
		return view, err
	}
	if view.Overlay.Rows, err = now.firstRanks(ctx); err != nil || seen.Snap == nil {
		return view, err
	}
	if view.Turns, err = s.turnLines(ctx, overlay, seen.At, overlayTurns); err != nil {
		return view, err
	}
	table, err := tournament.TableByID(ctx, s.View.Store, seen.Snap.Ref.TableID)
	if err != nil {
		return view, err
	}
	for _, g := range table.Games {
		at, err := s.View.Sights.AuthorizeEnded(ctx, rights.Public(), g.ID)
		if errors.Is(err, refuse.ErrForbidden) || errors.Is(err, refuse.ErrConflict) || err == nil &&
			g.Status != game.Finished {
			continue
		}
		if err != nil {
			return view, err
		}
		past := screens.PastGameLink{ID: g.ID, Number: g.Number}
		ended := overlay
		ended.Game.ID = g.ID
		if past.Turns, err = s.turnLines(ctx, ended, at, 0); err != nil {
			return view, err
		}
		view.Past = append(view.Past, past)
	}
	return view, nil
}

// turnLines returns the turns of a game that were completed before at: the newest ones, at most last of them, or all if
// last is 0.
func (s *Screens) turnLines(ctx context.Context, view screens.OverlayView, at engine.Millis,
	last int) (lines []screens.TurnLine, err error) {
	turns, err := s.View.Sights.TurnsSeen(ctx, view.Game.ID, at)
	if last > 0 {
		turns = turns[max(0, len(turns)-last):]
	}
	for _, t := range turns {
		line := screens.TurnLine{Number: t.Number, Did: public.Deed{Kind: t.Kind, Played: len(t.Played),
			Drawn: t.Drawn}}
		if t.Seat < len(view.Game.Seats) {
			line.Name = view.Game.Seats[t.Seat].Name
		}
		lines = append(lines, line)
	}
	return lines, err
}
