package tournament

import (
	"slices"
	"strings"

	"gorm.io/gorm"

	"meldhall/tournament/action"
	"meldhall/tournament/pairing"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
)

// SeatsJudged is the effect of changing a round's seats. Cost is the additional cost, field by field.
type SeatsJudged struct {
	Cost   pairing.Cost
	Before pairing.Report
	After  pairing.Report
}

// SeatSwap is the effect of swapping two players of a round.
type SeatSwap struct {
	A, B   Seat
	Tables [2]int // table numbers
	SeatsJudged
}

// SeatMove is the effect of moving a player to a free chair of another table.
type SeatMove struct {
	Player Seat   // before the move
	Tables [2]int // numbers: from, to
	Seat   int    // at the new table, from 0
	SeatsJudged
}

// SeatedByHand reports whether a round is a draft seated by hand, so that changes need no reason.
func (r Round) SeatedByHand() bool { return r.Status == RoundDraft && r.Method == pairing.Manual }

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

func (s SwapSeats) Do(tx *action.Tx) (swap SeatSwap, err error) {
	open, err := openSeats(tx, s.Round)
	if err == nil {
		err = open.asksWhy(tx, s.Why)
	}
	if err != nil {
		return swap, err
	}
	swap, after, err := open.swap(s.A, s.B)
	if err != nil {
		return swap, err
	}
	if open.round.Status == RoundDraft {
		err = exchangeSeats(tx.DB, swap.A, swap.B)
	} else {
		err = reseat(tx, open, after, swap.Tables[:])
	}
	if err != nil {
		return swap, err
	}
	on := open.round.about()
	on.Players, on.Tables = []int{swap.A.Player.Number, swap.B.Player.Number}, swap.Tables[:]
	tx.Record(action.Entry{Event: open.round.TournamentID, On: on, Why: strings.TrimSpace(s.Why), Is: swapped{
		satAt{swap.A.Player.Name, swap.Tables[0], swap.A.Seat + 1},
		satAt{swap.B.Player.Name, swap.Tables[1], swap.B.Seat + 1}}})
	return swap, open.changedTo(tx, swap.After)
}

func (m MoveSeat) Do(tx *action.Tx) (move SeatMove, err error) {
	open, err := openSeats(tx, m.Round)
	if err == nil {
		err = open.asksWhy(tx, m.Why)
	}
	if err != nil {
		return move, err
	}
	move, after, err := open.move(m.Player, m.Table)
	if err != nil {
		return move, err
	}
	if err := reseat(tx, open, after, move.Tables[:]); err != nil {
		return move, err
	}
	on := open.round.about()
	on.Players, on.Tables = []int{move.Player.Player.Number}, move.Tables[:]
	name := move.Player.Player.Name
	tx.Record(action.Entry{Event: open.round.TournamentID, On: on, Why: strings.TrimSpace(m.Why), Is: movedSeat{
		satAt{name, move.Tables[0], move.Player.Seat + 1}, satAt{name, move.Tables[1], move.Seat + 1}}})
	return move, open.changedTo(tx, move.After)
}

// openSeats reads a round whose seats can be changed by hand: a draft of the current players, or a published round
// without a started table.
func openSeats(tx *action.Tx, id int64) (*seated, error) {
	round, err := FindRound(tx.DB, id)
	if err != nil {
		return nil, err
	}
	if round.Status == RoundDraft {
		return readSeats(tx.DB, round, &nextRound{}, false)
	}
	if round, err = unplayedRound(tx, id); err != nil {
		return nil, err
	}
	set := func(status string) error {
		return tx.Model(&Round{}).Where("id = ?", id).Update("status", status).Error
	}
	if err := set(RoundDraft); err != nil { // assess it as a draft
		return nil, err
	}
	s, err := readSeats(tx.DB, round, &nextRound{}, true)
	if err != nil {
		return nil, err
	}
	return s, set(RoundPublished)
}

// asksWhy rejects a change of drawn seats without a reason, and a reason that is too long.
func (s *seated) asksWhy(tx *action.Tx, why string) error {
	why = strings.TrimSpace(why)
	if why == "" && !s.round.SeatedByHand() && !tx.Preview || len([]rune(why)) > action.ReasonMost {
		return refuse.Invalid("err_why_missing", "most", action.ReasonMost)
	}
	return nil
}

