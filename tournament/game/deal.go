package game

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"

	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/engine/tile"
	"meldhall/tournament/game/shares"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/store"
)

// ShuffledDeal makes a deal that this program shuffles alone, with the operating system's random generator: every order
// of the 106 tiles is equally likely and unpredictable.
func ShuffledDeal() engine.Deal {
	salt := make([]byte, 32)
	rand.Read(salt) // never fails
	return engine.Deal{Pool: shuffled(), Draws: shuffled(), Salt: hex.EncodeToString(salt)}
}

func shuffled() tile.List {
	order := tile.List(tile.All())
	for i := len(order) - 1; i > 0; i-- {
		n, err := rand.Int(rand.Reader, big.NewInt(int64(i+1)))
		if err != nil {
			panic("the operating system's generator failed: " + err.Error())
		}
		j := int(n.Int64())
		order[i], order[j] = order[j], order[i]
	}
	return order
}

// roundDeal is the deal of the nth games of a duplicate round: all its tables get the same order of tiles.
type roundDeal struct {
	RoundID int64
	Number  int
	Deal    string
}

// chosen returns the deal that does not depend on the table's devices, if there is one: a test's, or the common one of
// all tables of a duplicate round, which the first of them makes. No table's devices can take part in that one.
func (s *starter) chosen(ctx context.Context, w waitingGame) (deal engine.Deal, err error) {
	if !w.sameDeal {
		if s.games.Deal != nil {
			deal = s.games.Deal()
		}
		return deal, nil
	}
	ref := w.ref
	err = s.games.DB.Tx(ctx, func(tx *gorm.DB) error {
		row, ok, err := store.First[roundDeal](tx.Where("round_id = ? AND number = ?", ref.RoundID, ref.Number))
		if ok {
			return json.Unmarshal([]byte(row.Deal), &deal)
		}
		if err != nil {
			return err
		}
		if deal = ShuffledDeal(); s.games.Deal != nil {
			deal = s.games.Deal()
		}
		data, err := json.Marshal(deal)
		if err != nil {
			return err
		}
		return tx.Create(&roundDeal{ref.RoundID, ref.Number, string(data)}).Error
	})
	if err != nil {
		return engine.Deal{}, fmt.Errorf("deal of round %d: %w", ref.RoundID, err)
	}
	return deal, nil
}

// dealt returns the next deal of a game, in whose shuffle the devices at the table take part.
func (g *Games) dealt(ctx context.Context, ref *Ref, s *engine.State) (engine.Deal, error) {
	if g.Deal != nil {
		return g.Deal(), nil
	}
	joint, err := g.Shares.Joint(ctx, ref.Sharing(), s.Deal+1, s.Joint)
	if err != nil {
		return engine.Deal{}, fmt.Errorf("shuffle of game %d: %w", ref.ID, err)
	}
	return engine.Dealt(joint), nil
}

// dealAgain adds the deal to a command that deals again, unless the command would be refused anyway: the devices must
// not reveal nonces for nothing.
func (g *Games) dealAgain(ctx context.Context, snap *Snapshot, c *engine.Command) error {
	if granted, ok := (*c).(engine.GrantRedeal); ok && len(granted.Deal.Pool) > 0 {
		return nil // a test's deal
	}
	with := func(d engine.Deal) engine.Command {
		switch c := (*c).(type) {
		case engine.Redeal:
			c.Deal = d
			return c
		case engine.GrantRedeal:
			c.Deal = d
			return c
		}
		return *c
	}
	var refusal *engine.Refusal
	if _, err := engine.Decide(&snap.State, with(ShuffledDeal()), false, g.now()); errors.As(err, &refusal) {
		return nil
	}
	deal, err := g.dealt(ctx, &snap.Ref, &snap.State)
	*c = with(deal)
	return err
}

// Sharing returns the table for whose shuffle the devices of the game's players send something.
func (r *Ref) Sharing() shares.Table {
	return shares.Table{Game: r.ID, Table: r.TableID, Tournament: r.TournamentID, Players: r.Players}
}

// sharesMoved shows the devices at a table that they are asked for more.
func (g *Games) sharesMoved(t shares.Table) {
	g.Moved(Ref{ID: t.Game, TableID: t.Table, TournamentID: t.Tournament, Players: t.Players}, StepDraft)
}

// Sharing returns the game for whose shuffle the devices at a table may send something now: the one that waits to
// start, or the one in which a seat may ask for a redeal. ok is false if there is none, if the game is played with real
// tiles, or if all tables of the round get the same deal.
func (g *Games) Sharing(ctx context.Context, snap *Snapshot) (t shares.Table, ok bool, err error) {
	switch s := &snap.State; {
	case s.Physical:
		return t, false, nil
	case s.Phase == engine.PhaseNew, s.Phase == engine.PhaseOver && snap.Ref.Number < snap.Ref.Of:
	default:
		return snap.Ref.Sharing(), s.Joint != nil && mayRedeal(s), nil
	}
	t = shares.Table{Table: snap.Ref.TableID, Tournament: snap.Ref.TournamentID}
	if g.Deal != nil {
		return t, false, nil
	}
	err = g.DB.ReadSQL.QueryRowContext(ctx, `SELECT g.id FROM games g JOIN tables t ON t.id = g.table_id
		JOIN rounds r ON r.id = t.round_id JOIN tournaments e ON e.id = g.tournament_id
		WHERE g.table_id = $1 AND g.status = 'waiting' AND r.duplicate = 0 AND t.tiles <> 'real'
			AND (t.tiles <> '' OR e.tiles <> 'real') ORDER BY g.number LIMIT 1`, t.Table).Scan(&t.Game)
	if errors.Is(err, sql.ErrNoRows) {
		return t, false, nil
	}
	if err == nil {
		t.Players, err = g.DB.IDs(ctx, `SELECT player_id FROM seats WHERE table_id = $1 ORDER BY seat`, t.Table)
	}
	return t, err == nil, err
}

// mayRedeal reports whether a seat may ask for a redeal now, or an official may still grant one to a seat whose window
// has closed.
func mayRedeal(s *engine.State) bool {
	for seat := range s.Seats {
		if s.Doubles[seat] && s.Phase != engine.PhaseOver && len(s.Table) == 0 || s.MayRedeal(seat) {
			return true
		}
	}
	return false
}

// SharingAt is like Sharing for a game of a player, who must sit there.
func (g *Games) SharingAt(ctx context.Context, me rights.Actor, game int64) (t shares.Table, err error) {
	ref, err := FindRef(ctx, g.DB, game)
	if err != nil {
		return t, err
	}
	at := rights.Place{Tournament: ref.TournamentID, Table: ref.TableID, Number: ref.TableNumber, Seat: me.Seat}
	if err := rights.Authorize(me, at, rights.MayPlay); err != nil {
		return t, err
	}
	if me.Seat < 0 || me.Seat >= len(ref.Players) || ref.Players[me.Seat] != me.Player {
		return t, refuse.Conflict("err_table_left")
	}
	return ref.Sharing(), nil
}
