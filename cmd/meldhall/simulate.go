package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/signal"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"meldhall/engine"
	"meldhall/engine/tile"
	"meldhall/tournament"
)

// simulateCmd is meldhall simulate.
type simulateCmd struct {
	Players int    `help:"How many players." default:"33"`
	Format  string `help:"The format preset." default:"wrc"`
	Rules   string `help:"The rule preset." default:"wrc"`
	Seed    uint64 `help:"The same seed plays the same event, whatever the number of workers." default:"1"`
	Workers int    `help:"How many tables think at once." default:"2"`
	Presets string `help:"A folder with rules/*.json and formats/*.json of your own." type:"existingdir"`
	DB      string `help:"Keep the event in this database, a new file. Default: one that is thrown away."`
}

// Run plays a whole event without network and without waiting for any clock.
func (c simulateCmd) Run() error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	return c.simulate(ctx, os.Stdout, os.Stderr)
}

// simulation is an event that plays itself. Its clock stands still while games run, and its deals and
// bots follow from the seed, so nothing depends on who is served first.
type simulation struct {
	simulateCmd
	store    *tournament.Store
	games    *tournament.Games
	staff    tournament.Actor
	event    tournament.Tournament
	now      atomic.Int64
	deals    atomic.Uint64
	turns    atomic.Int64
	played   int
	thinking chan struct{} // bounds how many tables think at once
}

