package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"time"

	"meldhall/tournament/format"
	"meldhall/tournament/pairing"
)

// seatsCmd is the command meldbench seats.
type seatsCmd struct {
	Seeds int `help:"Number of events, drawn round by round by standing, for the mean." default:"50"`
}

// Run prints the quality of the seating for many tournament sizes, beside the counting bound.
func (c seatsCmd) Run() error { return printSeatTable(os.Stdout, c.Seeds) }

// seatTable lists the tournaments to seat, with the most extra meetings that a plan may have (issue 6); -1 sets no
// limit.
var seatTable = []struct{ players, rounds, goal int }{
	{16, 5, 0}, {16, 8, 72}, {16, 10, -1}, {20, 5, 0}, {20, 6, 13}, {24, 6, 0}, {24, 8, 30}, {32, 8, 0}, {32, 9, 0},
	{32, 10, -1}, {33, 5, 0}, {37, 6, 0},
	{48, 8, 0}, {61, 4, -1}, {64, 8, 0}, {100, 8, 0}, {200, 8, 0},
}

// printSeatTable seats each tournament and prints the result.
func printSeatTable(out io.Writer, seeds int) error {
	if seeds < 1 {
		return errors.New("seats: --seeds must be 1 or more")
	}
	fmt.Fprintln(out,
		"the whole event planned at once\nplayers rounds   goal  extra  bound  in a row  most  threes      uneven seats   same country   seconds")
	for _, row := range seatTable {
		began := time.Now()
		q := seatRequest(row.players, row.rounds, pairing.Plan, 1)
		for i := range q.Players {
			q.Players[i].Country = fmt.Sprint(i % max(1, row.players/4)) // four from each country
		}
		got, err := pairing.Seat(q)
		if err != nil {
			return err
		}
		rep, goal := got.Report, "-"
		if row.goal >= 0 {
			goal = fmt.Sprint(row.goal)
		}
		fmt.Fprintf(out, "%7d %6d %6s %6d %6d %9d %5d  %-11s %12d %14d %9.2f\n", row.players, row.rounds, goal,
			rep.Extra, rep.Bound,
			rep.Cost.Consecutive, mostOf(rep.PairsMet), spread(rep.Threes), rep.Uneven, rep.Cost.Wishes,
			time.Since(began).Seconds())
	}
	if err := printPlans(out); err != nil {
		return err
	}
	fmt.Fprintf(out,
		"\nround by round by standing, mean of %d events\nplayers rounds  extra  in a row  most  fullest table ÷ mean  uneven seats  range of places  most seconds a round\n", seeds)
	for _, row := range [][2]int{{32, 8}, {64, 8}, {200, 8}} {
		s := standingsSeason{players: row[0], rounds: row[1]}
		for seed := range min(seeds, max(2, 50*32/row[0])) {
			if err := s.play(uint64(seed)); err != nil {
				return err
			}
		}
		s.print(out)
	}
	return nil
}

// planTable lists tournaments for which plans without repeated meetings are known, or with as few as counting allows,
// and some that do not reach that bound.
var planTable = [][2]int{{16, 5}, {24, 7}, {28, 9}, {32, 10}, {36, 11}, {40, 13}, {44, 14}, {48, 15}, {52, 17},
	{56, 18}, {60, 19}, {64, 21}, {76, 25},
	{88, 29}, {100, 33}, {10, 3}, {11, 3}, {13, 4}, {14, 4}, {15, 5}, {17, 5}, {18, 5}, {19, 5}, {20, 6}, {25, 7},
	{29, 8}, {30, 9}, {31, 9}, {31, 10}}

// planSeeds is how many seeds the table summarizes per tournament.
const planSeeds = 12

// printPlans plans each tournament with many seeds, and prints the best and the worst results beside the bounds.
func printPlans(out io.Writer) error {
	fmt.Fprintf(out, "\nevents planned at once with %d seeds each: the least and the most found\n"+
		"players rounds  bound  extra  in a row  at three  after again (bound)  seconds\n", planSeeds)
	for _, row := range planTable {
		var extra, inRow, after, low, high []int
		var rep pairing.Report
		began := time.Now()
		for seed := range int64(planSeeds) {
			got, err := pairing.Seat(seatRequest(row[0], row[1], pairing.Plan, seed+1))
			if err != nil {
				return err
			}
			rep = got.Report
			extra, inRow, after = append(extra, rep.Extra), append(inRow, int(rep.Cost.Consecutive)),
				append(after, rep.After)
			times := slices.Sorted(maps.Keys(rep.Threes))
			low, high = append(low, times[0]), append(high, times[len(times)-1])
		}
		fmt.Fprintf(out, "%7d %6d %6d %6s %9s %9s %14s (%d) %12.2f\n", row[0], row[1], rep.Bound, between(extra),
			between(inRow),
			fmt.Sprintf("%d–%d", slices.Min(low), slices.Max(high)), between(after), rep.AfterMin,
			time.Since(began).Seconds()/planSeeds)
	}
	return nil
}

