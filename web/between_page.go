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
	"meldhall/tournament/door"
	"meldhall/tournament/export"
	"meldhall/tournament/game"
	"meldhall/tournament/naming"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/web/frame"
	"meldhall/web/shell"
	"meldhall/web/venue"
)

// What a player sees and says of a game that has ended: the count and who finds it right, how the table stands, and the
// referee called from wherever the player is.

// counted adds to an ended game where its count stands, and the result that counts where an official has ruled
// another one than the log gives.
func (s *views) counted(ctx context.Context, snap *game.Snapshot, game *templates.Game) error {
	if snap.State.Phase != engine.PhaseOver || snap.Ref.Practice != "" {
		return nil
	}
	count, err := tournament.GameCount(ctx, s.Store, snap.Ref.ID)
	if err != nil {
		return err
	}
	game.Rev, game.Agreed, game.Counted = count.Rev, count.Agreed, count.Confirmed
	if count.Rev == 1 {
		return nil
	}
	latest, err := tournament.LatestResult(ctx, s.Store, snap.Ref.ID)
	if err == nil && differs(latest, snap.State.End.Outcome) {
		result := newResult(latest, namesOf(game.Seats), game.Charged)
		game.Corrected, game.CorrectedWhy = &result, latest.Why
	}
	return err
}

// differs tells whether a result is another one than the racks give.
func differs(result game.Result, outcome engine.Outcome) bool {
	for i, l := range result.Lines {
		if l.Points != outcome.Points[i] || l.Wins != outcome.Wins[i] || l.Charge != outcome.Charges[i].Points {
			return true
		}
	}
	return false
}

// ended fills in what is shown of a player's game once it is over.
func (s *views) ended(ctx context.Context, at shell.SeatAt, game *templates.Game) error {
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

// standing adds how the players of the table stand, in the order of their ranks.
func (s *views) standing(ctx context.Context, at shell.SeatAt, game *templates.Game) error {
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

// AgreeRequest says that the count is right, as revision rev of the result has it. What the tablet adds to every
// action is read and not needed: agreeing twice is agreeing once.
type AgreeRequest struct {
	Rev  int    `json:"rev"`
	Seat *int   `json:"seat,omitempty"`
	Turn int    `json:"turn,omitempty"`
	Key  string `json:"key,omitempty"`
}

// agreePost is the tablet's key after a game.
func (s *tabletPages) agreePost(c *gin.Context) error {
	game, err := shell.GameParam(c)
	if err != nil {
		return err
	}
	var r AgreeRequest
	if err := shell.ReadJSON(c, &r); err != nil {
		return err
	}
	_, err = door.Do(c.Request.Context(), s.Desk, shell.SeatedAt(s.Player(c), r.Seat), tournament.Agree{Game: game, Rev: r.Rev})
	if err != nil {
		return err
	}
	return shell.WriteJSON(c, tabletAnswer{Done: true, Message: templates.OutcomeText(s.Language(c), "agree", 0)})
}

// roomPost is a form of the waiting room: the count is right, or the referee is called. It leads back there.
func (s *tabletPages) roomPost(c *gin.Context, me rights.Actor) error {
	game, err := frame.FormNumber(c, "game")
	if err == nil {
		err = s.inRoom(c, me, int64(game))
	}
	if err != nil {
		return s.Again(c, err, s.At(templates.PlayPath))
	}
	return s.SeeOther(c, templates.PlayPath, "outcome."+c.PostForm("do"))
}

func (s *tabletPages) inRoom(c *gin.Context, me rights.Actor, game int64) error {
	if c.PostForm("do") == "agree" {
		rev, err := frame.FormNumber(c, "rev")
		if err != nil {
			return err
		}
		_, err = door.Do(c.Request.Context(), s.Desk, me, tournament.Agree{Game: game, Rev: rev})
		return err
	}
	if c.PostForm("do") != "call" {
		return refuse.NotFound("err_page_not_found", "path", c.Request.URL.Path)
	}
	_, err := s.Games.Submit(c.Request.Context(), me, game, c.PostForm("key"), engine.CallReferee{Seat: me.Seat})
	return err
}

// watchedGame is a game for one who does not play in it: viewer is engine.Spectator or engine.Referee.
func (s *views) watchedGame(ctx context.Context, game int64, viewer int) (templates.Game, *game.Snapshot, error) {
	snap, confirmed, err := s.LookAt(ctx, game)
	if err != nil {
		return templates.Game{}, nil, err
	}
	shown, err := s.shownGame(ctx, venue.SeenGame{Snap: snap, Confirmed: confirmed}, viewer)
	return shown, snap, err
}

// shownGame is a game as far as it is seen.
func (s *views) shownGame(ctx context.Context, seen venue.SeenGame, viewer int) (templates.Game, error) {
	ref := seen.Snap.Ref
	place, people, err := s.GamePlace(ctx, ref)
	if err != nil {
		return templates.Game{}, err
	}
	view, err := s.View(ctx, seen, viewer)
	return templates.Game{ID: ref.ID, Place: place, Seats: people, View: view, Counted: seen.Confirmed, Charged: venue.ChargedBy(seen.Snap.State.Rules)}, err
}

// logShown is how many of the last things that happened a page tells.
const logShown = 12

// gameLog tells what happened last in a game, the newest first, in the reader's language and without anything
// that is hidden, of what came before a moment.
func (s *views) gameLog(ctx context.Context, game templates.Game, before engine.Millis) ([]templates.LogLine, error) {
	lines, _, err := s.logLines(ctx, game, 0, before)
	return lines, err
}

// logLines is gameLog of the events after one; it gives the number of the last.
func (s *views) logLines(ctx context.Context, game templates.Game, after int, before engine.Millis) (lines []templates.LogLine, last int, err error) {
	const most = logShown + 4 // some of what happens is not told
	last = after
	for upTo := math.MaxInt32; ; {
		events, err := export.EventsBetween(ctx, s.Store, game.ID, after, upTo, before, most)
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
			if text := venue.EventWords(ctx, game, event); text != "" {
				lines = append(lines, templates.LogLine{At: e.At, Text: text})
			}
			last, upTo = max(last, e.Seq), e.Seq
		}
		if len(events) < most {
			return lines, last, nil
		}
	}
}

// keptLog is what gameLog has told of a game's events up to one.
type keptLog struct {
	mu    sync.Mutex
	last  int
	lines []templates.LogLine
}

// publicLog is gameLog for all who look at a game of an event: of each event it is told once in a language.
func (s *views) publicLog(ctx context.Context, event int64, seen venue.SeenGame, game templates.Game) ([]templates.LogLine, error) {
	as, alike := naming.Alike(ctx, event)
	if !alike || seen.At != tournament.Always {
		return s.gameLog(ctx, game, seen.At)
	}
	key := fmt.Sprintf("log %d %d %s %s", game.ID, game.View.Seat, as, templates.LanguageOf(ctx).Tag)
	kept, err := venue.KeptSeating(ctx, s.Venue, event, key, func(context.Context) (*keptLog, error) { return new(keptLog), nil })
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
