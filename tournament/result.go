package tournament

import (
	"context"
	"database/sql"
	"slices"

	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/tournament/door"
	"meldhall/tournament/game"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/storage"
)

// Results gives every revision of a game's result, the first one first.
func Results(ctx context.Context, s *storage.DB, gameID int64) ([]game.Result, error) {
	return gameResults(s.Read.WithContext(ctx), gameID, Always)
}

// LatestResult gives the revision that counts; NotFound before the game has ended.
func LatestResult(ctx context.Context, s *storage.DB, gameID int64) (game.Result, error) {
	results, err := countedResults(s.Read.WithContext(ctx), gameID)
	if err != nil {
		return game.Result{}, err
	}
	return results[len(results)-1], nil
}

// LatestResultAt is the revision that counted at a moment; NotFound where none had come before it.
func LatestResultAt(ctx context.Context, s *storage.DB, gameID int64, at engine.Millis) (game.Result, error) {
	results, err := countedResultsAt(s.Read.WithContext(ctx), gameID, at)
	if err != nil {
		return game.Result{}, err
	}
	return results[len(results)-1], nil
}

// RoundResults gives the results that count of a round's games, by game.
func RoundResults(ctx context.Context, s *storage.DB, roundID int64) (map[int64]game.Result, error) {
	return RoundResultsAt(ctx, s, roundID, Always)
}

// RoundResultsAt gives those that counted at a moment: of what came before it.
func RoundResultsAt(ctx context.Context, s *storage.DB, roundID int64, at engine.Millis) (map[int64]game.Result, error) {
	return RoundResultsIn(s.Read.WithContext(ctx), roundID, at)
}

func RoundResultsIn(db *gorm.DB, roundID int64, at engine.Millis) (map[int64]game.Result, error) {
	var sealed []int64
	err := db.Raw(`SELECT g.id FROM games g JOIN tables t ON t.id = g.table_id JOIN rounds r ON r.id = t.round_id
		WHERE r.id = ? AND `+game.DealInPlay, roundID).Scan(&sealed).Error
	if err != nil {
		return nil, err
	}
	results, err := resultsOf(db.Where(`rev = (SELECT max(rev) FROM results l WHERE l.game_id = results.game_id AND l.at < ?)
		AND game_id IN (SELECT g.id FROM games g JOIN tables t ON t.id = g.table_id WHERE t.round_id = ?)`, at, roundID))
	return storage.MapOf(results, func(r game.Result) (int64, game.Result) {
		r.Sealed = slices.Contains(sealed, r.GameID)
		return r.GameID, r
	}), err
}

// ConfirmResult makes a game's result final as it stands at revision Rev, as a new revision, and starts the next game at the
// table: racks stay as they are until the count is done (WRC clause 13). When somebody has revised it since, it is a
// Conflict that tells the newest revision; pressing twice is not.
type ConfirmResult struct {
	Game int64 `json:"game,omitempty" path:"id" minimum:"1"`
	Rev  int   `json:"rev" minimum:"1"`
}

var _ = door.NewKind[ConfirmResult](door.Kind{Name: "result.confirm_result", Right: rights.MayConfirmResult, Own: true, Many: true,
	Changes: []door.What{door.TopicStandings}, Details: door.Keep[revision]})

func (c ConfirmResult) Do(tx *door.Tx) (game.Result, error) {
	r, err := openResult(tx, c.Game, c.Rev, rights.MayConfirmResult)
	if err != nil || r.confirmed(tx.Actor, c.Rev) {
		return r.latest, err
	}
	if err := r.changeable(tx, c.Rev, false); err != nil {
		return r.latest, err
	}
	result, err := r.revise(tx, game.Result{Ending: r.latest.Ending, Lines: r.latest.Lines})
	if err != nil {
		return result, err
	}
	if waits, err := r.thenNext(tx); err != nil || waits {
		return result, err
	}
	return result, finishRound(tx, r.game.Game)
}

// thenNext starts the next game at the table after the commit, and tells whether it is known that one waits. A server's tables are read for
// it only then: what cannot be read there ends the transaction.
func (r revising) thenNext(tx *door.Tx) (waits bool, err error) {
	games, table := tx.Desk.Games, r.game.TableID
	start := func(ctx context.Context) error { return games.StartWaiting(ctx, table) }
	if !tx.Desk.DB.Served() {
		next, err := games.NextAt(tx.Statement.Context, tx.Statement.ConnPool, table)
		switch { // where a log is broken the result counts all the same; why no game can start is told after the commit
		case game.IsStorage(err), err == nil && next == nil:
			return false, err
		case err == nil:
			start, waits = next, true
		}
	}
	tx.Then(func(ctx context.Context, _ *game.Games) error { return start(ctx) })
	return waits, nil
}

// revising is a game's result that is about to be revised.
type revising struct {
	game    playedGame
	results []game.Result
	latest  game.Result
	kind    *door.Kind // of its record; nil: the action's
}

