// Package standing ranks players by results. It is pure, and all sums are integers: points and wins are counted in
// twelfths, so that shared ones add up exactly. The order of the results does not matter.
package standing

import (
	"cmp"
	"slices"

	"meldhall/engine/ruleset"
	"meldhall/engine/score"
	"meldhall/tournament/format"
)

// Player is a ranked player.
type Player struct {
	ID        int64
	Number    int // start number; orders players who share a place
	Withdrawn bool
	// A disqualified player ranks after all others and does not advance.
	Disqualified bool
}

// Line is what one player scored in one game. Game, Table, Order and Turn matter only for table points, bonuses and
// tie-breaks; otherwise they are 0.
type Line struct {
	Player      int64
	Round       int // number in the tournament, from 1
	Stage       int // from 0
	Game        int64
	Table       int64 // of the game; a table of another round has another ID
	Order       int   // the game's number at its table, from 1
	Turn        int   // the player's position in the turn order, from 0
	PlayOff     int   // number of the play-off in the stage, from 1, which only orders ties; 0: none
	Wins        score.Twelfth
	Points      score.Twelfth
	Provisional bool
}

// Penalty takes points off a player's total, apart from any game. It is given in a round, so that it counts where that
// round's results count. Round 0 is before the first one. Points are positive.
type Penalty struct {
	Player int64
	Round  int
	Stage  int
	Points score.Twelfth
}

// Lot is a lot among players tied at the cut before a stage, or at the end if Stage is the number of stages. Drawn is
// the resulting order.
type Lot struct {
	Stage int
	Drawn []int64
}

// Stage is a part of the tournament. Entrants of the first one are all players; FirstRound is the number of its first
// round. Stages that are not drawn yet are left out. Carry says what counts from earlier stages (format.CarryAll, …).
// Lowest means that points are penalties: the fewest win a game.
type Stage struct {
	FirstRound int
	Entrants   []int64
	Carry      string
	Scoring    format.Scoring
	Lowest     bool
}

// Input is all input of the ranking. Method is the rule set's standings field, for stages whose scoring names no
// ranking. Penalties are added if the lowest total wins, else subtracted. Lots are in the order drawn.
type Input struct {
	Method    string
	Players   []Player
	Stages    []Stage
	Lines     []Line
	Penalties []Penalty
	Lots      []Lot
}

// Row is one player's standing. Tied players share Place: 1, 2, 2, 4. Stage is the last one that the player reached.
// Games, Wins, TablePoints and Points are those that count there; Points are from games alone, with bonuses and caps.
// Carried is half of the previous stage, if that is carried over. Penalties are the penalty points that count there.
// Total is what ranks: Carried plus Points, minus Penalties, or plus Penalties if the lowest total wins. LastWins,
// LastPoints and LastTable are the newest round's part. Move is how many places were gained (positive) or lost since
// the previous round. Reason is what separates the row from the one above.
type Row struct {
	Place       int
	Player      int64
	Stage       int
	Games       int
	Wins        score.Twelfth
	TablePoints score.Twelfth
	Carried     score.Twelfth
	Points      score.Twelfth
	Penalties   score.Twelfth
	Total       score.Twelfth
	LastWins    score.Twelfth
	LastPoints  score.Twelfth
	LastTable   score.Twelfth // table points
	LastPlayed  bool
	Provisional bool
	Withdrawn   bool
	Move        int
	HasMove     bool // there was a previous round
	Reason      Reason

	Disqualified bool
}

// Rank returns all players' standings, best first. Players who reached a later stage rank above those who did not;
// within a stage its scoring decides. Tied players share the place, ordered by start number. Players without a game
// rank after those with one. Disqualified players rank last, whatever the stage.
func Rank(in Input) []Row {
	rows := RankUnmoved(in)
	AddMoves(in, rows)
	return rows
}

