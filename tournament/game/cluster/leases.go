package cluster

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"meldhall/engine"
	"meldhall/tournament/store"
)

type leaseRow struct {
	shard, fence int64
	node         string
	at, owed     engine.Millis
}

func leases(ctx context.Context, s *store.DB) (all []leaseRow, err error) {
	rows, err := s.BeatSQL().QueryContext(ctx, `SELECT shard, node, fence, at, owed FROM leases ORDER BY shard`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var r leaseRow
		if err := rows.Scan(&r.shard, &r.node, &r.fence, &r.at, &r.owed); err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	if err := rows.Err(); err != nil || len(all) == shards {
		return all, err
	}
	if _, err := s.BeatSQL().ExecContext(ctx,
		`INSERT INTO leases (shard) SELECT generate_series(0, $1) ON CONFLICT DO NOTHING`, shards-1); err != nil {
		return nil, err
	}
	return leases(ctx, s)
}

// listed turns lists of numbers, passed to a statement as text, into rows: each list is a column.
const listed = `unnest(CAST(string_to_array($1, ' ') AS bigint[]), CAST(string_to_array($2, ' ') AS bigint[]), CAST(string_to_array($3, ' ') AS bigint[]))`

// listOf formats a list of numbers for listed.
func listOf[T any](all []T, number func(T) int64) string {
	words := make([]string, len(all))
	for i, one := range all {
		words[i] = fmt.Sprint(number(one))
	}
	return strings.Join(words, " ")
}

// noteOwed stores in the leases the time since which games of this node are owed time. If this node dies before it can
// give that time back, the next holder of the lease gives it back.
func (c *Cluster) noteOwed(ctx context.Context, rows []leaseRow) error {
	owed := c.owedByShard()
	var changed []leaseRow
	for _, r := range rows {
		if held := c.kept(r.shard); held.fence == r.fence && held.back == backAll && owed[r.shard] != r.owed {
			r.owed = owed[r.shard]
			changed = append(changed, r)
		}
	}
	return c.setOwed(ctx, changed)
}

// owedByShard returns, by shard, the time since which its running games are owed time. It omits shards whose games are
// owed none.
func (c *Cluster) owedByShard() map[int64]engine.Millis {
	owed := map[int64]engine.Millis{}
	for game, since := range c.games.Owed(c.games.DB.Millis()) {
		shard := shardOf(game)
		owed[shard] = min(cmp.Or(owed[shard], since), since)
	}
	return owed
}

// setOwed stores, for those leases in rows that are still valid, the time since which the games of their shards are
// owed time.
func (c *Cluster) setOwed(ctx context.Context, rows []leaseRow) error {
	if len(rows) == 0 {
		return nil
	}
	_, err := c.games.DB.BeatSQL().ExecContext(ctx, `UPDATE leases SET owed = w.owed FROM `+listed+` w (shard, fence, owed)
		WHERE leases.shard = w.shard AND leases.fence = w.fence AND leases.node = $4 AND leases.owed <> w.owed`,
		listOf(rows, func(r leaseRow) int64 { return r.shard }),
		listOf(rows, func(r leaseRow) int64 { return r.fence }),
		listOf(rows, func(r leaseRow) int64 { return int64(r.owed) }), c.name)
	return err
}

// freeLease is a lease without a holder. since is when its games began to be owed time (0: they are not), and waited is
// how many ms the lease has been free.
type freeLease struct {
	shard, fence  int64
	since, waited engine.Millis
}

// take takes free leases, but no more than the number most. It skips those that another node is taking at the same
// time.
func (c *Cluster) take(ctx context.Context, free []freeLease, most int) error {
	if len(free) == 0 || most <= 0 {
		return nil
	}
	now := c.games.DB.Millis()
	rows, err := c.games.DB.BeatSQL().QueryContext(ctx, `UPDATE leases SET node = $4, fence = leases.fence + 1, at = $5,
			owed = CASE WHEN leases.owed = 0 OR due.since BETWEEN 1 AND leases.owed THEN due.since ELSE leases.owed END
		FROM (SELECT l.shard, w.since FROM `+listed+` w (shard, fence, since) JOIN leases l ON l.shard = w.shard AND l.fence = w.fence
			ORDER BY l.shard LIMIT $6 FOR UPDATE OF l SKIP LOCKED) due
		WHERE leases.shard = due.shard RETURNING leases.shard, leases.fence, leases.owed`,
		listOf(free, func(f freeLease) int64 { return f.shard }),
		listOf(free, func(f freeLease) int64 { return f.fence }),
		listOf(free, func(f freeLease) int64 { return int64(f.since) }), c.name, int64(now), most)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		shard, got := int64(0), lease{taken: now, back: backToDo}
		if err := rows.Scan(&shard, &got.fence, &got.since); err != nil {
			return err
		}
		c.mu.Lock()
		c.held[shard] = got
		c.mu.Unlock()
	}
	return rows.Err()
}

// give releases leases to the next node that asks.
func (c *Cluster) give(ctx context.Context, given []int64) error {
	held := make([]leaseRow, 0, len(given))
	c.mu.Lock()
	for _, shard := range given {
		held = append(held, leaseRow{shard: shard, fence: c.held[shard].fence, at: c.games.DB.Millis()})
		c.held[shard] = lease{}
	}
	c.mu.Unlock()
	_, err := c.games.DB.BeatSQL().ExecContext(ctx, `UPDATE leases SET node = '', fence = leases.fence + 1, at = w.at FROM `+listed+` w (shard, fence, at)
		WHERE leases.shard = w.shard AND leases.fence = w.fence`,
		listOf(held, func(r leaseRow) int64 { return r.shard }),
		listOf(held, func(r leaseRow) int64 { return r.fence }),
		listOf(held, func(r leaseRow) int64 { return int64(r.at) }))
	return err
}
