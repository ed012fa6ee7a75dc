package tournament

import (
	"context"
	"slices"

	"gorm.io/gorm"

	"meldhall/engine"
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

// Agree records that the player at a seat finds revision rev of a game's result right, once. A revision that says
// something new asks everybody again: then rev is a Conflict that tells the newest one.
func (g *Games) Agree(ctx context.Context, actor Actor, game int64, rev int) error {
	if err := g.store.agree(ctx, actor, game, rev); err != nil {
		return err
	}
	g.moved(ctx, game)
	return nil
}

// Count gives where the count of a game stands, NotFound before its end.
func (s *Store) Count(ctx context.Context, game int64) (Count, error) {
	results, err := s.Results(ctx, game)
	if err == nil && len(results) == 0 {
		err = Refuse(NotFound, "err_result_not_found", "id", game)
	}
	if err != nil {
		return Count{}, err
	}
	return countOf(s.Read.WithContext(ctx), results)
}

// countOf reads who has agreed to the newest of a game's revisions.
func countOf(db *gorm.DB, results []Result) (Count, error) {
	latest := results[len(results)-1]
	var signed []Signature
	err := db.Where("game_id = ? AND rev >= ?", latest.GameID, said(results)).Find(&signed).Error
	c := Count{Rev: latest.Rev, Confirmed: latest.Confirmed(), Agreed: make([]bool, len(latest.Lines))}
	for _, one := range signed {
		c.Agreed[one.Seat] = true
	}
	return c, err
}

// said is the revision that first said what the newest one says: a revision without a reason only confirms.
func said(results []Result) int {
	for _, r := range slices.Backward(results) {
		if r.Why != "" {
			return r.Rev
		}
	}
	return 1
}

func (s *Store) agree(ctx context.Context, actor Actor, gameID int64, rev int) error {
	return s.Tx(ctx, func(tx *gorm.DB) error {
		game, results, err := agreeing(tx, actor, gameID)
		if err != nil {
			return err
		}
		latest := results[len(results)-1]
		if rev < said(results) || rev > latest.Rev {
			return Refuse(Conflict, "err_result_changed", "have", latest.Rev, "want", rev, "by", latest.Actor)
		}
		if actor, err = atSeat(actor, latest); err != nil {
			return err
		}
		if c, err := countOf(tx, results); err != nil || c.Agreed[actor.Seat] {
			return err
		}
		if err := tx.Create(&Signature{GameID: gameID, Rev: rev, Seat: actor.Seat, PlayerID: actor.Player, At: s.now()}).Error; err != nil {
			return err
		}
		return s.audit(tx, actor, change{tournament: game.TournamentID, action: "result." + string(MayAgree), subject: game.subject(),
			after: results[rev-1].String()})
	})
}

// atSeat is the player who has taken the table's device, by the seat; a player's own device is the player already.
func atSeat(actor Actor, latest Result) (Actor, error) {
	if actor.Role != RoleTable {
		return actor, nil
	}
	if actor.Seat < 0 || actor.Seat >= len(latest.Lines) {
		return actor, Refuse(Invalid, "err_seat_not_found", "table", actor.Name, "seat", actor.Seat+1)
	}
	actor.Player = latest.Lines[actor.Seat].PlayerID
	return actor, nil
}

// agreeing gives a game and its results, of which there is one at least, to a player who may agree to its count, each at the own seat.
func agreeing(db *gorm.DB, actor Actor, gameID int64) (Game, []Result, error) {
	game, err := findGame(db, gameID)
	if err != nil {
		return game, nil, err
	}
	results, err := resultsOf(db, db.Where("game_id = ?", gameID))
	if err != nil {
		return game, nil, err
	}
	if actor.Role == RolePlayer && actor.Table != game.TableID && len(results) > 0 &&
		slices.ContainsFunc(results[0].Lines, func(l ResultLine) bool { return l.PlayerID == actor.Player }) {
		return game, nil, Refuse(Conflict, "err_table_left")
	}
	err = Authorize(actor, Place{Tournament: game.TournamentID, Table: game.TableID, Seat: actor.Seat}, MayAgree)
	if err == nil && len(results) == 0 {
		err = Refuse(NotFound, "err_result_not_found", "id", gameID)
	}
	return game, results, err
}
