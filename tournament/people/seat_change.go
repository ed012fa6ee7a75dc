package people

import (
	"slices"

	"gorm.io/gorm"

	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/draw"
	"meldhall/tournament/pairing"
	"meldhall/tournament/rights"
	"meldhall/tournament/spelling"
)

// SwapSeats swaps two players of a round until its first table is started. Why is for the log; changing drawn seats
// requires it. An approved draft must be approved again; viewers of a published round see that it changed.
type SwapSeats struct {
	Round int64  `json:"round,omitempty" path:"id" minimum:"1"`
	A     int64  `json:"a"`
	B     int64  `json:"b"`
	Why   string `json:"why,omitempty" maxLength:"500" doc:"the reason, for the log; not needed for a preview or a manually seated draft"`
}

// MoveSeat moves a player of a round to a free chair of another table until the first table is started. The rules of
// SwapSeats apply.
type MoveSeat struct {
	Round  int64  `json:"round,omitempty" path:"id" minimum:"1"`
	Player int64  `json:"player"`
	Table  int    `json:"table" doc:"the table's number"`
	Why    string `json:"why,omitempty" maxLength:"500" doc:"the reason, for the log; not needed for a preview or a manually seated draft"`
}

var (
	_ = action.NewKind[SwapSeats](action.Kind{Name: "round.swap", Right: rights.MaySeatRound,
		Changes: []action.What{action.TopicSeats}, Details: action.Keep[swapped]})
	_ = action.NewKind[MoveSeat](action.Kind{Name: "round.move", Right: rights.MaySeatRound,
		Changes: []action.What{action.TopicSeats}, Details: action.Keep[movedSeat]})
)

// swapped is the audit record of a swap: the seats before it.
type swapped struct {
	A satAt `json:"a"`
	B satAt `json:"b"`
}

type satAt struct {
	Name  string `json:"name"`
	Table int    `json:"table"`
	Seat  int    `json:"seat"` // from 1
}

func (at satAt) phrase() action.Phrase {
	return action.Say("log.is.sits", "name", action.Person(at.Name), "table", at.Table, "seat", at.Seat)
}

// Before returns the old seats.
func (s swapped) Before() []action.Phrase { return []action.Phrase{s.A.phrase(), s.B.phrase()} }

// After returns the new seats.
func (s swapped) After() []action.Phrase {
	a, b := s.A, s.B
	a.Name, b.Name = b.Name, a.Name
	return []action.Phrase{a.phrase(), b.phrase()}
}

// movedSeat is the audit record of a move.
type movedSeat struct {
	Was satAt `json:"was"`
	Is  satAt `json:"is"`
}

// Before returns the old seat.
func (m movedSeat) Before() []action.Phrase { return []action.Phrase{m.Was.phrase()} }

// After returns the new seat.
func (m movedSeat) After() []action.Phrase { return []action.Phrase{m.Is.phrase()} }

func (s SwapSeats) Do(tx *action.Tx) (swap draw.SeatSwap, err error) {
	open, err := draw.OpenSeats(tx, s.Round)
	if err == nil {
		err = open.AsksWhy(tx, s.Why)
	}
	if err != nil {
		return swap, err
	}
	swap, after, err := open.Swap(s.A, s.B)
	if err != nil {
		return swap, err
	}
	if open.Round.Status == tournament.RoundDraft {
		err = exchangeSeats(tx.DB, swap.A, swap.B)
	} else {
		err = reseat(tx, open, after, swap.Tables[:])
	}
	if err != nil {
		return swap, err
	}
	on := open.Round.About()
	on.Players, on.Tables = []int{swap.A.Player.Number, swap.B.Player.Number}, swap.Tables[:]
	tx.Record(action.Entry{Event: open.Round.TournamentID, On: on, Why: spelling.Clean(s.Why), Is: swapped{
		satAt{swap.A.Player.Name, swap.Tables[0], swap.A.Seat + 1},
		satAt{swap.B.Player.Name, swap.Tables[1], swap.B.Seat + 1}}})
	return swap, open.ChangedTo(tx, swap.After)
}

func (m MoveSeat) Do(tx *action.Tx) (move draw.SeatMove, err error) {
	open, err := draw.OpenSeats(tx, m.Round)
	if err == nil {
		err = open.AsksWhy(tx, m.Why)
	}
	if err != nil {
		return move, err
	}
	move, after, err := open.Move(m.Player, m.Table)
	if err != nil {
		return move, err
	}
	if err := reseat(tx, open, after, move.Tables[:]); err != nil {
		return move, err
	}
	on := open.Round.About()
	on.Players, on.Tables = []int{move.Player.Player.Number}, move.Tables[:]
	name := move.Player.Player.Name
	tx.Record(action.Entry{Event: open.Round.TournamentID, On: on, Why: spelling.Clean(m.Why), Is: movedSeat{
		satAt{name, move.Tables[0], move.Player.Seat + 1}, satAt{name, move.Tables[1], move.Seat + 1}}})
	return move, open.ChangedTo(tx, move.After)
}

// reseat stores the seats of the tables with these numbers and makes their games load them again.
func reseat(tx *action.Tx, s *draw.Seated, after pairing.Round, numbers []int) error {
	people, err := OpenPeople(tx, s.Round.TournamentID)
	if err != nil {
		return err
	}
	var tables []pairing.Placing
	var ids []int64
	for i, t := range s.Tables {
		if slices.Contains(numbers, t.Number) {
			tables, ids = append(tables, pairing.Placing{ID: t.ID, Number: t.Number, Players: after[i]}),
				append(ids, t.ID)
		}
	}
	people.ThenForget(ids)
	return people.reseat(tables, nil)
}

// exchangeSeats stores a swap. It deletes both seats first, because a player can have only one seat at a time.
func exchangeSeats(tx *gorm.DB, a, b tournament.Seat) error {
	if err := tx.Where("id IN ?", []int64{a.ID, b.ID}).Delete(&tournament.Seat{}).Error; err != nil {
		return err
	}
	a.PlayerID, b.PlayerID = b.PlayerID, a.PlayerID
	return tx.Create([]tournament.Seat{a, b}).Error
}
