package desk

import (
	"errors"
	"net/http"
	"net/url"
	"strconv"

	"github.com/gin-gonic/gin"

	"meldhall/templates"
	"meldhall/templates/desk"
	"meldhall/templates/locale"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/rights"
	"meldhall/web/page"
	"meldhall/web/view"
)

// logShownAtOnce is how many actions a page of the log holds.
const logShownAtOnce = 50

// logPage shows the action log of a tournament.
func (s *Pages) logPage(c *gin.Context) error {
	tournamentID := page.ID(c, "event")
	var wrong error
	number := func(name string) int {
		n, err := page.Optional(c.Query, name)
		wrong = errors.Join(wrong, err)
		return int(max(n, 0))
	}
	ctx := s.Page.Request.Language(c)
	if err := rights.Authorize(s.Page.Request.Staff(c), rights.Place{Tournament: tournamentID},
		rights.MaySeeAudit); err != nil {
		return err
	}
	t, err := tournament.TournamentByID(ctx, s.View.Store, tournamentID)
	if err != nil {
		return err
	}
	seenView := desk.LogView{Page: s.Page.NewPage(c, locale.T(ctx, "log.title"), &t), ID: tournamentID,
		Query: desk.LogQuery{Text: c.Query("q"), Who: c.Query("who"),
			Round: c.Query("round"), Table: c.Query("table"), Player: c.Query("player"),
			From: view.FieldMoment(c.Query("from"), false), Until: view.FieldMoment(c.Query("until"), true)}}
	from, until, err := view.LogSpan(s.Page.Request.Language(c), c.Query("from"), c.Query("until"))
	q := action.LogSearch{Who: c.Query("who"), Round: number("round"), Table: number("table"), Player: number("player"),
		From: from, Until: until, Before: int64(number("before")), Limit: logShownAtOnce}
	if err = errors.Join(err, wrong); err != nil {
		text, status, err := s.Page.Problem(c, err)
		if err != nil {
			return err
		}
		seenView.Problem = text
		return s.Page.Show(c, status, desk.LogPage(seenView))
	}
	words, err := s.View.NewLogWriter(ctx, tournamentID)
	if err != nil {
		return err
	}
	q.Match = words.Match(c.Query("q"))
	page, err := action.SearchRecords(ctx, s.View.Store, s.Page.Request.Staff(c), tournamentID, q)
	if err != nil {
		return err
	}
	seenView.Total = page.Total
	for _, e := range page.Entries {
		seenView.Entries = append(seenView.Entries, words.Entry(e))
	}
	asked := url.Values{}
	for _, name := range []string{"q", "who", "round", "table", "player", "from", "until"} {
		if v := c.Query(name); v != "" {
			asked.Set(name, v)
		}
	}
	if q.Before > 0 {
		seenView.Newer = string(templates.LogPath(tournamentID)) + "?" + asked.Encode()
	}
	if page.More {
		asked.Set("before", strconv.FormatInt(page.Entries[len(page.Entries)-1].ID, 10))
		seenView.Older = string(templates.LogPath(tournamentID)) + "?" + asked.Encode()
	}
	return s.Page.Show(c, http.StatusOK, desk.LogPage(seenView))
}
