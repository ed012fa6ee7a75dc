package store

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
)

// script is one migration as a text of several statements.
type script struct {
	version int64
	text    string
}

// scripts returns the migrations for PostgreSQL, in order.
func scripts() (all []script, err error) {
	files, err := fs.Glob(migrations, "migrations/postgres/*.sql")
	if err != nil {
		return nil, err
	}
	for _, name := range files {
		text, err := fs.ReadFile(migrations, name)
		if err != nil {
			return nil, err
		}
		version, err := goose.NumericComponent(name)
		if err != nil {
			return nil, fmt.Errorf("migration %s: %w", name, err)
		}
		all = append(all, script{version, string(text)})
	}
	return all, nil
}

// run executes all statements of a migration.
func (m script) run(ctx context.Context, tx *sql.Tx) error {
	_, err := tx.ExecContext(ctx, m.text, pgx.QueryExecModeSimpleProtocol)
	return err
}

// migrateServer is migrate on PostgreSQL. It first tries the pending migrations of an existing database in a
// transaction that it rolls back.
func (s *DB) migrateServer(ctx context.Context) (err error) {
	have, foreign, err := tablesOf(ctx, s.WriteSQL)
	if err != nil {
		return err
	}
	switch _, ours := have["goose_db_version"]; {
	case !ours && foreign != "":
		return fmt.Errorf("it belongs to another program: it has %s. Use an empty database. Nothing was changed",
			foreign)
	case ours && len(have) > 1 && have["tournaments"] == 0:
		return errors.New("it belongs to another program, whose version table has the same name. Use an empty " +
			"database. Nothing was changed")
	}
	if _, ours := have["goose_db_version"]; s.existing && !ours {
		return errors.New("it is empty")
	}
	plain := stdlib.OpenDB(*s.server.config) // goose writes SQL of PostgreSQL's own
	defer func() { err = errors.Join(err, plain.Close()) }()
	provider, err := migrationsFor(plain, goose.DialectPostgres)
	if err != nil {
		return err
	}
	if len(have) > 0 {
		version, err := provider.GetDBVersion(ctx)
		if err != nil {
			return fmt.Errorf("read the schema version: %w", err)
		}
		if newest := newest(provider); version > newest {
			return fmt.Errorf("the schema version is %d, newer than this program's %d: use the newer program. "+
				"Nothing was changed", version, newest)
		}
		if pending, err := provider.HasPending(ctx); err != nil {
			return err
		} else if !pending {
			_, err := s.WriteSQL.ExecContext(ctx, thisDatabase, pgx.QueryExecModeSimpleProtocol)
			return err
		}
	}
	if s.server.claim == nil && !s.Scratch {
		if s.server.claim, err = s.server.own(ctx, false); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, s.server.claim.close(ctx)); s.server.claim = nil }()
	}
	if s.server.claim != nil {
		again, err := s.server.claim.alone(ctx)
		if err != nil {
			return err
		}
		defer again()
	}
	if len(have) > 0 {
		if err := tryServerMigration(ctx, s.WriteSQL, provider); err != nil {
			return fmt.Errorf("migrate: %w; rolled back, so the database is unchanged", err)
		}
	}
	if err := upChained(ctx, s.WriteSQL, provider); err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	_, err = s.WriteSQL.ExecContext(ctx, thisDatabase, pgx.QueryExecModeSimpleProtocol)
	return err
}

// tryServerMigration applies the pending migrations and rolls them back.
func tryServerMigration(ctx context.Context, db *sql.DB, provider *goose.Provider) error {
	status, err := provider.Status(ctx)
	if err != nil {
		return err
	}
	pending := map[int64]bool{}
	for _, m := range status {
		pending[m.Source.Version] = m.State == goose.StatePending
	}
	all, err := scripts()
	if err != nil {
		return err
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	for _, m := range all {
		if !pending[m.version] {
			continue
		}
		if err := m.run(ctx, tx); err != nil {
			return errors.Join(fmt.Errorf("version %d: %w", m.version, err), tx.Rollback())
		}
	}
	return tx.Rollback()
}

// tablesOf returns the tables and views of the schema. foreign describes the first one that is not in ownTables, or is
// empty.
func tablesOf(ctx context.Context, db *sql.DB) (have map[string]int, foreign string, err error) {
	rows, err := db.QueryContext(ctx,
		`SELECT relname FROM pg_class WHERE relnamespace = current_schema()::regnamespace
			AND relkind IN ('r', 'p', 'v', 'm', 'f') ORDER BY relname`)
	if err != nil {
		return nil, "", err
	}
	defer rows.Close()
	have = map[string]int{}
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, "", err
		}
		have[name]++
		if foreign == "" && !strings.Contains(ownTables, "'"+name+"'") {
			foreign = "a table " + name
		}
	}
	return have, foreign, rows.Err()
}

