package game

import (
	"context"

	"meldhall/engine"
)

// insertAtOnce writes one event for each of several games on PostgreSQL, and returns the games whose events were new.
const insertAtOnce = `INSERT INTO game_events (game_id, seq, kind, version, data, actor, cmd_id, at, sum, salt, chain,
		signed)
	SELECT game, seq, kind, $12, data, actor, nullif(cmd, ''), at, sum, salt, chain, nullif(signed, '')
	FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bigint[], $8::bigint[],
		$9::text[], $10::text[], $11::text[])
		AS e (game, seq, kind, data, actor, cmd, at, sum, salt, chain, signed)
	ON CONFLICT DO NOTHING RETURNING game_id`

// isPlain reports whether a batch has at most one event per game and no projects. Such a batch never needs a rollback:
// events that clash are not written, and all others are.
func isPlain(batch []*appendRequest) bool {
	games := make(map[int64]bool, len(batch))
	for _, req := range batch {
		if req.project != nil || len(req.rows) > 1 || games[req.game] {
			return false
		}
		games[req.game] = true
	}
	return true
}

// writeAtOnce writes and commits a plain batch on PostgreSQL in one statement.
func (l *Log) writeAtOnce(batch []*appendRequest) (answers []error, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), commitMost)
	defer cancel()
	var games, seqs, ats, sums []int64
	var kinds, datas, actors, cmds, salts, chains, signed []string
	for _, req := range batch {
		row, sum := req.rows[0], req.values[eventColumns-1].(int64) // the last column
		games, seqs, ats, sums = append(games, req.game), append(seqs, int64(row.seq)), append(ats, row.at),
			append(sums, sum)
		kinds, datas, actors, cmds = append(kinds, row.kind), append(datas, row.data), append(actors, row.actor),
			append(cmds, row.cmd)
		salts, chains, signed = append(salts, row.salt), append(chains, row.chain), append(signed, row.signed)
	}
	fresh, err := l.store.AtOnce(ctx, insertAtOnce, games, seqs, kinds, datas, actors, cmds, ats, sums, salts, chains,
		signed, engine.EventVersion)
	if err != nil {
		return nil, err
	}
	written := make(map[int64]bool, len(fresh))
	for _, game := range fresh {
		written[game] = true
	}
	answers = make([]error, len(batch))
	for i, req := range batch {
		if !written[req.game] {
			answers[i] = ErrClash
		}
	}
	return answers, nil
}
