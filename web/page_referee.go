package web

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ"
	"github.com/gin-gonic/gin"

	"meldhall/engine"
	"meldhall/templates"
	"meldhall/tournament"
)

// hallNeeds orders the hall by what a table needs, first those that wait for a referee.
var hallNeeds = map[string]int{"called": 0, "broken": 0, "count": 1, "coming": 2, "paused": 3, "offline": 4, "expired": 5, "running": 6, "waiting": 7, "confirmed": 8}

func (s *Server) hallPage(c *gin.Context) error {
	event, err := idParam(c, "event")
	if err != nil {
		return err
	}
	ctx := s.language(c)
	view, t, err := s.hallView(ctx, s.staff(c), event)
	if err != nil {
		return err
	}
	view.Page = live(s.newPage(c, templates.T(ctx, "hall.title"), &t), templates.HallPath(event)+"/live")
	return s.show(c, http.StatusOK, templates.HallPage(view))
}

func (s *Server) hallLive(c *gin.Context) error {
	event, err := idParam(c, "event")
	if err != nil {
		return err
	}
	return s.streamRegion(c, func(ctx context.Context, actor tournament.Actor) (templ.Component, error) {
		view, _, err := s.hallView(ctx, actor, event)
		return templates.HallRegion(view), err
	}, eventTopics(event)...)
}

func (s *Server) hallView(ctx context.Context, actor tournament.Actor, event int64) (view templates.HallView, t tournament.Tournament, err error) {
	if err := tournament.Authorize(actor, tournament.Place{Tournament: event}, tournament.ActSeeDesk); err != nil {
		return view, t, err
	}
	if t, err = s.store.TournamentByID(ctx, event); err != nil {
		return view, t, err
	}
	rounds, err := s.store.Rounds(ctx, event)
	if err != nil {
		return view, t, err
	}
	view.Event = event
	round, ok := currentRound(rounds)
	if !ok {
		return view, t, nil
	}
	f, err := t.Format()
	if err != nil {
		return view, t, err
	}
	view.Round, view.RoundID, view.Status, view.Stage = round.Number, round.ID, round.Status, stageName(ctx, f.Stages, round.Stage)
	view.Tables, err = s.tableRows(ctx, round.ID)
	slices.SortStableFunc(view.Tables, func(a, b templates.TableRow) int {
		return cmp.Or(cmp.Compare(hallNeeds[a.Need], hallNeeds[b.Need]), cmp.Compare(a.Since, b.Since), cmp.Compare(a.Number, b.Number))
	})
	return view, t, err
}

func (s *Server) rulingPage(c *gin.Context) error {
	return s.showRuling(c, http.StatusOK, templates.RulingView{})
}

// showRuling adds the table to what a refused form brought.
func (s *Server) showRuling(c *gin.Context, status int, form templates.RulingView) error {
	event, table, err := tableParams(c)
	if err != nil {
		return err
	}
	ctx := s.language(c)
	view, err := s.rulingView(ctx, s.staff(c), event, table)
	if err != nil {
		return err
	}
	t, err := s.store.TournamentByID(ctx, event)
	if err != nil {
		return err
	}
	view.Problem, view.Open, view.Typed = form.Problem, form.Open, form.Typed
	view.Page = live(s.newPage(c, templates.T(ctx, "table.title", "number", view.Table), &t), templates.RulingPath(event, table)+"/live")
	return s.show(c, status, templates.RulingPage(view))
}

func tableParams(c *gin.Context) (event, table int64, err error) {
	if event, err = idParam(c, "event"); err != nil {
		return 0, 0, err
	}
	table, err = idParam(c, "table")
	return event, table, err
}

func (s *Server) rulingLive(c *gin.Context) error {
	event, table, err := tableParams(c)
	if err != nil {
		return err
	}
	return s.streamRegion(c, func(ctx context.Context, actor tournament.Actor) (templ.Component, error) {
		view, err := s.rulingView(ctx, actor, event, table)
		return templates.RulingRegion(view), err
	}, TableTopic(table), SeatingTopic(event))
}

