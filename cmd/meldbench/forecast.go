package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"os/signal"
	"slices"

	"meldhall/cmd/internal/prepare"
	"meldhall/engine"
	"meldhall/engine/bot"
	"meldhall/engine/ruleset"
	"meldhall/tournament/game/record"
)

// forecastCmd is the command meldbench forecast.
type forecastCmd struct {
	Events int    `help:"Number of events to play." default:"10"`
	Rounds int    `help:"Rounds per event." default:"3"`
	Tables int    `help:"Tables of four per round." default:"8"`
	Games  int    `help:"Games per table and round." default:"4"`
	Rules  string `help:"The rule preset." default:"wrc"`
	Seed   uint64 `help:"The seed. Equal seeds give equal events." default:"1"`
}

// Help returns the text of meldbench forecast --help.
func (forecastCmd) Help() string {
	return `Bots play the games. The time that people take is random: each event and each player has a tempo, and each turn varies, ` +
		`up to the limit; each count takes a minute or two. The forecasts made during the event are compared with the actual end of each game and round.`
}

// Run plays the tournaments and prints how far off the forecasts were.
func (c forecastCmd) Run() error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	return c.measure(ctx, os.Stdout)
}

func (c forecastCmd) measure(ctx context.Context, out io.Writer) error {
	if c.Events < 1 || c.Rounds < 1 || c.Tables < 1 || c.Games < 1 {
		return errors.New("forecast: --events, --rounds, --tables and --games must be 1 or more")
	}
	presets, err := prepare.Presets("")
	if err != nil {
		return err
	}
	rules, err := presets.Ruleset(c.Rules, nil)
	if err != nil {
		return err
	}
	var games, rounds forecastErrors
	for n := range c.Events {
		e := &timedEvent{forecastCmd: c, rules: rules, rng: rand.New(rand.NewPCG(c.Seed, uint64(n))),
			deal: uint64(n) << 32}
		e.tempo = e.factor(eventsDiffer)
		for range seatsForecast * c.Tables {
			e.players = append(e.players, e.factor(playersDiffer))
		}
		for at := engine.Millis(0); len(e.past) < c.Rounds*c.Tables*c.Games; at += betweenRounds {
			if at, err = e.round(ctx, at, &games, &rounds); err != nil {
				return err
			}
		}
	}
	fmt.Fprintf(out,
		"%d events of %d rounds, %d tables, %d games each, rules %s; minutes, above 0: forecast too late\n", c.Events,
		c.Rounds, c.Tables, c.Games, c.Rules)
	for what, errors := range map[string]*forecastErrors{"games": &games, "rounds": &rounds} {
		if err := sampled("forecast: "+what, len(errors.took)); err != nil {
			return err
		}
	}
	games.print(out, "a game")
	rounds.print(out, "a round")
	return nil
}

// Assumptions about people: how much they differ (standard deviation of the logarithm), which share of its limit a turn
// takes, and how long counting and the deal of the next game take.
const (
	seatsForecast = 4
	eventsDiffer  = 0.25
	playersDiffer = 0.3
	turnsDiffer   = 0.6
	shareOfLimit  = 0.33
	noLimit       = 25_000.0 // ms of a turn that has no limit
	drawnShorter  = 0.7
	countTime     = 100_000.0
	betweenRounds = engine.Millis(10 * 60_000)
)

// timedEvent is a tournament that bots play at the pace of people.
type timedEvent struct {
	forecastCmd
	rules   ruleset.Ruleset
	rng     *rand.Rand
	tempo   float64
	players []float64 // the tempo of each player
	deal    uint64
	past    []timedGame // games of all tables
}

// factor returns a random factor around 1.
func (e *timedEvent) factor(spread float64) float64 { return math.Exp(e.rng.NormFloat64() * spread) }

// timedGame is a game with its times: began is when the first turn starts, counted when the next game starts or the
// round is over. pool and left are what the program has after each turn.
type timedGame struct {
	number                      int
	start, began, over, counted engine.Millis
	ends                        []engine.Millis
	pool, least, left           []int
}

// game plays a game that starts at start.
func (e *timedEvent) game(start engine.Millis, tempos []float64) (timedGame, error) {
	e.deal++
	g := timedGame{start: start}
	g.began = start + engine.Millis(float64(e.rules.StartSeconds)*1000*e.rng.Float64())
	at := g.began
	_, err := playOut(e.rules, e.styles(), prepare.Deal(e.Seed, e.deal), &choosingCost{},
		func(before, after engine.State) {
			at += e.turnTime(tempos[before.Turn.Seat], len(after.Actions.Last().Played) > 0)
			g.ends, g.pool, g.left = append(g.ends, at), append(g.pool, len(after.Pool)),
				append(g.left, after.TurnsLeft())
			g.least = append(g.least, record.LeastRack(after))
		})
	g.over = at
	g.counted = at + engine.Millis(countTime*e.factor(playersDiffer))
	return g, err
}

// turnTime returns how long a turn takes, never more than its limit.
func (e *timedEvent) turnTime(tempo float64, laid bool) engine.Millis {
	limit := float64(e.rules.TurnSeconds) * 1000
	took := noLimit
	if limit > 0 {
		took = limit * shareOfLimit
	}
	took *= e.tempo * tempo * e.factor(turnsDiffer)
	if !laid {
		took *= drawnShorter
	}
	if limit > 0 {
		took = min(took, limit)
	}
	return engine.Millis(took)
}

