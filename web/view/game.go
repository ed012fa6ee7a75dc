package view

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"meldhall/engine"
	"meldhall/templates/play"
	"meldhall/tournament/game"
	"meldhall/tournament/game/record"
	"meldhall/tournament/refuse"
	"meldhall/tournament/result"
	"meldhall/web/live"
)

// GameMessage returns a game's state for a viewer. Messages of running games share a cached common part. The message of
// an ended, sealed or delayed game is rendered for each viewer separately, because it depends on what the viewer may
// see.
func (s *Reader) GameMessage(ctx context.Context, seen SeenGame, viewer int) (live.Message, error) {
	snap, confirmed := seen.Snap, seen.Confirmed
	now := engine.MillisOf(s.Store.Now())
	held := false
	if viewer == engine.Spectator {
		var err error
		if held, err = s.Games.Seals.SealedGame(ctx, snap); err != nil {
			return live.Message{}, err
		}
	}
	if snap.State.Phase != engine.PhaseOver && !held && !seen.Late {
		return s.frames.message(ctx, snap, viewer, now)
	}
	state, err := s.LiveState(ctx, seen, viewer)
	if err != nil {
		return live.Message{}, err
	}
	id := StateID(snap)
	if seen.Late {
		id += "-late"
	}
	if seen.NoResult {
		id += "-over"
	}
	if state.View.Held {
		id += "-held"
	}
	if confirmed {
		id += "-confirmed"
	}
	if state.Count != nil {
		id += AgreedID(state.Count.Rev, state.Count.Agreed)
	}
	data, err := json.Marshal(state)
	return live.Message{ID: id, Data: data}, err
}

// LiveState returns a game as a viewer may see it, with the count once the game is over.
func (s *Reader) LiveState(ctx context.Context, seen SeenGame, viewer int) (LiveState, error) {
	snap := seen.Snap
	names, err := s.frames.names(ctx, snap, viewer)
	if err != nil {
		return LiveState{}, err
	}
	view, err := s.Sights.View(ctx, seen, viewer)
	if err != nil {
		return LiveState{}, err
	}
	state := LiveState{Game: NewGameState(snap), View: &view, Names: names, Draft: snap.Draft}
	if (view.Held || seen.NoResult) && viewer == engine.Spectator {
		state.Draft = nil
	}
	if seen.Confirmed {
		state.Game.Status = "confirmed"
	}
	if viewer != engine.Spectator && snap.State.Phase == engine.PhaseOver {
		count, err := result.GameCount(ctx, s.Store, snap.Ref.ID)
		if err != nil {
			return LiveState{}, err
		}
		state.Count = &count
	}
	return state, nil
}

// AgreedID encodes a count's revision and which seats have agreed to it, as part of the ID of an ended game's state.
func AgreedID(rev int, agreed []bool) string {
	text := fmt.Sprintf("-%d-", rev)
	for _, yes := range agreed {
		text += strings.ToUpper(fmt.Sprintf("%t", yes)[:1])
	}
	return text
}

// TurnOf returns a turn of a game by its number, 0 for the last one, and the number of turns that ended before at.
// Later turns are not found.
func (s *Reader) TurnOf(ctx context.Context, gameID int64, number int, at engine.Millis) (record.PublicTurn, int,
	error) {
	turns, err := s.Sights.TurnsSeen(ctx, gameID, at)
	if err != nil {
		return record.PublicTurn{}, 0, err
	}
	if number == 0 {
		number = len(turns)
	}
	if number < 1 || number > len(turns) {
		return record.PublicTurn{}, 0, refuse.NotFound("err_turn_not_found", "turn", number, "game", gameID)
	}
	return turns[number-1], len(turns), nil
}

// ListWork limits the search per turn when all turns of a game are requested at once, in visited states.
const ListWork = 20_000

// ShownGame returns the game as the viewer may see it.
func (s *Reader) ShownGame(ctx context.Context, seen SeenGame, viewer int) (play.Game, error) {
	ref := seen.Snap.Ref
	place, people, err := s.Tournaments.GamePlace(ctx, ref)
	if err != nil {
		return play.Game{}, err
	}
	v, err := s.Sights.View(ctx, seen, viewer)
	return play.Game{ID: ref.ID, Place: place, Seats: people, View: v, Counted: seen.Confirmed,
		Charged: ChargedBy(seen.Snap.State.Rules)}, err
}

// WatchedGame returns a game as a non-player sees it; viewer is engine.Spectator or engine.Referee.
func (s *Reader) WatchedGame(ctx context.Context, game int64, viewer int) (play.Game, *game.Snapshot, error) {
	snap, confirmed, err := s.Sights.LookAt(ctx, game)
	if err != nil {
		return play.Game{}, nil, err
	}
	shown, err := s.ShownGame(ctx, SeenGame{Snap: snap, Confirmed: confirmed}, viewer)
	return shown, snap, err
}
