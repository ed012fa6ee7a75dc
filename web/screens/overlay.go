package screens

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/a-h/templ"
	"github.com/gin-gonic/gin"

	"meldhall/engine"
	"meldhall/templates"
	"meldhall/templates/locale"
	"meldhall/templates/part"
	"meldhall/templates/play"
	"meldhall/templates/public"
	"meldhall/templates/screens"
	"meldhall/tournament"
	"meldhall/tournament/game"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/screen"
	"meldhall/web/live"
	"meldhall/web/page"
	"meldhall/web/request"
	"meldhall/web/view"
)

// How many rows of the standings an overlay shows, and how many of the last turns a commentator sees.
const (
	overlayRows  = 10
	overlayTurns = 8
)

func (s *Screens) overlayPage(c *gin.Context) error {
	kind, tournamentID := c.Param("overlay"), page.ID(c, "event")
	if !slices.Contains(screens.Overlays, kind) {
		return request.NotFound(c)
	}
	ctx := s.Page.LanguageAsked(c)
	t, err := tournament.TournamentByID(ctx, s.View.Store, tournamentID)
	if err != nil {
		return err
	}
	region, err := s.drawnOverlay(ctx, tournamentID, kind)
	if err != nil {
		return err
	}
	p := Themed(s.Page.NewPage(c, t.Name, nil), c.Query("theme"))
	p.News = nil
	p.Live = part.Live{URL: string(templates.OverlayPath(tournamentID, kind)) + "/live", Quiet: page.NearQuiet,
		Near: true}
	if lang := s.Page.LanguageNamed(c); lang != "" {
		p.Live.URL += "?lang=" + lang
	}
	html, err := page.Render(ctx, screens.OverlayPage(p, region.Component()))
	if err == nil {
		page.SendHTML(c, http.StatusOK, html)
	}
	return err
}

func (s *Screens) overlayLive(c *gin.Context) error {
	kind, tournamentID := c.Param("overlay"), page.ID(c, "event")
	if !slices.Contains(screens.Overlays, kind) {
		return request.NotFound(c)
	}
	ctx := s.Page.LanguageAsked(c)
	return s.streamGame(c, tournamentID, func() (page.Drawing,
		error) {
		return s.drawnOverlay(ctx, tournamentID, kind)
	})
}

// streamGame streams drawings that change with the games of a tournament.
func (s *Screens) streamGame(c *gin.Context, tournamentID int64, draw func() (page.Drawing, error)) error {
	watcher := s.Page.Request.Hub.Watch(live.TournamentTopic(tournamentID), live.DisplaysTopic())
	again := time.AfterFunc(boardLeast, watcher.Wake)
	ends := []func(){func() { again.Stop() }}
	return s.Page.StreamPage(c, live.Feed{Watcher: watcher, Ends: ends, Least: boardLeast, Apart: boardApart,
		Ping: page.NearPing, Next: func() (live.Message, error) {
			again.Reset(Look)
			d, err := draw()
			return d.Message(), err
		}})
}

func (s *Screens) drawnOverlay(ctx context.Context, tournamentID int64, kind string) (page.Drawing, error) {
	return s.regions.Drawn(ctx, "overlay "+strconv.FormatInt(tournamentID, 10)+" "+kind, 0,
		func(ctx context.Context) (templ.Component, error) {
			view, _, err := s.overlayView(ctx, tournamentID, kind)
			return screens.OverlayRegion(view), err
		})
}

// overlayView returns an overlay as the public may see it: the standings, the clock or, for other kinds, the game at
// the chosen table, never with a rack. Without a visible game, the SeenGame is empty.
func (s *Screens) overlayView(ctx context.Context, tournamentID int64, kind string) (screens.OverlayView,
	view.SeenGame, error) {
	_, zone := s.View.Store.Now().Zone()
	v := screens.OverlayView{Kind: kind, Event: tournamentID, Zone: zone / 60, Build: s.View.Build}
	now, err := s.showingOf(ctx, board{tournamentID: tournamentID})
	if err != nil {
		return v, view.SeenGame{}, err
	}
	v.Name = now.t.Name
	switch kind {
	case "standings":
		v.Rows, err = now.firstRanks(ctx)
		return v, view.SeenGame{}, err
	case "clock":
		v.Clock, err = now.clockNow(ctx)
		return v, view.SeenGame{}, err
	}
	seen, err := now.featured(ctx, &v)
	return v, seen, err
}

