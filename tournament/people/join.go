package people

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/game"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/secret"
	"meldhall/tournament/spelling"
	"meldhall/tournament/store"
)

// reissuedFor is how long a seat code that an official creates is valid. It is short because the code is shown, not
// printed.
const reissuedFor = 5 * time.Minute

// An Invitation describes what a code gives access to: one seat or, if Seat is -1, the free seats of a table.
type Invitation struct {
	Tournament tournament.Tournament
	Round      tournament.Round
	Table      tournament.Table
	Seat       int
}

// Free reports whether a device may still take the seat.
func (i Invitation) Free(seat tournament.Seat) bool { return !seat.Player.Joined() }

// DeviceToken creates a device token whose device name is unique in the tournament, as long as names are left.
func DeviceToken(db *gorm.DB, tournamentID int64) (string, error) {
	var hashes []string
	if err := db.Raw(`SELECT device_hash FROM players WHERE tournament_id = ? AND device_hash IS NOT NULL
		UNION ALL SELECT token_hash FROM table_devices WHERE tournament_id = ? LIMIT ?`, tournamentID, tournamentID, secret.DeviceNames).Scan(&hashes).Error; err != nil {
		return "", err
	}
	names := store.MapOf(hashes, func(hash string) (string, bool) { return secret.DeviceName(hash), true })
	token := secret.NewToken()
	for len(names) < secret.DeviceNames && names[secret.DeviceName(secret.Hash(token))] {
		token = secret.NewToken()
	}
	return token, nil
}

// FindInvitation returns the invitation of a code without using the code. Errors: err_code_wrong (NotFound),
// err_code_used, err_code_expired, err_table_full (Conflict).
func FindInvitation(ctx context.Context, s *store.DB, code string) (Invitation, error) {
	inv, err := invitation(s.Read.WithContext(ctx), code, s.Millis())
	inv.Table = inv.Table.WithoutCodes()
	return inv, err
}

// Join uses a code: the device that gets the token plays for the seat's player in this and all later rounds. A code
// works only for a free seat. A seat's code is for that seat and is then spent; a table's code is for Player's seat. A
// device that already plays for the player from an earlier round spends the seat's code too. An official can remove the
// device (ReissueCode). Join returns the token once and stores only its hash. It counts and records attempts to use a
// spent code.
type Join struct {
	Code   string `json:"code" minLength:"1" maxLength:"64"`
	Player int64  `json:"player,omitempty" doc:"with a table's code: the player"` // not needed with a seat's code
}

// Joined is a device that has joined: its token and the player it plays for.
type Joined struct {
	Token string
	Actor rights.Actor
}

var (
	_ = action.NewKind[Join](action.Kind{Name: "seat.join", Right: rights.MayJoin, Guarded: true,
		Changes: []action.What{action.TopicDevices}})
	codeReusedKind = action.RecordKind(action.Kind{Name: "seat.code_reused"})
)

func (j Join) Do(tx *action.Tx) (Joined, error) {
	inv, err := invitation(tx.DB, j.Code, tx.Now())
	if errors.Is(err, &refuse.Error{Kind: refuse.KindConflict, Key: "err_code_used"}) {
		used := err
		tx.Then(func(context.Context, *game.Games) error { return used }) // the recorded attempt is kept
		return Joined{}, inv.noteReuse(tx)
	}
	if err != nil {
		return Joined{}, err
	}
	place, err := inv.seatOf(j.Player)
	if err != nil {
		return Joined{}, err
	}
	token, err := DeviceToken(tx.DB, inv.Tournament.ID)
	if err != nil {
		return Joined{}, err
	}
	if err := bind(tx, place, token); err != nil {
		return Joined{}, err
	}
	me := rights.Actor{Name: place.Player.Name, Role: rights.RolePlayer, Tournament: inv.Tournament.ID,
		Player: place.PlayerID,
		Table:  inv.Table.ID, Seat: place.Seat, Device: secret.DeviceName(secret.Hash(token))}
	tx.Actor = me
	tx.Record(action.Entry{Event: inv.Tournament.ID, On: inv.about(place),
		Topics: []action.Topic{{What: action.TopicTable, ID: inv.Table.ID}}})
	at := tx.Now()
	tx.Then(func(_ context.Context, g *game.Games) error {
		g.Notes.Device(me, game.EvidenceJoined, at, nil)
		return nil
	})
	return Joined{token, me}, nil
}

