package web

import (
	"context"
	"net/http"

	"github.com/gin-gonic/gin"

	"meldhall/engine"
	"meldhall/templates"
	"meldhall/tournament"
	"meldhall/tournament/door"
	"meldhall/tournament/floor"
	"meldhall/tournament/rights"
	"meldhall/tournament/secret"
	"meldhall/web/frame"
	"meldhall/web/shell"
	"meldhall/web/venue"
)

// screenCode gives the token of the screen that shows the code of the address, to staff. Wrong codes count as tries.
func (s *screenPages) screenCode(c *gin.Context) (string, error) {
	if err := rights.Authorize(s.Staff(c), rights.Place{}, rights.MayPairDisplay); err != nil {
		return "", err
	}
	from := "screens " + shell.PINKey(s.Staff(c).Account)
	if err := s.Codes.Check(from); err != nil {
		return "", err
	}
	token, ok := s.displays.waiting.of(c.Param("code"))
	if !ok {
		s.Codes.Failed(from)
		return "", shell.Refused(http.StatusNotFound, "err_display_code")
	}
	return token, nil
}

// choosePage lets staff choose the table of the screen whose code they scanned.
func (s *screenPages) choosePage(c *gin.Context) error {
	if _, err := s.screenCode(c); err != nil {
		return err
	}
	ctx := s.Language(c)
	actor, view := s.Staff(c), templates.ChooseView{Page: s.NewPage(c, templates.T(ctx, "displays.choose"), nil), Code: c.Param("code")}
	all, err := tournament.Tournaments(ctx, s.Store)
	if err != nil {
		return err
	}
	for _, t := range all {
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
func (s *views) tableNumbers(ctx context.Context, event int64) ([]int, error) {
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
func (s *screenPages) choosePost(c *gin.Context) error {
	token, err := s.screenCode(c)
	if err != nil {
		return err
	}
	event, err := frame.FormNumber(c, "event")
	if err != nil {
		return err
	}
	number, err := frame.FormNumber(c, "number")
	if err != nil {
		return err
	}
	to := floor.PairDisplay{Token: token, Tournament: int64(event), Number: number, Settings: settingsOf(c.Request.PostForm)}
	if _, err := door.Do(c.Request.Context(), s.Desk, s.Staff(c), to); err != nil {
		return err
	}
	s.displays.waiting.use(token)
	return s.SeeOther(c, templates.DisplaysPath(to.Tournament), "done.display.move", "number", number)
}

// displaysPage lists an event's screens; a code that is typed there leads to the choice of its table.
func (s *refereePages) displaysPage(c *gin.Context) error {
	event := frame.ID(c, "event")
	ctx := s.Language(c)
	all, err := floor.Displays(ctx, s.Store, s.Staff(c), event)
	if err != nil {
		return err
	}
	if code := secret.PlainCode(c.Query("code")); code != "" {
		return s.SeeOther(c, templates.ChooseDisplayPath(secret.SpellCode(code)), "")
	}
	view := templates.DisplaysView{Event: event, Address: s.BaseURL(c) + string(templates.ScreenPath)}
	now := engine.MillisOf(s.Store.Now())
	for _, d := range all {
		view.Rows = append(view.Rows, templates.DisplayRow{ID: d.ID, Number: d.Number, Seen: d.SeenAt, Here: d.SeenAt != 0 && now-d.SeenAt < venue.HereWithin})
	}
	return frame.ShowEvent(s.Frame, c, http.StatusOK, templates.T(ctx, "displays.title"), &view, &view.Page, templates.DisplaysPage)
}
