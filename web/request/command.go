package request

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"meldhall/engine"
	"meldhall/engine/steps"
	"meldhall/engine/tile"
	"meldhall/templates/tablet"
	"meldhall/tournament/game"
	"meldhall/tournament/game/shares"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/store"
	"meldhall/web/guard"
)

// CommandAnswer is the result of a command.
type CommandAnswer struct {
	game.Answer
	SeqNow int `json:"seq_now" doc:"the game's current seq"`
}

// TurnRequest is a command for one turn. The key makes repeated requests take effect only once.
type TurnRequest struct {
	Turn int    `json:"turn" doc:"the turn it is meant for, view.turn.number"`
	Key  string `json:"key" minLength:"8" maxLength:"64" doc:"a unique key chosen by the client for each command: letters, digits, - and _"`
}

// PlayRequest ends a turn with the whole new table.
type PlayRequest struct {
	TurnRequest
	Table []tile.LaidFaces `json:"table" doc:"all sets on the table after the play"`
}

// CallRequest calls the referee, or takes the call back.
type CallRequest struct {
	Key  string `json:"key" minLength:"8" maxLength:"64" doc:"a unique key chosen by the client for each command: letters, digits, - and _"`
	Seat *int   `json:"seat,omitempty" minimum:"0" maximum:"3" doc:"on a table's shared device: the seat that calls"`
}

// EndTurnRequest ends a turn of a physical game.
type EndTurnRequest struct {
	TurnRequest
	Seat   *int `json:"seat,omitempty" minimum:"0" maximum:"3" doc:"the seat whose turn it is; left out by a player's own tablet"`
	Opened bool `json:"opened,omitempty" doc:"the initial meld was laid in this turn"`
	Passed bool `json:"passed,omitempty" doc:"no tile was laid or drawn because the pool is empty"`
	Out    bool `json:"out,omitempty" doc:"the rack is empty; the racks are counted next"`
}

// HandRequest names a seat of a physical game: the starter, or the player who drew the pool's last tile.
type HandRequest struct {
	Key  string `json:"key" minLength:"8" maxLength:"64" doc:"a unique key chosen by the client for each command: letters, digits, - and _"`
	Seat int    `json:"seat" minimum:"0" maximum:"3"`
}

// CountRequest hands in the score sheet of a physical game.
type CountRequest struct {
	Key string `json:"key,omitempty" maxLength:"64" doc:"a unique key chosen by the client for each command; not needed for a preview"`
	engine.CountRacks
}

// Commands executes the commands of players for their tablets and for programs.
type Commands struct {
	store    *store.DB
	games    *game.Games
	language func(*gin.Context) context.Context // the context with the reader's language
}

