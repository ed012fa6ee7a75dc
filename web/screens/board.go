package screens

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"
	"github.com/gin-gonic/gin"

	"meldhall/templates"
	"meldhall/templates/part"
	"meldhall/templates/screens"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/screen"
	"meldhall/web/live"
	"meldhall/web/page"
	"meldhall/web/request"
)

// boardLeast is how long after a change a board is rendered, boardApart the shortest time between two renderings of it.
const (
	boardLeast = 100 * time.Millisecond
	boardApart = 500 * time.Millisecond
)

// board is what a screen shows of a tournament.
type board struct {
	tournamentID int64
	shows        screen.Programme
	fit          screen.Fit
	base         string // the address for phones
}

// boardPage serves the address that a television opens once. It shows the boards chosen for this screen, or the code
// for choosing them. A browser without sufficient support gets a page without scripts.
func (s *Screens) boardPage(c *gin.Context) error {
	token := s.Token(c)
	d, paired, err := s.Paired(c.Request.Context(), token)
	if err != nil {
		return err
	}
	if c.Query("plain") != "" {
		return s.plainPage(c, d, paired)
	}
	if !paired || d.Number != 0 {
		return s.screenPage(c)
	}
	s.Page.Request.Cookies.Set(c, s.Page.Request.Cookies.Name(screenCookie), token, screenLife)
	return s.showBoard(c, board{d.TournamentID, d.Shows, d.Fit, s.Page.Request.BaseURL(c)}, templates.BoardPath+"/live")
}

// showBoard responds with a screen that the stream at an address updates.
func (s *Screens) showBoard(c *gin.Context, b board, stream templ.SafeURL) error {
	s.about(c, b.tournamentID)
	ctx := s.languageOf(c, b.fit)
	t, err := tournament.TournamentByID(ctx, s.View.Store, b.tournamentID)
	if err != nil {
		return err
	}
	region, err := s.drawn(ctx, b)
	if err != nil {
		return err
	}
	p := Themed(s.Page.NewPage(c, t.Name, nil), b.fit.Theme)
	p.Live = part.Live{URL: string(stream), Quiet: page.NearQuiet, Near: true}
	html, err := page.Render(ctx, screens.BoardPage(p, region.Component(), plainAddress(c, 1)))
	if err == nil {
		page.SendHTML(c, http.StatusOK, html)
	}
	return err
}

// about sets the tournament of a request whose address does not name it, so that the page shows the tournament's
// announcements and times in the tournament's zone.
func (s *Screens) about(c *gin.Context, tournamentID int64) {
	s.Page.Request.InZone(c, tournamentID)
	if c.Param("event") == "" {
		c.AddParam("event", strconv.FormatInt(tournamentID, 10))
	}
}

// languageOf returns a context with the language chosen for a screen, or else that of the address or the browser.
func (s *Screens) languageOf(c *gin.Context, fit screen.Fit) context.Context {
	if fit.Lang != "" {
		return s.Page.Request.Texts.With(c.Request.Context(), fit.Lang)
	}
	return s.Page.LanguageAsked(c)
}

// boardLive streams the whole screen. It sends "go" if the screen was moved to another tournament or to a table, was
// removed, or got another language.
func (s *Screens) boardLive(c *gin.Context) error {
	token := s.Token(c)
	d, paired, err := s.Paired(c.Request.Context(), token)
	if err != nil {
		return err
	}
	if !paired || d.Number != 0 {
		return s.screenLive(c)
	}
	s.about(c, d.TournamentID)
	tournamentID, lang, base := d.TournamentID, d.Fit.Lang, s.Page.Request.BaseURL(c)
	return s.Page.StreamPage(c, s.boardFeed(s.languageOf(c, d.Fit), tournamentID, func() (board, bool, error) {
		d, paired, err := s.Paired(c.Request.Context(), token)
		return board{d.TournamentID, d.Shows, d.Fit, base}, paired && d.TournamentID == tournamentID && d.Number == 0 &&
			d.Fit.Lang == lang, err
	}))
}

