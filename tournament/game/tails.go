package game

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// tails are the games with viewers whose logs have grown.
type tails struct {
	mu      sync.Mutex
	waiting map[*runningGame]struct{}
	reading bool
	last    time.Time // when the last read ended
}

// readSoon schedules a read of a game's log, together with those of other games with hints at about the same time.
func (r *runningGame) readSoon() {
	t := &r.games.tails
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.waiting == nil {
		t.waiting = map[*runningGame]struct{}{}
	}
	t.waiting[r] = struct{}{}
	if !t.reading {
		t.reading = true
		go r.games.readTails()
	}
}

// tailsApart is the shortest time between two reads. Hints that arrive in between are read together, and one statement
// costs the same for several games as for one.
const tailsApart = 50 * time.Millisecond

// readTails reads the waiting logs until none is left.
func (g *Games) readTails() {
	t := &g.tails
	for more := true; more; {
		time.Sleep(tailsApart - time.Since(t.last))
		t.mu.Lock()
		// skips games that a command has read meanwhile
		waiting := slices.DeleteFunc(slices.Collect(maps.Keys(t.waiting)),
			func(r *runningGame) bool { return !r.behind() })
		clear(t.waiting)
		t.mu.Unlock()
		ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
		switch len(waiting) {
		case 0:
		case 1:
			waiting[0].refresh(ctx)
		default:
			g.readTogether(ctx, waiting)
		}
		cancel()
		t.mu.Lock()
		t.last, more = time.Now(), len(t.waiting) > 0
		t.reading = more
		t.mu.Unlock()
	}
}

// readTogether is refresh for several games. If the common read fails, it notifies the viewers of each game, who then
// read it alone.
func (g *Games) readTogether(ctx context.Context, games []*runningGame) {
	after := map[int64]int{}
	said := make([]int64, len(games))
	for i, r := range games {
		snap := r.now.Load()
		after[snap.Ref.ID], said[i] = snap.State.Seq, r.news.Load()
	}
	tails, err := g.Log.Tails(ctx, after)
	for i, r := range games {
		snap := r.now.Load()
		if err != nil {
			g.Moved(snap.Ref, StepEvent)
			continue
		}
		if !r.mu.TryLock() { // the holder notifies the viewers
			continue
		}
		if r.gone {
			r.mu.Unlock()
			continue
		}
		if failed := r.follows(ctx, tails[snap.Ref.ID], said[i]); failed != nil {
			slog.Error("reading a game's log failed; showing its last state", "game", snap.Ref.ID, "err", failed)
		}
		r.release()
	}
}

// selectTails reads each game's tail by its key. PostgreSQL planned a plain join of the log with the games as a scan of
// the whole log while the log was short, and kept that plan. The planner does not look into the inner SELECTs; with
// plain parameters it would consider a custom plan for these games worthwhile each time.
const selectTails = `SELECT e.* FROM unnest((SELECT CAST(string_to_array($1, ' ') AS bigint[])), (SELECT CAST(string_to_array($2, ' ') AS bigint[]))) w (game, after)
	CROSS JOIN LATERAL (` + readEvents + `WHERE game_id = w.game AND seq > w.after ORDER BY seq) e ORDER BY e.game_id, e.seq`

// Tails is Tail for several games, each after its own seq, in one statement on PostgreSQL. One unreadable row fails
// them all.
func (l *Log) Tails(ctx context.Context, after map[int64]int) (map[int64][]Entry, error) {
	var games, seqs []string
	for game, seq := range after {
		games, seqs = append(games, strconv.FormatInt(game, 10)), append(seqs, strconv.Itoa(seq))
	}
	rows, err := l.store.ReadSQL.QueryContext(ctx, selectTails, strings.Join(games, " "), strings.Join(seqs, " "))
	if err != nil {
		return nil, fmt.Errorf("read the logs of %d games: %w", len(after), err)
	}
	defer rows.Close()
	all, tails := events{Rows: rows}, map[int64][]Entry{}
	for rows.Next() {
		entry, err := all.scan()
		if err != nil {
			return nil, err
		}
		tails[all.game] = append(tails[all.game], entry)
	}
	return tails, rows.Err()
}
