package web

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"meldhall/engine"
	"meldhall/templates"
	"meldhall/tournament"
	"meldhall/tournament/rights"
)

// announceMinutes is how long an announcement stands if nothing else is chosen.
const announceMinutes = "10"

func (s *controlPages) announcePage(c *gin.Context) error {
	return s.showAnnounce(c, http.StatusOK, templates.AnnounceView{Minutes: announceMinutes})
}

// showAnnounce adds what was said to what a refused form brought.
func (s *controlPages) showAnnounce(c *gin.Context, status int, view templates.AnnounceView) error {
	event := idIn(c, "event")
	ctx, actor := s.language(c), s.staff(c)
	all, err := tournament.Announcements(ctx, s.store, actor, event)
	if err != nil {
		return err
	}
	now := engine.MillisOf(s.store.Now())
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
	return showEvent(s.Server, c, status, templates.T(ctx, "announce.title"), &view, &view.Page, templates.AnnouncePage)
}

// announcePost says something to the whole event, or takes it back.
func (s *controlPages) announcePost(c *gin.Context) error {
	event := idIn(c, "event")
	if c.PostForm("end") != "" {
		id, err := formInt(c, "end")
		if err != nil {
			return err
		}
		return s.post(c, tournament.EndAnnouncement{ID: int64(id)}, nil, templates.AnnouncementsPath(event), "announce.ended")
	}
	view := templates.AnnounceView{Level: c.PostForm("level"), Minutes: c.PostForm("minutes"), Texts: map[string]string{}}
	for _, l := range templates.LanguagesOf(s.language(c)) {
		view.Texts[l.Tag] = c.PostForm("text-" + l.Tag)
	}
	minutes, _ := strconv.Atoi(strings.TrimSpace(view.Minutes))
	again := func(c *gin.Context, status int, problem string) error {
		view.Problem = problem
		return s.showAnnounce(c, status, view)
	}
	return s.post(c, tournament.Announce{Tournament: event, Level: view.Level, Texts: view.Texts, Minutes: minutes}, again,
		templates.AnnouncementsPath(event), "announce.done")
}
