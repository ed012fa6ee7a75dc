package tablet

import (
	"errors"
	"net/http"
	"net/url"

	"github.com/a-h/templ"
	"github.com/gin-gonic/gin"

	"meldhall/templates"
	"meldhall/templates/locale"
	"meldhall/templates/tablet"
	"meldhall/tournament/people"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/spelling"
	"meldhall/web/page"
	"meldhall/web/request"
)

// joinPage asks for a code. Its form sends the code to the same address, which redirects to the seats of the code.
func (s *Pages) joinPage(c *gin.Context) error {
	if code := spelling.Code(c.Query("code")); code != "" {
		return s.Page.SeeOther(c, templates.JoinCodePath(code), "")
	}
	problem := ""
	who := request.CallersIn(c)
	if s.Page.Request.Seats.Token(c) != "" && who.Player == nil {
		problem = locale.T(s.Page.Request.Language(c), "err_token_unknown")
		s.Page.Request.Seats.SetCookie(c, "")
	}
	return s.showJoin(c, http.StatusOK, tablet.JoinView{Problem: problem})
}

func (s *Pages) showJoin(c *gin.Context, status int, view tablet.JoinView) error {
	view.Page = s.Page.NewPage(c, locale.T(s.Page.Request.Language(c), "join.title"), nil)
	return s.Page.Show(c, status, tablet.JoinPage(view))
}

// seatsPage shows the seats that a code opens, one seat or those of a table, each to be taken with one tap. The code on
// a table leads officials to the table's sheet, even if all seats are taken; with seat=1 it shows them the seats.
func (s *Pages) seatsPage(c *gin.Context) error {
	inv, err := s.Page.Request.Seats.Invited(c)
	if c.Query("seat") == "" && inv.Seat < 0 && inv.Table.ID != 0 && inv.Round.Underway() {
		place := rights.Place{Tournament: inv.Tournament.ID, Table: inv.Table.ID, Seat: -1}
		if rights.Authorize(s.Page.Request.Staff(c), place, rights.MaySeeDesk) == nil {
			return s.Page.SeeOther(c, templates.RulingPath(inv.Tournament.ID,
				inv.Table.ID)+templ.SafeURL("?code="+url.QueryEscape(c.Param("code"))), "")
		}
	}
	if err != nil {
		return s.joinAgain(c, inv, err)
	}
	return s.showSeats(c, http.StatusOK, inv, "")
}

// seatsPost takes a seat: from then on, the device plays for the seat's player.
func (s *Pages) seatsPost(c *gin.Context) error {
	inv, err := s.Page.Request.Seats.Invited(c)
	if err != nil {
		return s.joinAgain(c, inv, err)
	}
	if c.PostForm("table") != "" {
		return s.tablePost(c, inv)
	}
	seat, err := page.FormNumber(c, "seat")
	if err == nil && (seat < 0 || seat >= len(inv.Table.Seats)) {
		err = refuse.NotFound("err_seat_not_found", "table", inv.Table.Number, "seat", seat+1)
	}
	if err != nil {
		return err
	}
	if me := s.Page.Request.Player(c); me.Player == inv.Table.Seats[seat].PlayerID {
		return s.Page.SeeOther(c, templates.PlayPath, "") // tapped twice or scanned again
	}
	token, _, err := s.Page.Request.Seats.Join(c, c.Param("code"), inv.Table.Seats[seat].PlayerID)
	if err != nil {
		text, status, err := s.Page.Problem(c, err)
		if err != nil {
			return err
		}
		if fresh, e := people.FindInvitation(c.Request.Context(), s.View.Store, c.Param("code")); e == nil {
			inv = fresh
		}
		return s.showSeats(c, status, inv, text)
	}
	s.Page.Request.Seats.SetCookie(c, token)
	return s.Page.SeeOther(c, templates.PlayPath, "")
}

// joinAgain handles an unusable code. A device that already has the seat is redirected there. Any other use of a spent
// code is counted and shown on the floor page. Its page says how a broken tablet is replaced.
func (s *Pages) joinAgain(c *gin.Context, inv people.Invitation, err error) error {
	if me := s.Page.Request.Player(c); me.Player != 0 && inv.Table.ID != 0 && me.Table == inv.Table.ID &&
		(inv.Seat < 0 || inv.Seat == me.Seat) {
		return s.Page.SeeOther(c, templates.PlayPath, "")
	}
	view := tablet.JoinView{Code: c.Param("code")}
	used := errors.Is(err, &refuse.Error{Kind: refuse.KindConflict, Key: "err_code_used"})
	if used {
		_, _, err = s.Page.Request.Seats.Join(c, c.Param("code"), 0)
	}
	view.Spent = used || errors.Is(err, &refuse.Error{Kind: refuse.KindConflict, Key: "err_table_full"})
	at := rights.Place{Tournament: inv.Tournament.ID}
	if rights.Authorize(s.Page.Request.Staff(c), at, rights.MayIssueCode) == nil {
		view.Devices = templates.DevicesPath(inv.Tournament.ID)
	}
	if errors.Is(err, refuse.ErrNotFound) {
		view.Problem = s.Page.SecretProblem(c, err)
		s.Page.Sent(c, http.MethodGet, templates.JoinPath, url.Values{"code": {c.Param("code")}})
		return s.showJoin(c, http.StatusNotFound, view)
	}
	return s.Page.Again(c, err, func(c *gin.Context, status int, text string) error {
		view.Problem = text
		return s.showJoin(c, status, view)
	})
}

func (s *Pages) showSeats(c *gin.Context, status int, inv people.Invitation, problem string) error {
	ctx := s.Page.Request.Language(c)
	view := newSeatsView(inv, s.Page.Request.Player(c))
	view.Problem = problem
	view.Page = s.Page.NewPage(c, locale.T(ctx, "table.title", "number", inv.Table.Number), nil)
	view.Code = c.Param("code")
	return s.Page.Show(c, status, tablet.SeatsPage(view))
}

func newSeatsView(inv people.Invitation, me rights.Actor) tablet.SeatsView {
	view := tablet.SeatsView{Event: inv.Tournament.Name, Round: inv.Round.Number, Table: inv.Table.Number,
		Real: inv.Seat < 0 && inv.Tournament.Physical(inv.Table)}
	for _, seat := range inv.Table.Seats {
		if inv.Seat >= 0 && seat.Seat != inv.Seat {
			continue
		}
		mine := me.Player == seat.PlayerID
		view.Seats = append(view.Seats, tablet.JoinSeat{
			Seat: seat.Seat, Name: seat.Player.Name, Country: seat.Player.Country,
			// A seat's own code may replace the seat's device.
			Taken: inv.Seat < 0 && !inv.Free(seat), Mine: mine,
		})
	}
	return view
}

// tablePost makes the device the shared tablet of a table with real tiles.
func (s *Pages) tablePost(c *gin.Context, inv people.Invitation) error {
	if me := s.Page.Request.Player(c); me.Role == rights.RoleTable && me.Table == inv.Table.ID {
		return s.Page.SeeOther(c, templates.PlayPath, "") // tapped twice or scanned again
	}
	token, _, err := s.Page.Request.Seats.JoinTable(c, c.Param("code"))
	if err != nil {
		return s.Page.Again(c, err, func(c *gin.Context, status int, text string) error {
			return s.showSeats(c, status, inv, text)
		})
	}
	s.Page.Request.Seats.SetCookie(c, token)
	return s.Page.SeeOther(c, templates.PlayPath, "")
}
