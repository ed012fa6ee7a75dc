package public

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/a-h/templ"
	"github.com/gin-gonic/gin"

	"meldhall/engine"
	"meldhall/templates"
	"meldhall/templates/locale"
	"meldhall/templates/part"
	"meldhall/templates/public"
	"meldhall/tournament"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/web/live"
	"meldhall/web/page"
	"meldhall/web/request"
	"meldhall/web/view"
)

// called makes a public page switch to the player's own table when their game begins. It leaves the page unchanged if
// the game is already running or cannot be read.
func (s *Pages) called(c *gin.Context, p part.Page) part.Page {
	if me := request.CallersIn(c).Player; me != nil {
		if at, err := s.Page.Request.Seats.WhereIs(c.Request.Context(), *me); err == nil && !at.Running() {
			p = s.Page.Awaiting(c, p)
		}
	}
	return p
}

// Tables returns a function that renders all tables of the current round.
func (s *Pages) Tables(tournamentID int64) page.PublicDraw {
	return func(ctx context.Context, reader rights.Actor) (templ.Component, error) {
		v := public.TablesView{Event: tournamentID}
		sight, err := s.View.Sights.Of(ctx, reader, tournamentID)
		if err != nil {
			return nil, err
		}
		if v.Note, err = s.View.Sights.ShownNote(ctx, reader, tournamentID, tournament.PartPairing,
			tournament.PartTables); err != nil {
			return nil, err
		}
		rounds, err := s.View.Tournaments.Rounds(ctx, tournamentID)
		if err != nil {
			return nil, err
		}
		rounds = sight.AtTables().Rounds(rounds)
		v.News = view.SeatNews(ctx, rounds)
		t, f, err := s.View.Tournaments.WithFormat(ctx, tournamentID)
		if err != nil {
			return nil, err
		}
		v.State = view.StateOf(t, rounds)
		v.FromZero = view.FromZero(ctx, f.Stages, rounds)
		round, ok := view.CurrentRound(rounds)
		if !ok {
			return public.TablesRegion(v), nil
		}
		v.Round = round.Number
		v.Tables, err = s.View.TableRowsSeen(ctx, tournamentID, round.ID, sight)
		return public.TablesRegion(v), err
	}
}

func (s *Pages) watchPage(c *gin.Context) error {
	tournamentID, table := page.ID(c, "event"), page.ID(c, "table")
	ctx := s.Page.Request.Language(c)
	t, err := tournament.TournamentByID(ctx, s.View.Store, tournamentID)
	if err != nil {
		return err
	}
	at, err := tournament.TableByID(ctx, s.View.Store, table)
	if err != nil {
		return err
	}
	region, err := s.Page.DrawnFor(ctx, page.PublicReader(s.Page.Request.Staff(c), tournamentID),
		watchKey(tournamentID, table),
		s.Watched(tournamentID, table))
	if err != nil {
		return err
	}
	p := page.Streamed(s.Page.NewPage(c, locale.T(ctx, "table.title", "number", at.Number)+" · "+t.Name, &t),
		templates.WatchPath(tournamentID, table)+"/live")
	return s.Page.Show(c, http.StatusOK, part.RegionPage(p, region.Component()))
}

func (s *Pages) watchLive(c *gin.Context) error {
	tournamentID, table := page.ID(c, "event"), page.ID(c, "table")
	return s.Page.StreamPublic(c, tournamentID, watchKey(tournamentID, table),
		s.Watched(tournamentID, table),
		append(page.TableTopics(tournamentID), live.TableTopic(table))...)
}

func watchKey(tournamentID, table int64) string {
	return "watch " + strconv.FormatInt(tournamentID, 10) + " " + strconv.FormatInt(table, 10)
}

// Watched returns a function that renders a table as the public may see it, without racks. A table of a draft is not
// found.
func (s *Pages) Watched(tournamentID, table int64) page.PublicDraw {
	return func(ctx context.Context, reader rights.Actor) (templ.Component, error) {
		view := public.WatchView{Event: tournamentID}
		sight, err := s.View.Sights.Of(ctx, reader, tournamentID)
		if err != nil {
			return nil, err
		}
		if view.State, err = s.View.Tournaments.State(ctx, tournamentID); err != nil {
			return nil, err
		}
		if view.Note, err = s.View.Sights.ShownNote(ctx, reader, tournamentID, tournament.PartTables,
			tournament.PartResults); err != nil {
			return nil, err
		}
		current, err := s.View.Tournaments.CurrentAtTable(ctx, tournamentID, table, sight.Tables)
		if err != nil {
			return nil, err
		}
		seen, err := s.View.Sights.Seen(ctx, reader, current.Game)
		if errors.Is(err, refuse.ErrForbidden) {
			return public.WatchRegion(view), nil
		}
		if err != nil {
			return nil, err
		}
		if seen.Snap.Ref.TournamentID != tournamentID {
			return nil, refuse.NotFound("err_table_not_found", "id", table)
		}
		view.Round = seen.Snap.Ref.RoundID
		if view.Game, err = s.View.ShownGame(ctx, seen, engine.Spectator); err != nil {
			return nil, err
		}
		if !seen.NoResult {
			if err := s.View.OpenRacks(ctx, rights.Public(), seen.Snap, &view.Game); err != nil {
				return nil, err
			}
		}
		view.Log, err = s.View.PublicLog(ctx, tournamentID, seen, view.Game)
		return public.WatchRegion(view), err
	}
}

// lookLife is how long a browser keeps the display settings.
const lookLife = 365 * 24 * time.Hour

// look sets the theme or the language for lookLife.
func (s *Pages) look(c *gin.Context) error {
	switch theme := c.PostForm("theme"); theme {
	case "dark", "light":
		s.Page.Request.Cookies.Set(c, page.ThemeCookie, theme, lookLife)
	case "auto":
		s.Page.Request.Cookies.Set(c, page.ThemeCookie, "", 0)
	}
	for _, l := range locale.LanguagesOf(s.Page.Request.Language(c)) {
		if l.Tag == c.PostForm("lang") {
			s.Page.Request.Cookies.Set(c, request.LanguageCookie, l.Tag, lookLife)
		}
	}
	return s.Page.SeeOther(c, page.SafePath(c.PostForm("back"), templates.HomePath), "")
}
