package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/signal"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"meldhall/cmd/internal/cputime"
	"meldhall/cmd/internal/prepare"
	"meldhall/cmd/internal/randomrulings"
	"meldhall/engine"
	"meldhall/engine/bot"
	"meldhall/engine/shuffle"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/draw"
	"meldhall/tournament/game"
	"meldhall/tournament/game/shares"
	"meldhall/tournament/people"
	"meldhall/tournament/practice"
	"meldhall/tournament/ranking"
	"meldhall/tournament/refuse"
	"meldhall/tournament/result"
	"meldhall/tournament/rights"
	"meldhall/tournament/signing"
	"meldhall/tournament/store"
)

// simulateCmd is the command meldhall simulate.
type simulateCmd struct {
	Players int    `help:"Number of players." default:"33"`
	Format  string `help:"The format preset." default:"wrc"`
	Rules   string `help:"The rule preset." default:"wrc"`
	Seed    uint64 `help:"The seed. Equal seeds give equal events, for any number of workers." default:"1"`
	Bots    lineup `help:"Strength of the bots: ${enum}. mixed is a third of each." enum:"mixed,novice,club,master" default:"mixed"`
	Workers int    `help:"Number of tables computed in parallel." default:"2"`
	Rulings int    `help:"Percentage of turns before which an official makes a random ruling. A second referee then checks each log." default:"0"`
	Presets string `help:"A folder with your own rules/*.json and formats/*.json." type:"existingdir"`
	DB      string `help:"Keep the event in this database: a new file, or an empty PostgreSQL database. Default: in memory only."`
}

// Run plays a whole tournament without a network and without waiting for clocks.
func (c simulateCmd) Run() error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	debug.SetGCPercent(800) // nearly all memory is short-lived, and no server runs alongside
	return c.simulate(ctx, os.Stdout, os.Stderr)
}

// lineup names the bots that play: one style, or mixed.
type lineup string

// styleOf returns a player's style. In a mixed lineup, a third of the players uses each style, and a player always gets
// the same style.
func (l lineup) styleOf(player int64) bot.Style {
	for _, style := range bot.Styles {
		if string(l) == style.String() {
			return style
		}
	}
	return bot.Styles[player%int64(len(bot.Styles))]
}

// redealsOften is the percentage of redeal rights that the bots use.
const redealsOften = 40

// timedEvery is the interval, in turns, at which choices are timed. Timing them all would cost a tenth of the choices'
// own time. The interval has no common factor with any number of seats, so that every seat's choices are timed.
const timedEvery = 7

// simulation is a tournament that bots play without a network. Its clock does not advance during games, and deals and
// bots depend only on the seed, so the order of execution does not matter.
type simulation struct {
	simulateCmd
	desk     *action.Desk
	store    *store.DB
	games    *game.Games
	staff    rights.Actor
	event    tournament.Tournament
	now      atomic.Int64
	turns    atomic.Int64
	played   atomic.Int64
	choosing atomic.Int64  // nanoseconds of processor time
	thinking chan struct{} // limits how many tables think at the same time
	devices  shares.Devices
	ruled    ruledEvent
}

func (c simulateCmd) simulate(ctx context.Context, out, progress io.Writer) (err error) {
	if c.Players < 2 {
		return fmt.Errorf("simulate: --players %d: must be 2 or more", c.Players)
	}
	if c.Workers < 1 {
		return fmt.Errorf("simulate: --workers %d: must be 1 or more", c.Workers)
	}
	if c.Rulings < 0 || c.Rulings > 100 {
		return fmt.Errorf("simulate: --rulings %d: must be 0 to 100", c.Rulings)
	}
	open := store.OpenMemory
	if c.DB != "" {
		open = func() (*store.DB, error) { return store.OpenAlone(c.DB) }
	}
	store, err := open()
	if err != nil {
		return err
	}
	log := game.OpenLog(store)
	s := &simulation{simulateCmd: c, store: store, games: result.NewGames(store, log),
		staff: rights.Staff(rights.RoleOrganizer, "simulation"), thinking: make(chan struct{}, c.Workers)}
	s.desk = action.NewDesk(store, s.games)
	defer func() {
		s.games.Close()
		log.Close()
		err = errors.Join(err, store.Close())
	}()
	s.now.Store(time.Date(2026, 1, 1, 9, 0, 0, 0, time.UTC).UnixMilli())
	store.Now = func() time.Time { return time.UnixMilli(s.now.Load()) }
	s.devices = shares.Devices{Keeper: s.games.Shares, Key: fmt.Sprint("devices ", s.Seed)}
	s.games.Shares.Secret = func(game int64) shuffle.Value {
		return sha256.Sum256(fmt.Appendf(nil, "secret %d %d", s.Seed, game))
	}
	s.games.Shares.Asked = func(t shares.Table) {
		if err := s.devices.Serve(ctx, t); err != nil {
			fmt.Fprintln(progress, "simulate: the devices of a table failed:", err)
		}
	}
	seeds := rand.New(rand.NewPCG(s.Seed, 0x5eed))
	s.desk.Seeds = func() int64 { return seeds.Int64N(1<<53-1) + 1 }
	began, processor := time.Now(), cputime.Process()
	if err := s.enter(ctx); err != nil {
		return err
	}
	for more := true; more; {
		if more, err = s.round(ctx, progress); err != nil {
			return err
		}
	}
	return s.summary(ctx, out, time.Since(began), cputime.Process()-processor)
}

