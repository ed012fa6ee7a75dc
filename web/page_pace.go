package web

import (
	"context"
	"net/http"
	"strconv"

	"github.com/gin-gonic/gin"

	"meldhall/engine"
	"meldhall/templates"
	"meldhall/tournament"
	"meldhall/tournament/rights"
)

func (s *controlPages) pacePage(c *gin.Context) error {
	event := idIn(c, "event")
	ctx := s.language(c)
	view, err := s.paceView(ctx, s.staff(c), event)
	if err != nil {
		return err
	}
	return showLive(s.Server, c, http.StatusOK, templates.T(ctx, "pace.title"), "", templates.PacePath(event)+"/live", &view, &view.Page, templates.PacePage)
}

func (s *controlPages) paceLive(c *gin.Context) error {
	return s.streamRegion(c, regionOf(c, s.paceView, templates.PaceRegion), eventTopics(idIn(c, "event"))...)
}

// paceView is how the tables of an event's round get on, for an official.
func (s *views) paceView(ctx context.Context, actor rights.Actor, event int64) (view templates.PaceView, err error) {
	if err := rights.Authorize(actor, rights.Place{Tournament: event}, rights.MaySeeDesk); err != nil {
		return view, err
	}
	view.Event = event
	if _, err := tournament.TournamentByID(ctx, s.store, event); err != nil {
		return view, err
	}
	rounds, err := tournament.Rounds(ctx, s.store, event)
	if err != nil {
		return view, err
	}
	round, ok := currentRound(rounds)
	if !ok {
		return view, nil
	}
	view.Round = round.Number
	if view.Started, err = s.startedWords(ctx, round); err != nil {
		return view, err
	}
	if view.Late, err = s.lateLine(ctx, event); err != nil {
		return view, err
	}
	pace, err := s.paceNow(ctx, event, round.ID)
	if err != nil {
		return view, err
	}
	slots, err := tournament.Slots(ctx, s.store, event)
	if err != nil {
		return view, err
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
	return view, err
}
