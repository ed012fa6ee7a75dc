package web

import (
	"context"
	"math"

	"github.com/gin-gonic/gin"

	"meldhall/engine"
	"meldhall/templates"
	"meldhall/tournament"
	"meldhall/tournament/door"
	"meldhall/tournament/export"
	"meldhall/tournament/game"
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
	var lines []templates.LogLine
	for last := math.MaxInt32; ; { // some of what happens is not told
		events, err := export.EventsBefore(ctx, s.Store, game.ID, last, before, logShown+4)
		if err != nil {
			return nil, err
		}
		for _, e := range events {
			if len(lines) == logShown {
				return lines, nil
			}
			event, err := engine.Decode(e.Kind, e.Version, e.Data)
			if err != nil {
				return nil, err
			}
			if text := venue.EventWords(ctx, game, event); text != "" {
				lines = append(lines, templates.LogLine{At: e.At, Text: text})
			}
			last = e.Seq
		}
		if len(events) < logShown+4 {
			return lines, nil
		}
	}
}
