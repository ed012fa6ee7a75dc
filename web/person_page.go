package web

import (
	"context"
	"net/http"

	"github.com/gin-gonic/gin"

	"meldhall/engine"
	"meldhall/templates"
	"meldhall/tournament"
	"meldhall/tournament/privacy"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/rosterfile"
	"meldhall/web/page"
)

// personPage shows one player to the organizer.
func (s *deskPages) personPage(c *gin.Context) error {
	id := page.ID(c, "player")
	t, players, err := s.eventPlayers(c)
	if err != nil {
		return err
	}
	ctx, tournamentID := s.server.Request.Language(c), t.ID
	absent, err := tournament.Absent(ctx, s.server.View.Store, tournamentID)
	if err != nil {
		return err
	}
	view := templates.PlayerView{ID: tournamentID}
	for _, p := range players {
		if p.ID == id {
			view.Player, view.Email = newRosterPlayer(p), p.Email
			view.Player.Playing = !absent[id]
		} else if p.State == tournament.StateWaiting {
			view.Waiting = append(view.Waiting, newRosterPlayer(p))
		}
	}
	if view.Player.ID == 0 {
		return refuse.NotFound("err_player_not_found")
	}
	if err := s.server.Views.addPlace(ctx, &view, tournamentID, id); err != nil {
		return err
	}
	view.Acts = personActs(ctx, view.Player, view.Seat != "", view.StandIn != "")
	view.Page = s.server.Page.NewPage(c, view.Player.Name, &t)
	return s.server.Page.Show(c, http.StatusOK, templates.PersonPage(view))
}

// addPlace adds the player's seat, stand-in and missed rounds.
func (s *views) addPlace(ctx context.Context, view *templates.PlayerView, tournamentID, player int64) error {
	rounds, err := tournament.Rounds(ctx, s.View.Store, tournamentID)
	if err != nil {
		return err
	}
	if n := len(rounds); n > 0 && rounds[n-1].Status != tournament.RoundFinished {
		view.Plays = rounds[n-1].Status == tournament.RoundRunning
		tables, err := tournament.Tables(ctx, s.View.Store, rounds[n-1].ID)
		if err != nil {
			return err
		}
		for _, t := range tables {
			for _, seat := range t.Seats {
				if seat.PlayerID == player {
					view.Seat = templates.T(ctx, "people.sits_at", "round", rounds[n-1].Number, "table", t.Number,
						"seat", seat.Seat+1)
				}
			}
		}
	}
	missed, err := tournament.Missed(ctx, s.View.Store, tournamentID)
	if err != nil {
		return err
	}
	for _, m := range missed {
		if m.PlayerID == player {
			view.Missed = append(view.Missed, templates.MissedLine{Round: m.Round,
				Points: int(m.Charge / engine.Whole(1)), Text: missedText(ctx, m)})
		}
	}
	standIns, err := tournament.StandIns(ctx, s.View.Store, tournamentID)
	for _, in := range standIns { // ordered; the last one applies
		if in.PlayerID == player {
			view.StandIn = in.Name
		}
	}
	return err
}

// missedText describes why a round was missed and what it costs.
func missedText(ctx context.Context, m tournament.MissedRound) string {
	key := "people.missed." + m.Reason
	if m.Charge == 0 {
		key += ".none"
	}
	return templates.T(ctx, key, "round", m.Round, "points", templates.AmountText(ctx, m.Charge))
}

// personActs returns the actions on a player in the current state; sits means at a table of the current round, replaced
// means a stand-in plays.
func personActs(ctx context.Context, p templates.RosterPlayer, sits, replaced bool) []templates.PersonAct {
	var kinds []string
	switch p.State {
	case tournament.StateWaiting:
		kinds = []string{tournament.PeopleMoveUp, tournament.PeopleLeave}
	case tournament.StateRegistered:
		kinds = []string{tournament.PeopleCheckIn, tournament.PeopleNoShow, tournament.PeopleLeave}
	case tournament.StateCheckedIn:
		kinds = []string{tournament.PeopleCheckOut, tournament.PeopleNoShow, tournament.PeopleLeave}
	default:
		kinds = []string{tournament.PeopleBack}
	}
	if replaced {
		kinds = append(kinds, tournament.PeopleReturn)
	}
	var acts []templates.PersonAct
	for _, kind := range kinds {
		if kind == tournament.PeopleLeave && sits {
			acts = append(acts, templates.PersonAct{Kind: kind, Text: templates.T(ctx, "people.leave.after")},
				templates.PersonAct{Kind: kind, Text: templates.T(ctx, "people.leave.now"), Now: true})
			continue
		}
		acts = append(acts, templates.PersonAct{Kind: kind, Text: templates.T(ctx, "people.do."+kind)})
	}
	return acts
}

