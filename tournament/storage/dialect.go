package storage

import (
	"errors"
	"strings"

	"gorm.io/gorm"
	"gorm.io/gorm/callbacks"
	"gorm.io/gorm/clause"
	"gorm.io/gorm/logger"
	gormschema "gorm.io/gorm/schema"
	msqlite "modernc.org/sqlite"
)

// dialect is what gorm has to know of SQLite, for one pool. gorm's own links a driver besides, which this program has no use for.
// Making and changing tables is left out: the migrations do that.
type dialect struct{ pool gorm.ConnPool }

// Name is sqlite.
func (dialect) Name() string { return "sqlite" }

// Initialize lets gorm make statements of SQLite's clauses.
func (d dialect) Initialize(db *gorm.DB) error {
	db.ConnPool = d.pool
	callbacks.RegisterDefaultCallbacks(db, &callbacks.Config{
		CreateClauses:        []string{"INSERT", "VALUES", "ON CONFLICT", "RETURNING"},
		UpdateClauses:        []string{"UPDATE", "SET", "FROM", "WHERE", "RETURNING"},
		DeleteClauses:        []string{"DELETE", "FROM", "WHERE", "RETURNING"},
		LastInsertIDReversed: true,
	})
	return nil
}

// Translate makes gorm's errors of SQLite's extended result codes.
func (dialect) Translate(err error) error {
	var e *msqlite.Error
	if errors.As(err, &e) {
		switch e.Code() {
		case 1555, 2067: // primary key, unique
			return gorm.ErrDuplicatedKey
		case 787:
			return gorm.ErrForeignKeyViolated
		}
	}
	return err
}

// BindVarTo writes the place of a value.
func (dialect) BindVarTo(w clause.Writer, _ *gorm.Statement, _ any) { w.WriteByte('?') }

// QuoteTo writes a name, of a column also with its table's.
func (dialect) QuoteTo(w clause.Writer, name string) {
	w.WriteByte('`')
	w.WriteString(strings.NewReplacer("`", "``", ".", "`.`").Replace(name))
	w.WriteByte('`')
}

// Explain writes a statement with its values, for logs.
func (dialect) Explain(sql string, values ...any) string {
	return logger.ExplainSQL(sql, nil, `'`, values...)
}

// DefaultValueOf is what stands for a value that the database chooses: the id of a row.
func (dialect) DefaultValueOf(*gormschema.Field) clause.Expression { return clause.Expr{SQL: "NULL"} }

// DataTypeOf is not asked for where no tables are made.
func (dialect) DataTypeOf(f *gormschema.Field) string { return string(f.DataType) }

// Migrator is none.
func (dialect) Migrator(*gorm.DB) gorm.Migrator { return nil }
