package referee

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"meldhall/engine"
	"meldhall/templates"
	"meldhall/templates/locale"
	"meldhall/templates/part"
	"meldhall/templates/referee"
	"meldhall/tournament"
	"meldhall/tournament/draw"
	"meldhall/tournament/rights"
	"meldhall/tournament/schedule"
	"meldhall/tournament/screen"
	"meldhall/web/live"
	"meldhall/web/page"
	"meldhall/web/view"
)

func (s *Pages) pacePage(c *gin.Context) error {
	tournamentID := page.ID(c, "event")
	ctx := s.Page.Request.Language(c)
	view, err := s.views.paceView(ctx, s.Page.Request.Staff(c), tournamentID)
	if err != nil {
		return err
	}
	return page.ShowLive(s.Page, c, locale.T(ctx, "pace.title"), templates.PacePath(tournamentID)+"/live",
		&view,
		&view.Page, referee.PacePage)
}

func (s *Pages) paceLive(c *gin.Context) error {
	return s.Page.StreamRegion(c, page.RegionOf(c, s.views.paceView, referee.PaceRegion),
		live.TournamentTopic(page.ID(c, "event")))
}

// paceView returns the progress of the tables in a tournament's round, for an official.
func (s *views) paceView(ctx context.Context, actor rights.Actor, tournamentID int64) (v referee.PaceView,
	err error) {
	if err := rights.Authorize(actor, rights.Place{Tournament: tournamentID}, rights.MaySeeDesk); err != nil {
		return v, err
	}
	v.Event = tournamentID
	if _, err := tournament.TournamentByID(ctx, s.View.Store, tournamentID); err != nil {
		return v, err
	}
	rounds, err := draw.Rounds(ctx, s.View.Store, tournamentID)
	if err != nil {
		return v, err
	}
	round, ok := view.CurrentRound(rounds)
	if !ok {
		return v, nil
	}
	v.Round = round.Number
	if v.Started, err = s.View.Schedule.StartedWords(ctx, round); err != nil {
		return v, err
	}
	if v.Late, err = s.View.Schedule.LateLine(ctx, tournamentID); err != nil {
		return v, err
	}
	pace, err := s.View.Schedule.PaceNow(ctx, tournamentID, round.ID)
	if err != nil {
		return v, err
	}
	slots, err := schedule.Slots(ctx, s.View.Store, tournamentID)
	if err != nil {
		return v, err
	}
	var planned engine.Millis
	for _, slot := range slots {
		if slot.Round == round.Number {
			planned = slot.EndsAt
		}
	}
	v.Rows, err = s.View.PaceRows(ctx, round.ID, pace, planned)
	typical := pace.Typical
	v.Typical = locale.T(ctx, "pace.typical", "turns", strconv.FormatFloat(typical.Turns, 'f', 0, 64), "seconds",
		int(typical.TurnTime/1000))
	return v, err
}

func (s *Pages) readyPage(c *gin.Context) error {
	tournamentID := page.ID(c, "event")
	ctx := s.Page.Request.Language(c)
	view, err := s.views.readyView(ctx, s.Page.Request.Staff(c), tournamentID)
	if err != nil {
		return err
	}
	return page.ShowLive(s.Page, c, locale.T(ctx, "ready.title"), templates.ReadyPath(tournamentID)+"/live",
		&view,
		&view.Page, referee.ReadyPage)
}

func (s *Pages) readyLive(c *gin.Context) error {
	return s.Page.StreamRegion(c, page.RegionOf(c, s.views.readyView, referee.ReadyRegion),
		live.TournamentTopic(page.ID(c, "event")), live.DisplaysTopic(), live.TournamentTopic(page.NoEvent))
}

func (s *views) readyView(ctx context.Context, actor rights.Actor, tournamentID int64) (referee.ReadyView, error) {
	found, err := s.View.Readiness(ctx, actor, tournamentID)
	if err != nil {
		return referee.ReadyView{}, err
	}
	view := referee.ReadyView{Event: tournamentID, Round: found.Round, Ready: found.Ready, Over: found.Over,
		BackUp: rights.Authorize(actor, rights.Place{}, rights.MayBackUp) == nil}
	for _, check := range found.Checks {
		view.Checks = append(view.Checks, referee.ReadyRow{Key: check.Key, State: check.State, Text: check.Text,
			Names: check.Names, URL: check.Link})
	}
	return view, nil
}

// announceMinutes is an announcement's default duration.
const announceMinutes = "10"

func (s *Pages) announcePage(c *gin.Context) error {
	return s.showAnnounce(c, http.StatusOK, referee.AnnounceView{Minutes: announceMinutes})
}

// showAnnounce renders the announcements page with earlier announcements and the values of a rejected form, or those of
// the earlier announcement named by the query.
func (s *Pages) showAnnounce(c *gin.Context, status int, view referee.AnnounceView) error {
	tournamentID := page.ID(c, "event")
	ctx, actor := s.Page.Request.Language(c), s.Page.Request.Staff(c)
	all, err := screen.Announcements(ctx, s.View.Store, actor, tournamentID)
	if err != nil {
		return err
	}
	now := engine.MillisOf(s.View.Store.Now())
	view.Event = tournamentID
	view.May = rights.Authorize(actor, rights.Place{Tournament: tournamentID}, rights.MayAnnounce) == nil
	for _, a := range all {
		text, tag := a.TextFor(locale.LanguageOf(ctx).Tag)
		_, by, _ := strings.Cut(a.Actor, ":")
		row := referee.AnnounceRow{NewsItem: part.NewsItem{ID: a.ID, Level: a.Level, Text: text, Lang: tag,
			Left: a.Until - now},
			By: by, At: a.At, Until: a.Until, Languages: len(a.Texts)}
		if view.Texts == nil && c.Query("again") == strconv.FormatInt(a.ID, 10) {
			view.Texts, view.Level = a.Texts, a.Level
		}
		if a.Until > now {
			view.Now = append(view.Now, row)
		} else {
			view.Past = append(view.Past, row)
		}
	}
	return page.ShowEvent(s.Page, c, status, locale.T(ctx, "announce.title"), &view, &view.Page,
		referee.AnnouncePage)
}

// announcePost sends an announcement to the whole tournament.
func (s *Pages) announcePost(c *gin.Context) error {
	tournamentID := page.ID(c, "event")
	view := referee.AnnounceView{Level: c.PostForm("level"), Minutes: c.PostForm("minutes"),
		Texts: map[string]string{}}
	for _, l := range locale.EveryLanguageOf(s.Page.Request.Language(c)) {
		view.Texts[l.Tag] = c.PostForm("text-" + l.Tag)
	}
	again := func(c *gin.Context, status int, problem string) error {
		view.Problem = problem
		return s.showAnnounce(c, status, view)
	}
	minutes, err := page.Optional(c.PostForm, "minutes")
	if err != nil {
		return s.Page.Again(c, err, again)
	}
	return s.Page.Post(c, screen.Announce{Tournament: tournamentID, Level: view.Level, Texts: view.Texts,
		Minutes: int(minutes)},
		again, templates.AnnouncementsPath(tournamentID), "announce.done")
}
