package export

import (
	"context"
	"fmt"

	"meldhall/tournament"
	"meldhall/tournament/history"
	"meldhall/tournament/storage"
)

// crossColumns come before the rounds in a crosstable. Games, wins and points are those of the stage without its play-offs, which
// only order those who tie.
var crossColumns = []string{"stage", "place", "number", "player", "country", "club", "games", "wins", "points", "provisional"}

// crosstableList has a row for each player of each stage, by place, with what each round of the stage brought.
func crosstableList(ctx context.Context, s *storage.DB, event int64, sight tournament.Sight) (List, error) {
	past, err := history.Of(ctx, s, event, sight)
	if err != nil {
		return List{}, err
	}
	list := List{Columns: crossColumns, Rows: [][]any{}, stages: make([]int, len(crossColumns))}
	for _, r := range past.Rounds {
		list.Columns = append(list.Columns, fmt.Sprintf("round_%d_wins", r.Number), fmt.Sprintf("round_%d_points", r.Number))
		list.stages = append(list.stages, r.Stage+1, r.Stage+1)
	}
	byPart := history.Sums(past, func(r history.Round) history.Part { return history.PartOf(r.Round) })
	byRound := history.Sums(past, func(r history.Round) int { return r.Number })
	for _, part := range past.Parts() {
		if part.PlayOff {
			continue
		}
		for _, row := range past.Rows {
			rounds, played := stageCells(past, part.Stage, byRound[row.Player])
			if !played {
				continue
			}
			sum := byPart[row.Player][part]
			list.Rows = append(list.Rows, append([]any{part.Stage + 1, row.Place, row.Number, row.Name, row.Country, row.Club,
				sum.Games, sum.Wins, sum.Points, row.Provisional}, rounds...))
		}
	}
	return list, nil
}

// stageCells are a player's wins and points in each round of the event, nothing for rounds of another stage or without a game, and
// whether there was any.
func stageCells(past history.Past, stage int, byRound map[int]history.Sum) (cells []any, played bool) {
	for _, r := range past.Rounds {
		sum, ok := byRound[r.Number]
		if !ok || sum.Games == 0 || r.Stage != stage {
			cells = append(cells, nil, nil)
			continue
		}
		cells, played = append(cells, sum.Wins, sum.Points), true
	}
	return cells, played
}
