package web

import (
	"context"
	"net/http"
	"strconv"

	"github.com/a-h/templ"
	"github.com/gin-gonic/gin"

	"meldhall/engine"
	"meldhall/templates"
	"meldhall/tournament"
	"meldhall/tournament/rights"
)

func (s *controlPages) pacePage(c *gin.Context) error {
	event := idIn(c, "event")
	ctx := s.language(c)
	view, t, err := s.paceView(ctx, s.staff(c), event)
	if err != nil {
		return err
	}
	view.Page = streamed(s.newPage(c, templates.T(ctx, "pace.title"), &t), templates.PacePath(event)+"/live")
	return s.show(c, http.StatusOK, templates.PacePage(view))
}

func (s *controlPages) paceLive(c *gin.Context) error {
	event := idIn(c, "event")
	return s.streamRegion(c, func(ctx context.Context, actor rights.Actor) (templ.Component, error) {
		view, _, err := s.paceView(ctx, actor, event)
		return templates.PaceRegion(view), err
	}, eventTopics(event)...)
}

// paceView is how the tables of an event's round get on, for an official.
func (s *views) paceView(ctx context.Context, actor rights.Actor, event int64) (view templates.PaceView, t tournament.Tournament, err error) {
	if err := rights.Authorize(actor, rights.Place{Tournament: event}, rights.MaySeeDesk); err != nil {
		return view, t, err
	}
	view.Event = event
	if t, err = tournament.TournamentByID(ctx, s.store, event); err != nil {
		return view, t, err
	}
	rounds, err := tournament.Rounds(ctx, s.store, event)
	if err != nil {
		return view, t, err
	}
	round, ok := currentRound(rounds)
	if !ok {
		return view, t, nil
	}
	view.Round = round.Number
	if view.Started, err = s.startedWords(ctx, round); err != nil {
		return view, t, err
	}
	if view.Late, err = s.lateLine(ctx, event); err != nil {
		return view, t, err
	}
	pace, err := s.paceNow(ctx, event, round.ID)
	if err != nil {
		return view, t, err
	}
	slots, err := tournament.Slots(ctx, s.store, event)
	if err != nil {
		return view, t, err
	}
	var planned engine.Millis
	for _, slot := range slots {
		if slot.Round == round.Number {
			planned = slot.EndsAt
		}
	}
	view.Rows, err = s.paceRows(ctx, round.ID, pace, planned)
	typical := pace.Typical
	view.Typical = templates.T(ctx, "pace.typical", "turns", strconv.FormatFloat(typical.Turns, 'f', 0, 64), "seconds", int(typical.TurnTime/1000))
	return view, t, err
}