func (c simulateCmd) simulate(ctx context.Context, out, progress io.Writer) (err error) {
	if c.Workers < 1 || c.Players < 2 {
		return errors.New("simulate: --workers must be 1 or more, --players 2 or more")
	}
	if c.DB == "" {
		dir, err := os.MkdirTemp("", "meldhall-simulate-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		c.DB = filepath.Join(dir, "simulate.db")
	}
	store, err := tournament.Open(c.DB)
	if err != nil {
		return err
	}
	log := tournament.OpenLog(store)
	s := &simulation{simulateCmd: c, store: store, games: tournament.NewGames(store, log),
		staff: tournament.Staff(tournament.RoleOrganizer, "simulation"), thinking: make(chan struct{}, c.Workers)}
	defer func() {
		s.games.Close()
		log.Close()
		err = errors.Join(err, store.Close())
	}()
	s.now.Store(time.Date(2026, 1, 1, 9, 0, 0, 0, time.UTC).UnixMilli())
	store.Now = func() time.Time { return time.UnixMilli(s.now.Load()) }
	s.games.Deal = func() engine.Deal { return seededDeal(s.Seed, s.deals.Add(1)) }
	began := time.Now()
	if err := s.enter(ctx); err != nil {
		return err
	}
	for more := true; more; {
		if more, err = s.round(ctx, progress); err != nil {
			return err
		}
	}
	return s.summary(ctx, out, time.Since(began))
}

// seededDeal gives the nth deal of a seed.
func seededDeal(seed, n uint64) engine.Deal {
	rng := rand.New(rand.NewPCG(seed, n))
	order := func() tile.List {
		tiles := tile.List(tile.All())
		rng.Shuffle(len(tiles), func(i, j int) { tiles[i], tiles[j] = tiles[j], tiles[i] })
		return tiles
	}
	return engine.Deal{Pool: order(), Draws: order(), Salt: fmt.Sprintf("%016x%016x", rng.Uint64(), rng.Uint64())}
}

// enter makes the event and its players.
func (s *simulation) enter(ctx context.Context) error {
	presets, err := presetsWith(s.Presets)
	if err != nil {
		return err
	}
	n := tournament.NewTournament{Name: "Simulation", Seed: int64(s.Seed&(1<<53-1) | 1<<52)}
	if n.Format, err = presets.Format(s.Format); err != nil {
		return err
	}
	if n.Rules, err = presets.Ruleset(s.Rules, nil); err != nil {
		return err
	}
	if s.event, err = s.store.CreateTournament(ctx, s.staff, n); err != nil {
		return err
	}
	_, err = s.store.ImportRoster(ctx, s.staff, s.event.ID, bytes.NewReader(numberedRoster(s.Players)))
	return err
}

// numberedRoster is a roster of n players without names of their own.
func numberedRoster(n int) []byte {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	_ = w.Write([]string{"name"})
	for i := range n {
		_ = w.Write([]string{fmt.Sprintf("Player %03d", i+1)})
	}
	w.Flush()
	return b.Bytes()
}

// round seats and plays the next round, and tells whether the event goes on.
func (s *simulation) round(ctx context.Context, progress io.Writer) (more bool, err error) {
	s.now.Add(time.Hour.Milliseconds())
	r, err := s.store.SeatRound(ctx, s.staff, s.event.ID, "", 0)
	if errors.Is(err, tournament.Refuse(tournament.Conflict, "err_cut_tied")) {
		if _, err = s.store.DrawLot(ctx, s.staff, s.event.ID); err == nil {
			r, err = s.store.SeatRound(ctx, s.staff, s.event.ID, "", 0)
		}
	}
	if err == nil {
		r, err = s.store.PublishRound(ctx, s.staff, r.ID)
	}
	if err == nil {
		err = s.games.StartRound(ctx, s.staff, r.ID)
	}
	if err != nil {
		return false, err
	}
	for number := range r.Games {
		tables, err := s.store.CurrentInRound(ctx, r.ID)
		if err != nil {
			return false, err
		}
		if err := s.playAll(ctx, tables); err != nil {
			return false, err
		}
		fmt.Fprintf(progress, "round %d, game %d: %d tables, %d games and %d turns so far\n", r.Number, number+1, len(tables), s.played, s.turns.Load())
		if err := s.confirmAll(ctx, r.ID); err != nil {
			return false, err
		}
	}
	s.event, err = s.store.TournamentByID(ctx, s.event.ID)
	return s.event.Status != tournament.StatusFinished, err
}

// playAll plays the current game at every table to its end.
func (s *simulation) playAll(ctx context.Context, tables []tournament.CurrentGame) error {
	errs := make(chan error, len(tables))
	var all sync.WaitGroup
	for _, t := range tables {
		all.Go(func() { errs <- s.playGame(ctx, t.Game) })
	}
	all.Wait()
	close(errs)
	var joined error
	for err := range errs {
		joined = errors.Join(joined, err)
	}
	s.played += len(tables)
	return joined
}

// confirmAll confirms the games in order of their tables, so that the next deals go to the same tables each time.
func (s *simulation) confirmAll(ctx context.Context, round int64) error {
	tables, err := s.store.CurrentInRound(ctx, round)
	if err != nil {
		return err
	}
	for _, t := range tables {
		if err := s.games.Confirm(ctx, s.staff, t.Game, t.Rev); err != nil {
			return err
		}
	}
	return nil
}

func (s *simulation) playGame(ctx context.Context, game int64) error {
	rng := rand.New(rand.NewPCG(s.Seed, uint64(game)<<8))
	for ctx.Err() == nil {
		snap, err := s.games.Look(ctx, game)
		if err != nil {
			return err
		}
		if snap.State.Phase == engine.PhaseOver {
			return nil
		}
		seat, c := s.move(snap, rng)
		me := tournament.Actor{Role: tournament.RolePlayer, Tournament: snap.Ref.TournamentID, Player: snap.Ref.Players[seat], Table: snap.Ref.TableID, Seat: seat}
		if _, err := s.games.Submit(ctx, me, game, "", c); err != nil {
			return fmt.Errorf("game %d, seq %d, seat %d: %T: %w", game, snap.State.Seq, seat, c, err)
		}
		if snap.State.Phase == engine.PhasePlaying {
			s.turns.Add(1)
		}
	}
	return ctx.Err()
}

// move is what comes next in a game: a seat that is not ready yet gets ready or asks for its redeal, then
// the player to move chooses from the own view.
func (s *simulation) move(snap *tournament.Snapshot, rng *rand.Rand) (int, engine.Command) {
	state := snap.State
	turn := state.Turn.Number
	if state.Phase == engine.PhaseDealt {
		for seat := range state.Seats {
			if state.Ready[seat] {
				continue
			}
			if state.MayRedeal[seat] && rng.IntN(100) < redealsOften {
				return seat, engine.Redeal{Seat: seat, Turn: turn, Deal: seededDeal(s.Seed, rng.Uint64()|1<<63)}
			}
			return seat, engine.Ready{Seat: seat, Turn: turn}
		}
	}
	seat := state.Turn.Seat
	s.thinking <- struct{}{}
	a := chooserOf(snap.Ref.Players[seat])(engine.ViewFor(state, seat))
	<-s.thinking
	switch {
	case a.Table != nil:
		return seat, engine.Play{Seat: seat, Turn: turn, Table: a.Table}
	case a.Pass:
		return seat, engine.Pass{Seat: seat, Turn: turn}
	}
	return seat, engine.Draw{Seat: seat, Turn: turn}
}

func (s *simulation) summary(ctx context.Context, out io.Writer, took time.Duration) error {
	st, err := s.store.Standings(ctx, s.event.ID)
	if err != nil {
		return err
	}
	rows := make([]standingRow, len(st.Rows))
	for i, r := range st.Rows {
		rows[i] = standingRow{Place: r.Place, Name: r.Name, Player: r.Player, Wins: r.Wins, Points: r.Points, Games: r.Games}
	}
	printStandings(out, rows)
	turns := s.turns.Load()
	fmt.Fprintf(out, "\n%d players, format %s, rules %s, seed %d: %d games, %d turns\n", s.Players, s.Format, s.Rules, s.Seed, s.played, turns)
	fmt.Fprintf(out, "%.1f s, %.0f turns per second\n", took.Seconds(), float64(turns)/took.Seconds())
	return nil
}
