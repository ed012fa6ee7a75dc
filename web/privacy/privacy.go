// Package privacy is the page of what an event holds of people, for how long, and what can be done about it.
package privacy

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"meldhall/templates"
	"meldhall/tournament"
	"meldhall/tournament/door"
	"meldhall/tournament/privacy"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/web/frame"
	"meldhall/web/venue"
)

// Pages are this page.
type Pages struct {
	*frame.Frame
	*venue.Venue
}

// AddTo adds its route.
func (p *Pages) AddTo(pages *gin.RouterGroup) { pages.GET("/desk/:event/privacy", p.Handle(p.page)) }

// page is the page; with ?player= also what would be taken out of one person.
func (p *Pages) page(c *gin.Context) error {
	ctx, event := p.Language(c), frame.ID(c, "event")
	if err := rights.Authorize(p.Staff(c), rights.Place{Tournament: event}, rights.MayEditRoster); err != nil {
		return err
	}
	t, err := tournament.TournamentByID(ctx, p.Store, event)
	if err != nil {
		return err
	}
	players, err := tournament.PlayersFull(ctx, p.Store, p.Staff(c), event)
	if err != nil {
		return err
	}
	view := templates.PrivacyView{Event: event, Held: heldRows(ctx), Over: t.Status == tournament.StatusFinished}
	for _, one := range players {
		view.Players = append(view.Players, templates.PlayerOption{ID: one.ID, Number: one.Number, Name: one.Name})
		if c.Query("player") == strconv.FormatInt(one.ID, 10) {
			if view.Person, err = p.person(ctx, p.Staff(c), one); err != nil {
				return err
			}
		}
	}
	return frame.ShowEvent(p.Frame, c, http.StatusOK, templates.T(ctx, "privacy.title"), &view, &view.Page, templates.PrivacyPage)
}

// heldRows are what is held of people, and for how long.
func heldRows(ctx context.Context) (rows []templates.HeldRow) {
	for _, what := range []string{"names", "contact", "play", "records", "sign_ins", "copies"} {
		rows = append(rows, templates.HeldRow{What: templates.T(ctx, "privacy.what."+what),
			Until: templates.T(ctx, "privacy.until."+what, "after", privacy.DaysAfter, "idle", privacy.DaysIdle, "n", privacy.DaysSignIns)})
	}
	return rows
}

// person is what an erasure would do.
func (p *Pages) person(ctx context.Context, actor rights.Actor, one tournament.Player) (*templates.ErasureView, error) {
	view := &templates.ErasureView{ID: one.ID, Name: one.Name}
	would, err := door.Preview(ctx, p.Desk, actor, privacy.Erase{Player: one.ID})
	if errors.Is(err, refuse.ErrConflict) {
		view.Problem = templates.T(ctx, "err_erase_playing")
		return view, nil
	}
	view.Pseudonym, view.Records, view.Texts, view.Elsewhere = would.Pseudonym, would.Records, would.Texts, strings.Join(would.Elsewhere, ", ")
	return view, err
}