// forecastMoments are the shares of a game's or a round's time at which forecasts are made.
var forecastMoments = []float64{0, .25, .5, .75, .9}

// forecastErrors holds how long each item took and, by moment, how far its forecasts were off, in minutes.
type forecastErrors struct {
	took []float64
	off  [][]float64
}

func (f *forecastErrors) add(moment int, foretold, was engine.Millis) {
	if f.off == nil {
		f.off = make([][]float64, len(forecastMoments))
	}
	f.off[moment] = append(f.off[moment], minutesOf(foretold-was))
}

func minutesOf(m engine.Millis) float64 { return float64(m) / 60_000 }

// print writes a line for each moment: the mean absolute error, the mean signed error, and the 90th percentile.
func (f *forecastErrors) print(out io.Writer, what string) {
	fmt.Fprintf(out, "%s takes %.1f minutes on average, %.1f to %.1f\n", what, mean(f.took), slices.Min(f.took),
		slices.Max(f.took))
	for i, off := range f.off {
		sizes := make([]float64, len(off))
		for j, o := range off {
			sizes[j] = math.Abs(o)
		}
		slices.Sort(sizes)
		fmt.Fprintf(out, "  after %2.0f %%: off by %4.1f on average (%+.1f), 9 of 10 by less than %4.1f\n",
			100*forecastMoments[i], mean(sizes), mean(off), sizes[len(sizes)*9/10])
	}
}

func mean(all []float64) float64 {
	sum := 0.0
	for _, one := range all {
		sum += one
	}
	return sum / float64(max(len(all), 1))
}

// styles picks the bots of a game at random.
func (e *timedEvent) styles() []bot.Style {
	styles := make([]bot.Style, seatsForecast)
	for seat := range styles {
		styles[seat] = bot.Styles[e.rng.IntN(len(bot.Styles))]
	}
	return styles
}

// round plays a round from start, compares the forecasts with it, and returns when it was over.
func (e *timedEvent) round(ctx context.Context, start engine.Millis, games, rounds *forecastErrors) (engine.Millis,
	error) {
	e.rng.Shuffle(len(e.players), func(i, j int) { e.players[i], e.players[j] = e.players[j], e.players[i] })
	tables := make([][]timedGame, e.Tables)
	over := start
	for t := range tables {
		at := start
		for n := range e.Games {
			if ctx.Err() != nil {
				return 0, ctx.Err()
			}
			g, err := e.game(at, e.players[seatsForecast*t:seatsForecast*(t+1)])
			if err != nil {
				return 0, err
			}
			g.number = n + 1
			tables[t], at = append(tables[t], g), g.counted
		}
		over = max(over, at)
	}
	earlier := len(e.past)
	for _, table := range tables {
		e.past = append(e.past, table...)
	}
	for i, share := range forecastMoments {
		at := start + engine.Millis(share*float64(over-start))
		var open []record.Pace
		for _, table := range tables {
			if pace, ok := e.paceAt(table, at); ok {
				open = append(open, pace)
			}
		}
		rounds.add(i, record.LastOver(open), over)
	}
	rounds.took = append(rounds.took, minutesOf(over-start))
	for _, g := range e.past[earlier:] {
		for i, share := range forecastMoments {
			at := g.start + engine.Millis(share*float64(g.over-g.start))
			games.add(i, record.NewPace(g.sampleAt(at, 0), e.typicalAt(at), at).GameEnds, g.over)
		}
		games.took = append(games.took, minutesOf(g.over-g.start))
	}
	return over, nil
}

// paceAt returns a table's pace at a moment, as the server would show it; ok is false if the table has finished.
func (e *timedEvent) paceAt(table []timedGame, at engine.Millis) (pace record.Pace, ok bool) {
	var own record.Measured
	for _, g := range table {
		if at < g.counted {
			sample := g.sampleAt(at, len(table)-g.number)
			sample.Table = own
			return record.NewPace(sample, e.typicalAt(at), at), true
		}
		own.Games, own.Turns, own.Time = own.Games+1, own.Turns+len(g.ends), own.Time+g.over-g.start
	}
	return pace, false
}

// sampleAt returns what the server knows about a game at a moment.
func (g timedGame) sampleAt(at engine.Millis, after int) record.PaceSample {
	s := record.PaceSample{Phase: engine.PhaseDealt, Seats: seatsForecast, Pool: 106 - 14*seatsForecast, After: after}
	if at >= g.began {
		s.Phase, s.Began = engine.PhasePlaying, max(g.began, 1)
	}
	if at >= g.over {
		s.Phase = engine.PhaseOver
	}
	for n, end := range g.ends {
		if end <= at {
			s.Ends, s.Pool, s.Least, s.Left = g.ends[:n+1], g.pool[n], g.least[n], g.left[n]
		}
	}
	return s
}

// typicalAt returns the typical game of the tournament, measured from the games finished by a moment.
func (e *timedEvent) typicalAt(at engine.Millis) record.Typical {
	var m record.Measured
	for _, g := range e.past {
		if g.over <= at {
			m.Games, m.Turns, m.Time = m.Games+1, m.Turns+len(g.ends), m.Time+g.over-g.start
		}
		if g.counted <= at && g.number < e.Games {
			m.Gaps, m.GapTime = m.Gaps+1, m.GapTime+g.counted-g.over
		}
	}
	return record.TypicalOf(m, seatsForecast, e.rules.TurnSeconds)
}
