package web

import (
	"context"
	"fmt"
	"math"
	"sync"

	"github.com/gin-gonic/gin"

	"meldhall/engine"
	"meldhall/templates"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/displayname"
	"meldhall/tournament/export"
	"meldhall/tournament/game"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/web/page"
	"meldhall/web/request"
	"meldhall/web/view"
)

// After a game a player sees the count and confirms it, sees how the players of the table stand, and can call the
// referee from anywhere.

// counted adds to an ended game the state of its count. It also adds the valid result if an official's ruling differs
// from the log.
func (s *views) counted(ctx context.Context, snap *game.Snapshot, game *templates.Game) error {
	if snap.State.Phase != engine.PhaseOver || snap.Ref.Practice != "" {
		return nil
	}
	count, err := tournament.GameCount(ctx, s.View.Store, snap.Ref.ID)
	if err != nil {
		return err
	}
	game.Rev, game.Agreed, game.Counted = count.Rev, count.Agreed, count.Confirmed
	if count.Rev == 1 {
		return nil
	}
	latest, err := tournament.LatestResult(ctx, s.View.Store, snap.Ref.ID)
	if err == nil && differs(latest, snap.State.End.Outcome) {
		result := newResult(latest, namesOf(game.Seats), game.Charged)
		game.Corrected, game.CorrectedWhy = &result, latest.Why
	}
	return err
}

// differs reports whether a result differs from the outcome of the racks.
func differs(result game.Result, outcome engine.Outcome) bool {
	for i, l := range result.Lines {
		if l.Points != outcome.Points[i] || l.Wins != outcome.Wins[i] || l.Charge != outcome.Charges[i].Points {
			return true
		}
	}
	return false
}

// ended fills in what a player sees of a game once it is over.
func (s *views) ended(ctx context.Context, at request.SeatAt, game *templates.Game) error {
	if !at.Over() {
		return nil
	}
	if err := s.counted(ctx, at.Snap, game); err != nil {
		return err
	}
	if err := s.protested(ctx, at.Me, at.Snap, game); err != nil {
		return err
	}
	if err := s.standing(ctx, at, game); err != nil {
		return err
	}
	return s.openRacks(ctx, at.Me, at.Snap, game)
}

// standing adds the standings of the table's players, ordered by rank.
func (s *views) standing(ctx context.Context, at request.SeatAt, game *templates.Game) error {
	if at.Snap.Ref.Practice != "" {
		return nil
	}
	players := []int64{at.Me.Player}
	for _, p := range at.Snap.Ref.Players {
		if p != at.Me.Player {
			players = append(players, p)
		}
	}
	var err error
	game.Standing, game.Field, err = s.rowsFor(ctx, at.Snap.Ref.TournamentID, players, true)
	return err
}

// AgreeRequest confirms a count at revision rev of the result. The fields that tablets add to every action are accepted
// and ignored: agreeing twice has no further effect.
type AgreeRequest struct {
	Rev  int    `json:"rev"`
	Seat *int   `json:"seat,omitempty"`
	Turn int    `json:"turn,omitempty"`
	Key  string `json:"key,omitempty"`
}

// agreePost handles the key that confirms a count after a game.
func (s *tabletPages) agreePost(c *gin.Context) error {
	game, err := request.GameParam(c)
	if err != nil {
		return err
	}
	var r AgreeRequest
	if err := request.ReadJSON(c, &r); err != nil {
		return err
	}
	_, err = action.Do(c.Request.Context(), s.server.Request.Desk, request.SeatedAt(s.server.Request.Player(c), r.Seat),
		tournament.Agree{Game: game, Rev: r.Rev})
	if err != nil {
		return err
	}
	return request.WriteJSON(c, tabletAnswer{Done: true, Message: templates.OutcomeText(s.server.Request.Language(c),
		"agree", 0)})
}

// roomPost handles the forms of the waiting room, which confirm the count or call the referee. It redirects to the
// waiting room.
func (s *tabletPages) roomPost(c *gin.Context, me rights.Actor) error {
	game, err := page.FormNumber(c, "game")
	if err == nil {
		err = s.inRoom(c, me, int64(game))
	}
	if err != nil {
		return s.server.Page.Again(c, err, s.server.Page.At(templates.PlayPath))
	}
	return s.server.Page.SeeOther(c, templates.PlayPath, "outcome."+c.PostForm("do"))
}

