package web

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"meldhall/engine"
	"meldhall/templates"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/rehearsal"
	"meldhall/tournament/rights"
	"meldhall/tournament/schedule"
	"meldhall/tournament/screen"
	"meldhall/web/live"
	"meldhall/web/page"
	"meldhall/web/view"
)

func (s *controlPages) pacePage(c *gin.Context) error {
	event := page.ID(c, "event")
	ctx := s.Language(c)
	view, err := s.paceView(ctx, s.Staff(c), event)
	if err != nil {
		return err
	}
	return page.ShowLive(s.Frame, c, templates.T(ctx, "pace.title"), templates.PacePath(event)+"/live", &view, &view.Page, templates.PacePage)
}

func (s *controlPages) paceLive(c *gin.Context) error {
	return s.StreamRegion(c, page.RegionOf(c, s.paceView, templates.PaceRegion), live.TournamentTopic(page.ID(c, "event")))
}

// paceView returns the progress of the tables in a tournament's round, for an official.
func (s *views) paceView(ctx context.Context, actor rights.Actor, event int64) (v templates.PaceView, err error) {
	if err := rights.Authorize(actor, rights.Place{Tournament: event}, rights.MaySeeDesk); err != nil {
		return v, err
	}
	v.Event = event
	if _, err := tournament.TournamentByID(ctx, s.Store, event); err != nil {
		return v, err
	}
	rounds, err := tournament.Rounds(ctx, s.Store, event)
	if err != nil {
		return v, err
	}
	round, ok := view.CurrentRound(rounds)
	if !ok {
		return v, nil
	}
	v.Round = round.Number
	if v.Started, err = s.startedWords(ctx, round); err != nil {
		return v, err
	}
	if v.Late, err = s.lateLine(ctx, event); err != nil {
		return v, err
	}
	pace, err := s.PaceNow(ctx, event, round.ID)
	if err != nil {
		return v, err
	}
	slots, err := schedule.Slots(ctx, s.Store, event)
	if err != nil {
		return v, err
	}
	var planned engine.Millis
	for _, slot := range slots {
		if slot.Round == round.Number {
			planned = slot.EndsAt
		}
	}
	v.Rows, err = s.PaceRows(ctx, round.ID, pace, planned)
	typical := pace.Typical
	v.Typical = templates.T(ctx, "pace.typical", "turns", strconv.FormatFloat(typical.Turns, 'f', 0, 64), "seconds", int(typical.TurnTime/1000))
	return v, err
}

func (s *controlPages) readyPage(c *gin.Context) error {
	event := page.ID(c, "event")
	ctx := s.Language(c)
	view, err := s.readyView(ctx, s.Staff(c), event)
	if err != nil {
		return err
	}
	return page.ShowLive(s.Frame, c, templates.T(ctx, "ready.title"), templates.ReadyPath(event)+"/live", &view, &view.Page, templates.ReadyPage)
}

func (s *controlPages) readyLive(c *gin.Context) error {
	return s.StreamRegion(c, page.RegionOf(c, s.readyView, templates.ReadyRegion), live.TournamentTopic(page.ID(c, "event")), live.DisplaysTopic(), live.TournamentTopic(page.NoEvent))
}

func (s *views) readyView(ctx context.Context, actor rights.Actor, event int64) (templates.ReadyView, error) {
	found, err := s.Readiness(ctx, actor, event)
	if err != nil {
		return templates.ReadyView{}, err
	}
	view := templates.ReadyView{Event: event, Round: found.Round, Ready: found.Ready, Over: found.Over,
		BackUp: rights.Authorize(actor, rights.Place{}, rights.MayBackUp) == nil}
	for _, check := range found.Checks {
		view.Checks = append(view.Checks, templates.ReadyRow{Key: check.Key, State: check.State, Text: check.Text, Names: check.Names, URL: check.Link})
	}
	return view, nil
}

// announceMinutes is an announcement's default duration.
const announceMinutes = "10"

func (s *controlPages) announcePage(c *gin.Context) error {
	return s.showAnnounce(c, http.StatusOK, templates.AnnounceView{Minutes: announceMinutes})
}

