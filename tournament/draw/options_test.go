package draw_test

import (
	"fmt"
	"testing"

	"meldhall/engine/ruleset"
	"meldhall/engine/score"
	"meldhall/tournament"
	"meldhall/tournament/draw"
	"meldhall/tournament/format"
	"meldhall/tournament/pairing"
	"meldhall/tournament/ranking"
	"meldhall/tournament/standing"
)

func TestPlacesAtTheLastTableAreThoseOfTheRanking(t *testing.T) {
	wins, table := []int{2, 1, 0, 0}, [][]int{{9, 5, 3, 1}}
	for _, row := range []struct {
		name, method string
		scoring      format.Scoring
		lowest       bool
		points       []int
		want         string
	}{
		{"wins, then points", ruleset.WinsThenPoints, format.Scoring{}, false, []int{30, -50, 25, -5}, "[1 2 3 4]"},
		{"points before wins", ruleset.ByPoints, format.Scoring{}, false, []int{30, -50, 25, -5}, "[1 4 2 3]"},
		{"the fewest penalties", ruleset.LowestPoints, format.Scoring{}, true, []int{0, 90, 60, 10}, "[1 4 3 2]"},
		{"a stage that ranks otherwise than its rules", ruleset.LowestPoints,
			format.Scoring{Ranking: format.PointsOnly},
			false, []int{30, -50, 25, -5}, "[1 4 2 3]"},
		{"table points", ruleset.WinsThenPoints, format.Scoring{Ranking: format.ByTablePoints, TablePoints: table},
			false, []int{10, 5, 30, -45}, "[2 3 1 4]"},
	} {
		t.Run(row.name, func(t *testing.T) {
			in := standing.Input{Method: row.method, Stages: []standing.Stage{{FirstRound: 1,
				Entrants: []int64{1, 2, 3, 4}, Scoring: row.scoring, Lowest: row.lowest}}}
			players := make([]pairing.Player, 4)
			for i := range players {
				id := int64(i + 1)
				players[i].ID = id
				in.Players = append(in.Players, standing.Player{ID: id, Number: i + 1})
				in.Lines = append(in.Lines, standing.Line{Player: id, Round: 1, Game: 1, Table: 1, Order: 1,
					Wins: score.Whole(wins[i]), Points: score.Whole(row.points[i])})
			}
			d := draw.NextRound{Board: &ranking.Board{Input: in, Rows: standing.Rank(in)},
				Rounds: []tournament.Round{{Number: 1, StageRound: 1}}}
			d.PlaceAtTables(players, pairing.Round{{1, 2, 3, 4}})
			var got []int
			for _, p := range players {
				got = append(got, p.LastPlace)
			}
			if fmt.Sprint(got) != row.want {
				t.Errorf("got %v, want %s", got, row.want)
			}
		})
	}
}
