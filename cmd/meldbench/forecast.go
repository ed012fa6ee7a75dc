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

	"meldhall/engine"
	"meldhall/tournament/game"
)

// forecastCmd is meldbench forecast.
type forecastCmd struct {
	Events int    `help:"How many events to play." default:"10"`
	Rounds int    `help:"Rounds of each event." default:"3"`
	Tables int    `help:"Tables of four in each round." default:"8"`
	Games  int    `help:"Games at each table of a round." default:"4"`
	Rules  string `help:"The rule preset." default:"wrc"`
	Seed   uint64 `help:"The same seed plays the same events." default:"1"`
}

// Help is shown by meldbench forecast --help.
func (forecastCmd) Help() string {
	return `Bots play the games; how long people take is drawn at random: each event has its own tempo, each player another one, each turn another time, ` +
		`never more than the limit, and each count a minute or two. What the program foretells of each game and each round, as an event goes on, is held against how it ended.`
}

// Run plays the events and prints how far the forecasts were off.
func (c forecastCmd) Run() error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	return c.measure(ctx, os.Stdout)
}

func (c forecastCmd) measure(ctx context.Context, out io.Writer) error {
	if c.Events < 1 || c.Rounds < 1 || c.Tables < 1 || c.Games < 1 {
		return errors.New("forecast: --events, --rounds, --tables and --games must be 1 or more")
	}
	presets, err := presetsWith("")
	if err != nil {
		return err
	}
	rules, err := presets.Ruleset(c.Rules, nil)
	if err != nil {
		return err
	}
	var games, rounds forecastErrors
	for n := range c.Events {
		e := &timedEvent{forecastCmd: c, rules: rules, rng: rand.New(rand.NewPCG(c.Seed, uint64(n))), deal: uint64(n) << 32}
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
	fmt.Fprintf(out, "%d events of %d rounds, %d tables, %d games each, rules %s; minutes, above 0: foretold too late\n", c.Events, c.Rounds, c.Tables, c.Games, c.Rules)
	games.print(out, "a game")
	rounds.print(out, "a round")
	return nil
}

// What is believed of people: by how much they differ (of the logarithm), how much of a turn's limit a turn takes, and how
// long a count and the deal of the next game do.
const (
	seatsForecast = 4
	eventsDiffer  = 0.25
	playersDiffer = 0.3
	turnsDiffer   = 0.6
	shareOfLimit  = 0.33
	noLimit       = 25_000.0 // ms of a turn without one
	drawnShorter  = 0.7
	countTime     = 100_000.0
	betweenRounds = engine.Millis(10 * 60_000)
)

// timedEvent is an event that bots play in people's time.
type timedEvent struct {
	forecastCmd
	rules   engine.Ruleset
	rng     *rand.Rand
	tempo   float64
	players []float64 // the tempo of each
	deal    uint64
	past    []timedGame // of all tables
}

// factor is a random factor about 1.
func (e *timedEvent) factor(spread float64) float64 { return math.Exp(e.rng.NormFloat64() * spread) }

// timedGame is a game with its times: began is the first turn's, counted when the next game begins or the round is over.
// pool and left are what the program knows after each turn.
type timedGame struct {
	number                      int
	start, began, over, counted engine.Millis
	ends                        []engine.Millis
	pool, least, left           []int
}

// game plays one from a moment on.
func (e *timedEvent) game(start engine.Millis, tempos []float64) (timedGame, error) {
	e.deal++
	g := timedGame{start: start}
	g.began = start + engine.Millis(float64(e.rules.StartSeconds)*1000*e.rng.Float64())
	at := g.began
	_, err := playOut(e.rules, e.styles(), seededDeal(e.Seed, e.deal), &choosingCost{}, func(before, after engine.State) {
		at += e.turnTime(tempos[before.Turn.Seat], len(after.Last.Played) > 0)
		g.ends, g.pool, g.left = append(g.ends, at), append(g.pool, len(after.Pool)), append(g.left, after.Turn.Left)
		g.least = append(g.least, game.LeastRack(after))
	})
	g.over = at
	g.counted = at + engine.Millis(countTime*e.factor(playersDiffer))
	return g, err
}

// turnTime is how long a turn takes, never more than its limit.
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