// boardFeed returns the feed of a screen. now returns the boards to show, or false once the screen must load another
// page; the feed then sends "go".
func (s *Screens) boardFeed(ctx context.Context, tournamentID int64, now func() (board, bool, error)) live.Feed {
	watcher := s.Page.Request.Hub.Watch(append(boardTopics(tournamentID), live.DisplaysTopic(),
		live.NewsTopic(tournamentID))...)
	again := time.AfterFunc(boardLeast, watcher.Wake) // the cached screen may predate a change just before this watcher
	ends := []func(){func() { again.Stop() }}
	return live.Feed{Watcher: watcher, Ends: ends, Least: boardLeast, Apart: boardApart, Ping: page.NearPing,
		Next: func() (live.Message, error) {
			again.Reset(Look)
			b, there, err := now()
			if err != nil || !there {
				return live.Message{Event: "go", Data: []byte("{}")}, err
			}
			d, err := s.drawn(ctx, b)
			return d.Message(), err
		}}
}

// boardTopics returns the topics of a tournament's boards. None of them is woken by moves.
func boardTopics(tournamentID int64) []live.Topic {
	return live.Topics(tournamentID, action.TopicSeats, action.TopicStandings, action.TopicPeople, action.TopicSettings)
}

// key identifies what a screen shows.
func (b board) key() (string, error) {
	key, err := json.Marshal([]any{b.tournamentID, b.shows, b.fit, b.base})
	return "board " + string(key), err
}

// drawn returns the rendering of a screen. Screens with the same contents and language share it.
func (s *Screens) drawn(ctx context.Context, b board) (page.Drawing, error) {
	key, err := b.key()
	if err != nil {
		return page.Drawing{}, err
	}
	return s.regions.Drawn(ctx, key, 0, func(ctx context.Context) (templ.Component, error) {
		view, err := s.boardView(ctx, b)
		return screens.BoardRegion(view), err
	})
}

// openBoards shows boards of a tournament to anyone who opens their address, without a paired screen.
func (s *Screens) openBoards(c *gin.Context) error {
	b, err := s.boardsOf(c)
	if err != nil {
		return err
	}
	if c.Query("plain") != "" {
		return s.plainBoard(c, b)
	}
	address := templates.BoardsPath(b.tournamentID, b.shows.Boards...) + "/live"
	if query := c.Request.URL.RawQuery; query != "" {
		address += templ.SafeURL("?" + query)
	}
	return s.showBoard(c, b, address)
}

func (s *Screens) openBoardsLive(c *gin.Context) error {
	b, err := s.boardsOf(c)
	if err != nil {
		return err
	}
	if _, err := tournament.TournamentByID(c.Request.Context(), s.View.Store, b.tournamentID); err != nil {
		return err
	}
	key, err := b.key()
	if err != nil {
		return err
	}
	ctx := s.Page.LanguageAsked(c)
	return s.Page.StreamSame(c, ctx, key, func() live.Feed {
		return s.boardFeed(ctx, b.tournamentID, func() (board, bool, error) { return b, true, nil })
	})
}

// boardsOf returns the boards that an address names, and their size. A text can only be set for a paired screen:
// otherwise anyone could show their own words under a tournament's name.
func (s *Screens) boardsOf(c *gin.Context) (board, error) {
	b := board{tournamentID: page.ID(c, "event"), shows: screen.Programme{Boards: strings.Split(c.Param("boards"),
		",")}, fit: screen.Fit{Theme: c.Query("theme")}, base: s.Page.Request.BaseURL(c)}
	for i, name := range b.shows.Boards {
		if !slices.Contains(screen.Boards, name) || slices.Contains(b.shows.Boards[:i], name) {
			return b, request.NotFound(c)
		}
	}
	if b.fit.Theme != "light" {
		b.fit.Theme = ""
	}
	for field, into := range map[string]*int{"inches": &b.fit.Inches, "metres": &b.fit.Metres, "part": &b.shows.Part,
		"parts": &b.shows.Parts} {
		if text := c.Query(field); text != "" {
			n, err := page.WholeNumber(field, text)
			if err != nil {
				return b, err
			}
			*into = n
		}
	}
	if b.shows.Part < 0 || b.shows.Part > b.shows.Parts || b.shows.Parts > screen.PartsMost {
		b.shows.Part, b.shows.Parts = 0, 0
	}
	return b, b.fit.Check()
}
