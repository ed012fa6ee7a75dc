package desk

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"meldhall/engine"
	"meldhall/templates"
	"meldhall/templates/desk"
	"meldhall/templates/locale"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/practice"
	"meldhall/tournament/rights"
	"meldhall/web/page"
)

func (s *Pages) rehearsalPage(c *gin.Context) error {
	tournamentID := page.ID(c, "event")
	ctx := s.Page.Request.Language(c)
	if err := rights.Authorize(s.Page.Request.Staff(c), rights.Place{Tournament: tournamentID},
		rights.MayRehearse); err != nil {
		return err
	}
	t, err := tournament.TournamentByID(ctx, s.View.Store, tournamentID)
	if err != nil {
		return err
	}
	view := desk.RehearsalView{Of: t.ID}
	copied, ok := t, true
	if t.Rehearses != 0 {
		view.Of = t.Rehearses
	} else if copied, ok, err = practice.RehearsalOf(ctx, s.View.Store, tournamentID); err != nil {
		return err
	}
	if ok {
		view.Copy, view.On, view.Until = copied.ID, copied.Rehearsing(engine.MillisOf(s.View.Store.Now())),
			copied.EndsBy
	}
	view.Page = s.Page.NewPage(c, locale.T(ctx, "rehearsal.title"), &t)
	return s.Page.Show(c, http.StatusOK, desk.RehearsalPage(view))
}

// rehearsalPost starts a tournament's rehearsal, or ends and removes it.
func (s *Pages) rehearsalPost(c *gin.Context) error {
	tournamentID := page.ID(c, "event")
	ctx, actor := s.Page.Request.Language(c), s.Page.Request.Staff(c)
	if c.PostForm("remove") != "" {
		id := tournamentID // without a rehearsal, removing is rejected
		copied, ok, err := practice.RehearsalOf(ctx, s.View.Store, tournamentID)
		if ok {
			id = copied.ID
		}
		if err == nil {
			_, err = action.Do(ctx, s.Page.Request.Desk, actor, practice.RemoveRehearsal{ID: id})
		}
		if err != nil {
			return s.Page.Again(c, err, s.Page.At(templates.RehearsalPath(tournamentID)))
		}
		return s.Page.SeeOther(c, templates.RehearsalPath(tournamentID), "rehearsal.removed")
	}
	made, err := s.Page.Request.Practice.Rehearse(ctx, actor, tournamentID, c.PostForm("by"))
	if err != nil {
		return s.Page.Again(c, err, s.Page.At(templates.RehearsalPath(tournamentID)))
	}
	if made.RehearsedBy == tournament.RehearsedTables {
		return s.Page.SeeOther(c, templates.DeskPath(made.ID), "rehearsal.begun")
	}
	return s.Page.SeeOther(c, templates.HallPath(made.ID), "rehearsal.begun_all")
}
