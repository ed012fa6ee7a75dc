package view

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"meldhall/engine/ruleset"
	"meldhall/engine/score"
	"meldhall/templates/locale"
	"meldhall/tournament/format"
	"meldhall/tournament/ranking"
	"meldhall/tournament/standing"
)

// criterion is one ranking criterion, computed from the games and not by the ranking code. value returns a player's
// value, higher is better. With shown, the sentence contains both values, negated with low. applies reports whether the
// criterion applies to the tied players.
type criterion struct {
	key        string
	nth        int
	shown, low bool
	value      func(row standing.Row) (value float64, has bool)
	applies    func(tied []standing.Row) bool // nil: always
}

// criteria returns the criteria of a tournament, in the order of its format.
func criteria(in standing.Input) (list []criterion) {
	scoring, lines := in.Stages[0].Scoring, in.Lines
	lowest := scoring.Ranking == ruleset.LowestPoints
	plain := func(key string, shown bool, f func(r standing.Row) score.Twelfth) criterion {
		return criterion{key: key, shown: shown, value: func(r standing.Row) (float64, bool) {
			return float64(f(r)),
				true
		}}
	}
	count := func(b bool) score.Twelfth { return map[bool]score.Twelfth{true: 1}[b] }
	named := map[string][]criterion{
		format.TieWins:   {plain(format.TieWins, true, func(r standing.Row) score.Twelfth { return r.Wins })},
		format.TiePoints: {plain(format.TiePoints, true, func(r standing.Row) score.Twelfth { return r.Total })},
		format.TieTablePoints: {plain(format.TieTablePoints, true,
			func(r standing.Row) score.Twelfth { return r.TablePoints })},
		standing.ByLowest: {plain(standing.ByLowest, true,
			func(r standing.Row) score.Twelfth { return -r.Total })},
		format.TieBestGame: bestGames(lines, lowest), format.TieOpponents: {opponents(in, lowest)},
		format.TieTurnOrder: {plain(format.TieTurnOrder, false,
			func(r standing.Row) score.Twelfth { return -score.Twelfth(firstTurn(lines, r.Player)) })},
		format.TiePlayOff: playOffs(lines, lowest), format.TieLot: {lot(in)},
		standing.ByReaching: {reaching(in)},
	}
	named[standing.ByLowest][0].low = true
	list = append(list, plain(standing.ByPlaying, false,
		func(r standing.Row) score.Twelfth { return count(r.Games > 0) }))
	if n := scoring.MinGames; n > 0 {
		list = append(list, plain(standing.ByMinGames, false,
			func(r standing.Row) score.Twelfth { return count(r.Games >= n) }))
	}
	if lowest {
		list = append(list, plain(standing.ByWithdrawal, false,
			func(r standing.Row) score.Twelfth { return count(!r.Withdrawn) }))
	}
	ranking := map[string][]string{ruleset.ByPoints: {format.TiePoints}, ruleset.LowestPoints: {standing.ByLowest},
		format.WinsOnly:      {format.TieWins},
		format.ByTablePoints: {format.TieTablePoints}, format.FirstTo: {standing.ByReaching, format.TieWins,
			format.TiePoints}, ruleset.WinsThenPoints: {format.TieWins, format.TiePoints}}
	for _, key := range append(slices.Clone(ranking[scoring.Ranking]), scoring.TieBreaks...) {
		if !(lowest && key == format.TiePoints) && !slices.ContainsFunc(list,
			func(c criterion) bool { return c.key == key }) {
			list = append(list, named[key]...)
		}
	}
	return list
}

// gamesOf returns the points of a player's games, best first.
func gamesOf(lines []standing.Line, player int64, lowest bool) (games []float64) {
	for _, l := range lines {
		if l.Player == player && l.PlayOff == 0 {
			games = append(games, float64(l.Points))
		}
	}
	slices.Sort(games)
	if !lowest {
		slices.Reverse(games)
	}
	return games
}