// Handler returns the handler of a player's command, named by the last part of its address. The handler reads and
// submits the command, and responds with answered, which differs for programs and the tablet. Handler panics for an
// unknown name.
func (s *Commands) Handler(name string, answered func(*gin.Context, game.Answer) error) func(*gin.Context) error {
	switch name {
	case "play":
		return commanding(s, answered, func(me rights.Actor, r PlayRequest) (string, engine.Command) {
			return r.Key, engine.Play{Seat: me.Seat, Turn: r.Turn, Table: r.Table}
		})
	case "draw":
		return commanding(s, answered, func(me rights.Actor, r TurnRequest) (string, engine.Command) {
			return r.Key, engine.Draw{Seat: me.Seat, Turn: r.Turn}
		})
	case "pass":
		return commanding(s, answered, func(me rights.Actor, r TurnRequest) (string, engine.Command) {
			return r.Key, engine.Pass{Seat: me.Seat, Turn: r.Turn}
		})
	case "press":
		return commanding(s, answered, func(me rights.Actor, r TurnRequest) (string, engine.Command) {
			return r.Key, engine.PressKey{Seat: me.Seat, Turn: r.Turn}
		})
	case "ready":
		return commanding(s, answered, func(me rights.Actor, r TurnRequest) (string, engine.Command) {
			return r.Key, engine.Ready{Seat: me.Seat, Turn: r.Turn}
		})
	case "redeal":
		return commanding(s, answered, func(me rights.Actor, r TurnRequest) (string, engine.Command) {
			return r.Key, engine.Redeal{Seat: me.Seat, Turn: r.Turn}
		})
	case "call":
		return commanding(s, answered, func(me rights.Actor, r CallRequest) (string, engine.Command) {
			return r.Key, engine.CallReferee{Seat: SeatedAt(me, r.Seat).Seat}
		})
	case "withdraw-call":
		return commanding(s, answered, func(me rights.Actor, r CallRequest) (string, engine.Command) {
			return r.Key, engine.WithdrawCall{Seat: SeatedAt(me, r.Seat).Seat}
		})
	case "starter":
		return commanding(s, answered, func(_ rights.Actor, r HandRequest) (string, engine.Command) {
			return r.Key, engine.ChooseStarter{Seat: r.Seat}
		})
	case "end-turn":
		return commanding(s, answered, func(me rights.Actor, r EndTurnRequest) (string, engine.Command) {
			if r.Seat != nil {
				me.Seat = *r.Seat
			}
			return r.Key, engine.EndTurn{Seat: me.Seat, Turn: r.Turn, Opened: r.Opened, Passed: r.Passed, Out: r.Out}
		})
	case "pool-empty":
		return commanding(s, answered, func(_ rights.Actor, r HandRequest) (string, engine.Command) {
			return r.Key, engine.PoolEmptied{Seat: r.Seat}
		})
	case "count-racks":
		return commanding(s, answered, func(_ rights.Actor, r CountRequest) (string, engine.Command) {
			return r.Key, r.CountRacks
		})
	}
	panic("unknown command " + name)
}

// commanding returns the handler of one kind of command. It reads and submits the command and responds with answered.
func commanding[R any](s *Commands, answered func(*gin.Context, game.Answer) error,
	command func(me rights.Actor, r R) (key string, c engine.Command)) func(*gin.Context) error {
	return func(c *gin.Context) error {
		game, err := GameParam(c)
		if err != nil {
			return err
		}
		r := new(R)
		if err := ReadJSON(c, r); err != nil {
			return err
		}
		return submit(s, c, game, r, command, answered)
	}
}

// submit submits a request's command to a game. A refusal due to a changed state includes the newest view.
func submit[R any](s *Commands, c *gin.Context, id int64, r *R,
	command func(me rights.Actor, r R) (key string, c engine.Command),
	answered func(*gin.Context, game.Answer) error) error {
	me := CallersIn(c).player()
	key, cmd := command(me, *r)
	if key == "" {
		return refuse.Invalid("err_key_length", "least", 8, "most", 64)
	}
	answer, err := s.games.SubmitSigned(c.Request.Context(), me, id, key, signature(c), cmd)
	if err != nil {
		return s.withView(c, me, answer.Snapshot, err)
	}
	return answered(c, answer)
}

// SignatureHeader is the request header with a device's signature of a command: the seq of the last event that the
// device has seen, a space, and the signature. See data/record/signature.md.
const SignatureHeader = "X-Signature"

func signature(c *gin.Context) (s game.Signature) {
	seen, text, _ := strings.Cut(c.GetHeader(SignatureHeader), " ")
	if n, err := strconv.Atoi(seen); err == nil {
		s = game.Signature{Seen: n, Text: text}
	}
	return s
}

// NewCommandAnswer returns a response for programs, with the game's current seq. It leaves out the snapshot, so that
// WriteJSON does not search the whole game for null lists.
func NewCommandAnswer(answer game.Answer) CommandAnswer {
	now := answer.Snapshot.State.Seq
	answer.Snapshot = nil
	return CommandAnswer{answer, now}
}

// withView adds the newest view to a refusal due to a changed state, so that the client need not request it.
func (s *Commands) withView(c *gin.Context, me rights.Actor, snap *game.Snapshot, err error) error {
	var refusal *engine.Refusal
	if !errors.As(err, &refusal) || !refusalConflict[refusal.Code] {
		return err
	}
	view, e := s.games.Seals.Shown(c.Request.Context(), snap, ViewerOf(me, snap.Ref))
	if e != nil {
		return err
	}
	view.Now = engine.MillisOf(s.store.Now())
	f := FailureOf(s.language(c), guard.RequestID(c.Writer), err)
	f.Args["view"] = &view
	return f
}

