package referee

import (
	"context"
	"net/http"

	"github.com/gin-gonic/gin"

	"meldhall/templates"
	"meldhall/templates/locale"
	"meldhall/templates/play"
	"meldhall/templates/referee"
	"meldhall/tournament/export"
	"meldhall/tournament/refuse"
	"meldhall/tournament/result"
	"meldhall/tournament/rights"
	"meldhall/web/live"
	"meldhall/web/page"
	"meldhall/web/view"
)

func (s *Pages) protestsPage(c *gin.Context) error {
	tournamentID := page.ID(c, "event")
	ctx := s.Page.Request.Language(c)
	view, err := s.views.protestsView(ctx, s.Page.Request.Staff(c), tournamentID)
	if err != nil {
		return err
	}
	return page.ShowLive(s.Page, c, locale.T(ctx, "protest.title"),
		templates.ProtestsPath(tournamentID)+"/live",
		&view, &view.Page, referee.ProtestsPage)
}

func (s *Pages) protestsLive(c *gin.Context) error {
	return s.Page.StreamRegion(c, page.RegionOf(c, s.views.protestsView, referee.ProtestsRegion),
		live.TournamentTopic(page.ID(c, "event")))
}

func (s *views) protestsView(ctx context.Context, actor rights.Actor, tournamentID int64) (referee.ProtestsView,
	error) {
	v := referee.ProtestsView{Event: tournamentID,
		Decides: rights.Authorize(actor, rights.Place{Tournament: tournamentID}, rights.MayRuleHeavily) == nil}
	all, err := result.TournamentProtests(ctx, s.View.Store, actor, tournamentID)
	if err != nil {
		return v, err
	}
	for _, p := range all {
		snap, err := s.View.Games.Look(ctx, p.GameID)
		if err != nil {
			return v, err
		}
		place, people, err := s.View.Tournaments.GamePlace(ctx, snap.Ref)
		if err != nil {
			return v, err
		}
		shown := view.NewProtest(p, people, -1)
		shown.Game = play.ProtestGame{Event: tournamentID, ID: p.GameID, Round: place.Round, Table: place.Table,
			Number: place.Number}
		v.All = append(v.All, shown)
	}
	return v, nil
}

// protestDecided redirects to the protests, or to the result, which must be corrected if the protest is upheld.
func (s *Pages) protestDecided(c *gin.Context, p result.Protest) error {
	tournamentID := page.ID(c, "event")
	if p.Decision.Outcome == result.ProtestUpheld {
		return s.Page.SeeOther(c, templates.ResultPath(tournamentID, p.GameID), "protest.upheld_now")
	}
	return s.Page.SeeOther(c, templates.ProtestsPath(tournamentID), "protest.rejected_now")
}

// protocolPage renders the printable protocol of a game.
func (s *Pages) protocolPage(c *gin.Context) error {
	tournamentID, game := page.ID(c, "event"), page.ID(c, "game")
	ctx, actor := s.Page.Request.Language(c), s.Page.Request.Staff(c)
	p, err := export.ProtocolOf(ctx, s.View.Games, actor, game)
	if err != nil {
		return err
	}
	if p.Ref.TournamentID != tournamentID {
		return refuse.NotFound("err_game_not_found", "id", game)
	}
	shown := referee.ProtocolView{Official: actor.Role != rights.RolePlayer}
	var people []play.Person
	if shown.P, people, err = s.View.Protocol(ctx, p); err != nil {
		return err
	}
	shown.Openings = view.OpeningViews(p.Openings, people, p.Ref)
	title := locale.T(ctx, "protocol.of", "table", shown.P.Table, "number", shown.P.Number)
	shown.Page = s.Page.NewPage(c, title, &p.Tournament)
	return s.Page.Show(c, http.StatusOK, referee.ProtocolPage(shown))
}
