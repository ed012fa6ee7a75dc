package tablet

import (
	"context"
	"strconv"

	"github.com/gin-gonic/gin"

	"meldhall/engine"
	"meldhall/templates"
	"meldhall/templates/play"
	"meldhall/tournament/action"
	"meldhall/tournament/refuse"
	"meldhall/tournament/result"
	"meldhall/tournament/rights"
	"meldhall/web/live"
	"meldhall/web/page"
	"meldhall/web/request"
)

// ended adds what a player sees once a game is over: the count, protests, standings and racks. Before that it adds
// nothing.
func (s *views) ended(ctx context.Context, at request.SeatAt, game *play.Game) error {
	if !at.Over() {
		return nil
	}
	if err := s.View.Counted(ctx, at.Snap, game); err != nil {
		return err
	}
	if err := s.View.Protested(ctx, at.Me, at.Snap, game); err != nil {
		return err
	}
	if err := s.standing(ctx, at, game); err != nil {
		return err
	}
	return s.View.OpenRacks(ctx, at.Me, at.Snap, game)
}

// standing adds the standings of the table's players, ordered by rank. Practice tables have none.
func (s *views) standing(ctx context.Context, at request.SeatAt, game *play.Game) error {
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

// AgreeRequest confirms a count at revision rev of the result. Seat names the player at a table's shared tablet. Turn
// and Key, which tablets add to every action, are ignored: agreeing twice has no further effect.
type AgreeRequest struct {
	Rev  int    `json:"rev"`
	Seat *int   `json:"seat,omitempty"`
	Turn int    `json:"turn,omitempty"`
	Key  string `json:"key,omitempty"`
}

// agreePost handles the button that confirms a count after a game.
func (s *Pages) agreePost(c *gin.Context) error {
	game, err := request.GameParam(c)
	if err != nil {
		return err
	}
	var r AgreeRequest
	if err := request.ReadJSON(c, &r); err != nil {
		return err
	}
	_, err = action.Do(c.Request.Context(), s.Page.Request.Desk, request.SeatedAt(s.Page.Request.Player(c), r.Seat),
		result.Agree{Game: game, Rev: r.Rev})
	if err != nil {
		return err
	}
	return request.WriteJSON(c, page.TabletAnswer{Done: true, Message: play.OutcomeText(s.Page.Request.Language(c),
		"agree", 0)})
}

// roomPost handles the forms of the waiting room, which confirm the count, call the referee or take the call back. It
// redirects to the waiting room.
func (s *Pages) roomPost(c *gin.Context, me rights.Actor) error {
	game, err := page.FormNumber(c, "game")
	if err == nil {
		err = s.inRoom(c, me, int64(game))
	}
	if err != nil {
		return s.Page.Again(c, err, s.Page.At(templates.PlayPath))
	}
	return s.Page.SeeOther(c, templates.PlayPath, "outcome."+c.PostForm("do"))
}

func (s *Pages) inRoom(c *gin.Context, me rights.Actor, game int64) error {
	if c.PostForm("do") == "agree" {
		rev, err := page.FormNumber(c, "rev")
		if err != nil {
			return err
		}
		_, err = action.Do(c.Request.Context(), s.Page.Request.Desk, me, result.Agree{Game: game, Rev: rev})
		return err
	}
	commands := map[string]engine.Command{"call": engine.CallReferee{Seat: me.Seat},
		"withdraw_call": engine.WithdrawCall{Seat: me.Seat}}
	command, ok := commands[c.PostForm("do")]
	if !ok {
		return refuse.NotFound("err_page_not_found", "path", c.Request.URL.Path)
	}
	_, err := s.View.Games.Submit(c.Request.Context(), me, game, c.PostForm("key"), command)
	return err
}

// nextLive sends "go" once the player's game is running, and "wait" before that.
func (s *Pages) nextLive(c *gin.Context) error {
	me, err := s.Page.Request.Seats.Holder(c)
	if err != nil {
		return err
	}
	feed := s.Page.Request.Seats.Feed(c, me, func(at request.SeatAt) (live.Message, error) {
		if at.Running() {
			return live.Message{ID: "go", Event: "go", Data: []byte("{}")}, nil
		}
		return live.Message{ID: "wait", Event: "wait", Data: []byte("{}")}, nil
	})
	feed.Least, feed.Ping = waitingLeast, page.PagePing
	return s.Page.StreamPage(c, feed)
}

// protestPost stores a player's protest and redirects to the tablet's page.
func (s *Pages) protestPost(c *gin.Context) error {
	game, err := request.GameParam(c)
	if err != nil {
		return err
	}
	_, err = action.Do(c.Request.Context(), s.Page.Request.Desk, s.Page.Request.Player(c),
		result.MakeProtest{Game: game, Text: c.PostForm("text")})
	if err != nil {
		return err
	}
	return s.Page.SeeOther(c, templates.GamePath, "protest.sent")
}

// protestsID identifies the protests, for the id of an ended game's view.
func protestsID(game play.Game) string {
	text := "-"
	for _, p := range game.Protests {
		text += strconv.FormatInt(p.ID, 10) + p.Outcome
	}
	return text + strconv.FormatBool(game.MayProtest)
}
