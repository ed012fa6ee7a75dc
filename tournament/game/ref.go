package game

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"meldhall/engine"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/store"
)

// FindRef returns where a game is played and by which players.
func FindRef(ctx context.Context, s *store.DB, game int64) (Ref, error) {
	var ref Ref
	err := s.ReadSQL.QueryRowContext(ctx, selectRef+`WHERE g.id = $1 AND `+eventStays, game).Scan(ref.columns()...)
	if errors.Is(err, sql.ErrNoRows) {
		return ref, refuse.NotFound("err_game_not_found", "id", game)
	}
	if err != nil {
		return ref, fmt.Errorf("find game %d: %w", game, err)
	}
	ref.Players, err = s.IDs(ctx, `SELECT player_id FROM seats WHERE table_id = $1 ORDER BY seat`, ref.TableID)
	return ref, err
}

const (
	refColumns = `g.id, g.tournament_id, t.round_id, g.table_id, g.number, (SELECT max(number) FROM games WHERE table_id = t.id), t.number, e.practice, e.created_at, r.stage, r.number`
	refTables  = `FROM games g JOIN tables t ON t.id = g.table_id JOIN rounds r ON r.id = t.round_id JOIN tournaments e ON e.id = g.tournament_id `
	selectRef  = `SELECT ` + refColumns + ` ` + refTables
	eventStays = `NOT EXISTS (SELECT 1 FROM organizations o WHERE o.id = e.organization_id AND o.deleting <> 0)`
)

func (r *Ref) columns() []any {
	return []any{&r.ID, &r.TournamentID, &r.RoundID, &r.TableID, &r.Number, &r.Of, &r.TableNumber, &r.Practice,
		&r.Since, &r.Stage, &r.Round}
}

// refsOf returns the refs of all games of a tournament, with two statements regardless of their number.
func refsOf(ctx context.Context, s *store.DB, tournamentID int64) (all map[int64]Ref, err error) {
	players := map[int64][]int64{}
	err = store.EachRow(ctx, s.ReadSQL, func(rows *sql.Rows) error {
		var table, player int64
		err := rows.Scan(&table, &player)
		players[table] = append(players[table], player)
		return err
	}, `SELECT e.table_id, e.player_id FROM seats e JOIN tables t ON t.id = e.table_id WHERE t.tournament_id = $1
		ORDER BY e.table_id, e.seat`, tournamentID)
	if err != nil {
		return nil, err
	}
	all = map[int64]Ref{}
	return all, store.EachRow(ctx, s.ReadSQL, func(rows *sql.Rows) error {
		var ref Ref
		err := rows.Scan(ref.columns()...)
		ref.Players = players[ref.TableID]
		all[ref.ID] = ref
		return err
	}, selectRef+`WHERE g.tournament_id = $1`, tournamentID)
}

// tournamentOf returns the tournament of a round.
func tournamentOf(ctx context.Context, s *store.DB, round int64) (tournamentID int64, err error) {
	err = s.ReadSQL.QueryRowContext(ctx, `SELECT tournament_id FROM rounds WHERE id = $1`, round).Scan(&tournamentID)
	if errors.Is(err, sql.ErrNoRows) {
		err = refuse.NotFound("err_round_not_found", "id", round)
	}
	return tournamentID, err
}

func gameAtTable(ctx context.Context, s *store.DB, table int64, number int) (id int64, err error) {
	err = s.ReadSQL.QueryRowContext(ctx, `SELECT id FROM games WHERE table_id = $1 AND number = $2`, table,
		number).Scan(&id)
	return id, err
}

// CurrentGame is the game that a table is playing or counting: the first one whose result is not confirmed, or the last
// one if all are. Rev is the revision of its result, 0 without one. Agreed is the number of players who have agreed to
// it.
type CurrentGame struct {
	Table, Game         int64
	TableNumber, Number int
	Rev                 int
	Confirmed           bool
	Agreed              int
	Unlinked            int // bit mask of seats whose player has no device; 0 if bots play
}

const selectCurrent = `
	SELECT t.id, t.number, g.id, g.number, coalesce(r.rev, 0), coalesce(r.status, '') = 'confirmed',
		(SELECT count(DISTINCT s.player_id) FROM signatures s WHERE s.game_id = g.id AND s.rev >= (
			SELECT max(b.rev) FROM results b WHERE b.game_id = g.id AND (b.rev = 1 OR b.why <> ''))),
		(SELECT coalesce(sum(CASE s.seat WHEN 0 THEN 1 WHEN 1 THEN 2 WHEN 2 THEN 4 ELSE 8 END), 0)
			FROM seats s JOIN players p ON p.id = s.player_id JOIN tournaments e ON e.id = p.tournament_id
			WHERE s.table_id = t.id AND p.device_hash IS NULL AND e.practice = '' AND e.rehearses = 0)
	FROM tables t JOIN games g ON g.table_id = t.id
	LEFT JOIN results r ON r.game_id = g.id AND r.rev = (SELECT max(rev) FROM results WHERE game_id = g.id%s)
	WHERE %s ORDER BY t.number, g.number`

