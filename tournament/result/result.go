// Package result holds the actions about results: confirming, correcting, recounting and replaying games, signatures
// and protests, penalties and disqualifications.
package result

import (
	"context"
	"database/sql"
	"slices"

	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/engine/score"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/game"
	"meldhall/tournament/ranking"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/store"
)

// Results returns all revisions of a game's result, oldest first.
func Results(ctx context.Context, s *store.DB, gameID int64) ([]game.Result, error) {
	return gameResults(s.Read.WithContext(ctx), gameID, tournament.Always)
}

// LatestResult returns the current revision, or NotFound before the game has ended.
func LatestResult(ctx context.Context, s *store.DB, gameID int64) (game.Result, error) {
	results, err := countedResults(s.Read.WithContext(ctx), gameID)
	if err != nil {
		return game.Result{}, err
	}
	return results[len(results)-1], nil
}

// LatestResultAt returns the revision that was current at a moment, or NotFound if there was none.
func LatestResultAt(ctx context.Context, s *store.DB, gameID int64, at engine.Millis) (game.Result, error) {
	results, err := countedResultsAt(s.Read.WithContext(ctx), gameID, at)
	if err != nil {
		return game.Result{}, err
	}
	return results[len(results)-1], nil
}

// RoundResults returns the current results of a round's games, by game.
func RoundResults(ctx context.Context, s *store.DB, roundID int64) (map[int64]game.Result, error) {
	return RoundResultsAt(ctx, s, roundID, tournament.Always)
}

// RoundResultsAt returns the results that were current at a moment, by game.
func RoundResultsAt(ctx context.Context, s *store.DB, roundID int64, at engine.Millis) (map[int64]game.Result, error) {
	return RoundResultsIn(s.Read.WithContext(ctx), roundID, at)
}

// RoundResultsIn returns the newest results of a round before at, by game. It sets Sealed on those that are still
// sealed.
func RoundResultsIn(db *gorm.DB, roundID int64, at engine.Millis) (map[int64]game.Result, error) {
	var sealed []int64
	err := db.Raw(`SELECT g.id FROM games g JOIN tables t ON t.id = g.table_id JOIN rounds r ON r.id = t.round_id
		WHERE r.id = ? AND `+game.DealInPlay, roundID).Scan(&sealed).Error
	if err != nil {
		return nil, err
	}
	results, err := store.All[game.Result](db.Where(`rev = (SELECT max(rev) FROM results l
		WHERE l.game_id = results.game_id AND l.at < ?)
		AND game_id IN (SELECT g.id FROM games g JOIN tables t ON t.id = g.table_id
			WHERE t.round_id = ?)`, at, roundID).
		Preload("Lines", store.InOrder("seat")).Order("game_id, rev"))
	return store.MapOf(results, func(r game.Result) (int64, game.Result) {
		r.Sealed = slices.Contains(sealed, r.GameID)
		return r.GameID, r
	}), err
}

// ConfirmResult makes revision Rev of a game's result final, as a new revision, and starts the next game at the table:
// racks stay as they are until the count is done (WRC clause 13). If the result has been revised since, it is a
// Conflict naming the newest revision. Confirming twice is not a Conflict.
type ConfirmResult struct {
	Game int64 `json:"game,omitempty" path:"id" minimum:"1"`
	Rev  int   `json:"rev" minimum:"1"`
}

var _ = action.NewKind[ConfirmResult](action.Kind{Name: "result.confirm_result", Right: rights.MayConfirmResult,
	Own: true, Many: true,
	Changes: []action.What{action.TopicStandings}, Details: action.Keep[revision]})

func (c ConfirmResult) Do(tx *action.Tx) (game.Result, error) {
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
	return result, ranking.FinishRound(tx, r.game.Game)
}

