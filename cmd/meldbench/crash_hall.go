package main

import (
	"bytes"
	"context"
	crand "crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"slices"
	"sync"
	"time"

	"meldhall/cmd/internal/client"
	"meldhall/cmd/internal/prepare"
	"meldhall/cmd/internal/unsynced"
	"meldhall/tournament/game"
)

// crashHall is a hall whose server is killed. Its state outlives the server.
type crashHall struct {
	crashCmd
	db      string
	rng     *rand.Rand
	acts    *acts
	figures *crashFigures

	server   *client.Server // nil if dead
	log      bytes.Buffer   // of the server that started last
	staff    client.Official
	waiting  []client.Table // tables of the round that have not started
	playing  [][]crashSeat  // by the run of the server in which their tables started
	round    int64
	lastSeen int64 // ID of the last event read
	expired  int   // turns that expired
	outages  int   // outage pauses, one for each game running at a start or stall
}

// crashSeat is a seat that a player has joined.
type crashSeat struct {
	table, player int64
	seat          int
	token         string
}

// open starts the server on a new file, and creates a tournament with enough tables for the given number of server
// runs.
func (h *crashHall) open(ctx context.Context, lives int) error {
	took, err := h.start(ctx)
	if err != nil {
		return err
	}
	if len(h.figures.starts) == 0 {
		h.figures.starts = append(h.figures.starts, took) // for the first kill during a start
	}
	if h.staff, err = client.SetUp(ctx, h.staff.API, h.server.Setup, "crash", crand.Text()); err != nil {
		return err
	}
	event, err := h.staff.Create(ctx, client.NewTournament{Name: "Crash", Format: json.RawMessage(loadFormat),
		Rules: map[string]any{"preset": "wrc"}}, prepare.Roster(4*h.Tables*lives))
	if err != nil {
		return err
	}
	round, err := h.staff.NextRound(ctx, event.ID, 1)
	h.round, h.waiting = round.ID, round.Tables
	return err
}

// start starts the server, and returns how long it took until it was healthy.
func (h *crashHall) start(ctx context.Context) (time.Duration, error) {
	h.log.Reset()
	began := time.Now()
	server, err := client.StartServer(ctx, h.exe, h.db, false, &h.log)
	if err != nil {
		return 0, fmt.Errorf("%w\n%s", err, h.log.Bytes())
	}
	h.server = server
	token := ""
	if h.staff.API != nil {
		token = h.staff.API.Token
	}
	h.staff.API = client.New(server.Base, client.NewTransport()).With(token)
	if err := healthy(ctx, server.Base); err != nil {
		server.Kill()
		return 0, err
	}
	return time.Since(began), nil
}

func healthy(ctx context.Context, base string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, base+"/healthz", nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("the server is not healthy: %s", resp.Status)
	}
	return nil
}

// seat starts new tables, with a player at each seat. New ones are needed because the clocks of running games stay
// paused for a while after a restart.
func (h *crashHall) seat(ctx context.Context) error {
	var seats []crashSeat
	for _, table := range h.waiting[:h.Tables] {
		for _, s := range table.Seats {
			mine, err := client.Join(ctx, h.staff.API, s.Code)
			if err != nil {
				return err
			}
			seats = append(seats, crashSeat{table: table.ID, player: s.Player.ID, seat: s.Seat, token: mine.Token})
		}
		if err := h.staff.API.Call(ctx, http.MethodPost, fmt.Sprintf("/tables/%d/start", table.ID), nil,
			nil); err != nil {
			return err
		}
	}
	h.waiting = h.waiting[h.Tables:]
	h.playing = append(h.playing, seats)
	return nil
}

// play lets the tables of the last lives server runs play for a time, and then kills the server.
func (h *crashHall) play(ctx context.Context, lives int, long time.Duration) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var run sync.WaitGroup
	over := make(chan int64, 8*h.Tables)
	tables := map[int64]*watchedTable{}
	for _, s := range slices.Concat(h.playing[max(len(h.playing)-lives, 0):]...) {
		if tables[s.table] == nil {
			tables[s.table] = &watchedTable{seats: 4}
		}
		api := h.staff.API.With(s.token)
		p := &loadPlayer{api: api, table: tables[s.table], m: &h.figures.measures, seat: s.seat,
			rng: rand.New(rand.NewPCG(uint64(s.player), h.rng.Uint64())), laying: 100, acts: h.acts}
		if s.seat == 0 {
			p.over = over
		}
		run.Go(func() { _ = p.run(ctx) }) // fails when the server dies
	}
	run.Go(func() { h.referee(ctx, over) })
	alive := client.Sleep(ctx, long) && h.awaitCheckpoint(ctx)
	ended := h.end()
	cancel()
	run.Wait()
	if !alive {
		return errors.New("stopped")
	}
	return ended
}

