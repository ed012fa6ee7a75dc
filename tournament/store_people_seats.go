package tournament

import (
	"slices"

	"gorm.io/gorm"

	"meldhall/tournament/pairing"
	"meldhall/tournament/refuse"
)

// closedNumbers are the tables of the hall that nobody may be seated at.
func closedNumbers(db *gorm.DB, tournamentID int64) (numbers []int, err error) {
	err = db.Model(&ClosedTable{}).Where("tournament_id = ?", tournamentID).Pluck("number", &numbers).Error
	return numbers, err
}

// fixedTables are the players who always sit at one table.
func fixedTables(db *gorm.DB, tournamentID int64) (map[int64]int, error) {
	var players []Player
	err := db.Select("id", "fixed_table").Where("tournament_id = ? AND fixed_table > 0", tournamentID).Find(&players).Error
	fixed := make(map[int64]int, len(players))
	for _, p := range players {
		fixed[p.ID] = p.FixedTable
	}
	return fixed, err
}

// inHall gives a drawn round its tables of the hall: without those out of service, and with those who have a fixed table at
// it. When that takes an exchange, the round's report says so.
func (d drawing) inHall(db *gorm.DB, plan [][]int64) ([]int, error) {
	closed, err := closedNumbers(db, d.tournament.ID)
	if err != nil {
		return nil, err
	}
	fixed, err := fixedTables(db, d.tournament.ID)
	if err != nil {
		return nil, err
	}
	numbers := hallNumbers(plan, closed, fixed)
	if len(fixed) == 0 {
		return numbers, nil
	}
	met, err := metBefore(db, d.tournament.ID, d.round.Number)
	if err != nil {
		return nil, err
	}
	settle(plan, numbers, fixed, met.cost)
	rep, err := pairing.Assess(d.q, []pairing.Round{plan})
	if err != nil {
		return nil, refuse.Invalid("err_seats_wrong", "detail", err.Error())
	}
	left := d.round.Plan
	err = d.round.judged(rep, nil)
	d.round.Plan = left
	return numbers, err
}

// meetings count how often two players have met; in the round before it counts twice.
type meetings map[pairing.Pair]int

// metBefore are the meetings in the rounds before one.
func metBefore(db *gorm.DB, tournamentID int64, number int) (meetings, error) {
	met := meetings{}
	var rounds []Round
	if err := db.Where("tournament_id = ? AND number < ?", tournamentID, number).Find(&rounds).Error; err != nil {
		return nil, err
	}
	for _, r := range rounds {
		tables, err := tablesOf(db, r.ID)
		if err != nil {
			return nil, err
		}
		for _, table := range tables {
			for i, a := range table {
				for _, b := range table[i+1:] {
					met[pairing.PairOf(a, b)]++
					if r.Number == number-1 {
						met[pairing.PairOf(a, b)]++
					}
				}
			}
		}
	}
	return met, nil
}

// cost of a table is the sum of the squares of its pairs' meetings.
func (m meetings) cost(table []int64) int {
	cost := 0
	for i, a := range table {
		for _, b := range table[i+1:] {
			n := m[pairing.PairOf(a, b)]
			cost += n * n
		}
	}
	return cost
}

// judgeDraft writes what is to be said of a draft as it is now. Whoever had checked it must look again; a plan of the
// rounds to come does not hold any more.
func (d *peopleDoer) judgeDraft() error {
	round := *d.round
	values := map[string]any{"checked_at": 0, "checked_by": ""}
	next, err := newDraft(d.tx, d.t.ID)
	if err == nil {
		next.round.Method, next.round.Seed = round.Method, round.Seed
		q, err := next.request(d.tx)
		if err == nil {
			tables, err := tablesOf(d.tx, round.ID)
			if err != nil {
				return err
			}
			if rep, err := pairing.Assess(q, []pairing.Round{tables}); err == nil {
				left := round.Plan
				if err := round.judged(rep, nil); err != nil {
					return err
				}
				if round.Method == pairing.Script { // the file stands until there is another one
					round.Plan = left
				}
				values["report"], values["plan"] = round.Report, round.Plan
			}
		}
	}
	return d.tx.Model(&Round{}).Where("id = ?", round.ID).Updates(values).Error
}

