package store

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"
)

// Tries counts failed tries at secrets, jointly for all nodes of a database. A counter names the kind of secret, a key
// the account or client. A nil Tries stands for a program that has its database to itself and counts in memory.
type Tries struct {
	nodes *Nodes
	swept atomic.Int64 // when old ones were last removed
}

// Tally is the count of a key, with times in ms of the nodes' clock.
type Tally struct {
	Failed int   // in a row
	Last   int64 // time of the last failure
	Until  int64 // no try before this time
	Spent  int64 // when all spent tries are available again; each takes Every
}

// TryRule holds the limits for counting failures and the waits that follow from them.
type TryRule struct {
	Every   int64 // ms after which a spent try is available again
	Free    int   // failures in a row without a wait
	Shift   int   // the wait is 2^(failures-Shift) seconds
	Longest int64 // the longest wait, in ms
	Lock    int   // failures in a row that cause a wait of Forget; 0: none do
	Forget  int64 // ms after which failures are forgotten
}

const (
	triesMost   = 5 * time.Second
	triesKept   = int64(20 * time.Minute / time.Millisecond) // longer than any rule needs
	triesSwept  = int64(time.Minute / time.Millisecond)
	tallyFields = `failed, last, until, spent`

	triesTable = `CREATE TABLE IF NOT EXISTS tries (counter TEXT, key TEXT, failed BIGINT NOT NULL, last BIGINT NOT NULL, until BIGINT NOT NULL, spent BIGINT NOT NULL, PRIMARY KEY (counter, key))`
)

// Tries returns the counts that the nodes share, or nil for a nil Nodes.
func (n *Nodes) Tries() *Tries {
	if n == nil {
		return nil
	}
	return &Tries{nodes: n}
}

// See returns the tallies of keys, without those keys that have none.
func (t *Tries) See(counter string, keys []string) ([]Tally, error) {
	return t.ask(`SELECT `+tallyFields+` FROM tries WHERE counter = $1 AND key = ANY(string_to_array($2, ' '))`,
		counter,
		strings.Join(keys, " "))
}

// Fail counts a failure of every key.
func (t *Tries) Fail(counter string, keys []string, by TryRule) error {
	_, err := t.count(counter, keys, by, ``)
	return err
}

// Begin counts a failure of every key and returns true, unless one of the keys has to wait. In that case it counts
// nothing and returns false.
func (t *Tries) Begin(counter string, keys []string, by TryRule) (bool, error) {
	counted, err := t.count(counter, keys, by, `t.until <= $1`)
	return len(counted) == len(keys), err
}

func (t *Tries) count(counter string, keys []string, by TryRule, may string) ([]Tally, error) {
	now := int64(t.nodes.db.Millis())
	if swept := t.swept.Load(); now-swept > triesSwept && t.swept.CompareAndSwap(swept, now) {
		if _, err := t.ask(`DELETE FROM tries WHERE last < $1 RETURNING `+tallyFields, now-triesKept); err != nil {
			return nil, err
		}
	}
	const at = `CAST($1 AS BIGINT)`
	inRow := fmt.Sprintf(`(CASE WHEN %s - t.last >= %d THEN 1 ELSE t.failed + 1 END)`, at, by.Forget)
	until := func(failed string) string {
		wait := fmt.Sprintf(`WHEN %s > %d THEN %s + least(%d, 1000 * (1::bigint << CAST(least(%s - %d, 20) AS INT))) ELSE 0 END`, failed, by.Free, at, by.Longest, failed, by.Shift)
		if by.Lock > 0 {
			wait = fmt.Sprintf(`WHEN %s >= %d THEN %s + %d `, failed, by.Lock, at, by.Forget) + wait
		}
		return `CASE ` + wait
	}
	unless, only := ``, ``
	if may != `` { // checked before counting, and again for counts in the meantime
		unless, only = ` WHERE NOT EXISTS (SELECT 1 FROM tries t WHERE counter = $2
			AND t.key = ANY(string_to_array($3, ' ')) AND NOT `+may+`)`, ` WHERE `+may
	}
	keys = slices.Sorted(slices.Values(keys)) // concurrent counts of the same keys use the same order
	first := fmt.Sprintf(`INSERT INTO tries AS t (counter, key, failed, last, until, spent)
		SELECT $2, key, 1, %[1]s, %[2]s, %[1]s + %[3]d FROM unnest(string_to_array($3, ' ')) key`,
		at, until("1"), by.Every)
	again := fmt.Sprintf(` ON CONFLICT (counter, key) DO UPDATE SET failed = %[2]s, last = %[1]s, until = greatest(t.until, %[3]s), spent = greatest(t.spent, %[1]s) + %[4]d`,
		at, inRow, until(inRow), by.Every)
	return t.ask(first+unless+again+only+` RETURNING t.failed, t.last, t.until, t.spent`, now, counter,
		strings.Join(keys, " "))
}

// Forget removes the tallies of keys.
func (t *Tries) Forget(counter string, keys []string) error {
	_, err := t.ask(`DELETE FROM tries WHERE counter = $1 AND key = ANY(string_to_array($2, ' '))
		RETURNING `+tallyFields,
		counter, strings.Join(keys, " "))
	return err
}

func (t *Tries) ask(query string, args ...any) (all []Tally, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), triesMost)
	defer cancel()
	rows, err := t.nodes.counts.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var one Tally
		if err := rows.Scan(&one.Failed, &one.Last, &one.Until, &one.Spent); err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, rows.Err()
}
