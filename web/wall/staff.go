package wall

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"slices"

	"github.com/a-h/templ"
	"github.com/gin-gonic/gin"

	"meldhall/engine"
	"meldhall/templates"
	"meldhall/tournament"
	"meldhall/tournament/door"
	"meldhall/tournament/floor"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/secret"
	"meldhall/web/frame"
	"meldhall/web/shell"
	"meldhall/web/venue"
)

// screenCode gives the token of the screen that shows the code of the address, to staff. Wrong codes count as tries.
func (s *Screens) screenCode(c *gin.Context) (string, error) {
	if err := rights.Authorize(s.Staff(c), rights.Place{}, rights.MayPairDisplay); err != nil {
		return "", err
	}
	from := "screens " + shell.PINKey(s.Staff(c).Account)
	if err := s.Codes.Check(from); err != nil {
		return "", err
	}
	token, ok := s.waiting.of(c.Param("code"))
	if !ok {
		s.Codes.Failed(from)
		return "", shell.Refused(http.StatusNotFound, "err_display_code")
	}
	return token, nil
}

// choosePage lets staff choose the table of the screen whose code they scanned.
func (s *Screens) choosePage(c *gin.Context) error {
	if _, err := s.screenCode(c); err != nil {
		return err
	}
	ctx := s.Language(c)
	actor, view := s.Staff(c), templates.ChooseView{Page: s.NewPage(c, templates.T(ctx, "displays.choose"), nil), Code: c.Param("code"), Boards: deskBoards()}
	all, err := tournament.Tournaments(ctx, s.Store)
	if err != nil {
		return err
	}
	for _, t := range venue.VisibleTo(actor, all) {
		if t.Status == tournament.StatusFinished || !actor.Serves(t.ID) {
			continue
		}
		tables, err := s.tableNumbers(ctx, t.ID)
		if err != nil {
			return err
		}
		view.Events = append(view.Events, templates.ChooseEvent{ID: t.ID, Name: t.Name, Tables: tables})
	}
	return s.Show(c, http.StatusOK, templates.ChoosePage(view))
}

// tableNumbers are the tables that the newest round has, or that the players will need.
func (s *Screens) tableNumbers(ctx context.Context, event int64) ([]int, error) {
	players, err := tournament.Players(ctx, s.Store, event)
	if err != nil {
		return nil, err
	}
	most := min(max(1, (len(players)+3)/4), floor.DisplayNumberMost)
	rounds, err := tournament.Rounds(ctx, s.Store, event)
	if err != nil {
		return nil, err
	}
	if round, ok := venue.CurrentRound(rounds); ok {
		tables, err := tournament.Tables(ctx, s.Store, round.ID)
		if err != nil {
			return nil, err
		}
		for _, t := range tables {
			most = max(most, t.Number)
		}
	}
	numbers := make([]int, most)
	for i := range numbers {
		numbers[i] = i + 1
	}
	return numbers, nil
}

// choosePost puts the screen at the table: it goes there by itself.
func (s *Screens) choosePost(c *gin.Context) error {
	token, err := s.screenCode(c)
	if err != nil {
		return err
	}
	event, err := frame.FormNumber(c, "event")
	if err != nil {
		return err
	}
	to := floor.PairDisplay{Token: token, Tournament: int64(event), Boards: c.PostFormArray("boards")}
	if len(to.Boards) == 0 {
		if to.Number, err = frame.FormNumber(c, "number"); err != nil {
			return err
		}
		to.Settings = settingsOf(c.Request.PostForm)
	}
	if _, err := door.Do(c.Request.Context(), s.Desk, s.Staff(c), to); err != nil {
		return err
	}
	s.waiting.use(token)
	if len(to.Boards) > 0 {
		return s.SeeOther(c, templates.DisplaysPath(to.Tournament), "done.board.show")
	}
	return s.SeeOther(c, templates.DisplaysPath(to.Tournament), "done.display.move", "number", to.Number)
}

