package screens

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
	"meldhall/templates/locale"
	"meldhall/templates/screens"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/draw"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/screen"
	"meldhall/tournament/secret"
	"meldhall/tournament/spelling"
	"meldhall/web/page"
	"meldhall/web/request"
	"meldhall/web/signin"
	"meldhall/web/view"
)

// screenCode returns the token of the screen that shows the code in the address, for officials. A wrong code counts as
// a failed attempt.
func (s *Screens) screenCode(c *gin.Context) (string, error) {
	if err := rights.Authorize(s.Page.Request.Staff(c), rights.Place{}, rights.MayPairDisplay); err != nil {
		return "", err
	}
	from := "screens " + signin.PINKey(s.Page.Request.Staff(c).Account)
	if err := s.Page.Request.Codes.Check(from); err != nil {
		return "", err
	}
	token, ok := s.waiting.of(c.Param("code"))
	if !ok {
		s.Page.Request.Codes.Failed(from)
		return "", request.Refused(http.StatusNotFound, "err_display_code")
	}
	return token, nil
}

// choosePage lets an official choose the table or the boards for the screen whose code they scanned.
func (s *Screens) choosePage(c *gin.Context) error {
	if _, err := s.screenCode(c); err != nil {
		return err
	}
	ctx := s.Page.Request.Language(c)
	actor, v := s.Page.Request.Staff(c), screens.ChooseView{Page: s.Page.NewPage(c,
		locale.T(ctx, "displays.choose"), nil),
		Code: c.Param("code"), Boards: deskBoards()}
	all, err := tournament.Tournaments(ctx, s.View.Store)
	if err != nil {
		return err
	}
	for _, t := range view.VisibleTo(actor, all) {
		if t.Status == tournament.StatusFinished || !actor.Serves(t.ID) {
			continue
		}
		tables, err := s.tableNumbers(ctx, t.ID)
		if err != nil {
			return err
		}
		v.Events = append(v.Events, screens.ChooseEvent{ID: t.ID, Name: t.Name, Tables: tables})
	}
	return s.Page.Show(c, http.StatusOK, screens.ChoosePage(v))
}