// selectDefinitions reads the definitions of a schema from the catalogue: columns, constraints, indexes, and triggers
// with their functions.
const selectDefinitions = `
	SELECT 'column ' || c.relname || '.' || a.attname, concat_ws(' ', format_type(a.atttypid, a.atttypmod),
		a.attcollation::regcollation, a.attnotnull, a.attidentity, a.attgenerated, pg_get_expr(d.adbin, d.adrelid))
		FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
		WHERE c.relnamespace = $1::regnamespace AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped AND c.relname NOT IN (` + ownTables + `)
	UNION ALL SELECT 'constraint ' || o.conname || ' of ' || c.relname, pg_get_constraintdef(o.oid)
		FROM pg_constraint o JOIN pg_class c ON c.oid = o.conrelid WHERE c.relnamespace = $1::regnamespace AND c.relname NOT IN (` + ownTables + `)
	UNION ALL SELECT 'index ' || indexname,
		indexdef FROM pg_indexes WHERE schemaname = $1::text AND tablename NOT IN (` + ownTables + `)
	UNION ALL SELECT 'trigger ' || t.tgname || ' of ' || c.relname, pg_get_triggerdef(t.oid) || ' ' ||
		t.tgenabled::text || ' ' || p.prosrc
		FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_proc p ON p.oid = t.tgfoid WHERE c.relnamespace = $1::regnamespace AND NOT t.tgisinternal`

// checkSchema is CheckSchema on PostgreSQL. It applies the migrations in a schema of its own beside the tables,
// compares both, and rolls back. It checks nothing if the user may not create a schema. On a busy machine it takes
// seconds, but writers do not wait, because it locks none of their tables.
func (v *server) checkSchema(ctx context.Context) (err error) {
	plain := stdlib.OpenDB(*v.config)
	defer func() { err = errors.Join(err, plain.Close()) }()
	tx, err := plain.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, tx.Rollback()) }()
	var schema string
	var version int64
	if err := tx.QueryRowContext(ctx,
		`SELECT current_schema(), coalesce(max(version_id), 0) FROM goose_db_version WHERE is_applied`).Scan(&schema,
		&version); err != nil {
		return err
	}
	have, err := definitions(ctx, tx, schema)
	if err != nil {
		return err
	}
	beside := "as_it_should_be_" + strings.ToLower(rand.Text()) // concurrent checks do not wait for it
	if _, err := tx.ExecContext(ctx, "CREATE SCHEMA "+beside+"; SET LOCAL search_path = "+beside,
		pgx.QueryExecModeSimpleProtocol); err != nil {
		if state(err) == "42501" { // the user may not make a schema, so this is left out
			return nil
		}
		return err
	}
	all, err := scripts()
	if err != nil {
		return err
	}
	for _, m := range all {
		if m.version > version {
			continue
		}
		if err := m.run(ctx, tx); err != nil {
			return err
		}
	}
	want, err := definitions(ctx, tx, beside)
	if err != nil {
		return err
	}
	return firstFault(have, want)
}

func definitions(ctx context.Context, tx *sql.Tx, schema string) (map[string]string, error) {
	rows, err := tx.QueryContext(ctx, selectDefinitions, schema)
	if err != nil {
		return nil, err
	}
	return definitionsIn(rows, schema)
}

// firstFault returns a Fault for the first wanted definition that is missing or different, or nil. It ignores
// additional definitions.
func firstFault(have, want map[string]string) error {
	for _, name := range slices.Sorted(maps.Keys(want)) {
		switch definition, there := have[name]; {
		case !there:
			return Fault("the " + name + " is missing")
		case definition != want[name]:
			return Fault("the " + name + " is not as this program makes it")
		}
	}
	return nil
}

// readThrough makes the server read every row of each table. A Fault names a table that cannot be read, or an index or
// constraint that is not in force.
func readThrough(ctx context.Context, db *sql.DB) error {
	var idle string
	err := db.QueryRowContext(ctx, `SELECT coalesce((SELECT min(indexrelid::regclass::text) FROM pg_index i
		JOIN pg_class c ON c.oid = i.indrelid
		WHERE c.relnamespace = current_schema()::regnamespace AND NOT (i.indisvalid AND i.indisready)),
		(SELECT min(conname) FROM pg_constraint WHERE connamespace = current_schema()::regnamespace AND NOT convalidated), '')`).Scan(&idle)
	if err != nil {
		return err
	}
	if idle != "" {
		return Fault(idle + " is there but not in force")
	}
	have, _, err := tablesOf(ctx, db)
	if err != nil {
		return err
	}
	for _, table := range slices.Sorted(maps.Keys(have)) {
		var rows, sum sql.NullInt64
		err := db.QueryRowContext(ctx, `SELECT count(*), sum(length(r::text)) FROM "`+table+`" r`).Scan(&rows, &sum)
		if state(err) != "" && state(err)[:2] == "XX" {
			return Fault("table " + table + ": " + err.Error())
		}
		if err != nil {
			return err
		}
	}
	return nil
}
