package tournament

import (
	"slices"

	"gorm.io/gorm"

	"meldhall/tournament/pairing"
)

// redraws tells whether the draft that there is was of this round, seated in a way.
func (d *draft) redraws(method string) bool {
	return d.old != nil && d.old.Stage == d.round.Stage && d.old.PlayOff == d.round.PlayOff && d.old.Method == method
}

// hasFile tells whether a file has seats for this round: it is drafted by one, or was with the round before.
func (d *draft) hasFile() bool { return d.redraws(pairing.Script) || d.scriptAhead() != nil }

// fileAfter is for how many rounds after this one a file has seats.
func (d *draft) fileAfter() int {
	if d.redraws(pairing.Script) {
		return d.old.Ahead()
	}
	if last := d.scriptAhead(); last != nil {
		return last.Ahead() - 1
	}
	return 0
}

// fileSeats are the seats that a file has for this round and those after it: as the draft has them now, or as the file that the
// round before was seated by says.
func (d *draft) fileSeats(db *gorm.DB) ([]pairing.Round, error) {
	if !d.redraws(pairing.Script) {
		return d.scriptAhead().plan(), nil
	}
	tables, err := tablesOf(db, d.old.ID)
	return append([]pairing.Round{tables}, d.old.plan()...), err
}

// byHand is where an organizer who seats everybody by hand begins: with the seats that were given by hand already, or with the
// players in the order of entry.
func (d *draft) byHand(db *gorm.DB, sizes []int) (pairing.Round, error) {
	if d.redraws(pairing.Manual) {
		return d.handSeats(db, sizes)
	}
	order := slices.Clone(d.players)
	slices.SortFunc(order, func(a, b int64) int { return d.board.players[a].Number - d.board.players[b].Number })
	tables := make(pairing.Round, len(sizes))
	for i, size := range sizes {
		tables[i], order = order[:size:size], order[size:]
	}
	return tables, nil
}

// handSeats are the draft's seats; where there are to be other tables, or others play, only who must move does.
func (d *draft) handSeats(db *gorm.DB, sizes []int) (pairing.Round, error) {
	tables, _, err := placings(db, d.old.ID)
	if err != nil {
		return nil, err
	}
	met, err := metBefore(db, d.tournament.ID, d.round.Number)
	if err != nil {
		return nil, err
	}
	m := mending{Join: slices.Clone(d.players), Sizes: sizes, Cost: met.cost}
	for _, t := range tables {
		for _, p := range t.Players {
			if !slices.Contains(d.players, p) {
				m.Leave = append(m.Leave, p)
			}
			m.Join = slices.DeleteFunc(m.Join, func(id int64) bool { return id == p })
		}
	}
	var seats pairing.Round
	for _, t := range mend(tables, m) {
		seats = append(seats, t.Players)
	}
	return seats, nil
}
