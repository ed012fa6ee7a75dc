package web

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
	"meldhall/tournament"
	"meldhall/tournament/archive"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/web/frame"
	"meldhall/web/live"
	"meldhall/web/shell"
	"meldhall/web/venue"
)

func (s *publicPages) tablesPage(c *gin.Context) error {
	event := frame.ID(c, "event")
	return s.showPublic(c, event, "nav.tables", templates.TablesPath(event), tablesKey(event), s.tables(event))
}

// showPublic shows an event's page of one region, which is drawn once for all who read it, titled by a text's key.
func (s *Server) showPublic(c *gin.Context, event int64, title string, at templ.SafeURL, key string, draw frame.PublicDraw) error {
	ctx := s.Language(c)
	t, err := tournament.TournamentByID(ctx, s.Store, event)
	if err != nil {
		return err
	}
	region, err := s.DrawnFor(ctx, frame.PublicReader(s.Staff(c), event), key, draw)
	if err != nil {
		return err
	}
	page := frame.Streamed(s.NewPage(c, templates.T(ctx, title)+" · "+t.Name, &t), at+"/live")
	if at == templates.LeaderboardPath(event) {
		if page.Proof, err = s.proof(ctx, event); err != nil {
			return err
		}
	}
	return s.Show(c, http.StatusOK, templates.RegionPage(s.called(c, page), region.Component()))
}

// proof returns the hashes of an event's records for its public page.
func (s *Server) proof(ctx context.Context, event int64) (*templates.ProofView, error) {
	return venue.Kept(ctx, s.Venue, event, "proof", func(ctx context.Context) (*templates.ProofView, error) {
		p, err := archive.ProofOf(ctx, s.Store, event)
		return &templates.ProofView{Head: p.Head, Archive: p.Archive, ArchivedAt: p.ArchivedAt}, err
	})
}

// called makes a page of the public's leave for the player's own table when their game begins. Who looks at it while their game runs, or
// has one that cannot be read, is left to look.
func (s *Server) called(c *gin.Context, p templates.Page) templates.Page {
	if me := shell.CallersIn(c).Player; me != nil {
		if at, err := s.whereIs(c.Request.Context(), *me); err == nil && !at.Running() {
			p = s.awaiting(c, p)
		}
	}
	return p
}

// awaiting makes a page leave for the player's own table when their game begins: nobody misses it over a guide, practice or standings.
func (s *Server) awaiting(c *gin.Context, p templates.Page) templates.Page {
	if s.HasSeat(c) {
		p.Next = string(nextStream)
	}
	return p
}

func (s *publicPages) tablesLive(c *gin.Context) error {
	event := frame.ID(c, "event")
	return s.StreamPublic(c, event, tablesKey(event), s.tables(event), live.TournamentTopic(event))
}

func tablesKey(event int64) string { return "tables " + strconv.FormatInt(event, 10) }

// tables draws all tables of the round that is on.
func (s *views) tables(event int64) frame.PublicDraw {
	return func(ctx context.Context, reader rights.Actor) (templ.Component, error) {
		view := templates.TablesView{Event: event}
		sight, err := s.SightOf(ctx, reader, event)
		if err != nil {
			return nil, err
		}
		if view.Note, err = s.ShownNote(ctx, reader, event, tournament.PartPairing, tournament.PartTables); err != nil {
			return nil, err
		}
		rounds, err := s.Rounds(ctx, event)
		if err != nil {
			return nil, err
		}
		rounds = sight.AtTables().Rounds(rounds)
		view.News = venue.SeatNews(ctx, rounds)
		_, f, err := s.EventFormat(ctx, event)
		if err != nil {
			return nil, err
		}
		view.FromZero = venue.FromZero(ctx, f.Stages, rounds)
		round, ok := venue.CurrentRound(rounds)
		if !ok {
			return templates.TablesRegion(view), nil
		}
		view.Round = round.Number
		view.Tables, err = s.TableRowsSeen(ctx, event, round.ID, sight)
		return templates.TablesRegion(view), err
	}
}

func (s *publicPages) watchPage(c *gin.Context) error {
	event, table := frame.ID(c, "event"), frame.ID(c, "table")
	ctx := s.Language(c)
	t, err := tournament.TournamentByID(ctx, s.Store, event)
	if err != nil {
		return err
	}
	at, err := tournament.TableByID(ctx, s.Store, table)
	if err != nil {
		return err
	}
	region, err := s.DrawnFor(ctx, frame.PublicReader(s.Staff(c), event), watchKey(event, table), s.watched(event, table))
	if err != nil {
		return err
	}
	page := frame.Streamed(s.NewPage(c, templates.T(ctx, "table.title", "number", at.Number)+" · "+t.Name, &t), templates.WatchPath(event, table)+"/live")
	return s.Show(c, http.StatusOK, templates.RegionPage(page, region.Component()))
}

func (s *publicPages) watchLive(c *gin.Context) error {
	event, table := frame.ID(c, "event"), frame.ID(c, "table")
	return s.StreamPublic(c, event, watchKey(event, table), s.watched(event, table), append(frame.TableTopics(event), live.TableTopic(table))...)
}

func watchKey(event, table int64) string {
	return "watch " + strconv.FormatInt(event, 10) + " " + strconv.FormatInt(table, 10)
}

// watched draws a table as everybody may see it, never a rack. A table of a draft does not exist yet.
func (s *views) watched(event, table int64) frame.PublicDraw {
	return func(ctx context.Context, reader rights.Actor) (templ.Component, error) {
		view := templates.WatchView{Event: event}
		sight, err := s.SightOf(ctx, reader, event)
		if err != nil {
			return nil, err
		}
		if view.Note, err = s.ShownNote(ctx, reader, event, tournament.PartTables, tournament.PartResults); err != nil {
			return nil, err
		}
		current, err := s.CurrentAtTable(ctx, event, table, sight.Tables)
		if err != nil {
			return nil, err
		}
		seen, err := s.Seen(ctx, reader, current.Game)
		if errors.Is(err, refuse.ErrForbidden) {
			return templates.WatchRegion(view), nil
		}
		if err != nil {
			return nil, err
		}
		if seen.Snap.Ref.TournamentID != event {
			return nil, refuse.NotFound("err_table_not_found", "id", table)
		}
		view.Round = seen.Snap.Ref.RoundID
		if view.Game, err = s.shownGame(ctx, seen, engine.Spectator); err != nil {
			return nil, err
		}
		if !seen.NoResult {
			if err := s.openRacks(ctx, rights.Public(), seen.Snap, &view.Game); err != nil {
				return nil, err
			}
		}
		view.Log, err = s.publicLog(ctx, event, seen, view.Game)
		return templates.WatchRegion(view), err
	}
}

// lookLife is how long a browser keeps how the pages look.
const lookLife = 365 * 24 * time.Hour

// look changes the theme or the language, for a year.
func (s *publicPages) look(c *gin.Context) error {
	switch theme := c.PostForm("theme"); theme {
	case "dark", "light":
		s.SetCookie(c, frame.ThemeCookie, theme, lookLife)
	case "auto":
		s.SetCookie(c, frame.ThemeCookie, "", 0)
	}
	for _, l := range templates.LanguagesOf(s.Language(c)) {
		if l.Tag == c.PostForm("lang") {
			s.SetCookie(c, shell.LanguageCookie, l.Tag, lookLife)
		}
	}
	return s.SeeOther(c, frame.SafePath(c.PostForm("back"), templates.HomePath), "")
}
