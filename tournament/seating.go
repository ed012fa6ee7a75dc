package tournament

import (
	"slices"

	"gorm.io/gorm"

	"meldhall/tournament/pairing"
)

// drawable is the way of seating that a draft is drawn by: what an organizer seats by hand or by a file begins as a lot.
func drawable(seating string) string {
	if slices.Contains(pairing.Drawn, seating) {
		return seating
	}
	return pairing.Random
}

// request is what the next round is drawn of.
func (d *draft) request(db *gorm.DB, sizes []int) (pairing.Request, error) {
	q := pairing.Request{Method: d.round.Method, Sizes: sizes, Rounds: 1, Seed: d.round.Seed}
	if left := d.stage.Rounds - d.round.StageRound; q.Method == pairing.Plan || q.Method == pairing.Chart {
		q.Rounds += left
	} else {
		q.Future = left
	}
	for _, id := range d.players {
		q.Players = append(q.Players, pairing.Player{ID: id})
	}
	for _, r := range d.rounds {
		tables, err := tablesOf(db, r.ID)
		if err != nil {
			return q, err
		}
		q.History = append(q.History, tables)
	}
	return q, nil
}
