package draw

import (
	"cmp"
	"context"
	"reflect"
	"slices"

	"gorm.io/gorm"

	"meldhall/tournament"
	"meldhall/tournament/pairing"
	"meldhall/tournament/store"
)

// redraws reports whether the current draft is of this round and was seated with method.
func (d *NextRound) redraws(method string) bool {
	return d.old != nil && d.old.Stage == d.Round.Stage && d.old.PlayOff == d.Round.PlayOff && d.old.Method == method
}

// hasFile reports whether a seating file covers this round: the current draft uses it, or the previous round did.
func (d *NextRound) hasFile() bool { return d.redraws(pairing.Script) || d.scriptAhead() != nil }

// fileAfter returns the number of rounds after this one for which a seating file has seats. It is 0 if the current
// draft was seated by another method, because drawing it gave up the file.
func (d *NextRound) fileAfter() int {
	if d.old != nil && d.redraws(d.old.Method) { // a draft by another method has given them up
		if d.old.Method == pairing.Script {
			return d.old.Ahead()
		}
		return 0
	}
	if last := d.scriptAhead(); last != nil {
		return last.Ahead() - 1
	}
	return 0
}

// givenUp returns how many later rounds of a seating file are dropped with this draw.
func (d *NextRound) givenUp() int {
	if d.Round.Method == pairing.Script {
		return 0
	}
	return d.fileAfter()
}

// FileLost returns how many later rounds of a seating file are lost when the draft is discarded. It is 0 if the
// previous round keeps the same seats.
func FileLost(ctx context.Context, s *store.DB, draft tournament.Round) (int, error) {
	return store.Look(ctx, s, func(db *gorm.DB) (int, error) { return fileLost(db, draft) })
}

func fileLost(db *gorm.DB, draft tournament.Round) (int, error) {
	left := draft.PlannedRounds()
	if draft.Method != pairing.Script || len(left) == 0 {
		return 0, nil
	}
	var before tournament.Round
	if err := db.Where("tournament_id = ? AND number = ?", draft.TournamentID,
		draft.Number-1).Limit(1).Find(&before).Error; err != nil {
		return 0, err
	}
	taken, err := tournament.TakenOver(db, draft.TournamentID)
	if err != nil {
		return 0, err
	}
	if kept := before.PlannedRounds(); before.Method == pairing.Script && draft.StageRound > 1 && len(kept) > 0 &&
		reflect.DeepEqual(heirs(kept[1:], taken), heirs(left, taken)) {
		return 0, nil
	}
	return len(left), nil
}

// heirs replaces substituted players in a plan by those who took their places, and returns the plan.
func heirs(plan []pairing.Round, taken map[int64]int64) []pairing.Round {
	return seatedOtherwise(plan, func(id int64) int64 {
		for range taken {
			id = cmp.Or(taken[id], id)
		}
		return id
	})
}

// seatedOtherwise replaces each player in a plan by the one that whom returns. It changes the plan in place and returns
// it.
func seatedOtherwise(plan []pairing.Round, whom func(int64) int64) []pairing.Round {
	for _, table := range slices.Concat(plan...) {
		for i, id := range table {
			table[i] = whom(id)
		}
	}
	return plan
}

// fileSeats returns a seating file's seats for this round and the later ones, from the current draft or from the file
// of the previous round.
func (d *NextRound) fileSeats(db *gorm.DB) ([]pairing.Round, error) {
	if !d.redraws(pairing.Script) {
		return d.scriptAhead().PlannedRounds(), nil
	}
	tables, err := tournament.TablesOf(db, d.old.ID)
	return append([]pairing.Round{tables}, d.old.PlannedRounds()...), err
}

// byHand returns the starting point for seating by hand: the seats already placed by hand, or the players in the order
// of entry.
func (d *NextRound) byHand(db *gorm.DB, sizes []int) (pairing.Round, error) {
	if d.redraws(pairing.Manual) {
		return d.handSeats(db, sizes)
	}
	order := slices.Clone(d.Players)
	slices.SortFunc(order, func(a, b int64) int { return d.Board.Players[a].Number - d.Board.Players[b].Number })
	tables := make(pairing.Round, len(sizes))
	for i, size := range sizes {
		tables[i], order = order[:size:size], order[size:]
	}
	return tables, nil
}

// handSeats returns the draft's seats. If the table sizes or the players have changed, it moves only the players who
// must move.
func (d *NextRound) handSeats(db *gorm.DB, sizes []int) (pairing.Round, error) {
	tables, _, err := tournament.Placings(db, d.old.ID)
	if err != nil {
		return nil, err
	}
	met, err := MetBefore(db, d.tournament.ID, d.Round.Number)
	if err != nil {
		return nil, err
	}
	return d.seatedElse(tables, sizes, met), nil
}

// seatedElse adapts tables to the current players and sizes. It moves only the players who must move, to seats where
// they repeat as few meetings as possible.
func (d *NextRound) seatedElse(tables []pairing.Placing, sizes []int, met meetings) (seats pairing.Round) {
	m := pairing.Mending{Join: slices.Clone(d.Players), Sizes: sizes, Cost: met.Cost}
	for _, t := range tables {
		for _, p := range t.Players {
			if !slices.Contains(d.Players, p) {
				m.Leave = append(m.Leave, p)
			}
			m.Join = slices.DeleteFunc(m.Join, func(id int64) bool { return id == p })
		}
	}
	for _, t := range pairing.Mend(tables, m) {
		seats = append(seats, t.Players)
	}
	return seats
}

// substituted gives the seats of substituted players in a plan to their substitutes.
func (d *NextRound) substituted(plan []pairing.Round) {
	seatedOtherwise(plan, func(id int64) int64 {
		for range d.takenOver {
			if slices.Contains(d.Players, id) || d.takenOver[id] == 0 {
				break
			}
			id = d.takenOver[id]
		}
		return id
	})
}

// inherited fills the seats of players who no longer play: first with their substitutes, then one for one with players
// who have joined since. It reports whether the plan's next round then seats exactly the current players.
func (d *NextRound) inherited(plan []pairing.Round) bool {
	d.substituted(plan)
	planned := slices.Concat(plan[0]...)
	come := slices.DeleteFunc(slices.Clone(d.Players), func(id int64) bool { return slices.Contains(planned, id) })
	gone := slices.DeleteFunc(slices.Clone(planned), func(id int64) bool { return slices.Contains(d.Players, id) })
	slices.Sort(come)
	slices.Sort(gone)
	if len(come) != len(gone) {
		return false
	}
	seatedOtherwise(plan, func(id int64) int64 {
		if at := slices.Index(gone, id); at >= 0 {
			return come[at]
		}
		return id
	})
	return seatsSame(plan[0], d.Players)
}

// reseated adapts a plan to the current players: without those who left, with those who joined.
func (d *NextRound) reseated(q pairing.Request, plan []pairing.Round) (rounds []pairing.Round) {
	met := meetings{}
	for _, round := range q.History {
		met.add(round)
	}
	for _, round := range plan {
		var tables []pairing.Placing
		for i, table := range round {
			tables = append(tables, pairing.Placing{Number: i + 1, Players: table})
		}
		seats := d.seatedElse(tables, q.Sizes, met)
		met.add(seats)
		rounds = append(rounds, seats)
	}
	return rounds
}

// add counts the meetings of a round.
func (m meetings) add(round pairing.Round) {
	for _, table := range round {
		for i, a := range table {
			for _, b := range table[:i] {
				m[pairing.PairOf(a, b)]++
			}
		}
	}
}