// CurrentAtTable returns a table's current game, or NotFound for a table without games.
func CurrentAtTable(ctx context.Context, s *store.DB, table int64) (CurrentGame, error) {
	return CurrentAtTableBefore(ctx, s, table, always)
}

// CurrentAtTableBefore returns a table's current game as of just before a moment.
func CurrentAtTableBefore(ctx context.Context, s *store.DB, table int64, at engine.Millis) (CurrentGame, error) {
	all, err := current(ctx, s, "t.id = $1", table, at)
	if err == nil && len(all) == 0 {
		err = refuse.NotFound("err_table_not_found", "id", table)
	}
	if err != nil {
		return CurrentGame{}, err
	}
	return all[0], nil
}

// PlayedGame is a game that a player has played, and the seat, from 0.
type PlayedGame struct {
	Game int64
	Seat int
}

// LastOf returns the game that a player finished last, or false if the player has not finished any.
func LastOf(ctx context.Context, s *store.DB, player int64) (PlayedGame, bool, error) {
	return store.First[PlayedGame](s.Read.WithContext(ctx).Table("seats s").Joins("JOIN rounds r ON r.id = s.round_id").Joins("JOIN games g ON g.table_id = s.table_id").
		Where("s.player_id = ? AND r.status <> 'draft' AND g.status = ?", player,
			Finished).Order("r.number DESC, g.number DESC").Select("g.id game, s.seat"))
}

// CurrentInRound returns the current game of every table of a round, by table number.
func CurrentInRound(ctx context.Context, s *store.DB, round int64) ([]CurrentGame, error) {
	return CurrentInRoundBefore(ctx, s, round, always)
}

// CurrentInRoundBefore returns the current games as of just before a moment.
func CurrentInRoundBefore(ctx context.Context, s *store.DB, round int64, at engine.Millis) ([]CurrentGame, error) {
	return current(ctx, s, "t.round_id = $1", round, at)
}

func current(ctx context.Context, s *store.DB, where string, id int64, at engine.Millis) ([]CurrentGame, error) {
	before, args := "", []any{id}
	if at != always {
		before, args = " AND at < $2", []any{id, at}
	}
	rows, err := s.ReadSQL.QueryContext(ctx, fmt.Sprintf(selectCurrent, before, where), args...)
	if err != nil {
		return nil, fmt.Errorf("find the current games: %w", err)
	}
	defer rows.Close()
	var all []CurrentGame
	for rows.Next() {
		var g CurrentGame
		if err := rows.Scan(&g.Table, &g.TableNumber, &g.Game, &g.Number, &g.Rev, &g.Confirmed, &g.Agreed,
			&g.Unlinked); err != nil {
			return nil, fmt.Errorf("find the current games: %w", err)
		}
		n := len(all)
		switch {
		case n == 0 || all[n-1].Table != g.Table:
			all = append(all, g)
		case all[n-1].Confirmed:
			all[n-1] = g
		}
	}
	return all, rows.Err()
}

// PracticeLife is the time limit of a practice table. Its game then ends after the current lap.
const PracticeLife = 24 * time.Hour

// practiceSeat is the person's seat at a practice table. Bots have the other seats.
const practiceSeat = 0

// PracticePlayer returns the actor for a seat at a practice table, for the bot that plays it.
func PracticePlayer(ref Ref, seat int) rights.Actor {
	return rights.Actor{Role: rights.RolePlayer, Tournament: ref.TournamentID, Player: ref.Players[seat],
		Table: ref.TableID, Seat: seat}
}

// SeatOf returns an actor's seat in this game, below 0 for none. For a player it also works if they have another seat
// by now.
func (r Ref) SeatOf(actor rights.Actor) int {
	if actor.Role == rights.RolePlayer && actor.Table != r.TableID {
		return slices.Index(r.Players, actor.Player)
	}
	return actor.Seat
}

// PersonSeat returns the seat of the person at a practice table.
func (r Ref) PersonSeat() int { return practiceSeat }

// CallPractice ends the game of a practice table after the current lap, as a referee does by calling time.
func (g *Games) CallPractice(ctx context.Context, game int64, why string) error {
	_, err := g.Submit(ctx, PracticeActor, game, "", engine.CallTime{Grounds: engine.Grounds{Reason: why}})
	return err
}
