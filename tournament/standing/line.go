package standing

import (
	"cmp"
	"slices"

	"meldhall/engine/ruleset"
	"meldhall/engine/score"
	"meldhall/tournament/format"
)

// line is a Line after caps and bonuses, with the values that depend on the whole table.
type line struct {
	Line
	tablePoints score.Twelfth
	opponents   score.Twelfth // what this game's opponents scored in their stage
}

// scoreLines scores the games in the order they were played.
func scoreLines(in Input) []line {
	order := make([]*Line, len(in.Lines)) // sort pointers: there are thousands of lines, ranked often
	for i := range in.Lines {
		order[i] = &in.Lines[i]
	}
	slices.SortFunc(order, byPlay)
	lines := make([]line, len(order))
	for i, l := range order {
		lines[i].Line = *l
	}
	games := together(lines, func(l *line) int64 { return l.Game })
	for _, game := range games {
		stage := in.stageAt(game[0].Stage)
		adjust(game, stage.Scoring, stage.Lowest)
	}
	if in.scores(func(s format.Scoring) bool { return len(s.TablePoints) > 0 }) {
		for _, game := range games {
			if stage := in.stageAt(game[0].Stage); stage.Scoring.TablePointsPer != format.PerRound {
				giveTablePoints(sums(game), stage)
			}
		}
		for _, table := range together(lines, func(l *line) int64 { return l.Table }) {
			if stage := in.stageAt(table[0].Stage); stage.Scoring.TablePointsPer == format.PerRound {
				giveTablePoints(sums(table), stage)
			}
		}
	}
	if in.scores(func(s format.Scoring) bool { return s.Has(format.TieOpponents) }) {
		addOpponents(in, lines, games)
	}
	return lines
}

// byPlay orders lines by time of play. The fields that nearly always decide are compared first, the others only if
// needed.
func byPlay(a, b *Line) int {
	if c := cmp.Compare(a.Round, b.Round); c != 0 {
		return c
	}
	if c := cmp.Compare(a.Order, b.Order); c != 0 {
		return c
	}
	if c := cmp.Compare(a.Table, b.Table); c != 0 {
		return c
	}
	return cmp.Or(cmp.Compare(a.Game, b.Game), cmp.Compare(a.Player, b.Player), cmp.Compare(a.Points, b.Points),
		cmp.Compare(a.Wins, b.Wins),
		cmp.Compare(a.Turn, b.Turn))
}

// scores reports whether the scoring of any stage satisfies so. Most tournaments have no table points and no opponents
// tie-break.
func (in Input) scores(so func(format.Scoring) bool) bool {
	return slices.ContainsFunc(in.Stages, func(s Stage) bool { return so(s.Scoring) })
}

// together groups lines by ID; lines without an ID and play-offs are left out.
func together(lines []line, id func(*line) int64) [][]*line {
	at := map[int64]int{}
	var groups [][]*line
	for i := range lines {
		l := &lines[i]
		if id(l) == 0 || l.PlayOff > 0 {
			continue
		}
		n, ok := at[id(l)]
		if !ok {
			n = len(groups)
			at[id(l)], groups = n, append(groups, nil)
		}
		groups[n] = append(groups[n], l)
	}
	return groups
}

// adjust applies a game's caps and then its bonuses. If points are penalties, a loss cap is an upper bound and a bonus
// is subtracted.
func adjust(game []*line, s format.Scoring, lowest bool) {
	if s.LossMost == 0 && s.GainMost == 0 && s.WinBonus == 0 && s.SecondBonus == 0 && !s.WinnerOnly {
		return
	}
	sign := score.Twelfth(1)
	if lowest {
		sign = -1
	}
	second := places(sums(game), lowest)[1]
	for _, l := range game {
		points := sign * l.Points
		if s.LossMost > 0 {
			points = max(points, -score.Whole(s.LossMost))
		}
		if s.GainMost > 0 {
			points = min(points, score.Whole(s.GainMost))
		}
		if s.WinnerOnly && !lowest && l.Wins == 0 {
			points = 0
		}
		l.Points = sign * (points + score.Twelfth(s.WinBonus)*l.Wins)
	}
	for _, at := range second {
		for _, l := range at.lines {
			l.Points += sign * score.Whole(s.SecondBonus) / score.Twelfth(len(second))
		}
	}
}

// sum is one player's part of a game or of all games at a table.
type sum struct {
	player int64
	points score.Twelfth
	lines  []*line
}

func sums(lines []*line) []sum {
	var all []sum
	for _, l := range lines {
		i := slices.IndexFunc(all, func(s sum) bool { return s.player == l.Player })
		if i < 0 {
			i, all = len(all), append(all, sum{player: l.Player})
		}
		all[i].points += l.Points
		all[i].lines = append(all[i].lines, l)
	}
	return all
}

// places returns the players at each place of a table, by index from 0. Tied players are at the first of their places.
func places(all []sum, lowest bool) map[int][]sum {
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b sum) int { return better(lowest, a.points, b.points) })
	at := map[int][]sum{}
	first := 0
	for i, s := range all {
		if s.points != all[first].points {
			first = i
		}
		at[first] = append(at[first], s)
	}
	return at
}

// giveTablePoints assigns the points by place at one table; tied players share the average.
func giveTablePoints(all []sum, stage Stage) {
	scale := tablePoints(stage.Scoring.TablePoints, len(all))
	if len(scale) == 0 {
		return
	}
	for first, tied := range places(all, stage.Lowest) {
		total := score.Twelfth(0)
		for i := range tied {
			if first+i < len(scale) {
				total += score.Whole(scale[first+i])
			}
		}
		for _, s := range tied {
			s.lines[len(s.lines)-1].tablePoints = total / score.Twelfth(len(tied))
		}
	}
}

// tablePoints returns the scale for a table of n players: the one of that length, else the longest.
func tablePoints(scales [][]int, n int) []int {
	var longest []int
	for _, scale := range scales {
		if len(scale) == n {
			return scale
		}
		if len(scale) > len(longest) {
			longest = scale
		}
	}
	return longest
}

// addOpponents sets on each line what its opponents scored in the stage, by what the stage ranks by: points, table
// points or wins.
func addOpponents(in Input, lines []line, games [][]*line) {
	type place struct {
		player int64
		stage  int
	}
	have := map[place]score.Twelfth{}
	worth := func(l *line) score.Twelfth {
		switch in.ranking(l.Stage) {
		case ruleset.ByPoints:
			return l.Points
		case ruleset.LowestPoints:
			return -l.Points
		case format.ByTablePoints:
			return l.tablePoints
		}
		return l.Wins
	}
	for i := range lines {
		if lines[i].PlayOff == 0 {
			have[place{lines[i].Player, lines[i].Stage}] += worth(&lines[i])
		}
	}
	for _, game := range games {
		for _, l := range game {
			for _, other := range game {
				if other.Player != l.Player {
					l.opponents += have[place{other.Player, other.Stage}]
				}
			}
		}
	}
}