// tableNumbers returns the table numbers from 1 to the largest in the newest round, or to the number of tables that the
// players will need, whichever is larger.
func (s *Screens) tableNumbers(ctx context.Context, tournamentID int64) ([]int, error) {
	players, err := tournament.Players(ctx, s.View.Store, tournamentID)
	if err != nil {
		return nil, err
	}
	most := min(max(1, (len(players)+3)/4), screen.DisplayNumberMost)
	rounds, err := draw.Rounds(ctx, s.View.Store, tournamentID)
	if err != nil {
		return nil, err
	}
	if round, ok := view.CurrentRound(rounds); ok {
		tables, err := tournament.Tables(ctx, s.View.Store, round.ID)
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

// choosePost assigns the screen to a table or to boards. The screen then opens the table or boards by itself.
func (s *Screens) choosePost(c *gin.Context) error {
	token, err := s.screenCode(c)
	if err != nil {
		return err
	}
	event, err := page.FormNumber(c, "event")
	if err != nil {
		return err
	}
	to := screen.PairDisplay{Token: token, Tournament: int64(event), Boards: c.PostFormArray("boards")}
	if len(to.Boards) == 0 {
		if to.Number, err = page.FormNumber(c, "number"); err != nil {
			return err
		}
		to.Settings = settingsOf(c.Request.PostForm)
	}
	if _, err := action.Do(c.Request.Context(), s.Page.Request.Desk, s.Page.Request.Staff(c), to); err != nil {
		return err
	}
	s.waiting.use(token)
	if len(to.Boards) > 0 {
		return s.Page.SeeOther(c, templates.DisplaysPath(to.Tournament), "done.board.show")
	}
	return s.Page.SeeOther(c, templates.DisplaysPath(to.Tournament), "done.display.move", "number", to.Number)
}

// displaysPage lists a tournament's screens. A code typed there leads to the page for choosing the screen's table.
func (s *Screens) displaysPage(c *gin.Context) error {
	tournamentID := page.ID(c, "event")
	ctx := s.Page.Request.Language(c)
	all, err := screen.Displays(ctx, s.View.Store, s.Page.Request.Staff(c), tournamentID)
	if err != nil {
		return err
	}
	if code := spelling.Code(c.Query("code")); code != "" {
		return s.Page.SeeOther(c, templates.ChooseDisplayPath(secret.SpellCode(code)), "")
	}
	v := screens.DisplaysView{Event: tournamentID, Address: s.Page.Request.BaseURL(c) + string(templates.BoardPath),
		Boards: deskBoards(),
		Crown: rights.Authorize(s.Page.Request.Staff(c), rights.Place{Tournament: tournamentID},
			rights.MayPublishRound) == nil}
	calls, err := screen.TableCalls(ctx, s.View.Store, tournamentID)
	if err != nil {
		return err
	}
	for _, call := range calls {
		v.Calls = append(v.Calls, call.Number)
	}
	featured, err := screen.FeaturedOf(ctx, s.View.Store, tournamentID)
	if err != nil {
		return err
	}
	v.Feature, v.Look = featured.Number, screens.LookForm(featured.Look.Usual())
	now := engine.MillisOf(s.View.Store.Now())
	for _, d := range all {
		if d.Number == 0 {
			v.Wall = append(v.Wall, screens.WallRow{ID: d.ID, Shows: d.Shows.Boards, Seen: d.SeenAt,
				Here: d.SeenAt != 0 && now-d.SeenAt < view.HereWithin})
			continue
		}
		v.Rows = append(v.Rows, screens.DisplayRow{ID: d.ID, Number: d.Number, Seen: d.SeenAt, Here: d.SeenAt != 0 &&
			now-d.SeenAt < view.HereWithin})
	}
	return page.ShowEvent(s.Page, c, http.StatusOK, locale.T(ctx, "displays.title"), &v, &v.Page,
		screens.DisplaysPage)
}

// deskBoards returns the boards that can be shown with one tap. These are all except the text board, whose text must be
// written first, and the test board.
func deskBoards() []string {
	return slices.DeleteFunc(slices.Clone(screen.Boards), func(board string) bool {
		return board == screen.BoardText ||
			board == screen.BoardTest
	})
}

// setPage shows the settings of a screen in front of the hall: the boards, their order, and the size.
func (s *Screens) setPage(c *gin.Context) error {
	tournamentID, id := page.ID(c, "event"), page.ID(c, "number")
	ctx := s.Page.Request.Language(c)
	all, err := screen.Displays(ctx, s.View.Store, s.Page.Request.Staff(c), tournamentID)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(all, func(d screen.Display) bool { return d.ID == id && d.Number == 0 })
	if i < 0 {
		return refuse.NotFound("err_display_not_found")
	}
	d := all[i]
	fit := screens.BoardFit{Inches: cmp.Or(d.Fit.Inches, screen.UsualInches),
		Metres: cmp.Or(d.Fit.Metres, screen.UsualMetres), Theme: cmp.Or(d.Fit.Theme, "dark"), Gong: d.Fit.Gong}
	view := screens.ScreenSetView{Event: tournamentID, ID: id, Boards: screen.Boards, Shows: d.Shows.Boards,
		Text: d.Shows.Text, Part: d.Shows.Part, Parts: d.Shows.Parts,
		Most: screen.PartsMost, Fit: fit, Lang: d.Fit.Lang, Height: smallLetters(fit.Metres), Pixels: pixels(fit)}
	view.Look = templates.BoardsPath(tournamentID, d.Shows.Boards...) +
		templ.SafeURL(fmt.Sprintf("?inches=%d&metres=%d&theme=%s", fit.Inches, fit.Metres, fit.Theme))
	return page.ShowEvent(s.Page, c, http.StatusOK, locale.T(ctx, "board.screen", "id", id), &view, &view.Page,
		screens.ScreenSetPage)
}

// smallLetters returns the x-height, in mm, for readers at a distance in metres: a five-hundredth of it.
func smallLetters(metres int) int { return metres * 1000 / 500 }

// pixels returns the x-height of smallLetters in pixels, for a screen of 1920 × 1080.
func pixels(fit screens.BoardFit) int {
	return int(math.Round(float64(smallLetters(fit.Metres)) * math.Hypot(1920, 1080) / (float64(fit.Inches) * 25.4)))
}

// crownPage lets the organizer reveal the first places of a finished tournament one after the other.
func (s *Screens) crownPage(c *gin.Context) error {
	tournamentID := page.ID(c, "event")
	ctx, actor := s.Page.Request.Language(c), s.Page.Request.Staff(c)
	if err := rights.Authorize(actor, rights.Place{Tournament: tournamentID}, rights.MayPublishRound); err != nil {
		return err
	}
	t, err := tournament.TournamentByID(ctx, s.View.Store, tournamentID)
	if err != nil {
		return err
	}
	told, err := screen.Reveals(ctx, s.View.Store, tournamentID)
	if err != nil {
		return err
	}
	sight, err := s.View.Sights.Of(ctx, rights.Public(), tournamentID)
	if err != nil {
		return err
	}
	view := screens.CrownView{Event: tournamentID, Over: t.Status == tournament.StatusFinished,
		Shown: sight.Standings == tournament.Always, Told: len(told) > 0}
	for place := screen.RevealMost; place > 0 && view.Over; place-- {
		r, err := action.Preview(ctx, s.Page.Request.Desk, actor,
			screen.RevealPlace{Tournament: tournamentID, Place: place})
		if errors.Is(err, refuse.ErrConflict) { // no player has it, because a higher place is shared
			continue
		}
		if err != nil {
			return err
		}
		row := screens.CrownPlace{BoardPlace: screens.BoardPlace{Place: place, Names: r.Names}}
		row.Told = slices.ContainsFunc(told, func(o screen.Reveal) bool {
			return o.Place == place &&
				slices.Equal(o.Players, r.Players)
		})
		view.Places = append(view.Places, row)
	}
	return page.ShowEvent(s.Page, c, http.StatusOK, locale.T(ctx, "crown.title"), &view, &view.Page,
		screens.CrownPage)
}