// registerPage is the public registration for a tournament.
func (s *publicPages) registerPage(c *gin.Context) error {
	return s.showRegister(c, http.StatusOK, templates.RegisterView{})
}

func (s *publicPages) showRegister(c *gin.Context, status int, view templates.RegisterView) error {
	tournamentID := page.ID(c, "event")
	ctx := s.server.Request.Language(c)
	r, err := tournament.RegistrationOf(ctx, s.server.View.Store, tournamentID)
	if err != nil {
		return err
	}
	view.ID, view.Event, view.Place, view.Open, view.Free, view.Waiting = tournamentID, r.Tournament.Name,
		r.Tournament.Place, r.Open, r.Free(), r.Waiting
	view.Page = s.server.Page.NewPage(c, templates.T(ctx, "register.title"), s.published(c, &r.Tournament))
	return s.server.Page.Show(c, status, templates.RegisterPage(view))
}

// published returns the tournament that a page links to, or nil while its pages are hidden from the reader.
func (s *publicPages) published(c *gin.Context, event *tournament.Tournament) *tournament.Tournament {
	if s.server.View.AuthorizeEvent(c.Request.Context(), s.server.Request.Staff(c), event.ID) != nil {
		return nil
	}
	return event
}

func (s *publicPages) registerPost(c *gin.Context) error {
	tournamentID := page.ID(c, "event")
	entry := rosterfile.PlayerEntry{Name: c.PostForm("name"), Country: c.PostForm("country"), Club: c.PostForm("club"),
		Email: c.PostForm("email"), Family: c.PostForm("family"), Mark: c.PostForm("mark")}
	player, err := s.server.Request.Register(c, tournamentID, entry)
	if err == nil {
		return s.server.Page.SeeOther(c, templates.TicketPath(*player.Ticket), "register.done")
	}
	problem, status, err := s.server.Page.Problem(c, err)
	if err != nil {
		return err
	}
	return s.showRegister(c, status, templates.RegisterView{Problem: problem, Email: entry.Email,
		Entry: templates.RosterPlayer{Name: entry.Name, Mark: entry.Mark, Country: entry.Country, Club: entry.Club,
			Family: entry.Family}})
}

func (s *publicPages) ticketPage(c *gin.Context) error { return s.showTicket(c, http.StatusOK, "") }

func (s *publicPages) showTicket(c *gin.Context, status int, problem string) error {
	ctx := s.server.Request.Language(c)
	ticket := c.Param("ticket")
	t, err := tournament.TicketOf(ctx, s.server.View.Store, ticket)
	if err != nil {
		return err
	}
	staff := rights.Authorize(s.server.Request.Staff(c), rights.Place{Tournament: t.Tournament.ID},
		rights.MayCheckIn) == nil
	path := string(templates.TicketPath(ticket))
	view := templates.TicketView{Event: t.Tournament.Name, EventID: t.Tournament.ID, Player: newRosterPlayer(t.Player),
		Place: t.Place, Problem: problem,
		URL: s.server.Request.BaseURL(c) + path, Path: path, Staff: staff,
		MayDo: t.Player.State == tournament.StateRegistered &&
			(staff || t.Tournament.CheckInOpen)}
	view.Page = s.server.Page.NewPage(c, t.Player.Name, s.published(c, &t.Tournament))
	return s.server.Page.Show(c, status, templates.TicketPage(view))
}

// ticketNaming sets how the ticket's player is named in public.
func (s *publicPages) ticketNaming(c *gin.Context) error {
	return s.server.Page.Post(c, privacy.NameOwn{Ticket: c.Param("ticket"), Way: c.PostForm("way")}, s.showTicket,
		templates.TicketPath(c.Param("ticket")), "done.player.naming")
}

// ticketPost checks the ticket's player in.
func (s *publicPages) ticketPost(c *gin.Context) error {
	return s.server.Page.Post(c, tournament.CheckInByTicket{Ticket: c.Param("ticket")}, s.showTicket,
		templates.TicketPath(c.Param("ticket")), "ticket.done")
}
