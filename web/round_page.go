package web

import (
	"context"
	"errors"

	"github.com/a-h/templ"
	"github.com/gin-gonic/gin"

	"meldhall/engine"
	"meldhall/templates"
	"meldhall/tournament"
	"meldhall/tournament/game"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/secret"
	"meldhall/web/live"
	"meldhall/web/page"
	"meldhall/web/view"
)

// roundPlace is the tournament and the round in an address.
type roundPlace struct{ tournamentID, round int64 }

func roundOf(c *gin.Context) roundPlace {
	return roundPlace{page.ID(c, "event"), page.ID(c, "round")}
}

func (s *deskPages) roundPage(c *gin.Context) error {
	at := roundOf(c)
	ctx := s.server.Request.Language(c)
	chosen := queryID(c, "swap")
	view, err := s.server.Views.roundPageView(ctx, s.server.Request.Staff(c), at, s.server.Request.BaseURL(c), chosen)
	if err != nil {
		return err
	}
	return page.ShowLive(s.server.Page, c, templates.T(ctx, "round.title", "number", view.Number),
		templates.RoundPath(at.tournamentID, at.round)+templates.RoundLive(view.Draw.Chosen), &view, &view.Page,
		templates.RoundPage)
}

func (s *deskPages) roundLive(c *gin.Context) error {
	at := roundOf(c)
	base, chosen := s.server.Request.BaseURL(c), queryID(c, "swap")
	return s.server.Page.StreamRegion(c, func(ctx context.Context, actor rights.Actor) (templ.Component, error) {
		view, err := s.server.Views.roundPageView(ctx, actor, at, base, chosen)
		return templates.RoundRegion(view), err
	}, live.TournamentTopic(at.tournamentID))
}

