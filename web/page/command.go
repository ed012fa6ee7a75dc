package page

import (
	"github.com/gin-gonic/gin"

	"meldhall/engine"
	"meldhall/templates/locale"
	"meldhall/templates/play"
	"meldhall/templates/referee"
	"meldhall/tournament/game"
	"meldhall/web/request"
)

// TabletAnswer is the outcome of a tablet's command, in the reader's language. Done is false if the turn ended against
// the player's intent: the play was too late, or illegal and penalized.
type TabletAnswer struct {
	request.CommandAnswer
	Done    bool   `json:"done"`
	Message string `json:"message"`
}

// SayOutcome returns a handler that sends the outcome of a tablet's action. action is the action's name in the keys of
// the texts.
func (s *Base) SayOutcome(action string) func(*gin.Context, game.Answer) error {
	return func(c *gin.Context, answer game.Answer) error {
		ctx, state, seat := s.Request.Language(c), &answer.Snapshot.State,
			answer.Snapshot.Ref.SeatOf(s.Request.Player(c))
		last := state.Actions.Last()
		reply := TabletAnswer{CommandAnswer: request.NewCommandAnswer(answer), Done: true}
		switch answer.Outcome {
		case engine.TurnExpired{}.Kind(), engine.IllegalPlayed{}.Kind():
			reply.Done = false
			reply.Message = play.LostTurnText(ctx, answer.Outcome, seat, engine.MeanwhileOf(*state, seat).Did)
		case engine.TilesPlayed{}.Kind():
			if last.Kind == answer.Outcome && last.Seat == seat {
				reply.Message = play.OutcomeText(ctx, action, len(last.Played))
			}
		default:
			reply.Message = play.OutcomeText(ctx, action, 0)
		}
		return request.WriteJSON(c, reply)
	}
}

// sheetReply is the outcome of a partly or fully completed score sheet, formatted in the reader's language.
type sheetReply struct {
	Seats   []sheetSeat `json:"seats"`
	Points  string      `json:"points"`
	Message string      `json:"message"`
	Ready   bool        `json:"ready"`
	Wrong   *int        `json:"wrong,omitempty"` // the seat to which the message applies
}

type sheetSeat struct {
	Charge int    `json:"charge"`
	HTML   string `json:"html"`
}

// PreviewSheet previews a score sheet while it is being filled in.
func (s *Base) PreviewSheet(c *gin.Context) error {
	preview, err := s.Request.Commands.Preview(c)
	if err != nil {
		return err
	}
	ctx := s.Request.Language(c)
	game, err := request.GameParam(c)
	if err != nil {
		return err
	}
	shown, _, err := s.view.WatchedGame(ctx, game, engine.Spectator)
	if err != nil {
		return err
	}
	reply := sheetReply{Seats: []sheetSeat{}, Ready: preview.Refusal == nil}
	for _, seat := range preview.Seats {
		html, err := Render(ctx, referee.SheetVerdict(seat.Tiles, seat.Sum, seat.Charge, sheetProof(seat)))
		if err != nil {
			return err
		}
		reply.Seats = append(reply.Seats, sheetSeat{seat.Charge.Points, string(html)})
	}
	if preview.Refusal != nil {
		reply.Message = request.FailureOf(ctx, "", preview.Refusal).Message
		if seat := preview.Refusal.Set; seat >= 0 {
			reply.Message, reply.Wrong = shown.NameOf(seat)+": "+reply.Message, &seat
		}
		return request.WriteJSON(c, reply)
	}
	points, err := Render(ctx, referee.SheetPoints(shown, preview.Points))
	reply.Points, reply.Message = string(points), locale.T(ctx, "sheet.ready")
	if err != nil {
		return err
	}
	return request.WriteJSON(c, reply)
}

func sheetProof(seat game.SheetSeat) *play.OpeningProof {
	p := seat.Opening
	if p == nil {
		return nil
	}
	return &play.OpeningProof{Seat: p.Seat, Able: p.Able, Rack: p.Rack, Sets: p.Sets, Points: p.Points,
		Need: p.Need, Relief: p.Relief}
}
