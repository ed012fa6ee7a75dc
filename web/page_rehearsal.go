package web

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"meldhall/engine"
	"meldhall/templates"
	"meldhall/tournament"
	"meldhall/tournament/rights"
)

func (s *controlPages) rehearsalPage(c *gin.Context) error {
	return s.showRehearsal(c, http.StatusOK, "")
}

func (s *controlPages) showRehearsal(c *gin.Context, status int, problem string) error {
	event := idIn(c, "event")
	ctx := s.language(c)
	if err := rights.Authorize(s.staff(c), rights.Place{Tournament: event}, rights.MayRehearse); err != nil {
		return err
	}
	t, err := tournament.TournamentByID(ctx, s.store, event)
	if err != nil {
		return err
	}
	view := templates.RehearsalView{Of: t.ID, Problem: problem}
	copied, ok := t, true
	if t.Rehearses != 0 {
		view.Of = t.Rehearses
	} else if copied, ok, err = tournament.RehearsalOf(ctx, s.store, event); err != nil {
		return err
	}
	if ok {
		view.Copy, view.On, view.Until = copied.ID, copied.Rehearsing(engine.MillisOf(s.store.Now())), copied.EndsBy
	}
	view.Page = s.newPage(c, templates.T(ctx, "rehearsal.title"), &t)
	return s.show(c, status, templates.RehearsalPage(view))
}

// rehearsalPost begins an event's rehearsal, or ends and removes it.
func (s *controlPages) rehearsalPost(c *gin.Context) error {
	event := idIn(c, "event")
	ctx, actor := s.language(c), s.staff(c)
	if c.PostForm("remove") != "" {
		id := event // without a rehearsal there is none to remove
		copied, ok, err := tournament.RehearsalOf(ctx, s.store, event)
		if ok {
			id = copied.ID
		}
		if err == nil {
			_, err = tournament.Do(ctx, s.desk, actor, tournament.RemoveRehearsal{ID: id})
		}
		if err != nil {
			return s.again(c, err, s.showRehearsal)
		}
		return s.seeOther(c, templates.RehearsalPath(event), "rehearsal.removed")
	}
	made, err := s.rehearse(ctx, actor, event, c.PostForm("by"))
	if err != nil {
		return s.again(c, err, s.showRehearsal)
	}
	if made.RehearsedBy == tournament.RehearsedTables {
		return s.seeOther(c, templates.DeskPath(made.ID), "rehearsal.begun")
	}
	return s.seeOther(c, templates.HallPath(made.ID), "rehearsal.begun_all")
}
