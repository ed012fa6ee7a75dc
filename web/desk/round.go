package desk

import (
	"context"
	"errors"

	"github.com/a-h/templ"
	"github.com/gin-gonic/gin"

	"meldhall/engine"
	"meldhall/templates"
	"meldhall/templates/desk"
	"meldhall/templates/locale"
	"meldhall/templates/play"
	"meldhall/tournament"
	"meldhall/tournament/draw"
	"meldhall/tournament/game"
	"meldhall/tournament/refuse"
	"meldhall/tournament/result"
	"meldhall/tournament/rights"
	"meldhall/tournament/secret"
	"meldhall/web/live"
	"meldhall/web/page"
	"meldhall/web/rulingform"
	"meldhall/web/view"
)

func (s *Pages) roundPage(c *gin.Context) error {
	at := page.RoundOf(c)
	ctx := s.Page.Request.Language(c)
	chosen := page.QueryID(c, "swap")
	view, err := s.views.roundPageView(ctx, s.Page.Request.Staff(c), at, s.Page.Request.BaseURL(c), chosen)
	if err != nil {
		return err
	}
	return page.ShowLive(s.Page, c, locale.T(ctx, "round.title", "number", view.Number),
		templates.RoundPath(at.TournamentID, at.Round)+desk.RoundLive(view.Draw.Chosen), &view, &view.Page,
		desk.RoundPage)
}

func (s *Pages) roundLive(c *gin.Context) error {
	at := page.RoundOf(c)
	base, chosen := s.Page.Request.BaseURL(c), page.QueryID(c, "swap")
	return s.Page.StreamRegion(c, func(ctx context.Context, actor rights.Actor) (templ.Component, error) {
		view, err := s.views.roundPageView(ctx, actor, at, base, chosen)
		return desk.RoundRegion(view), err
	}, live.TournamentTopic(at.TournamentID))
}

func (s *views) roundPageView(ctx context.Context, actor rights.Actor, at page.RoundPlace, base string,
	chosen int64) (desk.RoundView, error) {
	tables, err := tournament.TableCodes(ctx, s.View.Store, actor, at.Round)
	if err != nil {
		return desk.RoundView{}, err
	}
	state, err := s.eventState(ctx, at.TournamentID)
	if err != nil {
		return desk.RoundView{}, err
	}
	results, err := result.RoundResults(ctx, s.View.Store, at.Round)
	if err != nil {
		return desk.RoundView{}, err
	}
	for i, r := range state.rounds {
		if r.ID != at.Round {
			continue
		}
		v := newRoundView(ctx, state, r, tables, results, base)
		v.FromZero = view.FromZero(ctx, state.stages, state.rounds[:i+1])
		if i == len(state.rounds)-1 {
			if state.misses() {
				v.Missing = state.missing
			}
			v.Changed = view.SeatNews(ctx, state.rounds)
		}
		held, err := s.heldTables(ctx, r)
		if err != nil {
			return v, err
		}
		for i, t := range v.Tables {
			v.Tables[i].Held = held[t.ID]
		}
		v.MayStart = rights.Authorize(actor, rights.Place{Tournament: at.TournamentID}, rights.MayStartRound) == nil
		if err := s.addTiles(ctx, &v, state.Tournament, tables); err != nil {
			return v, err
		}
		v.MayDraw = rights.Authorize(actor, rights.Place{Tournament: at.TournamentID}, rights.MaySeatRound) == nil
		if v.MayDraw {
			if err := s.addDraw(ctx, &v, r, tables, chosen); err != nil {
				return v, err
			}
			if err := s.addStart(ctx, &v, r); err != nil {
				return v, err
			}
		}
		if i == len(state.rounds)-1 && r.Status == tournament.RoundFinished && v.MayDraw {
			v.Next = state.nextStep(ctx)
		}
		return v, nil
	}
	return desk.RoundView{}, refuse.NotFound("err_round_not_found", "id", at.Round)
}

func newRoundView(ctx context.Context, e eventState, r tournament.Round, tables []tournament.Table,
	results map[int64]game.Result, base string) desk.RoundView {
	v := desk.RoundView{Event: e.ID, ID: r.ID, Number: r.Number, Stage: view.StageOf(ctx, e.stages, r),
		Status: r.Status,
		Method: r.Method, Games: r.Games, SameDeal: r.Duplicate, Progress: progressOf(e.counts[r.ID])}
	for _, t := range tables {
		table := newRoundTable(t, results, base)
		table.Started = t.Started(r)
		v.Tables = append(v.Tables, table)
	}
	if r.Status != tournament.RoundFinished {
		markAway(&v, e.absent)
	}
	if view.PartlyStarted(r) {
		v.Started = view.StartedText(ctx, view.StartedTables(r, tables), len(tables))
	}
	return v
}