// mendDraft brings the drafted round in line with who plays it now. Only tables that must change do.
func (d *peopleDoer) mendDraft() error {
	tables, _, err := placings(d.tx, d.round.ID)
	if err != nil {
		return err
	}
	next, err := newDraft(d.tx, d.t.ID)
	if err != nil {
		return nil // who plays is not settled, such as before a lot: the draft is stale and says so when it is published
	}
	seated := map[int64]bool{}
	var m mending
	for _, t := range tables {
		for _, p := range t.Players {
			seated[p] = true
			if !slices.Contains(next.players, p) {
				m.Leave = append(m.Leave, p)
			}
		}
	}
	for _, p := range next.players {
		if !seated[p] {
			m.Join = append(m.Join, p)
		}
	}
	if len(m.Leave)+len(m.Join) == 0 {
		return nil
	}
	was, err := next.stage.Seat(len(seated), next.rules.SeatsMin, next.rules.SeatsMax)
	own := err != nil || !sameSizes(tables, was) // tables that were drawn otherwise than the format stay as they are as far as can be
	if sizes, err := next.stage.Seat(len(next.players), next.rules.SeatsMin, next.rules.SeatsMax); err == nil && !own {
		m.Sizes = sizes
	}
	return d.mend(tables, m)
}

// mend changes a round's seats and writes the tables that are not as they were.
func (d *peopleDoer) mend(tables []placing, m mending) error {
	after, err := d.mended(tables, m)
	if err != nil {
		return err
	}
	return d.rewrite(tables, after)
}

// mended is how tables would be, by who has met whom and the tables of the hall.
func (d *peopleDoer) mended(tables []placing, m mending) ([]placing, error) {
	met, err := metBefore(d.tx, d.t.ID, d.round.Number)
	if err != nil {
		return nil, err
	}
	if m.Closed, err = closedNumbers(d.tx, d.t.ID); err != nil {
		return nil, err
	}
	m.Cost = met.cost
	m.Least, m.Most, err = d.tableSizes()
	return mend(tables, m), err
}

// rewrite writes the tables of a round that are not as they were.
func (d *peopleDoer) rewrite(tables, after []placing) error {
	var gone []int64
	var changed []placing
	for _, t := range tables {
		i := slices.IndexFunc(after, func(o placing) bool { return o.ID == t.ID })
		if i < 0 {
			gone = append(gone, t.ID)
		} else if !slices.Equal(after[i].Players, t.Players) {
			changed = append(changed, after[i])
		}
	}
	for _, t := range after {
		if t.ID == 0 {
			changed = append(changed, t)
		}
	}
	return d.reseat(changed, gone)
}

// tableSizes are how few and how many players sit at a table of the round that is not over.
func (d *peopleDoer) tableSizes() (least, most int, err error) {
	f, err := d.t.Format()
	if err != nil {
		return 0, 0, err
	}
	rules, err := d.t.RulesAt(d.round.Stage)
	if least, most = 3, 4; f.Stages[d.round.Stage].TableSize == 2 {
		least, most = 2, 3
	}
	return min(least, rules.SeatsMax), min(most, rules.SeatsMax), err
}

// reseat writes tables of the round that is not over: their numbers and who sits there, and takes others away. Tables that
// are not named stay as they are; nobody may have begun to play at those that are. Who moves keeps the code of the seat.
func (d *peopleDoer) reseat(tables []placing, gone []int64) error {
	if d.round == nil {
		return refuse.Conflict("err_undo_changed")
	}
	ids := slices.Clone(gone)
	for _, t := range tables {
		ids = append(ids, t.ID)
	}
	var had []Seat
	if err := d.tx.Where("table_id IN ?", ids).Find(&had).Error; err != nil {
		return err
	}
	if err := d.tx.Where("table_id IN ?", ids).Delete(&Seat{}).Error; err != nil {
		return err
	}
	if err := d.tx.Where("table_id IN ?", gone).Delete(&Game{}).Error; err != nil {
		return err
	}
	if err := d.tx.Where("id IN ?", gone).Delete(&Table{}).Error; err != nil {
		return err
	}
	if err := d.renumber(tables); err != nil {
		return err
	}
	if err := d.sit(tables, had); err != nil || d.round.Status != RoundDraft {
		return err
	}
	return d.judgeDraft()
}

