package result

import (
	"context"
	"slices"

	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/game"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/store"
)

// A Signature is a player's agreement to the count of a game, given for revision Rev of its result. The referee can
// confirm without it, because counting racks is the referee's task (WRC clause 13).
type Signature struct {
	ID       int64
	GameID   int64
	Rev      int
	Seat     int
	PlayerID int64
	At       engine.Millis
}

// Count is the state of a finished game's count: the current revision, whether it is confirmed, and by seat who has
// agreed to it.
type Count struct {
	Rev       int    `json:"rev" doc:"the result's revision, to agree to or to confirm"`
	Confirmed bool   `json:"confirmed"`
	Agreed    []bool `json:"agreed" doc:"by seat: the player agreed to the count"`
}

// All returns how many players have agreed.
func (c Count) All() (agreed int) {
	for _, yes := range c.Agreed {
		if yes {
			agreed++
		}
	}
	return agreed
}

// Agree records once that a player agrees to revision Rev of a game's result. After a revision with changed content all
// must agree again; an older Rev is then a Conflict naming the newest one.
type Agree struct {
	Game int64 `json:"game"`
	Rev  int   `json:"rev"`
}

var _ = action.NewKind[Agree](action.Kind{Name: "result.agree", Right: rights.MayAgree, Own: true,
	Details: action.Keep[revision]})

func (a Agree) Do(tx *action.Tx) (Count, error) {
	game, results, err := ownGame(tx, a.Game)
	if err != nil {
		return Count{}, err
	}
	latest := results[len(results)-1]
	if a.Rev < unchangedSince(results) || a.Rev > latest.Rev {
		return Count{}, refuse.Conflict("err_result_changed", "have", latest.Rev, "want", a.Rev, "by", latest.Actor)
	}
	if err := atSeat(tx, latest); err != nil {
		return Count{}, err
	}
	count, err := countOf(tx.DB, results)
	if err != nil || count.Agreed[tx.Actor.Seat] {
		return count, err
	}
	count.Agreed[tx.Actor.Seat] = true
	on, names, err := tournament.AboutGame(tx.DB, game.ID)
	if err != nil {
		return count, err
	}
	tx.Record(action.Entry{Event: game.TournamentID, On: on, Is: revision{Is: toldOf(results[a.Rev-1], names)},
		Topics: game.Topics()})
	return count, tx.Create(&Signature{GameID: game.ID, Rev: a.Rev, Seat: tx.Actor.Seat, PlayerID: tx.Actor.Player,
		At: tx.Now()}).Error
}

// GameCount returns the state of a game's count, or NotFound before its end.
func GameCount(ctx context.Context, s *store.DB, game int64) (Count, error) {
	db := s.Read.WithContext(ctx)
	results, err := countedResults(db, game)
	if err != nil {
		return Count{}, err
	}
	return countOf(db, results)
}

// countOf returns who has agreed to the newest revision.
func countOf(db *gorm.DB, results []game.Result) (Count, error) {
	latest := results[len(results)-1]
	signed, err := store.All[Signature](db.Where("game_id = ? AND rev >= ?", latest.GameID, unchangedSince(results)))
	c := Count{Rev: latest.Rev, Confirmed: latest.Confirmed(), Agreed: make([]bool, len(latest.Lines))}
	for _, one := range signed {
		c.Agreed[one.Seat] = true
	}
	return c, err
}

// unchangedSince returns the revision that introduced the newest content: a revision without a reason only confirms.
func unchangedSince(results []game.Result) int {
	for _, r := range slices.Backward(results) {
		if r.Why != "" {
			return r.Rev
		}
	}
	return 1
}

// atSeat sets the actor's Player to the player at the chosen seat if the actor is a table's device. A player's own
// device needs no change.
func atSeat(tx *action.Tx, latest game.Result) error {
	if tx.Actor.Role != rights.RoleTable {
		return nil
	}
	if tx.Actor.Seat < 0 || tx.Actor.Seat >= len(latest.Lines) {
		return refuse.Invalid("err_seat_not_found", "table", tx.Actor.Name, "seat", tx.Actor.Seat+1)
	}
	tx.Actor.Player = latest.Lines[tx.Actor.Seat].PlayerID
	return nil
}

// ownGame returns a game and its results, at least one, if the actor may agree to its count.
func ownGame(tx *action.Tx, id int64) (tournament.Game, []game.Result, error) {
	one, err := tournament.FindGame(tx.DB, id)
	if err != nil {
		return one, nil, err
	}
	results, err := gameResults(tx.DB, id, tournament.Always)
	if err != nil {
		return one, nil, err
	}
	if tx.Actor.Role == rights.RolePlayer && tx.Actor.Table != one.TableID && len(results) > 0 &&
		slices.ContainsFunc(results[0].Lines, func(l game.ResultLine) bool { return l.PlayerID == tx.Actor.Player }) {
		return one, nil, refuse.Conflict("err_table_left")
	}
	err = tx.Authorize(rights.Place{Tournament: one.TournamentID, Table: one.TableID, Seat: tx.Actor.Seat},
		rights.MayAgree)
	if err == nil && len(results) == 0 {
		err = noResult(id)
	}
	return one, results, err
}