// RankUnmoved is Rank without moves, which would double the time.
func RankUnmoved(in Input) []Row {
	lastRegular := 0
	for _, l := range in.Lines {
		if l.PlayOff == 0 {
			lastRegular = max(lastRegular, l.Round)
		}
	}
	lines := scoreLines(in)
	rows := rank(in, lines)
	at := make(map[int64]*Row, len(rows))
	for i := range rows {
		at[rows[i].Player] = &rows[i]
	}
	for _, l := range lines {
		if r := at[l.Player]; r != nil && l.Round == lastRegular && l.PlayOff == 0 {
			r.LastPlayed = true
			r.LastWins += l.Wins
			r.LastPoints += l.Points
			r.LastTable += l.tablePoints
		}
	}
	return rows
}

// CompareLast orders two rows by their scores in the newest round, which is of the given stage. It is negative if a did
// better by what the stage ranks by.
func (in Input) CompareLast(stage int, a, b Row) int {
	wins, points := cmp.Compare(b.LastWins, a.LastWins), cmp.Compare(b.LastPoints, a.LastPoints)
	ranking := in.ranking(stage)
	if ranking == ruleset.LowestPoints {
		points = -points
	}
	switch ranking {
	case ruleset.ByPoints, ruleset.LowestPoints:
		return cmp.Or(points, wins)
	case format.ByTablePoints:
		return cmp.Or(cmp.Compare(b.LastTable, a.LastTable), points, wins)
	}
	return cmp.Or(wins, points)
}

// AddMoves sets how many places each row has gained or lost since the previous round.
func AddMoves(in Input, rows []Row) {
	last := 0
	for _, l := range in.Lines {
		last = max(last, l.Round)
	}
	before := in.Through(last - 1)
	if len(before.Lines) == 0 {
		return
	}
	places := map[int64]int{}
	for _, r := range rank(before, scoreLines(before)) {
		places[r.Player] = r.Place
	}
	for i := range rows {
		rows[i].Move = places[rows[i].Player] - rows[i].Place
		rows[i].HasMove = true
	}
}

// Through returns the input as of the end of a round, with corrections made since but without later rounds. It omits
// lots.
func (in Input) Through(round int) Input {
	out := Input{Method: in.Method, Players: in.Players}
	for _, l := range in.Lines {
		if l.Round <= round {
			out.Lines = append(out.Lines, l)
		}
	}
	for _, p := range in.Penalties {
		if p.Round <= round {
			out.Penalties = append(out.Penalties, p)
		}
	}
	for i, s := range in.Stages {
		if i == 0 || s.FirstRound <= round {
			out.Stages = append(out.Stages, s)
		}
	}
	return out
}

// rank ranks all players, without the newest round's part and the moves.
func rank(in Input, lines []line) []Row {
	reached := map[int64]int{}
	for s, stage := range in.Stages {
		for _, p := range stage.Entrants {
			reached[p] = s
		}
	}
	var rows []Row
	for _, out := range []bool{false, true} {
		for s := max(len(in.Stages)-1, 0); s >= 0; s-- {
			var players []Player
			for _, p := range in.Players {
				if reached[p.ID] == s && p.Disqualified == out {
					players = append(players, p)
				}
			}
			part := rankStage(in, lines, s, players)
			for i := range part {
				part[i].Place += len(rows)
			}
			if len(part) > 0 && len(rows) > 0 {
				part[0].Reason = Reason{Key: ByStage}
				if out && !rows[len(rows)-1].Disqualified {
					part[0].Reason.Key = ByDisqualification
				}
			}
			rows = append(rows, part...)
		}
	}
	return rows
}

// Among ranks some of the players among themselves, such as a division: by the same games, and by play-offs and lots
// among them even if others tie with them overall. It omits moves and the newest round's part.
func (in Input) Among(some func(player int64) bool) []Row {
	in.Players = slices.DeleteFunc(slices.Clone(in.Players), func(p Player) bool { return !some(p.ID) })
	in.Lots = slices.Clone(in.Lots)
	for i, lot := range in.Lots {
		in.Lots[i].Drawn = slices.DeleteFunc(slices.Clone(lot.Drawn), func(player int64) bool { return !some(player) })
	}
	return rank(in, scoreLines(in))
}

// stageAt returns a stage, or the zero Stage if it does not exist.
func (in Input) stageAt(stage int) Stage {
	if stage < len(in.Stages) {
		return in.Stages[stage]
	}
	return Stage{}
}

