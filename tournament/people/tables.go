package people

import (
	"errors"
	"slices"

	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/draw"
	"meldhall/tournament/pairing"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/spelling"
)

// tableNumberTop is the highest possible table number.
const tableNumberTop = 1500

// FixTable sets the table at which a player always sits; Number 0 means any.
type FixTable struct {
	Tournament int64  `json:"tournament"`
	Player     int64  `json:"player"`
	Number     int    `json:"number"`
	Why        string `json:"why,omitempty"`
}

var _ = peopleKind[FixTable](tournament.PeopleFixTable, rights.MayEditRoster, action.Keep[tournament.PeopleChanged])

func (f FixTable) Do(tx *action.Tx) (PeopleOutcome, error) {
	if err := checkTableNumber(f.Number, 0); err != nil {
		return PeopleOutcome{}, err
	}
	w := peopleWork{tournamentID: f.Tournament, name: tournament.PeopleFixTable, player: f.Player, why: f.Why}
	return changePlayer(tx, w, func(tx *peopleTx, p tournament.Player) error { return tx.fixTable(p, f.Number) })
}

func checkTableNumber(number, least int) error {
	if number < least || number > tableNumberTop {
		return refuse.Invalid("err_table_number", "most", tableNumberTop)
	}
	return nil
}

// CloseTable takes a table out of service; its players move to another one together.
type CloseTable struct {
	Tournament int64  `json:"tournament"`
	Number     int    `json:"number"`
	Why        string `json:"why,omitempty"`
}

var _ = peopleKind[CloseTable](tournament.PeopleCloseTable, rights.MayEditRoster, action.Keep[tournament.PeopleChanged])

func (c CloseTable) Do(tx *action.Tx) (PeopleOutcome, error) {
	if err := checkTableNumber(c.Number, 1); err != nil {
		return PeopleOutcome{}, err
	}
	w := peopleWork{tournamentID: c.Tournament, name: tournament.PeopleCloseTable, table: c.Number, why: c.Why}
	return changePeople(tx, w, func(tx *peopleTx) error { return tx.closeTable(c.Number, spelling.Clean(c.Why)) })
}

// OpenTable returns a table to service.
type OpenTable struct {
	Tournament int64  `json:"tournament"`
	Number     int    `json:"number"`
	Why        string `json:"why,omitempty"`
}

var _ = peopleKind[OpenTable](tournament.PeopleOpenTable, rights.MayEditRoster, action.Keep[tournament.PeopleChanged])

func (o OpenTable) Do(tx *action.Tx) (PeopleOutcome, error) {
	if err := checkTableNumber(o.Number, 1); err != nil {
		return PeopleOutcome{}, err
	}
	w := peopleWork{tournamentID: o.Tournament, name: tournament.PeopleOpenTable, table: o.Number, why: o.Why}
	return changePeople(tx, w, func(tx *peopleTx) error {
		done := tx.Where("tournament_id = ? AND number = ?", o.Tournament, o.Number).Delete(&tournament.ClosedTable{})
		if done.Error == nil && done.RowsAffected == 0 {
			return refuse.Conflict("err_table_not_closed", "table", o.Number)
		}
		return done.Error
	})
}

// fixTable sets a player's fixed table. In a drafted round the player moves there at once.
func (tx *peopleTx) fixTable(p tournament.Player, number int) error {
	closed, err := draw.ClosedNumbers(tx.DB, tx.event.ID)
	if err != nil {
		return err
	}
	if slices.Contains(closed, number) {
		return refuse.Conflict("err_table_closed", "table", number)
	}
	if err := tx.setPlayer(p.ID, p.State, p.Gone, number); err != nil {
		return err
	}
	if tx.round == nil || number == 0 || tx.round.Status == tournament.RoundPublished ||
		tx.round.Status == tournament.RoundRunning {
		return nil
	}
	tables, _, err := tournament.Placings(tx.DB, tx.round.ID)
	if err != nil {
		return err
	}
	mine := slices.IndexFunc(tables, func(t pairing.Placing) bool { return slices.Contains(t.Players, p.ID) })
	if mine < 0 || tables[mine].Number == number {
		return nil
	}
	fixed, err := draw.FixedTables(tx.DB, tx.event.ID)
	if err != nil {
		return err
	}
	there := slices.IndexFunc(tables, func(t pairing.Placing) bool { return t.Number == number })
	if there < 0 {
		tables[mine].Number = number
		return tx.reseat(tables[mine:mine+1], nil)
	}
	others := 0 // players who must stay at these two tables
	for _, q := range append(slices.Clone(tables[mine].Players), tables[there].Players...) {
		if q != p.ID && fixed[q] != 0 {
			others++
		}
	}
	if others == 0 {
		tables[mine].Number, tables[there].Number = number, tables[mine].Number
		return tx.reseat([]pairing.Placing{tables[mine], tables[there]}, nil)
	}
	return tx.exchangeInto(tables[mine], tables[there], p.ID, fixed)
}

// exchangeInto swaps the player from the table mine with a player without a fixed table from the table there.
func (tx *peopleTx) exchangeInto(mine, there pairing.Placing, player int64, fixed map[int64]int) error {
	met, err := draw.MetBefore(tx.DB, tx.event.ID, tx.round.Number)
	if err != nil {
		return err
	}
	for p := range fixed {
		if p != player && slices.Contains(mine.Players, p) { // move only this player, not others with a fixed table
			delete(fixed, p)
		}
	}
	plan := [][]int64{slices.Clone(mine.Players), slices.Clone(there.Players)}
	pairing.Settle(plan, []int{mine.Number, there.Number}, fixed, met.Cost)
	mine.Players, there.Players = plan[0], plan[1]
	return tx.reseat([]pairing.Placing{mine, there}, nil)
}

