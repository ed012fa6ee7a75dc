package main

import (
	"fmt"
	"io"
	"math"

	"meldhall/engine/bot"
)

// estimate is a mean of independent values, one per deal.
type estimate struct{ n, sum, squares float64 }

func (e *estimate) add(x float64) {
	e.n++
	e.sum += x
	e.squares += x * x
}

func (e *estimate) mean() float64 { return e.sum / e.n }

// margin returns half the width of the 95 % confidence interval.
func (e *estimate) margin() float64 {
	variance := (e.squares - e.sum*e.sum/e.n) / (e.n - 1)
	return 1.96 * math.Sqrt(max(variance, 0)/e.n)
}

// range95 returns the confidence interval of a share by Wilson's formula. The number of independent games follows from
// the variance between deals. If all deals came out alike, each counts as perDeal games.
func (e *estimate) range95(perDeal int) (low, high float64) {
	const z2 = 1.96 * 1.96
	p, n := e.mean(), e.n*float64(perDeal)
	if half := e.margin(); half > 0 {
		n = min(n, p*(1-p)*z2/(half*half))
	}
	middle := (p + z2/(2*n)) / (1 + z2/n)
	half := math.Sqrt(z2*p*(1-p)/n+z2*z2/(4*n*n)) / (1 + z2/n)
	return middle - half, middle + half
}

// elo returns the difference in strength that corresponds to a share of wins, on the scale where 400 means odds of ten
// to one.
func elo(share float64) float64 {
	return 400 * math.Log10(share/(1-share))
}

func eloRange(low, high float64) string {
	if high > 1-1e-9 {
		return fmt.Sprintf("%+.0f or more", elo(low))
	}
	return fmt.Sprintf("%+.0f to %+.0f", elo(low), elo(high))
}

// printMixed prints the tables of four where all styles meet, as each seat's share of the wins; 25 % among equals.
func printMixed(out io.Writer, c *contest) {
	fmt.Fprintf(out, "\nAll styles at tables of four: %d deals, each %d times with rotated seats\n", c.deals,
		c.games)
	fmt.Fprintf(out, "  %-8s %-18s %s\n", "", "wins of a seat", "points of a game")
	for i := len(bot.Styles) - 1; i >= 0; i-- {
		var wins, points estimate
		for _, t := range c.tallies {
			wins.add(t[i].wins / t[i].seats)
			points.add(t[i].points / t[i].seats)
		}
		fmt.Fprintf(out, "  %-8s %5.1f %% ± %-8.1f %+6.1f ± %.1f\n", bot.Styles[i], 100*wins.mean(), 100*wins.margin(),
			points.mean(), points.margin())
	}
}

// printPairs prints two styles against each other. Points are those of a seat of the first style.
func printPairs(out io.Writer, contests []*contest) {
	fmt.Fprintf(out, "\nTwo styles at a table, two seats or one each: %d deals a row, both ways round\n",
		contests[0].deals)
	fmt.Fprintf(out, "  %-26s %-17s %-17s %s\n", "", "wins of the first", "points of a game", "Elo difference")
	for _, c := range contests {
		var wins, points estimate
		first := c.lineups(0)[0][0]
		for _, t := range c.tallies {
			wins.add(t[first].wins / float64(c.games))
			points.add(t[first].points / t[first].seats)
		}
		low, high := wins.range95(c.games)
		fmt.Fprintf(out, "  %-26s %5.1f %% ± %-7.1f %+6.1f ± %-8.1f %s\n", c.name,
			100*wins.mean(), 100*wins.margin(), points.mean(), points.margin(), eloRange(low, high))
	}
}