// ranking returns the name of a stage's ranking.
func (in Input) ranking(stage int) string {
	return cmp.Or(in.stageAt(stage).Scoring.Ranking, in.Method)
}

// tally is a row being computed, with the input of its tie-breaks.
type tally struct {
	Row
	number    int
	games     []score.Twelfth // points of each game, best first
	opponents score.Twelfth
	reached   int // when the required wins were reached, increasing; 0: not yet
	turn      int
	playOffs  map[int][2]score.Twelfth
}

// rankStage ranks players by what counts in a stage.
func rankStage(in Input, lines []line, stage int, players []Player) []Row {
	all := tallies(in, lines, stage, players)
	slices.SortFunc(all, func(a, b *tally) int { return cmp.Compare(a.number, b.number) })
	keys := keysOf(in, stage, all)
	rows := make([]Row, 0, len(all))
	refine(all, keys, Reason{}, func(tied []*tally, why Reason) {
		place := len(rows) + 1
		for i, t := range tied {
			t.Place, t.Reason = place, why
			if i > 0 {
				t.Reason = Reason{Key: Shared}
			}
			rows = append(rows, t.Row)
		}
	})
	return rows
}

// tallies adds up what counts for players in a stage.
func tallies(in Input, lines []line, stage int, players []Player) []*tally {
	from := stage
	for from > 0 && in.stageAt(from).Carry == format.CarryAll {
		from--
	}
	by := make(map[int64]*tally, len(players))
	all := make([]*tally, len(players))
	for i, p := range players {
		all[i] = &tally{number: p.Number, Row: Row{Player: p.ID, Stage: stage, Withdrawn: p.Withdrawn,
			Disqualified: p.Disqualified}}
		by[p.ID] = all[i]
	}
	lowest := in.ranking(stage) == ruleset.LowestPoints
	for _, l := range lines {
		if t := by[l.Player]; t != nil && l.Stage >= from && l.Stage <= stage {
			t.add(l, stage, in.stageAt(stage).Scoring)
		}
	}
	for _, p := range in.Penalties {
		if t := by[p.Player]; t != nil && p.Stage >= from && p.Stage <= stage {
			t.Penalties += p.Points
		}
	}
	if from > 0 && in.stageAt(from).Carry == format.CarryHalf {
		for _, before := range tallies(in, lines, from-1, players) {
			t := by[before.Player]
			t.Carried, t.Wins, t.TablePoints = half(before.Total), t.Wins+(before.Wins+1)/2,
				t.TablePoints+half(before.TablePoints)
		}
	}
	for _, t := range all {
		slices.SortFunc(t.games, func(a, b score.Twelfth) int { return better(lowest, a, b) })
		t.Total = t.Carried + t.Points - t.Penalties
		if lowest {
			t.Total = t.Carried + t.Points + t.Penalties
		}
	}
	return all
}

// add counts one game.
func (t *tally) add(l line, stage int, scoring format.Scoring) {
	t.Provisional = t.Provisional || l.Provisional
	if l.PlayOff > 0 {
		if l.Stage == stage {
			if t.playOffs == nil {
				t.playOffs = map[int][2]score.Twelfth{}
			}
			was := t.playOffs[l.PlayOff]
			t.playOffs[l.PlayOff] = [2]score.Twelfth{was[0] + l.Wins, was[1] + l.Points}
		}
		return
	}
	t.Games++
	t.Wins += l.Wins
	t.Points += l.Points
	t.TablePoints += l.tablePoints
	t.opponents += l.opponents
	t.games = append(t.games, l.Points)
	if t.reached == 0 && scoring.FirstTo > 0 && t.Wins >= score.Whole(scoring.FirstTo) {
		t.reached = l.Round<<8 + l.Order
	}
	if l.Stage == stage && (l.Order <= 1 || t.Games == 1) {
		t.turn = l.Turn
	}
}

// half returns half of an amount, rounded up to whole points.
func half(t score.Twelfth) score.Twelfth {
	const two = 24
	up := t / two
	if t%two > 0 {
		up++
	}
	return up * 12
}

func better(lowest bool, a, b score.Twelfth) int {
	if lowest {
		return cmp.Compare(a, b)
	}
	return cmp.Compare(b, a)
}
