package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"meldhall/cmd/internal/cputime"
	"meldhall/cmd/internal/prepare"
	"meldhall/engine"
	"meldhall/engine/bot"
	"meldhall/engine/ruleset"
	"meldhall/engine/score"
)

// ladderCmd is the command meldbench ladder.
type ladderCmd struct {
	Games   int    `help:"Number of games over all contests, rounded down to whole deals." default:"2000"`
	Rules   string `help:"The rule preset." default:"wrc"`
	Seed    uint64 `help:"The seed. Equal seeds give equal figures, for any number of workers." default:"1"`
	Workers int    `help:"Number of games played in parallel." default:"2"`
	Presets string `help:"A folder with your own rules/*.json and formats/*.json." type:"existingdir"`
}

// Run measures the bots' relative strength.
func (c ladderCmd) Run() error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	return c.climb(ctx, os.Stdout)
}

// contest is one comparison. Each deal is played once with each lineup, so that every style plays every hand and the
// luck of the tiles cancels out.
type contest struct {
	name    string
	lineups func(deal int) [][]bot.Style
	games   int // per deal
	deals   int
	tallies []tally // by deal
}

// tally holds the results of one deal for each style: its seats' wins and points, and the number of its seats.
type tally [3]struct{ wins, points, seats float64 }

func (c ladderCmd) climb(ctx context.Context, out io.Writer) error {
	presets, err := prepare.Presets(c.Presets)
	if err != nil {
		return err
	}
	rules, err := presets.Ruleset(c.Rules, nil)
	if err != nil {
		return err
	}
	contests := allContests(c.Games)
	if c.Workers < 1 || contests[len(contests)-1].deals < 2 {
		return errors.New("ladder: --workers must be 1 or more, --games 36 or more")
	}
	var cost choosingCost
	began := time.Now()
	if err := c.playContests(ctx, rules, contests, &cost); err != nil {
		return err
	}
	games := 0
	for _, k := range contests {
		games += k.games * k.deals
	}
	fmt.Fprintf(out, "%d games, rules %s, seed %d; ± and ranges are 95 %% confidence, by deals\n", games, c.Rules,
		c.Seed)
	printMixed(out, contests[0])
	printPairs(out, contests[1:])
	fmt.Fprintf(out, "\n%.1f s; choosing took %s\n", time.Since(began).Seconds(), &cost)
	return nil
}

// allContests divides the games: a third at mixed tables of four, a third between pairs of styles at tables of four,
// and a third at tables of two.
func allContests(games int) []*contest {
	mixedTables := &contest{name: "mixed", lineups: mixedLineups, games: 4, deals: games / 3 / 4}
	contests := []*contest{mixedTables}
	for _, seats := range []int{4, 2} {
		for a := len(bot.Styles) - 1; a > 0; a-- {
			for b := a - 1; b >= 0; b-- {
				contests = append(contests, pairContest(bot.Styles[a], bot.Styles[b], seats, games/18))
			}
		}
	}
	for _, k := range contests {
		k.tallies = make([]tally, max(k.deals, 0))
	}
	return contests
}

// mixedLineups seats all styles, one of them twice, which changes with the deal. The lineup then moves on seat by seat.
func mixedLineups(deal int) [][]bot.Style {
	twice := bot.Styles[deal%len(bot.Styles)]
	lineups := make([][]bot.Style, 4)
	for moved := range lineups {
		lineups[moved] = make([]bot.Style, 4)
		for seat, style := range append([]bot.Style{twice}, bot.Styles...) {
			// vary by deal whether the two seats with the repeated style are adjacent or opposite
			if deal/len(bot.Styles)%2 == 1 {
				seat = []int{0, 2, 3, 1}[seat]
			}
			lineups[moved][(seat+moved)%4] = style
		}
	}
	return lineups
}