// thenNext starts the table's next game after the commit, and reports whether a next game is known to wait. On a
// database server it looks for that game only after the commit. In a database file it looks at once, and a storage
// error then ends the transaction.
func (r revising) thenNext(tx *action.Tx) (waits bool, err error) {
	games, table := tx.Desk.Games, r.game.TableID
	start := func(ctx context.Context) error { return games.StartWaiting(ctx, table) }
	if !tx.Desk.DB.Served() {
		next, err := games.NextAt(tx.Statement.Context, tx.Statement.ConnPool, table)
		switch { // a broken log blocks only the start; its error follows the commit
		case game.IsStorage(err), err == nil && next == nil:
			return false, err
		case err == nil:
			start, waits = next, true
		}
	}
	tx.Then(func(ctx context.Context, _ *game.Games) error { return start(ctx) })
	return waits, nil
}

// revising is a game's result about to be revised.
type revising struct {
	game    playedGame
	results []game.Result
	latest  game.Result
	kind    *action.Kind // kind of the record; nil: the action's
}

// openResult reads a game's result for an actor who has the right to revise it.
func openResult(tx *action.Tx, gameID int64, rev int, right rights.Right) (r revising, err error) {
	if r.game, err = playedGameByID(tx.DB, gameID); err != nil {
		return r, err
	}
	if r.game.practice {
		tx.InPractice()
	}
	if err := tx.Authorize(rights.Place{Tournament: r.game.TournamentID, Table: r.game.TableID, Seat: -1,
		Practice: r.game.practice}, right); err != nil {
		return r, err
	}
	if r.results, err = countedResults(tx.DB, gameID); err == nil {
		r.latest = r.results[len(r.results)-1]
	}
	return r, err
}

// confirmed reports whether the requested confirmation has already happened: by another official, or by a repeated
// request.
func (r revising) confirmed(actor rights.Actor, rev int) bool {
	pressedTwice := r.latest.Rev == rev+1 && r.latest.Actor == actor.String() && r.latest.Why == ""
	return r.latest.Confirmed() && (r.latest.Rev == rev || pressedTwice)
}

