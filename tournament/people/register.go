package people

import (
	"context"
	"slices"

	"gorm.io/gorm"

	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/displayname"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/rosterfile"
	"meldhall/tournament/store"
)

// Registration is the public state of a tournament's registration.
type Registration struct {
	Tournament tournament.Tournament
	Open       bool
	Players    int // without the waiting list
	Waiting    int
}

// Free returns how many places are left, -1 for no limit.
func (r Registration) Free() int {
	if r.Tournament.Capacity == 0 {
		return -1
	}
	return max(r.Tournament.Capacity-r.Players, 0)
}

// RegistrationOf returns the current state of a tournament's registration.
func RegistrationOf(ctx context.Context, s *store.DB, tournamentID int64) (Registration, error) {
	return store.Look(ctx, s, func(db *gorm.DB) (Registration, error) { return registrationOf(db, tournamentID) })
}

func registrationOf(db *gorm.DB, tournamentID int64) (r Registration, err error) {
	if r.Tournament, err = tournament.FindTournament(db, tournamentID); err != nil {
		return r, err
	}
	r.Open = r.Tournament.RegistrationOpen && r.Tournament.Practice == "" &&
		r.Tournament.Status != tournament.StatusFinished && r.Tournament.CancelledAt == 0
	var count struct{ Players, Waiting int }
	err = db.Raw(`SELECT count(CASE WHEN state IN ('registered', 'checked_in') THEN 1 END) AS players, count(CASE WHEN state = 'waiting' THEN 1 END) AS waiting
		FROM players WHERE tournament_id = ?`, tournamentID).Scan(&count).Error
	r.Players, r.Waiting = count.Players, count.Waiting
	return r, err
}

// WaitingMost limits the waiting list for self-registration; officials may add more.
const WaitingMost = 500

// Register enters a player by self-registration while it is open, on the waiting list if no place is left. The outcome
// contains the player's ticket, which is shown only once.
type Register struct {
	Tournament int64 `json:"tournament"`
	rosterfile.PlayerEntry
}

var _ = action.NewKind[Register](action.Kind{Name: "people.register", Right: rights.MayRegister, Guarded: true,
	Changes: []action.What{action.TopicPeople}})

func (r Register) Do(tx *action.Tx) (tournament.Player, error) {
	r.Division, r.Drawn, r.Rating = "", 0, nil // only organizers set these
	entries, err := cleanEntries([]rosterfile.PlayerEntry{r.PlayerEntry})
	if err != nil {
		return tournament.Player{}, err
	}
	now, err := registrationOf(tx.DB, r.Tournament)
	if err != nil {
		return tournament.Player{}, err
	}
	if !now.Open {
		return tournament.Player{}, refuse.Conflict("err_registration_closed")
	}
	if now.Waiting >= WaitingMost {
		return tournament.Player{}, refuse.Conflict("err_waiting_full", "most", WaitingMost)
	}
	tx.Actor = rights.Public() // self-registration never counts as an official's entry
	out, err := changePeople(tx, peopleWork{tournamentID: r.Tournament, name: tournament.PeopleEnter},
		func(tx *peopleTx) error { return tx.enter(entries) })
	if err != nil {
		return tournament.Player{}, err
	}
	return out.Players[0], nil
}

// Ticket is the data that a player's ticket gives access to. Place is the position on the waiting list, from 1; 0 for
// an admitted player.
type Ticket struct {
	Player     tournament.Player
	Tournament tournament.Tournament
	Place      int
}

// TicketOf returns a ticket's data, or NotFound.
func TicketOf(ctx context.Context, s *store.DB, ticket string) (Ticket, error) {
	var t Ticket
	err := s.Snapshot(displayname.InFull(ctx), func(db *gorm.DB) (err error) { // its holder may see the full name
		if t.Player, err = playerByTicket(db, ticket); err != nil {
			return err
		}
		if t.Tournament, err = tournament.FindTournament(db, t.Player.TournamentID); err != nil ||
			t.Player.State != tournament.StateWaiting {
			return err
		}
		var before int64
		err = db.Model(&tournament.Player{}).Where("tournament_id = ? AND state = ? AND number <= ?", t.Tournament.ID,
			tournament.StateWaiting, t.Player.Number).Count(&before).Error
		t.Place = int(before)
		return err
	})
	return t, err
}

func playerByTicket(db *gorm.DB, ticket string) (tournament.Player, error) {
	p, ok, err := store.First[tournament.Player](db.Omit("email").Where("ticket = ?", ticket))
	if err == nil && (!ok || ticket == "") {
		return tournament.Player{}, refuse.NotFound("err_ticket_wrong")
	}
	return p, err
}

// CheckInByTicket records that a ticket's player is present: by an official who scans it, or by the player while self
// check-in is open. Repeating it changes nothing.
type CheckInByTicket struct {
	Ticket string `json:"ticket"`
}

var _ = action.NewKind[CheckInByTicket](action.Kind{Name: "people.ticket", Right: rights.MayCheckIn, Own: true,
	Guarded: true, Changes: []action.What{action.TopicPeople}})

func (c CheckInByTicket) Do(tx *action.Tx) (player tournament.Player, err error) {
	if player, err = playerByTicket(tx.DB, c.Ticket); err != nil {
		return player, err
	}
	t, err := tournament.FindTournament(tx.DB, player.TournamentID)
	if err != nil {
		return player, err
	}
	if tx.Authorize(rights.Place{Tournament: t.ID}, rights.MayCheckIn) != nil {
		if tx.Actor = rights.Public(); !t.CheckInOpen {
			return player, refuse.Conflict("err_check_in_closed")
		}
	}
	w := peopleWork{tournamentID: t.ID, name: tournament.PeopleCheckIn, player: player.ID}
	if _, err := changePlayer(tx, w, func(tx *peopleTx, p tournament.Player) error {
		return tx.checkIn(p,
			true)
	}); err != nil {
		return player, err
	}
	return player, tx.Omit("email").Take(&player, player.ID).Error
}

// MissingSeat is a seat of the current round without a device.
type MissingSeat struct {
	Player tournament.Player
	Table  int
	Seat   int
}

// MissingSeats returns the seats of the published or running round at which no player has appeared: no device plays for
// the player or serves the table. round is nil if there is no such round.
func MissingSeats(ctx context.Context, s *store.DB, tournamentID int64) (round *tournament.Round, list []MissingSeat,
	err error) {
	err = s.Snapshot(ctx, func(db *gorm.DB) error {
		if round, err = tournament.OpenRound(db, tournamentID); err != nil || round == nil {
			return err
		}
		if !round.Underway() {
			round = nil
			return nil
		}
		tables, err := tournament.FillTables(db, db.Where("round_id = ?", round.ID))
		if err != nil {
			return err
		}
		var served []int
		if err := db.Table("table_devices").Where("tournament_id = ?", tournamentID).
			Pluck("number", &served).Error; err != nil {
			return err
		}
		for _, t := range tables {
			for _, seat := range t.Seats {
				if !slices.Contains(served, t.Number) && !seat.Player.Joined() && !seat.Player.Gone {
					list = append(list, MissingSeat{seat.Player, t.Number, seat.Seat})
				}
			}
		}
		return nil
	})
	return round, list, err
}
