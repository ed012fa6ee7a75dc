package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"

	"meldhall/engine"
	"meldhall/engine/bot"
	"meldhall/tournament/game"
)

// forecastMoments are the shares of a game's or a round's time at which it is foretold.
var forecastMoments = []float64{0, .25, .5, .75, .9}

// forecastErrors are how long something took and how far its forecasts were off, by moment, in minutes.
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

// print writes a line for each moment: the mean error with its sign, the mean size, and what nine of ten stay within.
func (f *forecastErrors) print(out io.Writer, what string) {
	fmt.Fprintf(out, "%s takes %.1f minutes on average, %.1f to %.1f\n", what, mean(f.took), slices.Min(f.took), slices.Max(f.took))
	for i, off := range f.off {
		sizes := make([]float64, len(off))
		for j, o := range off {
			sizes[j] = math.Abs(o)
		}
		slices.Sort(sizes)
		fmt.Fprintf(out, "  after %2.0f %%: off by %4.1f on average (%+.1f), 9 of 10 by less than %4.1f\n", 100*forecastMoments[i], mean(sizes), mean(off), sizes[len(sizes)*9/10])
	}
}

func mean(all []float64) float64 {
	sum := 0.0
	for _, one := range all {
		sum += one
	}
	return sum / float64(max(len(all), 1))
}

// styles are the bots of a game: mixed tables.
func (e *timedEvent) styles() []bot.Style {
	styles := make([]bot.Style, seatsForecast)
	for seat := range styles {
		styles[seat] = bot.Styles[e.rng.IntN(len(bot.Styles))]
	}
	return styles
}

// round plays a round from a moment on, holds the forecasts against it and gives when it was over.
func (e *timedEvent) round(ctx context.Context, start engine.Millis, games, rounds *forecastErrors) (engine.Millis, error) {
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
		var open []game.Pace
		for _, table := range tables {
			if pace, ok := e.paceAt(table, at); ok {
				open = append(open, pace)
			}
		}
		rounds.add(i, game.LastOver(open), over)
	}
	rounds.took = append(rounds.took, minutesOf(over-start))
	for _, g := range e.past[earlier:] {
		for i, share := range forecastMoments {
			at := g.start + engine.Millis(share*float64(g.over-g.start))
			games.add(i, game.NewPace(g.sampleAt(at, 0), e.typicalAt(at), at).GameEnds, g.over)
		}
		games.took = append(games.took, minutesOf(g.over-g.start))
	}
	return over, nil
}

// paceAt is how a table gets on at a moment, as the server tells it; ok false when it is through.
func (e *timedEvent) paceAt(table []timedGame, at engine.Millis) (pace game.Pace, ok bool) {
	var own game.Measured
	for _, g := range table {
		if at < g.counted {
			sample := g.sampleAt(at, len(table)-g.number)
			sample.Table = own
			return game.NewPace(sample, e.typicalAt(at), at), true
		}
		own.Games, own.Turns, own.Time = own.Games+1, own.Turns+len(g.ends), own.Time+g.over-g.start
	}
	return pace, false
}

// sampleAt is what the server knows of a game at a moment.
func (g timedGame) sampleAt(at engine.Millis, after int) game.PaceSample {
	s := game.PaceSample{Phase: engine.PhaseDealt, Seats: seatsForecast, Pool: 106 - 14*seatsForecast, After: after}
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

// typicalAt is a typical game of the event as the games that are over by a moment were.
func (e *timedEvent) typicalAt(at engine.Millis) game.Typical {
	var m game.Measured
	for _, g := range e.past {
		if g.over <= at {
			m.Games, m.Turns, m.Time = m.Games+1, m.Turns+len(g.ends), m.Time+g.over-g.start
		}
		if g.counted <= at && g.number < e.Games {
			m.Gaps, m.GapTime = m.Gaps+1, m.GapTime+g.counted-g.over
		}
	}
	return game.TypicalOf(m, seatsForecast, e.rules.TurnSeconds)
}
