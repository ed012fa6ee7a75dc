package store

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"log/slog"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"gorm.io/gorm"

	"meldhall/engine"
)

// DamagedName is the prefix of the name that replaces a damaged one until an official enters the name again.
const DamagedName = "⚠ № "

// Damage is a row that changed on the disk and has not been entered again since. Event, Game and Player (a start
// number) locate it; each is 0 if the row belongs to none.
type Damage struct {
	Part    string // the table
	Row     int64
	Found   engine.Millis
	Event   int64
	Game    int64
	Round   int
	Table   int
	Number  int // of the game at the table
	Player  int
	Current bool // row is in the latest revision of a result
}

// IsResult reports whether the damage is in a result.
func (d Damage) IsResult() bool { return d.Part == "results" || d.Part == "result_lines" }

// Damages are the damaged rows of a database.
type Damages struct {
	db     *DB
	any    atomic.Bool // see Any
	broken sync.Map    // games with unreadable logs, and when that was discovered
}

// damagedRows are the IDs of damaged rows, by table. A table with an empty list only needs its indexes rebuilt.
type damagedRows map[string][]int64

var (
	missingRow = regexp.MustCompile(`^row (\d+) (?:missing|values differ) from index (\S+)$`)
	followsRow = regexp.MustCompile(`^wrong # of entries in index |^non-unique entry in index |` +
		`^\S+ value in |^CHECK constraint failed in `)
)

// lookForRows reads a whole file to which nothing writes. It returns the rows that differ from one of their indexes;
// any other damage is a Fault.
func lookForRows(ctx context.Context, db *sql.DB) (damagedRows, error) {
	said, err := texts(ctx, db, "PRAGMA integrity_check(10000)")
	if err != nil { // the short check names the place
		return nil, cmp.Or(check(ctx, db, "quick_check"), err)
	}
	if slices.Equal(said, []string{"ok"}) {
		return nil, nil
	}
	found := damagedRows{}
	for _, line := range said {
		m := missingRow.FindStringSubmatch(line)
		if m == nil {
			if followsRow.MatchString(line) {
				continue
			}
			return nil, Fault(strings.TrimSpace(strings.TrimPrefix(line, "*** in database main ***")))
		}
		var table string
		if err := db.QueryRowContext(ctx, `SELECT tbl_name FROM sqlite_schema WHERE type = 'index' AND name = $1`,
			m[2]).Scan(&table); err != nil {
			return nil, err
		}
		// SQLite reports the row's position; a table without rowids has nothing else to name it by.
		row, err := strconv.ParseInt(m[1], 10, 64)
		if err != nil {
			return nil, err
		}
		_ = db.QueryRowContext(ctx, `SELECT rowid FROM `+table+` ORDER BY rowid LIMIT 1 OFFSET $1 - 1`, row).Scan(&row)
		// A row that agrees with the index of all its columns is whole; note rebuilds the other index.
		if rows := found[table]; strings.HasPrefix(m[2], wholePrefix) && !slices.Contains(rows, row) {
			found[table] = append(rows, row)
		} else if rows == nil {
			found[table] = []int64{}
		}
	}
	if len(found) == 0 {
		return nil, Fault(said[0])
	}
	return found, nil
}

// record notes the damaged rows that were found and those with wrong checksums, and rebuilds the indexes of their
// tables. It replaces damaged names, which could be mistaken for real ones.
func (d *Damages) record(ctx context.Context, found damagedRows) error {
	if found == nil {
		found = damagedRows{}
	}
	for table, columns := range summed {
		err := eachWrongSum(ctx, d.db.ReadSQL, table, columns, func(row int64) error {
			found[table] = append(found[table], row)
			return nil
		})
		if err != nil {
			return err
		}
	}
	if len(found) > 0 {
		if err := d.db.Tx(ctx, func(tx *gorm.DB) error { return found.note(tx, d.db.Millis()) }); err != nil {
			return fmt.Errorf("record the damaged rows: %w", err)
		}
	}
	var n int
	err := d.db.WriteSQL.QueryRowContext(ctx, `SELECT count(*) FROM damages`).Scan(&n)
	d.any.Store(n > 0)
	return err
}