// openResult reads the result of a game for somebody who may revise it.
func openResult(tx *door.Tx, gameID int64, rev int, right rights.Right) (r revising, err error) {
	if r.game, err = playedGameByID(tx.DB, gameID); err != nil {
		return r, err
	}
	if r.game.practice {
		tx.InPractice()
	}
	if err := tx.Authorize(rights.Place{Tournament: r.game.TournamentID, Table: r.game.TableID, Seat: -1, Practice: r.game.practice}, right); err != nil {
		return r, err
	}
	if r.results, err = countedResults(tx.DB, gameID); err == nil {
		r.latest = r.results[len(r.results)-1]
	}
	return r, err
}

// confirmed tells whether a result is confirmed already as somebody wants to confirm it: by others, or by pressing twice.
func (r revising) confirmed(actor rights.Actor, rev int) bool {
	pressedTwice := r.latest.Rev == rev+1 && r.latest.Actor == actor.String() && r.latest.Why == ""
	return r.latest.Confirmed() && (r.latest.Rev == rev || pressedTwice)
}

// changeable refuses a revision after another one, and while a protest is open.
func (r revising) changeable(tx *door.Tx, rev int, correct bool) error {
	if r.latest.Rev != rev {
		return refuse.Conflict("err_result_changed", "have", r.latest.Rev, "want", rev, "by", r.latest.Actor)
	}
	if correct && r.latest.Confirmed() {
		if err := tx.Authorize(rights.Place{Tournament: r.game.TournamentID}, rights.MayRuleHeavily); err != nil {
			return err
		}
	}
	if !r.game.protested {
		return nil
	}
	return protestsAllow(tx.DB, r.results, correct)
}

// revise writes the next revision.
func (r revising) revise(tx *door.Tx, result game.Result) (game.Result, error) {
	result.GameID, result.Rev, result.Status = r.game.ID, r.latest.Rev+1, game.ResultConfirmed
	result.Actor, result.At = tx.Actor.String(), tx.Now()
	if err := insertResult(tx.DB, &result); err != nil {
		return game.Result{}, err
	}
	tx.Record(door.Entry{Kind: r.kind, Event: r.game.TournamentID, On: r.game.on, Why: result.Why,
		Is: revision{Was: toldOf(r.latest, r.game.names), Is: toldOf(result, r.game.names)}, Topics: r.game.topics()})
	return result, nil
}

// revision is what a record of a result keeps: the result before and after it.
type revision = door.Change[*toldResult]

// toldResult is a result as a record keeps it, with the names of the time.
type toldResult struct {
	Rev    int        `json:"rev"`
	Status string     `json:"status"`
	Ending string     `json:"ending"`
	Seats  []toldLine `json:"seats"`
}

type toldLine struct {
	Name   string         `json:"name"`
	Points engine.Twelfth `json:"points"`
	Wins   engine.Twelfth `json:"wins,omitempty"`
}

func toldOf(r game.Result, names []string) *toldResult {
	told := &toldResult{Rev: r.Rev, Status: r.Status, Ending: r.Ending, Seats: make([]toldLine, len(r.Lines))}
	for i, l := range r.Lines {
		told.Seats[i] = toldLine{names[l.Seat], l.Points, l.Wins}
	}
	return told
}

// Phrases tells the result.
func (r *toldResult) Phrases() []door.Phrase {
	switch {
	case r == nil:
		return nil
	case r.Ending == game.EndingAnnulled:
		return []door.Phrase{door.Say("log.is.annulled", "rev", r.Rev)}
	}
	lines := make([]door.Phrase, len(r.Seats))
	for i, l := range r.Seats {
		if lines[i] = door.Say("log.is.points", "name", door.Person(l.Name), "points", l.Points); l.Wins != 0 {
			lines[i] = door.Say("log.is.wins", "name", door.Person(l.Name), "points", l.Points, "wins", l.Wins)
		}
	}
	return []door.Phrase{door.Say("log.is.result", "rev", r.Rev, "status", door.Word("status."+r.Status), "lines", lines)}
}

// aboutColumns and aboutTables are what aboutGame reads of a game g: a row for each seat.
const (
	aboutColumns = `r.number, t.number, g.number, p.number, p.shown`
	aboutTables  = ` FROM games g JOIN tables t ON t.id = g.table_id JOIN rounds r ON r.id = t.round_id
		JOIN seats s ON s.table_id = t.id JOIN players p ON p.id = s.player_id `
)

// aboutRows is what they are scanned into.
type aboutRows struct {
	on    door.About
	names []string
}

// scan reads one, with what stands behind those columns.
func (a *aboutRows) scan(rows *sql.Rows, more ...any) error {
	var number int
	var name string
	err := rows.Scan(append([]any{&a.on.Round, &a.on.Table, &a.on.GameNo, &number, &name}, more...)...)
	a.on.Players, a.names = append(a.on.Players, number), append(a.names, name)
	return err
}

// aboutGame is where a game is played, with its players' start numbers; names are theirs, by seat.
func aboutGame(db *gorm.DB, game int64) (on door.About, names []string, err error) {
	var a aboutRows
	err = storage.EachRow(db.Statement.Context, db.Statement.ConnPool, func(rows *sql.Rows) error { return a.scan(rows) },
		`SELECT `+aboutColumns+aboutTables+`WHERE g.id = ? ORDER BY s.seat`, game)
	a.on.Game = game
	return a.on, a.names, err
}

