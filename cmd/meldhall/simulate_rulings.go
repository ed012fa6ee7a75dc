package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"

	"meldhall/cmd/internal/randomrulings"
	"meldhall/engine"
	"meldhall/tournament/export"
	"meldhall/tournament/game"
	"meldhall/tournament/rights"
)

// rulingsFor is how many turns and rulings a simulated game takes before rulings stop. Otherwise a game could be
// rewound forever.
const rulingsFor = 120

// ruledEvent counts the rulings of a simulated tournament, and the games whose logs verified.
type ruledEvent struct {
	sync.Mutex
	games, events, refused int
	kinds                  map[string]int // number of ruling events, by kind
}

// rule makes a random ruling on a running game. Because the simulated clock does not advance, rulings never stop the
// clock, and none is made before play begins: players who are ready would wait for that clock if another player had to
// leave.
func (s *simulation) rule(ctx context.Context, official randomrulings.Official, snap *game.Snapshot) error {
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

// recheck verifies a confirmed game like meldhall verify, if the simulation makes rulings.
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
	fmt.Fprintf(out, "\n%d logs of %d events agree with the second referee; %d rulings were refused\n", r.games,
		r.events, r.refused)
	for _, kind := range slices.Sorted(maps.Keys(r.kinds)) {
		fmt.Fprintf(out, "%9d %s\n", r.kinds[kind], kind)
	}
}
