package tournament

import (
	"context"
	"slices"

	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/tournament/door"
	"meldhall/tournament/game"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/storage"
)

// Signature is a player's word that the count of a game is right, given to revision Rev of its result. The referee
// confirms with or without it: racks are the referee's to count (WRC clause 13).
type Signature struct {
	ID       int64
	GameID   int64
	Rev      int
	Seat     int
	PlayerID int64
	At       engine.Millis
}

// Count is where the count of an ended game stands: the revision that counts and whether it is confirmed, and by
// seat who has agreed to what it says.
type Count struct {
	Rev       int    `json:"rev" doc:"of the result, to agree to or to confirm"`
	Confirmed bool   `json:"confirmed"`
	Agreed    []bool `json:"agreed" doc:"by seat: the player says that the count is right"`
}

// All tells how many have agreed.
func (c Count) All() (agreed int) {
	for _, yes := range c.Agreed {
		if yes {
			agreed++
		}
	}
	return agreed
}

// Agree is a player's word that revision Rev of a game's result is right, once. A revision that says something new asks
// everybody again: then Rev is a Conflict that tells the newest one.
type Agree struct {
	Game int64 `json:"game"`
	Rev  int   `json:"rev"`
}

var _ = door.NewKind[Agree](door.Kind{Name: "result.agree", Right: rights.MayAgree, Own: true, Details: door.Keep[revision]})

func (a Agree) Do(tx *door.Tx) (Count, error) {
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
	on, names, err := aboutGame(tx.DB, game.ID)
	if err != nil {
		return count, err
	}
	tx.Record(door.Entry{Event: game.TournamentID, On: on, Is: revision{Is: toldOf(results[a.Rev-1], names)}, Topics: game.topics()})
	return count, tx.Create(&Signature{GameID: game.ID, Rev: a.Rev, Seat: tx.Actor.Seat, PlayerID: tx.Actor.Player, At: tx.Now()}).Error
}

// GameCount gives where the count of a game stands, NotFound before its end.
func GameCount(ctx context.Context, s *storage.DB, game int64) (Count, error) {
	db := s.Read.WithContext(ctx)
	results, err := countedResults(db, game)
	if err != nil {
		return Count{}, err
	}
	return countOf(db, results)
}

// countOf reads who has agreed to the newest of a game's revisions.
func countOf(db *gorm.DB, results []game.Result) (Count, error) {
	latest := results[len(results)-1]
	signed, err := storage.All[Signature](db.Where("game_id = ? AND rev >= ?", latest.GameID, unchangedSince(results)))
	c := Count{Rev: latest.Rev, Confirmed: latest.Confirmed(), Agreed: make([]bool, len(latest.Lines))}
	for _, one := range signed {
		c.Agreed[one.Seat] = true
	}
	return c, err
}

// unchangedSince is the revision that first said what the newest one says: a revision without a reason only confirms.
func unchangedSince(results []game.Result) int {
	for _, r := range slices.Backward(results) {
		if r.Why != "" {
			return r.Rev
		}
	}
	return 1
}

// atSeat makes the actor the player who has taken the table's device, by the seat; a player's own device already is the player.
func atSeat(tx *door.Tx, latest game.Result) error {
	if tx.Actor.Role != rights.RoleTable {
		return nil
	}
	if tx.Actor.Seat < 0 || tx.Actor.Seat >= len(latest.Lines) {
		return refuse.Invalid("err_seat_not_found", "table", tx.Actor.Name, "seat", tx.Actor.Seat+1)
	}
	tx.Actor.Player = latest.Lines[tx.Actor.Seat].PlayerID
	return nil
}

// ownGame gives a game and its results, of which there is at least one, to a player who may agree to its count, each at their own seat.
func ownGame(tx *door.Tx, id int64) (Game, []game.Result, error) {
	one, err := findGame(tx.DB, id)
	if err != nil {
		return one, nil, err
	}
	results, err := gameResults(tx.DB, id, Always)
	if err != nil {
		return one, nil, err
	}
	if tx.Actor.Role == rights.RolePlayer && tx.Actor.Table != one.TableID && len(results) > 0 &&
		slices.ContainsFunc(results[0].Lines, func(l game.ResultLine) bool { return l.PlayerID == tx.Actor.Player }) {
		return one, nil, refuse.Conflict("err_table_left")
	}
	err = tx.Authorize(rights.Place{Tournament: one.TournamentID, Table: one.TableID, Seat: tx.Actor.Seat}, rights.MayAgree)
	if err == nil && len(results) == 0 {
		err = noResult(id)
	}
	return one, results, err
}