// swap assesses a swap of two players.
func (s *seated) swap(a, b int64) (swap SeatSwap, after pairing.Round, err error) {
	after = s.plan()
	found := 0
	for i, t := range s.tables {
		for j, seat := range t.Seats {
			switch seat.PlayerID {
			case a:
				swap.A, swap.Tables[0], after[i][j] = seat, t.Number, b
				found++
			case b:
				swap.B, swap.Tables[1], after[i][j] = seat, t.Number, a
				found++
			}
		}
	}
	if found != 2 {
		return swap, nil, refuse.Invalid("err_swap_players")
	}
	swap.SeatsJudged, err = s.judge(after)
	return swap, after, err
}

// move assesses moving a player to a free chair of a table.
func (s *seated) move(player int64, number int) (move SeatMove, after pairing.Round, err error) {
	after = s.plan()
	from := slices.IndexFunc(after, func(table []int64) bool { return slices.Contains(table, player) })
	to := slices.IndexFunc(s.tables, func(t Table) bool { return t.Number == number })
	switch {
	case from < 0:
		return move, nil, refuse.Invalid("err_swap_players")
	case to < 0 || from == to:
		return move, nil, refuse.Invalid("err_move_table", "table", number)
	case len(after[to]) >= s.d.rules.SeatsMax:
		return move, nil, refuse.Conflict("err_move_full", "table", number)
	case len(after[from]) <= s.d.rules.SeatsMin:
		return move, nil, refuse.Conflict("err_move_few", "table", s.tables[from].Number, "least", s.d.rules.SeatsMin)
	}
	at := slices.Index(after[from], player)
	move.Player, move.Tables, move.Seat = s.tables[from].Seats[at], [2]int{s.tables[from].Number, number},
		len(after[to])
	after[from] = slices.Delete(after[from], at, at+1)
	after[to] = append(after[to], player)
	move.SeatsJudged, err = s.judge(after)
	return move, after, err
}

// judge returns the effect of other seats.
func (s *seated) judge(after pairing.Round) (j SeatsJudged, err error) {
	if err := s.d.apartTies(after); err != nil {
		return j, err
	}
	if j.Before, err = pairing.Assess(s.q, []pairing.Round{s.plan()}); err != nil {
		return j, err
	}
	q := s.q
	q.Sizes = tableSizes(after)
	if j.After, err = pairing.Assess(q, []pairing.Round{after}); err != nil {
		return j, err
	}
	j.Cost = j.After.Cost.Minus(j.Before.Cost)
	return j, nil
}

// reseat stores the seats of the tables with these numbers and makes their games load them again.
func reseat(tx *action.Tx, s *seated, after pairing.Round, numbers []int) error {
	people, err := openPeople(tx, s.round.TournamentID)
	if err != nil {
		return err
	}
	var tables []pairing.Placing
	var ids []int64
	for i, t := range s.tables {
		if slices.Contains(numbers, t.Number) {
			tables, ids = append(tables, pairing.Placing{ID: t.ID, Number: t.Number, Players: after[i]}),
				append(ids, t.ID)
		}
	}
	people.thenForget(ids)
	return people.reseat(tables, nil)
}

// changedTo stores the new report. A draft must be approved again and keeps its plan for later rounds.
func (s *seated) changedTo(tx *action.Tx, rep pairing.Report) error {
	plan := s.round.Plan
	s.round.judged(rep, nil)
	values := map[string]any{"report": s.round.Report, "changes": s.round.Changes + 1}
	if s.round.Status == RoundDraft {
		values["plan"], values["checked_at"], values["checked_by"] = plan, 0, ""
	}
	return tx.Model(&Round{}).Where("id = ?", s.round.ID).Updates(values).Error
}

// exchangeSeats stores a swap. It deletes both seats first, because a player can have only one seat at a time.
func exchangeSeats(tx *gorm.DB, a, b Seat) error {
	if err := tx.Where("id IN ?", []int64{a.ID, b.ID}).Delete(&Seat{}).Error; err != nil {
		return err
	}
	a.PlayerID, b.PlayerID = b.PlayerID, a.PlayerID
	return tx.Create([]Seat{a, b}).Error
}
