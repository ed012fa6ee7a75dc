package public

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"meldhall/engine/solve"
	"meldhall/templates"
	"meldhall/templates/locale"
	"meldhall/templates/public"
	"meldhall/tournament/game/record"
	"meldhall/tournament/past"
	"meldhall/tournament/rights"
	"meldhall/web/view"
)

const (
	finestShown = 3
	finestLeast = 4    // tiles; fewer are not worth showing
	boundsMost  = 1000 // turns whose best play is cached
)

// bounds caches the best possible play of the turns shown on pages, because it takes a search and never changes.
type bounds struct {
	mu   sync.Mutex
	kept map[turnOf]public.Possible
}

type turnOf struct {
	game int64
	turn int
}

// finest returns the turns of a tournament in which the most tiles were laid, at most one per game, with the most tiles
// that were possible.
func (p *PastPages) finest(ctx context.Context, reader rights.Actor, tournamentID int64) ([]public.FineTurn, error) {
	s, err := p.seenBy(ctx, reader, tournamentID)
	if err != nil {
		return nil, err
	}
	courses, err := p.View.Records.Courses(ctx, tournamentID)
	if err != nil {
		return nil, err
	}
	type fine struct {
		past.Played
		turn record.CourseTurn
	}
	var all []fine
	s.Each(func(g past.Played) {
		if course, ok := courses[g.Game.ID]; ok && course.Last < s.sight.Results && course.Most.Laid >= finestLeast &&
			!g.Annulled() && s.replay(g) != "" {
			all = append(all, fine{g, course.Most})
		}
	})
	slices.SortStableFunc(all, func(a, b fine) int { return cmp.Compare(b.turn.Laid, a.turn.Laid) })
	turns := make([]public.FineTurn, min(finestShown, len(all)))
	for i, f := range all[:len(turns)] {
		seat := f.Table.Seats[min(f.turn.Seat, len(f.Table.Seats)-1)]
		name, standIn := s.Entry(seat, f.Round.Number, f.Game.Number)
		turns[i] = public.FineTurn{Who: public.PastName{ID: seat.PlayerID, Name: name, StandIn: standIn},
			Laid:  f.turn.Laid,
			Where: locale.T(ctx, "stat.where", "round", f.Round.Number, "table", f.Table.Number),
			At:    templates.ReplayTurnPath(tournamentID, f.Game.ID, f.turn.Number)}
		if turns[i].Possible, err = p.possible(ctx, reader, turnOf{f.Game.ID, f.turn.Number}); err != nil {
			return nil, err
		}
	}
	return turns, nil
}

func (p *PastPages) possible(ctx context.Context, reader rights.Actor, of turnOf) (public.Possible, error) {
	b := &p.bounds
	b.mu.Lock()
	defer b.mu.Unlock()
	if known, ok := b.kept[of]; ok {
		return known, nil
	}
	replay, err := p.View.Records.Replay(ctx, reader, of.game)
	if err != nil || of.turn > len(replay.Turns) {
		return public.Possible{}, err
	}
	best := replay.Turns[of.turn-1].Possible(solve.Question{Limit: view.ListWork})
	if b.kept == nil || len(b.kept) >= boundsMost {
		b.kept = map[turnOf]public.Possible{}
	}
	b.kept[of] = public.Possible{Tiles: best.Tiles, Proven: best.Proven}
	return b.kept[of], nil
}
