package tournament

import (
	"slices"

	"meldhall/tournament/refuse"
)

// fixTable says at which table a player always sits; in a drafted round that is so at once.
func (d *peopleDoer) fixTable(p Player, number int) error {
	closed, err := closedNumbers(d.tx, d.t.ID)
	if err != nil {
		return err
	}
	if slices.Contains(closed, number) {
		return refuse.Conflict("err_table_closed", "table", number)
	}
	if err := d.setPlayer(p.ID, p.State, p.Gone, number); err != nil {
		return err
	}
	if d.round == nil || number == 0 || d.round.Status == RoundPublished || d.round.Status == RoundRunning {
		return nil
	}
	tables, _, err := placings(d.tx, d.round.ID)
	if err != nil {
		return err
	}
	mine := slices.IndexFunc(tables, func(t placing) bool { return slices.Contains(t.Players, p.ID) })
	if mine < 0 || tables[mine].Number == number {
		return nil
	}
	fixed, err := fixedTables(d.tx, d.t.ID)
	if err != nil {
		return err
	}
	there := slices.IndexFunc(tables, func(t placing) bool { return t.Number == number })
	if there < 0 {
		tables[mine].Number = number
		return d.reseat(tables[mine:mine+1], nil)
	}
	others := 0 // who must stay at the two tables as they are
	for _, q := range append(slices.Clone(tables[mine].Players), tables[there].Players...) {
		if q != p.ID && fixed[q] != 0 {
			others++
		}
	}
	if others == 0 {
		tables[mine].Number, tables[there].Number = number, tables[mine].Number
		return d.reseat([]placing{tables[mine], tables[there]}, nil)
	}
	return d.exchangeInto(tables[mine], tables[there], p.ID, fixed)
}

// exchangeInto exchanges a player with somebody of another table who is free to move.
func (d *peopleDoer) exchangeInto(mine, there placing, player int64, fixed map[int64]int) error {
	met, err := metBefore(d.tx, d.t.ID, d.round.Number)
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
	return d.reseat([]placing{mine, there}, nil)
}

// closeTable takes a table of the hall out of service; who sits there in a round that is not over moves to a free one together.
func (d *peopleDoer) closeTable(number int, why string) error {
	closed, err := closedNumbers(d.tx, d.t.ID)
	if err != nil {
		return err
	}
	if slices.Contains(closed, number) {
		return refuse.Conflict("err_table_closed", "table", number)
	}
	if err := d.tx.Create(&ClosedTable{d.t.ID, number, why}).Error; err != nil {
		return err
	}
	if d.round == nil {
		return nil
	}
	tables, _, err := placings(d.tx, d.round.ID)
	if err != nil {
		return err
	}
	for _, t := range tables {
		if t.Number == number {
			t.Number = freeNumber(tables, append(closed, number))
			return d.reseat([]placing{t}, nil)
		}
	}
	return nil
}

func (d *peopleDoer) openTable(number int) error {
	done := d.tx.Where("tournament_id = ? AND number = ?", d.t.ID, number).Delete(&ClosedTable{})
	if done.Error == nil && done.RowsAffected == 0 {
		return refuse.Conflict("err_table_not_closed", "table", number)
	}
	return done.Error
}