func (s *tabletPages) inRoom(c *gin.Context, me rights.Actor, game int64) error {
	if c.PostForm("do") == "agree" {
		rev, err := page.FormNumber(c, "rev")
		if err != nil {
			return err
		}
		_, err = action.Do(c.Request.Context(), s.server.Request.Desk, me, tournament.Agree{Game: game, Rev: rev})
		return err
	}
	if c.PostForm("do") != "call" {
		return refuse.NotFound("err_page_not_found", "path", c.Request.URL.Path)
	}
	_, err := s.server.View.Games.Submit(c.Request.Context(), me, game, c.PostForm("key"),
		engine.CallReferee{Seat: me.Seat})
	return err
}

// watchedGame returns a game as a non-player sees it; viewer is engine.Spectator or engine.Referee.
func (s *views) watchedGame(ctx context.Context, game int64, viewer int) (templates.Game, *game.Snapshot, error) {
	snap, confirmed, err := s.View.LookAt(ctx, game)
	if err != nil {
		return templates.Game{}, nil, err
	}
	shown, err := s.shownGame(ctx, view.SeenGame{Snap: snap, Confirmed: confirmed}, viewer)
	return shown, snap, err
}

// shownGame returns the game as the viewer may see it.
func (s *views) shownGame(ctx context.Context, seen view.SeenGame, viewer int) (templates.Game, error) {
	ref := seen.Snap.Ref
	place, people, err := s.View.GamePlace(ctx, ref)
	if err != nil {
		return templates.Game{}, err
	}
	v, err := s.View.View(ctx, seen, viewer)
	return templates.Game{ID: ref.ID, Place: place, Seats: people, View: v, Counted: seen.Confirmed,
		Charged: view.ChargedBy(seen.Snap.State.Rules)}, err
}

// logShown is how many of the last log lines a page shows.
const logShown = 12

// gameLog describes the last events of a game before a given time, the newest first, in the reader's language and
// without hidden information.
func (s *views) gameLog(ctx context.Context, game templates.Game, before engine.Millis) ([]templates.LogLine, error) {
	lines, _, err := s.logLines(ctx, game, 0, before)
	return lines, err
}

// logLines is gameLog for the events after a sequence number. It also returns the number of the last event.
func (s *views) logLines(ctx context.Context, game templates.Game, after int,
	before engine.Millis) (lines []templates.LogLine, last int, err error) {
	const most = logShown + 4 // some events have no text
	last = after
	for upTo := math.MaxInt32; ; {
		events, err := export.EventsBetween(ctx, s.View.Store, game.ID, after, upTo, before, most)
		if err != nil {
			return nil, last, err
		}
		for _, e := range events {
			if len(lines) == logShown {
				return lines, last, nil
			}
			event, err := engine.Decode(e.Kind, e.Version, e.Data)
			if err != nil {
				return nil, last, err
			}
			if text := view.EventWords(ctx, game, event); text != "" {
				lines = append(lines, templates.LogLine{At: e.At, Text: text})
			}
			last, upTo = max(last, e.Seq), e.Seq
		}
		if len(events) < most {
			return lines, last, nil
		}
	}
}

// keptLog caches the lines of gameLog up to an event.
type keptLog struct {
	mu    sync.Mutex
	last  int
	lines []templates.LogLine
}

// publicLog is gameLog for all viewers of a tournament's game. It describes each event once per language.
func (s *views) publicLog(ctx context.Context, tournamentID int64, seen view.SeenGame,
	game templates.Game) ([]templates.LogLine, error) {
	as, alike := displayname.Alike(ctx, tournamentID)
	if !alike || seen.At != tournament.Always {
		return s.gameLog(ctx, game, seen.At)
	}
	key := fmt.Sprintf("log %d %d %s %s", game.ID, game.View.Seat, as, templates.LanguageOf(ctx).Tag)
	kept, err := view.KeptSeating(ctx, s.View, tournamentID, key,
		func(context.Context) (*keptLog, error) { return new(keptLog), nil })
	if err != nil {
		return nil, err
	}
	kept.mu.Lock()
	defer kept.mu.Unlock()
	if kept.last < seen.Snap.State.Seq {
		lines, last, err := s.logLines(ctx, game, kept.last, tournament.Always)
		if err != nil {
			return nil, err
		}
		lines = append(lines, kept.lines...)
		kept.last, kept.lines = last, lines[:min(len(lines), logShown)]
	}
	return kept.lines, nil
}
