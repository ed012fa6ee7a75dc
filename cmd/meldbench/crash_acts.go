package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"

	"meldhall/cmd/internal/client"
	"meldhall/engine"
)

// act is a command that was sent with a key, as it was sent, and what was answered.
type act struct {
	key, token, path string
	game             int64
	body             []byte
	answer           client.Answer
}

// place is an event's in the logs.
type place struct{ game, seq int64 }

// acts keeps what people sent, and what they were told of it.
type acts struct {
	mu        sync.Mutex
	open      map[string]act // sent, and nothing certain was answered
	done      map[place]act  // acknowledged
	order     []place        // of done
	looked    int            // of order, how many were found in the log
	confirmed map[int64]bool // results of games, to the referee
	refused   int
	lost      []string // acknowledged, and not in the log as it was
	twice     []string // in the log, and never acknowledged, or for two keys
	otherwise []string // answered in another way when it was sent again
}

func newActs() *acts {
	return &acts{open: map[string]act{}, done: map[place]act{}, confirmed: map[int64]bool{}}
}

// sending notes an act that is about to be sent.
func (a *acts) sending(c act) {
	if a == nil {
		return
	}
	a.mu.Lock()
	a.open[c.key] = c
	a.mu.Unlock()
}

// answered notes what was said of an act; one of which the server knew nothing certain stays open.
func (a *acts) answered(key string, status int, reply []byte) {
	if a == nil || status >= http.StatusInternalServerError || status == http.StatusTooManyRequests {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	c, ok := a.open[key]
	if !ok {
		return
	}
	if status != http.StatusOK {
		delete(a.open, key)
		a.refused++
		return
	}
	if json.Unmarshal(reply, &c.answer) != nil || c.answer.Seq == 0 {
		return
	}
	delete(a.open, key)
	at := place{c.game, int64(c.answer.Seq)}
	if before, ok := a.done[at]; ok {
		note(&a.twice, fmt.Sprintf("event %d of game %d was said to be of %s and of %s", at.seq, at.game, before.key, key))
		return
	}
	a.done[at] = c
	a.order = append(a.order, at)
}

// note adds a fault, unless it was found before.
func note(list *[]string, fault string) {
	if !slices.Contains(*list, fault) {
		*list = append(*list, fault)
	}
}

// opened are the acts without an answer.
func (a *acts) opened() (list []act) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, c := range a.open {
		list = append(list, c)
	}
	return list
}

// some are acts that were acknowledged: the last few and as many of all.
func (a *acts) some(n int, rng *rand.Rand) (list []act) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for i := range min(n, len(a.order)) {
		list = append(list, a.done[a.order[len(a.order)-1-i]], a.done[a.order[rng.IntN(len(a.order))]])
	}
	return list
}

// repeated holds the answer to an act that was sent again against the first one.
func (a *acts) repeated(c act, status int, reply []byte) {
	var again client.Answer
	if status == http.StatusOK && json.Unmarshal(reply, &again) == nil && again.Again && again.Seq == c.answer.Seq && again.Outcome == c.answer.Outcome {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	note(&a.otherwise, fmt.Sprintf("%s in game %d: %+v, and then %d %s", c.key, c.game, c.answer, status, reply[:min(len(reply), 200)]))
}

// logged is an event that a command with a key has brought about.
type logged struct {
	place
	kind string
}

// hold compares what was acknowledged since it was last asked, or ever, with the events of that time in the log.
func (a *acts) hold(events []logged, all bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	kinds := make(map[place]string, len(events))
	for _, e := range events {
		kinds[e.place] = e.kind
	}
	from := a.looked
	if all {
		from = 0
	}
	for _, at := range a.order[from:] {
		if c := a.done[at]; kinds[at] != c.answer.Outcome {
			note(&a.lost, fmt.Sprintf("%s: event %d of game %d is %q, and was said to be %q", c.key, at.seq, at.game, kinds[at], c.answer.Outcome))
		}
	}
	a.looked = len(a.order)
	unsure := map[int64]bool{}
	for _, c := range a.open {
		unsure[c.game] = true
	}
	for _, e := range events {
		if _, ok := a.done[e.place]; !ok && !unsure[e.game] {
			note(&a.twice, fmt.Sprintf("event %d of game %d, %s, was acknowledged to nobody", e.seq, e.game, e.kind))
		}
	}
}

// holdResults compares the results that the referee was told are confirmed with how often each is.
func (a *acts) holdResults(times map[int64]int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for game := range a.confirmed {
		if times[game] == 0 {
			note(&a.lost, fmt.Sprintf("the confirmed result of game %d", game))
		}
	}
	for game, n := range times {
		if n > 1 {
			note(&a.twice, fmt.Sprintf("the result of game %d was confirmed %d times", game, n))
		}
	}
}

// confirm notes that a result was said to be confirmed.
func (a *acts) confirm(game int64) {
	a.mu.Lock()
	a.confirmed[game] = true
	a.mu.Unlock()
}

// check reads the log beside the running program, all of it or what came since the last time, and holds what was acknowledged
// against it.
func (h *crashHall) check(ctx context.Context, all bool) error {
	db, err := sql.Open("sqlite", "file:"+h.db+"?mode=ro&_pragma=busy_timeout(5000)&_pragma=query_only(1)")
	if err != nil {
		return err
	}
	defer db.Close()
	if all {
		h.lastSeen = 0
	}
	rows, err := db.QueryContext(ctx, `SELECT id, game_id, seq, kind FROM game_events WHERE id > ? AND cmd_id IS NOT NULL ORDER BY id`, h.lastSeen)
	if err != nil {
		return err
	}
	defer rows.Close()
	var events []logged
	for rows.Next() {
		var e logged
		if err := rows.Scan(&h.lastSeen, &e.game, &e.seq, &e.kind); err != nil {
			return err
		}
		events = append(events, e)
	}
	if err := rows.Err(); err != nil {
		return err
	}
	h.acts.hold(events, all)
	if err := db.QueryRowContext(ctx, `SELECT count(*) FROM game_events WHERE kind = ?`, engine.TurnExpired{}.Kind()).Scan(&h.expired); err != nil {
		return err
	}
	if err := db.QueryRowContext(ctx, `SELECT count(*) FROM game_events WHERE kind = ? AND data LIKE ?`, engine.GamePaused{}.Kind(), `%"why":"`+engine.PausedByOutage+`"%`).Scan(&h.outages); err != nil {
		return err
	}
	return h.checkResults(ctx, db)
}

func (h *crashHall) checkResults(ctx context.Context, db *sql.DB) error {
	if err := db.QueryRowContext(ctx, `SELECT count(*) FROM epochs`).Scan(&h.figures.epochs); err != nil {
		return err
	}
	rows, err := db.QueryContext(ctx, `SELECT game_id, count(*) FROM results WHERE status = 'confirmed' GROUP BY game_id`)
	if err != nil {
		return err
	}
	defer rows.Close()
	times := map[int64]int{}
	for rows.Next() {
		var game int64
		var n int
		if err := rows.Scan(&game, &n); err != nil {
			return err
		}
		times[game] = n
	}
	h.acts.holdResults(times)
	return rows.Err()
}