// markAway counts missing players and marks them at their seats. If all are missing, it marks none, so that a club
// without check-in sees only one line.
func markAway(view *desk.RoundView, absent map[int64]bool) {
	seats := 0
	for _, t := range view.Tables {
		seats += len(t.Seats)
		for _, s := range t.Seats {
			if absent[s.Player] {
				view.Away++
			}
		}
	}
	for _, t := range view.Tables {
		for i := range t.Seats {
			t.Seats[i].Away = view.Away < seats && absent[t.Seats[i].Player]
		}
	}
}

func newRoundTable(t tournament.Table, results map[int64]game.Result, base string) desk.RoundTable {
	table := desk.RoundTable{ID: t.ID, Number: t.Number}
	if t.Code != "" && !t.Full() {
		table.Code, table.JoinURL = secret.SpellCode(t.Code), base+string(templates.JoinCodePath(t.Code))
	}
	for _, seat := range t.Seats {
		place := play.RoundSeat{Seat: seat.Seat, Player: seat.PlayerID, Name: seat.Player.Name,
			Country: seat.Player.Country, Joined: seat.Player.Joined()}
		if seat.Code != "" {
			place.Code, place.JoinURL = secret.SpellCode(seat.Code), base+string(templates.JoinCodePath(seat.Code))
		}
		table.Seats = append(table.Seats, place)
	}
	for _, g := range t.Games {
		table.Games = append(table.Games, play.RoundGame{ID: g.ID, Number: g.Number,
			Status: gameStatus(g, results)})
	}
	return table
}

// roundOf returns the address of the page of the requested round.
func roundOf(c *gin.Context) templ.SafeURL {
	at := page.RoundOf(c)
	return templates.RoundPath(at.TournamentID, at.Round)
}

// callTimePost calls time in every game of the current round.
func (s *Pages) callTimePost(c *gin.Context) error {
	if err := s.callTime(c.Request.Context(), s.Page.Request.Staff(c), page.RoundOf(c),
		c.PostForm("reason")); err != nil {
		return s.Page.Again(c, err, s.Page.At(roundOf(c)))
	}
	return s.Page.SeeOther(c, roundOf(c), "round.time_called")
}

// callTime calls time in the games of a round that are being played. It returns an error from tables where the official
// may not rule only if it called time nowhere.
func (s *Pages) callTime(ctx context.Context, actor rights.Actor, at page.RoundPlace, reason string) error {
	if err := rights.Authorize(actor, rights.Place{Tournament: at.TournamentID}, rights.MayRule); err != nil {
		return err
	}
	games, err := game.CurrentInRound(ctx, s.View.Store, at.Round)
	if err != nil {
		return err
	}
	var forbidden error
	called := false
	for _, g := range games {
		snap, err := s.View.Games.Look(ctx, g.Game)
		if err != nil {
			return err
		}
		if snap.State.Phase != engine.PhasePlaying || snap.State.TimeOver {
			continue
		}
		_, err = s.View.Games.Submit(ctx, actor, g.Game, rulingform.Key(snap, "call-time"),
			engine.CallTime{Grounds: engine.Grounds{Reason: reason, By: actor.Name}})
		var refusal *engine.Refusal // the game has ended meanwhile
		switch {
		case errors.Is(err, refuse.ErrForbidden):
			forbidden = err
		case err != nil && !errors.As(err, &refusal):
			return err
		default:
			called = true
		}
	}
	if called {
		return nil
	}
	return forbidden
}

// beginPost publishes a draft and starts it at once.
func (s *Pages) beginPost(c *gin.Context) error {
	at := page.RoundOf(c)
	return s.Page.Post(c, draw.StartRound{Round: at.Round, Publish: true}, s.Page.At(roundOf(c)),
		templates.RealHallPath(at.TournamentID), "done.round.start")
}

// addTiles adds the kind of tiles of a round's tables, and which tables share one device.
func (s *views) addTiles(ctx context.Context, view *desk.RoundView, t tournament.Tournament,
	tables []tournament.Table) error {
	devices, err := tournament.TableDevices(ctx, s.View.Store, t.ID)
	if err != nil {
		return err
	}
	view.Tiles = t.Tiles
	for i, table := range tables {
		row := &view.Tables[i]
		row.Tiles, row.Own = tournament.DigitalTiles, table.Tiles != ""
		if t.Physical(table) {
			row.Tiles, row.Device = tournament.RealTiles, devices[table.Number] != ""
		}
	}
	return nil
}
