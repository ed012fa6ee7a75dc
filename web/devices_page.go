package web

import (
	"context"
	"strconv"

	"github.com/a-h/templ"
	"github.com/gin-gonic/gin"

	"meldhall/templates"
	"meldhall/tournament"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/secret"
	"meldhall/tournament/staff"
	"meldhall/web/frame"
	"meldhall/web/live"
	"meldhall/web/shell"
	"meldhall/web/venue"
)

func (s *controlPages) devicesPage(c *gin.Context) error {
	event := frame.ID(c, "event")
	ctx := s.Language(c)
	view, err := s.devicesView(ctx, s.Staff(c), event)
	if err != nil {
		return err
	}
	return frame.ShowLive(s.Frame, c, templates.T(ctx, "devices.title"), templates.DevicesPath(event)+"/live", &view, &view.Page, templates.DevicesPage)
}

func (s *controlPages) devicesLive(c *gin.Context) error {
	return s.StreamRegion(c, frame.RegionOf(c, s.devicesView, templates.DevicesRegion), live.TournamentTopic(frame.ID(c, "event")))
}

// devicesView is the tablets at the seats of an event's round, for an official.
func (s *views) devicesView(ctx context.Context, actor rights.Actor, event int64) (view templates.DevicesView, err error) {
	at := rights.Place{Tournament: event}
	if err := rights.Authorize(actor, at, rights.MaySeeDesk); err != nil {
		return view, err
	}
	t, err := tournament.TournamentByID(ctx, s.Store, event)
	if err != nil {
		return view, err
	}
	view.Event, view.May = event, rights.Authorize(actor, at, rights.MayIssueCode) == nil
	view.Revoke = rights.Authorize(actor, at, rights.MayManageAccounts) == nil
	hall, err := s.Devices(ctx, t)
	if err != nil {
		return view, err
	}
	view.Server = templates.T(ctx, "devices.this_server", "version", hall.Version)
	view.May = view.May && hall.Open
	view.Round, view.Rows = hall.Round, make([]templates.DeviceRow, len(hall.Seats))
	for i, d := range hall.Seats {
		view.Rows[i] = templates.DeviceRow{Table: d.TableID, Number: d.Table, Seat: d.Seat, Name: d.Player, Device: d.Name, State: d.State, Heard: d.Heard, What: d.Device,
			Delay: orNone(d.Delay), Charge: orNone(d.Charge), Charging: d.Charging, Version: d.Version, Stale: d.Stale, Whole: d.Whole}
	}
	view.Sum = templates.T(ctx, "devices.sum", "here", hall.Here, "of", len(hall.Seats))
	view.Screen = templates.T(ctx, "devices.screens", "here", hall.ScreensHere, "of", hall.Screens)
	account := actor.Account
	if view.Revoke {
		account = 0
	}
	signed, err := staff.Devices(ctx, s.Store, actor, account)
	for _, d := range signed {
		view.Staff = append(view.Staff, templates.StaffDevice{Account: d.AccountID, Name: d.Name, Role: templates.Role(d.Role), What: venue.AgentWords(d.Agent), Seen: d.SeenAt})
	}
	return view, err
}

func orNone(n *int) int {
	if n == nil {
		return -1
	}
	return *n
}

// tabletSwapPost takes the tablet of a seat out at once and makes a code for another one.
func (s *controlPages) tabletSwapPost(c *gin.Context) error {
	table, seat, err := s.swapTyped(c)
	if err != nil {
		return err
	}
	return s.SeeOther(c, templates.TabletSwapPath(frame.ID(c, "event"), table, seat), "")
}

// swapTyped is swapDevice for the table and the seat of a form, which it gives.
func (s *Server) swapTyped(c *gin.Context) (table int64, seat int, err error) {
	number, err := frame.FormNumber(c, "table")
	if err != nil {
		return 0, 0, err
	}
	if seat, err = frame.FormNumber(c, "seat"); err != nil {
		return 0, 0, err
	}
	_, err = s.SwapDevice(c.Request.Context(), s.Staff(c), int64(number), seat)
	return int64(number), seat, err
}

func (s *controlPages) tabletSwapPage(c *gin.Context) error {
	event, table, seat, err := swapParams(c)
	if err != nil {
		return err
	}
	ctx := s.Language(c)
	view, err := s.tabletSwapView(ctx, s.Staff(c), table, seat, s.BaseURL(c))
	if err != nil {
		return err
	}
	view.Event = event
	return frame.ShowLive(s.Frame, c, templates.T(ctx, "devices.swap"), templates.TabletSwapPath(event, table, seat)+"/live", &view, &view.Page, templates.TabletSwapPage)
}

func (s *controlPages) tabletSwapLive(c *gin.Context) error {
	event, table, seat, err := swapParams(c)
	if err != nil {
		return err
	}
	base := s.BaseURL(c)
	return s.StreamRegion(c, func(ctx context.Context, actor rights.Actor) (templ.Component, error) {
		view, err := s.tabletSwapView(ctx, actor, table, seat, base)
		view.Event = event
		return templates.TabletSwapRegion(view), err
	}, live.TournamentTopic(event), live.TableTopic(table))
}

// swapParams are the event, the table and the seat of an address, the seat from 0 or WholeTable.
func swapParams(c *gin.Context) (event, table int64, seat int, err error) {
	if seat, err = strconv.Atoi(c.Param("seat")); err != nil || seat < 0 {
		return 0, 0, 0, shell.NotFound(c)
	}
	return frame.ID(c, "event"), frame.ID(c, "table"), min(seat, 100) - 1, nil
}

func (s *views) tabletSwapView(ctx context.Context, actor rights.Actor, table int64, seat int, base string) (view templates.TabletSwapView, err error) {
	at, err := tournament.TableByID(ctx, s.Store, table)
	if err != nil {
		return view, err
	}
	tables, err := tournament.TableCodes(ctx, s.Store, actor, at.RoundID)
	if err != nil {
		return view, err
	}
	for _, t := range tables {
		if t.ID != table || seat >= len(t.Seats) {
			continue
		}
		if seat == shell.WholeTable {
			whole, err := tournament.TableDevices(ctx, s.Store, t.TournamentID)
			view = templates.TabletSwapView{Table: t.Number, Seat: seat, Device: whole[t.Number], Code: secret.SpellCode(t.Code), JoinURL: base + string(templates.JoinCodePath(t.Code))}
			return view, err
		}
		place := t.Seats[seat]
		view = templates.TabletSwapView{Table: t.Number, Seat: seat, Name: place.Player.Name, Device: place.Player.DeviceName()}
		if place.Code != "" {
			view.Code, view.JoinURL = secret.SpellCode(place.Code), base+string(templates.JoinCodePath(place.Code))
		}
		return view, nil
	}
	return view, refuse.NotFound("err_seat_not_found", "table", at.Number, "seat", seat+1)
}