// changeable rejects a revision that is not based on the newest one, or that a protest prevents. A correction of a
// confirmed result also needs the right MayRuleHeavily.
func (r revising) changeable(tx *action.Tx, rev int, correct bool) error {
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

// revise stores the next revision.
func (r revising) revise(tx *action.Tx, result game.Result) (game.Result, error) {
	result.GameID, result.Rev, result.Status = r.game.ID, r.latest.Rev+1, game.ResultConfirmed
	result.Actor, result.At = tx.Actor.String(), tx.Now()
	if err := insertResult(tx.DB, &result); err != nil {
		return game.Result{}, err
	}
	tx.Record(action.Entry{Kind: r.kind, Event: r.game.TournamentID, On: r.game.On, Why: result.Why,
		Is: revision{Was: toldOf(r.latest, r.game.Names), Is: toldOf(result, r.game.Names)}, Topics: r.game.Topics()})
	return result, nil
}

// revision is the audit record of a result: before and after.
type revision = action.Change[*toldResult]

// toldResult is a result as recorded, with the names of that time.
type toldResult struct {
	Rev    int        `json:"rev"`
	Status string     `json:"status"`
	Ending string     `json:"ending"`
	Seats  []toldLine `json:"seats"`
}

type toldLine struct {
	Name   string        `json:"name"`
	Points score.Twelfth `json:"points"`
	Wins   score.Twelfth `json:"wins,omitempty"`
}

func toldOf(r game.Result, names []string) *toldResult {
	told := &toldResult{Rev: r.Rev, Status: r.Status, Ending: r.Ending, Seats: make([]toldLine, len(r.Lines))}
	for i, l := range r.Lines {
		told.Seats[i] = toldLine{names[l.Seat], l.Points, l.Wins}
	}
	return told
}

// Phrases describes the result.
func (r *toldResult) Phrases() []action.Phrase {
	switch {
	case r == nil:
		return nil
	case r.Ending == game.EndingAnnulled:
		return []action.Phrase{action.Say("log.is.annulled", "rev", r.Rev)}
	}
	lines := make([]action.Phrase, len(r.Seats))
	for i, l := range r.Seats {
		if lines[i] = action.Say("log.is.points", "name", action.Person(l.Name), "points", l.Points); l.Wins != 0 {
			lines[i] = action.Say("log.is.wins", "name", action.Person(l.Name), "points", l.Points, "wins", l.Wins)
		}
	}
	return []action.Phrase{action.Say("log.is.result", "rev", r.Rev, "status", action.Word("status."+r.Status), "lines",
		lines)}
}

// playedGame is a game with the data needed to revise its result; AboutRows holds what tournament.AboutGame returns.
type playedGame struct {
	tournament.Game
	tournament.AboutRows
	practice, protested bool
}

// playedGameByID reads a game in one statement, because a whole hall confirms at once and moves wait for this
// transaction.
func playedGameByID(tx *gorm.DB, id int64) (g playedGame, err error) {
	err = store.EachRow(tx.Statement.Context, tx.Statement.ConnPool, func(rows *sql.Rows) error {
		return g.Scan(rows, &g.ID, &g.TournamentID, &g.TableID, &g.Status, (*int64)(&g.StartedAt),
			(*int64)(&g.FinishedAt), &g.practice, &g.protested)
	}, `SELECT `+tournament.AboutColumns+`, g.id, g.tournament_id, g.table_id, g.status, g.started_at, g.finished_at, e.practice <> '', EXISTS (SELECT 1 FROM protests WHERE game_id = g.id)`+
		tournament.AboutTables+`JOIN tournaments e ON e.id = g.tournament_id WHERE g.id = $1 AND e.removed_at = 0
			ORDER BY s.seat`,
		id)
	if err == nil && g.ID == 0 {
		err = refuse.NotFound("err_game_not_found", "id", id)
	}
	g.On.Game, g.Number = g.ID, g.On.GameNo
	return g, err
}

// insertResult stores a revision without gorm for speed, because every game has at least two.
func insertResult(tx *gorm.DB, result *game.Result) error {
	ctx, pool := tx.Statement.Context, tx.Statement.ConnPool
	err := pool.QueryRowContext(ctx,
		`INSERT INTO results (game_id, rev, status, ending, actor, why, at) VALUES ($1, $2, $3, $4, $5, $6, $7)
			RETURNING id`,
		result.GameID, result.Rev, result.Status, result.Ending, result.Actor, result.Why,
		int64(result.At)).Scan(&result.ID)
	if err != nil {
		return store.Clash(err, "err_result_changed", "have", result.Rev, "want", result.Rev-1, "by", "?")
	}
	result.Lines = slices.Clone(result.Lines)
	return game.InsertLines(ctx, pool, result.GameID, result.ID, result.Lines)
}

func noResult(gameID int64) error { return refuse.NotFound("err_result_not_found", "id", gameID) }

// gameResults returns the revisions of a game's result from before at, with their lines. It uses one statement and
// scans the rows itself, because every confirmation needs them and gorm takes several times as long.
func gameResults(db *gorm.DB, gameID int64, at engine.Millis) (results []game.Result, err error) {
	err = store.EachRow(db.Statement.Context, db.Statement.ConnPool, func(rows *sql.Rows) error {
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
			WHERE g.id = $1 AND `+game.DealInPlay+`),
		r.id, r.rev, r.status, r.ending, r.actor, r.why, r.at,
		l.id, l.seat, l.player_id, l.points, l.wins, l.charge, l.reason, l.tiles, l.opened
		FROM results r JOIN result_lines l ON l.result_id = r.id WHERE r.game_id = $1 AND r.at < $2
		ORDER BY r.rev, l.seat`, gameID, int64(at))
	return results, err
}

// countedResults returns the revisions of a game's result, or NotFound if there is none.
func countedResults(db *gorm.DB, gameID int64) ([]game.Result, error) {
	return countedResultsAt(db, gameID, tournament.Always)
}

// countedResultsAt returns the revisions from before at.
func countedResultsAt(db *gorm.DB, gameID int64, at engine.Millis) ([]game.Result, error) {
	results, err := gameResults(db, gameID, at)
	if err == nil && len(results) == 0 {
		err = noResult(gameID)
	}
	return results, err
}
