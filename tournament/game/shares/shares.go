// Package shares collects the players' devices' parts in the shuffles of their games (data/record/deal.md): first a
// hash from each device, then the nonces. A device that is absent or silent does not hold up its table.
package shares

import (
	"context"
	"crypto/rand"
	"database/sql"
	"fmt"
	"sync"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"meldhall/engine/shuffle"
	"meldhall/tournament/refuse"
	"meldhall/tournament/store"
)

// patience is how long a deal waits for the nonces of the devices that have sent a hash.
const patience = 2 * time.Second

// reread is how often a waiting deal reads what other nodes have received.
const reread = 100 * time.Millisecond

// Table is a table whose game is dealt. Players are in seat order.
type Table struct {
	Game, Table, Tournament int64
	Players                 []int64
}

// Keeper stores the shares.
type Keeper struct {
	// Secret chooses the secret of a game. It is random unless a simulation sets it.
	Secret func(game int64) shuffle.Value
	// Patience is how long a deal waits for the nonces of the devices that have sent a hash: 2 s unless a test sets it.
	Patience time.Duration
	// Asked is called after a commit that makes devices at a table send more. It must not block.
	Asked func(Table)

	db       *store.DB
	together func(context.Context, func(*gorm.DB) error) error
	mu       sync.Mutex
	waiting  map[int64]chan struct{} // by game; closed when a nonce has come
}

// New returns a Keeper. together runs a write in a transaction that many callers share.
func New(db *store.DB, together func(context.Context, func(*gorm.DB) error) error) *Keeper {
	return &Keeper{Secret: randomSecret, Patience: patience, Asked: func(Table) {}, db: db, together: together,
		waiting: map[int64]chan struct{}{}}
}

func randomSecret(int64) (v shuffle.Value) {
	rand.Read(v[:]) // never fails
	return v
}

// row is a row of the table shuffles, and share one of the table shares.
type row struct {
	GameID int64 `gorm:"primaryKey"`
	Secret string
	Asked  int
}

func (row) TableName() string { return "shuffles" }

type share struct {
	GameID   int64 `gorm:"primaryKey"`
	Seat     int   `gorm:"primaryKey"`
	PlayerID int64
	Hash     string
	Nonce    string
	Deal     int
	Missed   int
}

// exchange is what has been sent for a game so far. A seat whose device has sent nothing has a hash of nil. If a player
// who has sent something has since been seated elsewhere, the exchange begins again: it is stale, and looks empty.
type exchange struct {
	Table
	begun  bool
	stale  bool
	secret shuffle.Value
	asked  int
	seats  []seat
}

type seat struct {
	hash  *shuffle.Value
	nonce shuffle.Value // for the deal with the number deal; 0: none
	deal  int
}

// Ask tells a device what the table waits for. With Deal 0 that is a hash, otherwise the nonce for that deal. Sent is
// the deal of the newest nonce that the device has sent, 0 after its hash, and -1 before.
type Ask struct {
	Game       int64            `json:"game"`
	Seat       int              `json:"seat"`
	Deal       int              `json:"deal" doc:"the deal whose nonce is wanted; 0: a hash"`
	Sent       int              `json:"sent" doc:"the deal of the newest nonce from this seat; 0: only its hash; -1: nothing"`
	Commitment *shuffle.Value   `json:"commitment,omitempty" doc:"the server's commitment to its secret"`
	Hashes     []*shuffle.Value `json:"hashes,omitempty" doc:"by seat; null: no device"`
}

// ask returns what a seat's device is asked for.
func (e exchange) ask(at int) Ask {
	a := Ask{Game: e.Game, Seat: at, Deal: e.asked, Sent: -1}
	if !e.begun {
		return a
	}
	commitment := shuffle.Commitment(e.Game, e.secret)
	a.Commitment = &commitment
	for _, s := range e.seats {
		a.Hashes = append(a.Hashes, s.hash)
	}
	if e.seats[at].hash != nil {
		a.Sent = e.seats[at].deal
	}
	return a
}

// complete reports whether all devices that have sent a hash have sent their nonce for a deal.
func (e exchange) complete(deal int) bool {
	for _, s := range e.seats {
		if s.hash != nil && s.deal < deal {
			return false
		}
	}
	return true
}

// full reports whether the devices of all seats have sent a hash.
func (e exchange) full() bool {
	for _, s := range e.seats {
		if s.hash == nil {
			return false
		}
	}
	return true
}

