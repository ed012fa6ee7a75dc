package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"

	"meldhall/cmd/internal/officials"
	"meldhall/engine"
	"meldhall/tournament/export"
	"meldhall/tournament/game"
	"meldhall/tournament/rights"
)

// rulingsFor is how many turns and rulings a simulated game takes until the officials leave it to its end, so that
// no game is rewound for ever.
const rulingsFor = 120

// ruledEvent is what officials did in a simulated event, and how many of its games' logs hold.
type ruledEvent struct {
	sync.Mutex
	games, events, refused int
	kinds                  map[string]int // events of rulings, by kind
}

// rule lets an official rule at random on a game in play. The clock of a simulated event stands still, so nobody stops it, and
// nobody rules before play begins: who is ready would wait for that clock if another one had to go.
func (s *simulation) rule(ctx context.Context, official officials.Official, snap *game.Snapshot) error {
	referee := rights.Staff(rights.RoleReferee, "simulation")
	for _, c := range official.Rulings(snap.State) {
		_, err := s.games.Submit(ctx, referee, snap.Ref.ID, "", c)
		var refusal *engine.Refusal
		switch {
		case errors.As(err, &refusal):
			s.ruled.Lock()
			s.ruled.refused++
			s.ruled.Unlock()
		case err != nil:
			return fmt.Errorf("game %d, seq %d: %T: %w", snap.Ref.ID, snap.State.Seq, c, err)
		}
	}
	return nil
}

// recheck goes through a confirmed game as meldhall verify does, where officials ruled.
func (s *simulation) recheck(ctx context.Context, game int64) error {
	if s.Rulings == 0 {
		return nil
	}
	g, err := export.OfGame(ctx, s.store, game)
	if err != nil {
		return err
	}
	if _, err := export.Verify(g); err != nil {
		return fmt.Errorf("game %d: %w", game, err)
	}
	events, err := export.Log(g)
	if err != nil {
		return err
	}
	s.ruled.Lock()
	defer s.ruled.Unlock()
	s.ruled.games++
	s.ruled.events += len(events)
	for _, e := range events {
		if kind := engine.RulingOf(e).Kind; kind != "" {
			if s.ruled.kinds == nil {
				s.ruled.kinds = map[string]int{}
			}
			s.ruled.kinds[kind]++
		}
	}
	return nil
}

func (r *ruledEvent) print(out io.Writer) {
	if r.games == 0 {
		return
	}
	fmt.Fprintf(out, "\n%d logs of %d events agree with the second referee; %d rulings were refused\n", r.games, r.events, r.refused)
	for _, kind := range slices.Sorted(maps.Keys(r.kinds)) {
		fmt.Fprintf(out, "%9d %s\n", r.kinds[kind], kind)
	}
}