// ReissueCode gives a seat (counted from 0) a new code, valid for five minutes, and removes the seat's device at once.
type ReissueCode struct {
	Table int64 `json:"table"`
	Seat  int   `json:"seat"`
}

var _ = action.NewKind[ReissueCode](action.Kind{Name: "seat.reissue", Right: rights.MayIssueCode,
	Changes: []action.What{action.TopicDevices}})

func (r ReissueCode) Do(tx *action.Tx) (code string, err error) {
	table, round, err := codedTable(tx.DB, r.Table)
	if err != nil {
		return "", err
	}
	if r.Seat < 0 || r.Seat >= len(table.Seats) {
		return "", refuse.NotFound("err_seat_not_found", "table", table.Number, "seat", r.Seat+1)
	}
	place := table.Seats[r.Seat]
	code = secret.NewCode()
	expires := tx.Now() + engine.Millis(reissuedFor.Milliseconds())
	if err := tx.Model(&tournament.Seat{}).Where("id = ?", place.ID).Updates(map[string]any{
		"code": code, "code_hash": secret.Hash(code), "code_expires": expires, "code_used_at": 0,
		"code_reused": 0}).Error; err != nil {
		return "", err
	}
	tx.Record(action.Entry{Event: table.TournamentID, Topics: []action.Topic{{What: action.TopicTable, ID: table.ID},
		{What: action.TopicDevices, ID: place.PlayerID}},
		On: action.About{Round: round.Number, Table: table.Number, Seat: r.Seat + 1,
			Players: []int{place.Player.Number}}})
	return code, tx.Model(&tournament.Player{}).Where("id = ?", place.PlayerID).Updates(withoutDevice).Error
}

// withoutDevice are the columns of a player whose device is removed.
var withoutDevice = map[string]any{"device_hash": nil, "device_key": ""}

// codedTable returns a table and its round, which must be open for joining.
func codedTable(db *gorm.DB, id int64) (table tournament.Table, round tournament.Round, err error) {
	if table, err = tournament.FindTable(db, id); err != nil {
		return table, round, err
	}
	if round, err = tournament.FindRound(db, table.RoundID); err != nil {
		return table, round, err
	}
	if !round.Underway() {
		err = refuse.Conflict("err_no_codes_now", "round", round.Number)
	}
	return table, round, err
}

// ActorByToken returns the player whose device holds the token, with the seat in the published or running round. At a
// practice table it also returns the seat after the round is over. For a table's own device it returns the table's
// actor. An unknown or removed token is Unauthenticated.
func ActorByToken(ctx context.Context, s *store.DB, token string) (rights.Actor, error) {
	hash := secret.Hash(token)
	actor := rights.Actor{Role: rights.RolePlayer, Device: secret.DeviceName(hash)}
	err := s.ReadSQL.QueryRowContext(ctx, `
		SELECT p.id, p.tournament_id, p.shown, p.device_key, coalesce(s.table_id, 0), coalesce(s.seat, -1), o.practice <> ''
		FROM players p
		JOIN tournaments o ON o.id = p.tournament_id
		LEFT JOIN seats s ON s.player_id = p.id AND s.round_id IN (
			SELECT r.id FROM rounds r JOIN tournaments t ON t.id = r.tournament_id
			WHERE t.id = p.tournament_id AND (r.status IN ('published', 'running') OR t.practice <> ''))
		WHERE p.device_hash = $1 AND NOT EXISTS (SELECT 1 FROM organizations WHERE id = o.organization_id
			AND deleting <> 0)`, hash).
		Scan(&actor.Player, &actor.Tournament, &actor.Name, &actor.Key, &actor.Table, &actor.Seat, &actor.Practice)
	if errors.Is(err, sql.ErrNoRows) {
		return tournament.TableByToken(ctx, s, hash)
	}
	if err != nil {
		return rights.Actor{}, fmt.Errorf("find the device's player: %w", err)
	}
	return actor, nil
}