// enter creates the tournament and its players.
func (s *simulation) enter(ctx context.Context) error {
	presets, err := prepare.Presets(s.Presets)
	if err != nil {
		return err
	}
	n := people.CreateTournament{Name: "Simulation"}
	if n.Format, err = presets.Format(s.Format); err != nil {
		return err
	}
	if n.Rules, err = presets.RulesetFor(n.Format, s.Rules, nil); err != nil {
		return err
	}
	if s.event, err = action.Do(ctx, s.desk, s.staff, n); err != nil {
		return err
	}
	_, err = action.Do(ctx, s.desk, s.staff, people.ImportRoster{Tournament: s.event.ID,
		File: string(prepare.Roster(s.Players))})
	return err
}

// round seats and plays the next round, and reports whether the tournament continues after it.
func (s *simulation) round(ctx context.Context, progress io.Writer) (more bool, err error) {
	s.now.Add(time.Hour.Milliseconds())
	for playing := false; !playing; {
		playing, err = practice.Advance(ctx, s.desk, s.staff, s.event.ID)
		if errors.Is(err, refuse.Conflict("err_tournament_finished")) { // a lot decided the tournament
			return false, nil
		}
		if err == nil {
			err = s.share(ctx)
		}
		if err != nil {
			return false, err
		}
	}
	rounds, err := draw.Rounds(ctx, s.store, s.event.ID)
	if err != nil {
		return false, err
	}
	r := rounds[len(rounds)-1]
	tables, err := game.CurrentInRound(ctx, s.store, r.ID)
	if err != nil {
		return false, err
	}
	if err := s.bind(ctx, tables); err != nil {
		return false, err
	}
	if err := s.playAll(ctx, tables); err != nil {
		return false, err
	}
	fmt.Fprintf(progress, "round %d: %d tables, %d games and %d turns so far\n", r.Number, len(tables), s.played.Load(),
		s.turns.Load())
	s.event, err = tournament.TournamentByID(ctx, s.store, s.event.ID)
	return s.event.Status != tournament.StatusFinished, err
}

// bind records the keys of the players' devices.
func (s *simulation) bind(ctx context.Context, tables []game.CurrentGame) error {
	for _, t := range tables {
		of, err := game.FindRef(ctx, s.store, t.Game)
		if err != nil {
			return err
		}
		for seat := range of.Players {
			me, device := s.player(of, seat)
			if _, err := action.Do(ctx, s.desk, me, people.BindKey{Key: device.Key()}); err != nil {
				return err
			}
		}
	}
	return nil
}

// playAll plays a round to its end, each table at its own pace.
func (s *simulation) playAll(ctx context.Context, tables []game.CurrentGame) error {
	errs := make([]error, len(tables))
	var all sync.WaitGroup
	for i, t := range tables {
		all.Go(func() { errs[i] = s.playTable(ctx, t) })
	}
	all.Wait()
	return errors.Join(errs...)
}

// playTable plays and confirms all games at a table, starting with the current one.
func (s *simulation) playTable(ctx context.Context, t game.CurrentGame) error {
	games, err := s.store.IDs(ctx, `SELECT id FROM games WHERE table_id = $1 AND number >= $2 ORDER BY number`, t.Table,
		t.Number)
	if err != nil {
		return err
	}
	for _, game := range games {
		if err := s.playGame(ctx, game); err != nil {
			return err
		}
		s.played.Add(1)
		if err := s.confirm(ctx, game); err != nil {
			return err
		}
		if err := s.recheck(ctx, game); err != nil {
			return err
		}
	}
	return nil
}

// share takes the part of the devices in the shuffles of all games that wait.
func (s *simulation) share(ctx context.Context) error {
	games, err := s.store.IDs(ctx, `SELECT g.id FROM games g JOIN tables t ON t.id = g.table_id
		JOIN rounds r ON r.id = t.round_id WHERE g.status = 'waiting' AND r.status <> 'draft' ORDER BY g.id`)
	for _, id := range games {
		ref, err := game.FindRef(ctx, s.store, id)
		if err == nil {
			err = s.devices.Serve(ctx, ref.Sharing())
		}
		if err != nil {
			return err
		}
	}
	return err
}

