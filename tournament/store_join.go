package tournament

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
)

// reissuedFor is how long a code lasts that an official makes for one seat: it is shown, not printed.
const reissuedFor = 5 * time.Minute

// Invitation is what a code opens: one seat, or with Seat -1 the free seats of a table.
type Invitation struct {
	Tournament Tournament
	Round      Round
	Table      Table
	Seat       int
}

// Free tells whether a device may still take the seat.
func (i Invitation) Free(seat Seat) bool { return !seat.Player.Joined() }

// deviceToken makes a token for a device of an event whose name no other device of it has, as long as there are enough names.
func deviceToken(db *gorm.DB, tournamentID int64) (string, error) {
	var hashes []string
	if err := db.Raw(`SELECT device_hash FROM players WHERE tournament_id = ? AND device_hash IS NOT NULL
		UNION ALL SELECT token_hash FROM table_devices WHERE tournament_id = ?`, tournamentID, tournamentID).Scan(&hashes).Error; err != nil {
		return "", err
	}
	names := make(map[string]bool, len(hashes))
	for _, hash := range hashes {
		names[deviceName(hash)] = true
	}
	token := newToken()
	for len(names) < deviceNames && names[deviceName(hashSecret(token))] {
		token = newToken()
	}
	return token, nil
}

// Invitation reads what a code opens, without using it. Errors: err_code_wrong (NotFound),
// err_code_used, err_code_expired, err_table_full (Conflict).
func (s *Store) Invitation(ctx context.Context, code string) (Invitation, error) {
	inv, err := s.invitation(s.Read.WithContext(ctx), code)
	tables := []Table{inv.Table}
	hideCodes(tables)
	inv.Table = tables[0]
	return inv, err
}

// Join uses a code: the device that holds the token then plays for the seat's player, in this round and
// all later ones. A seat's code is used up and puts a new device in the place of the old one; a
// table's code takes a free seat only. The token is given out once and stored as a hash. Trying a used code again is
// counted at the seat and audited.
func (s *Store) Join(ctx context.Context, code string, seat int) (token string, actor rights.Actor, err error) {
	var refusal error
	err = s.Tx(ctx, func(tx *gorm.DB) error {
		inv, err := s.invitation(tx, code)
		if errors.Is(err, &refuse.Error{Kind: refuse.KindConflict, Key: "err_code_used"}) {
			refusal = err
			return s.noteReuse(tx, inv)
		}
		if err != nil {
			return err
		}
		place, err := inv.seatFor(seat)
		if err != nil {
			return err
		}
		if token, err = deviceToken(tx, inv.Tournament.ID); err != nil {
			return err
		}
		if err := s.bind(tx, inv, place, token); err != nil {
			return err
		}
		actor = rights.Actor{Name: place.Player.Name, Role: rights.RolePlayer, Tournament: inv.Tournament.ID, Player: place.PlayerID,
			Table: inv.Table.ID, Seat: place.Seat, Device: deviceName(hashSecret(token))}
		return s.audit(tx, actor, change{tournament: inv.Tournament.ID, action: "seat.join", subject: inv.subject(place)})
	})
	if err == nil {
		err = refusal
	}
	if err != nil {
		return "", rights.Actor{}, err
	}
	return token, actor, nil
}

// ReissueCode gives a seat a new code, good for five minutes, and takes the seat's device out at once.
func (s *Store) ReissueCode(ctx context.Context, actor rights.Actor, tableID int64, seat int) (code string, err error) {
	code = newCode()
	err = s.Tx(ctx, func(tx *gorm.DB) error {
		table, err := findTable(tx, tableID)
		if err != nil {
			return err
		}
		if err := rights.Authorize(actor, rights.Place{Tournament: table.TournamentID, Table: tableID, Seat: seat}, rights.MayIssueCode); err != nil {
			return err
		}
		round, err := findRound(tx, table.RoundID)
		if err != nil {
			return err
		}
		if round.Status != RoundPublished && round.Status != RoundRunning {
			return refuse.Conflict("err_no_codes_now", "round", round.Number)
		}
		if seat < 0 || seat >= len(table.Seats) {
			return refuse.NotFound("err_seat_not_found", "table", table.Number, "seat", seat+1)
		}
		place := table.Seats[seat]
		expires := s.now() + engine.Millis(reissuedFor.Milliseconds())
		if err := tx.Model(&Seat{}).Where("id = ?", place.ID).Updates(map[string]any{
			"code": code, "code_hash": hashSecret(code), "code_expires": expires, "code_used_at": 0, "code_reused": 0}).Error; err != nil {
			return err
		}
		if err := tx.Model(&Player{}).Where("id = ?", place.PlayerID).Update("device_hash", nil).Error; err != nil {
			return err
		}
		return s.audit(tx, actor, change{tournament: table.TournamentID, action: "seat.reissue",
			subject: fmt.Sprintf("round %d, table %d, seat %d", round.Number, table.Number, seat+1)})
	})
	if err != nil {
		return "", err
	}
	return code, nil
}