// displaysPage lists an event's screens; a code that is typed there leads to the choice of its table.
func (s *Screens) displaysPage(c *gin.Context) error {
	event := frame.ID(c, "event")
	ctx := s.Language(c)
	all, err := floor.Displays(ctx, s.Store, s.Staff(c), event)
	if err != nil {
		return err
	}
	if code := secret.PlainCode(c.Query("code")); code != "" {
		return s.SeeOther(c, templates.ChooseDisplayPath(secret.SpellCode(code)), "")
	}
	view := templates.DisplaysView{Event: event, Address: s.BaseURL(c) + string(templates.BoardPath), Boards: deskBoards(),
		Crown: rights.Authorize(s.Staff(c), rights.Place{Tournament: event}, rights.MayPublishRound) == nil}
	calls, err := floor.TableCalls(ctx, s.Store, event)
	if err != nil {
		return err
	}
	for _, call := range calls {
		view.Calls = append(view.Calls, call.Number)
	}
	if view.Feature, err = floor.FeaturedTable(ctx, s.Store, event); err != nil {
		return err
	}
	now := engine.MillisOf(s.Store.Now())
	for _, d := range all {
		if d.Number == 0 {
			view.Wall = append(view.Wall, templates.WallRow{ID: d.ID, Shows: d.Shows.Boards, Seen: d.SeenAt, Here: d.SeenAt != 0 && now-d.SeenAt < venue.HereWithin})
			continue
		}
		view.Rows = append(view.Rows, templates.DisplayRow{ID: d.ID, Number: d.Number, Seen: d.SeenAt, Here: d.SeenAt != 0 && now-d.SeenAt < venue.HereWithin})
	}
	return frame.ShowEvent(s.Frame, c, http.StatusOK, templates.T(ctx, "displays.title"), &view, &view.Page, templates.DisplaysPage)
}

// deskBoards are those that one tap shows: a text is written first.
func deskBoards() []string {
	return slices.DeleteFunc(slices.Clone(floor.Boards), func(board string) bool { return board == floor.BoardText || board == floor.BoardTest })
}

// setPage is how a screen before the hall is set up: what it shows, in which order, and how large.
func (s *Screens) setPage(c *gin.Context) error {
	event, id := frame.ID(c, "event"), frame.ID(c, "number")
	ctx := s.Language(c)
	all, err := floor.Displays(ctx, s.Store, s.Staff(c), event)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(all, func(d floor.Display) bool { return d.ID == id && d.Number == 0 })
	if i < 0 {
		return refuse.NotFound("err_display_not_found")
	}
	d := all[i]
	fit := templates.BoardFit{Inches: cmp.Or(d.Fit.Inches, floor.UsualInches), Metres: cmp.Or(d.Fit.Metres, floor.UsualMetres), Theme: cmp.Or(d.Fit.Theme, "dark"), Gong: d.Fit.Gong}
	view := templates.ScreenSetView{Event: event, ID: id, Boards: floor.Boards, Shows: d.Shows.Boards, Text: d.Shows.Text, Part: d.Shows.Part, Parts: d.Shows.Parts,
		Most: floor.PartsMost, Fit: fit, Lang: d.Fit.Lang, Height: smallLetters(fit.Metres), Pixels: pixels(fit)}
	view.Look = templates.BoardsPath(event, d.Shows.Boards...) + templ.SafeURL(fmt.Sprintf("?inches=%d&metres=%d&theme=%s", fit.Inches, fit.Metres, fit.Theme))
	return frame.ShowEvent(s.Frame, c, http.StatusOK, templates.T(ctx, "board.screen", "id", id), &view, &view.Page, templates.ScreenSetPage)
}

// smallLetters is how high letters without ascenders are to be, in mm, for somebody so many metres away: a five-hundredth.
func smallLetters(metres int) int { return metres * 1000 / 500 }

// pixels are as many of a screen that is 1920 wide and 1080 high.
func pixels(fit templates.BoardFit) int {
	return int(math.Round(float64(smallLetters(fit.Metres)) * math.Hypot(1920, 1080) / (float64(fit.Inches) * 25.4)))
}

// crownPage is where the organizer reveals the first places of an event that is over, one after the other.
func (s *Screens) crownPage(c *gin.Context) error {
	event := frame.ID(c, "event")
	ctx, actor := s.Language(c), s.Staff(c)
	if err := rights.Authorize(actor, rights.Place{Tournament: event}, rights.MayPublishRound); err != nil {
		return err
	}
	t, err := tournament.TournamentByID(ctx, s.Store, event)
	if err != nil {
		return err
	}
	told, err := floor.Reveals(ctx, s.Store, event)
	if err != nil {
		return err
	}
	sight, err := s.SightOf(ctx, rights.Public(), event)
	if err != nil {
		return err
	}
	view := templates.CrownView{Event: event, Over: t.Status == tournament.StatusFinished, Shown: sight.Standings == tournament.Always, Told: len(told) > 0}
	for place := floor.RevealMost; place > 0 && view.Over; place-- {
		r, err := door.Preview(ctx, s.Desk, actor, floor.RevealPlace{Tournament: event, Place: place})
		if errors.Is(err, refuse.ErrConflict) { // nobody has it: the one above is shared
			continue
		}
		if err != nil {
			return err
		}
		row := templates.CrownPlace{BoardPlace: templates.BoardPlace{Place: place, Names: r.Names}}
		row.Told = slices.ContainsFunc(told, func(o floor.Reveal) bool { return o.Place == place && slices.Equal(o.Players, r.Players) })
		view.Places = append(view.Places, row)
	}
	return frame.ShowEvent(s.Frame, c, http.StatusOK, templates.T(ctx, "crown.title"), &view, &view.Page, templates.CrownPage)
}
