package referee

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/a-h/templ"
	"github.com/gin-gonic/gin"

	"meldhall/engine"
	"meldhall/templates"
	"meldhall/templates/locale"
	"meldhall/templates/referee"
	"meldhall/templates/tablet"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/draw"
	"meldhall/tournament/game"
	"meldhall/tournament/refuse"
	"meldhall/tournament/result"
	"meldhall/tournament/rights"
	"meldhall/web/countform"
	"meldhall/web/live"
	"meldhall/web/page"
	"meldhall/web/rulingform"
	"meldhall/web/view"
)

// clockPage shows the turn clock of a table with real tiles on an official's own device, across games.
func (s *Pages) clockPage(c *gin.Context) error {
	tournamentID, table := page.ID(c, "event"), page.ID(c, "table")
	ctx := s.Page.Request.Language(c)
	real, err := s.views.realAt(ctx, s.Page.Request.Staff(c), tournamentID, table)
	if err != nil {
		return err
	}
	if real.Game.ID == 0 {
		return s.Page.SeeOther(c, templates.RulingPath(tournamentID, table), "")
	}
	p := page.Near(s.Page.NewPage(c, locale.T(ctx, "real.clock_title", "table", real.Game.Place.Table), nil),
		templates.ClockPath(tournamentID, table)+"/live")
	return s.Page.Show(c, http.StatusOK, tablet.RealPage(tablet.RealView{Page: p, Real: real}))
}

func (s *Pages) clockLive(c *gin.Context) error {
	tournamentID, table := page.ID(c, "event"), page.ID(c, "table")
	return s.Page.StreamDesk(c, func(ctx context.Context, actor rights.Actor) (templ.Component, error) {
		real, err := s.views.realAt(ctx, actor, tournamentID, table)
		if err != nil || real.Game.ID == 0 {
			return templ.NopComponent, err
		}
		return tablet.RealRegion(real), nil
	}, live.TournamentTopic(tournamentID), live.TableTopic(table))
}

// realAt returns the game at a table with real tiles, for an official who runs its turn clock. The game's ID is 0 if
// none has begun.
func (s *views) realAt(ctx context.Context, actor rights.Actor, tournamentID, table int64) (tablet.Real, error) {
	if err := rights.Authorize(actor, rights.Place{Tournament: tournamentID, Table: table, Seat: -1},
		rights.MayRule); err != nil {
		return tablet.Real{}, err
	}
	current, err := game.CurrentAtTable(ctx, s.View.Store, table)
	if err != nil {
		return tablet.Real{}, err
	}
	game, snap, err := s.View.WatchedGame(ctx, current.Game, engine.Spectator)
	if err != nil {
		return tablet.Real{}, err
	}
	if snap.Ref.TournamentID != tournamentID {
		return tablet.Real{}, refuse.NotFound("err_table_not_found", "id", table)
	}
	switch {
	case snap.State.Phase == engine.PhaseNew:
		return tablet.Real{}, nil
	case !snap.State.Physical:
		return tablet.Real{}, refuse.Conflict("err_table_digital", "table", game.Place.Table)
	}
	if err := s.View.Counted(ctx, snap, &game); err != nil {
		return tablet.Real{}, err
	}
	return tablet.Real{Game: game, Table: true, Event: tournamentID, TableID: table},
		s.View.OpenRacks(ctx, actor, snap, &game)
}

// realHallPage is the page of all tables with real tiles, on which officials enter the starting players and the racks'
// counts.
func (s *Pages) realHallPage(c *gin.Context) error {
	return s.showRealHall(c, http.StatusOK, "")
}

func (s *Pages) showRealHall(c *gin.Context, status int, problem string) error {
	view, states, err := s.views.realHall(s.Page.Request.Language(c), s.Page.Request.Staff(c),
		page.ID(c, "event"))
	if err != nil {
		return err
	}
	for i := range view.Tables {
		if t := &view.Tables[i]; c.Request.PostForm.Has(fmt.Sprintf("why-%d", t.Game.ID)) {
			_, _, _ = countTyped(c, t, states[i]) // keep the typed values; previewing checks them
		}
	}
	view.Problem = problem
	return s.answerRealHall(c, status, view)
}

func (s *Pages) answerRealHall(c *gin.Context, status int, view referee.RealHallView) error {
	return page.ShowEvent(s.Page, c, status, locale.T(s.Page.Request.Language(c), "real.hall"), &view,
		&view.Page,
		referee.RealHallPage)
}

