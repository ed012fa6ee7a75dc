package public

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"meldhall/templates"
	"meldhall/templates/desk"
	"meldhall/templates/locale"
	"meldhall/templates/part"
	"meldhall/tournament"
	"meldhall/tournament/people"
	"meldhall/tournament/privacy"
	"meldhall/tournament/rights"
	"meldhall/tournament/rosterfile"
	"meldhall/web/page"
	"meldhall/web/view"
)

// registerPage shows the public registration for a tournament.
func (s *Pages) registerPage(c *gin.Context) error {
	return s.showRegister(c, http.StatusOK, desk.RegisterView{})
}

func (s *Pages) showRegister(c *gin.Context, status int, view desk.RegisterView) error {
	tournamentID := page.ID(c, "event")
	ctx := s.Page.Request.Language(c)
	r, err := people.RegistrationOf(ctx, s.View.Store, tournamentID)
	if err != nil {
		return err
	}
	view.ID, view.Event, view.Place, view.Open, view.Free, view.Waiting = tournamentID, r.Tournament.Name,
		r.Tournament.Place, r.Open, r.Free(), r.Waiting
	view.Page = s.entryPage(c, locale.T(ctx, "register.title"), &r.Tournament)
	return s.Page.Show(c, status, desk.RegisterPage(view))
}

// entryPage returns the frame of a page about a player's entry. While the tournament's pages are hidden from the
// reader, it has no links to them.
func (s *Pages) entryPage(c *gin.Context, title string, event *tournament.Tournament) part.Page {
	if s.View.Sights.AuthorizeEvent(c.Request.Context(), s.Page.Request.Staff(c), event.ID) == nil {
		return s.Page.NewPage(c, title, event)
	}
	s.Page.Request.InZone(c, event.ID)
	p := s.Page.NewPage(c, title, nil)
	p.Flashes = append(p.Flashes, page.Cancelled(s.Page.Request.Language(c), *event)...)
	return p
}

func (s *Pages) registerPost(c *gin.Context) error {
	tournamentID := page.ID(c, "event")
	entry := rosterfile.PlayerEntry{Name: c.PostForm("name"), Country: c.PostForm("country"), Club: c.PostForm("club"),
		Email: c.PostForm("email"), Family: c.PostForm("family"), Mark: c.PostForm("mark"),
		FederationNumber: c.PostForm("federation_number")}
	player, err := s.Page.Request.Register(c, tournamentID, entry)
	if err == nil {
		return s.Page.SeeOther(c, templates.TicketPath(*player.Ticket), "register.done")
	}
	problem, status, err := s.Page.Problem(c, err)
	if err != nil {
		return err
	}
	return s.showRegister(c, status, desk.RegisterView{Problem: problem, Email: entry.Email,
		Entry: desk.RosterPlayer{Name: entry.Name, Mark: entry.Mark, Country: entry.Country, Club: entry.Club,
			Family: entry.Family, FederationNumber: entry.FederationNumber}})
}

func (s *Pages) ticketPage(c *gin.Context) error { return s.showTicket(c, http.StatusOK, "") }

func (s *Pages) showTicket(c *gin.Context, status int, problem string) error {
	ctx := s.Page.Request.Language(c)
	ticket := c.Param("ticket")
	t, err := people.TicketOf(ctx, s.View.Store, ticket)
	if err != nil {
		return err
	}
	staff := rights.Authorize(s.Page.Request.Staff(c), rights.Place{Tournament: t.Tournament.ID},
		rights.MayCheckIn) == nil
	path := string(templates.TicketPath(ticket))
	shown := desk.TicketView{Event: t.Tournament.Name, EventID: t.Tournament.ID,
		Player: view.NewRosterPlayer(t.Player),
		Place:  t.Place, Problem: problem,
		URL: s.Page.Request.BaseURL(c) + path, Path: path, Staff: staff,
		MayDo: t.Player.State == tournament.StateRegistered &&
			(staff || t.Tournament.CheckInOpen)}
	shown.Page = s.entryPage(c, t.Player.Name, &t.Tournament)
	return s.Page.Show(c, status, desk.TicketPage(shown))
}

// ticketNaming sets how the ticket's player is named in public.
func (s *Pages) ticketNaming(c *gin.Context) error {
	return s.Page.Post(c, privacy.NameOwn{Ticket: c.Param("ticket"), Way: c.PostForm("way")}, s.showTicket,
		templates.TicketPath(c.Param("ticket")), "done.player.naming")
}

// ticketPost checks the ticket's player in.
func (s *Pages) ticketPost(c *gin.Context) error {
	return s.Page.Post(c, people.CheckInByTicket{Ticket: c.Param("ticket")}, s.showTicket,
		templates.TicketPath(c.Param("ticket")), "ticket.done")
}
