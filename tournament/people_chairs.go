package tournament

import (
	"errors"
	"slices"

	"meldhall/tournament/refuse"
)

// giveUpChairs takes players out of the tables of a round that have not begun, and tells who has left a chair. A table
// that becomes too small is filled from its neighbours. Where none can spare anybody the chair stays, and the seat is given up
// when its game begins.
func (tx *peopleTx) giveUpChairs(players []Player) (freed []int64, err error) {
	tables, begun, err := placings(tx.DB, tx.round.ID)
	if err != nil {
		return nil, err
	}
	tables = slices.DeleteFunc(tables, func(t placing) bool { return begun[t.ID] })
	leave := slices.DeleteFunc(idsOf(players), func(p int64) bool {
		return !slices.ContainsFunc(tables, func(t placing) bool { return slices.Contains(t.Players, p) })
	})
	return tx.change(tables, mending{Leave: leave})
}

// change rewrites tables as a mending wants them; a player who cannot leave, since too few would be left to play, stays. It tells who
// Has left one. Several leave theirs at once before one after the other: those who come may need more than one of these chairs.
func (tx *peopleTx) change(tables []placing, m mending) (freed []int64, err error) {
	rules, err := tx.event.RulesAt(tx.round.Stage)
	if err != nil {
		return nil, err
	}
	at := tables
	for n := len(m.Leave); n > 0 || len(m.Join) > 0; n-- {
		after, err := tx.mended(tables, mending{Leave: m.Leave[:n], Join: m.Join})
		if err != nil {
			return nil, err
		}
		if n == 0 || !tooSmall(after, rules.SeatsMin) {
			at, freed = after, slices.Clone(m.Leave[:n])
			break
		}
	}
	for _, p := range m.Leave[len(freed):] {
		after, err := tx.mended(at, mending{Leave: []int64{p}})
		if err != nil {
			return nil, err
		}
		if !tooSmall(after, rules.SeatsMin) {
			freed, at = append(freed, p), after
		}
	}
	return freed, tx.rewrite(tables, at)
}

// tooSmall tells whether fewer sit at a table than can play there.
func tooSmall(tables []placing, least int) bool {
	return slices.ContainsFunc(tables, func(t placing) bool { return len(t.Players) < least })
}

// takeChairs seats players of a round where a chair is free at a table that nobody has begun to play at; those for whom there
// is none are left out, which is said when there is one at a table already playing. A chair that was kept for somebody who has
// gone, since too few were left, is free to them.
func (tx *peopleTx) takeChairs(players []Player) (seated []int64, err error) {
	tables, begun, err := placings(tx.DB, tx.round.ID)
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
	var waiting []placing
	var kept []int64
	sits := map[int64]bool{}
	chairs, late := 0, 0 // which are free where nobody plays, and where they do
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
			tx.notes = append(tx.notes, PeopleEffect{Key: "chairs_begun", Player: p.ID, Args: refuse.Args{"name": p.Name, "round": tx.round.Number}})
		}
	}
	if len(seated) == 0 {
		return nil, nil
	}
	freed, err := tx.change(waiting, mending{Leave: kept, Join: seated})
	for _, p := range freed {
		err = errors.Join(err, tx.misses(p, *tx.round, gone[p]))
	}
	return seated, err
}

// goneHere are those who sit in the round that is not over and have gone, with why they miss it when they give up the chair.
func (tx *peopleTx) goneHere() (map[int64]string, error) {
	var players []Player
	if err := tx.Select("id", "state").Where("gone <> 0 AND id IN (SELECT player_id FROM seats WHERE round_id = ?)", tx.round.ID).Find(&players).Error; err != nil {
		return nil, err
	}
	why := make(map[int64]string, len(players))
	for _, p := range players {
		why[p.ID] = MissedLeft
		if p.State == StateNoShow {
			why[p.ID] = MissedNoShow
		}
	}
	return why, nil
}