// invitation returns the invitation of a code. It is also filled when the error is err_code_used.
func invitation(db *gorm.DB, typed string, now engine.Millis) (inv Invitation, err error) {
	hash := secret.Hash(spelling.Code(typed))
	inv.Seat = -1
	seat, ofSeat, err := store.First[tournament.Seat](db.Where("code_hash = ?", hash))
	if err != nil {
		return inv, err
	}
	table, ofTable, err := store.First[tournament.Table](db.Where("code_hash = ?", hash))
	if err != nil {
		return inv, err
	}
	switch {
	case ofSeat:
		table.ID, inv.Seat = seat.TableID, seat.Seat
	case !ofTable:
		return inv, refuse.NotFound("err_code_wrong")
	}
	if inv.Table, err = tournament.FindTable(db, table.ID); err != nil {
		return inv, err
	}
	if inv.Round, err = tournament.FindRound(db, inv.Table.RoundID); err != nil {
		return inv, err
	}
	if inv.Tournament, err = tournament.FindTournament(db, inv.Table.TournamentID); err != nil {
		return inv, err
	}
	return inv, inv.good(now)
}

// good returns an error if the invitation's code can't be used at the time now.
func (i Invitation) good(now engine.Millis) error {
	over := !i.Round.Underway()
	if i.Seat < 0 {
		switch {
		case over:
			return refuse.Conflict("err_code_expired")
		case i.Table.Full() && !i.Tournament.Physical(i.Table): // there one tablet may serve the whole table
			return refuse.Conflict("err_table_full", "table", i.Table.Number)
		}
		return nil
	}
	seat := i.Table.Seats[i.Seat]
	switch {
	case seat.CodeUsedAt != 0 || seat.Player.Joined(): // a device that carries over from an earlier round has spent it
		return refuse.Conflict("err_code_used", "table", i.Table.Number, "seat", i.Seat+1)
	case over, seat.CodeExpires != 0 && now > seat.CodeExpires:
		return refuse.Conflict("err_code_expired")
	}
	return nil
}

// seatOf returns the seat to take: the code's own, or the player's seat at the table.
func (i Invitation) seatOf(player int64) (tournament.Seat, error) {
	at := i.Seat
	if player != 0 {
		at = slices.IndexFunc(i.Table.Seats, func(seat tournament.Seat) bool { return seat.PlayerID == player })
		if at < 0 {
			return tournament.Seat{}, refuse.NotFound("err_player_not_at_table", "table", i.Table.Number)
		}
	}
	switch {
	case at < 0:
		return tournament.Seat{}, refuse.Invalid("err_seat_not_found", "table", i.Table.Number, "seat", 0)
	case i.Seat >= 0 && at != i.Seat:
		return tournament.Seat{}, refuse.Conflict("err_code_other_seat", "seat", i.Seat+1)
	case i.Seat < 0 && !i.Free(i.Table.Seats[at]):
		return tournament.Seat{}, refuse.Conflict("err_seat_taken", "table", i.Table.Number, "seat", at+1)
	}
	return i.Table.Seats[at], nil
}

// bind gives a seat's player a device and spends the seat's code.
func bind(tx *action.Tx, seat tournament.Seat, token string) error {
	now := tx.Now()
	hash := secret.Hash(token)
	if err := tx.Model(&tournament.Player{}).Where("id = ?", seat.PlayerID).
		Updates(map[string]any{"device_hash": &hash, "device_at": now, "device_key": ""}).Error; err != nil {
		return err
	}
	return tx.Model(&tournament.Seat{}).Where("id = ?", seat.ID).Updates(map[string]any{"code": "",
		"code_used_at": now}).Error
}

// noteReuse counts and records an attempt to use a seat's spent code.
func (i Invitation) noteReuse(tx *action.Tx) error {
	seat := i.Table.Seats[i.Seat]
	tx.Record(action.Entry{Kind: codeReusedKind, Event: i.Tournament.ID, On: i.about(seat),
		Topics: []action.Topic{{What: action.TopicTable, ID: i.Table.ID}}})
	return tx.Model(&tournament.Seat{}).Where("id = ?", seat.ID).Update("code_reused",
		gorm.Expr("code_reused + 1")).Error
}

func (i Invitation) about(seat tournament.Seat) action.About {
	return action.About{Round: i.Round.Number, Table: i.Table.Number, Seat: seat.Seat + 1, Name: seat.Player.Name,
		Players: []int{seat.Player.Number}}
}