// placeOf identifies a game by round, table and number, in 56 bits.
func placeOf(of game.Ref) uint64 {
	return uint64(of.Round)<<40 | uint64(of.TableNumber)<<16 | uint64(of.Number)
}

// confirm confirms the result that the engine recorded for a finished game.
func (s *simulation) confirm(ctx context.Context, game int64) error {
	const asRecorded = 1
	_, err := s.desk.Do(ctx, s.staff, result.ConfirmResult{Game: game, Rev: asRecorded})
	return err
}

func (s *simulation) playGame(ctx context.Context, id int64) error {
	snap, err := s.games.Look(ctx, id)
	if err != nil {
		return err
	}
	place := placeOf(snap.Ref) << 8
	rng := rand.New(rand.NewPCG(s.Seed, place))
	official := randomrulings.Official{Rand: rand.New(rand.NewPCG(s.Seed, place|1))}
	for turn := 0; ctx.Err() == nil; turn++ {
		if snap, err = s.games.Look(ctx, id); err != nil {
			return err
		}
		if snap.State.Phase == engine.PhaseOver {
			return nil
		}
		if turn < rulingsFor && snap.State.Phase == engine.PhasePlaying && official.IntN(100) < s.Rulings {
			if err := s.rule(ctx, official, snap); err != nil {
				return err
			}
			continue
		}
		seat, c := s.move(snap, rng)
		me, device := s.player(snap.Ref, seat)
		signed := device.Sign(snap.Statement(seat, me.Key), id, seat, snap.State.Seq, snap.History(),
			signing.ContentOf(c))
		signature := game.Signature{Seen: signed.Seen, Text: signed.Signature}
		if _, err := s.games.SubmitSigned(ctx, me, id, "", signature, c); err != nil {
			return fmt.Errorf("game %d, seq %d, seat %d: %T: %w", id, snap.State.Seq, seat, c, err)
		}
		if snap.State.Phase == engine.PhasePlaying {
			s.turns.Add(1)
		}
	}
	return ctx.Err()
}

// player returns the actor of the player at a seat, and the player's device.
func (s *simulation) player(of game.Ref, seat int) (me rights.Actor, device signing.Device) {
	me = game.PracticePlayer(of, seat)
	device = signing.NewDevice(sha256.Sum256(fmt.Appendf(nil, "device %d %d", s.Seed, me.Player)))
	me.Key = device.Key()
	return me, device
}

// move returns the next command of a game. A seat that is not ready gets ready or asks for its redeal; after that the
// player whose turn it is chooses from their own view.
func (s *simulation) move(snap *game.Snapshot, rng *rand.Rand) (int, engine.Command) {
	state := snap.State
	turn := state.Turn.Number
	if state.Phase == engine.PhaseDealt {
		for seat := range state.Seats {
			if state.Ready[seat] || state.Out[seat] {
				continue
			}
			if state.MayRedeal(seat) && rng.IntN(100) < redealsOften {
				return seat, engine.Redeal{Seat: seat, Turn: turn}
			}
			return seat, engine.Ready{Seat: seat, Turn: turn}
		}
	}
	seat := state.Turn.Seat
	view := engine.ViewFor(&state, seat)
	s.thinking <- struct{}{}
	var c engine.Command
	choose := func() { c = bot.Command(s.Bots.styleOf(snap.Ref.Players[seat]), view) }
	if turn%timedEvery == 0 {
		s.choosing.Add(timedEvery * int64(cputime.Of(choose)))
	} else {
		choose()
	}
	<-s.thinking
	return seat, c
}

func (s *simulation) summary(ctx context.Context, out io.Writer, took, processor time.Duration) error {
	st, err := ranking.StandingsOf(ctx, s.store, s.event.ID)
	if err != nil {
		return err
	}
	rows := make([]standingRow, len(st.Rows))
	for i, r := range st.Rows {
		rows[i] = standingRow{Place: r.Place, Name: r.Name, Player: r.Player, Wins: r.Wins, Points: r.Total,
			Games: r.Games}
	}
	printStandings(out, rows)
	played, turns := s.played.Load(), s.turns.Load()
	fmt.Fprintf(out, "\n%d players, format %s, rules %s, bots %s, seed %d: %d games, %d turns\n", s.Players, s.Format,
		s.Rules, s.Bots, s.Seed, played, turns)
	fmt.Fprintf(out, "%.1f s, %.0f games and %.0f turns per second; ", took.Seconds(), float64(played)/took.Seconds(),
		float64(turns)/took.Seconds())
	choosing := time.Duration(s.choosing.Load())
	fmt.Fprintf(out, "%.1f s of processor time, %.1f s of it (%.0f %%) choosing plays, %d µs a turn\n",
		processor.Seconds(), choosing.Seconds(), 100*choosing.Seconds()/processor.Seconds(),
		choosing.Microseconds()/max(turns, 1))
	s.ruled.print(out)
	return nil
}
