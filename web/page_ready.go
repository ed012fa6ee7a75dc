package web

import (
	"context"
	"net/http"

	"github.com/gin-gonic/gin"

	"meldhall/templates"
	"meldhall/tournament"
	"meldhall/tournament/rights"
	"meldhall/web/live"
)

func (s *controlPages) readyPage(c *gin.Context) error {
	event := idIn(c, "event")
	ctx := s.language(c)
	view, err := s.readyView(ctx, s.staff(c), event)
	if err != nil {
		return err
	}
	return showLive(s.Server, c, http.StatusOK, templates.T(ctx, "ready.title"), "", templates.ReadyPath(event)+"/live", &view, &view.Page, templates.ReadyPage)
}

func (s *controlPages) readyLive(c *gin.Context) error {
	return s.streamRegion(c, regionOf(c, s.readyView, templates.ReadyRegion), append(eventTopics(idIn(c, "event")), live.DisplaysTopic(), live.TournamentTopic(noEvent))...)
}

func (s *views) readyView(ctx context.Context, actor rights.Actor, event int64) (templates.ReadyView, error) {
	found, err := s.readiness(ctx, actor, event)
	if err != nil {
		return templates.ReadyView{}, err
	}
	view := templates.ReadyView{Event: event, Round: found.Round, Ready: found.Ready,
		BackUp: rights.Authorize(actor, rights.Place{}, rights.MayBackUp) == nil}
	for _, check := range found.Checks {
		view.Checks = append(view.Checks, templates.ReadyRow{Key: check.Key, State: check.State, Text: check.Text, Names: check.Names, URL: check.Link})
	}
	return view, nil
}

// backupPost copies the database and checks the copy.
func (s *controlPages) backupPost(c *gin.Context) error {
	event := idIn(c, "event")
	made, err := tournament.Do(c.Request.Context(), s.desk, s.staff(c), tournament.BackUpNow{})
	if err != nil {
		return err
	}
	return s.seeOther(c, templates.ReadyPath(event), "ready.backed_up", "file", made.File, "size", made.Bytes>>10)
}
