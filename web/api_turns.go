package web

import (
	"context"

	"meldhall/engine"
	"meldhall/engine/tile"
	"meldhall/tournament"
)

// TurnPath names a turn of a game.
type TurnPath struct {
	ID   int64 `path:"id"`
	Turn int   `path:"turn" minimum:"0" doc:"from 1, in the order of play; 0: the last one that has ended"`
}

// PublicTurnView is one turn that has ended, as everybody at the table saw it.
type PublicTurnView struct {
	Game   int64                     `json:"game_id"`
	Turn   int                       `json:"turn" doc:"from 1, in the order of play"`
	Of     int                       `json:"of" doc:"turns of this game that have ended"`
	Number int                       `json:"number" doc:"the turn's number in the log"`
	Seq    int                       `json:"seq" doc:"the event that ended it"`
	At     engine.Millis             `json:"at"`
	Seat   int                       `json:"seat"`
	Kind   string                    `json:"kind" doc:"what ended it: tiles_played, tile_drawn, turn_passed, turn_expired, illegal_played"`
	Laid   tile.FaceList             `json:"laid" doc:"the tiles that were laid"`
	Points int                       `json:"points,omitempty" doc:"of an opening"`
	Drawn  int                       `json:"drawn,omitempty" doc:"how many tiles were drawn; which ones nobody is told"`
	Ruled  []tournament.PublicRuling `json:"ruled" doc:"what a referee ruled since the turn before"`
	Before engine.TableView          `json:"before" doc:"the table when the turn began"`
	After  engine.TableView          `json:"after" doc:"the table when it had ended, the laid tiles marked as new"`
}

func (a *api) apiTurn(ctx context.Context, in *TurnPath) (*with[PublicTurnView], error) {
	if err := a.games.AuthorizeTurns(ctx, a.player(requestOf(ctx)), in.ID); err != nil {
		if a.games.AuthorizeTurns(ctx, a.staff(requestOf(ctx)), in.ID) != nil {
			return nil, err
		}
	}
	view, err := a.publicTurn(ctx, in.ID, in.Turn)
	return answer(view, err)
}

func (s *api) publicTurn(ctx context.Context, game int64, number int) (PublicTurnView, error) {
	t, of, err := s.turnOf(ctx, game, number)
	if err != nil {
		return PublicTurnView{}, err
	}
	view := PublicTurnView{Game: game, Turn: t.Number, Of: of, Number: t.Turn, Seq: t.Seq, At: t.At, Seat: t.Seat, Kind: t.Kind,
		Laid: faceList(t.Played), Points: t.Points, Drawn: t.Drawn, Ruled: t.Ruled}
	if view.Ruled == nil {
		view.Ruled = []tournament.PublicRuling{}
	}
	view.Before, view.After = t.Views()
	return view, nil
}

func faceList(tiles tile.List) tile.FaceList {
	if len(tiles) == 0 {
		return tile.FaceList{}
	}
	return tile.FacesOf(tiles)
}
