package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
)

const (
	// The arguments identify the last row that was read.
	selectChainedEvents = `SELECT id, game_id, seq, kind, version, at, actor, data, salt, chain FROM game_events
		WHERE (game_id, seq) > (CAST($1 AS BIGINT), CAST($2 AS BIGINT)) ORDER BY game_id, seq LIMIT 1000`
	selectChainedRecords = `SELECT id, coalesce(tournament_id, 0), organization_id, at, actor, action, version, about,
		data, subject, before, after, why, salt, chain
		FROM audit WHERE id > CAST($1 AS BIGINT) ORDER BY id LIMIT 1000`
)

// eventRow is an event with its ids and its stored hash.
type eventRow struct {
	id, game int64
	ChainedEvent
	chain string
}

// recordRow is a record with its id, its chain and its stored hash.
type recordRow struct {
	id int64
	of ChainOf
	ChainedRecord
	chain string
}

// strictText scans only a text. A flipped bit can turn an empty text into an empty value of another type.
type strictText string

// Scan implements sql.Scanner.
func (t *strictText) Scan(value any) error {
	text, is := value.(string)
	if !is {
		return Fault(fmt.Sprintf("a text of a chain is stored as %T", value))
	}
	*t = strictText(text)
	return nil
}

// chained reads the rows of a table in pages and calls the function each for every page. No query is open during that
// call, so that it may write over the same connection.
func chained[R any](ctx context.Context, from Asked, query string, after []any, scan func(*sql.Rows) (R, []any, error),
	each func([]R) error) error {
	for {
		var page []R
		err := EachRow(ctx, from, func(rows *sql.Rows) error {
			row, at, err := scan(rows)
			page, after = append(page, row), at
			return err
		}, query, after...)
		if err != nil || len(page) == 0 {
			return err
		}
		if err := each(page); err != nil {
			return err
		}
	}
}

func chainedEvents(ctx context.Context, from Asked, each func([]eventRow) error) error {
	return chained(ctx, from, selectChainedEvents, []any{0, 0}, func(rows *sql.Rows) (r eventRow, at []any, err error) {
		err = rows.Scan(&r.id, &r.game, &r.Seq, &r.Kind, &r.Version, &r.At, &r.Actor, &r.Data, (*strictText)(&r.Salt),
			(*strictText)(&r.chain))
		return r, []any{r.game, r.Seq}, err
	}, each)
}

func chainedRecords(ctx context.Context, from Asked, each func([]recordRow) error) error {
	return chained(ctx, from, selectChainedRecords, []any{0}, func(rows *sql.Rows) (r recordRow, at []any, err error) {
		err = rows.Scan(&r.id, &r.of.Event, &r.of.Organization, &r.At, &r.Actor, &r.Action, &r.Version, &r.About,
			&r.Data, &r.Subject, &r.Before, &r.After, &r.Why, (*strictText)(&r.Salt), (*strictText)(&r.chain))
		r.of = ChainFor(r.of.Event, r.of.Organization, r.Action)
		return r, []any{r.id}, err
	}, each)
}

// RecordsHead reads the hash of the last record of a chain, empty if it has none.
func RecordsHead(ctx context.Context, from Asked, of ChainOf) (head string, err error) {
	err = EachRow(ctx, from, func(rows *sql.Rows) error { return rows.Scan(&head) },
		`SELECT head FROM record_chains WHERE tournament_id = $1 AND organization_id = $2`, of.Event, of.Organization)
	return head, err
}

// Recorded updates a chain after new records have been appended: it stores head, the hash of the last one, and adds
// records to the chain's count. It does not store the records themselves.
func Recorded(ctx context.Context, to Asked, of ChainOf, head string, records int) error {
	_, err := to.ExecContext(ctx, `INSERT INTO record_chains (tournament_id, organization_id, head, records)
		VALUES ($1, $2, $3, $4) ON CONFLICT (tournament_id, organization_id)
		DO UPDATE SET head = excluded.head, records = record_chains.records + excluded.records`,
		of.Event, of.Organization, head, records)
	return err
}

// gameHeads reads the heads stored with the games that satisfy the SQL condition in the parameter of.
func gameHeads(ctx context.Context, from Asked, of string, args ...any) (games []GameHead, err error) {
	err = EachRow(ctx, from, func(rows *sql.Rows) error {
		var g GameHead
		err := rows.Scan(&g.Game, &g.Head)
		games = append(games, g)
		return err
	}, "SELECT id, head FROM games WHERE "+of+" ORDER BY id", args...)
	return games, err
}

// CheckChains recomputes the hash of every event and every record, and compares the last hash of each chain with the
// stored head. A Fault names the first row that does not continue its chain.
func (s *DB) CheckChains(ctx context.Context) error {
	tx, err := s.ReadSQL.BeginTx(ctx, nil) // one snapshot
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	return checkChains(ctx, tx)
}

func checkChains(ctx context.Context, tx Asked) error {
	return errors.Join(checkLogs(ctx, tx), checkRecords(ctx, tx))
}

