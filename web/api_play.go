package web

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"sync"

	"github.com/gin-gonic/gin"

	"meldhall/engine"
	"meldhall/tournament"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
)

// These operations are what every turn costs, so gin serves them without huma; they stand in the same
// document, made from the same types.

// TurnRequest is a command for one turn. The key makes it happen once, however often it is sent.
type TurnRequest struct {
	Turn int    `json:"turn" doc:"the turn that it is meant for, view.turn.number"`
	Key  string `json:"key" minLength:"8" maxLength:"64" doc:"made by the client, once for each command: letters, digits, - and _"`
}

// PlayRequest ends a turn with the whole table as it is to lie.
type PlayRequest struct {
	Turn  int                `json:"turn" doc:"the turn that it is meant for, view.turn.number"`
	Key   string             `json:"key" minLength:"8" maxLength:"64" doc:"made by the client, once for each command: letters, digits, - and _"`
	Table []engine.LaidFaces `json:"table" doc:"all sets of the table after the play"`
}

// DraftRequest is the working table of a running turn.
type DraftRequest struct {
	Turn  int                `json:"turn" doc:"the turn that it is meant for, view.turn.number"`
	Table []engine.LaidFaces `json:"table" doc:"all sets as they lie now, finished or not"`
	From  tournament.Sender  `json:"from,omitzero" doc:"lets an older draft that comes late be told from a newer one"`
}

// CallRequest calls the referee.
type CallRequest struct {
	Key  string `json:"key" minLength:"8" maxLength:"64" doc:"made by the client, once for each command: letters, digits, - and _"`
	Seat *int   `json:"seat,omitempty" minimum:"0" maximum:"3" doc:"of the one device of a physical table: who calls"`
}

// CommandAnswer is what became of a command.
type CommandAnswer struct {
	tournament.Answer
	SeqNow int `json:"seq_now" doc:"the seq that the game has by now"`
}

// VerdictView says whether a draft could be submitted.
type VerdictView struct {
	Legal  bool            `json:"legal"`
	Code   string          `json:"code,omitempty" doc:"why not"`
	Points int             `json:"points,omitempty" doc:"worth of the new sets, when it is to open"`
	Set    int             `json:"set" doc:"index of the first set at fault, -1: none"`
	Played engine.RackView `json:"played,omitempty" doc:"what would leave the rack"`
	Detail string          `json:"detail,omitempty"`
}

func (a *api) playOperations() {
	about := describe("The same key gets the same answer. 409 stale_turn and the like carry the newest view. " +
		"A command that arrives after the deadline and its grace is answered with the turn_expired that it became.")
	a.plain(forPlayer, "POST /games/{id}/play", "End the turn by laying tiles", PlayRequest{}, CommandAnswer{}, jsonKind,
		commanding(a.Server, playCommand, a.answered), about)
	a.plain(forPlayer, "POST /games/{id}/draw", "End the turn by drawing a tile", TurnRequest{}, CommandAnswer{}, jsonKind,
		commanding(a.Server, drawCommand, a.answered), about)
	a.plain(forPlayer, "POST /games/{id}/pass", "End the turn with nothing, the pool being empty", TurnRequest{}, CommandAnswer{}, jsonKind,
		commanding(a.Server, passCommand, a.answered), about)
	a.plain(forPlayer, "POST /games/{id}/ready", "Need no more time before the first turn", TurnRequest{}, CommandAnswer{}, jsonKind,
		commanding(a.Server, readyCommand, a.answered), about)
	a.plain(forPlayer, "POST /games/{id}/redeal", "Ask for a new start on three doubles", TurnRequest{}, CommandAnswer{}, jsonKind,
		commanding(a.Server, a.redealCommand, a.answered), about)
	a.plain(forPlayer, "POST /games/{id}/call", "Call the referee", CallRequest{}, CommandAnswer{}, jsonKind,
		commanding(a.Server, callCommand, a.answered), about)
	operation(a, forPlayer, "POST /games/{id}/agree", "Say that the count of an ended game is right", a.apiAgree,
		describe("The one device of a physical table names the seat whose player agrees. Kept with the revision of the result, once for each player however often it is sent. A corrected result asks again: "+
			"409 err_result_changed tells the newest revision. The referee confirms with or without it."))
	a.plain(forPlayer, "POST /games/{id}/draft", "Show the table what is being laid, and hear whether it could be submitted",
		DraftRequest{}, VerdictView{}, jsonKind, a.draft)
}

// The commands of a player, with the key that the client made.

func playCommand(me rights.Actor, r PlayRequest) (string, engine.Command) {
	return r.Key, engine.Play{Seat: me.Seat, Turn: r.Turn, Table: r.Table}
}

func drawCommand(me rights.Actor, r TurnRequest) (string, engine.Command) {
	return r.Key, engine.Draw{Seat: me.Seat, Turn: r.Turn}
}

func passCommand(me rights.Actor, r TurnRequest) (string, engine.Command) {
	return r.Key, engine.Pass{Seat: me.Seat, Turn: r.Turn}
}

func readyCommand(me rights.Actor, r TurnRequest) (string, engine.Command) {
	return r.Key, engine.Ready{Seat: me.Seat, Turn: r.Turn}
}

func (s *Server) redealCommand(me rights.Actor, r TurnRequest) (string, engine.Command) {
	return r.Key, engine.Redeal{Seat: me.Seat, Turn: r.Turn, Deal: s.games.Deal()}
}

func callCommand(me rights.Actor, r CallRequest) (string, engine.Command) {
	return r.Key, engine.CallReferee{Seat: seatedAt(me, r.Seat).Seat}
}

