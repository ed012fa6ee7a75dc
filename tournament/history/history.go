// Package history is what an event has come to, game by game, as somebody may see it: who played whom with which result, the sums of
// that, and how the places went. It reads no row itself: a Sight decides in tournament's own queries what is in it.
package history

import (
	"cmp"
	"context"
	"slices"

	"meldhall/engine"
	"meldhall/tournament"
	"meldhall/tournament/game"
	"meldhall/tournament/standing"
	"meldhall/tournament/storage"
)

// Past is an event as far as somebody sees it.
type Past struct {
	tournament.Standings
	Rounds   []Round // the first one first; never a draft
	standIns []tournament.StandIn
}

// Round is a round with its tables and the results that are seen, by game.
type Round struct {
	tournament.Round
	Tables  []tournament.Table
	Results map[int64]game.Result
}

// Of reads the past of an event for a sight.
func Of(ctx context.Context, s *storage.DB, event int64, sight tournament.Sight) (p Past, err error) {
	if p.Standings, err = tournament.StandingsAt(ctx, s, event, sight.Standings); err != nil {
		return p, err
	}
	if p.standIns, err = tournament.StandIns(ctx, s, event); err != nil {
		return p, err
	}
	all, err := tournament.Rounds(ctx, s, event)
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
		if round.Results, err = tournament.RoundResultsAt(ctx, s, r.ID, sight.Results); err != nil {
			return p, err
		}
		p.Rounds = append(p.Rounds, round)
	}
	slices.SortFunc(p.Rounds, func(a, b Round) int { return cmp.Compare(a.Number, b.Number) })
	return p, nil
}

// Played is one game as one of its players sees it.
type Played struct {
	Round  *Round
	Table  *tournament.Table
	Game   tournament.Game
	Result game.Result
	Line   game.ResultLine
}

// Annulled tells whether the game counts for nobody.
func (g Played) Annulled() bool { return g.Result.Ending == game.EndingAnnulled }

// lineOf is a player's line of a result.
func lineOf(r game.Result, player int64) (game.ResultLine, bool) {
	at := slices.IndexFunc(r.Lines, func(l game.ResultLine) bool { return l.PlayerID == player })
	if at < 0 {
		return game.ResultLine{}, false
	}
	return r.Lines[at], true
}

// Games are the games of a player of which a result is seen, in the order played.
func (p Past) Games(player int64) (games []Played) {
	p.Each(func(g Played) {
		if l, ok := lineOf(g.Result, player); ok {
			g.Line = l
			games = append(games, g)
		}
	})
	return games
}

// Each visits the games with a result, without a line.
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

// Sum is what some games come to. Annulled ones are not in it.
type Sum struct {
	Games        int
	Wins, Points engine.Twelfth
}

// Add adds a game to the sum.
func (s *Sum) Add(g Played) {
	if !g.Annulled() {
		s.Games++
		s.Wins += g.Line.Wins
		s.Points += g.Line.Points
	}
}

// Part is a stage of an event, or the play-offs of a stage, which only order those who tie.
type Part struct {
	Stage   int
	PlayOff bool
}

// PartOf is the part of the event that a round belongs to.
func PartOf(r tournament.Round) Part { return Part{r.Stage, r.PlayOff > 0} }

// Parts are the parts of the event that have begun, in the order played.
func (p Past) Parts() (parts []Part) {
	for _, r := range p.Rounds {
		if part := PartOf(r.Round); !slices.Contains(parts, part) {
			parts = append(parts, part)
		}
	}
	return parts
}

// Sums are what each player's games come to, by key: a round's number, a part of the event.
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

// Meeting is what one player's games against another came to: in how many the player was ahead, by the points of the game.
type Meeting struct{ Games, Ahead, Behind int }

// Meetings are those of all players, by player and opponent. Of annulled games nothing counts.
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

// better is above 0 where the first line of a game is the better one; where points are charges, the fewer.
func (p Past) better(stage int, a, b game.ResultLine) int {
	if p.Lowest(stage) {
		return cmp.Compare(b.Points, a.Points)
	}
	return cmp.Compare(a.Points, b.Points)
}

// Lowest tells whether the points of a stage are charges, of which the fewest are best.
func (p Past) Lowest(stage int) bool {
	return stage < len(p.Input.Stages) && p.Input.Stages[stage].Lowest
}

// Between are the games of two players at one table, as the first sees them, with the second's line of each.
func (p Past) Between(player, other int64) (games []Played, theirs []game.ResultLine) {
	for _, g := range p.Games(player) {
		if l, ok := lineOf(g.Result, other); ok {
			games, theirs = append(games, g), append(theirs, l)
		}
	}
	return games, theirs
}

// Place is where a player stood once a round's results were in, as they count now.
type Place struct{ Round, Place int }

// Places are a player's, round by round; the newest is that of the standings.
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
		if at := slices.IndexFunc(rows, func(r standing.Row) bool { return r.Player == player && r.Games > 0 }); at >= 0 {
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

// Entry is the name of a seat's entry, and who played in its place in a game; "" for nobody.
func (p Past) Entry(seat tournament.Seat, round, number int) (name, standIn string) {
	return cmp.Or(seat.Player.For, seat.Player.Name), tournament.StandInAt(p.standIns, seat.PlayerID, round, number)
}