// between returns the range of some numbers, or the number if all are equal.
func between(numbers []int) string {
	if low, high := slices.Min(numbers), slices.Max(numbers); low != high {
		return fmt.Sprintf("%d–%d", low, high)
	}
	return fmt.Sprint(numbers[0])
}

func seatRequest(players, rounds int, method string, seed int64) pairing.Request {
	sizes, _ := format.Tables(players)
	q := pairing.Request{Method: method, Sizes: sizes, Rounds: rounds, Seed: seed}
	for i := range players {
		q.Players = append(q.Players, pairing.Player{ID: int64(i), Number: i + 1})
	}
	return q
}

func mostOf(counts map[int]int) (most int) {
	for k, n := range counts {
		if n > 0 {
			most = max(most, k)
		}
	}
	return most
}

// spread lists how many players sat how often at a table of three, as 21×1 12×2.
func spread(threes map[int]int) (text string) {
	for k := range mostOf(threes) + 1 {
		if n := threes[k]; n > 0 && len(threes) > 1 {
			text += fmt.Sprintf("%d×%d ", n, k)
		}
	}
	return text
}

// standingsSeason accumulates tournaments that are drawn by standings before every round. Strengths have a standard
// deviation of 0.7 and luck of 1; a table scores 4-3-1-0.
type standingsSeason struct {
	players, rounds      int
	events               int
	extra, inRow, uneven int
	most                 int
	perTable             []int
	ranges               float64
	slowest              time.Duration
}

func (s *standingsSeason) play(seed uint64) error {
	rng := rand.New(rand.NewPCG(seed, 6))
	q := seatRequest(s.players, 1, pairing.Standings, int64(seed))
	skill, points := make([]float64, s.players), make([]float64, s.players)
	for i := range skill {
		skill[i] = rng.NormFloat64() * 0.7
	}
	s.perTable = slices.Grow(s.perTable, len(q.Sizes))[:len(q.Sizes)]
	var rep pairing.Report
	for r := range s.rounds {
		slices.SortStableFunc(q.Players, func(a, b pairing.Player) int {
			return cmp.Compare(points[b.ID],
				points[a.ID])
		})
		for i := range q.Players {
			q.Players[i].Place = i + 1
			if i > 0 && points[q.Players[i].ID] == points[q.Players[i-1].ID] {
				q.Players[i].Place = q.Players[i-1].Place
			}
		}
		began := time.Now()
		got, err := pairing.Seat(q)
		if err != nil {
			return err
		}
		s.slowest, rep = max(s.slowest, time.Since(began)), got.Report
		for t, why := range rep.Why[0] {
			s.perTable[t] += len(why.Repeats)
			for _, m := range why.Repeats {
				if m.InRow {
					s.inRow++
				}
			}
			if r > 0 {
				s.ranges += float64(why.To-why.From) / float64((s.rounds-1)*len(q.Sizes))
			}
		}
		for _, table := range got.Rounds[0] {
			luck := map[int64]float64{}
			for _, p := range table {
				luck[p] = skill[p] + rng.NormFloat64()
			}
			order := slices.Clone(table)
			slices.SortFunc(order, func(a, b int64) int { return cmp.Compare(luck[b], luck[a]) })
			for i, p := range order {
				points[p] += []float64{4, 3, 1, 0}[i]
			}
		}
		q.History = append(q.History, got.Rounds[0])
	}
	s.events++
	s.extra, s.uneven, s.most = s.extra+rep.Extra, s.uneven+rep.Uneven, max(s.most, mostOf(rep.PairsMet))
	return nil
}

// fullest returns the ratio of the most repeated meetings at one table to the mean of all tables.
func (s *standingsSeason) fullest() float64 {
	sum := 0
	for _, n := range s.perTable {
		sum += n
	}
	if sum == 0 {
		return 0
	}
	return float64(slices.Max(s.perTable)*len(s.perTable)) / float64(sum)
}

func (s *standingsSeason) print(out io.Writer) {
	n := float64(s.events)
	fmt.Fprintf(out, "%7d %6d %6.2f %9d %5d %21.2f %13.1f %16.1f %21.2f   (%d events)\n", s.players, s.rounds,
		float64(s.extra)/n, s.inRow, s.most,
		s.fullest(), float64(s.uneven)/n, s.ranges/n, s.slowest.Seconds(), s.events)
}
