package tournament

import (
	"database/sql"
	"strings"

	"gorm.io/gorm"

	"meldhall/tournament/action"
	"meldhall/tournament/store"
)

// AboutColumns and AboutTables are the query parts that AboutGame reads of a game g, one row per seat.
const (
	AboutColumns = `r.number, t.number, g.number, p.number, p.shown`
	AboutTables  = ` FROM games g JOIN tables t ON t.id = g.table_id JOIN rounds r ON r.id = t.round_id
		JOIN seats s ON s.table_id = t.id JOIN players p ON p.id = s.player_id `
)

// AboutRows collects the rows of such a query.
type AboutRows struct {
	On    action.About
	Names []string
}

// Scan reads one row; more are the destinations of the columns after AboutColumns.
func (a *AboutRows) Scan(rows *sql.Rows, more ...any) error {
	var number int
	var name string
	err := rows.Scan(append([]any{&a.On.Round, &a.On.Table, &a.On.GameNo, &number, &name}, more...)...)
	a.On.Players, a.Names = append(a.On.Players, number), append(a.Names, name)
	return err
}

// AboutGame returns where a game is played and its players' start numbers, with the names by seat.
func AboutGame(db *gorm.DB, game int64) (on action.About, names []string, err error) {
	var a AboutRows
	err = store.EachRow(db.Statement.Context, db.Statement.ConnPool, func(rows *sql.Rows) error { return a.Scan(rows) },
		`SELECT `+AboutColumns+AboutTables+`WHERE g.id = $1 ORDER BY s.seat`, game)
	a.On.Game = game
	return a.On, a.Names, err
}

// Topics returns the topics that a decision after the game's end changes.
func (g Game) Topics() []action.Topic {
	return []action.Topic{{What: action.TopicTable, ID: g.TableID}, {What: action.TopicGame, ID: g.ID}}
}

// NameOf returns the name in a recorded actor: "Ann" for "organizer:Ann".
func NameOf(actor string) string {
	if _, name, ok := strings.Cut(actor, ":"); ok {
		return name
	}
	return actor
}

// RuledOut is the name of the kind of records about players withdrawn or reinstated by a ruling (package result).
const RuledOut = "player.withdraw"
