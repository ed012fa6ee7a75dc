package main

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"meldhall/cmd/internal/cputime"
	"meldhall/cmd/internal/prepare"
	"meldhall/engine"
	"meldhall/engine/testmode"
	"meldhall/tournament/action"
	"meldhall/tournament/draw"
	"meldhall/tournament/game"
	"meldhall/tournament/people"
	"meldhall/tournament/result"
	"meldhall/tournament/store"
)

const (
	simStall = 600 * time.Millisecond // shortest pause whose time is given back, with tolerance
	simLasts = 70 * time.Second       // how long people play
	simDraws = 150 * time.Microsecond // time that a stream takes to render a message
	simRest  = 25 * time.Second       // after this, every reader must be up to date
)

// TestSimulatedServer plays short runs of a whole hall on a simulated clock, disk and network, and checks each against
// the requirements.
func TestSimulatedServer(t *testing.T) {
	runs, first := 40, uint64(1)
	if testmode.Long {
		runs = 150
	}
	if n, err := strconv.Atoi(os.Getenv(simRuns)); err == nil {
		runs = n
	}
	if n, err := strconv.ParseUint(os.Getenv(simSeed), 10, 64); err == nil {
		first = n
	}
	began, processor := time.Now(), cputime.Process()
	hall := newSimHall(t)
	all := &simCounts{counts: map[string]int{}}
	for n := range uint64(runs) {
		all.add(t, first+n, hall.run(t, first+n))
	}
	t.Logf("%d runs, %d of them broke a law; %.1f s, %.1f s of processor", runs, all.failed,
		time.Since(began).Seconds(), (cputime.Process() - processor).Seconds())
	for _, name := range slices.Sorted(maps.Keys(all.counts)) {
		t.Logf("%9d %s", all.counts[name], name)
	}
}

// TestSimulationRepeats checks that a seed produces the same run each time, moment by moment.
func TestSimulationRepeats(t *testing.T) {
	hall := newSimHall(t)
	for seed := range uint64(5) {
		a, b := hall.run(t, seed), hall.run(t, seed)
		slices.Sort(a.trace)
		slices.Sort(b.trace)
		if !slices.Equal(a.trace, b.trace) {
			t.Errorf("seed %d: two runs differ: %v, %v", seed, a.counts, b.counts)
		}
		if len(a.trace) == 0 {
			t.Errorf("seed %d: nothing has happened", seed)
		}
	}
}

// simCounts adds up the outcome of all runs.
type simCounts struct {
	counts map[string]int
	failed int
}

func (c *simCounts) add(t *testing.T, seed uint64, s *simulation) {
	for name, n := range s.counts {
		c.counts[name] += n
	}
	if len(s.faults) == 0 {
		return
	}
	c.failed++
	if c.failed <= 10 {
		t.Errorf("seed %d: %s (and %d more); again: go run -C cmd/meldbench . sim --seed %d --runs 1", seed,
			s.faults[0],
			len(s.faults)-1, seed)
	}
}

// simHall is the hall in which every run starts: a tournament of eight players, whose first round is drawn.
type simHall struct {
	file         []byte
	tournamentID int64
	refusal      error
}

func newSimHall(t *testing.T) *simHall {
	// with several processors, the wake-up order is not repeatable
	logger, processors := slog.Default(), runtime.GOMAXPROCS(1)
	slog.SetDefault(slog.New(slog.DiscardHandler))
	t.Cleanup(func() {
		slog.SetDefault(logger)
		runtime.GOMAXPROCS(processors)
	})
	h := &simHall{}
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		path := filepath.Join(dir, "hall.db")
		db, err := store.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if h.refusal = refusalOf(db); !game.IsStorage(h.refusal) {
			t.Fatal(h.refusal)
		}
		log := game.OpenLog(db)
		games := result.NewGames(db, log)
		err = h.furnish(t.Context(), action.NewDesk(db, games))
		games.Close()
		log.Close()
		if err := cmp.Or(err, db.Close()); err != nil {
			t.Fatal(err)
		}
		if h.file, err = os.ReadFile(path); err != nil {
			t.Fatal(err)
		}
	})
	return h
}