func bestGames(lines []standing.Line, lowest bool) (list []criterion) {
	for nth := range 6 {
		list = append(list, criterion{key: format.TieBestGame, nth: nth + 1, shown: true, low: lowest,
			value: func(r standing.Row) (float64, bool) {
				games := gamesOf(lines, r.Player, lowest)
				if nth >= len(games) {
					return 0, false
				}
				if lowest {
					return -games[nth], true
				}
				return games[nth], true
			}})
	}
	return list
}

// opponents sums the results of all opponents: their wins, or their points if those rank.
func opponents(in standing.Input, lowest bool) criterion {
	has := map[int64]score.Twelfth{}
	for _, row := range standing.Rank(in) {
		switch in.Stages[0].Scoring.Ranking {
		case ruleset.ByPoints:
			has[row.Player] = row.Points
		case ruleset.LowestPoints:
			has[row.Player] = -row.Points
		case format.ByTablePoints:
			has[row.Player] = row.TablePoints
		default:
			has[row.Player] = row.Wins
		}
	}
	return criterion{key: format.TieOpponents, shown: true, low: lowest,
		value: func(r standing.Row) (sum float64, _ bool) {
			for _, mine := range in.Lines {
				for _, other := range in.Lines {
					if mine.Player == r.Player && other.Player != r.Player && mine.Game == other.Game &&
						mine.PlayOff == 0 {
						sum += float64(has[other.Player])
					}
				}
			}
			return sum, true
		}}
}

// firstTurn returns a player's position in the turn order of the first game of the player's newest round.
func firstTurn(lines []standing.Line, player int64) int {
	newest := standing.Line{Round: -1}
	for _, l := range lines {
		if l.Player == player && l.PlayOff == 0 && l.Round > newest.Round {
			newest = l
		}
	}
	return newest.Turn
}

// reaching ranks by the round in which the required wins were reached.
func reaching(in standing.Input) criterion {
	return criterion{key: standing.ByReaching, value: func(r standing.Row) (float64, bool) {
		won := score.Twelfth(0)
		for round := range 9 {
			for _, l := range in.Lines {
				if l.Player == r.Player && l.Round == round && l.PlayOff == 0 {
					won += l.Wins
				}
			}
			if won >= score.Whole(in.Stages[0].Scoring.FirstTo) && in.Stages[0].Scoring.FirstTo > 0 {
				return -float64(round), true
			}
		}
		return 0, false
	}}
}

// playOffs applies only if every tied player has played a play-off or no longer plays.
func playOffs(lines []standing.Line, lowest bool) (list []criterion) {
	played := func(player int64) *standing.Line {
		for i := range lines {
			if lines[i].Player == player && lines[i].PlayOff == 1 {
				return &lines[i]
			}
		}
		return nil
	}
	for part := range 2 {
		list = append(list, criterion{key: format.TiePlayOff, nth: 1, value: func(r standing.Row) (float64, bool) {
			l := played(r.Player)
			switch {
			case l == nil:
				return 0, false
			case part == 0:
				return float64(l.Wins), true
			case lowest:
				return -float64(l.Points), true
			}
			return float64(l.Points), true
		}, applies: func(tied []standing.Row) bool {
			return !slices.ContainsFunc(tied, func(r standing.Row) bool {
				return played(r.Player) == nil &&
					!r.Withdrawn && !r.Disqualified
			})
		}})
	}
	return list
}

// lot applies only to exactly the players among whom it was drawn.
func lot(in standing.Input) criterion {
	drawn := []int64{}
	if len(in.Lots) > 0 {
		drawn = in.Lots[0].Drawn
	}
	return criterion{key: format.TieLot, value: func(r standing.Row) (float64, bool) {
		at := slices.Index(drawn, r.Player)
		if at < 0 {
			at = len(drawn)
		}
		return -float64(at), true
	}, applies: func(tied []standing.Row) bool {
		var playing, in int
		for _, r := range tied {
			if !r.Withdrawn && !r.Disqualified {
				playing++
			}
			if slices.Contains(drawn, r.Player) {
				in++
			}
		}
		return playing == len(drawn) && in == playing
	}}
}