// playedGame is a game with what a revision of its result must know of it; on and names are those of aboutGame.
type playedGame struct {
	Game
	aboutRows
	practice, protested bool
}

// playedGameByID reads it in one statement: a whole hall confirms at once, in the transaction that its moves wait for.
func playedGameByID(tx *gorm.DB, id int64) (g playedGame, err error) {
	err = storage.EachRow(tx.Statement.Context, tx.Statement.ConnPool, func(rows *sql.Rows) error {
		return g.scan(rows, &g.ID, &g.TournamentID, &g.TableID, &g.Status, (*int64)(&g.StartedAt), (*int64)(&g.FinishedAt), &g.practice, &g.protested)
	}, `SELECT `+aboutColumns+`, g.id, g.tournament_id, g.table_id, g.status, g.started_at, g.finished_at, e.practice <> '', EXISTS (SELECT 1 FROM protests WHERE game_id = g.id)`+
		aboutTables+`JOIN tournaments e ON e.id = g.tournament_id WHERE g.id = ? AND e.removed_at = 0 ORDER BY s.seat`, id)
	if err == nil && g.ID == 0 {
		err = refuse.NotFound("err_game_not_found", "id", id)
	}
	g.on.Game, g.Number = g.ID, g.on.GameNo
	return g, err
}

// insertResult writes a revision, without gorm's ways of making a statement: every game of an event has two at least.
func insertResult(tx *gorm.DB, result *game.Result) error {
	ctx, pool := tx.Statement.Context, tx.Statement.ConnPool
	err := pool.QueryRowContext(ctx, `INSERT INTO results (game_id, rev, status, ending, actor, why, at) VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING id`,
		result.GameID, result.Rev, result.Status, result.Ending, result.Actor, result.Why, int64(result.At)).Scan(&result.ID)
	if err != nil {
		return storage.Clash(err, "err_result_changed", "have", result.Rev, "want", result.Rev-1, "by", "?")
	}
	result.Lines = slices.Clone(result.Lines)
	return game.InsertLines(ctx, pool, result.GameID, result.ID, result.Lines)
}

func noResult(gameID int64) error { return refuse.NotFound("err_result_not_found", "id", gameID) }

// resultsOf reads the results that where finds, with their lines.
func resultsOf(where *gorm.DB) ([]game.Result, error) {
	return storage.All[game.Result](where.Preload("Lines", storage.InOrder("seat")).Order("game_id, rev"))
}

// gameResults reads the revisions of a game's result that came before a moment, with their lines, in one statement whose rows it scans
// itself: every confirmation asks for them, and gorm takes several times as long.
func gameResults(db *gorm.DB, gameID int64, at engine.Millis) (results []game.Result, err error) {
	err = storage.EachRow(db.Statement.Context, db.Statement.ConnPool, func(rows *sql.Rows) error {
		r := game.Result{GameID: gameID}
		var l game.ResultLine
		err := rows.Scan(&r.Sealed, &r.ID, &r.Rev, &r.Status, &r.Ending, &r.Actor, &r.Why, &r.At,
			&l.ID, &l.Seat, &l.PlayerID, &l.Points, &l.Wins, &l.Charge, &l.Reason, &l.Tiles, &l.Opened)
		if n := len(results); n == 0 || results[n-1].ID != r.ID {
			results = append(results, r)
		}
		l.ResultID = r.ID
		last := &results[len(results)-1]
		last.Lines = append(last.Lines, l)
		return err
	}, `SELECT EXISTS (SELECT 1 FROM games g JOIN tables t ON t.id = g.table_id JOIN rounds r ON r.id = t.round_id
			WHERE g.id = ? AND `+game.DealInPlay+`),
		r.id, r.rev, r.status, r.ending, r.actor, r.why, r.at,
		l.id, l.seat, l.player_id, l.points, l.wins, l.charge, l.reason, l.tiles, l.opened
		FROM results r JOIN result_lines l ON l.result_id = r.id WHERE r.game_id = ? AND r.at < ?
		ORDER BY r.rev, l.seat`, gameID, gameID, int64(at))
	return results, err
}

// countedResults are the revisions of a game's result; NotFound before there is one.
func countedResults(db *gorm.DB, gameID int64) ([]game.Result, error) {
	return countedResultsAt(db, gameID, Always)
}

// countedResultsAt are those that counted at a moment.
func countedResultsAt(db *gorm.DB, gameID int64, at engine.Millis) ([]game.Result, error) {
	results, err := gameResults(db, gameID, at)
	if err == nil && len(results) == 0 {
		err = noResult(gameID)
	}
	return results, err
}

// topics are what changes with a decision about a game after its end.
func (g Game) topics() []door.Topic {
	return []door.Topic{{What: door.TopicTable, ID: g.TableID}, {What: door.TopicGame, ID: g.ID}}
}