func (found damagedRows) note(tx *gorm.DB, at engine.Millis) error {
	for _, table := range slices.Sorted(maps.Keys(found)) {
		if tx.Dialector.Name() == "sqlite" {
			if err := tx.Exec("REINDEX " + table).Error; err != nil {
				return err
			}
		}
		for _, row := range found[table] {
			slog.Error("a row of the database is damaged", "table", table, "row", row)
			if err := tx.Exec(`INSERT INTO damages (part, row_id, found_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING`,
				table, row, at).Error; err != nil {
				return err
			}
			if table == "players" {
				if err := tx.Exec(`UPDATE players SET name = ? || number, name_key = ? || number WHERE id = ?`,
					DamagedName, DamagedName, row).Error; err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// Any reports whether a row was ever found damaged. It saves callers the query of All, which is rarely needed.
func (d *Damages) Any() bool { return d.any.Load() }

// NoteBroken notes, in memory only, a game whose log cannot be read. After a restart, the log is found unreadable
// again.
func (d *Damages) NoteBroken(game int64) {
	d.broken.LoadOrStore(game, d.db.Millis())
	d.any.Store(true)
}

// CurrentDamage is the SQL condition that a row l of result_lines, in the latest revision of a result, is damaged.
const CurrentDamage = `EXISTS (SELECT 1 FROM damages d WHERE d.part = 'result_lines' AND d.row_id = l.id
	OR d.part = 'results' AND d.row_id = l.result_id)`

const selectDamages = `SELECT d.part, d.row_id, d.found_at,
		coalesce(p.tournament_id, g.tournament_id, a.tournament_id, 0), coalesce(g.id, 0), coalesce(n.number, 0),
		coalesce(t.number, 0), coalesce(g.number, 0), coalesce(p.number, 0),
		coalesce(r.rev = (SELECT max(rev) FROM results WHERE game_id = r.game_id), false)
	FROM damages d LEFT JOIN players p ON d.part = 'players' AND p.id = d.row_id
	LEFT JOIN audit a ON d.part = 'audit' AND a.id = d.row_id
	LEFT JOIN result_lines l ON d.part = 'result_lines' AND l.id = d.row_id
	LEFT JOIN results r ON d.part = 'results' AND r.id = d.row_id OR r.id = l.result_id
	LEFT JOIN game_events e ON d.part = 'game_events' AND e.id = d.row_id
	LEFT JOIN games g ON g.id = coalesce(r.game_id, e.game_id) OR d.part = 'games' AND g.id = d.row_id
	LEFT JOIN tables t ON t.id = g.table_id LEFT JOIN rounds n ON n.id = t.round_id
	WHERE d.part <> 'players' OR p.name LIKE '` + DamagedName + `%' ORDER BY d.part, d.row_id`

// All returns the damaged rows that have not been entered again since.
func (d *Damages) All(ctx context.Context) (all []Damage, err error) {
	tables, err := carriedTables()
	if err != nil {
		return nil, err
	}
	known := MapOf(tables, func(t carriedTable) (string, bool) { return t.name, true })
	err = EachRow(ctx, d.db.ReadSQL, func(rows *sql.Rows) error {
		var one Damage
		err := rows.Scan(&one.Part, &one.Row, &one.Found, &one.Event, &one.Game, &one.Round, &one.Table, &one.Number,
			&one.Player, &one.Current)
		if known[one.Part] && (one.Current || !one.IsResult()) {
			all = append(all, one)
		}
		return err
	}, selectDamages)
	if err != nil {
		return nil, err
	}
	d.broken.Range(func(game, found any) bool {
		one := Damage{Part: "game_events", Game: game.(int64), Found: found.(engine.Millis)}
		if slices.ContainsFunc(all, func(other Damage) bool {
			return other.Part == one.Part && other.Game == one.Game
		}) {
			return true
		}
		err = d.db.ReadSQL.QueryRowContext(ctx, `SELECT g.tournament_id, n.number, t.number, g.number FROM games g
			JOIN tables t ON t.id = g.table_id JOIN rounds n ON n.id = t.round_id WHERE g.id = $1`, one.Game).
			Scan(&one.Event, &one.Round, &one.Table, &one.Number)
		all = append(all, one)
		return err == nil
	})
	return all, err
}

// check returns a Fault if a damaged row has not been entered again.
func (d *Damages) check(ctx context.Context) error {
	all, err := d.All(ctx)
	if err == nil && len(all) > 0 {
		err = Fault(fmt.Sprintf("row %d of %s is damaged", all[0].Row,
			strings.ReplaceAll(all[0].Part, "_", " ")))
	}
	return err
}