// pairContest seats two styles alternately, and then the other way round.
func pairContest(a, b bot.Style, seats, deals int) *contest {
	lineup := func(styles ...bot.Style) []bot.Style {
		return []bot.Style{styles[0], styles[1], styles[0], styles[1]}[:seats]
	}
	both := [][]bot.Style{lineup(a, b), lineup(b, a)}
	return &contest{
		name:    fmt.Sprintf("%-6s : %-6s  %d seats", a, b, seats),
		lineups: func(int) [][]bot.Style { return both },
		games:   2, deals: deals,
	}
}

// playContests plays every deal of every contest.
func (c ladderCmd) playContests(ctx context.Context, rules ruleset.Ruleset, contests []*contest,
	cost *choosingCost) error {
	type task struct {
		contest *contest
		deal    int
		number  uint64 // index of the deal within the seed
	}
	tasks := make(chan task)
	errs := make([]error, c.Workers)
	var all sync.WaitGroup
	for w := range c.Workers {
		all.Go(func() {
			for t := range tasks {
				deal := prepare.Deal(c.Seed, t.number)
				for _, lineup := range t.contest.lineups(t.deal) {
					outcome, err := playOut(rules, lineup, deal, cost, nil)
					errs[w] = errors.Join(errs[w], err)
					if err == nil {
						t.contest.tallies[t.deal].add(lineup, outcome)
					}
				}
			}
		})
	}
	for i, k := range contests {
		for deal := range k.deals {
			if ctx.Err() == nil {
				tasks <- task{k, deal, uint64(i+1)<<32 | uint64(deal)}
			}
		}
	}
	close(tasks)
	all.Wait()
	return errors.Join(append(errs, ctx.Err())...)
}

func (t *tally) add(lineup []bot.Style, o score.Outcome) {
	for seat, style := range lineup {
		s := &t[style]
		s.wins += float64(o.Wins[seat]) / float64(score.Whole(1))
		s.points += float64(o.Points[seat]) / float64(score.Whole(1))
		s.seats++
	}
}

// playOut plays a game from its deal to its end with the engine alone, without database or clock. Seat 0 starts. After
// each turn tell, if set, receives the states before and after it.
func playOut(rules ruleset.Ruleset, lineup []bot.Style, deal engine.Deal, cost *choosingCost,
	tell func(before, after engine.State)) (score.Outcome, error) {
	var s engine.State
	do := func(c engine.Command) error {
		events, err := engine.Decide(&s, c, false, time.UnixMilli(0))
		for _, e := range events {
			s = engine.Apply(s, e)
		}
		return err
	}
	if err := do(engine.Start{Rules: rules, Seats: len(lineup), First: 0, Deal: deal}); err != nil {
		return score.Outcome{}, err
	}
	for seat := range lineup {
		if err := do(engine.Ready{Seat: seat, Turn: s.Turn.Number}); err != nil {
			return score.Outcome{}, err
		}
	}
	for s.Phase != engine.PhaseOver {
		seat, before := s.Turn.Seat, s
		if err := do(cost.choose(lineup[seat], engine.ViewFor(&s, seat))); err != nil {
			return score.Outcome{}, fmt.Errorf("%s in turn %d: %w", lineup[seat], s.Turn.Number, err)
		}
		if tell != nil {
			tell(before, s)
		}
	}
	return s.End.Outcome, nil
}

// choosingCost is the processor time that each style spent on its turns.
type choosingCost [3]struct{ spent, turns atomic.Int64 }

// choose lets a style choose a command, and adds the time it took.
func (c *choosingCost) choose(style bot.Style, v engine.View) engine.Command {
	var chosen engine.Command
	c[style].spent.Add(int64(cputime.Of(func() { chosen = bot.Command(style, v) })))
	c[style].turns.Add(1)
	return chosen
}

// String returns the mean time of each style.
func (c *choosingCost) String() string {
	var parts []string
	for _, style := range bot.Styles {
		mean := time.Duration(c[style].spent.Load() / max(c[style].turns.Load(), 1))
		parts = append(parts, fmt.Sprintf("%s %d µs", style, mean.Microseconds()))
	}
	return strings.Join(parts, ", ") + " of processor time a turn"
}