// ViewerOf is the only place that decides which view of a game an actor gets: their own seat's, a referee's or a
// spectator's.
func ViewerOf(actor rights.Actor, ref game.Ref) int {
	at := rights.Place{Tournament: ref.TournamentID, Table: ref.TableID, Seat: actor.Seat}
	switch {
	case actor.Role == rights.RolePlayer && actor.Seat >= 0 && rights.Authorize(actor, at, rights.MaySeeSeat) == nil:
		return actor.Seat
	case rights.Authorize(actor, at, rights.MaySeeAllRacks) == nil:
		return engine.Referee
	}
	return engine.Spectator
}

// SeatedAt returns the actor for a seat of a table's shared device. Other actors keep their own seat.
func SeatedAt(me rights.Actor, seat *int) rights.Actor {
	if me.Role == rights.RoleTable && seat != nil {
		me.Seat = *seat
	}
	return me
}

// DraftRequest is a draft of the current turn.
type DraftRequest struct {
	Turn  int              `json:"turn" doc:"the turn it is meant for, view.turn.number"`
	Table []tile.LaidFaces `json:"table" doc:"all sets as they lie now, finished or unfinished"`
	From  game.Sender      `json:"from,omitzero" doc:"lets the server discard drafts that arrive out of order"`
}

// SetDraft reads a draft and shows it to the table.
func (s *Commands) SetDraft(c *gin.Context) (r DraftRequest, answer game.DraftAnswer, err error) {
	game, err := GameParam(c)
	if err != nil {
		return r, answer, err
	}
	if err = ReadJSON(c, &r); err != nil {
		return r, answer, err
	}
	me := CallersIn(c).player()
	if answer, err = s.games.SetDraft(c.Request.Context(), me, game, r.Turn, r.Table, r.From); err != nil {
		err = s.withView(c, me, answer.Snapshot, err)
	}
	return r, answer, err
}

// Share takes what a player's device sends for the shuffle of its game, and responds with what the device is asked for
// next.
func (s *Commands) Share(c *gin.Context) error {
	game, err := GameParam(c)
	if err != nil {
		return err
	}
	var sent shares.Sent
	if err := ReadJSON(c, &sent); err != nil {
		return err
	}
	me := CallersIn(c).player()
	at, err := s.games.SharingAt(c.Request.Context(), me, game)
	if err != nil {
		return err
	}
	ask, err := s.games.Shares.Send(c.Request.Context(), at, me.Seat, sent)
	if err != nil {
		return err
	}
	return WriteJSON(c, ask)
}

// Preview reads a score sheet and returns its result. It changes nothing.
func (s *Commands) Preview(c *gin.Context) (game.SheetPreview, error) {
	gameID, err := GameParam(c)
	if err != nil {
		return game.SheetPreview{}, err
	}
	var r CountRequest
	if err := ReadJSON(c, &r); err != nil {
		return game.SheetPreview{}, err
	}
	return s.games.PreviewCount(c.Request.Context(), CallersIn(c).player(), gameID, r.CountRacks)
}

// Hint returns a play for the requesting player, with the steps to it.
func (s *Commands) Hint(c *gin.Context) (tablet.Hint, error) {
	game, err := GameParam(c)
	if err != nil {
		return tablet.Hint{}, err
	}
	h, err := s.games.Hint(c.Request.Context(), CallersIn(c).player(), game)
	if err != nil {
		return tablet.Hint{}, err
	}
	return newHint(h), nil
}

func newHint(h game.Hint) tablet.Hint {
	hint := tablet.Hint{Turn: h.Turn, Tiles: h.Tiles, Opens: h.Opens, Points: h.Points, Proven: h.Proven,
		Pool: h.Pool, Played: h.Played}
	if h.Tiles > 0 {
		after := h.After.Faces()
		hint.Steps = steps.Steps(h.Before.Faces(), after)
		for i, laid := range h.After {
			hint.Table = append(hint.Table, tile.LaidFaces{At: laid.At, Faces: after[i]})
		}
	}
	return hint
}