// showAnnounce renders the announcements page with earlier announcements and the values of a rejected form.
func (s *controlPages) showAnnounce(c *gin.Context, status int, view templates.AnnounceView) error {
	event := page.ID(c, "event")
	ctx, actor := s.Language(c), s.Staff(c)
	all, err := screen.Announcements(ctx, s.Store, actor, event)
	if err != nil {
		return err
	}
	now := engine.MillisOf(s.Store.Now())
	view.Event = event
	view.May = rights.Authorize(actor, rights.Place{Tournament: event}, rights.MayAnnounce) == nil
	for _, a := range all {
		text, tag := a.TextFor(templates.LanguageOf(ctx).Tag)
		_, by, _ := strings.Cut(a.Actor, ":")
		row := templates.AnnounceRow{NewsItem: templates.NewsItem{ID: a.ID, Level: a.Level, Text: text, Lang: tag, Left: a.Until - now},
			By: by, At: a.At, Until: a.Until, Languages: len(a.Texts)}
		if a.Until > now {
			view.Now = append(view.Now, row)
		} else {
			view.Past = append(view.Past, row)
		}
	}
	return page.ShowEvent(s.Frame, c, status, templates.T(ctx, "announce.title"), &view, &view.Page, templates.AnnouncePage)
}

// announcePost sends an announcement to the whole tournament.
func (s *controlPages) announcePost(c *gin.Context) error {
	event := page.ID(c, "event")
	view := templates.AnnounceView{Level: c.PostForm("level"), Minutes: c.PostForm("minutes"), Texts: map[string]string{}}
	for _, l := range templates.EveryLanguageOf(s.Language(c)) {
		view.Texts[l.Tag] = c.PostForm("text-" + l.Tag)
	}
	again := func(c *gin.Context, status int, problem string) error {
		view.Problem = problem
		return s.showAnnounce(c, status, view)
	}
	minutes, err := page.Optional(c.PostForm, "minutes")
	if err != nil {
		return s.Again(c, err, again)
	}
	return s.Post(c, screen.Announce{Tournament: event, Level: view.Level, Texts: view.Texts, Minutes: int(minutes)},
		again, templates.AnnouncementsPath(event), "announce.done")
}

func (s *controlPages) rehearsalPage(c *gin.Context) error {
	event := page.ID(c, "event")
	ctx := s.Language(c)
	if err := rights.Authorize(s.Staff(c), rights.Place{Tournament: event}, rights.MayRehearse); err != nil {
		return err
	}
	t, err := tournament.TournamentByID(ctx, s.Store, event)
	if err != nil {
		return err
	}
	view := templates.RehearsalView{Of: t.ID}
	copied, ok := t, true
	if t.Rehearses != 0 {
		view.Of = t.Rehearses
	} else if copied, ok, err = rehearsal.Of(ctx, s.Store, event); err != nil {
		return err
	}
	if ok {
		view.Copy, view.On, view.Until = copied.ID, copied.Rehearsing(engine.MillisOf(s.Store.Now())), copied.EndsBy
	}
	view.Page = s.NewPage(c, templates.T(ctx, "rehearsal.title"), &t)
	return s.Show(c, http.StatusOK, templates.RehearsalPage(view))
}

// rehearsalPost starts a tournament's rehearsal, or ends and removes it.
func (s *controlPages) rehearsalPost(c *gin.Context) error {
	event := page.ID(c, "event")
	ctx, actor := s.Language(c), s.Staff(c)
	if c.PostForm("remove") != "" {
		id := event // without a rehearsal, removing is rejected
		copied, ok, err := rehearsal.Of(ctx, s.Store, event)
		if ok {
			id = copied.ID
		}
		if err == nil {
			_, err = action.Do(ctx, s.Desk, actor, rehearsal.Remove{ID: id})
		}
		if err != nil {
			return s.Again(c, err, s.At(templates.RehearsalPath(event)))
		}
		return s.SeeOther(c, templates.RehearsalPath(event), "rehearsal.removed")
	}
	made, err := s.Rehearse(ctx, actor, event, c.PostForm("by"))
	if err != nil {
		return s.Again(c, err, s.At(templates.RehearsalPath(event)))
	}
	if made.RehearsedBy == tournament.RehearsedTables {
		return s.SeeOther(c, templates.DeskPath(made.ID), "rehearsal.begun")
	}
	return s.SeeOther(c, templates.HallPath(made.ID), "rehearsal.begun_all")
}