// firstRanks returns the first rows of the standings as shown to the public.
func (s showing) firstRanks(ctx context.Context) ([]play.RankRow, error) {
	standings, err := s.screens.View.Tournaments.Standings(ctx, s.tournamentID, s.sight.Standings)
	if err != nil || !view.Played(standings) {
		return nil, err
	}
	rows := view.RankRows(ctx, standings, nil)
	return rows[:min(len(rows), overlayRows)], nil
}

// featured fills a view with the game at the chosen table as the public may see it. If there is none, it sets v.Closed
// to the reason and returns an empty SeenGame.
func (s showing) featured(ctx context.Context, v *screens.OverlayView) (seen view.SeenGame, err error) {
	if v.Table, err = screen.FeaturedTable(ctx, s.screens.View.Store, s.tournamentID); err != nil {
		return seen, err
	}
	v.Closed = locale.T(ctx, "overlay.nothing", "number", v.Table)
	round, ok := view.CurrentRound(s.sight.AtTables().Rounds(s.all))
	if !ok {
		return seen, nil
	}
	v.Round = locale.T(ctx, "round.title", "number", round.Number)
	table, ok, err := tournament.TableByNumber(ctx, s.screens.View.Store, round.ID, v.Table)
	if err != nil || !ok {
		return seen, err
	}
	current, err := game.CurrentAtTableBefore(ctx, s.screens.View.Store, table.ID, s.sight.Tables)
	if errors.Is(err, refuse.ErrNotFound) {
		return seen, nil
	}
	if err != nil {
		return seen, err
	}
	seen, err = s.screens.View.Sights.Seen(ctx, rights.Public(), current.Game)
	if errors.Is(err, refuse.ErrForbidden) {
		return view.SeenGame{}, nil
	}
	if err != nil {
		return seen, err
	}
	v.Closed = ""
	v.Game.ID = current.Game
	if v.Game.Place, v.Game.Seats, err = s.screens.View.Tournaments.GamePlace(ctx, seen.Snap.Ref); err != nil {
		return seen, err
	}
	if v.Game.View, err = s.screens.View.Sights.View(ctx, seen, engine.Spectator); err != nil {
		return seen, err
	}
	phase := v.Game.View.Phase
	v.Has = !seen.NoResult && (phase == engine.PhaseDealt || phase == engine.PhasePlaying)
	return seen, nil
}

// commentaryPage shows the chosen table to a commentator.
func (s *Screens) commentaryPage(c *gin.Context) error {
	tournamentID := page.ID(c, "event")
	ctx := s.Page.Request.Language(c)
	t, err := tournament.TournamentByID(ctx, s.View.Store, tournamentID)
	if err != nil {
		return err
	}
	region, err := s.drawnCommentary(ctx, tournamentID)
	if err != nil {
		return err
	}
	p := page.Streamed(s.Page.NewPage(c, locale.T(ctx, "overlay.commentary")+" · "+t.Name, &t),
		templates.CommentaryPath(tournamentID)+"/live")
	return s.Page.Show(c, http.StatusOK, part.RegionPage(p, region.Component()))
}

func (s *Screens) commentaryLive(c *gin.Context) error {
	tournamentID := page.ID(c, "event")
	ctx := s.Page.Request.Language(c)
	return s.streamGame(c, tournamentID, func() (page.Drawing, error) { return s.drawnCommentary(ctx, tournamentID) })
}

func (s *Screens) drawnCommentary(ctx context.Context, tournamentID int64) (page.Drawing, error) {
	return s.regions.Drawn(ctx, "commentary "+strconv.FormatInt(tournamentID, 10), 0,
		func(ctx context.Context) (templ.Component, error) {
			view, err := s.commentaryView(ctx, tournamentID)
			return screens.CommentaryRegion(view), err
		})
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
