package tournament

import (
	"context"
	"slices"

	"gorm.io/gorm"

	"meldhall/tournament/door"
	"meldhall/tournament/naming"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/rosterfile"
	"meldhall/tournament/storage"
)

// Registration is how an event takes entries, for everybody.
type Registration struct {
	Tournament Tournament
	Open       bool
	Players    int // who are in
	Waiting    int
}

// Free is how many places are left, -1 for no limit.
func (r Registration) Free() int {
	if r.Tournament.Capacity == 0 {
		return -1
	}
	return max(r.Tournament.Capacity-r.Players, 0)
}

// RegistrationOf gives how an event takes entries now.
func RegistrationOf(ctx context.Context, s *storage.DB, tournamentID int64) (Registration, error) {
	return storage.Look(ctx, s, func(db *gorm.DB) (Registration, error) { return registrationOf(db, tournamentID) })
}

func registrationOf(db *gorm.DB, tournamentID int64) (r Registration, err error) {
	if r.Tournament, err = FindTournament(db, tournamentID); err != nil {
		return r, err
	}
	r.Open = r.Tournament.RegistrationOpen && r.Tournament.Practice == "" && r.Tournament.Status != StatusFinished
	var count struct{ Players, Waiting int }
	err = db.Raw(`SELECT count(CASE WHEN state IN ('registered', 'checked_in') THEN 1 END) AS players, count(CASE WHEN state = 'waiting' THEN 1 END) AS waiting
		FROM players WHERE tournament_id = ?`, tournamentID).Scan(&count).Error
	r.Players, r.Waiting = count.Players, count.Waiting
	return r, err
}

// WaitingMost is how long a waiting list may get by those who ask for a place themselves; officials may enter more.
const WaitingMost = 500

// Register enters somebody who asks for it, while registration is open; with no place left, on the waiting list. The outcome
// has the player's ticket, which is told once.
type Register struct {
	Tournament int64 `json:"tournament"`
	rosterfile.PlayerEntry
}

var _ = door.NewKind[Register](door.Kind{Name: "people.register", Right: rights.MayRegister, Guarded: true, Changes: []door.What{door.TopicPeople}})

func (r Register) Do(tx *door.Tx) (Player, error) {
	r.Division, r.Drawn, r.Rating = "", 0, nil // which organizers give
	entries, err := cleanEntries([]rosterfile.PlayerEntry{r.PlayerEntry})
	if err != nil {
		return Player{}, err
	}
	now, err := registrationOf(tx.DB, r.Tournament)
	if err != nil {
		return Player{}, err
	}
	if !now.Open {
		return Player{}, refuse.Conflict("err_registration_closed")
	}
	if now.Waiting >= WaitingMost {
		return Player{}, refuse.Conflict("err_waiting_full", "most", WaitingMost)
	}
	tx.Actor = rights.Public() // whoever it is, it is nobody at the desk
	out, err := changePeople(tx, peopleWork{event: r.Tournament, name: PeopleEnter}, func(tx *peopleTx) error { return tx.enter(entries) })
	if err != nil {
		return Player{}, err
	}
	return out.Players[0], nil
}

// Ticket is what a player's ticket opens. Place is the place on the waiting list, from 1; 0 for who is in.
type Ticket struct {
	Player     Player
	Tournament Tournament
	Place      int
}

// TicketOf reads a ticket, or NotFound.
func TicketOf(ctx context.Context, s *storage.DB, ticket string) (Ticket, error) {
	var t Ticket
	err := s.Snapshot(naming.InFull(ctx), func(db *gorm.DB) (err error) { // who has it knows whose it is
		if t.Player, err = playerByTicket(db, ticket); err != nil {
			return err
		}
		if t.Tournament, err = FindTournament(db, t.Player.TournamentID); err != nil || t.Player.State != StateWaiting {
			return err
		}
		var before int64
		err = db.Model(&Player{}).Where("tournament_id = ? AND state = ? AND number <= ?", t.Tournament.ID, StateWaiting, t.Player.Number).Count(&before).Error
		t.Place = int(before)
		return err
	})
	return t, err
}

func playerByTicket(db *gorm.DB, ticket string) (Player, error) {
	p, ok, err := storage.First[Player](db.Omit("email").Where("ticket = ?", ticket))
	if err == nil && (!ok || ticket == "") {
		return Player{}, refuse.NotFound("err_ticket_wrong")
	}
	return p, err
}

// CheckInByTicket says that the player of a ticket is here: an official who scans it, or the player while that is open.
// Doing it again changes nothing.
type CheckInByTicket struct {
	Ticket string `json:"ticket"`
}

var _ = door.NewKind[CheckInByTicket](door.Kind{Name: "people.ticket", Right: rights.MayCheckIn, Own: true, Guarded: true, Changes: []door.What{door.TopicPeople}})

func (c CheckInByTicket) Do(tx *door.Tx) (player Player, err error) {
	if player, err = playerByTicket(tx.DB, c.Ticket); err != nil {
		return player, err
	}
	t, err := FindTournament(tx.DB, player.TournamentID)
	if err != nil {
		return player, err
	}
	if tx.Authorize(rights.Place{Tournament: t.ID}, rights.MayCheckIn) != nil {
		if tx.Actor = rights.Public(); !t.CheckInOpen {
			return player, refuse.Conflict("err_check_in_closed")
		}
	}
	w := peopleWork{event: t.ID, name: PeopleCheckIn, player: player.ID}
	if _, err := changePlayer(tx, w, func(tx *peopleTx, p Player) error { return tx.checkIn(p, true) }); err != nil {
		return player, err
	}
	return player, tx.Omit("email").Take(&player, player.ID).Error
}

// MissingSeat is a seat of the round that is on whose player no device plays for.
type MissingSeat struct {
	Player Player
	Table  int
	Seat   int
}

// MissingSeats are the seats of the round that is published or running at which nobody has appeared: no device plays for
// the player, and none serves the table. Round is the round, nil when none is on.
func MissingSeats(ctx context.Context, s *storage.DB, tournamentID int64) (round *Round, list []MissingSeat, err error) {
	err = s.Snapshot(ctx, func(db *gorm.DB) error {
		if round, err = openRound(db, tournamentID); err != nil || round == nil {
			return err
		}
		if !round.Underway() {
			round = nil
			return nil
		}
		tables, err := FillTables(db, db.Where("round_id = ?", round.ID))
		if err != nil {
			return err
		}
		var served []int
		if err := db.Raw(`SELECT number FROM table_devices WHERE tournament_id = ?`, tournamentID).Scan(&served).Error; err != nil {
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
