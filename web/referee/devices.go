package referee

import (
	"context"
	"strconv"

	"github.com/a-h/templ"
	"github.com/gin-gonic/gin"

	"meldhall/templates"
	"meldhall/templates/locale"
	"meldhall/templates/part"
	"meldhall/templates/referee"
	"meldhall/tournament"
	"meldhall/tournament/account"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/secret"
	"meldhall/web/live"
	"meldhall/web/page"
	"meldhall/web/request"
	"meldhall/web/view"
)

func (s *Pages) devicesPage(c *gin.Context) error {
	tournamentID := page.ID(c, "event")
	ctx := s.Page.Request.Language(c)
	view, err := s.views.devicesView(ctx, s.Page.Request.Staff(c), tournamentID)
	if err != nil {
		return err
	}
	return page.ShowLive(s.Page, c, locale.T(ctx, "devices.title"),
		templates.DevicesPath(tournamentID)+"/live",
		&view, &view.Page, referee.DevicesPage)
}

func (s *Pages) devicesLive(c *gin.Context) error {
	return s.Page.StreamRegion(c, page.RegionOf(c, s.views.devicesView, referee.DevicesRegion),
		live.TournamentTopic(page.ID(c, "event")))
}

// devicesView returns the tablets at the seats of a tournament's round, for an official.
func (s *views) devicesView(ctx context.Context, actor rights.Actor, tournamentID int64) (v referee.DevicesView,
	err error) {
	at := rights.Place{Tournament: tournamentID}
	if err := rights.Authorize(actor, at, rights.MaySeeDesk); err != nil {
		return v, err
	}
	t, err := tournament.TournamentByID(ctx, s.View.Store, tournamentID)
	if err != nil {
		return v, err
	}
	v.Event, v.May = tournamentID, rights.Authorize(actor, at, rights.MayIssueCode) == nil
	v.Revoke = rights.Authorize(actor, at, rights.MayManageAccounts) == nil
	hall, err := s.View.Devices(ctx, t)
	if err != nil {
		return v, err
	}
	v.Server = locale.T(ctx, "devices.this_server", "version", hall.Version)
	v.May = v.May && hall.Open
	v.Round, v.Rows = hall.Round, make([]referee.DeviceRow, len(hall.Seats))
	for i, d := range hall.Seats {
		v.Rows[i] = referee.DeviceRow{Table: d.TableID, Number: d.Table, Seat: d.Seat, Name: d.Player, Device: d.Name,
			State: d.State, Heard: d.Heard, What: d.Device,
			Delay: orNone(d.Delay), Charge: orNone(d.Charge), Charging: d.Charging, Version: d.Version, Stale: d.Stale,
			Whole: d.Whole, Missed: d.Missed}
	}
	v.Sum = locale.T(ctx, "devices.sum", "here", hall.Here, "of", len(hall.Seats))
	v.Screen = locale.T(ctx, "devices.screens", "here", hall.ScreensHere, "of", hall.Screens)
	acc := actor.Account
	if v.Revoke {
		acc = 0
	}
	signed, err := account.Devices(ctx, s.View.Store, actor, acc)
	for _, d := range signed {
		v.Staff = append(v.Staff, referee.StaffDevice{Account: d.AccountID, Name: d.Name,
			Role: part.Role(d.Role), What: view.AgentWords(d.Agent), Seen: d.SeenAt})
	}
	return v, err
}

func orNone(n *int) int {
	if n == nil {
		return -1
	}
	return *n
}

// tabletSwapPost disconnects a seat's tablet at once and issues a code for another one.
func (s *Pages) tabletSwapPost(c *gin.Context) error {
	table, seat, err := s.swapTyped(c)
	if err != nil {
		return err
	}
	return s.Page.SeeOther(c, templates.TabletSwapPath(page.ID(c, "event"), table, seat), "")
}

