package store

import (
	"context"
	"fmt"
	"hash/crc32"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// summed lists the columns covered by the checksum of a row, by table, in this order.
var summed = map[string][]string{
	"game_events": {"game_id", "seq", "kind", "version", "data", "actor", "cmd_id", "at"},
	"audit": {"at", "tournament_id", "actor", "action", "why", "version", "about", "data", "topics", "subject",
		"before", "after"},
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// sumTexts is a pool of buffers for checksums, since every event needs one briefly.
var sumTexts = sync.Pool{New: func() any { return new([]byte) }}

// Sum returns the checksum of a row: the CRC-32C of its columns as text, in the order of summed, with NULL as an empty
// text. It detects any flipped bit.
func Sum(values ...any) int64 {
	kept := sumTexts.Get().(*[]byte)
	defer sumTexts.Put(kept)
	*kept = appendTexts((*kept)[:0], values)
	return int64(crc32.Checksum(*kept, castagnoli))
}

// appendTexts appends values as texts, each followed by a zero byte.
func appendTexts(text []byte, values []any) []byte {
	for _, v := range values {
		switch v := v.(type) {
		case nil:
		case string:
			text = append(text, v...)
		case int64:
			text = strconv.AppendInt(text, v, 10)
		case int:
			text = strconv.AppendInt(text, int64(v), 10)
		default:
			text = fmt.Append(text, v)
		}
		text = append(text, 0)
	}
	return text
}

// CheckSums compares each row of the append-only tables with its stored checksum. A Fault names the first row that
// differs, or that has none although earlier ones do.
func (s *DB) CheckSums(ctx context.Context) error {
	for _, table := range slices.Sorted(maps.Keys(summed)) {
		err := eachWrongSum(ctx, s.ReadSQL, table, summed[table], func(row int64) error {
			return Fault(fmt.Sprintf("row %d of %s differs from its checksum", row,
				strings.ReplaceAll(table, "_", " ")))
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// eachWrongSum calls wrong for each row of a table whose checksum does not match its columns. It skips the rows before
// the first one with a checksum.
func eachWrongSum(ctx context.Context, from Asked, table string, columns []string,
	wrong func(row int64) error) error {
	query := "SELECT id, sum, " + strings.Join(columns, ", ")
	rows, err := from.QueryContext(ctx,
		query+" FROM "+table+" WHERE id >= (SELECT min(id) FROM "+table+" WHERE sum IS NOT NULL)")
	if err != nil {
		return err
	}
	defer rows.Close()
	var id int64
	var sum any
	values, to := make([]any, len(columns)), []any{&id, &sum}
	for i := range values {
		to = append(to, &values[i])
	}
	for rows.Next() {
		if err := rows.Scan(to...); err != nil {
			return err
		}
		if Sum(values...) != sum {
			if err := wrong(id); err != nil {
				return err
			}
		}
	}
	return rows.Err()
}