// firstDifference returns the first criterion that separates two neighbours within their group of ties; nil if there is
// none.
func firstDifference(list []criterion, all []standing.Row, above, below standing.Row) *criterion {
	tied := slices.DeleteFunc(slices.Clone(all),
		func(r standing.Row) bool { return r.Disqualified != above.Disqualified })
	for _, c := range list {
		if c.applies != nil && !c.applies(tied) {
			continue
		}
		a, hasA := c.value(above)
		b, hasB := c.value(below)
		if a != b || hasA != hasB {
			return &c
		}
		tied = slices.DeleteFunc(tied, func(r standing.Row) bool {
			v, has := c.value(r)
			return v != a || has != hasA
		})
	}
	return nil
}

// anyStandings draws games with few points, so that many players tie, under any ranking with any tie-breaks in any
// order.
func anyStandings(t *rapid.T) standing.Input {
	n := rapid.IntRange(3, 9).Draw(t, "players")
	ties := rapid.Permutation(format.TieBreaks).Draw(t, "ties")[:rapid.IntRange(0, len(format.TieBreaks)).Draw(t,
		"of them")]
	ranking := rapid.SampledFrom(append([]string{ruleset.WinsThenPoints}, format.Rankings...)).Draw(t, "ranking")
	scoring := format.Scoring{Ranking: ranking, TieBreaks: ties, FirstTo: 2,
		MinGames: rapid.IntRange(0, 2).Draw(t, "least"), TablePoints: [][]int{{3, 1, 0}}}
	in := standing.Input{Method: ruleset.WinsThenPoints, Stages: []standing.Stage{{FirstRound: 1, Scoring: scoring,
		Lowest: ranking == ruleset.LowestPoints}}}
	var ids []int64
	for i := range n {
		out := rapid.IntRange(0, 9).Draw(t, "out")
		in.Players = append(in.Players, standing.Player{ID: int64(i + 1), Number: i + 1, Withdrawn: out < 2,
			Disqualified: out == 0})
		ids = append(ids, int64(i+1))
	}
	in.Stages[0].Entrants = ids
	for round := 1; round <= rapid.IntRange(1, 4).Draw(t, "rounds"); round++ {
		at := rapid.Permutation(ids).Draw(t, "seats")[:3]
		for seat, player := range at {
			in.Lines = append(in.Lines, standing.Line{Player: player, Round: round, Game: int64(round),
				Table: int64(round), Order: 1, Turn: seat,
				Points: score.Whole(rapid.IntRange(-1, 1).Draw(t, "points")),
				Wins:   score.Whole(rapid.IntRange(0, 1).Draw(t, "wins"))})
		}
	}
	some := rapid.Permutation(ids).Draw(t, "again")[:rapid.IntRange(0, n).Draw(t, "so many")]
	for _, player := range some {
		in.Lines = append(in.Lines, standing.Line{Player: player, Round: 7, Game: 7, Table: 7, Order: 1, PlayOff: 1,
			Points: score.Whole(rapid.IntRange(-1, 1).Draw(t, "points")),
			Wins:   score.Whole(rapid.IntRange(0, 1).Draw(t, "wins"))})
	}
	place := rapid.IntRange(1, n).Draw(t, "place of the lot") // among those who share it and still play
	var drawn []int64
	for _, r := range standing.Rank(in) {
		if r.Place == place && !r.Withdrawn && !r.Disqualified {
			drawn = append(drawn, r.Player)
		}
	}
	if len(drawn) > 1 {
		in.Lots = []standing.Lot{{Stage: 1, Drawn: rapid.Permutation(drawn).Draw(t, "lot")}}
	}
	return in
}