// renumber writes the tables' rows: their numbers first out of each other's way. A new table gets its id.
func (d *peopleDoer) renumber(tables []placing) error {
	const aside = 1 << 20
	var rows []Table
	if err := d.tx.Where("round_id = ?", d.round.ID).Find(&rows).Error; err != nil {
		return err
	}
	have := map[int64]int{}
	for _, row := range rows {
		have[row.ID] = row.Number
	}
	for _, t := range tables {
		if n, ok := have[t.ID]; ok && n != t.Number {
			if err := d.tx.Model(&Table{}).Where("id = ?", t.ID).Update("number", aside+n).Error; err != nil {
				return err
			}
		}
	}
	for i, t := range tables {
		n, ok := have[t.ID]
		switch {
		case !ok:
			row := []Table{{ID: t.ID, TournamentID: d.t.ID, RoundID: d.round.ID, Number: t.Number}}
			if err := sameTiles(d.tx, *d.round, row); err != nil {
				return err
			}
			if err := d.tx.Create(&row).Error; err != nil {
				return err
			}
			tables[i].ID = row[0].ID
		case n != t.Number:
			if err := d.tx.Model(&Table{}).Where("id = ?", t.ID).Update("number", t.Number).Error; err != nil {
				return err
			}
		}
	}
	return nil
}

// sit writes the seats of tables, and, in a published round, what they need to be played at. Seats that were there keep
// their rows, which are written first: their ids are free just now.
func (d *peopleDoer) sit(tables []placing, had []Seat) error {
	open := d.round.Status == RoundPublished || d.round.Status == RoundRunning
	var kept, fresh []Seat
	for _, t := range tables {
		for i, player := range t.Players {
			seat := Seat{PlayerID: player}
			at := slices.IndexFunc(had, func(s Seat) bool { return s.PlayerID == player })
			if at >= 0 {
				seat = had[at]
			} else if open {
				seat.setCode()
			}
			seat.RoundID, seat.TableID, seat.Seat = d.round.ID, t.ID, i
			if at >= 0 {
				kept = append(kept, seat)
			} else {
				fresh = append(fresh, seat)
			}
		}
	}
	for _, seats := range [][]Seat{kept, fresh} {
		if err := d.tx.CreateInBatches(seats, 100).Error; err != nil {
			return clash(err, "err_player_seated_twice", "round", d.round.Number)
		}
	}
	for _, t := range tables {
		if !open {
			break
		}
		if err := d.openTableCode(t.ID); err != nil {
			return err
		}
	}
	return nil
}

func (s *Seat) setCode() {
	s.Code = newCode()
	hash := hashSecret(s.Code)
	s.CodeHash, s.CodeExpires, s.CodeUsedAt, s.CodeReused = &hash, 0, 0, 0
}

// openTableCode gives a table of a published round a code as long as a seat has no device, and its games.
func (d *peopleDoer) openTableCode(table int64) error {
	var row Table
	if err := d.tx.Take(&row, table).Error; err != nil {
		return err
	}
	if row.Code == "" {
		code := newCode()
		if err := d.tx.Model(&row).Updates(map[string]any{"code": code, "code_hash": hashSecret(code)}).Error; err != nil {
			return err
		}
	}
	if err := closeFullTables(d.tx.Where("id = ?", table)); err != nil {
		return err
	}
	var games int64
	if err := d.tx.Model(&Game{}).Where("table_id = ?", table).Count(&games).Error; err != nil || games > 0 {
		return err
	}
	for number := range d.round.Games {
		if err := d.tx.Create(&Game{TournamentID: d.t.ID, TableID: table, Number: number + 1, Status: GameWaiting}).Error; err != nil {
			return err
		}
	}
	return nil
}

// newSeatCode takes a player's device out, and gives the seat in the round that is played a new code: somebody else sits there.
func (d *peopleDoer) newSeatCode(player int64) error {
	p, err := d.player(player)
	if err != nil {
		return err
	}
	if err := d.tx.Model(&Player{}).Where("id = ?", player).Update("device_hash", nil).Error; err != nil {
		return err
	}
	if d.round == nil || d.round.Status != RoundPublished && d.round.Status != RoundRunning {
		return nil
	}
	var seat Seat
	if err := d.tx.Where("round_id = ? AND player_id = ?", d.round.ID, player).Limit(1).Find(&seat).Error; err != nil || seat.ID == 0 {
		return err
	}
	if p.Joined() {
		d.notes = append(d.notes, PeopleEffect{Key: "device_out", Player: player, Args: refuse.Args{"name": p.Name}})
	}
	seat.setCode()
	if err := d.tx.Save(&seat).Error; err != nil {
		return err
	}
	return d.openTableCode(seat.TableID)
}