// commanding serves one kind of command: read, submit, answer, for programs or for the tablet.
func commanding[R any](s *Server, command func(me rights.Actor, r R) (key string, c engine.Command),
	answered func(*gin.Context, tournament.Answer) error) func(*gin.Context) error {
	return func(c *gin.Context) error {
		game, err := gameParam(c)
		if err != nil {
			return err
		}
		var r R
		if err := readJSON(c, &r); err != nil {
			return err
		}
		me := s.player(c)
		key, cmd := command(me, r)
		if key == "" {
			return refuse.Invalid("err_key_length", "least", 8, "most", 64)
		}
		answer, err := s.games.Submit(c.Request.Context(), me, game, key, cmd)
		if err != nil {
			return s.withView(c, me, answer.Snapshot, err)
		}
		return answered(c, answer)
	}
}

func (s *Server) answered(c *gin.Context, answer tournament.Answer) error {
	return writeJSON(c, newCommandAnswer(answer))
}

func newCommandAnswer(answer tournament.Answer) CommandAnswer {
	return CommandAnswer{answer, answer.Snapshot.State.Seq}
}

func (s *Server) draft(c *gin.Context) error {
	_, verdict, err := s.setDraft(c)
	if err != nil {
		return err
	}
	return writeJSON(c, VerdictView{verdict.Legal, verdict.Code, verdict.Points, verdict.Set, verdict.Played, verdict.Detail})
}

// setDraft reads a draft and shows it to the table.
func (s *Server) setDraft(c *gin.Context) (r DraftRequest, answer tournament.DraftAnswer, err error) {
	game, err := gameParam(c)
	if err != nil {
		return r, answer, err
	}
	if err = readJSON(c, &r); err != nil {
		return r, answer, err
	}
	me := s.player(c)
	if answer, err = s.games.SetDraft(c.Request.Context(), me, game, r.Turn, r.Table, r.From); err != nil {
		err = s.withView(c, me, answer.Snapshot, err)
	}
	return r, answer, err
}

// withView adds the newest view to a refusal that comes of a state which has moved on, so that the client
// need not ask for it.
func (s *Server) withView(c *gin.Context, me rights.Actor, snap *tournament.Snapshot, err error) error {
	var refusal *engine.Refusal
	if !errors.As(err, &refusal) || !refusalConflict[refusal.Code] {
		return err
	}
	view, e := s.games.Shown(c.Request.Context(), snap, viewerOf(me, snap.Ref))
	if e != nil {
		return err
	}
	view.Now = engine.MillisOf(s.store.Now())
	f := failureOf(s.language(c), c.GetString(requestKey), err)
	f.Args["view"] = &view
	return f
}

// viewerOf is the one place that decides whose eyes an actor has at a game: their own seat's, a
// referee's, or everybody's.
func viewerOf(actor rights.Actor, ref tournament.GameRef) int {
	at := rights.Place{Tournament: ref.TournamentID, Table: ref.TableID, Seat: actor.Seat}
	switch {
	case actor.Role == rights.RolePlayer && actor.Seat >= 0 && rights.Authorize(actor, at, rights.MaySeeSeat) == nil:
		return actor.Seat
	case rights.Authorize(actor, at, rights.MaySeeAllRacks) == nil:
		return engine.Referee
	}
	return engine.Spectator
}

func gameParam(c *gin.Context) (int64, error) { return pathID(c, "err_game_not_found") }

// pathID reads the id in the address; what is no number is not found.
func pathID(c *gin.Context, missing string) (int64, error) {
	id, err := strconv.ParseInt(c.Param("id"), 10, 64)
	if err != nil || id <= 0 {
		return 0, refuse.NotFound(missing, "id", c.Param("id"))
	}
	return id, nil
}

var bodies = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// readJSON reads one JSON object into v. A field that v does not have is refused, and named.
func readJSON(c *gin.Context, v any) error {
	buf := bodies.Get().(*bytes.Buffer)
	defer func() {
		if buf.Cap() <= 64<<10 {
			bodies.Put(buf)
		}
	}()
	buf.Reset()
	if _, err := buf.ReadFrom(c.Request.Body); err != nil {
		return unreadable(err)
	}
	dec := json.NewDecoder(buf)
	dec.DisallowUnknownFields()
	if err := dec.Decode(v); err != nil {
		return unreadable(err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return unreadable(errors.New("more than one JSON value"))
	}
	return nil
}

// jsonHeader is shared by all answers; it is never written to.
var jsonHeader = []string{"application/json; charset=utf-8"}

func writeJSON(c *gin.Context, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	h := c.Writer.Header()
	h["Content-Type"] = jsonHeader
	h["Content-Length"] = []string{strconv.Itoa(len(data))}
	c.Writer.WriteHeader(http.StatusOK)
	_, err = c.Writer.Write(data)
	return err
}

// AgreeBody names the revision that a player finds right.
type AgreeBody struct {
	Rev  int  `json:"rev" minimum:"1"`
	Seat *int `json:"seat,omitempty" minimum:"0" maximum:"3" doc:"of the one device of a physical table: whose player agrees"`
}

func (a *api) apiAgree(ctx context.Context, in *idWith[AgreeBody]) (*with[Done], error) {
	_, err := tournament.Do(ctx, a.desk, seatedAt(a.player(requestOf(ctx)), in.Body.Seat), tournament.Agree{Game: in.ID, Rev: in.Body.Rev})
	return done(err)
}

// seatedAt is the table's device acting for one of its seats; others act for their own.
func seatedAt(me rights.Actor, seat *int) rights.Actor {
	if me.Role == rights.RoleTable && seat != nil {
		me.Seat = *seat
	}
	return me
}