// TestWhyTwoNeighboursArePartedIsSaid checks that for any two neighbours in the standings, under every ranking and
// order of tie-breaks, one sentence names the first difference. It must be correct and contain both values if they are
// shown.
func TestWhyTwoNeighboursArePartedIsSaid(t *testing.T) {
	seen := map[string]bool{}
	keys := append([]string{standing.Shared, standing.ByDisqualification, standing.ByPlaying, standing.ByMinGames,
		standing.ByWithdrawal, standing.ByReaching, standing.ByLowest}, format.TieBreaks...)
	unseen := func() []string {
		return slices.DeleteFunc(slices.Clone(keys), func(key string) bool { return seen[key] })
	}
	for i := 0; i < 5 || i < 100 && len(unseen()) > 0; i++ { // a hundred tournaments each
		rapid.Check(t, func(t *rapid.T) { partedRightly(t, seen) })
	}
	if left := unseen(); len(left) > 0 {
		t.Errorf("no two were parted by %v", left)
	}
}

// partedRightly checks the reasons and sentences of one tournament, and records the criteria that occurred.
func partedRightly(t *rapid.T, seen map[string]bool) {
	in := anyStandings(t)
	list, rows := criteria(in), standing.Rank(in)
	said := make([]ranking.StandingsRow, len(rows))
	for i, r := range rows {
		said[i] = ranking.StandingsRow{Row: r, Name: fmt.Sprintf("Name %d", r.Player)}
	}
	for i := 1; i < len(rows); i++ {
		above, below := rows[i-1], rows[i]
		want := criterion{key: standing.Shared}
		if above.Disqualified != below.Disqualified {
			want.key = standing.ByDisqualification
		} else if c := firstDifference(list, rows, above, below); c != nil {
			want = *c
		}
		if key := below.Reason.Key; key != want.key || want.key != standing.Shared && below.Reason.Nth != want.nth {
			t.Fatalf("%d under %d: got %+v, want %s %d", below.Player, above.Player, below.Reason, want.key, want.nth)
		}
		seen[want.key] = true
		for _, language := range []string{"en", "it", "he"} {
			text := WhyText(locale.WithLanguage(t.Context(), language), said, i)
			if err := rightlySaid(want, text, language, above, below); err != "" {
				t.Fatalf("%d under %d by %s: %q %s", below.Player, above.Player, want.key, text, err)
			}
		}
	}
}

// rightlySaid returns what a sentence lacks: the other player's name, or the two values, the lower player's first.
func rightlySaid(c criterion, text, language string, above, below standing.Row) string {
	if c.key != standing.ByDisqualification && !strings.Contains(text, fmt.Sprintf("Name %d", above.Player)) {
		return "does not name the other"
	}
	if c.value == nil {
		return ""
	}
	a, hasA := c.value(above)
	b, hasB := c.value(below)
	if hasA && !hasB {
		if language == "en" && c.nth > 0 && !strings.Contains(text,
			map[string]string{format.TieBestGame: "a game more", format.TiePlayOff: "did not play"}[c.key]) {
			return "does not say that there is none"
		}
		return ""
	}
	if a <= b {
		return fmt.Sprintf("is wrong: %v is not above %v", a, b)
	}
	if !c.shown {
		return ""
	}
	if c.low {
		a, b = -a, -b
	}
	values := map[string]string{"en": "%s to %s", "it": "%s contro %s", "he": "%s מול %s"}[language]
	written := func(v float64) string {
		return locale.AmountText(locale.WithLanguage(context.Background(), language), score.Twelfth(v))
	}
	if want := fmt.Sprintf(values, written(b), written(a)); !strings.Contains(text, want) {
		return "does not say " + want
	}
	if language == "en" && (strings.Contains(text, "Fewer") || strings.Contains(text, "less")) != (b < a) &&
		c.key != format.TieBestGame {
		return "says less of more"
	}
	return ""
}
