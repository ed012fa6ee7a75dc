// Package past provides a tournament's history, game by game, as a viewer may see it: who played whom with which
// result, the totals, and how the places developed. It reads no rows itself: a Sight filters the queries of package
// tournament.
package past

import (
	"cmp"
	"context"
	"slices"

	"meldhall/engine/score"
	"meldhall/tournament"
	"meldhall/tournament/draw"
	"meldhall/tournament/game"
	"meldhall/tournament/people"
	"meldhall/tournament/ranking"
	"meldhall/tournament/result"
	"meldhall/tournament/standing"
	"meldhall/tournament/store"
)

// Past is the part of a tournament that a viewer may see.
type Past struct {
	ranking.Standings
	Rounds   []Round // ascending; without drafts
	standIns []tournament.StandIn
}

// Round is a round with its tables and the visible results, by game.
type Round struct {
	tournament.Round
	Tables  []tournament.Table
	Results map[int64]game.Result
}

// Of reads the part of a tournament's history that sight allows.
func Of(ctx context.Context, s *store.DB, tournamentID int64, sight tournament.Sight) (p Past, err error) {
	if p.Standings, err = ranking.StandingsAt(ctx, s, tournamentID, sight.Standings); err != nil {
		return p, err
	}
	if p.standIns, err = people.StandIns(ctx, s, tournamentID); err != nil {
		return p, err
	}
	all, err := draw.Rounds(ctx, s, tournamentID)
	if err != nil {
		return p, err
	}
	for _, r := range sight.Rounds(all) {
		if r.Status == tournament.RoundDraft {
			continue
		}
		round := Round{Round: r}
		if round.Tables, err = tournament.Tables(ctx, s, r.ID); err != nil {
			return p, err
		}
		if round.Results, err = result.RoundResultsAt(ctx, s, r.ID, sight.Results); err != nil {
			return p, err
		}
		p.Rounds = append(p.Rounds, round)
	}
	slices.SortFunc(p.Rounds, func(a, b Round) int { return cmp.Compare(a.Number, b.Number) })
	return p, nil
}

// Played is a game from the point of view of one of its players.
type Played struct {
	Round  *Round
	Table  *tournament.Table
	Game   tournament.Game
	Result game.Result
	Line   game.ResultLine
}

// Annulled reports whether the game does not count.
func (g Played) Annulled() bool { return g.Result.Ending == game.EndingAnnulled }

// lineOf returns a player's line of a result, or false if there is none.
func lineOf(r game.Result, player int64) (game.ResultLine, bool) {
	at := slices.IndexFunc(r.Lines, func(l game.ResultLine) bool { return l.PlayerID == player })
	if at < 0 {
		return game.ResultLine{}, false
	}
	return r.Lines[at], true
}

// Games returns a player's games with a visible result, in the order played.
func (p Past) Games(player int64) (games []Played) {
	p.Each(func(g Played) {
		if l, ok := lineOf(g.Result, player); ok {
			g.Line = l
			games = append(games, g)
		}
	})
	return games
}

// Each calls visit for each game with a visible result. The Line of its argument is not set.
func (p Past) Each(visit func(Played)) {
	for i := range p.Rounds {
		r := &p.Rounds[i]
		for j := range r.Tables {
			for _, g := range r.Tables[j].Games {
				if result, ok := r.Results[g.ID]; ok {
					visit(Played{Round: r, Table: &r.Tables[j], Game: g, Result: result})
				}
			}
		}
	}
}

// Sum is the total of some games; annulled games do not count.
type Sum struct {
	Games        int
	Wins, Points score.Twelfth
}

// Add adds a game to the sum unless the game was annulled.
func (s *Sum) Add(g Played) {
	if !g.Annulled() {
		s.Games++
		s.Wins += g.Line.Wins
		s.Points += g.Line.Points
	}
}

// Part is a stage of a tournament, or the play-offs of a stage, which only rank players who tied.
type Part struct {
	Stage   int
	PlayOff bool
}

// PartOf returns the part of the tournament that a round belongs to.
func PartOf(r tournament.Round) Part { return Part{r.Stage, r.PlayOff > 0} }

