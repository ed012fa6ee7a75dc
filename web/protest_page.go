package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"github.com/gin-gonic/gin"

	"meldhall/engine"
	"meldhall/templates"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/export"
	"meldhall/tournament/game"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/web/live"
	"meldhall/web/page"
	"meldhall/web/request"
	"meldhall/web/view"
)

// protestPost stores a player's protest and redirects to the tablet's page.
func (s *tabletPages) protestPost(c *gin.Context) error {
	game, err := request.GameParam(c)
	if err != nil {
		return err
	}
	_, err = action.Do(c.Request.Context(), s.server.Request.Desk, s.server.Request.Player(c),
		tournament.MakeProtest{Game: game, Text: c.PostForm("text")})
	if err != nil {
		return err
	}
	return s.server.Page.SeeOther(c, templates.GamePath, "protest.sent")
}

func (s *refereePages) protestsPage(c *gin.Context) error {
	return s.showProtests(c, "", 0)
}

// showProtests lists the protests and keeps the text typed for one of them.
func (s *refereePages) showProtests(c *gin.Context, typed string, protest int64) error {
	tournamentID := page.ID(c, "event")
	ctx := s.server.Request.Language(c)
	view, err := s.server.Views.protestsView(ctx, s.server.Request.Staff(c), tournamentID)
	if err != nil {
		return err
	}
	view.Typed, view.For = typed, protest
	return page.ShowLive(s.server.Page, c, templates.T(ctx, "protest.title"),
		templates.ProtestsPath(tournamentID)+"/live",
		&view, &view.Page, templates.ProtestsPage)
}

func (s *refereePages) protestsLive(c *gin.Context) error {
	return s.server.Page.StreamRegion(c, page.RegionOf(c, s.server.Views.protestsView, templates.ProtestsRegion),
		live.TournamentTopic(page.ID(c, "event")))
}

func (s *views) protestsView(ctx context.Context, actor rights.Actor, tournamentID int64) (templates.ProtestsView,
	error) {
	v := templates.ProtestsView{Event: tournamentID,
		Decides: rights.Authorize(actor, rights.Place{Tournament: tournamentID}, rights.MayRuleHeavily) == nil}
	all, err := tournament.TournamentProtests(ctx, s.View.Store, actor, tournamentID)
	if err != nil {
		return v, err
	}
	for _, p := range all {
		snap, err := s.View.Games.Look(ctx, p.GameID)
		if err != nil {
			return v, err
		}
		place, people, err := s.View.GamePlace(ctx, snap.Ref)
		if err != nil {
			return v, err
		}
		shown := view.NewProtest(p, people, -1)
		shown.Game = templates.ProtestGame{Event: tournamentID, ID: p.GameID, Round: place.Round, Table: place.Table,
			Number: place.Number}
		v.All = append(v.All, shown)
	}
	return v, nil
}

// decidePost records the decision on a protest. If it is upheld, it redirects to the result, which must then be
// corrected.
func (s *refereePages) decidePost(c *gin.Context) error {
	tournamentID := page.ID(c, "event")
	id := page.ID(c, "protest")
	p, err := action.Do(c.Request.Context(), s.server.Request.Desk, s.server.Request.Staff(c),
		tournament.DecideProtest{Protest: id, Outcome: c.PostForm("outcome"), Reason: c.PostForm("reason")})
	if err != nil {
		return s.server.Page.Again(c, err, func(c *gin.Context, status int, problem string) error {
			page.Saying(c, status, problem)
			return s.showProtests(c, c.PostForm("reason"), id)
		})
	}
	if p.Decision.Outcome == tournament.ProtestUpheld {
		return s.server.Page.SeeOther(c, templates.ResultPath(tournamentID, p.GameID), "protest.upheld_now")
	}
	return s.server.Page.SeeOther(c, templates.ProtestsPath(tournamentID), "protest.rejected_now")
}

// protested adds the protests of an ended game if actor may see them.
func (s *views) protested(ctx context.Context, actor rights.Actor, snap *game.Snapshot, game *templates.Game) error {
	if snap.State.Phase != engine.PhaseOver || snap.Ref.Practice != "" {
		return nil
	}
	protests, err := tournament.ProtestsIn(ctx, s.View.Games, actor, snap.Ref.ID)
	if errors.Is(err, refuse.ErrForbidden) || errors.Is(err, refuse.ErrUnauthenticated) {
		return nil
	}
	if err != nil {
		return err
	}
	game.MayProtest = !protests.Closed && game.View.Seat >= 0
	for _, p := range protests.All {
		game.Protests = append(game.Protests, view.NewProtest(p, game.Seats, game.View.Seat))
		if p.Open() && p.Seat == game.View.Seat {
			game.MayProtest = false
		}
	}
	return nil
}

// protestsID identifies the protests, for the id of an ended game's view.
func protestsID(game templates.Game) string {
	text := "-"
	for _, p := range game.Protests {
		text += strconv.FormatInt(p.ID, 10) + p.Outcome
	}
	return text + strconv.FormatBool(game.MayProtest)
}

// protocolPage renders the printable protocol of a game.
func (s *refereePages) protocolPage(c *gin.Context) error {
	tournamentID, game := page.ID(c, "event"), page.ID(c, "game")
	ctx, actor := s.server.Request.Language(c), s.server.Request.Staff(c)
	p, err := export.ProtocolOf(ctx, s.server.View.Games, actor, game)
	if err != nil {
		return err
	}
	if p.Ref.TournamentID != tournamentID {
		return refuse.NotFound("err_game_not_found", "id", game)
	}
	view := templates.ProtocolView{Official: actor.Role != rights.RolePlayer}
	var people []templates.Person
	if view.P, people, err = s.server.View.Protocol(ctx, p); err != nil {
		return err
	}
	view.Openings = openingViews(p.Openings, people, p.Ref)
	title := templates.T(ctx, "protocol.of", "table", view.P.Table, "number", view.P.Number)
	view.Page = s.server.Page.NewPage(c, title, &p.Tournament)
	return s.server.Page.Show(c, http.StatusOK, templates.ProtocolPage(view))
}

// openProtests returns alerts for a tournament's undecided protests.
func (s *views) openProtests(ctx context.Context, actor rights.Actor, tournamentID int64) (alerts []templates.Alert,
	err error) {
	all, err := tournament.TournamentProtests(ctx, s.View.Store, actor, tournamentID)
	if err != nil {
		return nil, err
	}
	for _, p := range all {
		if !p.Open() {
			continue
		}
		ref, err := game.FindRef(ctx, s.View.Store, p.GameID)
		if err != nil {
			return nil, err
		}
		player, err := tournament.PlayerByID(ctx, s.View.Store, p.PlayerID)
		if err != nil {
			return nil, err
		}
		alerts = append(alerts, templates.Alert{Key: fmt.Sprintf("protest-%d", p.ID), Kind: "protest",
			URL:  templates.ProtestsPath(tournamentID),
			Text: templates.T(ctx, "alert.protest", "table", ref.TableNumber, "name", templates.Isolate(player.Name))})
	}
	return alerts, nil
}
