package game

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"meldhall/engine"
	"meldhall/engine/score"
	"meldhall/tournament/refuse"
	"meldhall/tournament/store"
)

// The status of a game. Whether a finished game is confirmed is part of its result.
const (
	Waiting  = "waiting"
	Running  = "running"
	Finished = "finished"
)

// The status of a result: provisional until a referee has confirmed the count.
const (
	ResultProvisional = "provisional"
	ResultConfirmed   = "confirmed"
)

// EndingAnnulled is the Ending of a corrected result that annuls the game.
const EndingAnnulled = "annulled"

// Result is one revision of a game's result; the highest revision counts. The first one is derived from the game's log
// and written with it. Each later one records its author and reason. Ending is the reason why the game ended
// (engine.End.Why), or EndingAnnulled.
type Result struct {
	ID     int64
	GameID int64
	Rev    int
	Status string
	Ending string
	Actor  string
	Why    string
	At     engine.Millis

	Lines []ResultLine // in seat order

	// Sealed reports whether the lines' tiles must not be shown, see DealInPlay. They are read nevertheless, because
	// the next revision needs them.
	Sealed bool `gorm:"-"`
}

// Confirmed reports whether the count is confirmed.
func (r Result) Confirmed() bool { return r.Status == ResultConfirmed }

// ResultLine is a seat's part of a result. Charge is in whole points. Reason says why Charge is not the sum of the rack
// (engine.ReasonNoMeldAble, …). Tiles is the rack's faces as text (tile.List's faces, "R4 J").
type ResultLine struct {
	ID       int64         `json:"-"`
	ResultID int64         `json:"-"`
	Seat     int           `json:"seat"`
	PlayerID int64         `json:"player,omitempty"`
	Points   score.Twelfth `json:"points"`
	Wins     score.Twelfth `json:"wins"`
	Charge   int           `json:"charge"`
	Reason   string        `json:"reason"`
	Tiles    string        `json:"tiles"`
	Opened   bool          `json:"opened"`
}

// RecordResult writes the first, provisional revision of a game's result, in the transaction that appends the game's
// end. It also marks the game finished and stores the hash of its last event. Lines are in seat order; missing players
// (0) are read from the seats. A second call for a game returns a Conflict and changes nothing.
func RecordResult(ctx context.Context, tx *sql.Tx, gameID int64, ending string, at engine.Millis,
	lines []ResultLine) error {
	var id int64
	err := tx.QueryRowContext(ctx, `INSERT INTO results (game_id, rev, status, ending, actor, why, at)
		VALUES ($1, 1, 'provisional', $2, 'engine', '', $3) ON CONFLICT DO NOTHING
			RETURNING id`, gameID, ending, at).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return refuse.Conflict("err_result_recorded", "game", gameID)
	}
	if err != nil {
		return fmt.Errorf("record the result of game %d: %w", gameID, err)
	}
	if err := InsertLines(ctx, tx, gameID, id, lines); err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `UPDATE games SET status = 'finished', finished_at = $1,
		head = coalesce((SELECT chain FROM game_events WHERE game_id = games.id ORDER BY seq DESC LIMIT 1), '')
		WHERE id = $2`, at, gameID)
	return err
}

// markRunning marks a game as begun, in the transaction that appends its first deal. It reports whether a seated player
// may be out, having left or been disqualified. A later deal changes nothing.
func markRunning(ctx context.Context, tx *sql.Tx, gameID int64, at engine.Millis) (someOut bool, err error) {
	err = tx.QueryRowContext(ctx, `UPDATE games SET status = 'running', started_at = $1 WHERE id = $2
		AND status = 'waiting' RETURNING
		EXISTS (SELECT 1 FROM seats s JOIN players p ON p.id = s.player_id WHERE s.table_id = games.table_id AND p.gone <> 0)
		OR EXISTS (SELECT 1 FROM sanctions d WHERE d.tournament_id = games.tournament_id AND d.kind = 'disqualification'
			AND d.player_id IN (SELECT player_id FROM seats WHERE table_id = games.table_id))`, at, gameID).Scan(&someOut)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return someOut, err
}

// InsertLines writes the lines of a result, which are in seat order, with one statement. Missing players (0) are read
// from the seats.
func InsertLines(ctx context.Context, to store.Asked, gameID, resultID int64, lines []ResultLine) error {
	if len(lines) == 0 {
		return nil
	}
	if slices.ContainsFunc(lines, func(l ResultLine) bool { return l.PlayerID == 0 }) {
		if err := seatPlayers(ctx, to, gameID, lines); err != nil {
			return err
		}
	}
	args := make([]any, 0, 9*len(lines))
	for i := range lines {
		l := &lines[i]
		l.ResultID = resultID
		args = append(args, resultID, int64(l.Seat), l.PlayerID, int64(l.Points), int64(l.Wins), int64(l.Charge),
			l.Reason, l.Tiles, l.Opened)
	}
	if _, err := to.ExecContext(ctx, `INSERT INTO result_lines (result_id, seat, player_id, points, wins, charge, reason, tiles, opened)
		VALUES `+store.Values(len(lines), 9), args...); err != nil {
		return fmt.Errorf("record the result of game %d: %w", gameID, err)
	}
	return nil
}

// seatPlayers fills in the players of lines that have none, from the game's seats.
func seatPlayers(ctx context.Context, db store.Asked, gameID int64, lines []ResultLine) error {
	return store.EachRow(ctx, db, func(rows *sql.Rows) error {
		var seat int
		var player int64
		err := rows.Scan(&seat, &player)
		for i := range lines {
			if lines[i].Seat == seat && lines[i].PlayerID == 0 {
				lines[i].PlayerID = player
			}
		}
		return err
	}, `SELECT s.seat, s.player_id FROM seats s JOIN games g ON g.table_id = s.table_id WHERE g.id = $1`, gameID)
}