// end kills the server, or stops it if --planned is set.
func (h *crashHall) end() error {
	if h.Planned {
		began := time.Now()
		err := h.server.Stop()
		h.figures.stops = append(h.figures.stops, time.Since(began))
		return err
	}
	h.server.Kill()
	return nil
}

// One in so many power failures waits for a checkpoint of the write-ahead log, for this long at most.
const (
	checkpointOneIn = 3
	checkpointMost  = 3 * time.Second
)

// awaitCheckpoint waits, before some power failures, until the database file itself has unsynced writes. That happens
// only briefly, after hundreds of acts. It reports whether ctx is still alive.
func (h *crashHall) awaitCheckpoint(ctx context.Context) bool {
	if !h.Power || h.rng.IntN(checkpointOneIn) != 0 {
		return true
	}
	for end := time.Now().Add(checkpointMost); time.Now().Before(end); {
		if info, err := os.Stat(h.db + unsynced.Suffix); err == nil && info.Size() > 0 {
			break
		}
		if !client.Sleep(ctx, time.Millisecond/2) {
			return false
		}
	}
	return true
}

// referee confirms results as games end.
func (h *crashHall) referee(ctx context.Context, over <-chan int64) {
	for {
		select {
		case ended := <-over:
			if h.staff.Confirm(ctx, ended, 1) == nil {
				h.acts.confirm(ended)
			}
		case <-ctx.Done():
			return
		}
	}
}

// resume resumes the clocks that the restart paused, at the tables of the last lives server runs. They run again after
// a countdown.
func (h *crashHall) resume(ctx context.Context, lives int) error {
	tables := map[int64]bool{}
	for _, s := range slices.Concat(h.playing[max(len(h.playing)-lives, 0):]...) {
		tables[s.table] = true
	}
	round, err := h.staff.Round(ctx, h.round)
	if err != nil {
		return err
	}
	for _, table := range round.Tables {
		for _, g := range table.Games {
			if g.Status != game.Running || !tables[table.ID] {
				continue
			}
			key := fmt.Sprintf("resume-%d-%d", g.ID, h.figures.kills)
			body, err := json.Marshal(map[string]any{"key": key})
			if err != nil {
				return err
			}
			c := act{key: key, game: g.ID, token: h.staff.API.Token, path: fmt.Sprintf("/games/%d/resume", g.ID),
				body: body}
			h.acts.sending(c)
			status, reply, err := h.send(ctx, c)
			if err != nil {
				return err
			}
			h.acts.answered(key, status, reply)
		}
	}
	return nil
}

// send sends an act unchanged.
func (h *crashHall) send(ctx context.Context, c act) (status int, reply []byte, err error) {
	var raw json.RawMessage
	err = h.staff.API.With(c.token).Call(ctx, http.MethodPost, c.path, json.RawMessage(c.body), &raw)
	var refused *client.Error
	if errors.As(err, &refused) {
		return refused.Status, []byte(refused.Error()), nil
	}
	return http.StatusOK, raw, err
}

// sendAgain resends the acts that were not answered before the server died.
func (h *crashHall) sendAgain(ctx context.Context) {
	for _, c := range h.acts.opened() {
		status, reply, err := h.send(ctx, c)
		if err != nil {
			continue // it stays open
		}
		h.acts.answered(c.key, status, reply)
		h.figures.again++
		if status == http.StatusOK {
			h.figures.againDone++
		}
	}
}

// repeatedEach is how many of the latest acts, and how many random ones, are sent again after each start.
const repeatedEach = 5

// repeat resends acts that were answered; the answer must be the same.
func (h *crashHall) repeat(ctx context.Context) error {
	for _, c := range h.acts.some(repeatedEach, h.rng) {
		status, reply, err := h.send(ctx, c)
		if err != nil {
			return err
		}
		h.acts.repeated(c, status, reply)
		h.figures.repeated++
	}
	return nil
}
