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

// act is a command sent with a key, exactly as sent, with its answer.
type act struct {
	key, token, path string
	game             int64
	body             []byte
	answer           client.Answer
}

// place identifies an event in the logs.
type place struct{ game, seq int64 }

// acts records the commands that were sent, and their answers.
type acts struct {
	mu        sync.Mutex
	open      map[string]act // sent, without a definite answer
	done      map[place]act  // acknowledged
	order     []place        // places of done, in order of acknowledgement
	looked    int            // how many places of order were compared with the log
	confirmed map[int64]bool // results confirmed to the referee, by game
	refused   int
	lost      []string // acknowledged, but missing or different in the log
	twice     []string // in the log but never acknowledged, or with two keys
	otherwise []string // answered differently when sent again
}

func newActs() *acts {
	return &acts{open: map[string]act{}, done: map[place]act{}, confirmed: map[int64]bool{}}
}

// sending records an act that is about to be sent.
func (a *acts) sending(c act) {
	if a == nil {
		return
	}
	a.mu.Lock()
	a.open[c.key] = c
	a.mu.Unlock()
}

// answered records the answer to an act. Without a definite answer the act stays open.
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
		note(&a.twice, fmt.Sprintf("event %d of game %d was acknowledged for both %s and %s", at.seq, at.game,
			before.key, key))
		return
	}
	a.done[at] = c
	a.order = append(a.order, at)
}

// note adds a fault unless it is already listed.
func note(list *[]string, fault string) {
	if !slices.Contains(*list, fault) {
		*list = append(*list, fault)
	}
}

// opened returns the acts without a definite answer.
func (a *acts) opened() (list []act) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, c := range a.open {
		list = append(list, c)
	}
	return list
}

// some returns up to n of the latest acknowledged acts, and as many random ones.
func (a *acts) some(n int, rng *rand.Rand) (list []act) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for i := range min(n, len(a.order)) {
		list = append(list, a.done[a.order[len(a.order)-1-i]], a.done[a.order[rng.IntN(len(a.order))]])
	}
	return list
}

// repeated compares the answer to a repeated act with the first answer.
func (a *acts) repeated(c act, status int, reply []byte) {
	var again client.Answer
	if status == http.StatusOK && json.Unmarshal(reply, &again) == nil && again.Again && again.Seq == c.answer.Seq &&
		again.Outcome == c.answer.Outcome {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	note(&a.otherwise, fmt.Sprintf("%s in game %d: %+v, and then %d %s", c.key, c.game, c.answer, status,
		reply[:min(len(reply), 200)]))
}

// logged is an event caused by a command with a key.
type logged struct {
	place
	kind string
}

// hold compares the events of the log with the acts acknowledged since the last call, or with all of them.
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
			note(&a.lost, fmt.Sprintf("%s: event %d of game %d is %q, but was acknowledged as %q", c.key, at.seq,
				at.game, kinds[at], c.answer.Outcome))
		}
	}
	a.looked = len(a.order)
	unsure := map[int64]bool{}
	for _, c := range a.open {
		unsure[c.game] = true
	}
	for _, e := range events {
		if _, ok := a.done[e.place]; !ok && !unsure[e.game] {
			note(&a.twice, fmt.Sprintf("event %d of game %d, %s, was never acknowledged", e.seq, e.game, e.kind))
		}
	}
}

// holdResults compares the results that were confirmed to the referee with the number of confirmations in the database.
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

// confirm records that the server acknowledged the confirmation of a result.
func (a *acts) confirm(game int64) {
	a.mu.Lock()
	a.confirmed[game] = true
	a.mu.Unlock()
}

// check reads the log while the program runs, completely or from where the last check ended, and compares it with the
// acknowledged acts.
func (h *crashHall) check(ctx context.Context, all bool) error {
	db, err := sql.Open("sqlite", "file:"+h.db+"?mode=ro&_pragma=busy_timeout(5000)&_pragma=query_only(1)")
	if err != nil {
		return err
	}
	defer db.Close()
	if all {
		h.lastSeen = 0
	}
	rows, err := db.QueryContext(ctx,
		`SELECT id, game_id, seq, kind FROM game_events WHERE id > ? AND cmd_id IS NOT NULL ORDER BY id`, h.lastSeen)
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
	if err := db.QueryRowContext(ctx, `SELECT count(*) FROM game_events WHERE kind = ?`,
		engine.TurnExpired{}.Kind()).Scan(&h.expired); err != nil {
		return err
	}
	if err := db.QueryRowContext(ctx, `SELECT count(*) FROM game_events WHERE kind = ? AND data LIKE ?`,
		engine.GamePaused{}.Kind(), `%"why":"`+engine.PausedByOutage+`"%`).Scan(&h.outages); err != nil {
		return err
	}
	return h.checkResults(ctx, db)
}

func (h *crashHall) checkResults(ctx context.Context, db *sql.DB) error {
	if err := db.QueryRowContext(ctx, `SELECT count(*) FROM epochs`).Scan(&h.figures.epochs); err != nil {
		return err
	}
	rows, err := db.QueryContext(ctx,
		`SELECT game_id, count(*) FROM results WHERE status = 'confirmed' GROUP BY game_id`)
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
