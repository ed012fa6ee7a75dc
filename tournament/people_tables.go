package tournament

import (
	"slices"

	"meldhall/tournament/door"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/spelling"
)

// tableNumberTop is the highest number of a table of a hall.
const tableNumberTop = 1500

// FixTable says at which table a player always sits; Number 0 is anywhere.
type FixTable struct {
	Tournament int64  `json:"tournament"`
	Player     int64  `json:"player"`
	Number     int    `json:"number"`
	Why        string `json:"why,omitempty"`
}

var fixTableKind = peopleKind[FixTable](PeopleFixTable, rights.MayEditRoster, peopleDetails)

func (FixTable) Kind() *door.Kind { return fixTableKind }

func (f FixTable) Do(tx *door.Tx) (PeopleOutcome, error) {
	if err := checkTableNumber(f.Number, 0); err != nil {
		return PeopleOutcome{}, err
	}
	w := peopleWork{event: f.Tournament, name: PeopleFixTable, player: f.Player, why: f.Why}
	return changePlayer(tx, w, func(tx *peopleTx, p Player) error { return tx.fixTable(p, f.Number) })
}

func checkTableNumber(number, least int) error {
	if number < least || number > tableNumberTop {
		return refuse.Invalid("err_table_number", "most", tableNumberTop)
	}
	return nil
}

// CloseTable takes a table of the hall out of service; who sits there moves to another one together.
type CloseTable struct {
	Tournament int64  `json:"tournament"`
	Number     int    `json:"number"`
	Why        string `json:"why,omitempty"`
}

var closeTableKind = peopleKind[CloseTable](PeopleCloseTable, rights.MayEditRoster, peopleDetails)

func (CloseTable) Kind() *door.Kind { return closeTableKind }

func (c CloseTable) Do(tx *door.Tx) (PeopleOutcome, error) {
	if err := checkTableNumber(c.Number, 1); err != nil {
		return PeopleOutcome{}, err
	}
	w := peopleWork{event: c.Tournament, name: PeopleCloseTable, table: c.Number, why: c.Why}
	return changePeople(tx, w, func(tx *peopleTx) error { return tx.closeTable(c.Number, spelling.Clean(c.Why)) })
}

// OpenTable brings a table of the hall back into service.
type OpenTable struct {
	Tournament int64  `json:"tournament"`
	Number     int    `json:"number"`
	Why        string `json:"why,omitempty"`
}

var openTableKind = peopleKind[OpenTable](PeopleOpenTable, rights.MayEditRoster, peopleDetails)

func (OpenTable) Kind() *door.Kind { return openTableKind }

func (o OpenTable) Do(tx *door.Tx) (PeopleOutcome, error) {
	if err := checkTableNumber(o.Number, 1); err != nil {
		return PeopleOutcome{}, err
	}
	w := peopleWork{event: o.Tournament, name: PeopleOpenTable, table: o.Number, why: o.Why}
	return changePeople(tx, w, func(tx *peopleTx) error { return tx.openTable(o.Number) })
}

// fixTable says at which table a player always sits; in a drafted round that is so at once.
func (tx *peopleTx) fixTable(p Player, number int) error {
	closed, err := closedNumbers(tx.DB, tx.event.ID)
	if err != nil {
		return err
	}
	if slices.Contains(closed, number) {
		return refuse.Conflict("err_table_closed", "table", number)
	}
	if err := tx.setPlayer(p.ID, p.State, p.Gone, number); err != nil {
		return err
	}
	if tx.round == nil || number == 0 || tx.round.Status == RoundPublished || tx.round.Status == RoundRunning {
		return nil
	}
	tables, _, err := placings(tx.DB, tx.round.ID)
	if err != nil {
		return err
	}
	mine := slices.IndexFunc(tables, func(t placing) bool { return slices.Contains(t.Players, p.ID) })
	if mine < 0 || tables[mine].Number == number {
		return nil
	}
	fixed, err := fixedTables(tx.DB, tx.event.ID)
	if err != nil {
		return err
	}
	there := slices.IndexFunc(tables, func(t placing) bool { return t.Number == number })
	if there < 0 {
		tables[mine].Number = number
		return tx.reseat(tables[mine:mine+1], nil)
	}
	others := 0 // who must stay at the two tables as they are
	for _, q := range append(slices.Clone(tables[mine].Players), tables[there].Players...) {
		if q != p.ID && fixed[q] != 0 {
			others++
		}
	}
	if others == 0 {
		tables[mine].Number, tables[there].Number = number, tables[mine].Number
		return tx.reseat([]placing{tables[mine], tables[there]}, nil)
	}
	return tx.exchangeInto(tables[mine], tables[there], p.ID, fixed)
}

// exchangeInto exchanges a player with somebody of another table who is free to move.
func (tx *peopleTx) exchangeInto(mine, there placing, player int64, fixed map[int64]int) error {
	met, err := metBefore(tx.DB, tx.event.ID, tx.round.Number)
	if err != nil {
		return err
	}
	for p := range fixed {
		if p != player && slices.Contains(mine.Players, p) { // settle moves those who have a fixed table: only this one now
			delete(fixed, p)
		}
	}
	plan := [][]int64{slices.Clone(mine.Players), slices.Clone(there.Players)}
	settle(plan, []int{mine.Number, there.Number}, fixed, met.cost)
	mine.Players, there.Players = plan[0], plan[1]
	return tx.reseat([]placing{mine, there}, nil)
}

// closeTable takes a table of the hall out of service; those who sit there in a round that is not over move to a free one together.
func (tx *peopleTx) closeTable(number int, why string) error {
	closed, err := closedNumbers(tx.DB, tx.event.ID)
	if err != nil {
		return err
	}
	if slices.Contains(closed, number) {
		return refuse.Conflict("err_table_closed", "table", number)
	}
	if err := tx.Create(&ClosedTable{tx.event.ID, number, why}).Error; err != nil {
		return err
	}
	if tx.round == nil {
		return nil
	}
	tables, _, err := placings(tx.DB, tx.round.ID)
	if err != nil {
		return err
	}
	for _, t := range tables {
		if t.Number == number {
			t.Number = freeNumber(tables, append(closed, number))
			return tx.reseat([]placing{t}, nil)
		}
	}
	return nil
}

func (tx *peopleTx) openTable(number int) error {
	done := tx.Where("tournament_id = ? AND number = ?", tx.event.ID, number).Delete(&ClosedTable{})
	if done.Error == nil && done.RowsAffected == 0 {
		return refuse.Conflict("err_table_not_closed", "table", number)
	}
	return done.Error
}
