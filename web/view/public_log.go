package view

import (
	"context"
	"fmt"
	"math"
	"sync"

	"meldhall/engine"
	"meldhall/templates/locale"
	"meldhall/templates/play"
	"meldhall/templates/public"
	"meldhall/tournament"
	"meldhall/tournament/displayname"
	"meldhall/tournament/export"
)

// logShown is how many of the last log lines a page shows.
const logShown = 12

// GameLog describes the last events of a game before a given time, the newest first, in the reader's language and
// without hidden information.
func (s *Reader) GameLog(ctx context.Context, game play.Game, before engine.Millis) ([]public.LogLine, error) {
	lines, _, err := s.logLines(ctx, game, 0, before)
	return lines, err
}

// logLines is like GameLog, but only for the events after a sequence number. It also returns the sequence number of the
// last event that it read, or after if there was none.
func (s *Reader) logLines(ctx context.Context, game play.Game, after int,
	before engine.Millis) (lines []public.LogLine, last int, err error) {
	const most = logShown + 4 // some events have no text
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
			if text := EventWords(ctx, game, event); text != "" {
				lines = append(lines, public.LogLine{At: e.At, Text: text})
			}
			last, upTo = max(last, e.Seq), e.Seq
		}
		if len(events) < most {
			return lines, last, nil
		}
	}
}

// keptLog caches the lines of PublicLog up to the event with sequence number last.
type keptLog struct {
	mu    sync.Mutex
	last  int
	lines []public.LogLine
}

// PublicLog is like GameLog for all viewers of a tournament's game. It describes each event once per language.
func (s *Reader) PublicLog(ctx context.Context, tournamentID int64, seen SeenGame,
	game play.Game) ([]public.LogLine, error) {
	as, alike := displayname.Alike(ctx, tournamentID)
	if !alike || seen.At != tournament.Always {
		return s.GameLog(ctx, game, seen.At)
	}
	key := fmt.Sprintf("log %d %d %s %s", game.ID, game.View.Seat, as, locale.LanguageOf(ctx).Tag)
	kept, err := keptSeating(ctx, s.Tournaments, tournamentID, key,
		func(context.Context) (*keptLog, error) { return new(keptLog), nil })
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