func (h *simHall) furnish(ctx context.Context, desk *action.Desk) error {
	presets, err := prepare.Presets("")
	if err != nil {
		return err
	}
	n := people.CreateTournament{Name: "Hall"}
	if n.Format, err = presets.Format("rounds"); err != nil {
		return err
	}
	if n.Rules, err = presets.RulesetFor(n.Format, "wrc",
		[]byte(`{"turn_seconds": 20, "start_seconds": 10}`)); err != nil {
		return err
	}
	event, err := action.Do(ctx, desk, simOrganizer, n)
	if err != nil {
		return err
	}
	h.tournamentID = event.ID
	if _, err := action.Do(ctx, desk, simOrganizer, people.ImportRoster{Tournament: event.ID,
		File: string(prepare.Roster(8))}); err != nil {
		return err
	}
	_, err = action.Do(ctx, desk, simOrganizer, draw.PairRound{Tournament: event.ID})
	return err
}

// simulation is one run: a hall, its people and what happens to them, all from one seed.
type simulation struct {
	*rand.Rand
	ctx  context.Context
	seed uint64
	dir  string

	tournamentID int64
	refusal      error
	path         string      // database of the next process
	server       *simProcess // nil while no server is running
	last         *simProcess // the process killed last
	lives        int
	epoch        string

	ahead       time.Duration // offset of the machine's wall clock
	stood       atomic.Int64  // nanoseconds that the process was suspended
	slept       atomic.Int64  // nanoseconds that the machine slept
	deals       atomic.Uint64
	due         []simDue
	over        bool
	keys        int
	acts        []*simAct
	pending     *simAct // the desk's current act
	corrections map[string][]game.ResultLine
	tables      map[int64]*simReader // by table: the reader whose view its players use
	readers     []*simReader

	telling sync.Mutex // guards the fields below
	told    map[simMoment][32]byte
	outages [][2]engine.Millis
	counts  map[string]int
	faults  []string
	trace   []string
}

// simDue is a scheduled action.
type simDue struct {
	at time.Time
	do func()
}

func (h *simHall) run(t *testing.T, seed uint64) (s *simulation) {
	s = &simulation{Rand: rand.New(rand.NewPCG(seed, 58)), seed: seed, dir: t.TempDir(), tournamentID: h.tournamentID,
		refusal:     h.refusal,
		corrections: map[string][]game.ResultLine{}, tables: map[int64]*simReader{}, told: map[simMoment][32]byte{},
		counts: map[string]int{}}
	defer os.RemoveAll(s.dir)
	defer s.panics()
	s.path = filepath.Join(s.dir, "hall.db")
	if err := os.WriteFile(s.path, h.file, 0o600); err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		defer s.panics()
		s.ctx = t.Context()
		s.live()
	})
	return s
}

// live runs the simulation to its end and checks the outcome.
func (s *simulation) live() {
	if err := s.boot(); err != nil {
		s.broken("start: %v", err)
		return
	}
	end := time.Now().Add(simLasts)
	s.later(s.soon(1000), s.organize)
	s.later(s.soon(8000), s.misfortune)
	s.happen(end)
	s.over = true
	if s.server != nil && !s.server.dead.Load() {
		s.server.plan.drop()
	}
	s.happen(end.Add(simRest))
	// let messages in transit arrive, unless a clock runs out
	for was := -1; was != s.states(); time.Sleep(time.Second) {
		was = s.states()
		synctest.Wait()
	}
	synctest.Wait()
	if s.server == nil {
		s.broken("there is no server at the end")
		return
	}
	s.laws()
	s.server.hub.Close()
	for _, r := range s.readers {
		r.leave()
	}
	time.Sleep(2 * time.Second)
	if err := s.server.end(); err != nil {
		s.broken("stop: %v", err)
	}
}

