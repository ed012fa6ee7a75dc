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
	"meldhall/tournament"
	"meldhall/tournament/door"
	"meldhall/tournament/game"
	"meldhall/tournament/storage"
)

const (
	simStall = 600 * time.Millisecond // the least that a process stands and is given back for, with what a pulse may be off
	simLasts = 70 * time.Second       // for which people play
	simDraws = 150 * time.Microsecond // what a stream takes to draw a message
	simRest  = 25 * time.Second       // after which everybody must have heard of everything
)

// TestSimulatedServer plays short runs of a whole hall on a simulated clock, disk and network, and holds each against the laws.
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
	t.Logf("%d runs, %d of them broke a law; %.1f s, %.1f s of processor", runs, all.failed, time.Since(began).Seconds(), (cputime.Process() - processor).Seconds())
	for _, name := range slices.Sorted(maps.Keys(all.counts)) {
		t.Logf("%9d %s", all.counts[name], name)
	}
}

// TestSimulationRepeats: a seed gives the same run each time, moment by moment.
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

// simCounts is what came of all runs.
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
		t.Errorf("seed %d: %s (and %d more); again: go run ./cmd/meldbench sim --seed %d --runs 1", seed, s.faults[0], len(s.faults)-1, seed)
	}
}

// simHall is the hall in which every run begins: an event of eight, its first round drawn.
type simHall struct {
	file    []byte
	event   int64
	refusal error
}

func newSimHall(t *testing.T) *simHall {
	logger, processors := slog.Default(), runtime.GOMAXPROCS(1) // with more, who of those that wake at one moment comes first is not in the seed
	slog.SetDefault(slog.New(slog.DiscardHandler))
	t.Cleanup(func() {
		slog.SetDefault(logger)
		runtime.GOMAXPROCS(processors)
	})
	h := &simHall{}
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		path := filepath.Join(dir, "hall.db")
		store, err := storage.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if h.refusal = refusalOf(store); !game.IsStorage(h.refusal) {
			t.Fatal(h.refusal)
		}
		log := game.OpenLog(store)
		games := tournament.NewGames(store, log)
		err = h.furnish(t.Context(), door.NewDesk(store, games))
		games.Close()
		log.Close()
		if err := cmp.Or(err, store.Close()); err != nil {
			t.Fatal(err)
		}
		if h.file, err = os.ReadFile(path); err != nil {
			t.Fatal(err)
		}
	})
	return h
}

func (h *simHall) furnish(ctx context.Context, desk *door.Desk) error {
	presets, err := prepare.Presets("")
	if err != nil {
		return err
	}
	n := tournament.CreateTournament{Name: "Hall"}
	if n.Format, err = presets.Format("rounds"); err != nil {
		return err
	}
	if n.Rules, err = presets.RulesetFor(n.Format, "wrc", []byte(`{"turn_seconds": 20, "start_seconds": 10}`)); err != nil {
		return err
	}
	event, err := door.Do(ctx, desk, simOrganizer, n)
	if err != nil {
		return err
	}
	h.event = event.ID
	if _, err := door.Do(ctx, desk, simOrganizer, tournament.ImportRoster{Tournament: event.ID, File: string(prepare.Roster(8))}); err != nil {
		return err
	}
	_, err = door.Do(ctx, desk, simOrganizer, tournament.PairRound{Tournament: event.ID})
	return err
}

// simulation is one run: a hall, its people and what happens to them, all from one seed.
type simulation struct {
	*rand.Rand
	ctx  context.Context
	seed uint64
	dir  string

	event   int64
	refusal error
	path    string      // of the database that the next process finds
	server  *simProcess // nil: there is none
	last    *simProcess // that was killed
	lives   int
	epoch   string

	ahead       time.Duration // of the machine's time of day
	stood       atomic.Int64  // nanoseconds for which the process has stood
	slept       atomic.Int64  // and the machine slept
	deals       atomic.Uint64
	due         []simDue
	over        bool
	keys        int
	acts        []*simAct
	pending     *simAct // of the desk
	corrections map[string][]game.ResultLine
	tables      map[int64]*simReader // who plays at a table, by what its tablet shows
	readers     []*simReader

	telling sync.Mutex // held while something is noted
	told    map[simMoment][32]byte
	outages [][2]engine.Millis
	counts  map[string]int
	faults  []string
	trace   []string
}

// simDue is something that happens at a moment.
type simDue struct {
	at time.Time
	do func()
}

func (h *simHall) run(t *testing.T, seed uint64) (s *simulation) {
	s = &simulation{Rand: rand.New(rand.NewPCG(seed, 58)), seed: seed, dir: t.TempDir(), event: h.event, refusal: h.refusal,
		corrections: map[string][]game.ResultLine{}, tables: map[int64]*simReader{}, told: map[simMoment][32]byte{}, counts: map[string]int{}}
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

// live lets things happen until the run is over, and looks at what has become of them.
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
	for was := -1; was != s.states(); time.Sleep(time.Second) { // what is on the way arrives, unless a clock runs out just then
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

// happen lets happen what is due, one after the other, until a moment.
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
		if s.server != nil && s.server.dead.Load() { // by something of its own
			s.bury()
		}
		next.do()
		synctest.Wait()
	}
	time.Sleep(time.Until(until))
	synctest.Wait()
}

// later has something happen after a while.
func (s *simulation) later(after time.Duration, do func()) {
	one := simDue{time.Now().Add(after), do}
	i, _ := slices.BinarySearchFunc(s.due, one, func(a, b simDue) int { return cmp.Or(a.at.Compare(b.at), -1) })
	s.due = slices.Insert(s.due, i, one)
}

// soon is some time within so many milliseconds, never a whole number of them: what the server does by itself happens then.
func (s *simulation) soon(most int) time.Duration {
	return time.Duration(s.IntN(most))*time.Millisecond + time.Duration(1+s.IntN(998))*time.Microsecond
}

// misfortune is what happens to the server, its disk and its network.
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
		p.plan.set(one[k], s.IntN(4) > 0, stands, tear) // one in four for whatever comes next, such as a clock that runs out
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

// sitDown has the tables of a round played.
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

// panics makes a broken law of a panic, so that its seed is named.
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

// outage notes when, by the server's clock, nobody could play.
func (s *simulation) outage(from, until engine.Millis) {
	s.telling.Lock()
	defer s.telling.Unlock()
	if from < until {
		s.outages = append(s.outages, [2]engine.Millis{from, until})
	}
}