// swapTyped calls SwapDevice for the table and the seat of a form and returns both.
func (s *Pages) swapTyped(c *gin.Context) (table int64, seat int, err error) {
	number, err := page.FormNumber(c, "table")
	if err != nil {
		return 0, 0, err
	}
	if seat, err = page.FormNumber(c, "seat"); err != nil {
		return 0, 0, err
	}
	_, err = s.Page.Request.Seats.SwapDevice(c.Request.Context(), s.Page.Request.Staff(c), int64(number), seat)
	return int64(number), seat, err
}

func (s *Pages) tabletSwapPage(c *gin.Context) error {
	tournamentID, table, seat, err := swapParams(c)
	if err != nil {
		return err
	}
	ctx := s.Page.Request.Language(c)
	view, err := s.views.tabletSwapView(ctx, s.Page.Request.Staff(c), table, seat, s.Page.Request.BaseURL(c))
	if err != nil {
		return err
	}
	view.Event = tournamentID
	return page.ShowLive(s.Page, c, locale.T(ctx, "devices.swap"),
		templates.TabletSwapPath(tournamentID, table, seat)+"/live", &view, &view.Page, referee.TabletSwapPage)
}

func (s *Pages) tabletSwapLive(c *gin.Context) error {
	tournamentID, table, seat, err := swapParams(c)
	if err != nil {
		return err
	}
	base := s.Page.Request.BaseURL(c)
	return s.Page.StreamRegion(c, func(ctx context.Context, actor rights.Actor) (templ.Component, error) {
		view, err := s.views.tabletSwapView(ctx, actor, table, seat, base)
		view.Event = tournamentID
		return referee.TabletSwapRegion(view), err
	}, live.TournamentTopic(tournamentID), live.TableTopic(table))
}

// swapParams returns the tournament, the table and the seat of an address; the seat counts from 0 or is WholeTable.
func swapParams(c *gin.Context) (tournamentID, table int64, seat int, err error) {
	if seat, err = strconv.Atoi(c.Param("seat")); err != nil || seat < 0 {
		return 0, 0, 0, request.NotFound(c)
	}
	return page.ID(c, "event"), page.ID(c, "table"), min(seat, 100) - 1, nil
}

func (s *views) tabletSwapView(ctx context.Context, actor rights.Actor, table int64, seat int,
	base string) (view referee.TabletSwapView, err error) {
	at, err := tournament.TableByID(ctx, s.View.Store, table)
	if err != nil {
		return view, err
	}
	tables, err := tournament.TableCodes(ctx, s.View.Store, actor, at.RoundID)
	if err != nil {
		return view, err
	}
	for _, t := range tables {
		if t.ID != table || seat >= len(t.Seats) {
			continue
		}
		if seat == request.WholeTable {
			whole, err := tournament.TableDevices(ctx, s.View.Store, t.TournamentID)
			view = referee.TabletSwapView{Table: t.Number, Seat: seat, Device: whole[t.Number],
				Code: secret.SpellCode(t.Code), JoinURL: base + string(templates.JoinCodePath(t.Code))}
			return view, err
		}
		place := t.Seats[seat]
		view = referee.TabletSwapView{Table: t.Number, Seat: seat, Name: place.Player.Name,
			Device: place.Player.DeviceName()}
		if place.Code != "" {
			view.Code, view.JoinURL = secret.SpellCode(place.Code), base+string(templates.JoinCodePath(place.Code))
		}
		return view, nil
	}
	return view, refuse.NotFound("err_seat_not_found", "table", at.Number, "seat", seat+1)
}

// codePost issues a new code for a seat after a device was lost.
func (s *Pages) codePost(c *gin.Context) error {
	at := page.RoundOf(c)
	page := templates.RoundPath(at.TournamentID, at.Round)
	_, seat, err := s.swapTyped(c)
	if err != nil {
		return s.Page.Again(c, err, s.Page.At(page))
	}
	return s.Page.SeeOther(c, page, "round.code_made", "seat", seat+1)
}