// read reads the exchange of a table's game.
func read(ctx context.Context, from store.Asked, t Table) (e exchange, err error) {
	e = exchange{Table: t, seats: make([]seat, len(t.Players))}
	err = store.EachRow(ctx, from, func(rows *sql.Rows) error {
		var secret, hash, nonce string
		var at, deal int
		var player int64
		if err := rows.Scan(&secret, &e.asked, &at, &player, &hash, &nonce, &deal); err != nil {
			return err
		}
		e.begun = true
		if err := e.secret.UnmarshalText([]byte(secret)); err != nil {
			return fmt.Errorf("the secret of game %d: %w", t.Game, err)
		}
		if at < 0 { // no device has sent anything
			return nil
		}
		if at >= len(t.Players) || t.Players[at] != player {
			e.stale = true
			return nil
		}
		s := seat{hash: new(shuffle.Value), deal: deal}
		if err := s.hash.UnmarshalText([]byte(hash)); err != nil {
			return fmt.Errorf("the hash of seat %d: %w", at, err)
		}
		if deal > 0 {
			if err := s.nonce.UnmarshalText([]byte(nonce)); err != nil {
				return fmt.Errorf("the nonce of seat %d: %w", at, err)
			}
		}
		e.seats[at] = s
		return nil
	}, `SELECT s.secret, s.asked, coalesce(h.seat, -1), coalesce(h.player_id, 0), coalesce(h.hash, ''),
			coalesce(h.nonce, ''), coalesce(h.deal, 0)
		FROM shuffles s LEFT JOIN shares h ON h.game_id = s.game_id WHERE s.game_id = $1`, t.Game)
	if e.stale {
		e = exchange{Table: t, stale: true, seats: make([]seat, len(t.Players))}
	}
	return e, err
}

// Ask returns what the device at a seat is asked for.
func (k *Keeper) Ask(ctx context.Context, t Table, seat int) (Ask, error) {
	e, err := read(ctx, k.db.ReadSQL, t)
	return e.ask(seat), err
}

// Sent is what a device sends: its hash, or its nonce for a deal.
type Sent struct {
	Hash  *shuffle.Value `json:"hash,omitempty" doc:"the hash, before any nonce"`
	Deal  int            `json:"deal,omitempty" doc:"with a nonce: the deal it is for"`
	Nonce *shuffle.Value `json:"nonce,omitempty"`
}

// Send stores what the device at a seat sends, and returns what it is asked for next. Sending a value twice is allowed.
// A hash may be replaced until the devices are asked for their nonces.
func (k *Keeper) Send(ctx context.Context, t Table, at int, sent Sent) (Ask, error) {
	if (sent.Hash == nil) == (sent.Nonce == nil) {
		return Ask{}, refuse.Invalid("err_share")
	}
	var e exchange
	asked := false
	err := k.together(ctx, func(tx *gorm.DB) (err error) {
		asked = false
		if e, err = read(ctx, tx.Statement.ConnPool, t); err != nil {
			return err
		}
		if sent.Hash != nil {
			asked, err = e.hashed(tx, at, *sent.Hash, k.Secret)
		} else {
			err = e.revealed(tx, at, sent.Deal, *sent.Nonce)
		}
		return err
	})
	if err != nil {
		return Ask{}, err
	}
	if asked {
		k.Asked(t)
	}
	k.Heard(t.Game)
	return e.ask(at), nil
}

// hashed stores a seat's hash. The devices are asked for their nonces once every seat has sent one.
func (e *exchange) hashed(tx *gorm.DB, at int, hash shuffle.Value, secret func(int64) shuffle.Value) (bool, error) {
	if own := e.seats[at].hash; own != nil && *own == hash {
		return false, nil
	}
	if e.asked > 0 {
		return false, refuse.Conflict("err_share_closed")
	}
	if e.stale {
		if err := tx.Delete(&row{GameID: e.Game}).Error; err != nil {
			return false, err
		}
		e.stale = false
	}
	if !e.begun {
		e.begun, e.secret = true, secret(e.Game)
		made := tx.Clauses(clause.OnConflict{DoNothing: true}).Create(&row{GameID: e.Game, Secret: e.secret.String()})
		if made.Error != nil {
			return false, made.Error
		}
		if made.RowsAffected == 0 { // another node was faster
			return false, refuse.Conflict("err_share_closed")
		}
	}
	stored := share{GameID: e.Game, Seat: at, PlayerID: e.Players[at], Hash: hash.String()}
	if err := tx.Clauses(clause.OnConflict{UpdateAll: true}).Create(&stored).Error; err != nil {
		return false, err
	}
	e.seats[at] = seat{hash: &hash}
	if !e.full() {
		return false, nil
	}
	e.asked = 1
	return true, tx.Model(&row{}).Where("game_id = ?", e.Game).Update("asked", 1).Error
}

// revealed stores a seat's nonce for a deal.
func (e *exchange) revealed(tx *gorm.DB, at, deal int, nonce shuffle.Value) error {
	s := &e.seats[at]
	known := s.nonce
	if s.hash == nil || deal < 1 || deal > e.asked {
		return refuse.Conflict("err_share_closed")
	}
	if s.deal == 0 {
		known = *s.hash
	}
	if deal <= s.deal {
		return nil
	}
	if !shuffle.Follows(e.Game, at, nonce, deal, known, s.deal) {
		return refuse.Invalid("err_share")
	}
	s.nonce, s.deal = nonce, deal
	return tx.Model(&share{}).Where("game_id = ? AND seat = ?", e.Game, at).
		Updates(map[string]any{"nonce": nonce.String(), "deal": deal}).Error
}

// Heard wakes a deal that waits for nonces of a game: one has come here or at another node.
func (k *Keeper) Heard(game int64) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if c := k.waiting[game]; c != nil {
		close(c)
		delete(k.waiting, game)
	}
}

// woken returns a channel that Heard closes.
func (k *Keeper) woken(game int64) <-chan struct{} {
	k.mu.Lock()
	defer k.mu.Unlock()
	c := k.waiting[game]
	if c == nil {
		c = make(chan struct{})
		k.waiting[game] = c
	}
	return c
}