// Parts returns the parts of the tournament that have a visible round, in the order played.
func (p Past) Parts() (parts []Part) {
	for _, r := range p.Rounds {
		if part := PartOf(r.Round); !slices.Contains(parts, part) {
			parts = append(parts, part)
		}
	}
	return parts
}

// Sums returns the totals of each player's games, grouped by key, such as a round's number or a part of the tournament.
func Sums[K comparable](p Past, key func(Round) K) map[int64]map[K]Sum {
	sums := map[int64]map[K]Sum{}
	p.Each(func(g Played) {
		for _, l := range g.Result.Lines {
			if sums[l.PlayerID] == nil {
				sums[l.PlayerID] = map[K]Sum{}
			}
			k := key(*g.Round)
			g.Line = l
			sum := sums[l.PlayerID][k]
			sum.Add(g)
			sums[l.PlayerID][k] = sum
		}
	})
	return sums
}

// Meeting sums up one player's games against another: how many there were, and in how many the player was ahead or
// behind by the game's points.
type Meeting struct{ Games, Ahead, Behind int }

// Meetings returns the meetings of all players, by player and opponent. Annulled games do not count.
func (p Past) Meetings() map[[2]int64]Meeting {
	met := map[[2]int64]Meeting{}
	p.Each(func(g Played) {
		if g.Annulled() {
			return
		}
		for _, a := range g.Result.Lines {
			for _, b := range g.Result.Lines {
				if a.Seat != b.Seat {
					pair := [2]int64{a.PlayerID, b.PlayerID}
					met[pair] = met[pair].with(p.better(g.Round.Stage, a, b))
				}
			}
		}
	})
	return met
}

func (m Meeting) with(better int) Meeting {
	m.Games++
	if better > 0 {
		m.Ahead++
	} else if better < 0 {
		m.Behind++
	}
	return m
}

// better returns a positive number if a is the better line of a game, a negative one if b is, and 0 if they are equal.
// If points are charges, fewer are better.
func (p Past) better(stage int, a, b game.ResultLine) int {
	if p.Lowest(stage) {
		return cmp.Compare(b.Points, a.Points)
	}
	return cmp.Compare(a.Points, b.Points)
}

// Lowest reports whether the points of a stage are charges, so that the fewest are best.
func (p Past) Lowest(stage int) bool {
	return stage < len(p.Input.Stages) && p.Input.Stages[stage].Lowest
}

// Between returns the games that two players played at the same table, from player's point of view, with the other's
// lines.
func (p Past) Between(player, other int64) (games []Played, theirs []game.ResultLine) {
	for _, g := range p.Games(player) {
		if l, ok := lineOf(g.Result, other); ok {
			games, theirs = append(games, g), append(theirs, l)
		}
	}
	return games, theirs
}

// Place is a player's place after a round, computed from the results as they count now.
type Place struct{ Round, Place int }

// Places returns a player's places round by round; the last is that of the standings.
func (p Past) Places(player int64) (places []Place) {
	var rounds []int
	for _, l := range p.Input.Lines {
		if !slices.Contains(rounds, l.Round) {
			rounds = append(rounds, l.Round)
		}
	}
	slices.Sort(rounds)
	for i, n := range rounds {
		rows := p.rowsAfter(n, i == len(rounds)-1)
		if at := slices.IndexFunc(rows, func(r standing.Row) bool {
			return r.Player == player &&
				r.Games > 0
		}); at >= 0 {
			places = append(places, Place{n, rows[at].Place})
		}
	}
	return places
}

func (p Past) rowsAfter(round int, newest bool) []standing.Row {
	if !newest {
		return standing.Rank(p.Input.Through(round))
	}
	rows := make([]standing.Row, len(p.Rows))
	for i, r := range p.Rows {
		rows[i] = r.Row
	}
	return rows
}

// Entry returns the name of a seat's entry, and the name of the stand-in who played a game in its place, or "".
func (p Past) Entry(seat tournament.Seat, round, number int) (name, standIn string) {
	return cmp.Or(seat.Player.For, seat.Player.Name), tournament.StandInAt(p.standIns, seat.PlayerID, round, number)
}
