package web

import (
	"context"

	"meldhall/engine"
	"meldhall/engine/solve"
	"meldhall/engine/tile"
	"meldhall/tournament"
	"meldhall/tournament/rights"
)

// ReplayView is a game that is over, turn by turn, beside what was possible.
type ReplayView struct {
	Game     GameState                 `json:"game"`
	Names    []string                  `json:"names"`
	Turns    []ReplayTurnView          `json:"turns"`
	Openings []tournament.OpeningProof `json:"openings" doc:"why those who never opened are charged so, where the rules charge it"`
}

// ReplayTurnView is one turn of a game that is over.
type ReplayTurnView struct {
	Turn     int           `json:"turn" doc:"from 1, in the order of play"`
	Number   int           `json:"number" doc:"the turn's number in the log"`
	Seq      int           `json:"seq" doc:"the event that ended it"`
	Seat     int           `json:"seat"`
	Kind     string        `json:"kind" doc:"what ended it: tiles_played, tile_drawn, turn_passed, turn_expired, illegal_played"`
	Rack     tile.FaceList `json:"rack" doc:"before anything was laid or drawn"`
	Laid     tile.FaceList `json:"laid" doc:"the tiles that were laid"`
	Played   int           `json:"played" doc:"how many"`
	Drawn    int           `json:"drawn,omitempty"`
	Possible int           `json:"possible" doc:"the most tiles that could have been laid"`
	Proven   bool          `json:"proven" doc:"no play lays more; false: the search was stopped, and more may be possible"`
}

func (a *api) apiReplay(ctx context.Context, in *IDPath) (*with[ReplayView], error) {
	view, err := a.replay(ctx, a.staff(requestOf(ctx)), in.ID)
	return answer(view, err)
}

func (s *api) replay(ctx context.Context, actor rights.Actor, game int64) (ReplayView, error) {
	r, err := s.games.Replay(ctx, actor, game)
	if err != nil {
		return ReplayView{}, err
	}
	state, err := s.liveState(ctx, &tournament.Snapshot{Ref: r.Ref, State: r.End}, engine.Spectator, r.Confirmed)
	if err != nil {
		return ReplayView{}, err
	}
	view := ReplayView{Game: *state.Game, Names: state.Names, Turns: make([]ReplayTurnView, len(r.Turns)), Openings: r.Openings}
	if view.Openings == nil {
		view.Openings = []tournament.OpeningProof{}
	}
	for i, t := range r.Turns {
		best := t.Possible(solve.Question{Limit: listWork})
		view.Turns[i] = ReplayTurnView{Turn: t.Number, Number: t.Before.Turn.Number, Seq: t.After.Seq, Seat: t.Seat(), Kind: t.Event.Kind(),
			Rack: t.Rack(), Laid: tile.FaceList{}, Played: t.Played(), Drawn: t.Drawn(), Possible: best.Tiles, Proven: best.Proven}
		if e, ok := t.Event.(engine.TilesPlayed); ok {
			view.Turns[i].Laid = tile.FacesOf(e.Played)
		}
	}
	return view, nil
}