// closeTable takes a table out of service; its players in an unfinished round move to a free one together.
func (tx *peopleTx) closeTable(number int, why string) error {
	closed, err := draw.ClosedNumbers(tx.DB, tx.event.ID)
	if err != nil {
		return err
	}
	if slices.Contains(closed, number) {
		return refuse.Conflict("err_table_closed", "table", number)
	}
	if err := tx.Create(&tournament.ClosedTable{TournamentID: tx.event.ID, Number: number,
		Reason: why}).Error; err != nil {
		return err
	}
	if tx.round == nil {
		return nil
	}
	tables, _, err := tournament.Placings(tx.DB, tx.round.ID)
	if err != nil {
		return err
	}
	for _, t := range tables {
		if t.Number == number {
			t.Number = pairing.FreeNumber(tables, append(closed, number))
			return tx.reseat([]pairing.Placing{t}, nil)
		}
	}
	return nil
}

// giveUpChairs removes players from the waiting tables of the unfinished round and returns those who gave up a chair. A
// table that becomes too small is filled from its neighbours. If none can spare a player, the chair stays and the seat
// is forfeited when its game begins.
func (tx *peopleTx) giveUpChairs(players []tournament.Player) (freed []int64, err error) {
	tables, begun, err := tournament.Placings(tx.DB, tx.round.ID)
	if err != nil {
		return nil, err
	}
	tables = slices.DeleteFunc(tables, func(t pairing.Placing) bool { return begun[t.ID] })
	leave := slices.DeleteFunc(idsOf(players), func(p int64) bool {
		return !slices.ContainsFunc(tables, func(t pairing.Placing) bool { return slices.Contains(t.Players, p) })
	})
	return tx.change(tables, pairing.Mending{Leave: leave})
}

// change applies m to tables and stores the result. It keeps a leaving player whose table would otherwise have too few
// players, and returns the players who gave up their chair. It first tries to remove several players together before
// removing them one by one, because the joining players may need more than one of their chairs.
func (tx *peopleTx) change(tables []pairing.Placing, m pairing.Mending) (freed []int64, err error) {
	rules, err := tx.event.RulesAt(tx.round.Stage)
	if err != nil {
		return nil, err
	}
	at := tables
	for n := len(m.Leave); n > 0 || len(m.Join) > 0; n-- {
		after, err := tx.mended(tables, pairing.Mending{Leave: m.Leave[:n], Join: m.Join})
		if err != nil {
			return nil, err
		}
		if n == 0 || !tooSmall(after, rules.SeatsMin) {
			at, freed = after, slices.Clone(m.Leave[:n])
			break
		}
	}
	for _, p := range m.Leave[len(freed):] {
		after, err := tx.mended(at, pairing.Mending{Leave: []int64{p}})
		if err != nil {
			return nil, err
		}
		if !tooSmall(after, rules.SeatsMin) {
			freed, at = append(freed, p), after
		}
	}
	return freed, tx.rewrite(tables, at)
}

// tooSmall reports whether a table has fewer than least players.
func tooSmall(tables []pairing.Placing, least int) bool {
	return slices.ContainsFunc(tables, func(t pairing.Placing) bool { return len(t.Players) < least })
}

// takeChairs seats players of a round in free chairs at waiting tables, and returns the IDs of those it seated. For
// each of the others it adds an effect if tables already playing have a free chair. A chair kept for a player who left,
// because too few remained, counts as free.
func (tx *peopleTx) takeChairs(players []tournament.Player) (seated []int64, err error) {
	tables, begun, err := tournament.Placings(tx.DB, tx.round.ID)
	if err != nil {
		return nil, err
	}
	_, most, err := tx.tableSizes()
	if err != nil {
		return nil, err
	}
	gone, err := tx.goneHere()
	if err != nil {
		return nil, err
	}
	var waiting []pairing.Placing
	var kept []int64
	sits := map[int64]bool{}
	chairs, late := 0, 0 // free chairs at waiting tables, and at tables that have begun
	for _, t := range tables {
		free := most - len(t.Players)
		for _, p := range t.Players {
			sits[p] = true
			if !begun[t.ID] && gone[p] != "" {
				kept, free = append(kept, p), free+1
			}
		}
		if begun[t.ID] {
			late += max(free, 0)
			continue
		}
		waiting, chairs = append(waiting, t), chairs+max(free, 0)
	}
	for _, p := range players {
		switch {
		case sits[p.ID]:
		case len(seated) < chairs:
			seated = append(seated, p.ID)
		case late > 0:
			tx.Notes = append(tx.Notes, tournament.PeopleEffect{Key: "chairs_begun", Player: p.ID,
				Args: refuse.Args{"name": p.Name, "round": tx.round.Number}})
		}
	}
	if len(seated) == 0 {
		return nil, nil
	}
	freed, err := tx.change(waiting, pairing.Mending{Leave: kept, Join: seated})
	for _, p := range freed {
		err = errors.Join(err, tx.misses(p, *tx.round, gone[p]))
	}
	return seated, err
}

// goneHere returns the players who have left but still have a seat in the unfinished round, with the reason for missing
// it once the chair is given up.
func (tx *peopleTx) goneHere() (map[int64]string, error) {
	var players []tournament.Player
	if err := tx.Select("id", "state").Where("gone <> 0 AND id IN (SELECT player_id FROM seats WHERE round_id = ?)",
		tx.round.ID).Find(&players).Error; err != nil {
		return nil, err
	}
	why := make(map[int64]string, len(players))
	for _, p := range players {
		why[p.ID] = tournament.MissedLeft
		if p.State == tournament.StateNoShow {
			why[p.ID] = tournament.MissedNoShow
		}
	}
	return why, nil
}
