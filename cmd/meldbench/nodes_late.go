package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"
	"time"

	"meldhall/cmd/internal/client"
)

// measureLate prints how late moves are shown at each node: with NATS, on a bad network, and without NATS.
func (r *nodesRun) measureLate(ctx context.Context, out io.Writer) error {
	if r.Late == 0 {
		return nil
	}
	for _, how := range []struct {
		name string
		set  func(bool)
	}{
		{"with NATS", func(bool) {}},
		{"one hint of ten lost, doubled, late", func(on bool) {
			if r.hints.Disturb(0, 0, 0); on {
				r.hints.Disturb(100, 100, 100)
			}
		}},
		{"without NATS", r.hints.Cut},
	} {
		late, unseen, err := r.late(ctx, how.set)
		if err != nil {
			return err
		}
		if len(late) == 0 {
			return fmt.Errorf("%s: no moves were made", how.name)
		}
		at := func(part int) time.Duration {
			return late[min(len(late)*part/100, len(late)-1)].Round(time.Millisecond)
		}
		fmt.Fprintf(out, "update delay    %s: p50 %v, p95 %v, at most %v, of %d; %d missing\n", how.name, at(50),
			at(95), at(100), len(late), unseen)
	}
	return nil
}

const (
	lateMost = 10 * time.Second // later than this counts as never shown
	lateWait = 6 * time.Second  // wait for the last moves
)

// late plays a tournament for a while, with a spectator of each game at each node. It returns, in ascending order, how
// long after its acknowledgement each move was shown at each node, and how many were never shown.
func (r *nodesRun) late(ctx context.Context, disturbed func(bool)) (late []time.Duration, unseen int, err error) {
	round, players, err := r.prepare(ctx)
	if err != nil {
		return nil, 0, err
	}
	playing, stop := context.WithCancel(ctx)
	defer stop()
	watching, away := context.WithCancel(ctx)
	defer away()
	var all, watchers sync.WaitGroup
	var seen []*lookout
	for _, base := range r.house.Bases() {
		for _, table := range round.Tables {
			s := &lookout{game: table.Games[0].ID, at: map[int]time.Time{}}
			seen = append(seen, s)
			watcher := client.New(base, client.NewTransport())
			watcher.Token = r.staff.API.Token
			watchers.Go(func() { s.watch(watching, watcher) })
		}
	}
	for _, bot := range players {
		bot.Think = func() time.Duration { return client.Jittered(200 * time.Millisecond) }
		all.Go(func() { _ = bot.Run(playing) })
	}
	client.Sleep(ctx, time.Second)
	disturbed(true)
	since := time.Now()
	client.Sleep(ctx, r.Late)
	stop()
	all.Wait()
	moves := r.calls.Done(since)
	for until := time.Now().Add(lateWait); client.Sleep(ctx, 100*time.Millisecond) && time.Now().Before(until); {
		if !slices.ContainsFunc(slices.Collect(maps.Keys(moves)), func(move [2]int64) bool {
			return slices.ContainsFunc(seen, func(s *lookout) bool {
				_, ok := s.since(int(move[1]))
				return s.game == move[0] && !ok
			})
		}) {
			break
		}
	}
	disturbed(false)
	away()
	watchers.Wait()
	r.calls.Forget() // these games are unfinished and cannot be checked
	r.heard.Forget()
	for move, told := range moves {
		for _, s := range seen {
			if s.game != move[0] {
				continue
			}
			if at, ok := s.since(int(move[1])); !ok || at.Sub(told) > lateMost {
				unseen++
			} else {
				late = append(late, max(at.Sub(told), 0))
			}
		}
	}
	slices.Sort(late)
	return late, unseen, nil
}

// lookout records when a spectator of a game was first shown each state.
type lookout struct {
	game int64
	mu   sync.Mutex
	at   map[int]time.Time
	last int
}

func (s *lookout) watch(ctx context.Context, api *client.Client) {
	_ = api.Follow(ctx, fmt.Sprintf("/games/%d/live", s.game), func(m client.Message) error {
		var shown client.Place
		if json.Unmarshal(m.Data, &shown) != nil || shown.View == nil {
			return nil
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		for now := time.Now(); s.last < shown.View.Seq; {
			s.last++
			s.at[s.last] = now
		}
		return nil
	})
}

func (s *lookout) since(seq int) (time.Time, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	at, ok := s.at[seq]
	return at, ok
}
