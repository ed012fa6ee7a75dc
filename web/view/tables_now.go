package view

import (
	"context"
	"slices"

	"meldhall/templates/play"
	"meldhall/templates/public"
	"meldhall/tournament"
	"meldhall/tournament/rights"
)

// TableNow is a table of the current round as a reader may see it, for commentators and programs.
type TableNow struct {
	Row   public.TableRow
	Seats []SeatNow
}

// SeatNow is a player at a table. Rank is the place in the standings that the reader may see, such as "=5", and Place
// its number; "" and 0 before the first result. Opened reports whether the player has laid the first meld of a game
// that is being played.
type SeatNow struct {
	Player tournament.Player
	Rank   string
	Place  int
	Opened bool
}

// TablesNow returns the number of the current round and its tables, by number, as a reader may see them. It returns 0
// if the reader may not see a round yet.
func (s *Reader) TablesNow(ctx context.Context, reader rights.Actor, tournamentID int64) (int, []TableNow, error) {
	sight, err := s.Sights.Of(ctx, reader, tournamentID)
	if err != nil {
		return 0, nil, err
	}
	rounds, err := s.Tournaments.Rounds(ctx, tournamentID)
	if err != nil {
		return 0, nil, err
	}
	round, ok := CurrentRound(sight.AtTables().Rounds(rounds))
	if !ok {
		return 0, nil, nil
	}
	ranks, err := s.ranksNow(ctx, tournamentID, sight)
	if err != nil {
		return 0, nil, err
	}
	rows, err := s.TableRowsSeen(ctx, tournamentID, round.ID, sight)
	if err != nil {
		return 0, nil, err
	}
	tables, err := tournament.Tables(ctx, s.Store, round.ID)
	if err != nil {
		return 0, nil, err
	}
	seats := make(map[int64][]SeatNow, len(tables))
	for _, t := range tables {
		for _, seat := range t.Seats {
			now := ranks[seat.Player.ID]
			now.Player = seat.Player
			seats[t.ID] = append(seats[t.ID], now)
		}
	}
	now := make([]TableNow, len(rows))
	for i, row := range rows {
		now[i] = TableNow{Row: row, Seats: seats[row.ID]}
		// before the first turn, rows call everyone opened
		playing := slices.ContainsFunc(row.Players, func(p play.TablePlayer) bool { return p.Turn })
		for seat := range min(len(row.Players), len(now[i].Seats)) {
			now[i].Seats[seat].Opened = playing && row.Players[seat].Opened && !row.Players[seat].Real
		}
	}
	return round.Number, now, nil
}

// ranksNow returns the places of a tournament's players by ID; none before the first result.
func (s *Reader) ranksNow(ctx context.Context, tournamentID int64, sight tournament.Sight) (map[int64]SeatNow, error) {
	standings, err := s.Tournaments.Standings(ctx, tournamentID, sight.Standings)
	if err != nil || !Played(standings) {
		return nil, err
	}
	ranks := make(map[int64]SeatNow, len(standings.Rows))
	for i, r := range standings.Rows {
		ranks[r.Player] = SeatNow{Rank: RankText(standings.Rows, i), Place: r.Place}
	}
	return ranks, nil
}
