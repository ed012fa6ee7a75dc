// Package privacy serves the page that shows which personal data a tournament holds, for how long, and what can be done
// about it.
package privacy

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"meldhall/templates/accounts"
	"meldhall/templates/locale"
	"meldhall/templates/referee"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/privacy"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/web/page"
	"meldhall/web/view"
)

// Pages serves the privacy page.
type Pages struct {
	Page *page.Base
	View *view.Reader
}

// AddTo adds the route.
func (p *Pages) AddTo(pages *gin.RouterGroup) {
	pages.GET("/desk/:event/privacy", p.Page.Request.Handle(p.page))
}

// page shows the page and, with ?player=, what erasing that player would remove.
func (p *Pages) page(c *gin.Context) error {
	ctx, tournamentID := p.Page.Request.Language(c), page.ID(c, "event")
	if err := rights.Authorize(p.Page.Request.Staff(c), rights.Place{Tournament: tournamentID},
		rights.MayEditRoster); err != nil {
		return err
	}
	t, err := tournament.TournamentByID(ctx, p.View.Store, tournamentID)
	if err != nil {
		return err
	}
	players, err := tournament.PlayersFull(ctx, p.View.Store, p.Page.Request.Staff(c), tournamentID)
	if err != nil {
		return err
	}
	view := accounts.PrivacyView{Event: tournamentID, Held: heldRows(ctx), Over: t.Status == tournament.StatusFinished}
	for _, one := range players {
		view.Players = append(view.Players, referee.PlayerOption{ID: one.ID, Number: one.Number, Name: one.Name})
		if c.Query("player") == strconv.FormatInt(one.ID, 10) {
			if view.Person, err = p.person(ctx, p.Page.Request.Staff(c), one); err != nil {
				return err
			}
		}
	}
	return page.ShowEvent(p.Page, c, http.StatusOK, locale.T(ctx, "privacy.title"), &view, &view.Page,
		accounts.PrivacyPage)
}

// heldRows lists the kinds of personal data and their retention periods.
func heldRows(ctx context.Context) (rows []accounts.HeldRow) {
	for _, what := range []string{"names", "contact", "play", "records", "sign_ins", "copies"} {
		rows = append(rows, accounts.HeldRow{What: locale.T(ctx, "privacy.what."+what),
			Until: locale.T(ctx, "privacy.until."+what, "after", privacy.DaysAfter, "idle", privacy.DaysIdle, "n",
				privacy.DaysSignIns)})
	}
	return rows
}

// person previews the erasure of a player.
func (p *Pages) person(ctx context.Context, actor rights.Actor, one tournament.Player) (*accounts.ErasureView, error) {
	view := &accounts.ErasureView{ID: one.ID, Name: one.Name}
	would, err := action.Preview(ctx, p.Page.Request.Desk, actor, privacy.Erase{Player: one.ID})
	if errors.Is(err, refuse.ErrConflict) {
		view.Problem = locale.T(ctx, "err_erase_playing")
		return view, nil
	}
	view.Pseudonym, view.Records, view.Texts, view.Elsewhere = would.Pseudonym, would.Records, would.Texts,
		strings.Join(would.Elsewhere, ", ")
	return view, err
}
