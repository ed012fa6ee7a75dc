package web

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"meldhall/templates"
	"meldhall/tournament"
	"meldhall/tournament/rights"
)

// registerPage is where people enter an event themselves.
func (s *publicPages) registerPage(c *gin.Context) error {
	return s.showRegister(c, http.StatusOK, templates.RegisterView{})
}

func (s *publicPages) showRegister(c *gin.Context, status int, view templates.RegisterView) error {
	event := idIn(c, "event")
	ctx := s.language(c)
	r, err := tournament.RegistrationOf(ctx, s.store, event)
	if err != nil {
		return err
	}
	view.ID, view.Event, view.Place, view.Open, view.Free, view.Waiting = event, r.Tournament.Name, r.Tournament.Place, r.Open, r.Free(), r.Waiting
	view.Page = s.newPage(c, templates.T(ctx, "register.title"), &r.Tournament)
	return s.show(c, status, templates.RegisterPage(view))
}

func (s *publicPages) registerPost(c *gin.Context) error {
	event := idIn(c, "event")
	entry := tournament.PlayerEntry{Name: c.PostForm("name"), Country: c.PostForm("country"), Club: c.PostForm("club"), Email: c.PostForm("email"), Family: c.PostForm("family")}
	player, err := s.register(c, event, entry)
	if err == nil {
		return s.seeOther(c, templates.TicketPath(*player.Ticket), "register.done")
	}
	problem, status, err := s.problem(c, err)
	if err != nil {
		return err
	}
	return s.showRegister(c, status, templates.RegisterView{Problem: problem, Email: entry.Email,
		Entry: templates.RosterPlayer{Name: entry.Name, Country: entry.Country, Club: entry.Club, Family: entry.Family}})
}

func (s *publicPages) ticketPage(c *gin.Context) error { return s.showTicket(c, http.StatusOK, "") }

func (s *publicPages) showTicket(c *gin.Context, status int, problem string) error {
	ctx := s.language(c)
	ticket := c.Param("ticket")
	t, err := tournament.TicketOf(ctx, s.store, ticket)
	if err != nil {
		return err
	}
	staff := rights.Authorize(s.staff(c), rights.Place{Tournament: t.Tournament.ID}, rights.MayCheckIn) == nil
	path := string(templates.TicketPath(ticket))
	view := templates.TicketView{Event: t.Tournament.Name, EventID: t.Tournament.ID, Player: newRosterPlayer(t.Player), Place: t.Place, Problem: problem,
		URL: s.baseURL(c) + path, Path: path, Staff: staff, MayDo: t.Player.State == tournament.StateRegistered && (staff || t.Tournament.CheckInOpen)}
	view.Page = s.newPage(c, t.Player.Name, &t.Tournament)
	return s.show(c, status, templates.TicketPage(view))
}

// ticketPost says that the ticket's player is here.
func (s *publicPages) ticketPost(c *gin.Context) error {
	return s.post(c, tournament.CheckInByTicket{Ticket: c.Param("ticket")}, s.showTicket, templates.TicketPath(c.Param("ticket")), "ticket.done")
}