// happen runs the actions due until a moment, one after the other.
func (s *simulation) happen(until time.Time) {
	for {
		if s.server != nil && s.server.dead.Load() {
			s.bury()
		}
		if len(s.due) == 0 || s.due[0].at.After(until) {
			break
		}
		next := s.due[0]
		s.due = s.due[1:]
		time.Sleep(time.Until(next.at))
		synctest.Wait()
		if s.server != nil && s.server.dead.Load() { // a background goroutine killed it
			s.bury()
		}
		next.do()
		synctest.Wait()
	}
	time.Sleep(time.Until(until))
	synctest.Wait()
}

// later schedules an action.
func (s *simulation) later(after time.Duration, do func()) {
	one := simDue{time.Now().Add(after), do}
	i, _ := slices.BinarySearchFunc(s.due, one, func(a, b simDue) int { return cmp.Or(a.at.Compare(b.at), -1) })
	s.due = slices.Insert(s.due, i, one)
}

// soon returns a random time within most milliseconds, never a whole millisecond, because that is when the server's own
// timers fire.
func (s *simulation) soon(most int) time.Duration {
	return time.Duration(s.IntN(most))*time.Millisecond + time.Duration(1+s.IntN(998))*time.Microsecond
}

// misfortune injects a fault of the server, its disk or its network.
func (s *simulation) misfortune() {
	if s.over {
		return
	}
	s.later(2*time.Second+s.soon(18_000), s.misfortune)
	p := s.server
	if p == nil || p.dead.Load() {
		return
	}
	if n := len(s.readers); n > 0 {
		s.readers[s.IntN(n)].lose()
	}
	one := []simFault{commitRefused, commitUnanswered, commitStands, crashBefore, crashTorn, crashAfter}
	switch k := s.IntN(12); {
	case k < len(one):
		tear, stands := s.IntN(1<<30), time.Duration(100+s.IntN(9000))*time.Millisecond
		// one in four hits the next write of any kind, such as an expiry
		p.plan.set(one[k], s.IntN(4) > 0, stands, tear)
	case k < 8:
		s.count(string(diskRefuses))
		p.plan.refuse()
		s.later(s.soon(12_000), p.plan.mend)
	case k < 10:
		s.count("process stopped")
		p.stand(time.Duration(100+s.IntN(12_000)) * time.Millisecond)
	case k < 11:
		s.count("machine asleep")
		s.slept.Add(int64(time.Second) * int64(1+s.IntN(600)))
	default:
		s.kill()
	}
}

// sitDown starts play at a round's tables.
func (s *simulation) sitDown(round int64) {
	tables, err := game.CurrentInRound(s.ctx, s.server.store, round)
	if err != nil {
		s.broken("tables: %v", err)
		return
	}
	for _, t := range tables {
		if s.tables[t.Table] != nil {
			continue
		}
		for _, lossy := range []bool{false, true} {
			r := &simReader{sim: s, table: t.Table, lossy: lossy}
			s.readers, s.tables[t.Table] = append(s.readers, r), r
			r.connect()
		}
		s.play(s.tables[t.Table])
	}
}

// panics reports a panic as a fault, so that its seed is printed.
func (s *simulation) panics() {
	if p := recover(); p != nil {
		s.broken("panic: %v\n%s", p, debug.Stack())
	}
}

func (s *simulation) count(name string) {
	s.telling.Lock()
	defer s.telling.Unlock()
	s.counts[name]++
	s.trace = append(s.trace, time.Now().Format("04:05.000000 ")+name)
}

func (s *simulation) broken(format string, args ...any) {
	s.telling.Lock()
	defer s.telling.Unlock()
	s.faults = append(s.faults, fmt.Sprintf(format, args...))
}

// outage records when, by the server's clock, play was impossible.
func (s *simulation) outage(from, until engine.Millis) {
	s.telling.Lock()
	defer s.telling.Unlock()
	if from < until {
		s.outages = append(s.outages, [2]engine.Millis{from, until})
	}
}