// ActorByToken gives the player whose device holds the token, with the seat in the published or running
// round, of a practice table also when it is over; or the table whose device it is. A token that is not known, or not any more, is Unauthenticated.
func (s *Store) ActorByToken(ctx context.Context, token string) (rights.Actor, error) {
	hash := hashSecret(token)
	actor := rights.Actor{Role: rights.RolePlayer, Device: deviceName(hash)}
	err := s.readSQL.QueryRowContext(ctx, `
		SELECT p.id, p.tournament_id, p.name, coalesce(s.table_id, 0), coalesce(s.seat, -1) FROM players p
		LEFT JOIN seats s ON s.player_id = p.id AND s.round_id IN (
			SELECT r.id FROM rounds r JOIN tournaments t ON t.id = r.tournament_id
			WHERE t.id = p.tournament_id AND (r.status IN ('published', 'running') OR t.practice <> ''))
		WHERE p.device_hash = ?`, hash).Scan(&actor.Player, &actor.Tournament, &actor.Name, &actor.Table, &actor.Seat)
	if errors.Is(err, sql.ErrNoRows) {
		return s.tableByToken(ctx, hash)
	}
	if err != nil {
		return rights.Actor{}, fmt.Errorf("find the device's player: %w", err)
	}
	return actor, nil
}

// invitation reads what a code opens. With err_code_used the invitation is filled too.
func (s *Store) invitation(db *gorm.DB, typed string) (inv Invitation, err error) {
	hash := hashSecret(PlainCode(typed))
	inv.Seat = -1
	var seat Seat
	tableID := int64(0)
	switch err := db.Where("code_hash = ?", hash).Take(&seat).Error; {
	case err == nil:
		tableID, inv.Seat = seat.TableID, seat.Seat
	case !errors.Is(err, gorm.ErrRecordNotFound):
		return inv, err
	default:
		var table Table
		if err := db.Where("code_hash = ?", hash).Take(&table).Error; err != nil {
			if errors.Is(err, gorm.ErrRecordNotFound) {
				err = refuse.NotFound("err_code_wrong")
			}
			return inv, err
		}
		tableID = table.ID
	}
	if inv.Table, err = findTable(db, tableID); err != nil {
		return inv, err
	}
	if inv.Round, err = findRound(db, inv.Table.RoundID); err != nil {
		return inv, err
	}
	if inv.Tournament, err = findTournament(db, inv.Table.TournamentID); err != nil {
		return inv, err
	}
	return inv, inv.good(s.now())
}

// good tells whether the code of an invitation may be used now.
func (i Invitation) good(now engine.Millis) error {
	over := i.Round.Status != RoundPublished && i.Round.Status != RoundRunning
	if i.Seat < 0 {
		switch {
		case over:
			return refuse.Conflict("err_code_expired")
		case i.Table.Code == "":
			return refuse.Conflict("err_table_full", "table", i.Table.Number)
		}
		return nil
	}
	seat := i.Table.Seats[i.Seat]
	switch {
	case seat.CodeUsedAt != 0:
		return refuse.Conflict("err_code_used", "table", i.Table.Number, "seat", i.Seat+1)
	case over, seat.CodeExpires != 0 && now > seat.CodeExpires:
		return refuse.Conflict("err_code_expired")
	}
	return nil
}

// seatFor is the seat that is taken: the code's own, or the wished one of a table.
func (i Invitation) seatFor(wished int) (Seat, error) {
	if i.Seat >= 0 {
		if wished >= 0 && wished != i.Seat {
			return Seat{}, refuse.Conflict("err_code_other_seat", "seat", i.Seat+1)
		}
		return i.Table.Seats[i.Seat], nil
	}
	if wished < 0 || wished >= len(i.Table.Seats) {
		return Seat{}, refuse.Invalid("err_seat_not_found", "table", i.Table.Number, "seat", wished+1)
	}
	if seat := i.Table.Seats[wished]; i.Free(seat) {
		return seat, nil
	}
	return Seat{}, refuse.Conflict("err_seat_taken", "table", i.Table.Number, "seat", wished+1)
}

// bind puts a device at a seat. Both the seat's code and, with the last seat, the table's are used up.
func (s *Store) bind(tx *gorm.DB, inv Invitation, seat Seat, token string) error {
	now := s.now()
	hash := hashSecret(token)
	if err := tx.Model(&Player{}).Where("id = ?", seat.PlayerID).
		Updates(map[string]any{"device_hash": &hash, "device_at": now}).Error; err != nil {
		return err
	}
	if err := tx.Model(&Seat{}).Where("id = ?", seat.ID).
		Updates(map[string]any{"code": "", "code_used_at": now}).Error; err != nil {
		return err
	}
	return closeFullTables(tx.Where("id = ?", inv.Table.ID))
}

// closeFullTables ends the codes of those tables at which every seat's player has a device. The + has the players looked up
// by their seats, instead of going through all who have no device.
func closeFullTables(which *gorm.DB) error {
	return which.Model(&Table{}).Where(`NOT EXISTS (SELECT 1 FROM seats s JOIN players p ON p.id = s.player_id
		WHERE s.table_id = tables.id AND +p.device_hash IS NULL)`).Update("code", "").Error
}

func (s *Store) noteReuse(tx *gorm.DB, inv Invitation) error {
	seat := inv.Table.Seats[inv.Seat]
	if err := tx.Model(&Seat{}).Where("id = ?", seat.ID).Update("code_reused", gorm.Expr("code_reused + 1")).Error; err != nil {
		return err
	}
	return s.audit(tx, rights.Public(), change{tournament: inv.Tournament.ID, action: "seat.code_reused", subject: inv.subject(seat)})
}

func (i Invitation) subject(seat Seat) string {
	return fmt.Sprintf("round %d, table %d, seat %d (%s)", i.Round.Number, i.Table.Number, seat.Seat+1, seat.Player.Name)
}