func (s *Server) rulingView(ctx context.Context, actor tournament.Actor, event, table int64) (view templates.RulingView, err error) {
	if err := tournament.Authorize(actor, tournament.Place{Tournament: event, Table: table, Seat: -1}, tournament.ActSeeDesk); err != nil {
		return view, err
	}
	at, err := s.store.TableByID(ctx, table)
	if err != nil {
		return view, err
	}
	if at.TournamentID != event {
		return view, tournament.Refuse(tournament.NotFound, "err_table_not_found", "id", table)
	}
	view = templates.RulingView{Event: event, TableID: table, Table: at.Number, Penalty: 3}
	if len(at.Games) == 0 {
		return view, nil
	}
	current, err := s.store.CurrentAtTable(ctx, table)
	if err != nil {
		return view, err
	}
	game, snap, err := s.watchedGame(ctx, current.Game, engine.Referee)
	if err != nil {
		return view, err
	}
	results, err := s.store.RoundResults(ctx, at.RoundID)
	if err != nil {
		return view, err
	}
	for _, g := range at.Games {
		view.Games = append(view.Games, templates.RoundGame{ID: g.ID, Number: g.Number, Status: gameStatus(g, results)})
	}
	view.Game, view.HasGame, view.Key = game, snap.State.Phase != engine.PhaseNew, rulingKey(snap, "")
	view.Log, err = s.gameLog(ctx, game)
	return view, err
}

// rulingKey names a ruling by the state that it was given in, so that one that is sent twice happens once.
func rulingKey(snap *tournament.Snapshot, action string) string {
	return rulingKeyOf(snap.Ref.ID, snap.State.Seq) + dashed(action)
}

func rulingKeyOf(game int64, seq int) string { return fmt.Sprintf("ruling-%d-%d", game, seq) }

func dashed(action string) string {
	if action == "" {
		return ""
	}
	return "-" + action
}

// rulings are the officials' commands by the last part of their address; each reads its form. by is the official's name.
var rulings = map[string]func(c *gin.Context, by string) (engine.Command, error){
	"pause": func(c *gin.Context, _ string) (engine.Command, error) {
		return engine.PauseClock{Reason: c.PostForm("reason")}, nil
	},
	"resume": func(*gin.Context, string) (engine.Command, error) { return engine.Resume{}, nil },
	"call-time": func(c *gin.Context, _ string) (engine.Command, error) {
		return engine.CallTime{Reason: c.PostForm("reason")}, nil
	},
	"time": func(c *gin.Context, _ string) (engine.Command, error) {
		seconds, err := formInt(c, "seconds")
		return engine.GiveTime{Seconds: seconds, Reason: c.PostForm("reason")}, err
	},
	"penalty": func(c *gin.Context, _ string) (engine.Command, error) {
		seat, err := formInt(c, "seat")
		if err != nil {
			return nil, err
		}
		tiles, err := formInt(c, "tiles")
		return engine.Penalise{Seat: seat, Tiles: tiles, Reason: c.PostForm("reason")}, err
	},
	"acknowledge": func(c *gin.Context, by string) (engine.Command, error) {
		seat, err := formInt(c, "seat")
		return engine.AcknowledgeCall{Seat: seat, By: by}, err
	},
	"answer": func(c *gin.Context, by string) (engine.Command, error) {
		seat, err := formInt(c, "seat")
		return engine.AnswerCall{Seat: seat, By: by}, err
	},
}

// rulingPost gives a ruling at a table and goes back to it.
func (s *Server) rulingPost(action string) func(*gin.Context) error {
	return func(c *gin.Context) error {
		event, table, err := tableParams(c)
		if err != nil {
			return err
		}
		if err := readForm(c); err != nil {
			return err
		}
		err = s.rule(c, table, action)
		if err == nil {
			back := templates.RulingPath(event, table)
			if c.PostForm("back") == "hall" {
				back = templates.HallPath(event)
			}
			return s.seeOther(c, back, "ruled."+strings.ReplaceAll(action, "-", "_"))
		}
		text, status, err := s.problem(c, err)
		if err != nil {
			return err
		}
		return s.showRuling(c, status, templates.RulingView{Problem: text, Open: action, Typed: typedFields(c)})
	}
}

func (s *Server) rule(c *gin.Context, table int64, action string) error {
	ctx := c.Request.Context()
	game, err := strconv.ParseInt(c.PostForm("game"), 10, 64)
	if err != nil {
		return tournament.Refuse(tournament.NotFound, "err_game_not_found", "id", c.PostForm("game"))
	}
	snap, err := s.games.Look(ctx, game)
	if err != nil {
		return err
	}
	if snap.Ref.TableID != table {
		return tournament.Refuse(tournament.NotFound, "err_game_not_found", "id", game)
	}
	command, err := rulings[action](c, s.staff(c).Name)
	if err != nil {
		return err
	}
	_, err = s.games.Submit(ctx, s.staff(c), game, c.PostForm("key")+dashed(action), command)
	return err
}

// typedFields is what was typed into a form, to be shown again.
func typedFields(c *gin.Context) map[string]string {
	typed := map[string]string{}
	for name := range c.Request.PostForm {
		typed[name] = c.PostForm(name)
	}
	return typed
}
