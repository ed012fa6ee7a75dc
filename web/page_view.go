package web

import (
	"context"
	"slices"

	"meldhall/engine"
	"meldhall/templates"
	"meldhall/tournament"
)

// watchedGame is a game for one who does not play in it: viewer is engine.Spectator or engine.Referee.
func (s *views) watchedGame(ctx context.Context, game int64, viewer int) (templates.Game, *tournament.Snapshot, error) {
	snap, confirmed, err := s.lookAt(ctx, game)
	if err != nil {
		return templates.Game{}, nil, err
	}
	place, people, err := s.gamePlace(ctx, snap.Ref)
	if err != nil {
		return templates.Game{}, nil, err
	}
	view, err := s.games.Shown(ctx, snap, viewer)
	if err != nil {
		return templates.Game{}, nil, err
	}
	view.Now = engine.MillisOf(s.store.Now())
	return templates.Game{ID: game, Place: place, Seats: people, View: view, Counted: confirmed}, snap, nil
}

// logShown is how many of the last things that happened a page tells.
const logShown = 12

// gameLog tells what happened last in a game, the newest first, in the reader's language and without anything
// that is hidden.
func (s *views) gameLog(ctx context.Context, game templates.Game) ([]templates.LogLine, error) {
	exported, err := tournament.ExportGame(ctx, s.store, game.ID)
	if err != nil {
		return nil, err
	}
	var lines []templates.LogLine
	for _, e := range slices.Backward(exported.Events) {
		if len(lines) == logShown {
			break
		}
		event, err := engine.Decode(e.Kind, e.Version, e.Data)
		if err != nil {
			return nil, err
		}
		if text := eventWords(ctx, game, event); text != "" {
			lines = append(lines, templates.LogLine{At: e.At, Text: text})
		}
	}
	return lines, nil
}
