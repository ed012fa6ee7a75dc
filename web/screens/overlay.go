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
	"meldhall/templates/screens"
	"meldhall/tournament"
	"meldhall/tournament/game"
	"meldhall/tournament/housekeeping"
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
	if v.Look, err = now.look(ctx); err != nil {
		return v, view.SeenGame{}, err
	}
	switch kind {
	case "standings":
		v.Rows, err = now.firstRanks(ctx)
		return v, view.SeenGame{}, err
	case "clock":
		v.Clock, err = now.clockNow(ctx)
		return v, view.SeenGame{}, err
	}
	seen, err := now.featured(ctx, &v)
	if err == nil && kind == "lower" && seen.Snap != nil {
		v.Ranks, err = now.ranks(ctx, seen.Snap.Ref.Players)
	}
	return v, seen, err
}

// look returns how the overlays look, as an official has set it.
func (s showing) look(ctx context.Context) (screens.OverlayLook, error) {
	f, err := screen.FeaturedOf(ctx, s.screens.View.Store, s.tournamentID)
	if err != nil {
		return screens.OverlayLook{}, err
	}
	set := f.Look.Usual()
	look := screens.OverlayLook{Size: set.Size, Place: set.Place}
	if set.Colours == "event" {
		look.Colour = s.t.Colour
		look.Dark = s.t.Details.Contrast() < whiteLeast
	}
	if !set.Logo {
		return look, nil
	}
	logo, found, err := housekeeping.LogoOf(ctx, s.screens.View.Store, s.tournamentID)
	if found {
		look.Logo = templates.LogoPath(s.tournamentID, logo.SHA256[:8])
	}
	return look, err
}

// whiteLeast is the contrast with white at which black letters stand out from a colour as much as white ones: the
// square root of 21. White or black letters thus always have a contrast of at least 4.58.
const whiteLeast = 4.583

// ranks returns the places of players in the standings as the public sees them; nil before the first result.
func (s showing) ranks(ctx context.Context, players []int64) ([]string, error) {
	standings, err := s.screens.View.Tournaments.Standings(ctx, s.tournamentID, s.sight.Standings)
	if err != nil || !view.Played(standings) {
		return nil, err
	}
	ranks := make([]string, len(players))
	for i, r := range standings.Rows {
		if seat := slices.Index(players, r.Player); seat >= 0 {
			ranks[seat] = view.RankText(standings.Rows, i)
		}
	}
	return ranks, nil
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
