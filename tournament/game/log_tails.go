package game

import (
	"context"
	"fmt"
	"strconv"
	"strings"
)

// selectTails reads each game's tail by its key. PostgreSQL planned a plain join of the log with the games as a scan of
// the whole log while the log was short, and kept that plan. The planner does not look into the inner SELECTs; with
// plain parameters it would consider a custom plan for these games worthwhile each time.
const selectTails = `SELECT e.* FROM unnest((SELECT CAST(string_to_array(?, ' ') AS bigint[])), (SELECT CAST(string_to_array(?, ' ') AS bigint[]))) w (game, after)
	CROSS JOIN LATERAL (` + readEvents + `WHERE game_id = w.game AND seq > w.after ORDER BY seq) e ORDER BY e.game_id, e.seq`

// Tails is Tail for several games, each after its own seq, in one statement on PostgreSQL. One unreadable row fails
// them all.
func (l *Log) Tails(ctx context.Context, after map[int64]int) (map[int64][]Entry, error) {
	var games, seqs []string
	for game, seq := range after {
		games, seqs = append(games, strconv.FormatInt(game, 10)), append(seqs, strconv.Itoa(seq))
	}
	rows, err := l.store.ReadSQL.QueryContext(ctx, selectTails, strings.Join(games, " "), strings.Join(seqs, " "))
	if err != nil {
		return nil, fmt.Errorf("read the logs of %d games: %w", len(after), err)
	}
	defer rows.Close()
	all, tails := events{Rows: rows}, map[int64][]Entry{}
	for rows.Next() {
		entry, err := all.scan()
		if err != nil {
			return nil, err
		}
		tails[all.game] = append(tails[all.game], entry)
	}
	return tails, rows.Err()
}