func (s *views) roundPageView(ctx context.Context, actor rights.Actor, at roundPlace, base string,
	chosen int64) (templates.RoundView, error) {
	tables, err := tournament.TableCodes(ctx, s.View.Store, actor, at.round)
	if err != nil {
		return templates.RoundView{}, err
	}
	state, err := s.eventState(ctx, at.tournamentID)
	if err != nil {
		return templates.RoundView{}, err
	}
	results, err := tournament.RoundResults(ctx, s.View.Store, at.round)
	if err != nil {
		return templates.RoundView{}, err
	}
	for i, r := range state.rounds {
		if r.ID != at.round {
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
		v.MayStart = rights.Authorize(actor, rights.Place{Tournament: at.tournamentID}, rights.MayStartRound) == nil
		if err := s.addTiles(ctx, &v, state.Tournament, tables); err != nil {
			return v, err
		}
		v.MayDraw = rights.Authorize(actor, rights.Place{Tournament: at.tournamentID}, rights.MaySeatRound) == nil
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
	return templates.RoundView{}, refuse.NotFound("err_round_not_found", "id", at.round)
}

func newRoundView(ctx context.Context, e eventState, r tournament.Round, tables []tournament.Table,
	results map[int64]game.Result, base string) templates.RoundView {
	v := templates.RoundView{Event: e.ID, ID: r.ID, Number: r.Number, Stage: view.StageOf(ctx, e.stages, r),
		Status: r.Status,
		Method: r.Method, Games: r.Games, SameDeal: r.Duplicate, Progress: progressOf(e.counts[r.ID])}
	for _, t := range tables {
		table := newRoundTable(t, results, base)
		table.Started = t.Started(r)
		v.Tables = append(v.Tables, table)
	}
	if r.Status == tournament.RoundDraft {
		markAway(&v, e.absent)
	}
	if partlyStarted(r) {
		v.Started = startedText(ctx, view.StartedTables(r, tables), len(tables))
	}
	return v
}

// markAway counts missing players and marks them at their seats, unless all are missing: a club that checks in no one
// sees one line only.
func markAway(view *templates.RoundView, absent map[int64]bool) {
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

func newRoundTable(t tournament.Table, results map[int64]game.Result, base string) templates.RoundTable {
	table := templates.RoundTable{ID: t.ID, Number: t.Number}
	if t.Code != "" && !t.Full() {
		table.Code, table.JoinURL = secret.SpellCode(t.Code), base+string(templates.JoinCodePath(t.Code))
	}
	for _, seat := range t.Seats {
		place := templates.RoundSeat{Seat: seat.Seat, Player: seat.PlayerID, Name: seat.Player.Name,
			Country: seat.Player.Country, Joined: seat.Player.Joined()}
		if seat.Code != "" {
			place.Code, place.JoinURL = secret.SpellCode(seat.Code), base+string(templates.JoinCodePath(seat.Code))
		}
		table.Seats = append(table.Seats, place)
	}
	for _, g := range t.Games {
		table.Games = append(table.Games, templates.RoundGame{ID: g.ID, Number: g.Number,
			Status: gameStatus(g, results)})
	}
	return table
}

// roundPost performs an action on the round in the address and redirects to it; done is the key of the message.
func (s *deskPages) roundPost(c *gin.Context, done string, do func(ctx context.Context, actor rights.Actor,
	at roundPlace) error) error {
	at := roundOf(c)
	if err := do(c.Request.Context(), s.server.Request.Staff(c), at); err != nil {
		return s.server.Page.Again(c, err, s.server.Page.At(templates.RoundPath(at.tournamentID, at.round)))
	}
	return s.server.Page.SeeOther(c, templates.RoundPath(at.tournamentID, at.round), done)
}

func (s *deskPages) redrawPost(c *gin.Context) error {
	at := roundOf(c)
	order, err := redrawOrder(c)
	if err != nil {
		return s.server.Page.Again(c, err, s.server.Page.At(templates.RoundPath(at.tournamentID, at.round)))
	}
	return s.drawPost(c, tournament.PairRound{Tournament: at.tournamentID, PairingOptions: order},
		templates.RoundPath(at.tournamentID, at.round))
}

// redrawOrder reads the options for redrawing a draft from a form.
func redrawOrder(c *gin.Context) (tournament.PairingOptions, error) {
	games, err := page.Optional(c.PostForm, "games")
	most, wrong := page.Optional(c.PostForm, "most")
	return tournament.PairingOptions{Method: c.PostForm("method"), Note: c.PostForm("note"),
			Drop: c.PostForm("drop_file") != "", Games: int(games), Most: int(most)},
		errors.Join(err, wrong)
}

// codePost issues a new code for a seat after a device was lost.
func (s *deskPages) codePost(c *gin.Context) error {
	at := roundOf(c)
	page := templates.RoundPath(at.tournamentID, at.round)
	_, seat, err := s.server.swapTyped(c)
	if err != nil {
		return s.server.Page.Again(c, err, s.server.Page.At(page))
	}
	return s.server.Page.SeeOther(c, page, "round.code_made", "seat", seat+1)
}

// callTimePost calls time in every game of the current round.
func (s *deskPages) callTimePost(c *gin.Context) error {
	return s.roundPost(c, "round.time_called", func(ctx context.Context, actor rights.Actor, at roundPlace) error {
		if err := rights.Authorize(actor, rights.Place{Tournament: at.tournamentID}, rights.MayRule); err != nil {
			return err
		}
		games, err := game.CurrentInRound(ctx, s.server.View.Store, at.round)
		if err != nil {
			return err
		}
		var kept error // an error from tables where the official may not rule
		called := false
		for _, g := range games {
			snap, err := s.server.View.Games.Look(ctx, g.Game)
			if err != nil {
				return err
			}
			if snap.State.Phase != engine.PhasePlaying || snap.State.TimeOver {
				continue
			}
			_, err = s.server.View.Games.Submit(ctx, actor, g.Game, rulingKey(snap, "call-time"),
				engine.CallTime{Grounds: engine.Grounds{Reason: c.PostForm("reason"), By: actor.Name}})
			var refusal *engine.Refusal // the game has ended meanwhile
			switch {
			case errors.Is(err, refuse.ErrForbidden):
				kept = err
			case err != nil && !errors.As(err, &refusal):
				return err
			default:
				called = true
			}
		}
		if called {
			return nil
		}
		return kept
	})
}