// realHall returns the current round's tables with real tiles and the states of their games.
func (s *views) realHall(ctx context.Context, actor rights.Actor, tournamentID int64) (v referee.RealHallView,
	states []engine.State, err error) {
	at := rights.Place{Tournament: tournamentID, Seat: -1}
	if err := rights.Authorize(actor, at, rights.MaySeeDesk); err != nil {
		return v, nil, err
	}
	t, f, err := s.View.Tournaments.WithFormat(ctx, tournamentID)
	if err != nil {
		return v, nil, err
	}
	v.Event = t.ID
	v.May, v.MayRun = rights.Authorize(actor, at, rights.MayCount) == nil,
		rights.Authorize(actor, at, rights.MayServeTable) == nil
	rounds, err := draw.Rounds(ctx, s.View.Store, tournamentID)
	if err != nil {
		return v, nil, err
	}
	round, ok := view.CurrentRound(rounds)
	if !ok || round.Status != tournament.RoundRunning {
		return v, nil, nil
	}
	v.Round, v.Stage = round.Number, view.StageName(ctx, f.Stages, round.Stage)
	current, err := game.CurrentInRound(ctx, s.View.Store, round.ID)
	if err != nil {
		return v, nil, err
	}
	for _, at := range current {
		game, snap, err := s.View.WatchedGame(ctx, at.Game, engine.Spectator)
		if err != nil {
			return v, nil, err
		}
		notOwn := rights.Authorize(actor, rights.Place{Tournament: tournamentID, Number: at.TableNumber, Seat: -1},
			rights.MayCount) != nil
		if !snap.State.Physical || game.Counted || v.May && notOwn {
			continue
		}
		v.Tables = append(v.Tables, referee.RealTable{Number: at.TableNumber, TableID: at.Table, Game: game,
			Seats: make([]referee.RealSeat, snap.State.Seats),
			Why:   snap.State.Ending, Unopened: countform.UnopenedChoice(snap.State.Rules)})
		states = append(states, snap.State)
	}
	return v, states, nil
}

// realBeginsPost sets the starting player at a table.
func (s *Pages) realBeginsPost(c *gin.Context) error {
	tournamentID, id := page.ID(c, "event"), cmp.Or(page.QueryID(c, "game"), page.FormID(c, "game"))
	seat, err := page.FormNumber(c, "seat")
	if err != nil {
		return err
	}
	snap, err := s.View.Games.Look(c.Request.Context(), id)
	if err != nil {
		return err
	}
	if snap.Ref.TournamentID != tournamentID {
		return refuse.NotFound("err_game_not_found", "id", id)
	}
	if _, err := s.View.Games.Submit(c.Request.Context(), s.Page.Request.Staff(c), id,
		rulingform.Key(snap, fmt.Sprint("begins-", seat)),
		engine.ChooseStarter{Seat: seat}); err != nil {
		return s.Page.Again(c, err, s.showRealHall)
	}
	for name, values := range c.Request.PostForm {
		if (strings.HasPrefix(name, "sum-") || strings.HasPrefix(name, "shut-")) && values[0] != "" {
			return s.showRealHall(c, http.StatusOK, "")
		}
	}
	return s.Page.SeeOther(c, templates.RealHallPath(tournamentID)+templ.SafeURL(fmt.Sprintf("#table-%d",
		page.QueryID(c, "table"))), "")
}

// typedCount is the count typed for one table.
type typedCount struct {
	game  int64
	count engine.CountRacks
}

// realHallPost previews the typed counts, or enters and confirms them. It enters all or none: if any count is invalid
// or has changed since its preview, the page marks those tables and lists them next to the button.
func (s *Pages) realHallPost(c *gin.Context) error {
	tournamentID, ctx, actor := page.ID(c, "event"), s.Page.Request.Language(c), s.Page.Request.Staff(c)
	view, states, err := s.views.realHall(ctx, actor, tournamentID)
	if err != nil {
		return err
	}
	var counts []typedCount
	var held []string // tables whose counts cannot be entered yet
	status, enter := http.StatusOK, c.PostForm("do") == "enter"
	for i := range view.Tables {
		t := &view.Tables[i]
		count, wrong, err := s.lookAtCount(c, t, states[i])
		switch {
		case err != nil:
			return err
		case wrong != 0:
			status = wrong
			held = append(held, fmt.Sprint(t.Number))
		case t.Outcome != nil:
			counts = append(counts, typedCount{t.Game.ID, count})
			if enter && c.PostForm(fmt.Sprintf("seen-%d", t.Game.ID)) != t.Seen {
				t.Changed = len(held) == 0 && status == http.StatusOK
				t.Note = locale.T(ctx, "real.changed")
				held = append(held, fmt.Sprint(t.Number))
			}
		}
	}
	switch {
	case enter && len(held) == 0 && len(counts) > 0:
		return s.enterCounts(c, tournamentID, counts)
	case len(counts) == 0 && len(held) == 0:
		view.Held = locale.T(ctx, "real.nothing_typed")
	case enter:
		view.Held = locale.T(ctx, "real.held", "n", len(held), "tables", strings.Join(held, ", "))
	}
	if status == http.StatusOK {
		view.Ready = len(counts)
	}
	return s.answerRealHall(c, status, view)
}