func checkLogs(ctx context.Context, tx Asked) error {
	heads := map[int64]string{}
	seqs := map[int64]int{}
	err := chainedEvents(ctx, tx, func(page []eventRow) error {
		for _, r := range page {
			if r.Seq != seqs[r.game]+1 {
				return Fault(fmt.Sprintf("game %d: event %d of the log is missing", r.game, seqs[r.game]+1))
			}
			if r.Link(r.game, heads[r.game]) != r.chain {
				return Fault(fmt.Sprintf("game %d: event %d of the log does not have the hash that follows from it "+
					"and the events before it", r.game, r.Seq))
			}
			heads[r.game], seqs[r.game] = r.chain, r.Seq
		}
		return nil
	})
	if err != nil {
		return err
	}
	games, err := gameHeads(ctx, tx, "status = 'finished' AND head <> ''")
	if err != nil {
		return err
	}
	for _, g := range games {
		if heads[g.Game] == "" {
			return Fault(fmt.Sprintf("game %d: the log is missing", g.Game))
		}
		if heads[g.Game] != g.Head {
			return Fault(fmt.Sprintf("game %d: the log does not end with the event whose hash was stored when the "+
				"game ended", g.Game))
		}
		delete(heads, g.Game)
	}
	return checkHeadless(ctx, tx, heads)
}

// checkHeadless rejects finished games with a log but without a stored head. heads are those of the remaining logs.
func checkHeadless(ctx context.Context, tx Asked, heads map[int64]string) error {
	games, err := gameHeads(ctx, tx, "status = 'finished' AND head = ''")
	for _, g := range games {
		if heads[g.Game] != "" {
			return Fault(fmt.Sprintf("game %d is over, but the hash of its last event is not stored", g.Game))
		}
	}
	return err
}

func checkRecords(ctx context.Context, tx Asked) error {
	type end struct {
		head    string
		records int
	}
	type erasures struct {
		ErasedRecords
		noted string
	}
	ends, erased := map[ChainOf]end{}, map[int64]erasures{}
	err := chainedRecords(ctx, tx, func(page []recordRow) error {
		for _, r := range page {
			last := ends[r.of]
			if r.ChainedRecord.Link(r.of, last.head) != r.chain {
				return Fault(fmt.Sprintf("record %d of %v does not have the hash that follows from it and the records "+
					"before it (row %d of audit)", last.records+1, r.of, r.id))
			}
			ends[r.of] = end{r.chain, last.records + 1}
			e := erased[r.of.Event]
			if e.Add(r.ChainedRecord, r.chain); r.Action == ErasureAction {
				e.noted = r.Data
			}
			erased[r.of.Event] = e
		}
		return nil
	})
	if err != nil {
		return err
	}
	// An erasure covers the rehearsals of its tournament, but only the tournament has the record.
	events, err := idsIn(ctx, tx, `SELECT id FROM tournaments WHERE rehearses = 0`)
	if err != nil {
		return err
	}
	for _, id := range events {
		if e := erased[id]; !e.Agrees(e.noted) {
			return Fault(fmt.Sprintf("event %d: the texts in place of erased ones are not those that the record of "+
				"the erasure names", id))
		}
	}
	err = EachRow(ctx, tx, func(rows *sql.Rows) error {
		var of ChainOf
		var want end
		if err := rows.Scan(&of.Event, &of.Organization, &want.head, &want.records); err != nil {
			return err
		}
		if have := ends[of]; have != want {
			return Fault(fmt.Sprintf("the records of %v are not those whose number and last hash are stored: %d of %d "+
				"are there", of, have.records, want.records))
		}
		delete(ends, of)
		return nil
	}, `SELECT tournament_id, organization_id, head, records FROM record_chains
		ORDER BY tournament_id, organization_id`)
	for of := range ends {
		err = errors.Join(err, Fault(fmt.Sprintf("the hash of the last record of %v is not stored", of)))
	}
	return err
}

// ChainAll hashes all rows in one transaction, for a database from a program without chains. The migration that follows
// adds triggers that reject such changes.
func ChainAll(ctx context.Context, db *sql.DB) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `DELETE FROM record_chains`)
	if err == nil {
		err = errors.Join(chainOlderLogs(ctx, tx), chainOlderRecords(ctx, tx))
	}
	if err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}

func chainOlderLogs(ctx context.Context, tx *sql.Tx) error {
	heads := map[int64]string{}
	err := chainedEvents(ctx, tx, func(page []eventRow) error {
		var values []any
		for _, r := range page {
			if _, reason, _ := CutReason(r.Data); reason != "" {
				r.Salt = NewSalt()
			}
			heads[r.game] = r.Link(r.game, heads[r.game])
			values = append(values, r.id, r.Salt, heads[r.game])
		}
		return storeChain(ctx, tx, "game_events", values)
	})
	for game, head := range heads {
		if err == nil {
			_, err = tx.ExecContext(ctx, `UPDATE games SET head = $1 WHERE id = $2 AND status = 'finished'`, head, game)
		}
	}
	return err
}

func chainOlderRecords(ctx context.Context, tx *sql.Tx) error {
	heads, counts := map[ChainOf]string{}, map[ChainOf]int{}
	err := chainedRecords(ctx, tx, func(page []recordRow) error {
		var values []any
		for _, r := range page {
			r.Salt = NewSalt()
			heads[r.of] = r.ChainedRecord.Link(r.of, heads[r.of])
			counts[r.of]++
			values = append(values, r.id, r.Salt, heads[r.of])
		}
		return storeChain(ctx, tx, "audit", values)
	})
	for of, head := range heads {
		if err == nil {
			err = Recorded(ctx, tx, of, head, counts[of])
		}
	}
	return err
}

// storeChain stores the salts and hashes of rows, given as id, salt, hash, id, salt, hash.
func storeChain(ctx context.Context, tx Asked, table string, values []any) error {
	for some := range slices.Chunk(values, 50*3) {
		if _, err := tx.ExecContext(ctx, "UPDATE "+table+" SET salt = v.column2, chain = v.column3 FROM (VALUES "+
			Values(len(some)/3, 3)+") AS v WHERE "+table+".id = CAST(v.column1 AS BIGINT)", some...); err != nil {
			return err
		}
	}
	return nil
}
