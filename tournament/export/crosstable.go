package export

import (
	"context"
	"fmt"

	"meldhall/tournament"
	"meldhall/tournament/past"
	"meldhall/tournament/store"
)

// crossColumns precede the rounds in a crosstable. Games, wins and points are those of the stage without its play-offs,
// which only order ties.
var crossColumns = []string{"stage", "place", "number", "player", "country", "club", "federation_number", "games",
	"wins", "points", "provisional"}

// crosstableList returns a list with a row for each player of each stage, by place, with the results of the stage's
// rounds.
func crosstableList(ctx context.Context, s *store.DB, tournamentID int64, sight tournament.Sight) (List, error) {
	before, err := past.Of(ctx, s, tournamentID, sight)
	if err != nil {
		return List{}, err
	}
	list := List{Columns: crossColumns, Rows: [][]any{}, stages: make([]int, len(crossColumns))}
	for _, r := range before.Rounds {
		list.Columns = append(list.Columns, fmt.Sprintf("round_%d_wins", r.Number),
			fmt.Sprintf("round_%d_points", r.Number))
		list.stages = append(list.stages, r.Stage+1, r.Stage+1)
	}
	byPart := past.Sums(before, func(r past.Round) past.Part { return past.PartOf(r.Round) })
	byRound := past.Sums(before, func(r past.Round) int { return r.Number })
	for _, part := range before.Parts() {
		if part.PlayOff {
			continue
		}
		for _, row := range before.Rows {
			rounds, played := stageCells(before, part.Stage, byRound[row.Player])
			if !played {
				continue
			}
			sum := byPart[row.Player][part]
			list.Rows = append(list.Rows, append([]any{part.Stage + 1, row.Place, row.Number, row.Name, row.Country,
				row.Club, row.FederationNumber, sum.Games, sum.Wins, sum.Points, row.Provisional}, rounds...))
		}
	}
	return list, nil
}

// stageCells returns a player's wins and points in each round, nil for rounds of other stages or without a game, and
// whether there was any game.
func stageCells(before past.Past, stage int, byRound map[int]past.Sum) (cells []any, played bool) {
	for _, r := range before.Rounds {
		sum, ok := byRound[r.Number]
		if !ok || sum.Games == 0 || r.Stage != stage {
			cells = append(cells, nil, nil)
			continue
		}
		cells, played = append(cells, sum.Wins, sum.Points), true
	}
	return cells, played
}