// lookAtCount previews the count typed for a table. It sets t.Outcome or, for an invalid count, sets t.Problem and
// returns the error's status code in wrong. Without typed values it sets neither, and wrong is 0.
func (s *Pages) lookAtCount(c *gin.Context, t *referee.RealTable, state engine.State) (count engine.CountRacks,
	wrong int, err error) {
	count, typed, err := countTyped(c, t, state)
	if !typed {
		return count, 0, nil
	}
	var preview game.SheetPreview
	if err == nil {
		preview, err = s.View.Games.PreviewCount(s.Page.Request.Language(c), s.Page.Request.Staff(c),
			t.Game.ID, count)
	}
	if err == nil && preview.Refusal != nil {
		err = hallSums(c, *t, state).AtSeat(s.Page.Request.Language(c), preview.Refusal)
	}
	if err == nil {
		t.Outcome = preview.Points
		return count, 0, nil
	}
	var whole *engine.Refusal // about no single seat, so it has no field yet
	_ = errors.As(err, &whole)
	if t.Problem, wrong, err = s.Page.Problem(c, err); err == nil && whole != nil {
		s.Page.FaultAt(c, t.Problem, t.Problem, fmt.Sprintf("sum-%d-*", t.Game.ID))
	}
	return count, wrong, err
}

// enterCounts enters and confirms the previewed counts, each table separately, and continues to the desk once the round
// is over. If some count can no longer be entered, for example because a device has counted meanwhile, the others are
// still entered before the error is shown.
func (s *Pages) enterCounts(c *gin.Context, tournamentID int64, counts []typedCount) error {
	ctx, actor := c.Request.Context(), s.Page.Request.Staff(c)
	var failed error
	for _, t := range counts {
		failed = cmp.Or(failed, s.enterCount(ctx, actor, t))
	}
	if failed != nil {
		return s.Page.Again(c, failed, s.showRealHall)
	}
	to := templates.RealHallPath(tournamentID)
	if view, _, err := s.views.realHall(ctx, actor, tournamentID); err == nil && view.Round == 0 &&
		rights.Authorize(actor, rights.Place{Tournament: tournamentID}, rights.MaySeatRound) == nil {
		to = templates.DeskPath(tournamentID)
	}
	return s.Page.SeeOther(c, to, "real.counts_entered", "n", len(counts))
}

func (s *Pages) enterCount(ctx context.Context, actor rights.Actor, t typedCount) error {
	snap, err := s.View.Games.Look(ctx, t.game)
	if err != nil {
		return err
	}
	if _, err := s.View.Games.Submit(ctx, actor, t.game, rulingform.Key(snap, "count"), t.count); err != nil {
		return err
	}
	latest, err := result.LatestResult(ctx, s.View.Store, t.game)
	if err != nil {
		return err
	}
	_, err = action.Do(ctx, s.Page.Request.Desk, actor, result.ConfirmResult{Game: t.game, Rev: latest.Rev})
	return err
}

// countTyped reads the values typed for a table into t. typed is false if there are none. If exactly one field is
// empty, that rack was emptied; with several empty fields, the count is incomplete.
func countTyped(c *gin.Context, t *referee.RealTable, state engine.State) (count engine.CountRacks, typed bool,
	err error) {
	form := hallSums(c, *t, state)
	t.Why = form.Why
	for seat := range t.Seats {
		t.Seats[seat] = form.OfSeat(seat)
		typed = typed || t.Seats[seat] != referee.RealSeat{}
	}
	t.Seen = fmt.Sprint(t.Why, t.Seats)
	if !typed {
		return count, false, nil
	}
	racks, err := form.Racks()
	if err == nil {
		count, err = state.CountOf(t.Why, racks)
	}
	return count, true, form.AtSeat(c.Request.Context(), err)
}

// hallSums returns the part of the hall's form that belongs to a table.
func hallSums(c *gin.Context, t referee.RealTable, state engine.State) countform.Form {
	form := countform.Form{Out: state.Out, Rules: state.Rules, Get: c.PostForm,
		Field: func(what string, seat int) string {
			if seat < 0 {
				return fmt.Sprintf("%s-%d", what, t.Game.ID)
			}
			return fmt.Sprintf("%s-%d-%d", what, t.Game.ID, seat)
		}}
	form.Why = c.PostForm(form.Field("why", -1))
	for seat := range t.Seats {
		form.Names = append(form.Names, t.Game.NameOf(seat))
	}
	return form
}
