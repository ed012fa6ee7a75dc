package wall

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
	"meldhall/tournament"
	"meldhall/tournament/door"
	"meldhall/tournament/floor"
	"meldhall/web/frame"
	"meldhall/web/live"
	"meldhall/web/shell"
)

// How soon after a change a board is drawn, and the least time between two drawings of one.
const (
	boardLeast = 100 * time.Millisecond
	boardApart = 500 * time.Millisecond
)

// board is what a screen shows of an event.
type board struct {
	event int64
	shows floor.Programme
	fit   floor.Fit
	base  string // the address that phones are led to
}

// boardPage is what a television opens, once: the boards that were chosen for it, or the code by which they are; and for a browser that
// knows too little for that a page without any script.
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
	s.SetCookie(c, s.CookieName(screenCookie), token, screenLife)
	return s.showBoard(c, board{d.TournamentID, d.Shows, d.Fit, s.BaseURL(c)}, templates.BoardPath+"/live")
}

// showBoard answers with a screen that the stream at an address redraws.
func (s *Screens) showBoard(c *gin.Context, b board, stream templ.SafeURL) error {
	about(c, b.event)
	ctx := s.languageOf(c, b.fit)
	t, err := tournament.TournamentByID(ctx, s.Store, b.event)
	if err != nil {
		return err
	}
	region, err := s.drawn(ctx, b)
	if err != nil {
		return err
	}
	p := Themed(s.NewPage(c, t.Name, nil), b.fit.Theme)
	p.Live = templates.Live{URL: string(stream), Quiet: frame.NearQuiet, Near: true}
	html, err := frame.Render(ctx, templates.BoardPage(p, region.Component()))
	if err == nil {
		frame.SendHTML(c, http.StatusOK, html)
	}
	return err
}

// about makes a request one about an event that its address does not name: it hears what is announced there.
func about(c *gin.Context, event int64) {
	if c.Param("event") == "" {
		c.AddParam("event", strconv.FormatInt(event, 10))
	}
}

// languageOf is the language that was chosen for a screen, else that of the address or the browser.
func (s *Screens) languageOf(c *gin.Context, fit floor.Fit) context.Context {
	if fit.Lang != "" {
		return s.Texts.With(c.Request.Context(), fit.Lang)
	}
	return s.LanguageAsked(c)
}

// boardLive sends the screen whole. It says go when the screen belongs to another event, to a table, or nowhere.
func (s *Screens) boardLive(c *gin.Context) error {
	token := s.Token(c)
	d, paired, err := s.Paired(c.Request.Context(), token)
	if err != nil {
		return err
	}
	if !paired || d.Number != 0 {
		return s.screenLive(c)
	}
	about(c, d.TournamentID)
	event, lang, base := d.TournamentID, d.Fit.Lang, s.BaseURL(c)
	return s.StreamPage(c, s.boardFeed(s.languageOf(c, d.Fit), event, func() (board, bool, error) {
		d, paired, err := s.Paired(c.Request.Context(), token)
		return board{d.TournamentID, d.Shows, d.Fit, base}, paired && d.TournamentID == event && d.Number == 0 && d.Fit.Lang == lang, err
	}))
}

// boardFeed is what a screen shows now, as long as there is something.
func (s *Screens) boardFeed(ctx context.Context, event int64, now func() (board, bool, error)) live.Feed {
	watcher := s.Hub.Watch(append(boardTopics(event), live.DisplaysTopic(), live.NewsTopic(event))...)
	again := time.AfterFunc(boardLeast, watcher.Wake) // what is kept may be from before a change that was just too early for this watcher
	ends := []func(){func() { again.Stop() }}
	return live.Feed{Watcher: watcher, Ends: ends, Least: boardLeast, Apart: boardApart, Ping: frame.NearPing, Next: func() (live.Message, error) {
		again.Reset(Look)
		b, there, err := now()
		if err != nil || !there {
			return live.Message{Event: "go", Data: []byte("{}")}, err
		}
		d, err := s.drawn(ctx, b)
		return d.Message(), err
	}}
}

// boardTopics are what the boards of an event are made of. None of them moves with the games.
func boardTopics(event int64) []live.Topic {
	return live.Topics(event, door.TopicSeats, door.TopicStandings, door.TopicPeople, door.TopicSettings)
}

// key names what a screen shows.
func (b board) key() (string, error) {
	key, err := json.Marshal([]any{b.event, b.shows, b.fit, b.base})
	return "board " + string(key), err
}

// drawn is a screen as it is for all that show the same in one language.
func (s *Screens) drawn(ctx context.Context, b board) (frame.Drawing, error) {
	key, err := b.key()
	if err != nil {
		return frame.Drawing{}, err
	}
	return s.regions.Drawn(ctx, key, 0, func(ctx context.Context) (templ.Component, error) {
		view, err := s.boardView(ctx, b)
		return templates.BoardRegion(view), err
	})
}

// openBoards shows boards of an event to whoever opens their address, without a screen that was paired.
func (s *Screens) openBoards(c *gin.Context) error {
	b, err := s.boardsOf(c)
	if err != nil {
		return err
	}
	if c.Query("plain") != "" {
		return s.plainBoard(c, b)
	}
	address := templates.BoardsPath(b.event, b.shows.Boards...) + "/live"
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
	if _, err := tournament.TournamentByID(c.Request.Context(), s.Store, b.event); err != nil {
		return err
	}
	key, err := b.key()
	if err != nil {
		return err
	}
	ctx := s.LanguageAsked(c)
	return s.StreamSame(c, ctx, key, func() live.Feed {
		return s.boardFeed(ctx, b.event, func() (board, bool, error) { return b, true, nil })
	})
}

// boardsOf are the boards that an address names, and how they fit. A text is chosen for a screen alone: nobody else's words are shown
// under an event's name.
func (s *Screens) boardsOf(c *gin.Context) (board, error) {
	b := board{event: frame.ID(c, "event"), shows: floor.Programme{Boards: strings.Split(c.Param("boards"), ",")}, fit: floor.Fit{Theme: c.Query("theme")}, base: s.BaseURL(c)}
	for i, name := range b.shows.Boards {
		if !slices.Contains(floor.Boards, name) || slices.Contains(b.shows.Boards[:i], name) {
			return b, shell.NotFound(c)
		}
	}
	if b.fit.Theme != "light" {
		b.fit.Theme = ""
	}
	for field, into := range map[string]*int{"inches": &b.fit.Inches, "metres": &b.fit.Metres, "part": &b.shows.Part, "parts": &b.shows.Parts} {
		if text := c.Query(field); text != "" {
			n, err := frame.WholeNumber(field, text)
			if err != nil {
				return b, err
			}
			*into = n
		}
	}
	if b.shows.Part < 0 || b.shows.Part > b.shows.Parts || b.shows.Parts > floor.PartsMost {
		b.shows.Part, b.shows.Parts = 0, 0
	}
	return b, b.fit.Check()
}
